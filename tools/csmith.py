#!/usr/bin/env python3
"""Random programs from csmith: the checksum on Sheaf's machine must be the native one.

usage: csmith.py --sheaf BINARY --llvm MAJOR [--count N] [--seed S] [--jobs N] [--keep DIR]

A program that does not end natively within a few seconds is left out. Seeds count up from --seed, so a failure is repeated by
`--seed S --count 1`.
"""
import argparse, concurrent.futures, os, shutil, subprocess, sys, tempfile

NATIVE_SECONDS, MACHINE_SECONDS = 3, 900


def execute(command, cwd, seconds):
    try:
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
        return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        return None, b'', 'timed out'


def try_seed(seed, sheaf, clang, keep):
    """(seed, 'skipped'|'passed'|'failed', why)"""
    include = next((d for d in ('/usr/include/csmith', '/usr/include/csmith-2.3.0') if os.path.isdir(d)), '/usr/include')
    with tempfile.TemporaryDirectory() as directory:
        status, _, err = execute(['csmith', '--seed', str(seed), '-o', 'random.c'], directory, 60)
        if status != 0: return seed, 'skipped', 'csmith: ' + err.strip()[:80]
        flags = ['-w', '-I' + include]
        status, _, err = execute([clang, '-O0', *flags, 'random.c', '-o', 'native', '-lm'], directory, 120)
        if status != 0: return seed, 'skipped', 'does not compile: ' + err.strip()[:80]
        want_status, want, _ = execute(['./native'], directory, NATIVE_SECONDS)
        if want_status is None: return seed, 'skipped', 'does not end natively'
        status, got, err = execute([sheaf, 'run', *flags, 'random.c'], directory, MACHINE_SECONDS)
        if (status, got) == (want_status, want): return seed, 'passed', ''
        if keep:
            os.makedirs(keep, exist_ok=True)
            shutil.copy(os.path.join(directory, 'random.c'), os.path.join(keep, f'{seed}.c'))
        return seed, 'failed', f'status {status} for {want_status}, {got[-40:]!r} for {want[-40:]!r}: {err.strip()[:160]}'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--count', type=int, default=300)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--keep')
    args = ap.parse_args()
    sheaf, clang, tally = os.path.abspath(args.sheaf), f'clang-{args.llvm}', dict(passed=0, failed=0, skipped=0)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        seeds = range(args.seed, args.seed + args.count)
        for seed, what, why in pool.map(lambda s: try_seed(s, sheaf, clang, args.keep), seeds):
            tally[what] += 1
            if what == 'failed': print(f'FAIL seed {seed}: {why}', flush=True)
    print('{passed} passed, {failed} failed, {skipped} skipped'.format(**tally))
    return 1 if tally['failed'] or not tally['passed'] else 0


if __name__ == '__main__': sys.exit(main())
