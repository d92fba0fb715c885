#!/usr/bin/env python3
"""Functions in the style of small libraries: what `sheaf test --entry` finds of them, and of whom it is.

usage: entries.py --sheaf BINARY [--filter TEXT] [FILE]...

A file (tests/entries/*.c) has functions, each behind a line `// entry: NAME OPTIONS`. Up to the next such line, a line that ends with
`//! KIND...` has these faults of the function, one that ends with `//? KIND...` fails so if the caller does what he must not, and no other line
does anything. What fails in a function that makes an argument (`maker`) is marked where that function stands; functions behind
`// entry: -` do nothing else. `// for: CLAUSES` is the shape for which the answer must be complete, unless `// incomplete: TEXT` says why it is not; `// passes: NEEDS`, where it stands, what callers must pass. Bounds are 3 throughout. Full exploration and `dependence`
must say the same, and where the program makes arguments `sheaf signature`, too; natively faults must be confirmed, and the tests that are kept must pass.
"""
import argparse, glob, json, os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
BOUND = ['--string', '3', '--elements', '3', '--depth', '3']


class Entry:
    def __init__(self, path, words): self.path, self.name, self.options, self.shape, self.passes, self.why, self.faults, self.needs = path, words[0], words[1:], None, None, None, set(), set()


def read(path):
    entries = []
    with open(path, encoding='utf-8') as f: lines = f.read().splitlines()
    for number, line in enumerate(lines, 1):
        m = re.match(r'// (entry|for|passes|incomplete): (.*)', line)
        if m and m.group(1) == 'entry': entries.append(Entry(path, shlex.split(m.group(2))))
        elif m and m.group(1) == 'for': entries[-1].shape = m.group(2)
        elif m and m.group(1) == 'incomplete': entries[-1].why = m.group(2)
        elif m: entries[-1].passes = m.group(2)
        for kind, words in re.findall(r'//([!?]) ([a-z -]+?)(?= //|$)', line):
            (entries[-1].faults if kind == '!' else entries[-1].needs).update((word, number) for word in words.split())
    for entry in entries: entry.marks, entry.questions = set().union(*(e.faults for e in entries)), set().union(*(e.needs for e in entries))
    return [entry for entry in entries if entry.name != '-']


def text(marks): return ' '.join(f'{kind}@{line}' for kind, line in sorted(marks, key=lambda m: m[1])) or 'none'


def check(sheaf, entry, explorer, directory):
    """What is wrong, or None."""
    out = os.path.join(directory, 'out')
    command = [sheaf, 'test', entry.path, '--entry', entry.name, '--explore', explorer, '-q', '--format', 'json', '--force', '-o', out, *BOUND, *entry.options]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): return f'status {r.returncode}: {r.stderr[-300:]}'
    result = json.loads(r.stdout)
    faults = {(f['kind'], f['line']) for f in result['faults'] if 'maker' not in f}
    elsewhere = {(f['kind'], f['line']) for f in result['faults'] if 'maker' in f}
    left_out = {(f['kind'], f['line']) for f in result.get('left_out', [])}
    needs = {(f['kind'], f['line']) for f in result.get('needs', [])}
    if faults != entry.faults: return f'faults {text(faults)}, expected {text(entry.faults)}'
    if needs != entry.needs: return f'needs {text(needs)}, expected {text(entry.needs)}'
    passes = '; '.join(sorted(f['caller_passes'] for f in result.get('needs', [])))
    if entry.passes is not None and passes != '; '.join(sorted(entry.passes.split('; '))): return f'passes: {passes}'
    if elsewhere - entry.marks: return f'faults of makers {text(elsewhere - entry.marks)} are none'
    if left_out - entry.questions: return f'needs of makers {text(left_out - entry.questions)} are none'
    why = '' if result['complete'] else result['incomplete'][0]['text']
    if bool(why) != bool(entry.why) or not why.startswith(entry.why or ''): return f'incomplete: {why}'
    shape = '; '.join(sorted(c for c in result.get('complete_for', []) if c != 'all separate'))
    if shape != '; '.join(sorted((entry.shape or '').split('; ') if entry.shape else [])): return f'for: {shape}'
    if r.returncode != (1 if result['faults'] else 3 if entry.why else 0): return f'status {r.returncode}'
    bad = [f for f in result['faults'] if f['native'] != 'confirmed']
    if bad: return f'{bad[0]["kind"]}@{bad[0]["line"]}: {bad[0]["native"]}: {bad[0]["witness"]}'
    return None


def check_signature(sheaf, entry):
    """Of an entry whose arguments the program makes: `sheaf signature` calls the same functions and lists the same faults."""
    command = [sheaf, 'signature', entry.path, '--entry', entry.name, '-q', '--format', 'json', '--faults', 'all', *BOUND, *entry.options]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): return f'status {r.returncode}: {r.stderr[-300:]}'
    result = json.loads(r.stdout)
    own = [f for f in result['failing'] if f['ending'] == 'fault' and 'maker' not in f]
    places = lambda found: {(f['fault'], int(f['site'].split(':')[1])) for f in found}
    faults, needs = places(f for f in own if 'caller_passes' not in f), places(f for f in own if 'caller_passes' in f)
    if (result['complete'] and result['failing_complete']) == bool(entry.why): return 'incomplete' if not entry.why else 'complete'
    if faults != entry.faults: return f'faults {text(faults)}, expected {text(entry.faults)}'
    if needs != entry.needs: return f'needs {text(needs)}, expected {text(entry.needs)}'
    shape = '; '.join(sorted(c for c in result.get('complete_for', []) if c != 'all separate'))
    return None if shape == '; '.join(sorted(entry.shape.split('; '))) else f'for: {shape}'


def run(sheaf, files=None, pattern=''):
    """(passed, failed)"""
    passed = failed = 0
    for path in files or sorted(glob.glob(os.path.join(ROOT, 'tests/entries/*.c'))):
        for entry in read(path):
            if pattern not in entry.name: continue
            for explorer in ('full', 'dependence') + (('signature',) if ' made by ' in (entry.shape or '') else ()):
                with tempfile.TemporaryDirectory() as directory:
                    wrong = check_signature(os.path.abspath(sheaf), entry) if explorer == 'signature' else check(os.path.abspath(sheaf), entry, explorer, directory)
                passed, failed = passed + (wrong is None), failed + (wrong is not None)
                if wrong: print(f'FAIL {entry.name}: {os.path.relpath(path)}, {explorer}: {wrong}', flush=True)
    return passed, failed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--filter', default='')
    ap.add_argument('files', nargs='*')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.files, args.filter)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
