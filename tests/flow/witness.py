#!/usr/bin/env python3
"""Runs the witness over test programs and random ones: every event of concrete runs lies in its static over-approximation.

usage: witness.py SHEAF WITNESS TABLE [DIRECTORY...] [--runs N] [--steps N] [--batches N] [--seed S] [--budget N]

Directories hold C programs (default: the suites below tests/). A batch is 40 programs of tests/oracle's
generator. TABLE holds the table of effects against the bodies of libc. Prints one line for each failure: program, place, rule, object."""
import argparse, concurrent.futures, glob, os, re, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
SUITES = ['tests/programs', 'tests/explore', 'tests/faults', 'tests/libc', 'tests/stdio', 'examples']
BATCH = 40
FLAGS = ['-w', f'-I{ROOT}/include', f'-I{ROOT}/tests/oracle']


def dump(sheaf, source, out, *flags):
    with open(out, 'w') as f:
        return subprocess.run([sheaf, 'dump', '--what', 'ir', '--runtime', source, *FLAGS, *flags], stdout=f, stderr=subprocess.DEVNULL,
                              cwd=ROOT, env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'}).returncode == 0


def hold(args, name, ir, options):
    done = subprocess.run([args.witness, ir, '--runs', str(args.runs), '--steps', str(args.steps),
                           '--budget', str(args.budget), *options],
                          capture_output=True, text=True)
    lines = [line.replace(ir, name) for line in done.stdout.splitlines()]
    good = done.returncode == 0 and lines and lines[-1].endswith(' 0 failures')
    events = int(lines[-1].split()[-4]) if good else 0
    return events, [] if good else lines + [f'{name}: exit status {done.returncode} {done.stderr[-300:]}']


def one_program(args, directory, source):
    ir = os.path.join(directory, os.path.relpath(source, ROOT).replace('/', '_') + '.ir')
    if not dump(args.sheaf, source, ir):
        return 0, []                          # needs other files or flags: not for this test
    return hold(args, os.path.relpath(source, ROOT), ir, [])


def one_batch(args, directory, seed):
    source, ir = os.path.join(directory, f'batch{seed}.c'), os.path.join(directory, f'batch{seed}.ir')
    with open(source, 'w') as f:
        subprocess.run([args.witness, '--generate', str(seed), str(BATCH)], stdout=f, check=True)
    if not dump(args.sheaf, source, ir):
        return 0, [f'batch {seed}: does not load']
    return hold(args, f'generated programs from {seed} on', ir, ['--programs', str(BATCH)])


def table(args, directory):
    """A program that calls every function of the table, each with pointers."""
    with open(os.path.join(ROOT, 'runtime/effects.def')) as f:
        names = [n for n in re.findall(r'^EFFECTS\((\w+)', f.read(), re.M) if not n.startswith('__sheaf_')]
    source, ir = os.path.join(directory, 'table.c'), os.path.join(directory, 'table.ir')
    with open(source, 'w') as f:
        f.write('static char a[8][64];\n')
        f.write(''.join(f'long {n}();\nstatic void call_{n}(void) {{ {n}(a[0], a[1], a[2], a[3], a[4], a[5]); }}\n' for n in names))
        f.write('int main(void) {\n' + ''.join(f'    call_{n}();\n' for n in names) + '}\n')
    if not dump(args.sheaf, source, ir, '-fno-builtin'):
        return ['table of effects: the program that calls everything does not load']
    done = subprocess.run([args.table, ir], capture_output=True, text=True)
    print(done.stdout.splitlines()[-1] if done.stdout else done.stderr)
    return [] if done.returncode == 0 else done.stdout.splitlines()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('sheaf')
    ap.add_argument('witness')
    ap.add_argument('table')
    ap.add_argument('--runs', type=int, default=3)
    ap.add_argument('--steps', type=int, default=30000)
    ap.add_argument('--batches', type=int, default=2)
    ap.add_argument('--budget', type=int, default=0, help='steps of the points-to solver; few: its coarse answers are tested')
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('directories', nargs='*')
    args = ap.parse_args()
    args.sheaf, args.witness, args.table = map(os.path.abspath, (args.sheaf, args.witness, args.table))
    sources = sorted(f for d in args.directories or SUITES for f in glob.glob(os.path.join(ROOT, d, '*.c')))
    seeds = [base + args.seed + BATCH * i for i in range(args.batches) for base in (0, 1000000, 4000000, 4250000, 4400000)]
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(one_program, args, directory, s) for s in sources] + [pool.submit(one_batch, args, directory, s) for s in seeds]
        results = [j.result() for j in jobs]
        failures = table(args, directory) + [line for _, bad in results for line in bad]
    events = sum(n for n, _ in results)
    print('\n'.join(failures[:40]))
    print(f'flow witness: {len(sources)} programs, {len(seeds) * BATCH} generated ones, {events} events, {len(failures)} lines of failures')
    return 1 if failures or not events else 0


if __name__ == '__main__':
    sys.exit(main())
