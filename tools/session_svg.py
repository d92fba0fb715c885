#!/usr/bin/env python3
"""Draws a session of the command line as a picture of a terminal: docs/session.svg, at the top of README.md.

usage: session_svg.py [--build DIR] [--check] FILE.svg

The commands run in a scratch directory that holds the examples. What they print goes into the picture, except for times. With --check
nothing is written: the status is 1 if the file holds another text than these commands print today. How many paths were run, and the number of a
test, depend on the order of exploration and are not compared. `make session` draws the picture anew.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile
from xml.sax.saxutils import escape

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), '..'))
COMMANDS = ['sheaf test stackvm.c --sym-stdin 4', 'sheaf replay stackvm.c sheaf-out', 'sheaf signature fee.c --entry fee']
COLUMNS, CELL, LINE, MARGIN, BAR = 104, 7.83, 19, 18, 30
PAPER, INK, DIM, RED, GREEN, BLUE = '#10151c', '#d7dde4', '#8794a3', '#ff7b72', '#7ee787', '#79c0ff'


def run_session(build):
    """[(is it a command?, line)]"""
    env = dict(os.environ, LC_ALL='C.UTF-8')
    if build: env['PATH'] = os.path.abspath(build) + os.pathsep + env['PATH']
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        for name in os.listdir(os.path.join(ROOT, 'examples')):
            if name.endswith(('.c', '.h')): shutil.copy(os.path.join(ROOT, 'examples', name), directory)
        for command in COMMANDS:
            done = subprocess.run(command.split(), cwd=directory, env=env, stdin=subprocess.DEVNULL, timeout=300,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text = re.sub(r', \d+\.\d+ s\)', ')', done.stdout.decode('utf-8', 'replace'))
            if directory in text: sys.exit(f'session_svg: a path of this machine would be in the picture: {command}')
            lines += [(True, command), *((False, line) for line in text.rstrip('\n').split('\n')), (False, '')]
    return lines[:-1]


def wrap(lines):
    """Lines that do not fit go on in the next one, as in a terminal."""
    for is_command, line in lines:
        width = COLUMNS - (2 if is_command else 0)
        yield is_command, line[:width]
        for at in range(width, len(line), COLUMNS): yield False, line[at:at + COLUMNS]


def spans(is_command, line):
    """[(colour, text)]"""
    if is_command: return [(GREEN, '$ '), (INK, line)]
    for pattern, colour in ((r'FAULT', RED), (r'confirmed', RED), (r'complete\b.*', GREEN), (r'.*\(complete\b.*', GREEN)):
        found = re.match(pattern, line)
        if found: return [(colour, line[:found.end()]), (INK, line[found.end():])]
    found = re.match(r'( +when )(.*?)( +returns )(.*)', line)
    if found: return [(DIM, found[1]), (BLUE, found[2]), (DIM, found[3]), (INK, found[4])]
    return [(INK, line)]


def draw(lines):
    lines = list(wrap(lines))
    width, height = int(COLUMNS * CELL + 2 * MARGIN), BAR + len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
           '<title>A session with sheaf</title>',
           f'<rect width="{width}" height="{height}" rx="9" fill="{PAPER}"/>']
    out += [f'<circle cx="{MARGIN + 4 + 20 * i}" cy="{BAR // 2 + 4}" r="6" fill="{colour}"/>' for i, colour in enumerate((RED, '#e3b341', GREEN))]
    out += ['<g font-family="DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace" font-size="13" xml:space="preserve">']
    y = BAR + MARGIN + 6
    for is_command, line in lines:
        at = 0
        for colour, text in spans(is_command, line):
            shown = text.strip(' ')
            if shown:
                x = MARGIN + CELL * (at + len(text) - len(text.lstrip(' ')))
                out.append(f'<text x="{x:g}" y="{y}" fill="{colour}" textLength="{CELL * len(shown):g}">{escape(shown)}</text>')
            at += len(text)
        y += LINE
    return '\n'.join(out + ['</g>', '</svg>', ''])


def texts(picture):
    return [re.sub(r'\d+( paths)|(tests/)\d+', r'N\1\2', text) for text in re.findall(r'<text [^>]*>([^<]*)</text>', picture)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', help='directory of the sheaf to run; else the one in PATH')
    ap.add_argument('--check', action='store_true')
    ap.add_argument('file')
    args = ap.parse_args()
    picture = draw(run_session(args.build))
    if not args.check:
        with open(args.file, 'w', encoding='utf-8') as f: f.write(picture)
        return 0
    with open(args.file, encoding='utf-8') as f: same = texts(f.read()) == texts(picture)
    print(f'{args.file} shows what Sheaf prints' if same else f'{args.file} shows another text than Sheaf prints now: make session')
    return 0 if same else 1


if __name__ == '__main__': sys.exit(main())
