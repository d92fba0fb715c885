#!/usr/bin/env python3
"""All tests, or some of them.

usage: check.py [--only STAGE[,STAGE]...] [--filter TEXT] [--list] [--build DIR] [--sanitized DIR] [--llvm MAJOR]

A stage is a kind of test: `--list` names the stages, with --only also the tests of these. `--filter TEXT` runs the tests whose name contains
TEXT: `check.py --only goldens --filter palindrome` takes a second. A stage that keeps one core busy runs beside another such stage; one that
keeps all of them busy runs by itself. A test that failed and whose limits are wall time is run once more, with nothing beside it. Each
failure says the command that runs it again. The last line is the sum.
"""
import argparse, concurrent.futures, glob, os, re, subprocess, sys, threading, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import alias_oracle, diff_pairs, difftest, entries, entry_mutants, entry_oracle, fleet, goldens, harness_oracle, hostile, jobs, jobs_random, proofs, reuse, scale, sessions, states, states_random

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
PROGRAMS = ['tests/programs', 'tests/faults', 'tests/libc', 'tests/stdio']
CORES = os.cpu_count() or 1


def files(*patterns): return [p for pattern in patterns for p in sorted(glob.glob(pattern, root_dir=ROOT))]


def sheaf(args): return os.path.join(args.build, 'sheaf')


def commands(named, args):
    """Runs those of the named commands that the filter lets through; exit status 0 is a pass."""
    passed = failed = 0
    for name, command in named.items():
        if args.filter not in name: continue
        ok = subprocess.run(command, cwd=ROOT).returncode == 0
        if not ok: print(f'FAIL {name}: {" ".join(command)}')
        passed, failed = passed + ok, failed + (not ok)
    return passed, failed


# ---- stages: run(args) gives (passed, failed) of the tests that args.filter lets through; a failure is a line `FAIL NAME: why` -----------

LAYOUT = {'layers_self_test': [sys.executable, 'tools/layers.py', '--self-test'], 'layers': [sys.executable, 'tools/layers.py'],
          'named': [sys.executable, 'tools/named.py'], 'format': ['sh', 'tools/format.sh', '--check']}


def layout(args): return commands(LAYOUT, args)


def unit_names(args):
    if not os.path.isdir(args.sanitized): sys.exit(f'{args.sanitized} is not there: make sanitized')
    done = subprocess.run(['meson', 'test', '-C', args.sanitized, '--list'], capture_output=True, text=True, cwd=ROOT)
    return [line.rsplit(' / ', 1)[1] for line in done.stdout.splitlines() if ' / ' in line]


def sanitize(asan):
    """Left to itself UndefinedBehaviorSanitizer prints what it finds and goes on: no test would fail."""
    os.environ['ASAN_OPTIONS'], os.environ['UBSAN_OPTIONS'] = asan, 'halt_on_error=1:print_stacktrace=1'


def unit(args):
    # by default a sixth of the time goes into fresh pages for freed memory (256 MB of it) and into stack traces of 30 calls for each block
    sanitize('quarantine_size_mb=16:malloc_context_size=6')
    # with a filter only what the chosen tests need is built
    chosen = [n for n in unit_names(args) if args.filter in n] if args.filter else []
    if args.filter and not chosen: return 0, 0
    done = subprocess.run(['meson', 'test', '-C', args.sanitized, '--print-errorlogs', *(chosen or ['--no-rebuild'])], cwd=ROOT, capture_output=True, text=True)
    count = lambda word: sum(int(n) for n in re.findall(rf'^{word}:\s+(\d+)', done.stdout, re.M))
    passed, failed = count('Ok'), count('Fail') + count('Timeout') + count('Unexpected Pass') + count('Skipped')
    if failed or done.returncode or not passed:
        print(done.stdout[-6000:], done.stderr[-2000:])
        bad = set(re.findall(r'^ *\d+/\d+ (?:\S+ / )?(\S+) +(?:FAIL|TIMEOUT|UNEXPECTEDPASS|SKIP|ERROR)\b', done.stdout, re.M))
        for name in sorted(bad): print(f'FAIL {name}: above')
        failed = max(failed, 1)
    return passed, failed


def document_names(_): return files('README.md', 'CONTRIBUTING.md', 'docs/*.md', 'tests/cli/*.session')


def documents(args):
    os.chdir(ROOT)
    return sessions.run(args.build, [f for f in document_names(args) if args.filter in f], ROOT)


def machine(args): return difftest.run(sheaf(args), args.llvm, [os.path.join(ROOT, d) for d in PROGRAMS], CORES, args.filter)


def machine_sanitized(args):
    sanitize('detect_leaks=0')
    return difftest.run(os.path.join(args.sanitized, 'sheaf'), args.llvm, [os.path.join(ROOT, d) for d in PROGRAMS[:2]], CORES, args.filter)


def explored(args): return goldens.run(sheaf(args), args.llvm, jobs=CORES, pattern=args.filter)


def explored_by_several(args):
    passed, failed = jobs.run(sheaf(args), pattern=args.filter, parallel=CORES)
    if args.filter in 'jobs_random': passed, failed = map(sum, zip((passed, failed), jobs_random.run(args.build, args.llvm, 14, parallel=CORES)))
    return passed, failed


def explored_by_states(args):
    passed, failed = states.run(sheaf(args), pattern=args.filter, jobs=CORES)
    if args.filter in 'states_random': passed, failed = map(sum, zip((passed, failed), states_random.run(sheaf(args), 40, jobs=CORES)))
    return passed, failed


RANDOM_CALLS = {'random_calls': {'programs': 6}, 'random_calls_bound_3': {'programs': 2, 'seed': 3, 'bound': 3}}


def entry_names(_): return [e.name for f in files('tests/entries/*.c') for e in entries.read(os.path.join(ROOT, f))] + list(RANDOM_CALLS) + ['entry_defects']


def called(args):
    passed, failed = map(sum, zip(entries.run(sheaf(args), pattern=args.filter), harness_oracle.run(sheaf(args), pattern=args.filter, programs=2)))
    for name, options in RANDOM_CALLS.items():
        if args.filter not in name: continue
        wrong = entry_oracle.run(sheaf(args), **options)
        if wrong: print(f'FAIL {name}: {wrong} wrong answers')
        passed, failed = passed + (not wrong), failed + wrong
    if args.filter in 'entry_aliases':
        right, wrong = alias_oracle.run(sheaf(args), programs=4, seed=9)
        passed, failed = passed + right, failed + wrong
    if args.filter in 'entry_defects':
        (_, defects, _, _), missed = entry_mutants.run(sheaf(args), sample=6)
        for line in missed: print(f'FAIL entry_defects: not found:{line}')
        passed, failed = passed + (bool(defects) and not missed), failed + len(missed) + (not defects)
    return passed, failed


def proof_names(_): return files('tests/prove/*.c')


def proved(args): return proofs.run(sheaf(args), [os.path.join(ROOT, p) for p in proof_names(args) if args.filter in p] if args.filter else None)


def pair_names(_): return [os.path.basename(p)[:-2] for p in files('tests/diff/*.c')]


def compared(args):
    names = [n for n in pair_names(args) if args.filter in n]
    return diff_pairs.run(sheaf(args), args.llvm, names) if names else (0, 0)


def flow_checks(args):
    tools = [os.path.join(args.build, name) for name in ('sheaf', 'tests/flow/flow_witness', 'tests/flow/flow_table')]
    witness = [sys.executable, 'tests/flow/witness.py', *tools]
    return {'flow_witness': witness, 'flow_witness_coarse': [*witness, 'tests/programs', '--budget', '2000', '--batches', '1'],
            'sinks': [sys.executable, 'tests/flow/sinks.py', sheaf(args)]}


def witnessed(args): return commands(flow_checks(args), args)


def precision(args): return commands({'precision': [sys.executable, 'tools/precision.py', '--sheaf', sheaf(args), '--check', 'docs/precision.md']}, args)


def survived(args): return hostile.run(sheaf(args), CORES, args.filter)


def resumed(args):
    passed, failed = scale.run(sheaf(args), pattern=args.filter)
    again = reuse.run(sheaf(args)) if args.filter in 'reuse' else (0, 0)
    return passed + again[0], failed + again[1]


def shared(args): return fleet.run(sheaf(args)) if args.filter in 'fleet' else (0, 0)


def has_limits(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f: return re.search('--max-time|--solver-timeout', f.read())


class Stage:
    """cores: how many it keeps busy; timed(NAME): do limits of that test depend on what else the machine does?"""
    def __init__(self, name, what, run, names, cores=CORES, timed=lambda name: False):
        self.name, self.what, self.run, self.names, self.cores, self.timed = name, what, run, names, cores, timed


# In the order in which a failure tells most.
STAGES = [
    Stage('layout', 'includes keep to the module order, documents name files that exist, code is laid out by .clang-format', layout, lambda _: list(LAYOUT), 1),
    Stage('unit', 'unit tests and oracles, under sanitizers', unit, unit_names, timed=lambda name: name.startswith(('reach', 'require'))),
    Stage('documents', 'sessions of the command line, and what the documents show', documents, document_names, 1, has_limits),
    Stage('pairs', 'pairs of versions: sheaf diff against native runs', compared, pair_names, 1),
    Stage('entries', 'functions as entries: goldens, and random ones against all calls', called, entry_names, 1),
    Stage('precision', 'labels are as sharp as docs/precision.md says', precision, lambda _: ['precision'], 1),
    Stage('machine', 'programs on the machine and natively', machine, lambda _: files(*(f'{d}/*.c' for d in PROGRAMS))),
    Stage('machine-sanitized', 'the same, with the machine under sanitizers', machine_sanitized, lambda _: files(*(f'{d}/*.c' for d in PROGRAMS[:2]))),
    Stage('goldens', 'golden explorations', explored, lambda _: files('tests/explore/*.c')),
    Stage('jobs', 'golden explorations in several processes; random programs there and on a database', explored_by_several, lambda _: jobs.names() + ['jobs_random']),
    Stage('states', 'exploration by states against full exploration', explored_by_states, lambda _: states.names() + ['states_random'],
          timed=lambda name: name.startswith(('tests/', 'bench/'))),  # what full completes, states must in the same time
    Stage('fleet', 'several workers on a database, killed now and then, against one process', shared, lambda _: ['fleet'], 1),
    Stage('proofs', 'sheaf prove and sheaf reach on programs of which the answer is known', proved, proof_names),
    Stage('flow', 'static analysis against runs', witnessed, lambda args: list(flow_checks(args))),
    Stage('scale', 'sheaf test killed and resumed, or again after edits; stores that are damaged, full, of another version', resumed, lambda _: scale.names() + ['reuse'], 1),
    Stage('hostile', 'programs that attack Sheaf; Sheaf killed', survived, lambda _: files('tests/hostile/*.c') + [s.__name__ for s in hostile.VICTIMS]),
]


# ---- running them ------------------------------------------------------------------------------------------------

class Result:
    def __init__(self, passed, failed, output, seconds): self.passed, self.failed, self.output, self.seconds = passed, failed, output, seconds

    def failures(self):
        """The tests that failed, as --filter takes them, and how often each did."""
        found = {}
        for path in re.findall(r'^FAIL ([^\s:]+)', self.output, re.M): found[path] = found.get(path, 0) + 1
        return found


def in_child(args, stage, pattern):
    """Runs a stage as a process of its own, so that what it prints stays together."""
    begun = time.monotonic()
    command = [sys.executable, os.path.abspath(__file__), '--inner', stage.name, '--build', args.build, '--sanitized', args.sanitized, '--llvm', args.llvm]
    done = subprocess.run([*command, f'--filter={pattern}'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
    output, _, last = done.stdout.rstrip('\n').rpartition('\n')
    counts = re.fullmatch(r'(\d+) (\d+)', last)
    if done.returncode or not counts: return Result(0, 1, f'{done.stdout}FAIL {stage.name}: the stage itself broke (status {done.returncode})', time.monotonic() - begun)
    return Result(int(counts[1]), int(counts[2]), output, time.monotonic() - begun)


def side_by_side(args, stages, done):
    """Calls done(stage, result) for each as it ends. A stage begins when as many cores are free as it keeps busy."""
    free, change, waiting = CORES, threading.Condition(), list(stages)

    def work(stage):
        nonlocal free
        result = in_child(args, stage, args.filter)
        with change:
            free += min(stage.cores, CORES)
            done(stage, result)
            change.notify()

    with concurrent.futures.ThreadPoolExecutor(max(CORES, 1)) as pool, change:
        while waiting:
            stage = next((s for s in waiting if min(s.cores, CORES) <= free), None)
            if stage is None:
                change.wait()
                continue
            waiting.remove(stage)
            free -= min(stage.cores, CORES)
            pool.submit(work, stage)
        change.wait_for(lambda: free == CORES)


def again(args, stage, result):
    """Tests that failed and have limits of wall time, once more with nothing beside them."""
    for path, times in result.failures().items():
        if not stage.timed(path): continue
        second = in_child(args, stage, path)
        print(f'{path} again, by itself: {second.passed} passed, {second.failed} failed\n{second.output}' if second.failed else
              f'{path} failed and passed when run by itself: its limits are wall time', flush=True)
        mended = times - second.failed
        result.passed, result.failed = result.passed + mended, result.failed - mended


def command_for(stage, path): return f'python3 tools/check.py --only {stage.name} --filter {path}'


def run(args, stages):
    results = {}

    def done(stage, result):
        results[stage] = result
        if result.output.strip(): print(result.output, flush=True)
        for path in result.failures(): print(f'  again: {command_for(stage, path)}')
        if not args.filter or result.passed or result.failed: print(f'{stage.name}: {result.passed} passed, {result.failed} failed, {result.seconds:.0f} s', flush=True)

    side_by_side(args, stages, done)
    for stage in stages: again(args, stage, results[stage])
    passed, failed = (sum(getattr(r, what) for r in results.values()) for what in ('passed', 'failed'))
    if args.filter and not passed and not failed: return refuse(f'no test of {", ".join(s.name for s in stages)} has {args.filter!r} in its name')
    print(f'\n{passed} passed, {failed} failed')
    return 1 if failed else 0


def refuse(message):
    print(f'check: {message}', file=sys.stderr)
    return 2


def show(args, stages):
    for stage in stages:
        print(f'{stage.name:18}{stage.what}')
        if args.only or args.filter: print(''.join(f'  {n}\n' for n in stage.names(args) if args.filter in n), end='')
    return 0


def arguments():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--only', default='', help='these stages, with commas between them')
    ap.add_argument('--filter', default='', help='tests with this text in their names')
    ap.add_argument('--list', action='store_true', help='say what there is')
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'))
    ap.add_argument('--sanitized', default=os.path.join(ROOT, 'build-san'))
    ap.add_argument('--llvm', default='14')
    ap.add_argument('--inner', help=argparse.SUPPRESS)
    args = ap.parse_args()
    args.build, args.sanitized = os.path.abspath(args.build), os.path.abspath(args.sanitized)
    return args


def main():
    args = arguments()
    by_name = {s.name: s for s in STAGES}
    if args.inner:
        print('%d %d' % by_name[args.inner].run(args))
        return 0
    unknown = [n for n in args.only.split(',') if n and n not in by_name]
    if unknown: return refuse(f'no stage {unknown[0]}; there are: {" ".join(by_name)}')
    stages = [by_name[n] for n in args.only.split(',') if n] or STAGES
    return show(args, stages) if args.list else run(args, stages)


if __name__ == '__main__': sys.exit(main())
