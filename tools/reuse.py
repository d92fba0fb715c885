#!/usr/bin/env python3
"""Random programs, edited again and again, tested into one directory: each answer must be that of a run into a fresh directory.

usage: reuse.py --sheaf BINARY [--programs N] [--seed S] [--print]

A round changes nothing, the program, its header, the options, or what is in the directory. Checked: what is printed, the exit status, all files
of tests, all tests of the store, the answer as JSON but for times; that a round explores nothing if the answer was complete and nothing
has changed, and that any other round does explore. Then: another executable, a damaged answer. A failure names its seed.
"""
import argparse, json, os, random, re, shutil, sqlite3, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
OPTIONS = [[], ['--explore', 'full'], ['--explore', 'states'], ['--tests', 'all'], ['--tests', 'none'], ['--check', 'overflow'], ['--max-runs', '3'], ['--sym-stdin', '2'],
           ['-DMORE'], ['--emit', 'testcomp'], ['--entry', 'used0', '--string', '2']]
UNCHANGED = re.compile(r'\Aunchanged since [0-9: -]+: nothing was explored \(--no-reuse explores\)\n')


class Bad(Exception): pass


class Program:
    """Lines of C, and edits of them. Functions `used` are called by main, `spare` by none; prog.h has a macro that both may use."""
    def __init__(self, r):
        self.r, self.limit = r, r.randint(1, 9)
        self.used = [self.body() for _ in range(r.randint(1, 3))]
        self.spare = [self.body() for _ in range(2)]
        self.blank = [0] * 6  # empty lines before each function

    def condition(self):
        r = self.r
        return r.choice([f'x > {r.randint(0, 90)}', f'x == {r.randint(0, 99)}', f'(x & {r.randint(1, 7)}) == 1', 'x + 3 > LIMIT', f'total > {r.randint(0, 3)}'])

    def statement(self):
        r = self.r
        return r.choice([f'total += {r.randint(1, 3)};', f'table[(unsigned)x % {r.randint(3, 5)}u]++;', f'if ({self.condition()}) total--;', 'for (int i = 0; i < (x & 3); i++) total++;',
                         f'if (x == {r.randint(40, 60)}) abort();', 'total += x / (x - 7);'])

    def body(self): return [f'if ({self.condition()}) {{', self.statement(), '} else {', self.statement(), '}', self.statement()]

    def texts(self):
        lines = ['#include "prog.h"', '#include <stdlib.h>', '#include <stdio.h>', 'static int total, table[4];']
        for i, (name, body) in enumerate([(f'used{i}', b) for i, b in enumerate(self.used)] + [(f'spare{i}', b) for i, b in enumerate(self.spare)]):
            lines += [''] * self.blank[i] + [f'void {name}(int x)', '{', *body, '}']
        calls = [f'used{i}(getchar());' for i in range(len(self.used))]
        lines += ['int main(void)', '{', *calls, '#ifdef MORE', 'used0(total);', '#endif', 'return total > 2;', '}', '']
        return '\n'.join(lines), f'enum {{ LIMIT = {self.limit} }};\n'

    def edit(self, what):
        r = self.r
        if what == 'used': r.choice(self.used)[r.choice([1, 3, 5])] = self.statement()
        elif what == 'spare': r.choice(self.spare)[r.choice([1, 3, 5])] = self.statement()
        elif what == 'condition': r.choice(self.used)[0] = f'if ({self.condition()}) {{'
        elif what == 'header': self.limit += r.randint(1, 5)
        elif what == 'lines': self.blank[r.randrange(len(self.used) + 2)] += 1


class Place:
    """A directory with the program in it; results are in its 'out'."""
    def __init__(self, path):
        self.path = path
        os.makedirs(path)

    def write(self, texts):
        for name, text in zip(('prog.c', 'prog.h'), texts):
            with open(os.path.join(self.path, name), 'w') as file: file.write(text)

    def test(self, sheaf, options):
        done = subprocess.run([sheaf, 'test', 'prog.c', '--quiet', '-j', '1', '-o', 'out', '--force', *options], cwd=self.path, capture_output=True, text=True)
        if done.returncode not in (0, 1, 3): raise Bad(f'status {done.returncode}: {done.stderr.strip()}')
        text = UNCHANGED.sub('', done.stdout)
        return len(text) < len(done.stdout), {'status': done.returncode, 'printed': text, 'errors': done.stderr, **self.files()}

    def exported(self, sheaf):
        """All tests of the store."""
        shutil.rmtree(os.path.join(self.path, 'all'), ignore_errors=True)
        subprocess.run([sheaf, 'export', 'out', '--format', 'json', '--tests', 'all', '-o', 'all'], cwd=self.path, capture_output=True)
        names = os.listdir(os.path.join(self.path, 'all')) if os.path.exists(os.path.join(self.path, 'all')) else []
        return {name: open(os.path.join(self.path, 'all', name)).read() for name in names}

    def files(self):
        found = {}
        for directory, _, names in os.walk(os.path.join(self.path, 'out')):
            for name in names:
                path = os.path.join(directory, name)
                if name.startswith(('store.db', 'stats.json', 'metadata.xml')): continue
                with open(path, 'rb') as file: found[os.path.relpath(path, self.path)] = file.read()
        result = json.loads(found.pop('out/result.json'))
        result.pop('seconds', None)
        return {**found, 'result': result}


def spoil(place, r):
    """Removes or changes a file of the results; False: there is none to do so with."""
    tests = sorted(os.listdir(os.path.join(place.path, 'out', 'tests')))
    path = os.path.join(place.path, 'out', *r.choice([['result.json']] + [['tests', name] for name in tests]))
    if r.random() < .5: os.remove(path)
    else:
        with open(path, 'ab') as file: file.write(b' ')


def damage_answer(place):
    with sqlite3.connect(os.path.join(place.path, 'out', 'store.db')) as store:
        row = store.execute("SELECT bytes FROM value WHERE name = 'answer'").fetchone()
        if row: store.execute("UPDATE value SET bytes = ? WHERE name = 'answer'", (row[0][:200] + bytes([row[0][200] ^ 1]) + row[0][201:],))
    store.close()


def other_executable(sheaf, place):
    """The same program of another moment, with its models and header beside it."""
    where = os.path.join(place, 'other')
    os.makedirs(where)
    for name in ('runtime', 'include'): os.symlink(os.path.join(os.path.dirname(sheaf), name), os.path.join(where, name))
    shutil.copy(sheaf, os.path.join(where, 'sheaf'))
    return os.path.join(where, 'sheaf')


def compare(got, expected, what):
    wrong = [key for key in {*got, *expected} if got.get(key) != expected.get(key)]
    if wrong: raise Bad(f'{what}: {wrong[0]}: {str(got.get(wrong[0]))[:300]} for {str(expected.get(wrong[0]))[:300]}')


CHANGES = ['nothing', 'nothing', 'used', 'spare', 'spare', 'condition', 'header', 'lines', 'options', 'files', 'answer', 'executable', 'no-reuse']


class State:
    """What the results in the directory are of."""
    def __init__(self, texts=None, words=None, sheaf=None, settled=False): self.texts, self.words, self.sheaf, self.settled = texts, words, sheaf, settled


def is_unused(what, program):
    """A change of the header that means nothing to the program. (That of a function which is never called counts: its lines are not covered.)"""
    return what == 'header' and 'LIMIT' not in program.texts()[0]


def round_of(sheaf, other, program, places, options, r, before):
    """Changes something, tests again; returns the options and state from now on, and whether nothing was explored."""
    place, fresh = places
    what = r.choice(CHANGES)
    if what == 'options': options = r.choice(OPTIONS)
    elif what == 'files': spoil(place, r)
    elif what == 'answer': damage_answer(place)
    else: program.edit(what)
    inputs = ['--sym-stdin', str(len(program.used))] if not {'--sym-stdin', '--entry'} & set(options) else []
    words = [*inputs, *options, *([] if r.random() < .1 else ['--no-replay'])] if what == 'options' or not before.words else before.words
    now = State(program.texts(), words, other if what == 'executable' else sheaf)
    place.write(now.texts)
    reused, got = place.test(now.sheaf, words + (['--no-reuse'] if what == 'no-reuse' else []))
    shutil.rmtree(fresh.path)
    os.makedirs(fresh.path)
    fresh.write(now.texts)
    _, expected = fresh.test(sheaf, words)
    compare(got, expected, what)
    if reused: compare(place.exported(sheaf), fresh.exported(sheaf), f'{what}: store')
    kept = what not in ('files', 'answer', 'no-reuse') and (before.words, before.sheaf) == (now.words, now.sheaf)
    same = kept and (before.texts == now.texts or is_unused(what, program))
    if reused and not same: raise Bad(f'{what}: nothing was explored, though something had changed')
    if before.settled and not reused and same: raise Bad(f'{what}: nothing had changed, and it was explored again')
    now.settled = 'incomplete' not in got['printed'] and '--no-replay' in words
    return options, now, reused


def one_program(sheaf, other, seed, place):
    r = random.Random(seed)
    program, options, before, reuses = Program(r), r.choice(OPTIONS), State(), 0
    places = Place(os.path.join(place, f'p{seed}')), Place(os.path.join(place, f'f{seed}'))
    places[0].write(program.texts())
    places[0].test(sheaf, ['--sym-stdin', '1', '--no-replay'])
    for _ in range(6):
        options, before, reused = round_of(sheaf, other, program, places, options, r, before)
        reuses += reused
    for p in places: shutil.rmtree(p.path)
    return reuses


def run(sheaf, programs=6, seed=1):
    """(passed, failed)"""
    failed = reuses = 0
    sheaf = os.path.abspath(sheaf)
    with tempfile.TemporaryDirectory() as place:
        other = other_executable(sheaf, place)
        for s in range(seed, seed + programs):
            try: reuses += one_program(sheaf, other, s, place)
            except Bad as bad:
                failed += 1
                print(f'FAIL reuse: seed {s}: {bad}', flush=True)
    print(f'{programs} programs, 6 rounds each: nothing was explored in {reuses}', flush=True)
    if not reuses and not failed: failed = 1  # a test that tests nothing
    return programs - failed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--programs', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--print', action='store_true', help='print the program of the seed')
    args = parser.parse_args()
    if args.print: print(Program(random.Random(args.seed)).texts()[0])
    else: return 1 if run(args.sheaf, args.programs, args.seed)[1] else 0


if __name__ == '__main__': sys.exit(main())
