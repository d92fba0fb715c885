#!/usr/bin/env python3
"""Kills `sheaf test` at random moments and resumes it: in the end the answer is that of a run that was not disturbed, and no fault that was
durable is ever lost. Then whatever else may be wrong with a store: one line on standard error, status 2, and nothing is lost.

usage: scale.py --sheaf BINARY [--kills N] [--seed N] [--filter TEXT]

The programs are in tests/scale, the lines of PROGRAMS say how each is explored. A round of a program kills it one to four times, or one of its processes; rounds
follow until so many were killed. From 100 on the programs are larger: what is pending is written about once in a second, and most kills are to come later.
"""
import argparse, collections, json, os, random, resource, shutil, signal, sqlite3, subprocess, sys, tempfile, time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PROGRAMS = [
    ['many.c', '-DN=16', '--explore', 'full', '-j', '1'],  # long enough for checkpoints
    ['many.c', '-DN=15', '-j', '1'],
    ['many.c', '-DN=10', '--explore', 'output', '-j', '1'],
    ['many.c', '-DN=15', '--explore', 'full', '--search', 'random', '--seed', '3', '-j', '1'],
    ['many.c', '-DN=13', '-j', '4'],
    ['many.c', '-DN=15', '--explore', 'full', '-j', '3'],  # which is forked early: SHEAF_FORK_AFTER
]
LARGER = ['-DN=17', '-DN=15', '-DN=12', '-DN=15', '-DN=16']  # of the long form
KEYS = ('complete', 'paths', 'tests', 'coverage')


class Bad(Exception): pass


class Program:
    def __init__(self, sheaf, words, place):
        self.place, self.words = place, words
        self.command = [sheaf, 'test', os.path.join(ROOT, 'tests', 'scale', words[0]), *words[1:], '-I' + os.path.join(ROOT, 'include'), '--no-replay', '--quiet']

    def start(self, out, *more):
        return subprocess.Popen([*self.command, '-o', out, *more], cwd=self.place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, 'SHEAF_FORK_AFTER': '50'})

    def finish(self, out, *more):
        begun = time.monotonic()
        process = self.start(out, *more)
        text, error = process.communicate()
        if process.returncode not in (0, 1, 3): raise Bad(f'{" ".join(process.args)}: status {process.returncode}: {error.strip()}')
        return time.monotonic() - begun, self.answer(out), text

    def answer(self, out):
        """What must be the same. Of several processes, a test of the same path may have another input. The two lanes of dependence take turns by what runs cost, which
        is another once they are resumed, and all paths of both are counted."""
        found = answer(os.path.join(self.place, out))
        if '--explore' not in self.words: found.update(paths=0)
        if self.words[-1] != '1': found['inputs'] = sorted(found['inputs'])
        if self.words[-1] != '1' and '--explore' not in self.words: # which paths stand for others depends on which process comes first
            found.update(paths=0, tests=0, inputs=0, faults=sorted({fault[:2] for fault in found['faults']}))
        return found


def answer(out):
    """The answer without times, and the inputs of the tests."""
    with open(os.path.join(out, 'result.json')) as file: result = json.load(file)
    faults = [(f['kind'], f.get('line'), f['runs'], os.path.basename(f['test'])) for f in result['faults']]
    tests = {}
    for name in sorted(os.listdir(os.path.join(out, 'tests'))):
        if name.endswith('.ktest'):
            with open(os.path.join(out, 'tests', name), 'rb') as file: tests[name] = file.read()
    return {**{key: result.get(key) for key in KEYS}, 'faults': faults, 'incomplete': result['incomplete'], 'inputs': tests}


# not mode=ro: what a kill left half done must be undone first
def reading(out): return sqlite3.connect(f'file:{os.path.join(out, "store.db")}?mode=rw', uri=True)


def rows(out, query):
    """What the store gives; None if there is no store, or it was killed before there was a table."""
    if not os.path.exists(os.path.join(out, 'store.db')): return None
    connection = reading(out)
    try: return connection.execute(query).fetchall()
    except sqlite3.DatabaseError: return None
    finally: connection.close()


def stored_faults(out): return set(rows(out, "SELECT kind, place FROM fault WHERE need = ''") or [])


def can_be_resumed(out): return bool(rows(out, 'SELECT id FROM job'))


def is_finished(out): return rows(out, 'SELECT finished FROM job') == [(1,)]


def differences(got, expected):
    return '; '.join(f'{key}: {str(got[key])[:200]} for {str(expected[key])[:200]}' for key in expected if got[key] != expected[key])


def children(pid):
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as file: pids = [int(word) for word in file.read().split()]
        return [pid for pid in pids if open(f'/proc/{pid}/comm').read() == 'sheaf\n']  # not the compiler
    except FileNotFoundError: return []


def kill_one(process, rng, killed):
    """The process, or one that it has forked: then it goes on, and may be killed later. What was killed."""
    others = children(process.pid)
    victim = rng.choice(others) if others and rng.random() < 0.5 else process.pid
    try: os.kill(victim, signal.SIGKILL)
    except ProcessLookupError: return
    killed['coordinator' if victim == process.pid and others else 'process' if victim == process.pid else 'worker'] += 1


def round_of(program, rng, seconds, expected, number, killed):
    out = f'out{number}'
    where, faults, more, continued = os.path.join(program.place, out), set(), [], False
    for _ in range(rng.randint(1, 4)):
        process = program.start(out, *more)
        while process.returncode is None:
            try: process.wait(timeout=rng.uniform(0, seconds * 1.1))
            except subprocess.TimeoutExpired: kill_one(process, rng, killed)
        _, said = process.communicate()
        if process.returncode not in (0, 1, 3, -signal.SIGKILL): raise Bad(f'status {process.returncode}: {said.strip()}')
        if process.returncode >= 0 or is_finished(where): break  # it was over before
        now = stored_faults(where)
        if not faults <= now: raise Bad(f'faults {faults - now} were durable, and are lost')
        faults, more = now, ['--resume'] if can_be_resumed(where) else ['--force']
    if process.returncode < 0 and not is_finished(where):
        _, _, text = program.finish(out, *more)
        if more == ['--resume'] and not text.startswith('resumed: '): raise Bad(f'nothing was resumed: {text[:100]!r}')
        continued = ' run' in text.split('\n')[0]
    got = program.answer(out)
    if got != expected: raise Bad(differences(got, expected))
    shutil.rmtree(where)
    return continued


def kill_rounds(sheaf, kills, rng, place):
    failed = continued = number = 0
    killed = collections.Counter()
    programs = [Program(sheaf, [words[0], size if kills >= 100 else words[1], *words[2:]], place) for words, size in zip(PROGRAMS, LARGER)]
    undisturbed = [p.finish(f'whole{i}') for i, p in enumerate(programs)]
    while killed.total() < kills:
        which = number % len(programs)
        seconds, expected, _ = undisturbed[which]
        try: continued += round_of(programs[which], rng, seconds, expected, number, killed)
        except Bad as bad:
            failed += 1
            print(f'FAIL kill_rounds: round {number} ({" ".join(programs[which].words)}): {bad}', flush=True)
        number += 1
    print(f'{number} rounds, {continued} went on with what was pending; killed: ' + ', '.join(f'{what} {n} times' for what, n in sorted(killed.items())), flush=True)
    return number - failed, failed


# ---- what else may be wrong --------------------------------------------------------------------------------------------------------------

def refused(program, out, says, *more, limit=None):
    """The run exits with status 2 and one line that says it, and leaves the store as it was."""
    before = stored_faults(os.path.join(program.place, out))
    process = subprocess.run([*program.command, '-o', out, *more], cwd=program.place, capture_output=True, text=True,
                             preexec_fn=limit)
    lines = process.stderr.strip().split('\n')
    if process.returncode != 2 or len(lines) != 1 or says not in lines[0]: raise Bad(f'status {process.returncode}: {process.stderr!r}, not {says!r}')
    if not before <= stored_faults(os.path.join(program.place, out)): raise Bad('faults were lost')


def interrupted(program, out):
    """A directory with an unfinished run."""
    shutil.rmtree(os.path.join(program.place, out), ignore_errors=True)
    program.finish(out, '--max-runs', '500')


def other_program(program):
    interrupted(program, 'other')
    refused(Program(program.command[0], ['many.c', '-DN=9', '--explore', 'full'], program.place), 'other', 'the program is another one', '--resume')
    refused(Program(program.command[0], [*program.words[:2], '--explore', 'states'], program.place), 'other', "begun with '--explore full', not with '--explore states'", '--resume')
    refused(program, 'other', '--resume goes on with it')
    refused(program, 'nothing', 'there is no store', '--resume')


def finished(program):
    shutil.rmtree(os.path.join(program.place, 'done'), ignore_errors=True)
    program.finish('done')
    refused(program, 'done', 'is finished', '--resume')


def other_version(program):
    interrupted(program, 'version')
    with sqlite3.connect(os.path.join(program.place, 'version', 'store.db')) as connection: connection.execute('UPDATE store SET version = 99')
    refused(program, 'version', 'a store of version 99', '--resume')


def corrupt(program):
    interrupted(program, 'corrupt')
    with open(os.path.join(program.place, 'corrupt', 'store.db'), 'r+b') as file:
        file.seek(100)
        file.write(b'\xff' * 3000)
    refused(program, 'corrupt', 'damaged', '--resume')
    os.truncate(os.path.join(program.place, 'corrupt', 'store.db'), 50)
    refused(program, 'corrupt', 'damaged', '--resume')


HALF_DONE = """
import os, sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
for s in ('PRAGMA journal_mode = DELETE', 'PRAGMA cache_size = 1', 'BEGIN', 'UPDATE test SET ending = ending || hex(zeroblob(500))', 'DELETE FROM fault'): c.execute(s)
os._exit(0)
"""


def half_done(program):
    """A kill within a change of the file itself, as at the very end: it is undone, and the run goes on."""
    def exported(out):
        done = subprocess.run([program.command[0], 'export', 'half', '--tests', 'all', '--format', 'json', '-o', out], cwd=program.place, capture_output=True, text=True)
        if done.returncode: raise Bad(f'export: status {done.returncode}: {done.stderr}')
        texts = []
        for name in sorted(os.listdir(os.path.join(program.place, out))):
            with open(os.path.join(program.place, out, name)) as file: texts.append(file.read())
        return texts

    interrupted(program, 'half')
    store, before = os.path.join(program.place, 'half', 'store.db'), exported('half-before')
    subprocess.run([sys.executable, '-c', HALF_DONE, store], check=True)
    if not os.path.exists(store + '-journal'): raise Bad('there is nothing to be undone')
    if exported('half-after') != before: raise Bad('a reader sees what was half done')
    _, got, _ = program.finish('half', '--resume')
    _, expected, _ = program.finish('half-whole')
    if got != expected: raise Bad(differences(got, expected))


def two_processes(program):
    shutil.rmtree(os.path.join(program.place, 'two'), ignore_errors=True)
    first = program.start('two')
    while not can_be_resumed(os.path.join(program.place, 'two')): time.sleep(0.01)
    try:
        refused(program, 'two', 'another run is writing there', '--resume')
        refused(program, 'two', 'another run is writing there', '--force')
    finally:
        first.kill()
        first.communicate()


def read_only(program):
    """As a user who may not write; root may write anywhere."""
    if os.getuid() == 0: return
    interrupted(program, 'locked')
    where = os.path.join(program.place, 'locked')
    os.chmod(os.path.join(where, 'store.db'), 0o444), os.chmod(where, 0o555)
    try: refused(program, 'locked', 'ermission denied', '--force')
    finally: os.chmod(where, 0o755)


def disk_full(program):
    """No file may grow beyond 16 KB: there is not even room for an empty store."""
    refused(program, 'full', 'store.db', limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 10, 16 << 10)))


def disk_full_later(program):
    """There is room for a store, not for all: the answer is there, and says what is missing; what is in the store is whole."""
    out = os.path.join(program.place, 'later')
    shutil.rmtree(out, ignore_errors=True)
    process = subprocess.run([*program.command, '-o', 'later'], cwd=program.place, capture_output=True, text=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (150 << 10, 150 << 10)))
    warnings = [line for line in process.stderr.split('\n') if line]
    if process.returncode != 1 or len(warnings) != 1 or 'store.db' not in warnings[0]: raise Bad(f'status {process.returncode}: {process.stderr!r}')
    if 'results could not be written' not in process.stdout: raise Bad(process.stdout)
    if reading(out).execute('PRAGMA integrity_check').fetchone() != ('ok',): raise Bad('the store is damaged')
    _, got, _ = program.finish('later', '--resume')
    _, expected, _ = program.finish('later-whole')
    if got != expected: raise Bad(differences(got, expected))


CASES = [other_program, finished, other_version, corrupt, half_done, two_processes, read_only, disk_full, disk_full_later]


def names(): return ['kill_rounds'] + [case.__name__ for case in CASES]


def run(sheaf, kills=12, seed=29, pattern=''):
    """(passed, failed) of the tests whose names contain the pattern."""
    passed = failed = 0
    sheaf = os.path.abspath(sheaf)
    with tempfile.TemporaryDirectory() as place:
        if pattern in 'kill_rounds': passed, failed = kill_rounds(sheaf, kills, random.Random(seed), place)
        program = Program(sheaf, PROGRAMS[0], place)
        for case in CASES:
            if pattern not in case.__name__: continue
            try: case(program)
            except Bad as bad:
                failed += 1
                print(f'FAIL {case.__name__}: {bad}', flush=True)
            else: passed += 1
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--kills', type=int, default=12)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--filter', default='')
    args = parser.parse_args()
    print(f'seed {args.seed}', flush=True)
    passed, failed = run(args.sheaf, args.kills, args.seed, args.filter)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__': sys.exit(main())
