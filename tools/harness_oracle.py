#!/usr/bin/env python3
"""`--entry F` and the harness that `sheaf harness` writes for F must show the same behaviours: each tests the other.

usage: harness_oracle.py --sheaf BINARY [--filter TEXT] [--programs N] [--seed N] [--explore NAME] [--keep DIR]

The functions are those of tests/entries, and random ones of tools/entry_oracle.py, in which every outcome of the branches aborts on a line of
its own. At equal bounds the faults of the harness (kind and line) are the faults of the entry, the needs of its callers and those of calls that make its
arguments together, since what a harness says is the user's; both answers are complete or neither is (that no call of an entry came to its end is
not asked of a harness). The harness compiles with cc -Wall without a warning.
"""
import argparse, json, os, random, subprocess, sys, tempfile

import entries, entry_oracle

FILES = ('attributes', 'buffers', 'callbacks', 'handles', 'members', 'parsers', 'pointers', 'records', 'streams', 'strings', 'tables')
SKIPPED = {'visit_all': 'members that are functions are left to the user'}    # function: why its harness says less


SHAPES = ('--string', '--elements', '--depth', '--calls', '--construct', '--mutate')


def answer(sheaf, words, directory):
    command = [sheaf, 'test', *words, '--no-replay', '-q', '--format', 'json', '--force', '-o', os.path.join(directory, 'out')]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): return None, f'{" ".join(command)}: status {r.returncode}: {r.stderr[-300:]}'
    result = json.loads(r.stdout)
    return ({(f['kind'], f['line']) for f in result['faults'] + result.get('needs', []) + result.get('left_out', [])}, all(why['kind'] == 'through' for why in result['incomplete'])), None


def split(options):
    """What says how arguments are made, which a harness does itself, and the rest."""
    shapes, rest = [], []
    for i, word in enumerate(options):
        own = word in SHAPES or (i > 0 and options[i - 1] in SHAPES)
        (shapes if own else rest).append(word)
    return shapes, rest


def compare(sheaf, path, name, bound, explorer, options, directory):
    """What is wrong, or None."""
    n, file = str(bound), os.path.join(directory, f'harness_{name}.c')
    shapes, options = split(options)
    bounds = ['--string', n, '--elements', n, '--depth', n, *shapes]
    n = bounds[len(bounds) - 1 - bounds[::-1].index('--elements') + 1]
    r = subprocess.run([sheaf, 'harness', path, '--entry', name, '-o', file, '--force', *bounds], capture_output=True, text=True)
    if r.returncode: return f'no harness: {r.stderr.strip()}'
    with open(file, encoding='utf-8') as f: text = f.read()
    program = [file] if f'{os.path.basename(path)}"' in text else [path, file]    # the harness may include the source
    w = subprocess.run(['cc', '-Wall', '-Werror', '-fsyntax-only', '-I', os.path.join(entries.ROOT, 'include'), file], capture_output=True, text=True)
    if w.returncode: return f'warnings: {w.stderr[:300]}'
    by_entry, wrong = answer(sheaf, [path, '--entry', name, '--explore', explorer, *bounds, *options], directory)
    if wrong: return wrong
    by_harness, wrong = answer(sheaf, [*program, '--explore', explorer, '--elements', n, *options], directory)
    if wrong: return wrong
    if by_entry != by_harness: return f'entry {sorted(by_entry[0])} complete {by_entry[1]}, harness {sorted(by_harness[0])} complete {by_harness[1]}\n{text}'
    return None


def functions(programs, seed, directory):
    """(file, function, bound, options) of each."""
    for path in (os.path.join(entries.ROOT, f'tests/entries/{name}.c') for name in FILES):
        for entry in entries.read(path): yield path, entry.name, 3, entry.options
    for i in range(programs):
        made = [entry_oracle.Function(random.Random(seed * 1000 + 100 * i + k), f'f{i}_{k}', 2) for k in range(6)]
        path = os.path.join(directory, f'random{i}.c')
        with open(path, 'w', encoding='utf-8') as f: f.write(entry_oracle.SHEAF + entry_oracle.TYPES + '\n'.join(line for g in made for line in g.text()) + '\n')
        for g in made: yield path, g.name, 2, []


def run(sheaf, pattern='', programs=3, seed=1, explorer='dependence', keep=None):
    """(passed, failed)"""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as directory:
        directory = keep or directory
        for path, name, bound, options in functions(programs, seed, directory):
            if pattern not in name or name in SKIPPED: continue
            wrong = compare(os.path.abspath(sheaf), path, name, bound, explorer, options, directory)
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            if wrong: print(f'FAIL {os.path.basename(path)}: {name}: {wrong}', flush=True)
    return passed, failed


def main():
    ap = argparse.ArgumentParser(description='--entry against the harness that says the same')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--filter', default='')
    ap.add_argument('--programs', type=int, default=3)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--explore', default='dependence')
    ap.add_argument('--keep', help='leave the files here')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.filter, args.programs, args.seed, args.explore, args.keep)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
