#!/usr/bin/env python3
"""Gives the symbols of the runtime names of their own, so that it can be linked beside the real libc.

usage: rename.py LLVM-MAJOR RUNTIME.bc INPUT.bc OUTPUT.bc

What RUNTIME.bc defines is called rt_NAME in OUTPUT.bc; INPUT.bc is the runtime itself or a program that uses it. A
program's main becomes rt_main. The rename happens in LLVM's IR and not in the object file: there llvm.memcpy, out of
which the runtime's memcpy is made, has become a call of memcpy, which must stay the real one.
"""
import re, shutil, subprocess, sys


def tool(name, major):
    return shutil.which(f'{name}-{major}') or f'/usr/lib/llvm-{major}/bin/{name}'


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, **more).stdout


def main():
    major, runtime, source, output = sys.argv[1:]
    symbols = run(tool('llvm-nm', major), '--defined-only', '--extern-only', runtime, text=True)
    ours = {line.split()[-1] for line in symbols.splitlines() if line.strip()} | {'main'}
    text = run(tool('llvm-dis', major), source, '-o', '-', text=True)

    def rename(match):
        return match.group(1) + 'rt_' + match.group(2) if match.group(2) in ours else match.group(0)
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        if not line.lstrip().startswith(('!', 'source_filename')):
            lines[i] = re.sub(r'(@)([A-Za-z_][\w$.]*)', rename, line)
    text = ''.join(lines)
    run(tool('llvm-as', major), '-', '-o', output, input=text, text=True)


main()
