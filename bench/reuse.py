#!/usr/bin/env python3
"""What `sheaf test` costs again: processor time of the first run, of the same command with nothing changed, and after edits: all lines moved, a function added
that nothing calls, reached code changed; its own, and that of the compilers and native runs that it starts. The least of several runs.

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
    if done.returncode not in (0, 1, 3) or reused is not None and done.stdout.startswith('unchanged') != reused: sys.exit(f'{" ".join(words)}: {done.stdout}{done.stderr}')
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def edit(path, change):
    with open(path) as file: text = change(file.read())
    with open(path, 'w') as file: file.write(text)


def measure(sheaf, path, options, runs, place):
    words = [sheaf, 'test', os.path.basename(path), '-I' + os.path.join(ROOT, 'include'), '-j', '1', '--quiet', '--force', '-o', 'out', *options]
    shutil.copy(os.path.join(ROOT, path), place)
    own = os.path.join(place, os.path.basename(path))
    spare, reached = 'int spare{0}(int x) {{ return x > {0} ? 3 * x : x; }}\n', '__attribute__((constructor)) static void reached{0}(void) {{ static volatile int x; x = {0}; }}\n'
    times = [[] for _ in range(5)]
    for i in range(runs):
        shutil.rmtree(os.path.join(place, 'out'), ignore_errors=True)
        times[0].append(processor_seconds(words, place, False))
        times[1].append(processor_seconds(words, place, True))
        edit(own, lambda text: '/* moved */\n' + text)
        times[2].append(processor_seconds(words, place, None))
        edit(own, lambda text: text + spare.format(i))
        times[3].append(processor_seconds(words, place, None))
        edit(own, lambda text: text + reached.format(i))
        times[4].append(processor_seconds(words, place, False))
    return [min(t) for t in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--filter', default='')
    args = parser.parse_args()
    print(f'{"processor time, s":28}{"first":>8}{"again":>8}{"moved":>8}{"added":>8}{"reached":>8}')
    for path, options in PROGRAMS:
        if args.filter not in path: continue
        with tempfile.TemporaryDirectory() as place:
            print(f'{path:28}' + ''.join(f'{t:8.2f}' for t in measure(os.path.abspath(args.sheaf), path, options, args.runs, place)), flush=True)


if __name__ == '__main__': main()
