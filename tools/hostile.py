#!/usr/bin/env python3
"""Runs hostile programs under `sheaf run` and `sheaf test` with small limits: each must end with a status of the table, without a
crash, with bounded memory, and leave nothing behind. Then Sheaf itself is interrupted and killed.

usage: hostile.py --sheaf BINARY [--jobs N] [--filter TEXT]

Every NAME.c in tests/hostile is a program. Lines `// key: value` at its head direct it:
  run: STATUS TEXT     of `sheaf run`, and what it says on standard error
  test: STATUS KINDS   of `sheaf test`, and the kinds of faults and ledger entries, exactly
  may: KINDS           kinds that may be there besides
  flags: WORDS         further options for sheaf test
  unconfirmed: KINDS because REASON    fault kinds that a native run need not show
"""
import argparse, concurrent.futures, json, os, shlex, signal, subprocess, sys, tempfile, threading, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import difftest, goldens
from goldens import Bad

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
HANG = 300               # seconds after which a run counts as hanging; not a speed limit
MOST_MEMORY = 1 << 20    # KiB of resident memory, of Sheaf and of everything it started
RUN_LIMITS = ['--max-steps', '3000000', '--max-memory', '64M']
TEST_LIMITS = ['--max-steps', '3000000', '--max-memory', '64M', '--max-runs', '20', '--solver-timeout', '5s']


def execute(command, cwd, limit=HANG):
    """(status, standard output, standard error, peak KiB); a hang is Bad. Output of `sheaf run` may be large: only its head is kept."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        env = dict(os.environ, TMPDIR=os.path.join(cwd, 'tmp'))
        process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env, start_new_session=True)
        timer = signal_later(process, limit, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if timer.cancel_was_late(): raise Bad('hangs')
        out.seek(0), err.seek(0)
        return process.returncode, out.read(1 << 20), err.read(1 << 16).decode('utf-8', 'replace'), usage.ru_maxrss


class signal_later:
    """Sends a signal to a process and its group after some seconds, unless it is called off."""
    def __init__(self, process, seconds, number):
        self.fired, self.timer = False, threading.Timer(seconds, self.fire, (process, number))
        self.timer.daemon = True
        self.timer.start()

    def fire(self, process, number):
        self.fired = True
        try: os.killpg(process.pid, number)
        except ProcessLookupError: pass

    def cancel_was_late(self):
        self.timer.cancel()
        return self.fired


class Place:
    """A directory of its own for one program, in which nothing may be left but the results."""
    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = os.path.realpath(self.scratch.name)
        os.mkdir(os.path.join(self.path, 'tmp'))
        return self

    def __exit__(self, *_): self.scratch.cleanup()

    def check(self):
        left = set(os.listdir(self.path)) - {'tmp', 'out'}
        left |= {'tmp/' + n for n in os.listdir(os.path.join(self.path, 'tmp'))}
        if left: raise Bad(f'left behind: {sorted(left)[:4]}')
        if os.path.exists('/tmp/sheaf-hostile-escaped'): raise Bad('a file was written outside')


class Hostile:
    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as f: self.how = difftest.directives(f.read())
        if not {'run', 'test'} <= set(self.how) <= {'run', 'test', 'may', 'flags', 'unconfirmed'}: raise SystemExit(f'{path}: directives')
        self.unconfirmed = set(self.how.get('unconfirmed', '').partition(' because ')[0].split())


def survived(what, status, err, peak):
    if status < 0: raise Bad(f'{what}: killed by signal {-status}: {err[-200:]}')
    if status == 70: raise Bad(f'{what}: status 70: {err[-200:]}')
    if peak > MOST_MEMORY: raise Bad(f'{what}: {peak >> 10} MB of memory')


def check_run(sheaf, hostile, place):
    status, _, err, peak = execute([sheaf, 'run', f'-I{ROOT}/include', *RUN_LIMITS, '-w', hostile.path], place.path)
    survived('run', status, err, peak)
    want, _, text = hostile.how['run'].partition(' ')
    if status != int(want) or text not in err: raise Bad(f'run: status {status}, expected {want}: {err.strip()[-200:]!r}, expected {text!r}')


def check_test(sheaf, hostile, place):
    out = os.path.join(place.path, 'out')
    command = [sheaf, 'test', '--explore', 'full', '--format', 'json', '-o', out, f'-I{ROOT}/include', *TEST_LIMITS, '-w', *shlex.split(hostile.how.get('flags', ''))]
    status, stdout, err, peak = execute([*command, hostile.path], place.path)
    survived('test', status, err, peak)
    if status not in (0, 1, 3): raise Bad(f'test: status {status}: {err.strip()[-200:]}')
    result = json.loads(stdout)
    if len(goldens.read_ktests(os.path.join(out, 'tests'))) != result['tests']: raise Bad('test: files and tests differ in number')
    bad = [f for f in result['faults'] if f['native'] != 'confirmed' and f['kind'] not in hostile.unconfirmed]
    want, *kinds = hostile.how['test'].split()
    got = {x['kind'] for x in result['faults'] + result['incomplete']}
    if status != int(want) or got - set(hostile.how.get('may', '').split()) != set(kinds):
        raise Bad(f'test: status {status}, kinds {goldens.words(got)}; expected {hostile.how["test"]}')
    if bad: raise Bad(f'test: {bad[0]["kind"]} at line {bad[0].get("line")} is {bad[0]["native"]}: {bad[0]["witness"]}')


def check(sheaf, hostile):
    with Place() as place:
        try:
            check_run(sheaf, hostile, place)
            check_test(sheaf, hostile, place)
            place.check()
        except Bad as bad: return str(bad)
    return None


# ---- Sheaf itself is the victim ----------------------------------------------------------------------------------

ENDLESS = f'{ROOT}/tests/hostile/paths_exploding.c'


def begun(place, options, tests):
    """`sheaf test` on paths without end, once it has written some tests."""
    out = os.path.join(place.path, 'out')
    command = [*options, '-o', out, '--format', 'json', f'-I{ROOT}/include', ENDLESS]
    process = subprocess.Popen(command, cwd=place.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    guard = signal_later(process, HANG, signal.SIGKILL)
    where = os.path.join(out, 'tests')
    while process.poll() is None and (not os.path.isdir(where) or len(os.listdir(where)) < tests): time.sleep(0.01)
    return process, where, guard


def ended(process, guard):
    stdout, err = process.communicate()
    if guard.cancel_was_late(): raise Bad('hangs')
    return process.returncode, stdout, err.decode('utf-8', 'replace')


def whole_files(where):
    """Every file that has its name is whole; a kill may leave one that is still being written, under another name."""
    count = 0
    for name in os.listdir(where):
        path = os.path.join(where, name)
        if name.endswith('.ktest'):
            with open(path, 'rb') as f: goldens.KTest(f.read())
            count += 1
        elif name.endswith('.json'):
            with open(path) as f: json.load(f)
    return count


def killed(sheaf):
    with Place() as place:
        process, where, guard = begun(place, [sheaf, 'test', '--tests', 'all'], 20)
        if process.poll() is not None: raise Bad(f'ended by itself: {process.communicate()[1][-200:]}')
        os.killpg(process.pid, signal.SIGKILL)
        ended(process, guard)
        if whole_files(where) < 5: raise Bad('hardly a test was there')


def interrupted(sheaf):
    with Place() as place:
        process, where, guard = begun(place, [sheaf, 'test', '--tests', 'all'], 20)
        process.send_signal(signal.SIGINT)
        status, stdout, err = ended(process, guard)
        if status != 3: raise Bad(f'status {status}: {err[-200:]}')
        result = json.loads(stdout)
        if 'interrupted' not in {e['kind'] for e in result['incomplete']}: raise Bad('the ledger does not say interrupted')
        if whole_files(where) != result['tests']: raise Bad('files and tests differ in number')
        for name in ('result.json', 'stats.json'):
            with open(os.path.join(place.path, 'out', name)) as f: json.load(f)


def not_overwritten(sheaf):
    with Place() as place:
        command = [sheaf, 'test', '-o', 'out', f'-I{ROOT}/include', f'{ROOT}/tests/explore/palindrome.c']
        first, _, err, _ = execute(command, place.path)
        before = os.path.getmtime(os.path.join(place.path, 'out', 'result.json'))
        second, _, err, _ = execute([*command, '--no-reuse'], place.path)
        after = os.path.getmtime(os.path.join(place.path, 'out', 'result.json'))
        forced, _, _, _ = execute([*command, '--force', '--no-reuse'], place.path)
        if (first, second, forced) != (0, 2, 0) or before != after or '--force' not in err: raise Bad(f'status {first}, {second}, {forced}: {err[-200:]}')
        os.mkdir(os.path.join(place.path, 'mine'))
        with open(os.path.join(place.path, 'mine', 'letter'), 'w') as f: f.write('dear')
        status, _, err, _ = execute([sheaf, 'test', '-o', 'mine', *command[4:]], place.path)
        if not os.path.exists(os.path.join(place.path, 'mine', 'letter')): raise Bad("somebody else's file is gone")


VICTIMS = [killed, interrupted, not_overwritten]


def victim(sheaf, scene):
    try: scene(sheaf)
    except Bad as bad: return str(bad)
    return None


def run(sheaf, jobs=2, pattern=''):
    """Returns (passed, failed)."""
    sheaf, directory = os.path.abspath(sheaf), os.path.join(ROOT, 'tests/hostile')
    paths = [os.path.join(directory, n) for n in sorted(os.listdir(directory)) if n.endswith('.c')]
    programs = [Hostile(p) for p in paths if pattern in os.path.relpath(p, ROOT)]
    scenes = [s for s in VICTIMS if pattern in s.__name__]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = [(os.path.relpath(p.path, ROOT), pool.submit(check, sheaf, p)) for p in programs]
        results += [(s.__name__, pool.submit(victim, sheaf, s)) for s in scenes]
        for name, future in results:
            if future.result() is None: continue
            failed += 1
            print(f'FAIL {name}: {future.result()}', flush=True)
    return len(results) - failed, failed


def main():
    ap = argparse.ArgumentParser(description='hostile programs')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--filter', default='')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.jobs, args.filter)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
