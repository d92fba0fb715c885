#!/usr/bin/env python3
"""Runs C programs natively and on Sheaf's machine and compares what they show.

usage: difftest.py --sheaf BINARY --llvm MAJOR [--jobs N] [--filter TEXT] DIRECTORY...

Every NAME.c in a directory is a test. Beside it may stand NAME.in (standard input), NAME.args (one argument a line) and
directories' worth of input in NAME.files/ (each becomes --file). Lines `// key: value` at its head direct the test:
  args: WORDS        arguments, shell-like           stdin: TEXT       standard input, \\n and \\xNN understood
  cflags: WORDS      for the compiler, both sides    check: WORDS      passed on as --check
  fault: KIND        the machine must end with this fault, and a native sanitizer must report the same kind
  sheaf: WORDS       further options for sheaf       native: no        no native run: compare with NAME.out
  exit: N            the machine's status, where it differs from the native one by design
Without `fault` the standard output and the exit status must be those of the native program, byte for byte.
"""
import argparse, concurrent.futures, os, re, shlex, subprocess, sys, tempfile

TIMEOUT = 120            # seconds for one program: a hang must not hang the suite; it is not a speed limit

# What a sanitizer prints, and the fault kinds of ours that mean the same. First match counts.
NATIVE_REPORTS = [
    (r'AddressSanitizer: (heap|stack|global|dynamic-stack)-buffer-(over|under)flow[\s\S]*?\nREAD', {'oob-read'}),
    (r'AddressSanitizer: (heap|stack|global|dynamic-stack)-buffer-(over|under)flow[\s\S]*?\nWRITE', {'oob-write'}),
    (r'AddressSanitizer: heap-use-after-free', {'use-after-free'}),
    (r'AddressSanitizer: stack-use-after-return', {'use-after-return'}),
    (r'AddressSanitizer: stack-use-after-scope', {'use-after-scope'}),
    (r'AddressSanitizer: attempting double-free', {'double-free'}),
    (r'AddressSanitizer: attempting free on address', {'invalid-free'}),
    (r'AddressSanitizer: stack-overflow', {'stack-overflow'}),
    (r'AddressSanitizer: memcpy-param-overlap', {'overlap'}),
    (r'AddressSanitizer: negative-size-param', {'oob-read', 'oob-write'}),
    (r'AddressSanitizer: FPE', {'div-zero', 'div-overflow'}),
    (r'AddressSanitizer: ABRT', {'abort', 'assert'}),
    (r'AddressSanitizer: (ILL|TRAP)', {'trap'}),
    (r'runtime error: division by zero', {'div-zero'}),
    (r'runtime error: division of .* by -1 cannot be represented', {'div-overflow'}),
    (r'runtime error: signed integer overflow', {'overflow'}),
    (r'runtime error: negation of .* cannot be represented', {'overflow'}),
    (r'runtime error: shift exponent', {'shift'}),
    (r'runtime error: execution reached an unreachable program point', {'unreachable'}),
    (r'runtime error: (load|store|member access|call).*null pointer', {'null', 'bad-call'}),
    (r'runtime error: applying .* to null pointer', {'null'}),
    (r'runtime error: index .* out of bounds', {'oob-read', 'oob-write'}),
    (r'AddressSanitizer: SEGV on unknown address 0x0000000000[0-9a-f]{2}\b', {'null', 'bad-call'}),
    (r'AddressSanitizer: (SEGV|BUS)', {'wild', 'read-only', 'oob-read', 'oob-write', 'bad-call'}),
    (r'LeakSanitizer: detected memory leaks', {'leak'}),
    (r'MemorySanitizer: use-of-uninitialized-value', {'uninit'}),
]


def directives(source):
    found = {}
    for line in source.splitlines():
        m = re.match(r'//\s*([a-z]+):\s?(.*)$', line)
        if not m:
            if line.startswith('//') or not line.strip(): continue
            break
        found[m.group(1)] = m.group(2)
    return found


class Test:
    def __init__(self, path):
        self.path, self.stem = path, path[:-2]
        with open(path, encoding='utf-8', errors='replace') as f: self.how = directives(f.read())
        self.cflags = shlex.split(self.how.get('cflags', ''))
        self.args = shlex.split(self.how.get('args', ''))
        if os.path.exists(self.stem + '.args'):
            with open(self.stem + '.args') as f: self.args = f.read().splitlines()
        self.stdin = self.how.get('stdin', '').encode('latin-1').decode('unicode_escape').encode('latin-1')
        if os.path.exists(self.stem + '.in'):
            with open(self.stem + '.in', 'rb') as f: self.stdin = f.read()
        self.files = []
        if os.path.isdir(self.stem + '.files'):
            self.files = sorted(os.path.join(self.stem + '.files', n) for n in os.listdir(self.stem + '.files'))


def execute(command, stdin, cwd=None, env=None):
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=TIMEOUT, cwd=cwd, env=env)
        return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace')
    except subprocess.TimeoutExpired:
        return None, b'', 'timed out'


class Runner:
    def __init__(self, sheaf, llvm):
        self.sheaf, self.clang = os.path.abspath(sheaf), f'clang-{llvm}'
        self.root = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))

    def compile_native(self, test, directory, flags):
        binary = os.path.join(directory, 'native')
        command = [self.clang, '-O0', '-g', '-w', f'-I{self.root}/include', *flags, *test.cflags, '-o', binary, test.path, '-lm']
        status, _, err = execute(command, b'')
        return (binary, None) if status == 0 else (None, 'native compile failed: ' + err.strip()[:300])

    def native(self, test, directory, flags=(), env=None):
        binary, error = self.compile_native(test, directory, list(flags))
        if error: return None, b'', error
        for f in test.files:
            with open(f, 'rb') as src, open(os.path.join(directory, os.path.basename(f)), 'wb') as dst: dst.write(src.read())
        return execute([binary, *test.args], test.stdin, cwd=directory, env=env)

    def machine(self, test):
        command = [self.sheaf, 'run', *test.cflags, f'-I{self.root}/include']
        if 'check' in test.how: command.append('--check=' + test.how['check'])
        for f in test.files: command.append(f'--file={os.path.basename(f)}={f}')
        command += shlex.split(test.how.get('sheaf', ''))
        return execute([*command, test.path, '--', *test.args], test.stdin)

    def native_fault(self, test, directory):
        if test.how['fault'] == 'uninit': flags = ['-fsanitize=memory']
        else: flags = ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']
        env = dict(os.environ, ASAN_OPTIONS='detect_stack_use_after_return=1:handle_abort=1:handle_sigill=1:detect_leaks='
                   + ('1' if test.how['fault'] == 'leak' else '0') + ':symbolize=0:use_sigaltstack=1',
                   UBSAN_OPTIONS='print_stacktrace=0', MSAN_OPTIONS='symbolize=0')
        _, _, err = self.native(test, directory, flags, env)
        for pattern, kinds in NATIVE_REPORTS:
            if re.search(pattern, err): return kinds, err
        return set(), err

    def check(self, test):
        """None if the test passes, else what is wrong."""
        status, out, err = self.machine(test)
        if status is None: return 'timed out on the machine'
        if status == 70 or status < 0: return f'Sheaf broke (status {status}): {err.strip()[-300:]}'
        with tempfile.TemporaryDirectory() as directory:
            if 'fault' in test.how: return self.check_fault(test, status, err, directory)
            if test.how.get('native') == 'no':
                with open(test.stem + '.out', 'rb') as f: want_out, want_status = f.read(), int(test.how.get('exit', '0'))
            else:
                want_status, want_out, native_err = self.native(test, directory)
                if want_status is None: return native_err
                if 'exit' in test.how: want_status = int(test.how['exit'])
        if status != want_status: return f'status {status}, expected {want_status}: {err.strip()[-300:]}'
        if out != want_out: return 'standard output differs: ' + first_difference(out, want_out)
        return None

    def check_fault(self, test, status, err, directory):
        want = test.how['fault']
        m = re.search(r'^FAULT\s+.*\[([a-z-]+)\]', err, re.M)
        if not m: return f'no fault reported (status {status}), expected {want}: {err.strip()[-300:]}'
        if m.group(1) != want: return f'fault {m.group(1)}, expected {want}'
        if test.how.get('native') == 'no': return None
        kinds, native_err = self.native_fault(test, directory)
        if want not in kinds: return f'native sanitizer disagrees with {want}: {native_err.strip()[:300]}'
        return None


def first_difference(got, want):
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return f'at byte {at} (line {want[:at].count(10) + 1}): got {got[at:at + 40]!r}, expected {want[at:at + 40]!r}'


def run(sheaf, llvm, directories, jobs=2, pattern='', quiet=False):
    """Returns (passed, failed)."""
    runner = Runner(sheaf, llvm)
    paths = sorted(os.path.join(d, n) for d in directories for n in os.listdir(d) if n.endswith('.c'))
    tests = [Test(p) for p in paths if pattern in os.path.relpath(p, runner.root)]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for test, wrong in zip(tests, pool.map(runner.check, tests)):
            if wrong is None: passed += 1
            else:
                failed += 1
                print(f'FAIL {os.path.relpath(test.path, runner.root)}: {wrong}', flush=True)
    return passed, failed


def main():
    ap = argparse.ArgumentParser(description='machine against native')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--filter', default='')
    ap.add_argument('directories', nargs='+')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.llvm, args.directories, args.jobs, args.filter)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
