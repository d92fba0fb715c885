#!/usr/bin/env python3
"""Runs the programs of tests/libc on the models of libc without Sheaf's machine, and compares with the real libc.

usage: run.py --llvm MAJOR --runtime RUNTIME.bc [--filter TEXT] [--keep DIRECTORY]

A program NAME.c (with NAME.in as its standard input and NAME.args as its arguments, one a line) is built twice: as it
is, and with every function that the runtime defines taken from there. Both must print the same bytes to standard output
and standard error and end with the same status. tools/difftest.py runs the same programs on the machine; a difference
there and none here is the machine's.
"""
import argparse, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.dirname(HERE)
TIMEOUT = 120            # a hang must not hang the suite; it is not a speed limit


def build(options, scratch, source):
    name = os.path.join(scratch, os.path.basename(source)[:-2])
    clang, flags = f'clang-{options.llvm}', ['-O0', '-w', '-fno-builtin']
    subprocess.run([clang, *flags, source, '-o', name + '.native', '-lm'], check=True)
    subprocess.run([clang, *flags, '-emit-llvm', '-c', source, '-o', name + '.bc'], check=True)
    rename(options, name + '.bc', name + '.rt.bc')
    parts = [os.path.join(scratch, part) for part in ('runtime.rt.o', 'host.o')]
    subprocess.run([clang, '-w', name + '.rt.bc', *parts, '-o', name + '.hosted', '-lm'], check=True)
    return name + '.native', name + '.hosted'


def rename(options, source, output):
    script = os.path.join(HERE, 'rename.py')
    subprocess.run([sys.executable, script, options.llvm, options.runtime, source, output], check=True)


def run(program, source):
    base = source[:-2]
    args = open(base + '.args').read().splitlines() if os.path.exists(base + '.args') else []
    stdin = open(base + '.in', 'rb').read() if os.path.exists(base + '.in') else b''
    environment = {'TZ': 'UTC', 'HOME': '/nowhere', 'ANSWER': '42'}
    done = subprocess.run(['program', *args], executable=program, input=stdin, capture_output=True, timeout=TIMEOUT,
                          env=environment)
    return done.returncode, done.stdout, done.stderr


def first_difference(a, b):
    for number, (x, y) in enumerate(zip(a.splitlines() + [b'<end>'], b.splitlines() + [b'<end>']), 1):
        if x != y:
            return f'line {number}: native {x!r}, ours {y!r}'
    return 'none'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--llvm', required=True)
    parser.add_argument('--runtime', required=True)
    parser.add_argument('--filter', default='')
    parser.add_argument('--keep')
    options = parser.parse_args()
    failed = passed = 0
    with tempfile.TemporaryDirectory() as temporary:
        scratch = options.keep or temporary
        os.makedirs(scratch, exist_ok=True)
        renamed = os.path.join(scratch, 'runtime.rt.bc')
        rename(options, options.runtime, renamed)
        for source, output in ((renamed, 'runtime.rt.o'), (os.path.join(HERE, 'host.c'), 'host.o')):
            subprocess.run([f'clang-{options.llvm}', '-w', '-O1', '-D_GNU_SOURCE', '-c', source, '-o',
                            os.path.join(scratch, output)], check=True)
        for name in sorted(os.listdir(PROGRAMS)):
            if not name.endswith('.c') or options.filter not in name:
                continue
            source = os.path.join(PROGRAMS, name)
            native, hosted = (run(p, source) for p in build(options, scratch, source))
            if native == hosted:
                passed += 1
                continue
            failed += 1
            print(f'{name}: status {native[0]} and {hosted[0]}; output {first_difference(native[1], hosted[1])}; '
                  f'messages {first_difference(native[2], hosted[2])}')
    print(f'{passed} programs agree, {failed} do not')
    return 1 if failed else 0


sys.exit(main())
