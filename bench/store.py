#!/usr/bin/env python3
"""What a test costs beside the exploration that finds it: processor time of 4,096 paths with --tests none (all tests in the store), with
--tests all (a .ktest and a JSON file for each as well), and of the exploration alone (--max-store 1: tests that cover nothing new are
dropped). User and system time of the process, the least of several runs; system calls by strace, if it is there.

usage: store.py --sheaf BINARY [--runs N]
"""
import argparse, os, resource, shutil, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PATHS = 4096
FORMS = {'explored': ['--tests', 'none', '--max-store', '1'], 'in the store': ['--tests', 'none'], 'as files': ['--tests', 'all']}


def command(sheaf, out, form):
    return [sheaf, 'test', os.path.join(ROOT, 'tests/scale/many.c'), '-I' + os.path.join(ROOT, 'include'), '-DN=12', '--explore', 'full', '--no-replay', '--quiet', '--force', '--no-reuse',
            '-o', out, *FORMS[form]]


def processor_seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if f'{PATHS} paths' not in done.stdout: sys.exit(f'{" ".join(words)}: {done.stdout}{done.stderr}')
    return after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def system_calls(words):
    if not shutil.which('strace'): return 'no strace'
    with tempfile.NamedTemporaryFile('r') as counts:
        subprocess.run(['strace', '-c', '-o', counts.name, *words], capture_output=True)
        total = [line.split() for line in counts if line.rstrip().endswith('total')]
    return f'{int(total[0][3]):,} system calls' if total else 'strace cannot run here'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--runs', type=int, default=5)
    args = parser.parse_args()
    least = {}
    with tempfile.TemporaryDirectory(dir='.') as place:
        for form in FORMS:
            words = command(args.sheaf, os.path.join(place, 'out'), form)
            least[form] = min((processor_seconds(words) for _ in range(args.runs)), key=sum)
            user, system = (1e6 * t / PATHS for t in least[form])
            print(f'{form:14}{user + system:8.1f} us a path (user {user:.1f}, system {system:.1f}); {system_calls(words)}', flush=True)
    explored, stored, files = (1e6 * sum(least[form]) / PATHS for form in FORMS)
    print(f'writing a test: {stored - explored:.1f} us into the store, {files - explored:.1f} us as files; exploring its path: {explored:.1f} us')


if __name__ == '__main__': main()
