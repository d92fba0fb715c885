#!/usr/bin/env python3
"""Random programs explored in one process, in several, and by two workers on PostgreSQL: the answers must be the same.

usage: jobs_random.py --build DIR [--llvm MAJOR] [--programs N] [--seed N] [--print SEED]

The programs are those of tests/oracle (`oracle --source SEED`), an equal number of each grammar from a seed on. Compared with -j 1, as tools/jobs.py does it for
goldens: of `full` with -j 2, -j 7 and --store the verdict, faults with the number of runs that show each, the number of paths, lines and branch outcomes, and among -j 2 and -j 7 which
paths are tests, with which numbers; of
`dependence` with -j 2 and -j 7 the same without the numbers. SHEAF_FORK_AFTER makes processes begin, and workers check in, after two runs. Rows of `output` are held
against native runs by tests/oracle/output.c, for any number of processes; from 500 programs on it is run, too. A failure names its seed; --print prints its program.
"""
import argparse, concurrent.futures, os, subprocess, sys, tempfile, types

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import goldens, jobs, postgres

GRAMMARS = [1, 1000000, 2000000, 3000000, 4400000, 4500000, 6000000]  # tests/oracle/README.md
WAYS = {'full': (2, 7), 'dependence': (2, 7)}


def source(build, seed): return subprocess.run([os.path.join(build, 'tests/oracle/oracle'), '--source', str(seed)], capture_output=True, text=True, check=True).stdout


def program_of(build, seed, directory):
    """As tools/jobs.py takes goldens: any number of paths is exact."""
    path = os.path.join(directory, f'{seed}.c')
    with open(path, 'w', encoding='utf-8') as f: f.write(source(build, seed))
    flags = ['-w', '-I' + os.path.join(goldens.ROOT, 'tests/oracle'), '-I' + os.path.join(goldens.ROOT, 'include')]
    return types.SimpleNamespace(path=path, cflags=flags, how={'args': '0'}, least=1, most=1)


def differing(one, many): return '; '.join(f'{key}: {many[key]}, with -j 1 {one[key]}' for key in one if many[key] != one[key])


def check(build, seed, address):
    """What is wrong, None if nothing is; and how many runs others made, by what was asked for."""
    sheaf, sent = os.path.join(build, 'sheaf'), {}
    with tempfile.TemporaryDirectory() as directory:
        program = program_of(build, seed, directory)
        try:
            for explorer, numbers in WAYS.items():
                one, _, _ = jobs.explore(sheaf, program, explorer, 1, os.path.join(directory, explorer))
                tests = {}
                ways = [(f'-j {n}', n, ()) for n in numbers] + ([('--store', 1, ('--store', address))] if explorer == 'full' else [])
                for way, number, more in ways:
                    many, sent[f'{explorer} {way}'], tests[way] = jobs.explore(sheaf, program, explorer, number, os.path.join(directory, explorer + way), more)
                    if many != one: return f'{explorer} {way}: {differing(one, many)}', sent
                if explorer == 'full' and tests['-j 7'] != tests['-j 2']: return f'full -j 7: {jobs.differ(tests["-j 7"], tests["-j 2"])}', sent
        except goldens.Bad as bad: return str(bad), sent
    return None, sent


def rows(build, llvm, programs, seed):
    """(passed, failed): rows of `output` against native runs."""
    passed = failed = 0
    for number in (2, 7):
        command = [os.path.join(build, 'tests/oracle/output'), '--clang', f'clang-{llvm}', '--runtime', os.path.join(build, 'runtime/runtime.bc'), '--programs', str(programs), '--seed', str(seed), '--jobs', str(number)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, 'SHEAF_SOURCE': goldens.ROOT})
        if done.returncode: print(f'FAIL jobs_random: {" ".join(command)}: {(done.stdout + done.stderr).strip()[-500:]}', flush=True)
        passed, failed = passed + (not done.returncode), failed + (done.returncode != 0)
    return passed, failed


def run(build, llvm, programs=500, seed=0, parallel=2):
    """Returns (passed, failed)."""
    build, failed, sent = os.path.abspath(build), 0, {}
    seeds = [GRAMMARS[i % len(GRAMMARS)] + seed + i // len(GRAMMARS) for i in range(programs)]
    with postgres.Server() as address, concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        workers = [subprocess.Popen([os.path.join(build, 'sheaf'), 'worker', '--store', address, '-j', '1'], stderr=subprocess.PIPE, text=True, env={**os.environ, 'SHEAF_FORK_AFTER': str(jobs.FORK_AFTER)}) for _ in range(2)]
        lines = concurrent.futures.ThreadPoolExecutor(len(workers))
        said = [lines.submit(w.stderr.read) for w in workers]
        for number, (wrong, made) in zip(seeds, pool.map(lambda n: check(build, n, address), seeds)):
            for way, n in made.items(): sent[way] = sent.get(way, 0) + n
            if wrong is None: continue
            failed += 1
            print(f'FAIL jobs_random: seed {number}: {wrong}', flush=True)
        for w in workers: w.terminate()
        taken = [text.result().count('job ') for text in said]
        for w in workers: w.wait()
    print(f'{programs} programs; runs by others: ' + ', '.join(f'{way} {n}' for way, n in sent.items()) + f'; the two workers took part in {taken[0]} and {taken[1]} jobs', flush=True)
    # of dependence it is chance: a small exploration may end before the second process begins
    if programs > 10 and not (all(n for way, n in sent.items() if way.startswith('full')) and all(taken)):
        failed += 1
        print('FAIL jobs_random: some made no run')
    passed = programs - failed
    if programs >= 500: passed, failed = map(sum, zip((passed, failed), rows(build, llvm, programs, 70001 + seed)))
    return passed, failed


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--programs', type=int, default=500)
    ap.add_argument('--seed', type=int, default=0, help='added to the seeds of all grammars')
    ap.add_argument('--print', type=int, metavar='SEED', help='print this program')
    args = ap.parse_args()
    if args.print is not None:
        print(source(args.build, args.print))
        return 0
    passed, failed = run(args.build, args.llvm, args.programs, args.seed)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
