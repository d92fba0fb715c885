#!/usr/bin/env python3
"""Holds `sheaf test --explore states` against `--explore full`, on golden programs and on those of bench/.

usage: states.py --sheaf BINARY [--filter TEXT] [--runs N] [--long]

Checked of every program:
  - one state and one outcome have one successor (counter `diverged`);
  - if full exploration is complete, so is that by states, and both have the same faults, lines and branch outcomes;
  - else what full exploration found in its N runs, exploration by states has found too, if that is complete. Where that took few runs, full
    exploration gets TIMES as many, and no more without --long: it does not end, and finds what it finds early.
Programs whose answer is incomplete by design (goldens that say so) are compared by the first check alone: limits count along a path.
"""
import argparse, concurrent.futures, glob, json, os, shlex, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import goldens

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
OPTIONS = {  # of programs without directives, by the longest beginning; else standard input of 2 bytes
    'bench/explore/substitute': '--sym-args 0 2 2', 'bench/labels/': '-DN=3', 'tests/dependence/entry_': '--entry target', 'tests/dependence/entry.': '--entry check',
    'tests/states/facts': '--entry target',
    'tests/dependence/share': '-DFLAGS=0 --sym-stdin 12 --size-candidates 64',
}
PLACES = ['tests/dependence', 'tests/states', 'bench/explore', 'bench/dependence', 'bench/output', 'bench/change', 'bench/labels', 'bench/search']
MOST_SECONDS, TIMES, LEAST_RUNS = 20, 20, 500


class Program:
    """A file, and how it is explored."""
    def __init__(self, path):
        self.path, self.name = path, os.path.relpath(path, ROOT)
        self.args, self.limited = [], False
        if 'tests/explore' in self.name:
            golden = goldens.Golden(path)
            self.options = [*golden.cflags, *shlex.split(golden.how.get('options', ''))]
            self.args, self.limited = shlex.split(golden.how.get('args', '')), bool(golden.incomplete)
        else:
            known = [begin for begin in OPTIONS if self.name.startswith(begin)]
            self.options = shlex.split(OPTIONS[max(known, key=len)] if known else '--sym-stdin 2')


def programs():
    paths = [p for place in ['tests/explore', *PLACES] for p in sorted(glob.glob(os.path.join(ROOT, place, '*.c')))]
    return [Program(p) for p in paths]


def names(_=None): return [p.name for p in programs()]


def explore(sheaf, program, explorer, runs, directory):
    """The result of sheaf test, and its counters."""
    out = os.path.join(directory, explorer)
    command = [sheaf, 'test', '--format', 'json', '--no-replay', '-o', out, '--explore', explorer, '--max-runs', str(runs), '--max-time', f'{MOST_SECONDS}s',
               *program.options, program.path]
    if program.args: command += ['--', *program.args]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1, 3): raise goldens.Bad(f'{explorer}: status {done.returncode}: {done.stderr.strip()[-300:]}')
    with open(os.path.join(out, 'stats.json'), encoding='utf-8') as f: return json.loads(done.stdout), json.load(f)


def faults(result): return {(f['kind'], f.get('line')) for f in result['faults']}


def covered(result): return tuple(result['coverage'][k] for k in ('lines_covered', 'branches_covered'))


def check(sheaf, program, runs, is_long):
    """None if all holds, else what is wrong."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            states, counters = explore(sheaf, program, 'states', runs, directory)
            if states['complete'] and not is_long: runs = min(runs, max(LEAST_RUNS, TIMES * counters['runs']))
            full, _ = explore(sheaf, program, 'full', runs, directory)
        except goldens.Bad as bad: return str(bad)
    if counters['diverged']: return f'{counters["diverged"]} times one state and one outcome have two successors'
    if program.limited: return None
    if full['complete'] and not states['complete']: return f'incomplete by states: {states["incomplete"]}'
    if not states['complete']: return None
    lost = faults(full) - faults(states)
    if lost: return f'faults that are lost: {sorted(lost, key=str)}'
    if any(a > b for a, b in zip(covered(full), covered(states))): return f'lines and branch outcomes {covered(full)}, by states {covered(states)}'
    if full['complete'] and (faults(full) != faults(states) or covered(full) != covered(states)):
        return f'{sorted(faults(states), key=str)} {covered(states)}, by full {sorted(faults(full), key=str)} {covered(full)}'
    return None


def run(sheaf, pattern='', jobs=2, runs=3000, is_long=False):
    """Returns (passed, failed)."""
    chosen, failed = [p for p in programs() if pattern in p.name], 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, wrong in zip(chosen, pool.map(lambda p: check(os.path.abspath(sheaf), p, runs, is_long), chosen)):
            if wrong is None: continue
            failed += 1
            print(f'FAIL {program.name}: {wrong}', flush=True)
    return len(chosen) - failed, failed


def main():
    ap = argparse.ArgumentParser(description='exploration by states against full exploration')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--filter', default='')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--runs', type=int, default=3000)
    ap.add_argument('--long', action='store_true', help='full exploration gets N runs everywhere')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.filter, args.jobs, args.runs, args.long)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
