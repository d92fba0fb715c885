#!/usr/bin/env python3
"""Speed of exploration: paths a second and who takes the time, on programs of bench/explore; and how cost grows.

usage: explore.py --sheaf BINARY [--only TEXT] [--max-runs N] [--on-disk]

One line for each program: paths (tests written), paths a second of wall-clock time and of CPU time, and the shares of the solver,
of the machine and of the rest (writing tests, keeping tasks) by stats.json. Faults are not replayed, since that measures clang.
Results go to memory (/dev/shm) where there is one, since making two files a test can cost a disk more than finding it; --on-disk
measures that. Then growth: the cost of a long concrete prologue, of 4,096 paths over independent bytes, of 100,000 pending tasks.
"""
import argparse, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = [('tokenizer', ['--sym-stdin', '3']), ('substitute', ['--sym-args', '1', '1', '3', '--sym-stdin', '2']),
            ('scheduler', ['--sym-stdin', '3']), ('advisory', [])]

# n bytes, each compared by itself; before it, a loop of about `steps` instructions that no input touches
INDEPENDENT = '''
#include <sheaf.h>
static volatile unsigned sink;
int main(void)
{
    unsigned char b[%(n)d];
    unsigned x = 1, count = 0;
    for (unsigned i = 0; i < %(steps)d / 9; i++)
        x = x * 1664525u + i;
    sink = x;
    sheaf_symbolic(b, sizeof b, "b");
    for (int i = 0; i < %(n)d; i++)
        if (b[i] == 'x')
            count++;
    return (int)count;
}
'''
# breadth first over a loop that forks twice an iteration: the frontier doubles
PENDING = '''
#include <sheaf.h>
int main(void)
{
    unsigned char b[64];
    unsigned count = 0;
    sheaf_symbolic(b, sizeof b, "b");
    for (int i = 0; i < 64; i++)
        if (b[i] == 'x')
            count++;
    return (int)count;
}
'''


class Run:
    def __init__(self, sheaf, source, options, directory):
        out = os.path.join(directory, 'out')
        command = [sheaf, 'test', '--explore', 'full', '--no-replay', '--format', 'json', '--force', '--no-reuse', '-o', out, f'-I{HERE}/../include', *options, source]
        with open(os.path.join(directory, 'stdout'), 'w+') as stdout, open(os.path.join(directory, 'stderr'), 'w+') as stderr:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            stderr.seek(0)
            if process.returncode not in (0, 1, 3): sys.exit(f'{source}: status {process.returncode}: {stderr.read()[-300:]}')
        with open(os.path.join(out, 'stats.json')) as f: self.stats = json.load(f)
        with open(os.path.join(out, 'result.json')) as f: self.result = json.load(f)
        self.cpu, self.peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        self.seconds, self.paths = self.stats['seconds'], self.result['tests']

    def share(self, key): return 100 * self.stats[key] / self.seconds if self.seconds else 0


def write(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, 'w') as f: f.write(text)
    return path


def programs(sheaf, directory, only, max_runs):
    print(f'{"program":12} {"paths":>7} {"paths/s":>8} {"by CPU":>8} {"seconds":>8} {"solver":>7} {"machine":>8} {"rest":>6}   answer')
    for name, options in PROGRAMS:
        if only not in name: continue
        idle = Run(sheaf, f'{HERE}/explore/{name}.c', [*options, '--max-runs', '1'], directory)
        r = Run(sheaf, f'{HERE}/explore/{name}.c', [*options, '--max-runs', str(max_runs)], directory)
        cpu = r.cpu - idle.cpu                # of a short run it is within what clang's start-up varies by: not told
        by_cpu = f'{r.paths / cpu:.0f}' if cpu >= 0.2 else '-'
        rest = 100 - r.share('solver_seconds') - r.share('machine_seconds')
        answer = 'complete' if r.result['complete'] else 'incomplete: ' + ' '.join(sorted({e['kind'] for e in r.result['incomplete']}))
        print(f'{name:12} {r.paths:7} {r.paths / r.seconds:8.0f} {by_cpu:>8} {r.seconds:8.2f} {r.share("solver_seconds"):6.0f}% '
              f'{r.share("machine_seconds"):7.0f}% {rest:5.0f}%   {answer}, {len(r.result["faults"])} faults', flush=True)


def growth(sheaf, directory):
    def independent(n, steps, *options):
        return Run(sheaf, write(directory, 'independent.c', INDEPENDENT % {'n': n, 'steps': steps}), options, directory)
    without, alone, both = independent(10, 0), independent(1, 1000000), independent(10, 1000000)
    print(f'\n1,024 paths: {without.seconds:.2f} s; a prologue of 1,000,000 instructions and 2 paths: {alone.seconds:.2f} s; '
          f'both: {both.seconds:.2f} s, {both.seconds / (without.seconds + alone.seconds):.2f} times their sum (less than 2 is asked for); '
          f'{without.stats["steps"]:,}, {alone.stats["steps"]:,} and {both.stats["steps"]:,} instructions')
    r = independent(12, 0)
    print(f'4,096 paths over 12 bytes, {r.paths} tests written: {r.seconds:.2f} s, {r.cpu:.2f} s of CPU with start-up; '
          f'solver {r.share("solver_seconds"):.0f} %, machine {r.share("machine_seconds"):.0f} %')
    before = Run(sheaf, write(directory, 'pending.c', PENDING), ['--search', 'bfs', '--max-runs', '1'], directory)
    r = Run(sheaf, write(directory, 'pending.c', PENDING), ['--search', 'bfs', '--max-runs', '5000'], directory)
    print(f'{r.stats["pending"]:,} pending tasks after {r.stats["runs"]} runs: {r.peak:.0f} MB at most, {before.peak:.0f} MB before '
          f'({r.stats["spilled"]} spilled)')


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--only', help='a program whose name has this text; no growth')
    ap.add_argument('--max-runs', type=int, default=20000)
    ap.add_argument('--on-disk', action='store_true', help='write tests to the directory for temporary files')
    args = ap.parse_args()
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) and not args.on_disk else None
    with tempfile.TemporaryDirectory(dir=memory) as directory:
        programs(os.path.abspath(args.sheaf), directory, args.only or '', args.max_runs)
        if not args.only: growth(os.path.abspath(args.sheaf), directory)


if __name__ == '__main__': sys.exit(main())
