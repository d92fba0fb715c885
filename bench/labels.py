#!/usr/bin/env python3
"""Memory of labels against the length of the trace.

usage: labels.py --sheaf BINARY --llvm MAJOR [--only TEXT] [--most N]

Each program is a loop of n rounds that decides something in every round. Peak memory of `sheaf run --explain` (one run with
labels, its trace included) less that of one round, for each decision, at 100,000 decisions and at 1,000,000 (at fewer, what
loading the program took hides it). `growth` is the second over the first: near 1 if memory grows with the trace.
"""
import argparse, glob, math, os, re, subprocess, sys, tempfile


def peak(command, cwd):
    """Bytes, of the largest set of pages that were resident."""
    done = subprocess.run(['/usr/bin/env', 'python3', '-c', 'import resource, subprocess, sys\n'
                           'code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode\n'
                           'print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)', *command],
                          cwd=cwd, capture_output=True, text=True)
    code, size = map(int, done.stdout.split())
    if code not in (0, 1): sys.exit(f'{command} ended with {code}: {done.stderr[:200]}')
    return size


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--only', default='')
    ap.add_argument('--most', type=int, default=1000000)
    args = ap.parse_args()
    here, sheaf, clang = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(args.sheaf), f'clang-{args.llvm}'
    sizes = [10 ** k for k in range(5, 8) if 10 ** k <= args.most]
    print(f'{"program":12} {"decisions":>9}' + ''.join(f'{n:>11}' for n in sizes) + f'{"growth":>9}')
    worst = 0
    with tempfile.TemporaryDirectory() as directory:
        def compiled(source, n):
            subprocess.run([clang, '-O0', '-Xclang', '-disable-O0-optnone', '-g', '-w', '-fno-discard-value-names', '-emit-llvm', '-c',
                            f'-I{here}/../include', f'-DN={n}', source, '-o', directory + '/prog.bc'], check=True)
        for source in sorted(glob.glob(here + '/labels/*.c')):
            name = os.path.basename(source)[:-2]
            if args.only not in name: continue
            line = next(i for i, text in enumerate(open(source), 1) if 'here' in text)
            def decisions(n):
                compiled(source, n)
                out = subprocess.run([sheaf, 'dump', '--what', 'labels', '--max-steps', '0', '--loop-bound', '0', 'prog.bc'], cwd=directory,
                                     capture_output=True, text=True, check=True).stdout
                return sum(bool(re.match(r'\s*\d+\s', text)) for text in out.splitlines())
            each = (decisions(300) - decisions(100)) / 200
            def bytes_of(n):
                compiled(source, n)
                return peak([sheaf, 'run', '--explain', f'{name}.c:{line}', 'prog.bc'], directory)
            base = bytes_of(1)
            per = [(bytes_of(int(n / each)) - base) / n for n in sizes]
            growth = per[-1] / per[-2]
            worst = max(worst, growth)
            print(f'{name:12} {each:9.1f}' + ''.join(f'{p:11.0f}' for p in per) + f'{growth:9.2f}', flush=True)
    print(f'columns: bytes for each decision, at so many decisions; decisions: for each round. Largest growth: {worst:.2f}')


if __name__ == '__main__': sys.exit(main())
