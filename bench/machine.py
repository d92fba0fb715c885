#!/usr/bin/env python3
"""Speed of the machine, as a ratio to the native -O0 binary in the same run.

usage: machine.py --sheaf BINARY --llvm MAJOR [--only TEXT] [--repeat N] [--labels]

For each program of bench/machine: user time of the native binary (best of N), user time of `sheaf run` on its bitcode less that
of an empty program (start-up is reported by itself), and their ratio; last the geometric mean. The outputs must agree.
Start-up is the time of whole runs, bitcode to exit, of an empty program and of one of 1,000 lines (the best of 20).
With --labels: runs with labels as ratios to runs without, on the programs as they are and under one symbolic `if` (docs/labels.md).
"""
import argparse, glob, math, os, resource, subprocess, sys, tempfile, time

FUNCTION = """static int work%d(const char *text, int seed)
{
    char buffer[64];
    struct node *n = malloc(sizeof *n);
    int total = seed;
    if (!n)
        return -1;
    n->key = seed * %d & 63;
    snprintf(n->name, sizeof n->name, "n%%d", n->key);
    n->next = table[n->key];
    table[n->key] = n;
    strncpy(buffer, text, sizeof buffer - 1);
    buffer[63] = '\\0';
    for (int k = 0; buffer[k]; k++) {
        if (isalpha((unsigned char)buffer[k]))
            total += toupper((unsigned char)buffer[k]);
        else
            total -= k;
    }
    return total;
}
"""


def thousand_lines():
    text = ''.join(f'#include <{name}.h>\n' for name in ('ctype', 'stdio', 'stdlib', 'string'))
    text += 'static struct node { int key; struct node *next; char name[16]; } *table[64];\n'
    text += ''.join(FUNCTION % (i, i + 3) for i in range(45)) + 'int main(void)\n{\n    int sum = 0;\n'
    text += ''.join(f'    sum = work{i}("some text {i}", sum);\n' for i in range(45)) + '    printf("%d\\n", sum);\n    return 0;\n}\n'
    assert 990 <= text.count('\n') <= 1010, text.count('\n')
    return text


def wall_time(command, cwd):
    best = math.inf
    for _ in range(20):
        before = time.monotonic()
        subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        best = min(best, time.monotonic() - before)
    return best


def user_time(command, cwd, repeat):
    """(best user seconds, output)"""
    best, output = math.inf, b''
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0: sys.exit(f'{command} ended with {done.returncode}: {done.stderr.decode()[:200]}')
        best, output = min(best, after.ru_utime - before.ru_utime), done.stdout
    return best, output


def bitcode(clang, source, target):
    subprocess.run([clang, '-O0', '-Xclang', '-disable-O0-optnone', '-g', '-w', '-fno-discard-value-names', '-emit-llvm', '-c',
                    source, '-o', target], check=True)


UNDER_IF = """#include <sheaf.h>
int the_program(void);
int main(void) { int x; sheaf_symbolic(&x, sizeof x, "x"); if (x == 0) return the_program(); return 1; }
"""


def labels(args, sheaf, clang, here, directory):
    """The cost of labels on concrete code."""
    include = f'-I{here}/../include'
    with_labels = ['dump', '--what', 'labels', '--max-steps', '0']
    modes = {'plain': ['run'], 'labels': with_labels, 'under if': with_labels}
    def prepare(source, mode):
        with open(directory + '/prog.c', 'w') as f:
            f.write((UNDER_IF + '#define main the_program\n' if mode == 'under if' else '') + f'#include "{source}"\n')
        subprocess.run([clang, '-O0', '-Xclang', '-disable-O0-optnone', '-g', '-w', '-fno-discard-value-names', '-emit-llvm', '-c',
                        include, directory + '/prog.c', '-o', directory + '/prog.bc'], check=True)
        return [sheaf] + modes[mode] + ['prog.bc']
    start = {m: user_time(prepare(directory + '/empty.c', m), directory, args.repeat)[0] for m in modes}
    print(f'{"program":12} {"plain s":>9} {"labels":>8} {"under if":>9}')
    ratios = {'labels': [], 'under if': []}
    for source in sorted(glob.glob(here + '/machine/*.c')):
        if args.only not in source: continue
        times = {m: user_time(prepare(source, m), directory, args.repeat)[0] - start[m] for m in modes}
        for m in ratios: ratios[m].append(times[m] / times['plain'])
        print(f'{os.path.basename(source)[:-2]:12} {times["plain"]:9.2f} {ratios["labels"][-1]:8.2f} {ratios["under if"][-1]:9.2f}', flush=True)
    for m, r in ratios.items():
        print(f'geometric mean of {len(r)} programs, {m}: {math.exp(sum(map(math.log, r)) / len(r)):.2f} times plain, at most {max(r):.2f}')


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--only', default='')
    ap.add_argument('--repeat', type=int, default=3)
    ap.add_argument('--labels', action='store_true')
    args = ap.parse_args()
    here, sheaf, clang = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(args.sheaf), f'clang-{args.llvm}'
    ratios = []
    with tempfile.TemporaryDirectory() as directory:
        if args.labels:
            with open(directory + '/empty.c', 'w') as f: f.write('int main(void) { return 0; }\n')
            return labels(args, sheaf, clang, here, directory)
        for name, text in (('empty', 'int main(void) { return 0; }\n'), ('thousand', thousand_lines())):
            with open(f'{directory}/{name}.c', 'w') as f: f.write(text)
            bitcode(clang, f'{directory}/{name}.c', f'{directory}/{name}.bc')
        empty, thousand = (1000 * wall_time([sheaf, 'run', name + '.bc'], directory) for name in ('empty', 'thousand'))
        print(f'start-up from bitcode: {empty:.0f} ms for an empty program, {thousand:.0f} ms for one of 1,000 lines\n')
        start, _ = user_time([sheaf, 'run', 'empty.bc'], directory, args.repeat)
        print(f'{"program":12} {"native s":>9} {"machine s":>10} {"ratio":>7}')
        for source in sorted(glob.glob(here + '/machine/*.c')):
            name = os.path.basename(source)[:-2]
            if args.only not in name: continue
            subprocess.run([clang, '-O0', '-w', source, '-o', directory + '/native', '-lm'], check=True)
            bitcode(clang, source, directory + '/prog.bc')
            native, want = user_time(['./native'], directory, args.repeat)
            machine, got = user_time([sheaf, 'run', 'prog.bc'], directory, max(1, args.repeat - 2))
            if got != want: sys.exit(f'{name}: output differs: {got[:80]!r} for {want[:80]!r}')
            ratios.append((machine - start) / native)
            print(f'{name:12} {native:9.2f} {machine:10.2f} {ratios[-1]:7.1f}', flush=True)
    print(f'\ngeometric mean of {len(ratios)} programs: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} times native -O0')


if __name__ == '__main__': sys.exit(main())
