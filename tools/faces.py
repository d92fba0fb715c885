#!/usr/bin/env python3
"""Functions of a face that no other module calls.

usage: faces.py [--list] [MODULE]...

The face of a module is src/MODULE/MODULE.h with the headers of the module that it includes. A function there that only the module itself, or a
test, calls belongs into a private header. Prints one line for each such function; exit status 1 if there is any. --list counts those of each face.
"""
import pathlib, re, sys

sys.dont_write_bytecode = True
import layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / 'src'
DECLARED = re.compile(r'^(?:static inline )?(?:const |struct |unsigned |enum )*\w+(?: const)?[ \*]+(\w+)\(', re.M)
# What uses faces as a module does.
OTHERS = ('bench', 'runtime')
PROGRAMS = {'solver/sheaf_solve.c'}          # files of a module that are a program of their own: they use its face
LIBRARY = {'base'}                           # containers are whole, used or not


def text_of(path): return layers.without_comments(path.read_text(encoding='utf-8', errors='replace'))


def face_files(module, name=None, seen=None):
    """The face, and what it includes of its own module."""
    seen = seen if seen is not None else set()
    path = SRC / (name or f'{module}/{module}.h')
    if path in seen or not path.exists(): return seen
    seen.add(path)
    for include in re.findall(rf'#include "({module}/[\w/]+\.h)"', text_of(path)): face_files(module, include, seen)
    return seen


def functions(module): return {name for path in face_files(module) for name in DECLARED.findall(text_of(path))}


def words_outside(module):
    words = set()
    for root in [SRC / m for m in layers.ORDER] + [ROOT / d for d in OTHERS]:
        for path in root.rglob('*'):
            if root == SRC / module and path.relative_to(SRC).as_posix() not in PROGRAMS: continue
            if path.suffix in ('.c', '.h', '.def', '.inc'): words.update(re.findall(r'\w+', text_of(path)))
    return words


def main(arguments):
    wanted = [a for a in arguments if a != '--list'] or [m for m in layers.ORDER if m != 'cli' and m not in LIBRARY]
    found = 0
    for module in wanted:
        names = functions(module)
        unused = sorted(names - words_outside(module))
        # a function that an inline one of the face calls is part of it
        bodies = ' '.join(body for path in face_files(module) for body in re.findall(r'\n\{\n(.*?)\n\}', text_of(path), re.S) + re.findall(r'\{ (.*?) \}', text_of(path)))
        unused = [n for n in unused if not re.search(rf'\b{n}\(', bodies)]
        if '--list' in arguments: print(f'{module}: {len(names)} functions, {len(unused)} of them called by no other module')
        for name in unused: print(f'src/{module}: {name} is in the face, and no other module calls it')
        found += len(unused)
    return 1 if found else 0


if __name__ == '__main__': sys.exit(main(sys.argv[1:]))
