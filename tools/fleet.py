#!/usr/bin/env python3
"""Explorations on a database that several workers share, against the same exploration in one process.

usage: fleet.py --sheaf BUILD/sheaf [--times N] [PROGRAM.c]...

Each program is explored by one process, then by workers on a server of PostgreSQL that is started for it, while workers
and the process that asked are killed at random moments; that one is started again until it ends. Faults, paths,
coverage and the verdict must be the same. A program has its options in its first line: /* sheaf: --sym-stdin 3 */
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
    faults = sorted((f['kind'], f['file'], f['line'], f['column']) for f in r['faults'])
    return {'finished': r.get('finished', True), 'complete': r['complete'], 'paths': r['paths'], 'faults': faults, 'coverage': r['coverage']}


class Fleet:
    def __init__(self, sheaf, address, directory):
        self.sheaf, self.address, self.directory = sheaf, address, directory
        self.workers = []

    def worker(self):
        self.workers.append(subprocess.Popen([self.sheaf, 'worker', '--store', self.address, '-j', '1', '-q'], stdout=subprocess.DEVNULL, start_new_session=True))

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


def explore(fleet, path, rng, kills):
    """Workers come and go, and the process that asks does, until one comes to the end. None: all is well."""
    asks = fleet.ask(path)
    for _ in range(2): fleet.worker()
    for _ in range(kills):
        time.sleep(rng.random() * 1.5)
        if asks.poll() is not None: break
        victim = rng.choice(fleet.workers + [asks])
        kill(victim)
        if victim is asks:
            asks = fleet.ask(path)
        else:
            fleet.workers.remove(victim)
            fleet.worker()
    try: _, said = asks.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        kill(asks)
        return 'did not end within 300 s'
    return said.strip() or f'status {asks.returncode}' if asks.returncode not in (0, 1, 3) else None


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


def run(sheaf, programs=(), times=1, seed=1):
    programs = list(programs) or sorted(glob.glob(os.path.join(ROOT, 'tests/fleet/*.c')))
    rng = random.Random(seed)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch, postgres.Server() as address:
        for name, wrong in (('idle worker', idle_ends(sheaf, address)), ('server that goes', failure_is_said(sheaf, MANY, scratch)),
                            ('paused job', paused_is_left(sheaf, MANY, address, scratch))):
            if wrong: print(f'FAIL fleet {name}: {wrong}')
            passed, failed = passed + (not wrong), failed + bool(wrong)
        for path in programs:
            alone = os.path.join(scratch, 'alone')
            subprocess.run([sheaf, 'test', path, *options_of(path), '--explore', 'full', '-j', '1', '--no-replay', '--quiet', '--force', '-o', alone], stdout=subprocess.DEVNULL)
            expected = answer(alone)
            for k in range(times):
                fleet = Fleet(sheaf, address, os.path.join(scratch, 'fleet'))
                try: wrong = explore(fleet, path, rng, kills=0 if k == 0 and times > 1 else 3)
                finally: fleet.end()
                wrong = wrong or ('' if answer(fleet.directory) == expected else f'{answer(fleet.directory)} is not {expected}')
                if wrong: print(f'FAIL fleet {os.path.basename(path)}, {k}: {wrong}')
                passed, failed = passed + (not wrong), failed + bool(wrong)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--times', type=int, default=2)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('programs', nargs='*')
    args = parser.parse_args()
    passed, failed = run(os.path.abspath(args.sheaf), args.programs, args.times, args.seed)
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


if __name__ == '__main__': main()
