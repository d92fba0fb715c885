#!/usr/bin/env python3
"""The explorer `output` beside `full` on the programs of bench/output; rewrites docs/results.md.

usage: results.py --sheaf BINARY [--table FILE] [--runs N]
Times are the least of N runs (3), each of both explorers in one process.
"""
import argparse, glob, json, os, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
# The paper's Table 4: completeness, and how many times fewer tests, less time.
PAPER = {'advisory': ('Tcas', 100, 3.0, 2.1), 'tree': ('BinarySearchTree', 75, 7.1, 9.6), 'set': ('OrdSet', 79, 4.9, 3.5),
         'scheduler': ('Schedule', 100, 25.0, 51.0), 'disjoint': ('DisjointSet', 100, 4.0, 3.1)}


def measure(sheaf, path, runs):
    best = None
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run([sheaf, 'test', path, '--explore', 'output', '--compare', 'full', '--quiet', '--no-replay', '--format', 'json',
                                   '-o', os.path.join(scratch, 'out')], capture_output=True, text=True, timeout=600)
        if done.returncode: sys.exit(f'{path}: status {done.returncode}: {done.stderr.strip()}')
        found = json.loads(done.stdout)['compare']
        if best:
            for who in ('output', 'full'): found['seconds'][who] = min(found['seconds'][who], best['seconds'][who])
        best = found
    return best


def times(found, key): return found[key]['full'] / max(found[key]['output'], 1e-9)


def row(name, lines, found):
    paper, whole, tests, seconds = PAPER[name]
    both = lambda key, form='{:.0f}': f'{form.format(found[key]["output"])} / {form.format(found[key]["full"])}'
    return (f'| {name} ({paper}) | {lines} | {100 * found["paths_covered"] // max(found["paths"], 1)} % ({whole} %) | {both("tests")} | {both("solver_calls")} '
            f'| {both("formula_bytes")} | {both("seconds", "{:.3f}")} | {times(found, "tests"):.1f} ({tests}) | {times(found, "seconds"):.1f} ({seconds}) |')


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--table', default=os.path.join(ROOT, 'docs/results.md'))
    ap.add_argument('--runs', type=int, default=3)
    args = ap.parse_args()
    rows = []
    for name in PAPER:
        path = os.path.join(ROOT, 'bench/output', name + '.c')
        with open(path) as f: lines = sum(1 for _ in f)
        found = measure(os.path.abspath(args.sheaf), path, args.runs)
        if not found['complete']: sys.exit(f'{path}: incomplete')
        rows.append(row(name, lines, found))
        print(rows[-1], flush=True)
    text = f"""# Results

Rewritten by `make results`. Times depend on the machine; all else does not.

## `output` beside `full`

One test for each relevant slice condition of what the program names as its output, against one for each path. Programs of our own of the
kind that the paper used (bench/output); in parentheses what the paper has for its program of that kind. "Covered": of the relevant slice
conditions on all paths, those that `output` found. A formula is a test's condition as SMT-LIB, in bytes. Times are those of the explorations alone,
the static analysis that labels need included.

| program (the paper's) | lines | covered | tests: output / full | solver calls | formula, bytes | seconds | times fewer tests | times less time |
|---|---|---|---|---|---|---|---|---|
""" + '\n'.join(rows) + '\n'
    with open(args.table, 'w') as f: f.write(text)


if __name__ == '__main__': main()
