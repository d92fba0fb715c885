#!/usr/bin/env python3
"""Runs `sheaf test` on golden programs and compares with what is known about them; replays and reads every test that it wrote.

usage: goldens.py --sheaf BINARY --llvm MAJOR [--jobs N] [--filter TEXT] [--keep DIR] [DIRECTORY]...

Every NAME.c in a directory (tests/explore) is a golden. Lines `// key: value` at its head direct it:
  options: WORDS      for sheaf test               cflags: WORDS   for the compiler, both sides
  args: WORDS         arguments, after --          tests: N        so many tests exactly (or `N to M`)
  incomplete: KINDS   the kinds in the ledger, exactly; absent: complete
  unconfirmed: KINDS  fault kinds that a native run need not show, then ` because ` and the reason
  replay: no because REASON                        tests are not replayed
  uncovered: N because REASON                      branch outcomes that clang counts and the tests kept by default do not take
All tests are written (--tests all). Every golden is explored again without snapshots, which must write the same tests, and in another order,
which must find as many; with --explore dependence, which must find the same faults; and with the default of --tests, which must keep some of
the same tests that natively cover what all of them do. Every line with a fault is reached by `sheaf reach` from its number alone.
A line that ends in `//! KIND...` has these faults, and no other line has any; `//? KIND...`: a caller of the entry must avoid these. Why a number is what it is stands below the directives.
"""
import argparse, collections, concurrent.futures, glob, json, os, re, shlex, struct, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import difftest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
DIRECTORIES = ['tests/explore']


class Bad(Exception):
    """What is wrong with a golden's result."""


# ---- .ktest, read from the format's description and not with Sheaf's code ----------------------------------------

class KTest:
    def __init__(self, data):
        self.data, self.at = data, 0
        if self.take(5) not in (b'KTEST', b'BOUT\n'): raise Bad('no magic number')
        self.version = self.number()
        if not 1 <= self.version <= 3: raise Bad(f'version {self.version}')
        self.args = [self.text() for _ in range(self.number())]
        if self.version >= 2: self.sym_argvs, self.sym_argv_len = self.number(), self.number()
        self.objects = [(self.text(), self.text()) for _ in range(self.number())]
        if self.at != len(data): raise Bad(f'{len(data) - self.at} bytes behind its end')
        if not self.args: raise Bad('no program name')

    def take(self, n):
        if self.at + n > len(self.data): raise Bad('cut off')
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self): return struct.unpack('>I', self.take(4))[0]

    def text(self):
        n = self.number()
        if n == 0: raise Bad('an empty string or object, which KLEE cannot read')
        return self.take(n)


def read_ktests(directory):
    """The inputs of a directory's tests. Every test is whole and has its JSON beside it, and no two are equal."""
    seen, leftovers = {}, [n for n in os.listdir(directory) if not re.fullmatch(r'\d{4,}\.(ktest|json|c|xml)|metadata\.xml', n)]
    if leftovers: raise Bad(f'left behind in tests/: {leftovers[:3]}')
    for path in sorted(glob.glob(os.path.join(directory, '*.ktest'))):
        name = os.path.basename(path)
        try:
            with open(path, 'rb') as f: test = KTest(f.read())
            with open(path[:-5] + 'json') as f: json.load(f)
        except (Bad, OSError, ValueError) as e: raise Bad(f'{name}: {e}')
        key = tuple(test.args), tuple(test.objects)
        if key in seen: raise Bad(f'{name} has the input of {seen[key]}')
        seen[key] = name
    return set(seen)


# ---- goldens -----------------------------------------------------------------------------------------------------

def faults_of(source, mark='!'):
    """{(kind, line)} that `//!` marks, or the needs that `//?` does."""
    marks = ((re.search(rf'//[{mark}] ([a-z -]+?)(?= //|$)', line), number) for number, line in enumerate(source.splitlines(), 1))
    return {(kind, number) for m, number in marks if m for kind in m.group(1).split()}


class Golden:
    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as f: source = f.read()
        self.how, self.faults, self.needs = difftest.directives(source), faults_of(source), faults_of(source, '?')
        unknown = set(self.how) - {'options', 'cflags', 'args', 'tests', 'incomplete', 'unconfirmed', 'replay', 'uncovered'}
        if unknown or 'tests' not in self.how: raise SystemExit(f'{path}: directives: {unknown or "tests is missing"}')
        span = [int(n) for n in self.how['tests'].split(' to ')]
        self.least, self.most = span[0], span[-1]
        self.cflags = [f'-I{ROOT}/include', *shlex.split(self.how.get('cflags', ''))]
        self.incomplete = set(self.how.get('incomplete', '').split())
        self.unconfirmed = set(self.reasoned('unconfirmed').split())

    def reasoned(self, key):
        what, because, reason = self.how.get(key, '').partition(' because ')
        if what and not reason.strip(): raise SystemExit(f'{self.path}: {key}: needs a reason')
        return what


def words(items): return ' '.join(sorted(items)) or 'none'


class Runner:
    def __init__(self, sheaf, llvm):
        self.sheaf, self.llvm = os.path.abspath(sheaf), llvm

    def test(self, golden, out, *more, explorer='full', tests='all'):
        command = [self.sheaf, 'test', '--format', 'json', '-o', out, '--explore', explorer, '--tests', tests, *more, *golden.cflags, *shlex.split(golden.how.get('options', '')), golden.path]
        if 'args' in golden.how: command += ['--', *shlex.split(golden.how['args'])]
        status, stdout, err = difftest.execute(command, b'')
        if status is None: raise Bad('timed out')
        if status not in (0, 1, 3): raise Bad(f'status {status}: {err.strip()[-300:]}')
        try: return status, json.loads(stdout)
        except ValueError: raise Bad(f'no JSON: {stdout[:200]!r}')

    def check_again(self, golden, directory, inputs, *more):
        """The same golden with further options: as many tests (without an order of their own the same ones) and the same faults."""
        with tempfile.TemporaryDirectory(dir=directory) as out:
            _, result = self.test(golden, os.path.join(out, 'again'), '--no-replay', *more)
            again = read_ktests(os.path.join(out, 'again', 'tests')) if result['tests'] else set()
        got = {(f['kind'], f.get('line')) for f in result['faults']}
        same = len(again) == len(inputs) if '--search' in more else again == inputs
        if got != golden.faults or not same: raise Bad(f'with {" ".join(more)}: {len(again)} tests, {len(again & inputs)} of {len(inputs)} the same')

    def check_dependence(self, golden, directory):
        """Fewer combinations show the same faults. What full exploration leaves out may be left out otherwise."""
        if golden.incomplete: return
        with tempfile.TemporaryDirectory(dir=directory) as out:
            _, result = self.test(golden, os.path.join(out, 'again'), '--no-replay', explorer='dependence')
        got = {(f['kind'], f.get('line')) for f in result['faults']}
        if got != golden.faults or not result['complete']: raise Bad(f'with --explore dependence: {words(kind for kind, _ in got)}')

    def check_reach(self, golden, directory):
        """Every line that fails is reached by `sheaf reach` from its number alone."""
        lines = sorted({line for _, line in golden.faults})
        if not lines: return
        targets = [word for line in lines for word in ('--to', f'{golden.path}:{line}')]
        with tempfile.TemporaryDirectory(dir=directory) as out:
            command = [self.sheaf, 'reach', '--format', 'json', '-o', os.path.join(out, 'reach'), '--explore', 'full', '--no-replay', *targets,
                       *golden.cflags, *shlex.split(golden.how.get('options', '')), golden.path]
            if 'args' in golden.how: command += ['--', *shlex.split(golden.how['args'])]
            status, stdout, err = difftest.execute(command, b'')
        if status not in (0, 1, 3): raise Bad(f'reach: status {status}: {err.strip()[-300:]}')
        missed = [t['target'] for t in json.loads(stdout)['targets'] if t['status'] != 'reached']
        if missed: raise Bad(f'reach: not reached: {" ".join(missed)}')

    def check_result(self, golden, status, result):
        got = {(f['kind'], f.get('line')) for f in result['faults']}
        if got != golden.faults:
            text = lambda faults: words(f'{kind}@{line}' for kind, line in faults)
            raise Bad(f'faults {text(got)}, expected {text(golden.faults)}')
        needs = {(f['kind'], f.get('line')) for f in result.get('needs', [])}
        if needs != golden.needs: raise Bad(f'needs {words(f"{kind}@{line}" for kind, line in needs)}')
        kinds = {e['kind'] for e in result['incomplete']}
        if kinds != golden.incomplete: raise Bad(f'incomplete: {words(kinds)}, expected {words(golden.incomplete)}')
        if not golden.least <= result['tests'] <= golden.most: raise Bad(f'{result["tests"]} tests, expected {golden.how["tests"]}')
        expected = 1 if golden.faults else 3 if golden.incomplete else 0
        if status != expected: raise Bad(f'status {status}, expected {expected}')
        for f in result['faults']:
            if f['native'] != 'confirmed' and f['kind'] not in golden.unconfirmed:
                raise Bad(f'{f["kind"]}@{f["line"]} is {f["native"]}: {f["witness"]}')

    def replay(self, golden, out):
        """The result of `sheaf replay`."""
        command = [self.sheaf, 'replay', '--format', 'json', *golden.cflags, golden.path, out]
        status, stdout, err = difftest.execute(command, b'')
        if status not in (0, 1): raise Bad(f'replay: status {status}: {(err or stdout.decode()).strip()[-300:]}')
        return json.loads(stdout)

    def check_replay(self, golden, out, directory, inputs):
        """All tests, then those that are kept by default."""
        if golden.reasoned('replay') == 'no': return
        replayed, good = self.replay(golden, out), {'passed', 'confirmed'} | ({'not confirmed'} if golden.unconfirmed else set())
        if len(replayed['tests']) != len(inputs): raise Bad(f'replay: {len(replayed["tests"])} verdicts for {len(inputs)} tests')
        bad = [t for t in replayed['tests'] if t['verdict'] not in good]
        if bad: raise Bad(f'replay: {replayed["verdicts"]}: {bad[0]["verdict"]} {bad[0]["test"]}: {bad[0]["message"]}')
        kept = os.path.join(directory, 'kept')
        _, result = self.test(golden, kept, '--no-replay', tests='covering')
        got = {(f['kind'], f.get('line')) for f in result['faults']}
        paths = result['paths'] - len(result.get('needs', []))  # one that needs another caller is no test
        if got != golden.faults or paths != len(inputs): raise Bad(f'with --tests covering: {paths} paths, {words(kind for kind, _ in got)}')
        if not result['tests'] <= len(inputs) or not read_ktests(os.path.join(kept, 'tests')) <= inputs: raise Bad('with --tests covering: other tests')
        every, less = replayed['coverage'], self.replay(golden, kept)['coverage']
        lacks = [every[key] - less[key] for key in ('lines_covered', 'branches_covered')]
        if lacks != [0, int(golden.reasoned('uncovered') or 0)]: raise Bad(f'with --tests covering: {lacks} lines and branch outcomes fewer are covered')

    def check(self, golden, keep=None):
        """None if the golden holds, else what is wrong."""
        with tempfile.TemporaryDirectory() as directory:
            out = os.path.join(keep or directory, os.path.basename(golden.path)[:-2])
            try:
                status, result = self.test(golden, out)
                inputs = read_ktests(os.path.join(out, 'tests')) if result['tests'] else set()
                if len(inputs) != result['tests']: raise Bad(f'{len(inputs)} test files for {result["tests"]} tests')
                self.check_result(golden, status, result)
                self.check_again(golden, directory, inputs, '--no-snapshots')
                self.check_again(golden, directory, inputs, '--search', 'random', '--seed', '7')
                self.check_dependence(golden, directory)
                self.check_reach(golden, directory)
                if inputs: self.check_replay(golden, out, directory, inputs)
            except Bad as bad: return str(bad)
        return None


def run(sheaf, llvm, directories=None, jobs=2, pattern='', keep=None):
    """Returns (passed, failed)."""
    directories = directories or [os.path.join(ROOT, d) for d in DIRECTORIES]
    paths = [os.path.join(d, n) for d in directories for n in sorted(os.listdir(d)) if n.endswith('.c')]
    goldens = [Golden(p) for p in paths if pattern in os.path.relpath(p, ROOT)]
    runner, failed = Runner(sheaf, llvm), 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for golden, wrong in zip(goldens, pool.map(lambda g: runner.check(g, keep), goldens)):
            if wrong is None: continue
            failed += 1
            print(f'FAIL {os.path.relpath(golden.path, ROOT)}: {wrong}', flush=True)
    return len(goldens) - failed, failed


def main():
    ap = argparse.ArgumentParser(description='golden programs for sheaf test')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--filter', default='')
    ap.add_argument('--keep', help='leave the results here')
    ap.add_argument('directories', nargs='*')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.llvm, args.directories, args.jobs, args.filter, args.keep)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
