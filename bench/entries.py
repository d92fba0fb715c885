#!/usr/bin/env python3
"""Public functions of libraries as entries: for how many is the answer complete, what is found, and of whom is it?

usage: entries.py --sheaf PATH [--time SECONDS] [--names] [--table FILE]

Three libraries from Debian's source packages, fetched when this runs; every function with parameters that the header declares, called with --shape types
and with --shape bytes, --time seconds each. Lines are those that each function can execute, of all functions together. A table in Markdown goes to standard output; --table replaces the one in a document. --names
says on standard error what became of each function."""
import argparse, collections, json, os, re, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reach

# name, source package, files of it, header
LIBRARIES = [('cJSON', 'cjson', ['cJSON.c'], 'cJSON.h'), ('libcsv', 'libcsv', ['libcsv.c'], 'csv.h'), ('utf8proc', 'utf8proc', ['utf8proc.c'], 'utf8proc.h')]


def public(header):
    """Names of functions with parameters that it declares."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|^\s*#(?:[^\n]*\\\n)*[^\n]*', '', open(header, encoding='utf-8', errors='replace').read(), flags=re.S | re.M)
    found = re.findall(r'\b(\w+)\s*\(((?:[^();]|\([^()]*\))*)\)\s*;', text)
    return list(dict.fromkeys(name for name, parameters in found if parameters.strip() not in ('', 'void') and '(' not in name))


def answer(args, words, name, shape):
    with tempfile.TemporaryDirectory() as scratch:
        command = [args.sheaf, 'test', *words, '--entry', name, '--shape', shape, '--max-time', f'{args.time}s', '-q', '--no-replay', '--format', 'json', '-o', os.path.join(scratch, 'out')]
        done = subprocess.run(command, cwd=reach.ROOT, capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode in (0, 1, 3) and done.stdout.strip() else None


def row(args, library, words, names, shape):
    n, complete, faults, needs, reasons, lines = 0, 0, 0, 0, collections.Counter(), [0, 0]
    for name in names:
        result = answer(args, words, name, shape)
        if result is None: continue                                        # a macro, a type, or declared and not defined
        n += 1
        complete += result['complete']
        faults, needs = faults + len(result['faults']), needs + len(result.get('needs', []))
        reasons.update({e['kind'] for e in result['incomplete']})
        lines = [lines[0] + result['coverage']['lines_covered'], lines[1] + result['coverage']['lines']]
        if args.names: print(shape, name, 'complete' if result['complete'] else ' '.join(sorted({e['kind'] for e in result['incomplete']})), *result.get('complete_for', []),
                             *(f'{f["kind"]}@{f["line"]}' for f in result['faults']), sep='; ', file=sys.stderr)
    why = ', '.join(f'{kind} {count}' for kind, count in reasons.most_common(4))
    return f'| {library} | {shape} | {n} | {complete} ({100 * complete // n if n else 0} %) | {faults} | {needs} | {100 * lines[0] // lines[1] if lines[1] else 0} % | {why or "none"} |'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--time', type=int, default=5)
    ap.add_argument('--names', action='store_true')
    ap.add_argument('--table')
    args = ap.parse_args()
    args.sheaf, scratch = os.path.abspath(args.sheaf), tempfile.mkdtemp()
    lines = [f'| library | shape | functions | complete in {args.time} s | faults | needs | lines | open, why |', '|---|---|---|---|---|---|---|---|']
    for library, package, files, header in LIBRARIES:
        directory = reach.fetch(package, scratch)
        if directory is None:
            lines.append(f'| {library} | the source package could not be fetched | | | | | | |')
            continue
        names = public(os.path.join(directory, header))
        for shape in ('types', 'bytes'):
            lines.append(row(args, library, [*(os.path.join(directory, f) for f in files), '-I', directory], names, shape))
            print(lines[-1], file=sys.stderr)
    shutil.rmtree(scratch)
    print('\n'.join(lines))
    if args.table:
        text = open(args.table).read()
        open(args.table, 'w').write(re.sub(r'(?:^\|[^\n]*\n)+\Z', lambda _: '\n'.join(lines) + '\n', text, flags=re.M))


if __name__ == '__main__': main()
