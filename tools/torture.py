#!/usr/bin/env python3
"""gcc's execute tests on Sheaf's machine, against the native program.

usage: torture.py --sheaf BINARY --llvm MAJOR [--table FILE] [--jobs N] [--filter TEXT] [--sample K]

The programs come from Debian's gcc-12-source (they are not part of this repository). A program counts if clang compiles
it at -O0 and the native binary exits with 0; it passes if `sheaf run` exits with 0 as well. --table rewrites the result page.
--sample K takes every K-th program, for a quick look. Exits with 1 when fewer than 99 % pass.
"""
import argparse, collections, concurrent.futures, glob, os, re, subprocess, sys, tempfile

ARCHIVE = '/usr/src/gcc-12/gcc-12*.tar.xz'
INSIDE = '*/gcc/testsuite/gcc.c-torture/execute'
# clang 16 and later refuse what gcc's old programs do, unless told that it is fine.
LENIENT = ['-w', '-fgnu89-inline', '-Wno-implicit-function-declaration', '-Wno-implicit-int', '-Wno-int-conversion',
           '-Wno-return-type', '-Wno-incompatible-function-pointer-types', '-Wno-deprecated-non-prototype']
# Options of gcc's that clang does not know are left out; these are the ones it knows and a program may depend on.
KNOWN = re.compile(r'-(f(no-)?(wrapv|gnu89-inline|strict-overflow|builtin-\w+|inline|common|fast-math|finite-math-only'
                   r'|instrument-functions|signed-char|unsigned-char|pic|trapping-math|math-errno)|std=\w+|D\w+(=\w+)?|O\d?)$')


# Why a program cannot pass; a failure that is not here is a bug.
REASONS = {
    '20101011-1.c': 'divides by zero on purpose and expects SIGFPE; Sheaf reports the fault',
    '990413-2.c': 'x87 inline assembly',
    'bcp-1.c': 'reads far outside a string literal on purpose; Sheaf reports the fault',
    'frame-address.c': 'compares addresses of frames',
    'pr64242.c': '__builtin_longjmp through a buffer that it overwrites by hand',
    'pr84169.c': 'a product of integers of 129 bits',
}


def unpack(directory):
    archives = sorted(glob.glob(ARCHIVE))
    if not archives: sys.exit('torture: Debian package gcc-12-source is not installed')
    subprocess.run(['tar', 'xf', archives[-1], '-C', directory, '--wildcards', INSIDE, '--strip-components=4'], check=True)
    return os.path.join(directory, 'execute')


def options_of(path):
    with open(path, encoding='latin-1') as f: text = f.read()
    words = []
    for m in re.finditer(r'dg-(?:additional-)?options\s+[{]?\s*"([^"]*)"\s*[}]?\s*(\{ target[^}]*)?', text):
        if m.group(2) and 'x86_64' not in m.group(2): continue
        words += m.group(1).split()
    if os.path.exists(path[:-2] + '.x'):
        with open(path[:-2] + '.x', encoding='latin-1') as f:
            for m in re.finditer(r'^\s*(?:set|lappend) additional_flags "?([^"\n]*)"?\s*$', f.read(), re.M): words += m.group(1).split()
    return [w for w in words if KNOWN.match(w) and not w.startswith('-O')]


def programs(root):
    for path in sorted(glob.glob(root + '/**/*.c', recursive=True)):
        relative = os.path.relpath(path, root)
        if relative.endswith('-lib.c') or '/lib/' in relative: continue
        sources = [path]
        if relative.startswith('builtins/'): sources += [path[:-2] + '-lib.c', root + '/builtins/lib/main.c']
        yield relative, sources


def execute(command, cwd, seconds):
    try:
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
        return done.returncode, done.stderr.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        return None, 'timed out'


def try_program(item, sheaf, clang):
    """('skipped', why) | ('passed', '') | ('failed', why)"""
    name, sources = item
    flags = LENIENT + options_of(sources[0])
    with tempfile.TemporaryDirectory() as directory:
        status, err = execute([clang, '-O0', *flags, *sources, '-o', 'native', '-lm'], directory, 60)
        if status != 0:
            said = re.search(r'error: (.*)', err)
            return 'skipped', 'clang: ' + (said.group(1) if said else 'link fails')
        status, err = execute(['./native'], directory, 20)
        if status != 0: return 'skipped', f'native status {status}'
        # Where the program is compiled with other options than the environment's, sheaf gets the same ones.
        status, err = execute([sheaf, 'run', *flags, *sources], directory, 300)
        if status == 0: return 'passed', ''
        lines = [l for l in err.strip().splitlines() if l.strip()]
        said = (lines[0] if lines else f'status {status}').replace(os.path.dirname(sources[0]) + '/', '')[:160]
        return 'failed', f'{said} ({REASONS[name]})' if name in REASONS else said


def table(results, llvm):
    groups = collections.OrderedDict((g, collections.Counter()) for g in ('execute', 'execute/ieee', 'execute/builtins'))
    for name, (what, _) in results.items():
        groups['execute/' + os.path.dirname(name) if os.path.dirname(name) else 'execute'][what] += 1
    out = ['# Conformance', '',
           f'`make torture` runs the programs of gcc\'s `gcc.c-torture/execute` (Debian package `gcc-12-source`) on the machine.',
           'A program counts if clang compiles it and the native binary, at -O0, exits with 0. This page is what the command wrote '
           f'with LLVM {llvm}.', '',
           '| directory | programs | pass natively | pass on the machine | share |', '|---|---|---|---|---|']
    total = collections.Counter()
    for group, c in list(groups.items()) + [('all', total)]:
        native = c['passed'] + c['failed']
        out.append(f"| {group} | {sum(c.values())} | {native} | {c['passed']} | {100 * c['passed'] / max(native, 1):.1f} % |")
        if group != 'all': total.update(c)
    out += ['', '## Programs that pass natively and not on the machine', '']
    failed = {n: why for n, (what, why) in results.items() if what == 'failed'}
    out += [f'- `{n}`: {why}' for n, why in failed.items()] or ['None.']
    out += ['', '## Programs left out, by reason', '']
    reasons = collections.Counter(re.sub(r"'[^']*'", "'…'", why) for what, why in results.values() if what == 'skipped')
    out += [f'- {n} × {why}' for why, n in sorted(reasons.items(), key=lambda x: (-x[1], x[0]))]
    return '\n'.join(out) + '\n', total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--table')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--filter', default='')
    ap.add_argument('--sample', type=int, default=1)
    args = ap.parse_args()
    sheaf = os.path.abspath(args.sheaf)
    with tempfile.TemporaryDirectory() as directory:
        items = [i for i in programs(unpack(directory)) if args.filter in i[0]][::args.sample]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            outcomes = pool.map(lambda i: try_program(i, sheaf, f'clang-{args.llvm}'), items)
            results = {}
            for (name, _), (what, why) in zip(items, outcomes):
                results[name] = (what, why)
                if what == 'failed': print(f'FAIL {name}: {why}', flush=True)
    page, total = table(results, args.llvm)
    if args.table:
        with open(args.table, 'w') as f: f.write(page)
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total['passed'] < 0.99 * (total['passed'] + total['failed']) else 0


if __name__ == '__main__': sys.exit(main())
