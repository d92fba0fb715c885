#!/usr/bin/env python3
"""One function changed in a program of 3,000 lines: does `sheaf diff` answer for it and its callers within a minute, and leave the rest alone?

usage: diff.py --sheaf PATH [--functions N] [--seed N]

The program is made here: N functions with loops, tables and globals, of which most call an earlier one. In the new version one
function in the middle differs: in its code only (refactored), or in what it returns. Fails if a function is explored that neither changed nor calls
what did, if an answer is missing, or wrong, or takes more than LIMIT seconds of processor time, native builds of both versions included."""
import argparse, json, os, random, resource, subprocess, sys, tempfile

LIMIT = 60
SHAPES = [
    '    int total = {k};\n    for (int i = 0; i < {m}; i++)\n        if ((x >> i) & 1)\n            total += table_{n}[i];\n        else\n            total -= i;\n    return total + {call};\n',
    '    if (x < 0)\n        return -{k};\n    if (x > {m}00)\n        x = {m}00;\n    if (y == {k})\n        count_{n}++;\n    switch (x & 3) {{\n    case 0: return y + {k};\n    case 1: return {call};\n'
    '    case 2: return y - x;\n    default: return x ^ y;\n    }}\n',
    '    unsigned h = (unsigned)x * {k}u;\n    h ^= h >> {m};\n    h += (unsigned)y;\n    count_{n} = (int)(h & 7);\n    return (int)(h & 1023) + {call};\n',
    '    int low = x < y ? x : y, high = x < y ? y : x;\n    if (high - low > {k})\n        return low;\n    while (low < high && low % {m})\n        low++;\n    return low + {call};\n',
]
# The one that changes, as it was, refactored, and with another answer.
TARGET = {
    'old': '    int limit = y > 0 ? y : 1;\n    if (x < 0)\n        return 0;\n    if (x > limit)\n        return limit;\n    return x;\n',
    'same': '    int limit = 1;\n    if (y >= 1)\n        limit = y;\n    if (x <= 0)\n        return 0;\n    return x < limit ? x : limit;\n',
    'different': '    int limit = y > 0 ? y : 1;\n    if (x < 0)\n        return 0;\n    if (x >= limit)\n        return limit - 1;\n    return x;\n',
}
CALLERS = ('int shown(int x)\n{\n    return target(x, 10) * 2;\n}\nint hidden(int x)\n{\n    return target(x, 10) >= 0;\n}\n'
           'int above(int x, int y)\n{\n    return shown(x) > y;\n}\n')


def program(functions, seed, target):
    rng = random.Random(seed)
    out = ['/* made by bench/diff.py */']
    for n in range(functions):
        if n == functions // 2:
            out.append(f'static int target(int x, int y)\n{{\n{TARGET[target]}}}\n{CALLERS}')
        m = rng.randint(3, 9)
        call = f'f{rng.randrange(n)}(x - 1, y)' if n and rng.random() < 0.7 else 'y'
        out.append(f'static const int table_{n}[] = {{{", ".join(str(rng.randint(-50, 50)) for _ in range(10))}}};\nint count_{n};\n')
        out.append(f'int f{n}(int x, int y)\n{{\n    (void)table_{n};\n    (void)y;\n{rng.choice(SHAPES).format(n=n, k=rng.randint(2, 99), m=m, call=call)}}}\n')
    return '\n'.join(out)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(sheaf, scratch, functions, seed, target):
    """What is wrong, and a row of the table."""
    paths = [os.path.join(scratch, f'{word}.c') for word in ('old', target)]
    for path, word in zip(paths, ('old', target)):
        with open(path, 'w') as f: f.write(program(functions, seed, word))
    with open(paths[0]) as f: lines = sum(1 for _ in f)
    start = processor_seconds()
    done = subprocess.run([sheaf, 'diff', *paths, '-v', '--format', 'json', '-o', os.path.join(scratch, f'out-{target}')], capture_output=True, text=True, timeout=10 * LIMIT)
    seconds = processor_seconds() - start
    if done.returncode not in (0, 1, 3): return done.stderr.strip(), ''
    verdicts = {f['function']: f['verdict'] for f in json.loads(done.stdout)['functions']}
    explored = sorted(f['function'] for f in json.loads(done.stdout)['functions'] if 'rows' in f)
    wanted = {'same': {'target': 'same'}, 'different': {'target': 'different', 'shown': 'different', 'hidden': 'same', 'above': 'different'}}[target]
    wrong = [f'{name} is {verdicts.get(name)}' for name in wanted if verdicts.get(name) not in (wanted[name], 'open')]
    wrong += [f'{name} is explored' for name in explored if name not in wanted]
    if seconds > LIMIT: wrong.append(f'{seconds:.0f} s')
    said = ', '.join(f'{name} {verdicts[name]}' for name in wanted)
    return '; '.join(wrong), f'| {target} | {lines} | {len(verdicts)} | {len(explored)} | {said} | {seconds:.1f} |'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--functions', type=int, default=200)
    ap.add_argument('--seed', type=int, default=1)
    args = ap.parse_args()
    failed = False
    print('| change | lines | functions | explored | verdicts | seconds |\n|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory() as scratch:
        for target in ('same', 'different'):
            wrong, row = compare(os.path.abspath(args.sheaf), scratch, args.functions, args.seed, target)
            print(row, flush=True)
            if wrong:
                print(f'FAIL {target}: {wrong}')
                failed = True
    return failed


if __name__ == '__main__':
    sys.exit(main())
