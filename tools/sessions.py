#!/usr/bin/env python3
"""Runs the sessions that documents show and compares what they print.

usage: sessions.py --build DIR FILE...

A session is a ```console block of a Markdown file, or a whole .session file. Lines that begin with `$ ` are commands (`> ` continues
one), run by sh in a scratch directory that has the repository's examples/, tests/, tools/ and docs/ in it and Sheaf's programs first in PATH; the
lines below, up to the next command, are what it must print, standard error included. `[N]` as the last line is the exit status (0 if
absent). In an expected line `...` stands for any text; a line that is only `...` for any number of lines. `# ` lines are comments.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile

TIMEOUT = 300


def blocks_of(path):
    """[(line number, lines)]"""
    with open(path, encoding='utf-8') as f: lines = f.read().split('\n')
    if path.endswith('.session'): return [(1, lines)]
    blocks, start = [], None
    for i, line in enumerate(lines):
        if start is None and line.startswith('```console'): start = i + 1
        elif start is not None and line.startswith('```'):
            blocks.append((start + 1, lines[start:i]))
            start = None
    return blocks


def steps_of(first, lines):
    """[(line number, command, expected lines, status)]"""
    steps = []
    for i, line in enumerate(lines):
        if line.startswith('$ '): steps.append([first + i, line[2:], [], 0])
        elif line.startswith('> ') and steps and not steps[-1][2]: steps[-1][1] += '\n' + line[2:]
        elif not steps or line.startswith('# '): continue
        elif re.fullmatch(r'\[\d+\]', line): steps[-1][3] = int(line[1:-1])
        else: steps[-1][2].append(line)
    for step in steps:
        while step[2] and not step[2][-1].strip(): step[2].pop()
    return steps


def matches(want, got):
    """Lines against lines, with the wildcards of the head comment."""
    if not want: return not got
    if want[0].strip() == '...':
        return any(matches(want[1:], got[i:]) for i in range(len(got) + 1))
    if not got: return False
    pattern = '.*'.join(re.escape(part) for part in want[0].rstrip().split('...'))
    return re.fullmatch(pattern, got[0].rstrip()) is not None and matches(want[1:], got[1:])


def scratch(root, directory):
    for name in ('examples', 'tests', 'include', 'bench', 'tools', 'docs'):
        if os.path.isdir(os.path.join(root, name)): os.symlink(os.path.join(root, name), os.path.join(directory, name))
    if os.path.isdir(os.path.join(directory, 'examples')):
        os.unlink(os.path.join(directory, 'examples'))
        shutil.copytree(os.path.join(root, 'examples'), os.path.join(directory, 'examples'))


def run_file(path, build, root):
    """[what is wrong], number of commands"""
    wrong, count = [], 0
    env = dict(os.environ, PATH=os.path.abspath(build) + os.pathsep + os.environ['PATH'], LC_ALL='C.UTF-8')
    for first, lines in blocks_of(path):
        with tempfile.TemporaryDirectory() as directory:
            scratch(root, directory)
            for line, command, want, status in steps_of(first, lines):
                count += 1
                try:
                    done = subprocess.run(['sh', '-c', command], cwd=directory, env=env, stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                except subprocess.TimeoutExpired:
                    wrong.append(f'{path}:{line}: timed out: {command}')
                    continue
                got = done.stdout.decode('utf-8', 'replace').rstrip('\n').split('\n') if done.stdout.strip() else []
                if done.returncode != status: wrong.append(f'{path}:{line}: status {done.returncode}, expected {status}: {command}\n  '
                                                           + '\n  '.join(got[:12]))
                elif not matches(want, got): wrong.append(f'{path}:{line}: prints other than shown: {command}\n  ' + '\n  '.join(got[:40]))
    return wrong, count


def run(build, files, root):
    """(passed, failed)"""
    passed = failed = 0
    for path in files:
        wrong, count = run_file(path, build, root)
        for w in wrong: print('FAIL ' + w, flush=True)
        passed, failed = passed + count - len(wrong), failed + len(wrong)
    return passed, failed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', required=True)
    ap.add_argument('files', nargs='+')
    args = ap.parse_args()
    passed, failed = run(args.build, args.files, os.path.abspath(os.path.join(os.path.dirname(__file__), '..')))
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
