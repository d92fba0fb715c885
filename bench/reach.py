#!/usr/bin/env python3
"""Branch outcomes that forward exploration leaves untaken, handed to `sheaf reach`: how many are reached, proved impossible, open?

usage: reach.py --sheaf PATH [--forward SECONDS] [--reach SECONDS] [--own] [--table FILE]

Programs of our own, and three libraries from Debian's source packages, fetched when this runs (not with --own). A table in Markdown
goes to standard output; --table replaces the one in a document."""
import argparse, glob, json, os, re, shutil, subprocess, sys, tarfile, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
OWN = [('tokenizer', ['bench/explore/tokenizer.c', '--sym-stdin', '6']), ('scheduler', ['bench/explore/scheduler.c', '--sym-stdin', '8']),
       ('substitute', ['bench/explore/substitute.c', '--sym-args', '2', '2', '3', '--sym-stdin', '4']), ('markup', ['bench/dependence/markup.c', '-DLENGTH=12'])]
# name, source package, files of it, harness
FOREIGN = [('cJSON', 'cjson', ['cJSON.c'], 'json.c'), ('libcsv', 'libcsv', ['libcsv.c'], 'csv.c'), ('jsmn', 'jsmn', [], 'jsmn.c')]


def apt(options, *words): return subprocess.run(['apt-get', '-qq', *options, *words], capture_output=True, text=True)


def fetch(package, directory):
    """The unpacked sources of a Debian package, by package lists of our own: those of the machine stay as they are. None if it cannot be had."""
    for name in ('parts', 'lists/partial', 'cache/archives/partial'):
        os.makedirs(os.path.join(directory, name), exist_ok=True)
    for path in glob.glob('/etc/apt/sources.list.d/*.sources'):
        text = open(path).read()
        open(os.path.join(directory, 'parts', os.path.basename(path)), 'w').write(re.sub(r'^Types:.*$', 'Types: deb-src', text, flags=re.M))
    options = [f'-oDir::Etc::sourceparts={directory}/parts', '-oDir::Etc::sourcelist=/dev/null', f'-oDir::State::lists={directory}/lists', f'-oDir::Cache={directory}/cache']
    if not glob.glob(os.path.join(directory, 'lists', '*Sources*')):
        apt(options, 'update')
    subprocess.run(['apt-get', '-qq', *options, 'source', '--download-only', package], cwd=directory, capture_output=True)
    for path in glob.glob(os.path.join(directory, f'{package}_*.orig.tar.*')):
        with tarfile.open(path) as archive:
            archive.extractall(directory, filter='data')
            return os.path.join(directory, archive.getnames()[0].split('/')[0])
    return None


def run(sheaf, *words):
    done = subprocess.run([sheaf, *words], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def row(args, name, words):
    with tempfile.TemporaryDirectory() as scratch:
        program, rest = (words[:words.index('--')], words[words.index('--'):]) if '--' in words else (words, [])
        tests = os.path.join(scratch, 'tests')
        status, _, error = run(args.sheaf, 'test', *program, '--max-time', f'{args.forward}s', '-o', tests, '--quiet', '--no-replay', *rest)
        if status == 2:
            return f'| {name} | {error.strip()} | | | |'
        status, out, error = run(args.sheaf, 'reach', *program, '--to', 'uncovered', '--tests', tests, '--max-time', f'{args.reach}s', '--format', 'json',
                                 '-o', os.path.join(scratch, 'reach'), *rest)
        if status == 2:
            return f'| {name} | {error.strip()} | | | |'
        targets = json.loads(out)['targets'] if out.strip() else []
        count = lambda word: sum(t['status'] == word for t in targets)
        return f'| {name} | {len(targets)} | {count("reached")} | {count("unreachable")} | {count("open")} |'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--forward', type=int, default=10)
    ap.add_argument('--reach', type=int, default=60)
    ap.add_argument('--own', action='store_true')
    ap.add_argument('--table')
    args = ap.parse_args()
    args.sheaf = os.path.abspath(args.sheaf)
    lines = [f'| program | untaken after {args.forward} s | reached | proved impossible | open |', '|---|---|---|---|---|']
    for name, words in OWN:
        lines.append(row(args, name, words))
        print(lines[-1], file=sys.stderr)
    scratch = tempfile.mkdtemp()
    for name, package, files, harness in [] if args.own else FOREIGN:
        directory = fetch(package, scratch)
        if directory is None:
            lines.append(f'| {name} | the source package could not be fetched | | | |')
        else:
            lines.append(row(args, name, [f'bench/reach/{harness}', *(os.path.join(directory, f) for f in files), '-I', directory]))
        print(lines[-1], file=sys.stderr)
    shutil.rmtree(scratch)
    table = '\n'.join(lines)
    print(table)
    if args.table:
        text = open(args.table).read()
        begin, end = '<!-- reach -->\n', '\n<!-- /reach -->'
        open(args.table, 'w').write(text[:text.index(begin) + len(begin)] + table + text[text.index(end):])
    return 0


if __name__ == '__main__':
    sys.exit(main())
