#!/usr/bin/env python3
"""Explores golden programs in one process and in several, which must give the same answer.

usage: jobs.py --sheaf BINARY [--filter TEXT]

SHEAF_FORK_AFTER makes `sheaf test -j N` fork after so many runs, since goldens are over long before it pays. Compared with -j 1:
  - the verdict: exit status, complete or not, and the kinds of reasons why not;
  - faults by kind and line, needs of callers, lines and branch outcomes that are covered;
  - of `full`: the number of paths, and how many of them show each fault, unless the golden says that the number depends on what the solver finds.
Among different N, and from run to run, `full` gives the same tests: which paths, their numbers, which are files, which show a fault; and the store has one of each path.
Of `output` only whether it is complete: which faults and branches it meets between rows is chance (rows: tests/oracle/output.c). Goldens that are
incomplete by design are explored by `full` alone: what a limit cuts off may be something else for others.
"""
import argparse, concurrent.futures, glob, json, os, shlex, sqlite3, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import goldens

ROOT = goldens.ROOT
EXPLORERS, FORK_AFTER = {'full': (2, 7), 'output': (7,), 'dependence': (2, 4)}, 2  # explorers that fork, and numbers of processes

# Beside the goldens, explored by `full`, for their many paths, several times: program, options.
LARGER, TIMES = [('examples/stackvm.c', '--sym-stdin 4'), ('bench/search/json.c', '--sym-stdin 3 --no-replay'), ('bench/explore/tokenizer.c', '--sym-stdin 2 --no-replay'),
                 ('tests/scale/many.c', '-DN=9'), ('tests/scale/many.c', '-DN=9 --tests all --no-replay')], (2, 3, 7, 2)


def names(_=None): return sorted(os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, 'tests/explore/*.c')))


def tests_of(out, result):
    """The tests that have numbers, each with a hash of its path (0: of a run before there were several processes), and what shows the faults."""
    connection = sqlite3.connect(os.path.join(out, 'store.db'))
    try: rows = connection.execute('SELECT number, rank, role, ending, fault, site FROM test WHERE number > 0 ORDER BY number').fetchall()
    finally: connection.close()
    return rows, sorted(os.listdir(os.path.join(out, 'tests'))), [(f['kind'], f.get('line'), f.get('message'), os.path.basename(f.get('test', ''))) for f in result['faults']]


def stored_in(out):
    """How many tests, of all paths."""
    connection = sqlite3.connect(os.path.join(out, 'store.db'))
    try: return connection.execute('SELECT count(*) FROM test').fetchone()[0]
    finally: connection.close()


def explore(sheaf, golden, explorer, jobs, out, more=()):
    """The answer, and how many runs other processes made."""
    command = [sheaf, 'test', '--format', 'json', '--no-replay', '-o', out, '--explore', explorer, '-j', str(jobs), *golden.cflags, *shlex.split(golden.how.get('options', '')), *more, golden.path]
    if 'args' in golden.how: command += ['--', *shlex.split(golden.how['args'])]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, 'SHEAF_FORK_AFTER': str(FORK_AFTER)})
    if done.returncode not in (0, 1, 3): raise goldens.Bad(f'{explorer} -j {jobs}: status {done.returncode}: {done.stderr.strip()[-300:]}')
    result = json.loads(done.stdout)
    with open(os.path.join(out, 'stats.json'), encoding='utf-8') as f: sent = json.load(f)['sent']
    answer = {'incomplete': sorted({e['kind'] for e in result['incomplete']})}
    if explorer == 'output': return answer, sent, None
    answer.update(status=done.returncode, faults=sorted((f['kind'], f.get('line')) for f in result['faults']), needs=sorted((f['kind'], f.get('line')) for f in result.get('needs', [])), lines=result['coverage']['lines_covered'], branches=result['coverage']['branches_covered'])
    if explorer == 'full' and golden.least == golden.most: answer.update(paths=result['paths'], runs=sorted((f['kind'], f.get('line'), f['runs']) for f in result['faults']))
    return answer, sent, tests_of(out, result)


def larger(sheaf, name, options):
    """What is wrong, None if nothing is."""
    first = None
    with tempfile.TemporaryDirectory() as out:
        for i, jobs in enumerate(TIMES):
            where = os.path.join(out, str(i))
            command = [sheaf, 'test', '--format', 'json', '-o', where, '--explore', 'full', '-j', str(jobs), *options.split(), os.path.join(ROOT, name)]
            done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, 'SHEAF_FORK_AFTER': str(FORK_AFTER)})
            if done.returncode not in (0, 1): return f'-j {jobs}: status {done.returncode}: {done.stderr.strip()[-300:]}'
            result = json.loads(done.stdout)
            got, stored = tests_of(where, result), stored_in(where)
            if stored != result['paths']: return f'-j {jobs}: {result["paths"]} paths, {stored} tests in the store'
            if not any(rank for _, rank, *_ in got[0]): return f'-j {jobs}: no test is of another process'
            if first is None: first = got
            if got != first: return f'-j {jobs}: {differ(got, first)}'
    return None


def differ(got, first): return 'other tests than with -j 2: ' + '; '.join(f'{str(a)[:300]}, not {str(b)[:300]}' for a, b in zip(got, first) if a != b)


def check(sheaf, name):
    """What is wrong, None if nothing is; and how many runs other processes made, by explorer."""
    golden, sent = goldens.Golden(os.path.join(ROOT, name)), dict.fromkeys(EXPLORERS, 0)
    with tempfile.TemporaryDirectory() as directory:
        try:
            for explorer in ['full'] if golden.incomplete else EXPLORERS:
                tests = None
                one, _, _ = explore(sheaf, golden, explorer, 1, os.path.join(directory, explorer))
                for jobs in EXPLORERS[explorer]:
                    many, made, found = explore(sheaf, golden, explorer, jobs, os.path.join(directory, f'{explorer}{jobs}'))
                    sent[explorer] += made
                    if many != one: return f'{explorer} -j {jobs}: ' + '; '.join(f'{key}: {many[key]}, with -j 1 {one[key]}' for key in one if many[key] != one[key]), sent
                    if explorer == 'full' and tests and 'paths' in one and found != tests: return f'{explorer} -j {jobs}: {differ(found, tests)}', sent
                    tests = found
        except goldens.Bad as bad: return str(bad), sent
    return None, sent


def run(sheaf, pattern='', parallel=2):
    """Returns (passed, failed)."""
    chosen, failed, sent = [n for n in names() if pattern in n], 0, dict.fromkeys(EXPLORERS, 0)
    with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        for name, (wrong, made) in zip(chosen, pool.map(lambda n: check(os.path.abspath(sheaf), n), chosen)):
            for explorer in EXPLORERS: sent[explorer] += made[explorer]
            if wrong is None: continue
            failed += 1
            print(f'FAIL {name}: {wrong}', flush=True)
    for name, options in LARGER:
        if pattern not in name: continue
        chosen.append(name)
        wrong = larger(os.path.abspath(sheaf), name, options)
        if wrong is None: continue
        failed += 1
        print(f'FAIL {name} {options}: {wrong}', flush=True)
    idle = [e for e in ('full', 'output') if not sent[e]]
    if not pattern and idle:
        failed += 1
        print(f'FAIL jobs: one process explored with {" ".join(idle)}')
    print(', '.join(f'{e}: {n} runs by other processes' for e, n in sent.items()), flush=True)
    return len(chosen) - failed, failed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--filter', default='')
    args = ap.parse_args()
    passed, failed = run(args.sheaf, args.filter)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__': sys.exit(main())
