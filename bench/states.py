#!/usr/bin/env python3
"""Exploration by states beside `full` and `dependence`: runs, processor time and who takes it, as inputs grow.

usage: states.py --sheaf PATH [--only TEXT] [--time SECONDS] [--own] [--table FILE]

Programs of bench/, and three libraries from Debian's source packages, fetched when this runs (not with --own), each with inputs of several sizes. Processor
time is without that of reading the program, which is taken of an exploration of one run. What did not end within --time seconds has a `>`. Fails if
exploration by states is incomplete, or has other faults, where full exploration is complete; where it took more than LIMIT times the processor time of
full exploration is listed. A table in Markdown goes to standard output; --table replaces the one in a document."""
import argparse, json, os, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reach

LIMIT, LEAST_SECONDS = 1.2, 0.05  # less than that is noise
EXPLORERS = ('full', 'dependence', 'states')
STDIN = lambda *sizes: [(f'{n} bytes', ['--sym-stdin', str(n)]) for n in sizes]
DEFINE = lambda name, *sizes: [(f'{name} {n}', [f'-D{name}={n}']) for n in sizes]
OWN = [
    ('explore/tokenizer', STDIN(2, 3, 4, 6)), ('explore/scheduler', STDIN(3, 4, 5)),
    ('explore/substitute', [('1 argument of 3', ['--sym-args', '1', '1', '3']), ('2 of 2', ['--sym-args', '2', '2', '2', '--sym-stdin', '2'])]),
    ('explore/advisory', [('', [])]), ('dependence/markup', DEFINE('LENGTH', 5, 8, 11)), ('dependence/machine', DEFINE('LENGTH', 3, 4)),
    ('dependence/queues', DEFINE('COMMANDS', 3, 4)), ('dependence/record', DEFINE('FIELDS', 3, 4)), ('dependence/checksum', DEFINE('LENGTH', 6, 8)),
    ('dependence/flags', DEFINE('WORDS', 2, 3)), ('dependence/notify', DEFINE('ATTRIBUTES', 2, 3)), ('dependence/sensors', DEFINE('CHANNELS', 2, 4)),
    ('output/advisory', [('', [])]), ('output/disjoint', [('', [])]), ('output/scheduler', [('', [])]), ('output/set', [('', [])]), ('output/tree', [('', [])]),
]
FOREIGN_SIZES = {'cJSON': (3, 4), 'libcsv': (4, 8), 'jsmn': (4, 6)}


class Explored:
    """One exploration: counters of stats.json, the answer, and processor time."""
    def __init__(self, sheaf, words, explorer, limits):
        with tempfile.TemporaryDirectory() as scratch:
            out = os.path.join(scratch, 'out')
            with open(os.path.join(scratch, 'stdout'), 'w+') as stdout, open(os.path.join(scratch, 'stderr'), 'w+') as stderr:
                process = subprocess.Popen([sheaf, 'test', *words, '--explore', explorer, *limits, '--no-replay', '--quiet', '--format', 'json', '-o', out],
                                           cwd=reach.ROOT, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                stdout.seek(0), stderr.seek(0)
                if process.returncode not in (0, 1, 3): sys.exit(f'{words[0]}: status {process.returncode}: {stderr.read()[-300:]}')
                self.answer = json.load(stdout)
            with open(os.path.join(out, 'stats.json'), encoding='utf-8') as f: self.stats = json.load(f)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.complete, self.runs = self.answer['complete'], self.stats['runs']
        self.faults = {(f['kind'], f.get('line')) for f in self.answer['faults']}

    def share(self, key): return f'{100 * self.stats[key] / max(self.stats["seconds"], 1e-9):.0f} %'

    def cells(self): return f'{"" if self.complete else "> "}{self.runs:,} | {"" if self.complete else "> "}{self.cpu:.2f}'


def row(args, name, size, words):
    """A row of the table, and what is wrong or slow in it."""
    base = min(Explored(args.sheaf, words, 'full', ['--max-runs', '1']).cpu for _ in range(2))
    full, dependence, states = found = [Explored(args.sheaf, words, e, ['--max-time', f'{args.time}s']) for e in EXPLORERS]
    for each in found: each.cpu = max(each.cpu - base, 0.01)
    wrong = 'incomplete by states' if full.complete and not states.complete else 'other faults by states' if full.complete and full.faults != states.faults else ''
    slow = full.complete and states.cpu > LEAST_SECONDS and states.cpu > LIMIT * full.cpu
    ratio = states.cpu / full.cpu
    text = (f'| {name} | {size} | {full.cells()} | {dependence.cells()} | {states.cells()} | {"" if full.complete else "< "}{ratio:.2f} '
            f'| {states.share("machine_seconds")}, {states.share("solver_seconds")} | {states.share("residual_seconds")} |')
    return text, wrong, f'{name} {size}: {ratio:.2f}' if slow else ''


def programs(args, scratch):
    """(name, size, words) for each row; words is None if the program cannot be had."""
    for name, sizes in OWN:
        for size, words in sizes: yield name, size, [f'bench/{name}.c', *words]
    for name, package, files, harness in [] if args.own or args.only not in 'foreign cJSON libcsv jsmn' else reach.FOREIGN:
        directory = reach.fetch(package, scratch)
        for n in FOREIGN_SIZES[name]:
            yield name, f'{n} bytes', directory and [f'bench/reach/{harness}', *(os.path.join(directory, f) for f in files), '-I', directory, f'-DLENGTH={n}']


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--only', default='')
    ap.add_argument('--time', type=int, default=60)
    ap.add_argument('--own', action='store_true')
    ap.add_argument('--table')
    args = ap.parse_args()
    args.sheaf, scratch, failed, dear = os.path.abspath(args.sheaf), tempfile.mkdtemp(), False, []
    lines = ['| program | input | full: runs | s | dependence: runs | s | states: runs | s | of full | machine, solver | residual |', '|---|---|---|---|---|---|---|---|---|---|---|']
    for name, size, words in programs(args, scratch):
        if args.only not in name: continue
        text, wrong, slow = row(args, name, size, words) if words else (f'| {name} | the source package could not be fetched | | | | | | | | | |', '', '')
        lines.append(text)
        print(text, f'FAIL: {wrong}' if wrong else '', file=sys.stderr, flush=True)
        failed |= bool(wrong)
        dear += [slow] if slow else []
    shutil.rmtree(scratch)
    print('\n'.join(lines))
    if dear: print(f'\nmore than {LIMIT} times full exploration: {"; ".join(dear)}')
    if args.table:
        text = open(args.table, encoding='utf-8').read()
        begin, end = '<!-- states -->\n', '\n<!-- /states -->'
        open(args.table, 'w', encoding='utf-8').write(text[:text.index(begin) + len(begin)] + '\n'.join(lines) + text[text.index(end):])
    return failed


if __name__ == '__main__': sys.exit(main())
