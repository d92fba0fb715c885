#!/usr/bin/env python3
"""All tests, in the order in which a failure tells most. usage: check.py --build DIR --sanitized DIR --llvm MAJOR"""
import argparse, glob, os, re, subprocess, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import diff_pairs, difftest, entries, entry_oracle, goldens, hostile, proofs, sessions

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PROGRAMS = ['tests/programs', 'tests/faults', 'tests/libc', 'tests/stdio']


def layers(_):
    ok = 0
    for command in (['tools/layers.py', '--self-test'], ['tools/layers.py']):
        ok += subprocess.run([sys.executable, *command], cwd=ROOT).returncode == 0
    return ok, 2 - ok


def formatted(_):
    """The code is laid out as .clang-format says."""
    ok = subprocess.run(['sh', 'tools/format.sh', '--check'], cwd=ROOT).returncode == 0
    return int(ok), int(not ok)


def unit(args):
    """Unit and property tests, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    done = subprocess.run(['meson', 'test', '-C', args.sanitized, '--print-errorlogs', '--no-rebuild'], cwd=ROOT, capture_output=True, text=True)
    count = lambda word: sum(int(n) for n in re.findall(rf'^{word}:\s+(\d+)', done.stdout, re.M))
    passed, failed = count('Ok'), count('Fail') + count('Timeout') + count('Unexpected Pass') + count('Skipped')
    if failed or done.returncode or not passed:
        print(done.stdout[-6000:], done.stderr[-2000:])
        failed = max(failed, 1)
    return passed, failed


def existing(directories): return [os.path.join(ROOT, d) for d in directories if os.path.isdir(os.path.join(ROOT, d))]


def programs(args): return difftest.run(os.path.join(args.build, 'sheaf'), args.llvm, existing(PROGRAMS))


def programs_sanitized(args):
    os.environ['ASAN_OPTIONS'] = 'detect_leaks=0'
    return difftest.run(os.path.join(args.sanitized, 'sheaf'), args.llvm, existing(PROGRAMS[:2]))


def explored(args): return goldens.run(os.path.join(args.build, 'sheaf'), args.llvm)


def called(args):
    """Functions with pointers: golden ones, and random ones against all calls."""
    sheaf = os.path.join(args.build, 'sheaf')
    passed, failed = entries.run(sheaf)
    wrong = entry_oracle.run(sheaf, programs=6) + entry_oracle.run(sheaf, programs=2, seed=3, bound=3)
    return passed + (not wrong), failed + wrong


def compared(args):
    """Pairs of versions: the verdicts that they state are true natively, and `sheaf diff` never says otherwise."""
    return diff_pairs.run(os.path.join(args.build, 'sheaf'), args.llvm)


def proved(args): return proofs.run(os.path.join(args.build, 'sheaf'))


def survived(args): return hostile.run(os.path.join(args.build, 'sheaf'))


def witnessed(args):
    """Static analysis against what runs show; then with a budget that only its coarse answers fit into; each kind of fault is a sink."""
    tools = [os.path.join(args.build, name) for name in ('sheaf', 'tests/flow/flow_witness', 'tests/flow/flow_table')]
    ok = 0
    for options in ([], ['tests/programs', '--budget', '2000', '--batches', '1']):
        ok += subprocess.run([sys.executable, 'tests/flow/witness.py', *tools, *options], cwd=ROOT).returncode == 0
    ok += subprocess.run([sys.executable, 'tests/flow/sinks.py', tools[0]], cwd=ROOT).returncode == 0
    return ok, 3 - ok


def precision(args):
    """The analysis and labels are as sharp as docs/precision.md says."""
    ok = subprocess.run([sys.executable, 'tools/precision.py', '--sheaf', os.path.join(args.build, 'sheaf'), '--check', 'docs/precision.md'], cwd=ROOT).returncode == 0
    return int(ok), int(not ok)


def documents(args):
    files = ['README.md', 'CONTRIBUTING.md', *sorted(glob.glob('docs/*.md', root_dir=ROOT)), *sorted(glob.glob('tests/cli/*.session', root_dir=ROOT))]
    os.chdir(ROOT)
    return sessions.run(args.build, [f for f in files if os.path.exists(f)], ROOT)


STAGES = [('layers', layers), ('format', formatted), ('unit tests, sanitized', unit), ('documents and command line', documents),
          ('machine against native', programs), ('machine against native, sanitized', programs_sanitized),
          ('golden explorations', explored), ('functions as entries', called), ('proofs', proved), ('pairs of versions', compared), ('static analysis against runs', witnessed), ('precision of the static analysis', precision), ('hostile programs', survived)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', required=True)
    ap.add_argument('--sanitized', required=True)
    ap.add_argument('--llvm', default='14')
    args = ap.parse_args()
    args.build, args.sanitized = os.path.abspath(args.build), os.path.abspath(args.sanitized)
    total_passed = total_failed = 0
    for name, stage in STAGES:
        passed, failed = stage(args)
        print(f'{name}: {passed} passed, {failed} failed', flush=True)
        total_passed, total_failed = total_passed + passed, total_failed + failed
    print(f'\n{total_passed} passed, {total_failed} failed')
    return 1 if total_failed else 0


if __name__ == '__main__': sys.exit(main())
