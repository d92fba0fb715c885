#!/usr/bin/env python3
"""What `sheaf test` costs again: processor time of the first run, of the same command with nothing changed, and after an edit of one line of the
program; its own, and that of the compilers and native runs that it starts. The least of several runs.

usage: reuse.py --sheaf BINARY [--runs N] [--filter TEXT]
"""
import argparse, os, resource, shutil, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PROGRAMS = [('examples/fee.c', ['--entry', 'fee']), ('examples/stackvm.c', ['--sym-stdin', '4']), ('examples/wordcount.c', ['--sym-stdin', '4']),
            ('bench/explore/scheduler.c', ['--sym-stdin', '3']), ('bench/explore/tokenizer.c', ['--sym-stdin', '3']), ('bench/search/regex.c', ['--sym-args', '1', '1', '3', '--sym-stdin', '2']),
            ('bench/search/json.c', ['--sym-stdin', '5']), ('bench/search/settings.c', ['--sym-stdin', '6'])]


def processor_seconds(words, place, reused):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=place, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 3) or done.stdout.startswith('unchanged') != reused: sys.exit(f'{" ".join(words)}: {done.stdout}{done.stderr}')
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(sheaf, path, options, runs, place):
    words = [sheaf, 'test', os.path.basename(path), '-I' + os.path.join(ROOT, 'include'), '-j', '1', '--quiet', '--force', '-o', 'out', *options]
    shutil.copy(os.path.join(ROOT, path), place)
    first, again, edited = [], [], []
    for _ in range(runs):
        shutil.rmtree(os.path.join(place, 'out'), ignore_errors=True)
        first.append(processor_seconds(words, place, False))
        again.append(processor_seconds(words, place, True))
        with open(os.path.join(place, os.path.basename(path)), 'r+') as file:
            text = file.read().replace('return 0;', 'return 0 + 0;', 1) + '\n'
            file.seek(0), file.write(text)
        edited.append(processor_seconds(words, place, False))
    return min(first), min(again), min(edited)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--filter', default='')
    args = parser.parse_args()
    print(f'{"processor time, s":28}{"first":>8}{"again":>8}{"edited":>8}')
    for path, options in PROGRAMS:
        if args.filter not in path: continue
        with tempfile.TemporaryDirectory() as place:
            first, again, edited = measure(os.path.abspath(args.sheaf), path, options, args.runs, place)
        print(f'{path:28}{first:8.2f}{again:8.2f}{edited:8.2f}', flush=True)


if __name__ == '__main__': main()
