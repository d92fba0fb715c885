#!/usr/bin/env python3
"""Random programs that read inputs without end: exploration by states against full exploration of the first iterations.

usage: states_random.py --sheaf BINARY [--programs N] [--seed S] [--bound N] [--print]

Each program is a loop around a few variables of few values, and inputs that are asked for one by one and may be kept over iterations. Full
exploration goes N iterations deep. Checked: no failing place, line or branch outcome that it finds is missing in the answer by states, if that is
complete; one state and one outcome have one successor; most answers are complete. A failure names its seed.
"""
import argparse, concurrent.futures, os, random, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import goldens, states

LEAST_COMPLETE = 70  # of a hundred: an input that is kept and compared may have no end of states


class Writer:
    """The text of one program: a function of its seed."""
    def __init__(self, seed):
        self.r, self.lines, self.fails = random.Random(seed), [], 0

    def add(self, depth, text): self.lines.append('    ' * depth + text)

    def condition(self):
        r = self.r
        return r.choice([
            f'x == {r.randint(0, 3)}', f'x > {r.randint(-1, 3)}', 'x < kept', 'x == kept', f'kept > {r.randint(0, 4)}', f'x == {r.choice("ab")}',
            f'{r.choice("ab")} == {r.randint(0, 2)}', 'a == b', f'first > {r.randint(0, 3)}', 'x == first', 'kept == first + 1',
        ])

    def statement(self, depth):
        r = self.r
        kind = r.choices(['if', 'set', 'keep', 'fail', 'ask', 'heap', 'leave'], [6, 5, 2, 2, 1, 1, 0.5])[0]
        if kind == 'if':
            self.add(depth, f'if ({self.condition()}) {{')
            for _ in range(r.randint(1, 2)): self.statement(depth + 1)
            if r.random() < .5:
                self.add(depth, '} else {')
                self.statement(depth + 1)
            self.add(depth, '}')
        elif kind == 'set': self.add(depth, f'{r.choice("ab")} = {r.choice(["0", "1", "2", "(a + 1) % 3", "(b + 1) % 3", "a == b"])};')
        elif kind == 'keep': self.add(depth, 'kept = x;' if r.random() < .8 else 'kept = 0;')
        elif kind == 'ask': self.add(depth, 'x = __VERIFIER_nondet_char();')
        elif kind == 'heap':
            self.add(depth, '{ char *p = malloc(2); if (p) { *p = (char)a; a = *p; } free(p); }')
        elif kind == 'leave': self.add(depth, 'break;')
        elif depth > 2:
            self.fails += 1
            self.add(depth, f'abort(); /* {self.fails} */')

    def text(self):
        r = self.r
        self.lines = ['#include <stdlib.h>', 'extern signed char __VERIFIER_nondet_char(void);', 'int main(void)', '{', '    int a = 0, b = 1, x = 0, kept = 0;',
                      '    int first = __VERIFIER_nondet_char();']
        if r.random() < .5: self.add(1, f'if (first < 0 || first > {r.randint(1, 5)})'), self.add(2, 'return 1;')
        late = r.random() < .6  # the first input is known to be small, those of later iterations are read at their end
        if late:
            self.add(1, 'x = __VERIFIER_nondet_char();')
            self.add(1, f'if (x < 0 || x > {r.randint(0, 2)})'), self.add(2, 'return 2;')
        self.add(1, 'while (1) {')
        if not late: self.add(2, 'x = __VERIFIER_nondet_char();')
        self.add(2, 'if (x == 100)')
        self.add(3, 'break;')
        for _ in range(r.randint(2, 5)): self.statement(2)
        if late: self.add(2, 'x = __VERIFIER_nondet_char();')
        self.lines += ['    }', '    return a + b + x + kept + first;', '}', '']
        return '\n'.join(self.lines)


def check(sheaf, seed, bound, directory):
    """(is the answer by states complete?, None or what is wrong)"""
    path = os.path.join(directory, f'{seed}.c')
    with open(path, 'w', encoding='utf-8') as f: f.write(Writer(seed).text())
    program = states.Program(path)
    program.options = ['-w']
    try:
        answer, counters = states.explore(sheaf, program, 'states', 5000, os.path.join(directory, str(seed)))
        program.options += ['--loop-bound', str(bound)]
        full, _ = states.explore(sheaf, program, 'full', 5000, os.path.join(directory, str(seed)))
    except goldens.Bad as bad: return False, str(bad)
    lost = states.faults(full) - states.faults(answer)
    if counters['diverged']: return answer['complete'], f'{counters["diverged"]} times one state and one outcome have two successors'
    if not answer['complete']: return False, None
    if lost: return True, f'faults that are lost: {sorted(lost)}'
    if any(a > b for a, b in zip(states.covered(full), states.covered(answer))): return True, f'covered {states.covered(full)}, by states {states.covered(answer)}'
    return True, None


def run(sheaf, programs, seed=1, bound=3, jobs=2):
    """Returns (passed, failed)."""
    failed = complete = 0
    seeds = range(seed, seed + programs)
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for i, (done, wrong) in zip(seeds, pool.map(lambda i: check(os.path.abspath(sheaf), i, bound, directory), seeds)):
            complete += done
            if wrong: print(f'FAIL states_random: seed {i}: {wrong}', flush=True)
            failed += wrong is not None
    print(f'{complete} of {programs} complete by states')
    if programs >= 20 and complete * 100 < programs * LEAST_COMPLETE:
        print(f'FAIL states_random: fewer than {LEAST_COMPLETE} of a hundred')
        failed += 1
    return programs - failed, failed


def main():
    ap = argparse.ArgumentParser(description='random programs without end, explored by states')
    ap.add_argument('--sheaf')
    ap.add_argument('--programs', type=int, default=100)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--bound', type=int, default=3, help='iterations of full exploration')
    ap.add_argument('--print', action='store_true', help='print the program of the seed')
    args = ap.parse_args()
    if args.print:
        print(Writer(args.seed).text())
        return 0
    passed, failed = run(args.sheaf, args.programs, args.seed, args.bound)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
