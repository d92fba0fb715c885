#!/usr/bin/env python3
"""What each order of search covers of eight programs that cannot be explored to the end, after so many seconds.

usage: search.py --sheaf BINARY [--seconds N,...] [--search WORD,...] [--only TEXT]

A cell is lines/branch outcomes covered, in percent; below the last time, paths and the most memory that was used. Every time is a run of its own
(`sheaf test --max-time`), with tests written to memory where there is such a place. The table is Markdown, for docs/search.md.
"""
import argparse, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ORDERS = ['mixed', 'dfs', 'bfs', 'random', 'coverage']
PROGRAMS = [('search/regex', ['--sym-args', '1', '1', '8', '--sym-stdin', '4']), ('search/json', ['--sym-stdin', '12']),
            ('search/settings', ['--sym-stdin', '20']), ('explore/tokenizer', ['--sym-stdin', '10']),
            ('explore/substitute', ['--sym-args', '2', '2', '8', '--sym-stdin', '6']), ('explore/scheduler', ['--sym-stdin', '12']),
            ('dependence/markup', ['-DLENGTH=12']), ('dependence/queues', ['-DCOMMANDS=10'])]


def percent(covered, total): return f'{100 * covered / total:.0f}' if total else '-'


class Run:
    def __init__(self, sheaf, program, options, order, seconds, directory):
        out = os.path.join(directory, 'out')
        command = [sheaf, 'test', '--no-replay', '--format', 'json', '--force', '--no-reuse', '--search', order, '--max-time', f'{seconds}s', '-o', out,
                   f'-I{HERE}/../include', *options, f'{HERE}/{program}.c']
        with open(os.path.join(directory, 'log'), 'w+') as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            if process.returncode not in (0, 1, 3): sys.exit(f'{program}: status {process.returncode}: {log.read()[-300:]}')
        with open(os.path.join(out, 'stats.json')) as f: self.runs = json.load(f)['runs']
        with open(os.path.join(out, 'result.json')) as f: c = json.load(f)['coverage']
        self.covered = f'{percent(c["lines_covered"], c["lines"])}/{percent(c["branches_covered"], c["branches"])}'
        self.megabytes = usage.ru_maxrss // 1024


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--seconds', default='1,10,60')
    ap.add_argument('--search', default=','.join(ORDERS))
    ap.add_argument('--only', default='', help='programs whose name has this text')
    args = ap.parse_args()
    times, orders = [int(s) for s in args.seconds.split(',')], args.search.split(',')
    print('| program | seconds | ' + ' | '.join(orders) + ' |\n|---|---|' + '---|' * len(orders))
    with tempfile.TemporaryDirectory(dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None) as directory:
        for program, options in PROGRAMS:
            if args.only not in program: continue
            for seconds in times:
                runs = [Run(os.path.abspath(args.sheaf), program, options, order, seconds, directory) for order in orders]
                print(f'| {program} | {seconds} | ' + ' | '.join(r.covered for r in runs) + ' |', flush=True)
            print('| | paths | ' + ' | '.join(f'{r.runs:,}' for r in runs) + ' |\n| | MB | ' + ' | '.join(str(r.megabytes) for r in runs) + ' |', flush=True)


if __name__ == '__main__': sys.exit(main())
