#!/usr/bin/env python3
"""Runs `sheaf prove` and `sheaf reach` on tests/prove. usage: proofs.py SHEAF [PROGRAM...]

The first line of a program says what is true of it: /* expect: proved */, /* expect: fails */ ask `prove` for any fault, /* expect: unreachable */,
/* expect: reached */ ask `reach --to reach_error`, for which abort is no fault. With "open" after it no answer is required.
A program that fails is never proved, one that does not is never refuted; what is expected must come out unless it is marked open. Of the true ones at
least 80 of 100 must be proved. Witnesses are read as what they claim to be."""
import concurrent.futures, glob, os, re, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
EXPECT = re.compile(r'/\* expect: (proved|fails|unreachable|reached)( open)? \*/')
STATUS = {'prove': {0: 'proved', 1: 'fails', 3: 'open'}, 'reach': {0: 'reached', 1: 'unreachable', 3: 'open'}}
TRUE = ('proved', 'unreachable')


def ask(sheaf, path, expected, seconds):
    command = 'prove' if expected in STATUS['prove'].values() else 'reach'
    more = ['--to', 'reach_error', '--no-replay'] if command == 'reach' else []
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run([sheaf, command, path, '--max-time', f'{seconds}s', '-o', os.path.join(out, 'o'), *more], capture_output=True, text=True, cwd=ROOT)
    return STATUS[command].get(done.returncode, f'status {done.returncode}'), done.stdout + done.stderr


def parsed(text):
    """YAML as witnesses are written: lists, maps, quoted strings, numbers. Each line is (indent, text)."""
    lines = [(len(l) - len(l.lstrip()), l.strip()) for l in text.splitlines() if l.strip()]

    def value(word):
        if word.startswith('"'):
            assert word.endswith('"') and len(word) > 1, word
            return re.sub(r'\\(.)', r'\1', word[1:-1])
        return [] if word == '[]' else int(word)

    def block(i, indent):
        if lines[i][1].startswith('- '):
            items = []
            while i < len(lines) and lines[i][0] == indent and lines[i][1].startswith('- '):
                if ': ' in lines[i][1] or lines[i][1].endswith(':'):
                    lines[i] = (indent + 2, lines[i][1][2:])
                    item, i = block(i, indent + 2)
                else:
                    item, i = value(lines[i][1][2:]), i + 1
                items.append(item)
            return items, i
        found = {}
        while i < len(lines) and lines[i][0] == indent and not lines[i][1].startswith('- '):
            key = re.match(r'("(?:[^"\\]|\\.)*"|[a-z_]+):(?: |$)', lines[i][1])
            assert key, lines[i]
            rest = lines[i][1][key.end():]
            if rest:
                found[key[1]], i = value(rest), i + 1
            else:
                found[key[1]], i = block(i + 1, lines[i + 1][0])
        return found, i

    tree, end = block(0, 0)
    assert end == len(lines), lines[end]
    return tree


def check_location(at):
    assert {'file_name', 'line', 'function'} <= set(at) <= {'file_name', 'line', 'column', 'function'} and at['line'] > 0, at


def check_witness(text, kind):
    """The keys that version 2.0 of the format demands, and no others."""
    (entry,) = parsed(text)
    assert set(entry) == {'entry_type', 'metadata', 'content'} and entry['entry_type'] == kind, entry
    meta = entry['metadata']
    assert set(meta) == {'format_version', 'uuid', 'creation_time', 'producer', 'task'} and meta['format_version'] == '2.0', meta
    assert re.fullmatch(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', meta['uuid']) and re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', meta['creation_time'])
    assert {'name', 'version'} <= set(meta['producer'])
    assert set(meta['task']) == {'input_files', 'input_file_hashes', 'specification', 'data_model', 'language'}
    assert all(re.fullmatch('[0-9a-f]{64}', h) for h in meta['task']['input_file_hashes'].values())
    assert {f'"{f}"' for f in meta['task']['input_files']} == set(meta['task']['input_file_hashes'])
    for item in entry['content']:
        if kind == 'invariant_set':
            assert set(item['invariant']) == {'type', 'location', 'value', 'format'} and item['invariant']['format'] == 'c_expression', item
            check_location(item['invariant']['location'])
            continue
        for way in item['segment']:
            w = way['waypoint']
            assert {'type', 'action', 'location'} <= set(w) and w['action'] == 'follow', w
            assert (w['type'] == 'target') == ('constraint' not in w) and w['type'] in ('target', 'function_return'), w
            check_location(w['location'])
    assert entry['content'] and (kind == 'invariant_set' or entry['content'][-1]['segment'][-1]['waypoint']['type'] == 'target')


WITNESSED = {'tests/prove/bound_kept.c': 'invariant_set', 'tests/prove/bound_lost.c': 'violation_sequence'}


def witnesses(sheaf, paths):
    passed = failed = 0
    for path, kind in WITNESSED.items():
        if not any(os.path.samefile(os.path.join(ROOT, path), p) for p in paths): continue
        with tempfile.TemporaryDirectory() as out:
            file = os.path.join(out, 'w.yml')
            subprocess.run([sheaf, 'prove', path, '--max-time', '60s', '-o', os.path.join(out, 'o'), '--witness', file], capture_output=True, cwd=ROOT)
            try:
                check_witness(open(file).read(), kind)
                passed += 1
            except (AssertionError, OSError, KeyError, ValueError, IndexError) as error:
                print(f'FAIL {path}: the witness is none: {error!r}')
                failed += 1
    return passed, failed


def expectation(path): return EXPECT.match(open(path).readline())


def run(sheaf, paths=None):
    """(passed, failed) of these programs; of all of them by default."""
    every = paths is None
    paths = sorted(glob.glob(os.path.join(ROOT, 'tests/prove/*.c'))) if every else paths
    passed, failed = witnesses(sheaf, paths)
    expected = {path: expectation(path) for path in paths}
    for path in [p for p in paths if not expected[p]]:
        print(f'FAIL {os.path.relpath(path, ROOT)}: the first line says nothing about what to expect')
        failed += 1
    known = [p for p in paths if expected[p]]
    true = proved = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # time for an answer that is not demanded is short
        answers = pool.map(lambda p: ask(sheaf, p, expected[p][1], 5 if expected[p][2] else 60), known)
    for path, (answer, text) in zip(known, answers):
        match = expected[path]
        if answer == 'open' and not match[2]:                # the limit is wall time: once more, with nothing else running
            answer, text = ask(sheaf, path, match[1], 60)
        ok = answer == match[1] or (answer == 'open' and match[2] is not None)
        passed, failed = passed + ok, failed + (not ok)
        true, proved = true + (match[1] in TRUE), proved + (match[1] in TRUE and answer == match[1])
        if not ok:
            print(f'FAIL {os.path.relpath(path, ROOT)}: expected {match[1]}{match[2] or ""}, got {answer}\n{text}')
    if every and proved * 100 < true * 80:
        print(f'FAIL tests/prove: only {proved} of {true} true programs were proved')
        failed += 1
    print(f'{proved} of {true} true programs proved')
    return passed, failed


def main():
    passed, failed = run(os.path.abspath(sys.argv[1]), sys.argv[2:] or None)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
