#!/usr/bin/env python3
"""What tests/gpu/run makes of parts that pass, skip, fail and take too long, on the emulator: run_test.py BUILD"""
import os
import re
import subprocess
import sys
import tempfile

import results
from tap import check, end

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'run')


def run(*options, env=None):
    done = subprocess.run([sys.executable, RUN, *options], capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout + done.stderr


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        status, said = run(build, '--device', 'emu', '--to', folder, '--only', 'cheats,library,test_gpu,cooperative,lab-09')
        with open(folder + '/report.md', encoding='utf-8') as f:
            report = f.read()
        check(status == 0 and re.search(r'cheats +passed', said), 'a part passes', said)
        check('| cheats | kernels that cheat are found out | passed | 4, 2 skipped |' in report, 'and the report says so', report)
        check(re.search(r'\| cooperative \|[^|]*\| passed \| \d\d \|', report), 'tests are counted however they are laid out', report)
        check('skipped: a GPU is needed' in report, 'a part that skips says why', report)
        check('lab-03' not in report and os.path.exists(folder + '/cheats.txt'), 'what was left out is not in it')
        rows = results.read(folder + '/results.tsv')
        check([row['step'] for row in rows if row['lab'] == '9'].count('scattered') == 1 and 'n=' in rows[0]['params'],
              'the steps of labs are in the table', rows)
        without = {**os.environ, 'LUA_PATH': '/nowhere/?.lua'}
        status, said = run(build, '--device', 'emu', '--to', folder, '--only', 'symbols,textures,cooperative', env=without)
        with open(folder + '/report.md', encoding='utf-8') as f:
            report = f.read()
        check(status == 0 and report.count('skipped: luaunit is not installed') == 3, 'a part that lacks LuaUnit says so', said + report)
        status, said = run(build, '--device', 'emu', '--to', folder, '--only', 'lab-03', '--limit', 'lab=0.05')
        check(status == 1 and 'out of time' in said, 'a part that takes too long is ended', said)
        status, said = run(build, '--device', 'emu:no such GPU', '--to', folder)
        check(status == 77 and 'skipped' in said, 'no such device: all is skipped', said)
        status, said = run(folder, '--to', folder)
        check(status == 1 and 'build folder' in said, 'what is no build folder', said)
        for wrong in (['--only', 'nothing'], ['--limit', 'soak=fast'], ['--skip', 'lab-99']):
            status, said = run(build, *wrong)
            check(status == 1 and said, 'what makes no sense: ' + ' '.join(wrong), said)
    return end()


sys.exit(main())
