#!/usr/bin/env python3
"""Random programs, edited again and again, tested into one directory: each answer must be that of a run into a fresh directory.

usage: reuse.py --sheaf BINARY [--programs N] [--seed S] [--print]

A round changes nothing, the program (code that is reached, code that is not, or only where it stands), its header, the options, or what is in the
directory. Checked: what is printed, the exit status, all files of tests, all tests of the store, the answer as JSON but for times; that a round explores nothing
if the answer was complete and no code that is reached has changed, and that it does explore if that has changed. Then: another executable, a damaged answer. A
failure names its seed.
"""
import argparse, json, os, random, re, shutil, sqlite3, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
ROUNDS = 8
OPTIONS = [[], ['--explore', 'full'], ['--explore', 'states'], ['--tests', 'all'], ['--tests', 'none'], ['--check', 'overflow'], ['--max-runs', '3'], ['--sym-stdin', '2'],
           ['-DMORE'], ['--emit', 'testcomp'], ['--entry', 'used0', '--string', '2'], ['--entry', 'used0'], ['--explore', 'output'], ['--sinks', 'prog.c:LINE'], ['-v'],
           ['--symbolic-globals=total', '--sym-stdin', '1'], ['--format', 'json']]
UNCHANGED = re.compile(r'\Aunchanged since [0-9: -]+(: nothing| is all code that is reached: nothing) was explored \(--no-reuse explores\)\n')


class Bad(Exception): pass


class Program:
    """Lines of C, and edits of them. Functions `used` are called by main or through a pointer in a variable, `spare` by none (an entry reaches only used0);
    prog.h has a macro that both may use."""
    def __init__(self, r):
        self.r, self.limit = r, r.randint(1, 9)
        self.used = [self.body() for _ in range(r.randint(1, 3))]
        self.spare = [self.body() + self.spare_statement() for _ in range(2)]
        self.blank = [0] * 6  # empty lines before each function
        self.comments = [''] * 6
        self.through = r.choice([None, len(self.used) - 1])  # this one is called through a pointer
        self.local, self.member, self.start, self.type, self.extra, self.swapped, self.inside = 'local', 'count', 0, 'int', [], False, 0

    def condition(self):
        r = self.r
        return r.choice([f'x > {r.randint(0, 90)}', f'x == {r.randint(0, 99)}', f'(x & {r.randint(1, 7)}) == 1', 'x + 3 > LIMIT', f'total > {r.randint(0, 3)}'])

    def statement(self):
        r = self.r
        return r.choice([f'total += {r.randint(1, 3)};', f'table[(unsigned)x % {r.randint(3, 5)}u]++;', f'if ({self.condition()}) total--;', 'for (int i = 0; i < (x & 3); i++) total++;',
                         f'if (x == {r.randint(40, 60)}) abort();', 'total += x / (x - 7);', f'{{ int LOCAL[3] = {{x}}; LOCAL[x & {r.choice([1, 3])}] = 1; total += LOCAL[0]; }}',
                         f'assert(x != {r.randint(40, 60)});', 'CHECK(x != 33);', f'if (x == {r.randint(9, 30)}) puts("{r.choice("abc")}");', '{ static int calls; total += calls++; }',
                         '{ char *m = malloc(2); if (m) { m[x & 2] = 1; total += m[x & 1]; free(m); } }', 'box.MEMBER += x;', 'if ((uintptr_t)&total % 64 < (uintptr_t)&table % 64) total++;',
                         'if (x == 5 && __LINE__ % 2) total += 2;'])

    def body(self): return [f'if ({self.condition()}) {{', self.statement(), '} else {', self.statement(), '}', self.statement()]

    def spare_statement(self):
        r = self.r
        return [r.choice([f'fprintf(stderr, "spare {r.randint(0, 9)}\\n");', f'puts("more {r.randint(0, 9)}");', f'total += (int)strlen("{r.randint(0, 99)}");', 'struct other { int a; double b; } o = {x, 2}; total += (int)(o.a * o.b);',
                          'static int own; own += x; table[own & 3] = own;', 'box.MEMBER = 4;', 'total += (int)(CHECKED(x));'])]

    def texts(self):
        functions = [(f'used{i}', b, i) for i, b in enumerate(self.used)] + [(f'spare{i}', b, 3 + i) for i, b in enumerate(self.spare)]
        if self.swapped: functions[-2:] = functions[:-3:-1]
        lines = ['#include "prog.h"', '#include <assert.h>', '#include <stdint.h>', '#include <stdlib.h>', '#include <stdio.h>', '#include <string.h>',
                 f'static {self.type} total = {self.start};', 'static int table[4];', f'static struct {{ int MEMBER; }} box;', *self.extra]
        for name, body, place in functions:
            lines += [''] * self.blank[place] + ([self.comments[place]] if self.comments[place] else []) + [f'void {name}(int x)', '{', *body[:3], *[''] * (self.inside if name == 'used0' else 0), *body[3:], '}']
        if self.through is not None: lines += [f'void (*through)(int) = used{self.through};']
        calls = [f'used{i}(getchar());' if i != self.through else 'through(getchar());' for i in range(len(self.used))]
        lines += ['int main(void)', '{', *calls, '#ifdef MORE', 'used0(total);', '#endif', 'return total > 2;', '}', '']
        text = '\n'.join(lines).replace('LOCAL', self.local).replace('MEMBER', self.member)
        return text, f'enum {{ LIMIT = {self.limit} }};\n#define CHECKED(x) ((x) + {self.limit})\n#define CHECK(c) do {{ if (!(c)) {{ fprintf(stderr, "%s:%d\\n", __FILE__, __LINE__); abort(); }} }} while (0)\n'

    def reached(self, words, lines=True):
        """What stands in code that is reached; with lines, if it says in which."""
        entry = '--entry' in words
        used = self.used[:1] if entry else self.used
        text = repr((used, self.start, self.type))
        if 'LIMIT' in text: text += str(self.limit)
        if not entry: text += f'{len(self.used)} {self.through}'
        if lines and ('__LINE__' in text or 'CHECK' in text or 'assert' in text): text += repr(self.texts()[0].split('\n')[:-30]) + repr((self.blank, self.comments, self.inside))
        return text.replace('LOCAL', self.local).replace('MEMBER', self.member)

    def edit(self, what):
        r = self.r
        if what == 'used': r.choice(self.used)[r.choice([1, 3, 5])] = self.statement()
        elif what == 'spare': r.choice(self.spare)[r.choice([1, 3, 5])] = self.statement()
        elif what == 'spare text': r.choice(self.spare)[6:] = self.spare_statement()
        elif what == 'condition': r.choice(self.used)[0] = f'if ({self.condition()}) {{'
        elif what == 'header': self.limit += r.randint(1, 5)
        elif what == 'lines': self.blank[r.randrange(len(self.used) + 2)] += 1
        elif what == 'inside': self.inside += 1
        elif what == 'comment': self.comments[r.randrange(6)] = f'/* {r.randint(0, 99)} */'
        elif what == 'local': self.local = r.choice(['local', 'buffer', 'words'])
        elif what == 'member': self.member = r.choice(['count', 'size'])
        elif what == 'start': self.start = r.randint(0, 2)
        elif what == 'type': self.type = r.choice(['int', 'short', 'unsigned'])
        elif what == 'order': self.swapped = not self.swapped
        elif what == 'model': self.extra = [] if self.extra else [r.choice(['size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n + 1; }', 'int puts(const char *s) { (void)s; total++; return 1; }',
                                                                             'static int unused_table[3] = {1, 2, 3}; int *unused_pointer = &unused_table[1];', '__attribute__((constructor)) static void before(void) { total++; }'])]


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
        printed = without_time(text) if text.startswith('{') else text
        errors = re.sub(r'(?m)^.*[0-9]+ runs \(.*\n', '', done.stderr)  # -v of an exploration
        return len(text) < len(done.stdout), {'status': done.returncode, 'printed': printed, 'errors': errors, **self.files()}

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
        result = without_time(found.pop('out/result.json'))
        return {**found, 'result': result}


def without_time(text):
    result = json.loads(text)
    result.pop('seconds', None)
    return result


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


CHANGES = ['nothing', 'nothing', 'used', 'spare', 'spare', 'spare text', 'condition', 'header', 'lines', 'lines', 'inside', 'comment', 'local', 'member', 'start', 'type', 'order', 'model',
           'options', 'files', 'answer', 'executable', 'no-reuse']
SURE = ['nothing', 'spare', 'lines', 'comment', 'inside']  # with these there is no doubt whether reached code changes


class State:
    """What the results in the directory are of."""
    def __init__(self, texts=None, reached=None, code=None, words=None, said=None, sheaf=None, settled=False):
        self.texts, self.reached, self.code, self.words, self.said, self.sheaf, self.settled = texts, reached, code, words, said, sheaf, settled


def tells(words): return '--format' not in words


def round_of(sheaf, other, program, places, options, r, before):
    """Changes something, tests again; returns the options and state from now on, and whether nothing was explored."""
    place, fresh = places
    what = r.choice(CHANGES)
    if what == 'options': options = r.choice(OPTIONS)
    elif what == 'files': spoil(place, r)
    elif what == 'answer': damage_answer(place)
    else: program.edit(what)
    inputs = ['--sym-stdin', str(len(program.used))] if not {'--sym-stdin', '--entry'} & set(options) else []
    words = [*inputs, *options, *([] if r.random() < .25 else ['--no-replay'])] if what == 'options' or not before.words else before.words
    now = State(program.texts(), program.reached(words), program.reached(words, False), words, None, other if what == 'executable' else sheaf)
    words = now.said = [word.replace('LINE', str(1 + now.texts[0].split('\n').index('return total > 2;'))) for word in words]
    place.write(now.texts)
    reused, got = place.test(now.sheaf, words + (['--no-reuse'] if what == 'no-reuse' else []))
    shutil.rmtree(fresh.path)
    os.makedirs(fresh.path)
    fresh.write(now.texts)
    _, expected = fresh.test(sheaf, words)
    compare(got, expected, what)
    compare(place.exported(sheaf), fresh.exported(sheaf), f'{what}: store')
    kept = what not in ('files', 'answer', 'no-reuse') and (before.said, before.sheaf) == (now.said, now.sheaf)
    if reused and not kept: raise Bad(f'{what}: nothing was explored, though something had changed')
    if reused and before.code != now.code and what in ('used', 'condition', 'start'): raise Bad(f'{what}: reached code had changed, and nothing was explored')
    same = kept and what in SURE and before.reached == now.reached and (before.texts == now.texts or not {'--sinks', '--emit', '--symbolic-globals=total'} & set(words))
    if before.settled and not reused and same and tells(words): raise Bad(f'{what}: reached code had not changed, and it was explored again')
    now.settled = isinstance(got['printed'], str) and 'incomplete' not in got['printed'] and '--no-replay' in words
    return options, now, (reused, before.texts != now.texts)


def one_program(sheaf, other, seed, place):
    r = random.Random(seed)
    program, options, before, again, derived = Program(r), r.choice(OPTIONS), State(), 0, 0
    places = Place(os.path.join(place, f'p{seed}')), Place(os.path.join(place, f'f{seed}'))
    places[0].write(program.texts())
    places[0].test(sheaf, ['--sym-stdin', '1', '--no-replay', '--max-runs', '5'])
    for _ in range(ROUNDS):
        options, before, (reused, edited) = round_of(sheaf, other, program, places, options, r, before)
        again += reused and not edited
        derived += reused and edited
    for p in places: shutil.rmtree(p.path)
    return again, derived


def run(sheaf, programs=6, seed=1):
    """(passed, failed)"""
    failed = again = derived = 0
    sheaf = os.path.abspath(sheaf)
    with tempfile.TemporaryDirectory() as place:
        other = other_executable(sheaf, place)
        for s in range(seed, seed + programs):
            try:
                a, d = one_program(sheaf, other, s, place)
                again, derived = again + a, derived + d
            except Bad as bad:
                failed += 1
                print(f'FAIL reuse: seed {s}: {bad}', flush=True)
    print(f'{programs} programs, {ROUNDS} rounds each: nothing was explored in {again} without an edit, in {derived} with one', flush=True)
    if not (again and derived) and not failed: failed = 1  # a test that tests nothing
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
