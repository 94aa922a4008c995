#!/usr/bin/env python3
"""A class at a real Slurm with four slots, on loopback. By hand:

    class.py GPULAB [--students 60] [--arrive 60] [--kill 0.05] [--restart] [--steps tile,padded|all] [--set n=512]...

Each student runs steps of lab 3 with --device slurm and, after a failure, again. --kill: this share of jobs is canceled while it runs.
--restart: slurmd is restarted in the middle. Prints a table: results that are right, runs that were repeated, the longest wait for a
slot, and how much of the time the slots were held and worked in."""
import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from servers import Missing, Slurm, write  # noqa: E402

DEVICE = 'slurm:gpu/emu:GTX 280'


def command(gpulab, device, options):
    steps = [] if options.steps == 'all' else ['--step', options.steps]
    changes = [word for change in options.set for word in ('--set', change)]
    return [gpulab, '-n', '--device', device, '--batch', *steps, *changes, '--csv', '-', '3']


class Student(threading.Thread):
    def __init__(self, gpulab, options, number, env, folder, starts):
        super().__init__()
        self.argv = command(gpulab, DEVICE, options)
        self.env = {**env, 'HOME': os.path.join(folder, 'home%d' % number), 'GPULAB_HOME': ''}
        os.makedirs(self.env['HOME'])
        self.starts = starts
        self.runs, self.table, self.problems, self.waits, self.took = 0, None, [], [], 0

    def run(self):
        time.sleep(self.starts)
        begun = time.monotonic()
        while self.runs < 10:
            self.runs += 1
            done = subprocess.run(self.argv, env=self.env, capture_output=True, text=True)
            self.waits += [int(s) for s in re.findall(r'waiting for [^\n]*?(\d+) s \(Ctrl-C', done.stderr)]
            if done.returncode in (0, 7):
                self.table = done.stdout.replace(DEVICE, 'emu:GTX 280')
                break
            self.problems.append((done.stderr.strip().split('\n') or [''])[-1])
        self.took = time.monotonic() - begun


def observe(cluster, killed_share, seen, stop):
    """Samples the queue; cancels a share of the jobs once they run."""
    decided = {}
    while not stop.is_set():
        running = [job.split()[0] for job in cluster.jobs('running')]
        pending = len(cluster.jobs('pending'))
        seen.append((len(running), pending))
        for job in running:
            if job not in decided:
                decided[job] = random.random() < killed_share
                if decided[job]:
                    cluster.run('scancel', job)
                    seen.killed += 1
        time.sleep(0.2)


class Seen(list):
    killed = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('gpulab')
    parser.add_argument('--students', type=int, default=60)
    parser.add_argument('--arrive', type=float, default=60)
    parser.add_argument('--kill', type=float, default=0)
    parser.add_argument('--restart', action='store_true')
    parser.add_argument('--steps', default='tile,padded')
    parser.add_argument('--set', action='append', default=[])
    options = parser.parse_args()
    gpulab = os.path.abspath(options.gpulab)
    random.seed(7)
    with tempfile.TemporaryDirectory(prefix='gpulab-class-') as folder:
        os.chmod(folder, 0o755)
        write(os.path.join(folder, 'site.lua'), 'return { slurm = { gpulab = "%s" } }\n' % gpulab)
        env = {**os.environ, 'GPULAB_SITE': os.path.join(folder, 'site.lua')}
        local = subprocess.run(command(gpulab, 'emu:GTX 280', options), env={**env, 'HOME': folder, 'GPULAB_HOME': ''}, capture_output=True, text=True)
        try:
            cluster = Slurm(os.path.join(folder, 'cluster'))
        except Missing as e:
            print('cannot run: %s' % e)
            return 5
        try:
            env.update(cluster.env)
            students = [Student(gpulab, options, i, env, folder, random.uniform(0, options.arrive)) for i in range(options.students)]
            seen, stop = Seen(), threading.Event()
            watcher = threading.Thread(target=observe, args=(cluster, options.kill, seen, stop))
            begun = time.monotonic()
            watcher.start()
            for student in students:
                student.start()
            if options.restart:
                time.sleep(options.arrive / 2)
                cluster.restart_slurmd()
            for student in students:
                student.join()
            took = time.monotonic() - begun
            stop.set()
            watcher.join()
            time.sleep(3)
            left = [job for job in cluster.jobs('pending,running')]
        finally:
            cluster.close()
        right = sum(s.table == local.stdout and bool(s.table) for s in students)
        busy = [running for running, _ in seen]
        waited = [running for running, pending in seen if pending]
        print('| students | killed share | slurmd restarted | right results | jobs killed | runs in all | most runs of one | longest wait (s) '
              '| longest from start to table (s) | all done (s) | slots held (mean of 4) | while others waited | jobs left |')
        print('|---|---|---|---|---|---|---|---|---|---|---|---|---|')
        print('| %d | %.0f %% | %s | %d | %d | %d | %d | %d | %.1f | %.1f | %.2f | %s | %d |' % (
            len(students), 100 * options.kill, 'yes' if options.restart else 'no', right, seen.killed, sum(s.runs for s in students),
            max(s.runs for s in students), max((w for s in students for w in s.waits), default=0), max(s.took for s in students), took,
            statistics.mean(busy), '%.2f' % statistics.mean(waited) if waited else '-', len(left)))
        for problem in sorted({p for s in students for p in s.problems}):
            print('  seen:', problem[:200])
        return 0 if right == len(students) and not left else 1


if __name__ == '__main__':
    sys.exit(main())
