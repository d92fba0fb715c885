#!/usr/bin/env python3
"""The techniques beside full exploration on programs of our own; rewrites docs/results.md and docs/curves/.

usage: results.py --sheaf BINARY [--table FILE] [--runs N] [--only TEXT]
Times are the least of N runs (3), each of both explorers in one process; what takes longer than SLOW seconds is run once.
BINARY's directory has bench/mutate too. --only measures the programs whose name has the text, prints, and writes nothing.
"""
import argparse, json, os, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
SLOW = 3
TINY = 0.1
LIMIT = '120s'

# The PESO paper's Table 4: completeness, and how many times fewer tests, less time.
OUTPUT = {'advisory': ('Tcas', 100, 3.0, 2.1), 'tree': ('BinarySearchTree', 75, 7.1, 9.6), 'set': ('OrdSet', 79, 4.9, 3.5),
          'scheduler': ('Schedule', 100, 25.0, 51.0), 'disjoint': ('DisjointSet', 100, 4.0, 3.1)}

# Program, the DGSE paper's program of that kind; for few and for more inputs: bytes of input, options, and what the paper has for
# it: share of paths in percent (Table 5), speedup (Table 6).
DEPENDENCE = [
    ('dependence/brake', 'WBS', [(6, [], '56.25', '1.50'), (12, ['-DSTEPS=2'], None, None)]),
    ('explore/advisory', 'Tcas', [(36, [], '96.57', '1.02')]),
    ('output/advisory', 'Tcas', [(20, [], '96.57', '1.02')]),
    ('output/scheduler', 'Schedule', [(16, [], '6.96', '23.91')]),
    ('explore/scheduler', 'Schedule', [(3, ['--sym-stdin', '3'], '37.03', '1.83'), (4, ['--sym-stdin', '4'], '6.96', '23.91')]),
    ('dependence/queues', 'Schedule2', [(2, ['-DCOMMANDS=2'], '37.03', '1.83'), (3, [], '6.96', '25.87')]),
    ('explore/substitute', 'Replace', [(3, ['--sym-args', '1', '1', '2', '--sym-stdin', '1'], '51.38', '1.60'),
                                       (5, ['--sym-args', '1', '1', '3', '--sym-stdin', '2'], '7.52', '30.90')]),
    ('explore/tokenizer', 'PrintTokens2', [(2, ['--sym-stdin', '2'], '33.80', '4.60'), (3, ['--sym-stdin', '3'], '11.83', '49.56')]),
    ('dependence/notify', 'Siena', [(3, ['-DATTRIBUTES=1'], None, None), (6, [], '< 10.00', '> 10.44')]),
    ('dependence/flags', 'Apache CLI', [(8, [], None, None), (12, ['-DWORDS=3'], '< 58.55', '> 2.15')]),
    ('dependence/markup', 'NanoXML', [(5, [], None, None), (9, ['-DLENGTH=9'], None, None)]),
    ('output/disjoint', None, [(10, [], None, None)]),
    ('output/tree', None, [(7, [], None, None)]),
    ('output/set', None, [(14, [], None, None)]),
    ('dependence/sensors', None, [(4, [], None, None), (6, ['-DCHANNELS=3'], None, None)]),
    ('dependence/record', None, [(3, [], None, None), (6, ['-DFIELDS=6'], None, None)]),
    ('dependence/machine', None, [(3, [], None, None), (5, ['-DLENGTH=5'], None, None)]),
    ('dependence/checksum', None, [(6, [], None, None), (8, ['-DLENGTH=8'], None, None)]),
]
# Coverage over time, as the paper's Figures 6 to 8.
CURVES = [('output/disjoint', []), ('dependence/flags', []), ('dependence/markup', ['-DLENGTH=8'])]
# Program of tests/reach, line, flags of the compiler, what is in the way.
REACH = [
    ('loop50', 11, [], 'a loop that must run 50 times, then `sin(u) > 0.5`'),
    ('branches', 24, [], '5 branches, then y > 0 and y < 0'),
    ('branches', 24, ['-DFIFTY'], '50 branches, then y > 0 and y < 0'),
    ('branches', 26, ['-DFIFTY'], '50 branches, then y == 77'),
    ('irrelevant', 21, [], '30 conditionals that do not matter'),
    ('intmin', 7, [], 'a negative absolute value'),
    ('triangle', 9, [], 'equilateral'), ('triangle', 11, [], 'isosceles'), ('triangle', 13, [], 'right-angled'),
    ('decrement', 7, [], 'a loop that counts down 20 times'),
]
REACH_LIMIT = '20s'
HEAD = """# Results

Rewritten by `make results`. Times depend on the machine; all else does not.

"""
MUTANTS = ['--sinks', 'faults,outputs', '--most', '300', '--explore', 'dependence', '--against', 'full']


class Tools:
    def __init__(self, sheaf, runs):
        self.sheaf, self.runs = os.path.abspath(sheaf), runs
        self.mutate = os.path.join(os.path.dirname(self.sheaf), 'bench/mutate')

    def command(self, words):
        done = subprocess.run(words, capture_output=True, text=True, timeout=3600)
        if done.returncode not in (0, 1, 3): sys.exit(f'{" ".join(words)}: status {done.returncode}: {done.stderr.strip()}')
        return done.stdout

    def test(self, path, explorer, options):
        with tempfile.TemporaryDirectory() as scratch:
            return json.loads(self.command([self.sheaf, 'test', path, *options, '--explore', explorer, '--compare', 'full', '--quiet', '--no-replay',
                                            '--format', 'json', '--max-time', LIMIT, '-o', os.path.join(scratch, 'out')]))['compare']

    def compare(self, path, explorer, options=()):
        """The measurement with the least of each time."""
        best = self.test(path, explorer, options)
        for _ in range(self.runs - 1 if best['seconds']['full'] < SLOW else 0):
            found = self.test(path, explorer, options)
            for who in (explorer, 'full'):
                if found['seconds'][who] < best['seconds'][who]:
                    for key in best:
                        if key.endswith('seconds') and isinstance(best[key], dict): best[key][who] = found[key][who]
            if 'labelled_seconds' in best: best['labelled_seconds'] = min(best['labelled_seconds'], found['labelled_seconds'])
        return best

    def overhead_written(self, path, options):
        """The share of the static part and of guidance in an exploration that writes its tests: the least that these take in N runs counts."""
        stats = []
        for _ in range(self.runs):
            with tempfile.TemporaryDirectory() as scratch:
                out = os.path.join(scratch, 'out')
                self.command([self.sheaf, 'test', path, *options, '--explore', 'dependence', '--quiet', '--no-replay', '--max-time', LIMIT, '-o', out])
                with open(os.path.join(out, 'stats.json')) as f: stats.append(json.load(f))
        best = min(stats, key=lambda found: found['seconds'])
        return (best['static_seconds'] + best['guidance_seconds']) / max(best['seconds'], 1e-9)


def source(name): return os.path.join(ROOT, 'bench', name + '.c')


def lines_of(path):
    with open(path) as f: return sum(1 for _ in f)


def percent(part, whole): return f'{100 * part / whole:.2f}' if whole else '-'


def both(found, key, form='{:.0f}'):
    first = next(iter(found[key]))
    return f'{form.format(found[key][first])} / {form.format(found[key]["full"])}'


def times(found, key):
    first = next(iter(found[key]))
    return found[key]['full'] / max(found[key][first], 1e-9)


def beside(value, paper): return f'{value} ({paper})' if paper else value


# ---- output -----------------------------------------------------------------------------------------------------------

def output_section(tools, wanted):
    rows = []
    for name, (paper, whole, tests, seconds) in OUTPUT.items():
        if not wanted(name): continue
        path = source('output/' + name)
        found = tools.compare(path, 'output')
        if not found['complete']: sys.exit(f'{path}: incomplete')
        rows.append(f'| {name} ({paper}) | {lines_of(path)} | {100 * found["paths_covered"] // max(found["paths"], 1)} % ({whole} %) '
                    f'| {both(found, "tests")} | {both(found, "solver_calls")} | {both(found, "formula_bytes")} | {both(found, "seconds", "{:.3f}")} '
                    f'| {100 * found["guidance_seconds"]["output"] / max(found["seconds"]["output"], 1e-9):.1f} % '
                    f'| {times(found, "tests"):.1f} ({tests}) | {times(found, "seconds"):.1f} ({seconds}) |')
        print(rows[-1], flush=True)
    return f"""## `output` beside `full`

One test for each relevant slice condition of what the program names as its output, against one for each path. Programs of our own of the
kind that the paper used (bench/output); in parentheses what the paper has for its program of that kind. "Covered": of the relevant slice
conditions on all paths, those that `output` found. A formula is a test's condition as SMT-LIB, in bytes. Times are those of the explorations alone,
the static analysis that labels need included. "Ordering, expanding": the share of `output`'s time that Algorithm 1 and filing tasks take.

| program (the paper's) | lines | covered | tests: output / full | solver calls | formula, bytes | seconds | ordering, expanding | times fewer tests | times less time |
|---|---|---|---|---|---|---|---|---|---|
""" + '\n'.join(rows) + '\n'


# ---- dependence -------------------------------------------------------------------------------------------------------

def paths_row(name, paper, size, found, share):
    total = {who: found['runs'][who] + found['infeasible'][who] for who in found['runs']}
    covered = percent(found['behaviours_covered'], found['behaviours']) + ' %' if found['behaviours'] else '(none)'
    return (f'| {beside(name, paper)} | {lines_of(source(name))} | {size} | {both(found, "runs")} | {both(found, "infeasible")} '
            f'| {beside(percent(total["dependence"], total["full"]) + " %", share and share + " %")} | {both(found, "faults")} | {covered} |')


def time_row(name, size, found, speedup, written):
    whole = found['seconds']['dependence']
    overhead = found['static_seconds']['dependence'] + found['guidance_seconds']['dependence']
    share = f'{100 * overhead / whole:.0f} %' if whole >= TINY else 'tiny'
    faster = f'{times(found, "seconds"):.2f}'
    return (f'| {name} | {size} | {found["static_seconds"]["dependence"]:.3f} | {found["guidance_seconds"]["dependence"]:.3f} | {whole:.3f} | {share} | {written} '
            f'| {found["seconds"]["full"]:.3f} | {found["labelled_seconds"]:.3f} | {beside(faster, speedup)} '
            f'| {found["labelled_seconds"] / max(whole, 1e-9):.2f} |')


def solver_row(name, size, found):
    calls = found['solver_calls']
    return (f'| {name} | {size} | {both(found, "solver_calls")} | {percent(calls["dependence"], calls["full"])} % | {both(found, "constraints", "{:.2f}")} '
            f'| {both(found, "solver_seconds", "{:.3f}")} | {times(found, "solver_seconds"):.2f} |')


def dependence_section(tools, wanted):
    paths, seconds, solver = [], [], []
    for name, paper, sizes in DEPENDENCE:
        if not wanted(name): continue
        for size, options, share, speedup in sizes:
            found = tools.compare(source(name), 'dependence', options)
            if found['faults_only']['full']: sys.exit(f'{name}: a fault was lost: {found["faults_only"]["full"]}')
            note = '' if found['complete'] else ' (incomplete)'
            paths.append(paths_row(name, paper, f'{size}{note}', found, share))
            written = f'{100 * tools.overhead_written(source(name), options):.0f} %' if found['seconds']['dependence'] >= TINY else 'tiny'
            seconds.append(time_row(name, size, found, speedup, written))
            solver.append(solver_row(name, size, found))
            print('\n'.join((paths[-1], seconds[-1], solver[-1])), flush=True)
    newline = '\n'
    return f"""## `dependence` beside `full`

Every fault, without redundant combinations; `--sinks faults`, depth first. Programs of our own of the kinds that the paper used (bench/explore,
bench/output, bench/dependence), with few and with more bytes of input; in parentheses the paper's program of that kind and what the paper has for it with
few and with more inputs. In `scheduler` of bench/explore, `queues`, `substitute`, `tokenizer`, `markup`, `record`, `machine` and `checksum` next to nothing can be left out,
or it does not pay: there the exhaustive explorer of the [portfolio](dependence-algorithm.md#portfolio) finishes first, and `dependence` has as many paths as `full`. "Share": of all paths, feasible and not (infeasible: as the solver found). "Covered": of the behaviours of fault checks on all paths (a check, and the conditions that it depends
on), those that `dependence` showed. No fault that `full` finds may be missing: that ends the measurement.

| program (the paper's) | lines | bytes of input | feasible paths: dependence / full | infeasible | share (the paper's) | faults | covered |
|---|---|---|---|---|---|---|---|
{newline.join(paths)}

Time in seconds, of exploring alone: no tests are written. "Overhead" is the share of the static part and of guidance in the whole, where that is 0.1 s or more; "with tests", in what `sheaf test` takes, which
writes them. "With labels" is `full` with the
labels that `dependence` needs: the last column says what is lost where nothing can be pruned.

| program | bytes | static | guidance | whole | overhead | with tests | full | full with labels | times faster (the paper's) | times faster than full with labels |
|---|---|---|---|---|---|---|---|---|---|---|
{newline.join(seconds)}

| program | bytes | solver calls: dependence / full | share | constraints in a call | solver, s | times less |
|---|---|---|---|---|---|---|
{newline.join(solver)}
"""


# ---- coverage over time -------------------------------------------------------------------------------------------------

def curves_section(tools, wanted, directory):
    lines = []
    for name, options in CURVES:
        if not wanted(name): continue
        with tempfile.TemporaryDirectory() as scratch:
            plot = os.path.join(directory or scratch, os.path.basename(name) + '.svg')
            tools.command([tools.sheaf, 'test', os.path.relpath(source(name)), *options, '--explore', 'dependence', '--compare', 'full', '--compare-plot', plot,
                           '--force', '--quiet', '--no-replay', '--max-time', LIMIT, '-o', os.path.join(scratch, 'out')])
        lines.append(f'![{os.path.basename(name)}](curves/{os.path.basename(name)}.svg)')
    return """## Distinct behaviours over time

What `--compare full --compare-plot FILE` draws, for three of the programs: how many behaviours of fault
checks were seen after how many seconds (logarithmic), depth first, breadth first and in random order. Every run has labels here, so there is no exhaustive explorer beside
`dependence`, and its curve may differ from the tables above.

""" + '\n'.join(lines) + '\n'


# ---- mutants --------------------------------------------------------------------------------------------------------------

def add(total, row):
    total['mutants'] += row['mutants']
    for key in ('killed', 'only'):
        for who in total[key]: total[key][who] += row[key][who]


def nothing(): return {'mutants': 0, 'killed': {'dependence': 0, 'full': 0}, 'only': {'dependence': 0, 'full': 0}}


def kills(row):
    rate = lambda who: 100 * row['killed'][who] / max(row['mutants'], 1)
    return (f'{row["mutants"]} | {both(row, "killed")} | {both(row, "only")} | {rate("dependence"):.2f} % / {rate("full"):.2f} % '
            f'| {rate("full") - rate("dependence"):.2f}')


def mutants_section(tools, wanted):
    rows, kinds = [], {}
    for name, _, sizes in DEPENDENCE:
        if not wanted(name) or name.startswith('output/'): continue     # those show what they name, not what they print
        found = json.loads(tools.command([tools.mutate, source(name), *sizes[0][1], *MUTANTS, '--format', 'json']))
        for kind, row in found['kinds'].items(): add(kinds.setdefault(kind, nothing()), row)
        rows.append(f'| {name} | {both(found, "tests")} | {kills(found["kinds"]["all"])} |')
        print(rows[-1], flush=True)
    newline = '\n'
    table = newline.join(f'| {kind} | {kills(row)} |' for kind, row in kinds.items())
    print(table, flush=True)
    return f"""## What the tests are worth

Mutation testing (bench/mutate): up to 300 mutants of each program, drawn by a seed, with few inputs, run with the tests of both explorers, `--sinks faults,outputs`. A mutant is
killed if a test ends otherwise or prints something else. What one call shows is one sink, so the values of one `printf` are combined: with these sinks fewer
tests are saved than with `--sinks faults`. `dependence` prefers inputs at which a comparison changes its outcome. A positive difference means that the tests of `full` kill more; the
aim is that over all mutants it stays below 0.2 points.

| program | tests: dependence / full | mutants | killed | killed by one only | rate | difference, points |
|---|---|---|---|---|---|---|
{newline.join(rows)}

| kind of mutation | mutants | killed | killed by one only | rate | difference, points |
|---|---|---|---|---|---|
{table}
"""


# ---- reach -------------------------------------------------------------------------------------------------------------

def reach_one(tools, name, line, flags, phase):
    path = f'tests/reach/{name}.c'
    with tempfile.TemporaryDirectory() as scratch:
        found = json.loads(tools.command([tools.sheaf, 'reach', os.path.join(ROOT, path), *flags, '--to', f'{name}.c:{line}', '--phase', phase, '--explore', 'full',
                                          '--no-replay', '--format', 'json', '--max-time', REACH_LIMIT, '-o', os.path.join(scratch, 'out')]))
    target = found['targets'][0]
    return target['status'], target['steps'], found['runs'], found['seconds']


def reach_section(tools, wanted):
    rows = []
    for name, line, flags, what in REACH:
        if not wanted(name): continue
        answer, steps, _, seconds = reach_one(tools, name, line, flags, 'backward')
        full, _, runs, full_seconds = reach_one(tools, name, line, flags, 'forward')
        rows.append(f'| {" ".join([name, *flags])}:{line} | {what} | {answer} | {steps} | {seconds:.3f} | {full} | {runs} | {full_seconds:.3f} |')
        print(rows[-1], flush=True)
    return f"""## `reach` beside `full`

The worked examples of symcretic execution (tests/reach): a line as a target, conditions composed backwards alone (`--phase backward`), against every path forwards,
stopped at the first run that comes to the line (`--phase forward --explore full`), {REACH_LIMIT} each. A step moves a condition over a segment of the program between
two heads of loops, all paths of it merged.

| program:line | what is in the way | backward | steps | seconds | full | runs | seconds |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}
"""


# ---- require -----------------------------------------------------------------------------------------------------------

def blocks(n):
    """n branches that have nothing to do with the failure behind them."""
    tests = ''.join(f'    if (o{i})\n        puts("{i}");\n' for i in range(n))
    return f'#include <stdio.h>\n#include <stdlib.h>\nvoid f({"".join(f"int o{i}, " for i in range(n))}int failure)\n{{\n{tests}    if (failure)\n        abort();\n}}\n'


def counted(bound):
    stop = f'if (i > {bound}) return; ' if bound else ''
    return f'#include <stdlib.h>\nvoid f(int i, int j)\n{{\n    {stop}for (int k = 0; k < i; k++)\n        if (i == j)\n            abort();\n}}\n'


REQUIRE = [(f'{n} branches', blocks(n)) for n in (3, 10, 14, 20, 50, 100)] + [(f'the loop, i <= {n}', counted(n)) for n in (4, 16, 64, 256)] + [('the loop without a bound', counted(0))]
REQUIRE_LIMIT = '10s'


def require_section(tools, wanted):
    rows = []
    for name, text in REQUIRE:
        if not wanted(name): continue
        with tempfile.TemporaryDirectory() as scratch:
            path, out = os.path.join(scratch, 'f.c'), os.path.join(scratch, 'out')
            with open(path, 'w') as f: f.write(text)
            found = json.loads(tools.command([tools.sheaf, 'require', path, '--entry', 'f', '--format', 'json']))
            tools.command([tools.sheaf, 'test', path, '--entry', 'f', '--explore', 'full', '--no-replay', '--max-time', REQUIRE_LIMIT, '-o', out])
            with open(os.path.join(out, 'result.json')) as f: full = json.load(f)
        end = 'complete' if full['complete'] else 'stopped'
        rows.append(f'| {name} | {found["answer"]} | {found["segments"]} | {found["seconds"]:.3f} | {end} | {full["runs"]} | {full["seconds"]:.3f} |')
        print(rows[-1], flush=True)
    return f"""## `require` beside `full`

The worked examples of partial execution and summary: n branches that have nothing to do with the failure behind them, and the loop `for (k = 0; k < i; k++) if (i == j) abort();` for `i` up to a
bound, or without one; against every path forwards (`sheaf test --explore full`, {REQUIRE_LIMIT}). Segments are those that conditions were moved over, in both directions, all paths of one merged. The answers are
`failure != 0`, and `i > 0 && i == j` with the bound.

| function | answer | segments | seconds | full | runs | seconds |
|---|---|---|---|---|---|---|
{chr(10).join(rows)}
"""


# ---- change ------------------------------------------------------------------------------------------------------------

# Of each program of bench/change mutants, as text that is replaced once: the new version has the second.
CHANGE = {
    'altitude': [('reset != 0', 'reset > 0'), ('age = 0;', 'age = 1;'), ('first_ok != 0', 'first_ok == 1'), ('second_ok != 0', 'second_ok > 0'), ('age + 2', 'age + 1'), ('age > 1', 'age > 2'),
                 ('status == 1', 'status <= 1'), ('used < 2000', 'used <= 2000'), ('used > 2200', 'used > 2300'), ('inhibit == 0', 'inhibit <= 0'), ('device == FAULTY', 'device != OFF'),
                 ('used = second', 'used = second - 1')],
    'brake': [('pedal == 0', 'pedal <= 0'), ('pedal == 2', 'pedal >= 2'), ('command = 3', 'command = 4'), ('command < 2', 'command <= 2'), ('skid > 0', 'skid >= 0'), ('command - 1', 'command - 2'),
              ('pump < 50', 'pump <= 50'), ('valve = 1', 'valve = 2'), ('command == 1', 'command >= 1'), ('meter_alternate > 1', 'meter_alternate > 2'), ('command > 0', 'command >= 0')],
    'advisory': [('level == 0', 'level <= 0'), ('limit = 500', 'limit = 510'), ('own < other', 'own <= other'), ('own > other', 'own >= other'), ('intent == 1', 'intent <= 1'), ('need_down = 0;\n    if', 'need_down = 1;\n    if'),
                 ('rate > limit', 'rate >= limit'), ('rate > 100', 'rate > 200'), ('advisory = CLIMB', 'advisory = DESCEND'), ('mode == 1', 'mode >= 1'), ('sound = 2', 'sound = 3')],
}
ORDERS = ('default', 'greedy', 'random')


def change_one(tools, scratch, old, new, prune, order):
    out = os.path.join(scratch, 'out')
    tools.command([tools.sheaf, 'test', new, '--explore', 'change', '--old', old, '--prune', prune, '--order', order, '--tests', 'all', '--quiet', '--no-replay', '--force', '-o', out])
    with open(os.path.join(out, 'stats.json')) as f: found = json.load(f)
    with open(os.path.join(out, 'result.json')) as f: paths = json.load(f)['paths']
    return found['states'], paths, found['sequences']


def change_row(tools, name, number, before, after):
    with open(source('change/' + name)) as f: text = f.read()
    mutant = text.replace(before, after, 1)
    if mutant == text: sys.exit(f'change/{name}: no text {before!r}')
    with tempfile.TemporaryDirectory() as scratch:
        paths = [os.path.join(scratch, word + '.c') for word in ('old', 'new')]
        for path, what in zip(paths, (text, mutant)):
            with open(path, 'w') as f: f.write(what)
        full = change_one(tools, scratch, *paths, 'none', 'default')
        rules = {rule: [change_one(tools, scratch, *paths, rule, order) for order in ORDERS] for rule in ('published', 'complete')}
        answer = json.loads(tools.command([tools.sheaf, 'diff', *paths, '--format', 'json', '--no-replay', '-o', os.path.join(scratch, 'diff')]))
    main = next((f for f in answer['functions'] if f['function'] == 'main'), {})
    slashed = lambda rule, at: ' / '.join(str(found[at]) for found in rules[rule])
    short = lambda words: ' '.join(words.split())
    return (f'| {name} {number} | `{short(before)}` to `{short(after)}` | {full[0]} | {slashed("published", 0)} | {slashed("complete", 0)} | {full[1]} | {slashed("published", 1)} | {slashed("complete", 1)} '
            f'| {full[2]} | {slashed("published", 2)} | {answer["verdict"]} | {main.get("runs", 0)} |')


def change_section(tools, wanted):
    rows = []
    for name, mutants in CHANGE.items():
        for number, (before, after) in enumerate(mutants, 1):
            if not wanted(name): continue
            rows.append(change_row(tools, name, number, before, after))
            print(rows[-1], flush=True)
    return f"""## `change` beside `full`

As the DiSE paper's Tables II to VI: an altitude switch, a wheel brake system and an advisory logic of our own (bench/change), and mutants of each. States are decided branches and ends of paths. DiSE on what depends on the change
(`--impact all`), with the paper's rule (`--prune published`) and with the one that loses no sequence (`--prune complete`), each in the orders default / greedy / random; full is `--prune none`. "Sequences": of
affected blocks and outcomes, on all paths, and met by the published rule, which loses some ([change](change.md)). At the end what `sheaf diff` says of the same two versions, and in how many runs of both.

| mutant | change | states: full | published | complete | path conditions: full | published | complete | sequences: all | published | diff | runs |
|---|---|---|---|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}
"""


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--table', default=os.path.join(ROOT, 'docs/results.md'))
    ap.add_argument('--runs', type=int, default=3)
    ap.add_argument('--only')
    ap.add_argument('--sections', help='with --only: which of output,dependence,curves,mutants,reach,require,change')
    args = ap.parse_args()
    if args.sections and args.only is None: ap.error('--sections goes with --only: the table has all of them')
    tools = Tools(args.sheaf, args.runs)
    wanted = lambda name: not args.only or args.only in name
    curves = None if args.only is not None else os.path.join(os.path.dirname(args.table), 'curves')
    if curves: os.makedirs(curves, exist_ok=True)
    make = {'output': lambda: output_section(tools, wanted), 'dependence': lambda: dependence_section(tools, wanted),
            'curves': lambda: curves_section(tools, wanted, curves), 'mutants': lambda: mutants_section(tools, wanted),
            'reach': lambda: reach_section(tools, wanted), 'require': lambda: require_section(tools, wanted), 'change': lambda: change_section(tools, wanted)}
    sections = [make[word]() for word in (args.sections.split(',') if args.sections else make)]
    if args.only is not None: return
    with open(args.table, 'w') as f:
        f.write(HEAD + '\n'.join(sections))


if __name__ == '__main__': main()
