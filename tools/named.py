#!/usr/bin/env python3
"""Checks that the files which the documents name exist.

usage: named.py [FILE.md...]      default: README.md, ARCHITECTURE.md, CONTRIBUTING.md, docs/*.md, tests/oracle/README.md

A document names a file in backquotes (`src/expr/expr.h`, or `vm/core/step.inc` for what is below src/; `*` as in a shell) or as the target of
a link. Blocks of code are left out, and so are words with a part in capitals (`cmd_NAME.c`), which stand for any name. Each name
of a file that does not exist is one line; exit status 1 if there is any.
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = ('src', 'tests', 'tools', 'docs', 'runtime', 'bench', 'examples', 'include')
NAME = re.compile(r'`([\w.*-]+(?:/[\w.*-]+)+/?)`')
LINK = re.compile(r'\]\(([^)\s#]+)(?:#[^)]*)?\)')


def default_files():
    return [p for p in [ROOT / 'README.md', ROOT / 'ARCHITECTURE.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').glob('*.md')),
                        ROOT / 'tests/oracle/README.md'] if p.exists()]


def below(name):
    """The directory that a name in backquotes is meant below, or None if it is no name of a file."""
    first = name.split('/')[0]
    if re.search(r'[A-Z]{2}', re.sub(r'(README|ARCHITECTURE|CONTRIBUTING)\.md', '', name)): return None
    if first in TOP: return ROOT
    return ROOT / 'src' if (ROOT / 'src' / first).is_dir() else None


def missing(path):
    """(number of names, [what is wrong])"""
    count, wrong, in_block = 0, [], False
    for number, line in enumerate(path.read_text(encoding='utf-8').split('\n'), 1):
        if line.startswith('```'): in_block = not in_block
        if in_block or line.startswith('    '): continue
        named = [(below(n), n.rstrip('/')) for n in NAME.findall(line)]
        named += [(path.parent, n) for n in LINK.findall(line) if '://' not in n]
        for place, name in named:
            if place is None: continue
            count += 1
            if not any(place.glob(name)) if '*' in name else not (place / name).exists():
                wrong.append(f'{path.name}:{number}: names {name}, which does not exist')
    return count, wrong


def main():
    files = [pathlib.Path(f).resolve() for f in sys.argv[1:]] or default_files()
    found = [missing(f) for f in files]
    wrong = [w for _, list_ in found for w in list_]
    print('\n'.join(wrong) if wrong else f'{sum(n for n, _ in found)} names of files, all there')
    return 1 if wrong else 0


if __name__ == '__main__': sys.exit(main())
