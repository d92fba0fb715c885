#!/usr/bin/env python3
"""A bounded time of fuzzing for each parser. usage: fuzz.py --sheaf BINARY --llvm MAJOR [--seconds N]

Our own parsers run in-process under libFuzzer with sanitizers (tests/fuzz). Bitcode is read by LLVM, whose reader may crash on corrupt
input, so it is fuzzed from outside: whatever the bytes, `sheaf run` must end by itself with one line and a status of the table.
"""
import argparse, glob, os, random, subprocess, sys, tempfile, time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
SEEDS = {'ir': 'tests/ir', 'ktest': 'tests/suite', 'suite_json': 'tests/suite'}


def build(llvm):
    directory = os.path.join(ROOT, f'build-fuzz-{llvm}')
    if not os.path.exists(directory + '/build.ninja'):
        subprocess.run(['meson', 'setup', directory, '-Dfuzz=true', f'-Dllvm={llvm}', '-Db_sanitize=address,undefined', '-Db_lundef=false',
                        '-Dc_args=-fsanitize=fuzzer-no-link'], check=True, cwd=ROOT, env=dict(os.environ, CC=f'clang-{llvm}'),
                       stdout=subprocess.DEVNULL)
    targets = ['tests/fuzz/' + os.path.basename(f)[:-2] for f in sorted(glob.glob(ROOT + '/tests/fuzz/fuzz_*.c'))]
    subprocess.run(['ninja', '-C', directory, '--quiet', *targets], check=True)
    return [os.path.join(directory, t) for t in targets]


def fuzz_in_process(target, seconds):
    name = os.path.basename(target).removeprefix('fuzz_')
    seeds = os.path.join(ROOT, SEEDS.get(name, 'tests/ir'))
    with tempfile.TemporaryDirectory() as corpus:
        done = subprocess.run([target, f'-max_total_time={seconds}', '-rss_limit_mb=4096', '-timeout=20', corpus,
                               *([seeds] if os.path.isdir(seeds) else [])], cwd=corpus, capture_output=True, text=True)
    last = [l for l in done.stderr.splitlines() if l.startswith('Done ')]
    print(f'{name}: {last[0] if last else done.stderr[-2000:]}', flush=True)
    return done.returncode == 0


def corrupt(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        at = rng.randrange(len(data))
        what = rng.randrange(4)
        if what == 0: data[at] ^= 1 << rng.randrange(8)
        elif what == 1: data[at] = rng.randrange(256)
        elif what == 2: del data[at:at + rng.randrange(1, 40)]
        else: data[at:at] = data[rng.randrange(len(data)):][:rng.randrange(1, 40)]
        if not data: data = bytearray(b'B')
    return bytes(data)


def fuzz_bitcode(sheaf, llvm, seconds):
    rng, count, statuses = random.Random(1), 0, {}
    with tempfile.TemporaryDirectory() as directory:
        seeds = []
        for i, source in enumerate(sorted(glob.glob(ROOT + '/tests/programs/*.c'))[:12]):
            out, debug = os.path.join(directory, 'seed.bc'), '-g' if i % 2 else '-g0'     # LLVM's reader goes other ways with debug information
            if subprocess.run([f'clang-{llvm}', '-w', '-O0', debug, '-emit-llvm', '-c', source, '-o', out], capture_output=True).returncode == 0:
                with open(out, 'rb') as f: seeds.append(f.read())
        end, path = time.monotonic() + seconds, os.path.join(directory, 'x.bc')
        while time.monotonic() < end:
            with open(path, 'wb') as f: f.write(corrupt(rng, rng.choice(seeds)))
            try:
                done = subprocess.run([sheaf, 'run', '--max-steps', '1000000', path], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            except subprocess.TimeoutExpired:
                print(f'bitcode: hangs after {count} inputs')
                return False
            count += 1
            statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
            # One line for the user, and no death of ours: a run may still end with any status of the program's own.
            lines = done.stderr.decode('utf-8', 'replace').strip().splitlines()
            if done.returncode < 0 or done.returncode == 70 or (done.returncode == 2 and len(lines) != 1):
                keep = os.path.join(ROOT, 'build-fuzz-failure.bc')
                with open(path, 'rb') as f, open(keep, 'wb') as g: g.write(f.read())
                print(f'bitcode: status {done.returncode} after {count} inputs, kept as {os.path.basename(keep)}: {lines[:3]}')
                return False
    print(f'bitcode: {count} corrupt files, statuses {dict(sorted(statuses.items()))}', flush=True)
    return True


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--seconds', type=int, default=60)
    args = ap.parse_args()
    good = [fuzz_bitcode(os.path.abspath(args.sheaf), args.llvm, args.seconds)]
    good += [fuzz_in_process(t, args.seconds) for t in build(args.llvm)]
    print(f'{sum(good)} passed, {len(good) - sum(good)} failed')
    return 0 if all(good) else 1


if __name__ == '__main__': sys.exit(main())
