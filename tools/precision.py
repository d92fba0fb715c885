#!/usr/bin/env python3
"""How sharp labels are: decisions in a decision's label.

usage: precision.py --sheaf BINARY [--table FILE] [--check FILE]

Asks `sheaf dump --what labels` for each program of the list below and prints a table (Markdown): decisions in a decision's label, averaged over
the decisions of one run on the input that is 0 everywhere; `-` where that run has no decisions. --table writes it to FILE; --check compares
with FILE and fails where a program's labels have grown.
"""
import argparse, os, re, shlex, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PROGRAMS = ['tests/explore/' + name + '.c' for name in (
    'binary_search bit_count brackets bubble_sort comment_machine crc_bits date digits double_free function_table hash_probe hash_table '
    'header_bits index_write list_sorted matrix_index palindrome ring_buffer stack_machine switch_shared tree_insert triangle '
    'use_after_free utf8').split()] + ['examples/' + name + '.c' for name in 'queue stackvm wordcount'.split()]

# Programs in which nothing need be combined with anything but its own check: n parts unrolled, as a loop, through a helper.
PARTS = 8
HEAD = '#include <assert.h>\n#include <sheaf.h>\n'
MADE = {
    'parts, unrolled': HEAD + 'int main(void)\n{\n    unsigned char in[%d];\n    sheaf_symbolic(in, sizeof in, "in");\n    int v;\n%s    return 0;\n}\n'
        % (PARTS, ''.join(f'    if (in[{i}] > 3) v = 1; else v = 2;\n    assert(v != 3);\n' for i in range(PARTS))),
    'parts, a loop': HEAD + 'int main(void)\n{\n    unsigned char in[%d];\n    sheaf_symbolic(in, sizeof in, "in");\n    for (int i = 0; i < %d; i++) {\n'
        '        int v;\n        if (in[i] > 3) v = 1; else v = 2;\n        assert(v != 3);\n    }\n    return 0;\n}\n' % (PARTS, PARTS),
    'parts, a helper': HEAD + 'static void part(int x)\n{\n    int v;\n    if (x > 3) v = 1; else v = 2;\n    assert(v != 3);\n}\nint main(void)\n{\n'
        '    unsigned char in[%d];\n    sheaf_symbolic(in, sizeof in, "in");\n%s    return 0;\n}\n'
        % (PARTS, ''.join(f'    part(in[{i}]);\n' for i in range(PARTS))),
    'parts that print': '#include <stdio.h>\n' + HEAD + 'int main(void)\n{\n    unsigned char in[%d];\n    sheaf_symbolic(in, sizeof in, "in");\n    int v;\n%s    return 0;\n}\n'
        % (PARTS, ''.join(f'    if (in[{i}] > 3) v = 1, puts("more"); else v = 2, printf("%d\\n", in[{i}]);\n    assert(v != 3);\n' for i in range(PARTS))),
    'parts, a helper with pointers': HEAD + 'static void part(int x, int *v)\n{\n    if (x > 3) *v = 1; else *v = 2;\n}\nint main(void)\n{\n'
        '    unsigned char in[%d];\n    int v, w[%d];\n    sheaf_symbolic(in, sizeof in, "in");\n%s    return 0;\n}\n'
        % (PARTS, PARTS, ''.join(f'    part(in[{i}], &{"v" if i % 2 else f"w[{i}]"});\n    assert({"v" if i % 2 else f"w[{i}]"} != 3);\n' for i in range(PARTS))),
}


def cflags(path):
    flags = re.search(r'^// cflags: (.*)$', open(path).read(), re.M)
    return shlex.split(flags.group(1)) if flags else []


def entry(path):
    """Programs that are explored from a function of theirs are analysed from it."""
    options = re.search(r'^// options: (.*)$', open(path).read(), re.M)
    words = shlex.split(options.group(1)) if options else []
    return [w for i, w in enumerate(words) if w.startswith('--entry') or (i and words[i - 1] == '--entry')]


def size_of(label):
    """Members of "0-3 7"."""
    parts = [p.split('-') for p in re.findall(r'\d+(?:-\d+)?', label)]
    return sum(int(p[-1]) - int(p[0]) + 1 for p in parts)


def label_size(sheaf, path):
    """Examples have no line with options; those that read standard input are given four bytes, as in README.md."""
    options = re.search(r'^// options: (.*)$', open(path).read(), re.M)
    stdin = re.search(r'--sym-stdin[ =](\d+)', options.group(1) if options else '--sym-stdin 4' if '/examples/' in path else '')
    command = [sheaf, 'dump', '--what', 'labels', *entry(path), *(['--sym-stdin', stdin.group(1)] if stdin else []), *cflags(path), path]
    r = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if r.returncode: raise SystemExit(f'{shlex.join(command)}: {r.stderr.strip()}')
    labels = re.findall(r'^ *\d+  .*\{([^{}]*)\}$', r.stdout, re.M)
    return sum(map(size_of, labels)) / len(labels) if labels else None


def rows(sheaf):
    for path in PROGRAMS:
        yield path, label_size(sheaf, os.path.join(ROOT, path))
    with tempfile.TemporaryDirectory() as directory:
        for name, text in MADE.items():
            path = os.path.join(directory, 'made.c')
            with open(path, 'w') as f: f.write(text)
            yield f'{PARTS} {name}', label_size(sheaf, path)


def table(sheaf):
    out = ['# How many decisions are in a label', '',
           'Written by `make precision`: of one run on the input that is 0 everywhere, the average size of a decision\'s label. What a label leaves out, the',
           'explorer `dependence` need not combine. `make check` fails where a number has grown.', '',
           '| program | decisions in a label |', '|---|---|']
    for name, label in rows(sheaf): out.append(f'| {name} | {"-" if label is None else f"{label:.1f}"} |')
    return '\n'.join(out) + '\n'


def read_table(text):
    """Program to the size of its labels."""
    return {m[1]: 0 if m[2] == '-' else float(m[2]) for m in re.finditer(r'^\| (.+?) \| (-|[0-9.]+) \|$', text, re.M)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sheaf', required=True)
    parser.add_argument('--table')
    parser.add_argument('--check')
    args = parser.parse_args()
    text = table(os.path.abspath(args.sheaf))
    if args.table:
        with open(args.table, 'w') as f: f.write(text)
    elif not args.check:
        print(text, end='')
    if args.check:
        with open(args.check) as f: before = read_table(f.read())
        now = read_table(text)
        worse = [f'{name}: labels had {before[name]} decisions, now {now[name]}' for name in now if now[name] > before.get(name, now[name])]
        worse += [f'{name}: not in {args.check}' for name in now if name not in before]
        for line in worse: print(line)
        print(f'{len(now) - len(worse)} passed, {len(worse)} failed')
        return bool(worse)


if __name__ == '__main__':
    sys.exit(main())
