#!/usr/bin/env python3
"""Runs `sheaf prove` on tests/prove. usage: proofs.py SHEAF [PROGRAM...]

The first line of a program says what is true of it: /* expect: proved */, /* expect: fails */, and with "open" behind it that nobody demands an answer.
A program that fails is never proved, one that does not is never refuted; what is expected must come out unless it is marked open."""
import glob, os, re, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
EXPECT = re.compile(r'/\* expect: (proved|fails)( open)? \*/')
STATUS = {0: 'proved', 1: 'fails', 3: 'open'}


def prove(sheaf, path, seconds):
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([sheaf, 'prove', path, '--max-time', f'{seconds}s', '-o', os.path.join(out, 'o')], capture_output=True, text=True, cwd=ROOT)
    return STATUS.get(done.returncode, f'status {done.returncode}'), done.stdout + done.stderr


def run(sheaf, paths=None):
    passed = failed = 0
    for path in paths or sorted(glob.glob(os.path.join(ROOT, 'tests/prove/*.c'))):
        match = EXPECT.match(open(path).readline())
        if not match:
            print(f'{path}: the first line says nothing about what to expect')
            failed += 1
            continue
        answer, text = prove(sheaf, path, 5 if match[2] else 60)     # time for an answer that nobody demands is short
        ok = answer == match[1] or (answer == 'open' and match[2] is not None)
        passed, failed = passed + ok, failed + (not ok)
        if not ok:
            print(f'{os.path.relpath(path, ROOT)}: expected {match[1]}{match[2] or ""}, got {answer}\n{text}')
    return passed, failed


def main():
    passed, failed = run(os.path.abspath(sys.argv[1]), sys.argv[2:])
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
