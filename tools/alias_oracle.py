#!/usr/bin/env python3
"""`--aliases` leaves out equal pointers where they certainly make no difference: that must lose nothing that `--all-aliases` shows.

usage: alias_oracle.py --sheaf BINARY [--programs N] [--seed N] [--keep DIR] [--verbose]

Random functions with two or three pointers of one type that read, write, copy and free what is behind them, hand them on, and look at their
addresses in every way that C has: comparison, difference, casts, bytes of them in memory, parts of them in arithmetic. Each outcome of a branch aborts
on a line of its own. Every path is explored. Faults, needs and "complete for" must be equal with and without --all-aliases; some functions must be left out, or nothing was tried.
The default explorer shows one of several runs that fail alike, whose pointers may be the same or not: it must call the same places faults of the function, and the same ones needs.
"""
import argparse, json, os, random, subprocess, sys, tempfile

HELPERS = '''#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair { int x, y; };
static int same(const void *p, const void *q) { return p == q; }
static const void *pass(const void *p) { return p; }
static void put(int *p, int v) { *p = v; }
static int get(const int *p) { return p[0]; }
struct hold { const void *p; };
'''
READS = ['if (*{a} == *{b}) STOP;', 'if (*{a} > 1) STOP;', 'if (get({a}) < get({b})) STOP;', 'if (!memcmp({a}, {b}, sizeof *{a})) STOP;', 'if (get((const int *)pass({a})) == 3) STOP;',
         'for (const int *p = {a}; p; p = 0) if (*p == 4) STOP;', 'if (({a} ? *{a} : 0) == ({b} ? *{b} : 1)) STOP;', 'if (*(k > 2 ? {a} : {b}) == 7) STOP;']
WRITES = ['*{a} = k;', '{a}[0]++;', 'put({a}, ~*{b});', 'memcpy({a}, &k, sizeof k);', 'memset({a}, 0, 2);', '{{ int *p = (int *)pass({a}); *p = 5; }}', '*(k ? {a} : {b}) = 1;']
LOOKS = ['if ({a} == {b}) STOP;', 'if ({a} - {b} == 0) STOP;', 'if ((uint32_t)(uintptr_t){a} == (uint32_t)(uintptr_t){b}) STOP;', 'if (same({a}, {b})) STOP;', 'if (pass({a}) == pass({b})) STOP;',
         'if (!(((uintptr_t){a}) ^ (uintptr_t){b})) STOP;', '{{ struct hold x = {{{a}}}, y = {{{b}}}; if (!memcmp(&x, &y, sizeof x)) STOP; }}', '{{ const int *v[2] = {{{a}, {b}}}; if (v[k & 1] == {b}) STOP; }}',
         'if ((uintptr_t){a} % 4096 == (uintptr_t){b} % 4096) STOP;', 'if ({a} <= {b} && {b} <= {a}) STOP;', 'switch ((uintptr_t){a} - (uintptr_t){b}) {{ case 0: STOP; }}']


def function(rng, name):
    names, lines = ['a', 'b', 'c'][:rng.choice([2, 2, 3])], []
    for p in names:
        if rng.random() < .8: lines.append(f'if (!{p}) return 0;')
    lines += [f'if (*{p} == {rng.randint(1, 9)}) k++;' for p in names]       # all were followed: which of them are the same is decided
    for kind in [READS, rng.choice([READS, WRITES, LOOKS])]:                 # one thing that may tell, so that it alone is noticed
        a, b = rng.sample(names, 2)
        line = rng.choice(kind).format(a=a, b=b)
        lines += [f'{{ int old = *{b};', line, f'if (*{b} != old) STOP; }}'] if kind is WRITES else [line]
    if rng.random() < .1: lines += ['free(a);', 'if (*b) STOP;']
    return f'int {name}({", ".join("int *" + p for p in names)}, int k)\n{{\n' + '\n'.join('    ' + line for line in lines) + '\n    return k;\n}\n'


def ask(sheaf, path, name, words, directory, explorer='full'):
    command = [sheaf, 'test', path, '--entry', name, '--aliases', *words, '--elements', '2', '--explore', explorer, '--no-replay', '-q', '--format', 'json', '--force', '-o', os.path.join(directory, 'out')]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): return None, f'status {r.returncode}: {r.stderr[-300:]}'
    d = json.loads(r.stdout)
    marks = lambda key: sorted((f['kind'], f['line'], f.get('caller_passes', '')) for f in d.get(key, []))
    return (marks('faults'), marks('needs'), d['complete'], sorted(d.get('complete_for', []))), d['runs']


def places(answer):
    """Of which pointers a need speaks is left out: a run in which three are the same has several answers."""
    return answer and [sorted({mark[:2] for mark in marks}) for marks in answer[:2]]


def run(sheaf, programs=2, seed=1, keep=None, verbose=False):
    """(passed, failed)"""
    passed = failed = fewer = 0
    with tempfile.TemporaryDirectory() as directory:
        directory = keep or directory
        for i in range(programs):
            rng, path = random.Random(seed * 1000 + i), os.path.join(directory, f'aliases{i}.c')
            names = [f'f{i}_{k}' for k in range(8)]
            with open(path, 'w', encoding='utf-8') as f: f.write(HELPERS + '#define STOP abort()\n' + ''.join(function(rng, name) for name in names))
            for name in names:
                (few, runs), (all_, all_runs) = ask(sheaf, path, name, [], directory), ask(sheaf, path, name, ['--all-aliases'], directory)
                shown, shown_runs = ask(sheaf, path, name, ['--all-aliases'], directory, 'dependence')
                alike = shown is not None and places(shown) == places(all_)
                same = few is not None and few == all_ and alike
                passed, failed, fewer = passed + same, failed + (not same), fewer + (same and runs < all_runs)
                if not alike: print(f'FAIL {path}: {name}: dependence: {shown or shown_runs}')
                if not same or verbose: print(f'{"ok" if same else "FAIL"} {path}: {name}: {few or runs}, with --all-aliases {all_ or all_runs}; {runs}, {all_runs} runs', flush=True)
    if passed > 12 and not fewer:
        print('FAIL alias_oracle: nothing was left out')
        failed += 1
    return passed, failed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--programs', type=int, default=10)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--keep', help='leave the files here')
    ap.add_argument('--verbose', action='store_true')
    args = ap.parse_args()
    passed, failed = run(os.path.abspath(args.sheaf), args.programs, args.seed, args.keep, args.verbose)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
