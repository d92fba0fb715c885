#!/usr/bin/env python3
"""What several processes gain: `sheaf test --explore full -j N` on this machine, and many workers by simulation.

usage: parallel.py [--build DIR] [--jobs N] [--only TEXT] [--rounds N] [--simulate] [--times K]

For each program: seconds with -j 1 and with -j N (the shortest of so many rounds), the speed-up, processor seconds of both, which part of the runs other
processes made, and whether the answers are the same: paths, faults and how many runs show each, branch outcomes, verdict. Exit status 1 if one differs, or
if -j N forked no process: that takes a tenth of a second of work, and programs that take little more measure little. Times mean something on a quiet machine
only; processor seconds and the part of the runs do on any.

--simulate replays the scheduler of src/explore/parallel.c on what each task costs (regions.c) for 8, 64 and 512 workers: a worker takes the deepest of
its tasks; one that has none is given every second of the tasks, by depth, of the one that has most. --times K: as if each task cost K times as much, for
explorations that are larger than those of the table."""
import argparse, collections, heapq, json, os, resource, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# program, bytes of standard input, further options: two to ten seconds of processor time each with -j 1
PROGRAMS = [('bench/explore/tokenizer.c', 4), ('bench/search/json.c', 5), ('bench/search/settings.c', 7), ('examples/stackvm.c', 10), ('examples/wordcount.c', 16),
            ('bench/dependence/flags.c', 0, '-DWORDS=3'), ('bench/dependence/queues.c', 0, '-DCOMMANDS=4'), ('tests/scale/many.c', 0, '-DN=17')]
SIMULATED = [*PROGRAMS, ('bench/output/set.c', 0)]                          # short ones as well: --times makes them longer
LATENCY, PAUSE, GIVE, BEGIN = 0.001, 0.02, 20e-6, 0.1                       # seconds: of a message; between two gifts of a worker; to write and read a task; before workers are forked


def run(args, program, bytes_, flags, jobs):
    with tempfile.TemporaryDirectory() as scratch:
        command = [os.path.join(args.build, 'sheaf'), 'test', os.path.join(ROOT, program), '--explore', 'full', *flags, '-j', str(jobs), '-q', '--no-replay', '--format', 'json', '-o', os.path.join(scratch, 'out')]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command + (['--sym-stdin', str(bytes_)] if bytes_ else []), capture_output=True, text=True)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1, 3): sys.exit(f'{program}: {done.stderr}')
        r = json.loads(done.stdout)
        with open(os.path.join(scratch, 'out', 'stats.json'), encoding='utf-8') as f: sent = json.load(f)['sent']
        same = (r['paths'], r['complete'], r['coverage']['branches_covered'], sorted((f['kind'], f.get('line'), f['runs']) for f in r['faults']))
        return same, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, sent


def measure(args):
    wrong = 0
    print(f'| program | paths | -j 1, s | -j {args.jobs}, s | speed-up | processor time, s | with -j {args.jobs} | runs by other processes |\n|---|---|---|---|---|---|---|---|')
    for program, bytes_, *flags in PROGRAMS:
        if args.only not in program: continue
        one = min((run(args, program, bytes_, flags, 1) for _ in range(args.rounds)), key=lambda r: r[1])
        many = min((run(args, program, bytes_, flags, args.jobs) for _ in range(args.rounds)), key=lambda r: r[1])
        print(f'| {" ".join([program, *flags])}, {bytes_} | {one[0][0]} | {one[1]:.1f} | {many[1]:.1f} | {one[1] / many[1]:.2f} | {one[2]:.1f} | {many[2]:.1f} | {100 * many[3] / one[0][0]:.0f} % |', flush=True)
        if one[0] != many[0] or (args.jobs > 1 and not many[3]):
            wrong += 1
            print(f'FAIL {program}: {one[0]} and {many[0]}; {many[3]} runs by other processes', file=sys.stderr)
    return wrong


def tasks_of(args, program, bytes_, flags):
    """Cost and children of each task; of runs their depth."""
    command = [os.path.join(args.build, 'bench', 'regions'), args.clang, os.path.join(args.build, 'runtime', 'runtime.bc'), os.path.join(ROOT, program), str(bytes_), '-I' + os.path.join(ROOT, 'include'), *flags]
    cost, depth, children, of_run = [], [], collections.defaultdict(list), {0: None}
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        parent, made, micro = line.split()
        task = len(cost)
        cost.append(float(micro) / 1e6 * args.times)
        depth.append(depth[of_run[int(parent)]] + 1 if int(parent) else 0)
        if int(parent): children[of_run[int(parent)]].append(task)
        if int(made): of_run[int(made)] = task
    return cost, depth, children


def simulate(cost, depth, children, workers):
    """Seconds until all is done."""
    pending, now = [0], 0.0
    while pending and (now < BEGIN or len(pending) < 2):          # alone
        task = pending.pop()
        now += cost[task]
        pending += children[task]
    pending.sort(key=lambda t: depth[t])
    queues = [pending[i::workers] for i in range(workers)]
    given, idle, end = [now] * workers, [], now
    events = [(now + LATENCY + GIVE * len(q), i) for i, q in enumerate(queues)]
    heapq.heapify(events)
    while events:
        now, i = heapq.heappop(events)
        queue = queues[i]
        if idle and len(queue) > 1 and now >= given[i] + PAUSE:             # asked
            queue.sort(key=lambda t: depth[t])
            part, queues[i] = queue[::2], queue[1::2]
            given[i] = now
            other = idle.pop()
            queues[other] = part
            heapq.heappush(events, (now + 2 * LATENCY + GIVE * len(part), other))
            heapq.heappush(events, (now + GIVE * (len(queue)), i))
        elif queue:
            task = queue.pop()
            queue += children[task]
            end = max(end, now + cost[task])
            heapq.heappush(events, (now + cost[task], i))
        else:
            idle.append(i)
    return end


def simulated(args):
    print(f'| program | tasks | processor time, s | 2 | 8 | 64 | 512 workers |\n|---|---|---|---|---|---|---|')
    for program, bytes_, *flags in SIMULATED:
        if args.only not in program: continue
        cost, depth, children = tasks_of(args, program, bytes_, flags)
        total = sum(cost)
        print(f'| {" ".join([program, *flags])}, {bytes_} | {len(cost)} | {total:.1f} | ' + ' | '.join(f'{total / simulate(cost, depth, children, n):.1f}' for n in (2, 8, 64, 512)) + ' |', flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'))
    ap.add_argument('--clang', default='clang-14')
    ap.add_argument('--jobs', type=int, default=os.cpu_count())
    ap.add_argument('--only', default='')
    ap.add_argument('--rounds', type=int, default=1)
    ap.add_argument('--simulate', action='store_true')
    ap.add_argument('--times', type=float, default=1)
    args = ap.parse_args()
    if args.simulate: simulated(args)
    else: sys.exit(measure(args) != 0)


if __name__ == '__main__': main()
