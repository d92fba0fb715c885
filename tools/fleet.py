#!/usr/bin/env python3
"""Explorations on a database that several workers share, against the same exploration in one process.

usage: fleet.py --sheaf BUILD/sheaf [--kills N] [--seed N] [PROGRAM.c]...

Each program is explored by one process, then by workers on a server of PostgreSQL that is started for it, then again and again while at random
moments a worker, the process that asked, a connection or the server itself is killed; what is gone is started again, but for workers that lost only
their connection: they must come back by themselves. Faults and how many runs show each, paths, coverage and the verdict must be the same, until so many
were killed. A program has its options in its first line: /* sheaf: --sym-stdin 3 */
"""
import argparse, glob, json, os, random, re, signal, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import postgres

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))


MANY = os.path.join(ROOT, 'tests/scale/many.c')


def options_of(path):
    with open(path, encoding='utf-8') as f: found = re.match(r'/\* sheaf: (.*?) \*/', f.readline())
    return found.group(1).split() if found else []


def answer(directory):
    """What must not depend on who explored."""
    with open(os.path.join(directory, 'result.json'), encoding='utf-8') as f: r = json.load(f)
    faults = sorted((f['kind'], f['file'], f['line'], f['column'], f['runs']) for f in r['faults'])
    return {'finished': r.get('finished', True), 'complete': r['complete'], 'paths': r['paths'], 'faults': faults, 'coverage': r['coverage']}


class Fleet:
    def __init__(self, sheaf, address, directory):
        self.sheaf, self.address, self.directory = sheaf, address, directory
        self.workers = []

    def worker(self):
        worker = subprocess.Popen([self.sheaf, 'worker', '--store', self.address, '-j', '1', '-q'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        worker.begun, worker.may_end = time.monotonic(), False
        self.workers.append(worker)

    def cut(self):
        """A server is going: a worker that just begins ends, for it has seen no server yet."""
        for worker in self.workers: worker.may_end |= time.monotonic() - worker.begun < 5

    def ask(self, path, *more):
        command = [self.sheaf, 'test', path, *options_of(path), *more, '--store', self.address, '-j', '1', '--no-replay', '--quiet', '--force', '-o', self.directory]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def end(self):
        for w in self.workers: kill(w)
        self.workers = []


def kill(process):
    try: os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError: pass
    process.wait()


VICTIMS = ['worker', 'worker', 'asker', 'asker', 'connection', 'server']
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1"


class Round:
    """One exploration. None of run: all is well."""
    def __init__(self, fleet, server, path, rng, killed):
        self.fleet, self.server, self.path, self.rng, self.killed = fleet, server, path, rng, killed
        self.asks, self.cut = None, False

    def ask(self): self.asks, self.cut = self.fleet.ask(self.path), False

    def kill(self, victim):
        self.killed[victim] = self.killed.get(victim, 0) + 1
        if victim == 'worker':
            worker = self.rng.choice(self.fleet.workers)
            self.fleet.workers.remove(worker)
            kill(worker)
            self.fleet.worker()
        elif victim == 'asker':
            kill(self.asks)
            self.ask()
        elif victim == 'connection':
            self.fleet.cut()
            subprocess.run(['psql', '-q', self.fleet.address, '-c', CUT], stdout=subprocess.DEVNULL)
            self.cut = True
        else:
            self.fleet.cut()
            self.server.kill()
            time.sleep(self.rng.random() * 0.5)
            self.server.start()
            self.cut = True

    def end(self):
        """What went wrong, when the process that asks has ended; it may have lost its connection, and then goes on."""
        try: _, said = self.asks.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            kill(self.asks)
            return 'did not end within 300 s'
        if self.asks.returncode == 2 and self.cut and said.count('\n') == 1 and '--store: ' in said:
            self.ask()
            return self.end()
        return said.strip() or f'status {self.asks.returncode}' if self.asks.returncode not in (0, 1, 3) else None

    def run(self, kills, seconds):
        self.ask()
        for _ in range(2): self.fleet.worker()
        for _ in range(kills):
            time.sleep(self.rng.random() * seconds)
            if self.asks.poll() is not None:
                if self.asks.returncode != 2: break
                wrong = self.end()  # which asks again, if that is right
                if wrong: return wrong
                break
            self.kill(self.rng.choice(VICTIMS))
        wrong = self.end()
        return wrong or next((f'a worker has ended: status {w.returncode}' for w in self.fleet.workers if w.poll() is not None and not w.may_end), None)


def idle_ends(sheaf, address):
    """A worker without work ends by itself with --idle, and when it is told to. None: all is well."""
    command = [sheaf, 'worker', '--store', address, '-j', '2', '-q']
    try:
        idle = subprocess.run([*command, '--idle', '0.1'], timeout=60).returncode
        told = subprocess.Popen(command, start_new_session=True)
        told.terminate()
        return None if idle == 0 and told.wait(timeout=60) in (0, -signal.SIGTERM) else f'status {idle}, {told.returncode}'
    except subprocess.TimeoutExpired: return 'a worker without work does not end'


def failure_is_said(sheaf, path, scratch):
    """The server goes while it is asked: one line, status 2, and what was found stays. None: all is well."""
    with postgres.Server() as address:
        fleet = Fleet(sheaf, address, os.path.join(scratch, 'failed'))
        asks = fleet.ask(path, '-D', 'N=18') # more than it could do meanwhile
        while not jobs_of(sheaf, address) and asks.poll() is None: pass
    _, said = asks.communicate(timeout=300)
    lines = said.splitlines()
    return None if asks.returncode == 2 and len(lines) == 1 and 'goes on with the job' in said and not answer(fleet.directory)['complete'] else f'status {asks.returncode}: {said}'


def paused_is_left(sheaf, path, address, scratch):
    """A job whose command was interrupted: workers leave it when they check in, long before it is done. None: all is well."""
    fleet = Fleet(sheaf, address, os.path.join(scratch, 'paused'))
    fleet.worker()
    asks = fleet.ask(path, '-D', 'N=22')
    try:
        while not any(job['claimed'] for job in jobs_json(sheaf, address)): time.sleep(0.1)
        asks.send_signal(signal.SIGINT)
        asks.communicate(timeout=300)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            job = jobs_json(sheaf, address)[0]
            if job['state'] == 'paused' and not job['claimed']: break
            time.sleep(0.1)
    finally: fleet.end()
    return None if job['state'] == 'paused' and not job['claimed'] and job['pending'] else f'{job}'


def jobs_json(sheaf, address): return json.loads(subprocess.run([sheaf, 'jobs', '--store', address, '--json'], stdout=subprocess.PIPE, text=True).stdout)


def jobs_of(sheaf, address):
    out = subprocess.run([sheaf, 'jobs', '--store', address], stdout=subprocess.PIPE, text=True).stdout
    return [line for line in out.splitlines() if 'sheaf test' in line]


def worker_comes_back(sheaf, scratch):
    """The server is killed and started again: a worker says so in one line, and works again; told to end while there is none it does. None: all is well."""
    server, said = postgres.Server(), os.path.join(scratch, 'said')
    with server as address, open(said, 'w+', encoding='utf-8') as lines:
        worker = subprocess.Popen([sheaf, 'worker', '--store', address, '-j', '2'], stderr=lines, start_new_session=True)
        try:
            fleet = Fleet(sheaf, address, os.path.join(scratch, 'back'))
            for n in (1, 2):
                if n == 2: server.kill(), server.start()
                asks, end = fleet.ask(MANY, '-D', f'N={20 + n}'), time.monotonic() + 60
                while f'job {n}: ' not in (text := open(said, encoding='utf-8').read()):
                    if time.monotonic() > end: return f'no work for job {n}: {text}'
                    time.sleep(0.1)
                asks.send_signal(signal.SIGINT)
                asks.communicate(timeout=300)
            if text.count('connecting again until it is there') != 1: return f'it says {text}'
            server.kill()
            while 'connecting again' not in (text := open(said, encoding='utf-8').read()).split('job 2: ')[-1]:
                if worker.poll() is not None: return f'it has ended: {text}'
                time.sleep(0.1)
            worker.terminate()
            return None if worker.wait(timeout=60) == 0 else f'status {worker.returncode} when told to end'
        finally: kill(worker)


def kill_rounds(sheaf, server, address, programs, kills, seed, scratch):
    """(passed, failed): each program undisturbed, then until so many were killed."""
    rng, killed, expected, seconds = random.Random(seed), {}, {}, {}
    passed = failed = number = 0
    while number < len(programs) or sum(killed.values()) < kills:
        path = programs[number % len(programs)]
        first = number < len(programs)
        if first:
            alone = os.path.join(scratch, 'alone')
            subprocess.run([sheaf, 'test', path, '--explore', 'full', *options_of(path), '-j', '1', '--no-replay', '--quiet', '--force', '-o', alone], stdout=subprocess.DEVNULL)
            expected[path] = answer(alone)
        fleet, begun = Fleet(sheaf, address, os.path.join(scratch, 'fleet')), time.monotonic()
        try: wrong = Round(fleet, server, path, rng, killed).run(0 if first else rng.randint(1, 4), seconds.get(path))
        finally: fleet.end()
        if first: seconds[path] = min(time.monotonic() - begun, 3)
        wrong = wrong or ('' if answer(fleet.directory) == expected[path] else f'{answer(fleet.directory)} is not {expected[path]}')
        if wrong: print(f'FAIL fleet {os.path.basename(path)}, round {number}: {wrong}', flush=True)
        passed, failed, number = passed + (not wrong), failed + bool(wrong), number + 1
    print(f'{number} explorations, killed: ' + ', '.join(f'{what} {n} times' for what, n in sorted(killed.items())), flush=True)
    return passed, failed


def run(sheaf, programs=(), kills=6, seed=1):
    programs = list(programs) or sorted(glob.glob(os.path.join(ROOT, 'tests/fleet/*.c')))
    server = postgres.Server()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch, server as address:
        for name, wrong in (('idle worker', idle_ends(sheaf, address)), ('server that goes', failure_is_said(sheaf, MANY, scratch)),
                            ('paused job', paused_is_left(sheaf, MANY, address, scratch)), ('server that comes back', worker_comes_back(sheaf, scratch))):
            if wrong: print(f'FAIL fleet {name}: {wrong}')
            passed, failed = passed + (not wrong), failed + bool(wrong)
        rounds = kill_rounds(sheaf, server, address, programs, kills, seed, scratch)
    return passed + rounds[0], failed + rounds[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--kills', type=int, default=6)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('programs', nargs='*')
    args = parser.parse_args()
    passed, failed = run(os.path.abspath(args.sheaf), args.programs, args.kills, args.seed)
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__': main()
