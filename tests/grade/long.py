#!/usr/bin/env python3
"""A class of 60, minutes long, run by hand: the time it takes, kills at random moments, hostile submissions among honest ones.

    nice tests/grade/long.py build/src/gpulab [STUDENTS [KILLS [SEED]]]

What it prints is kept in docs/records/trials.md."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import classroom

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RESULTS = 'grades.csv', 'grades.json', 'grades.xml', 'grades.html'


def main(gpulab, students=60, kills=20, seed=1):
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix='gpulab-long-') as folder:
        env = {**os.environ, 'XDG_CACHE_HOME': folder + '/cache', 'HOME': folder}
        classroom.main(folder + '/class', students, ROOT, seed)

        def start(out, *args):
            return subprocess.Popen([gpulab, 'grade', 'class', '--scheme', 'class.csv', '--out', out, *args], cwd=folder, env=env,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

        def grade(out, *args):
            began = time.monotonic()
            code = start(out, *args).wait()
            if code:
                sys.exit('the grader ended with %d' % code)
            return time.monotonic() - began

        def read(out, name):
            with open(os.path.join(folder, out, name), encoding='utf-8') as f:
                return f.read()

        seconds = grade('first', '--jobs', '2')
        print('%d submissions with %d exercises, 2 at a time: %.0f s' % (students, len(classroom.EXERCISES), seconds), flush=True)
        for kill in range(kills):
            process = start('killed', '--jobs', '2')
            time.sleep(choose.uniform(0, 2 * seconds / kills))
            process.send_signal(signal.SIGKILL)
            process.wait()
        rest = grade('killed', '--jobs', '2')
        same = all(read('first', name) == read('killed', name) for name in RESULTS)
        print('killed at %d moments and resumed: %s; the last run took %.0f s' % (
            kills, 'the same bytes' if same else 'OTHER BYTES', rest), flush=True)
        hostile = ['student-%02d' % i for i in range(students) if i % 10 == 9]
        for name in hostile:
            shutil.rmtree(os.path.join(folder, 'class', name))
        alone = grade('alone', '--jobs', '2')
        with_them = [line for line in read('first', 'grades.csv').splitlines() if line.split(',')[0] not in hostile]
        equal = with_them == read('alone', 'grades.csv').splitlines()
        print('without the %d hostile ones: %.0f s, marks of the others: %s' % (
            len(hostile), alone, 'the same' if equal else 'OTHERS'), flush=True)
        return 0 if same and equal else 1


sys.exit(main(os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:])))
