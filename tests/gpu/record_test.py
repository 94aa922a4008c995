#!/usr/bin/env python3
"""What tests/gpu/record, ncu_compare.py --seen and timing.py make of what a GPU left behind, without one.

    record_test.py GPULAB BUILD"""
import os
import re
import subprocess
import sys
import tempfile

import results
from tap import check, end

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

REPORT = """# gpulab on a GPU, 2031-02-03 04:05

- gpulab 0.1.0
- NVIDIA H200, driver 1.2.3, CUDA 13.0, NVRTC 13.0
- Version 2025.3.1.0 (build 36398880) (public-release)

| part | what | result | tests | seconds |
|---|---|---|---|---:|
| faults | everything that can go wrong at the prompt | passed | 2 | 7.9 |
| lab-03 | 03-bank-conflicts.lua | passed |  | 6.2 |
| lab-04 | 04-transpose.lua | failed (3) |  | 1.5 |
| timing | times beside Nsight Compute's | passed |  | 45.5 |
| ncu-03 | counters of 03-bank-conflicts.lua | passed |  | 6.6 |
"""
FAULTS = '# stopped after 0.56 s\nok 1 - a hung kernel\nok 2 - a trap\n1..2\n'
TIMING = 'kernel n\ncopy             2048     9.376     9.408   -0.3%    0.34%    1.72%    520\n'
NCU = '03-bank-conflicts.lua: 16 steps, 16 launches\nrow  global_load_sectors  12672  12673   DIFFERS\n\n64 pairs, 1 differ\n'
STEP = {'id': 'row', 'outcome': 'ok', 'verified': True, 'detail': 'one\ttwo\n', 'params': {'n': 64},
        'rate': {'kind': 'measured', 'value': 27182, 'q1': 27183.00012, 'q3': 27181, 'samples': 9, 'unit': 'GB/s'}, 'time': {'median': 0.0125}}
RUN = {'schema': 'gpulab/1', 'lab': {'number': 3, 'id': 'bank-conflicts'}, 'device': {'gpu': 'NVIDIA H200', 'driver': '1.2.3'},
       'params': {'n': 4000, 'c': 6}, 'steps': [STEP, {'id': 'tile', 'outcome': 'race', 'rate': STEP['rate']}]}
ROWS = results.rows_of(RUN, '2031-02-03')
OF_LAB_4 = [{**row, 'lab': '4'} for row in ROWS]
PREDICTIONS = 'claim\tgpu\tvalue\tunit\terror\tbound\nO24.reduce6.unrolled\tGTX 280\t51.87\tGB/s\t-3.5\tDRAM bandwidth\n'


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
        f.write(text)


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def run(script, *options, env=None):
    done = subprocess.run([sys.executable, os.path.join(HERE, script), *options], capture_output=True, text=True, check=False,
                          env=env)
    return done.returncode, done.stdout + done.stderr


def recorded(build, folder):
    """A run in which a lab failed."""
    docs = os.path.join(folder, 'docs')
    table = os.path.join(docs, 'records', 'results', 'h200.tsv')
    results.write(table, [{**OF_LAB_4[0], 'rate': '1'}] + [{**row, 'rate': '2'} for row in ROWS])
    results.write(os.path.join(folder, 'results.tsv'), ROWS)
    for name, text in (('report.md', REPORT), ('faults.txt', FAULTS), ('timing.txt', TIMING), ('ncu-03.txt', NCU),
                       ('lab-03.txt', 'Lab 3 · Shared memory banks\n'), ('lab-04.txt', 'Lab 4\n')):
        write(folder, name, text)
    write(os.path.join(docs, 'records', 'results'), 'lectures.tsv', PREDICTIONS)
    status, said = run('record', build, folder, '--docs', docs, '--keep-predictions')
    check(status == 1 and 'lab-04: failed (3)' in said, 'a lab that failed is told', said)
    check(results.read(table) == ROWS + [{**OF_LAB_4[0], 'rate': '1'}], 'and its results stay as they were; another one\'s are new',
          read(table))
    check(ROWS[0] == dict(zip(results.COLUMNS, ('NVIDIA H200', '2031-02-03', '1.2.3', '3', 'row', 'c=6 n=64', 'verified', '27182',
                                                'GB/s', '27183', '27181', '9', '0.0125', '', 'one two'))), 'a step\'s row', ROWS[0])
    check(ROWS[1]['result'] == 'race' and not ROWS[1]['rate'], 'the row of one that is wrong has no rate', ROWS[1])
    claims = read(docs, 'reference', 'claims.md')
    check('# The lectures, claim by claim' in claims and '| 27182 GB/s |' in claims, 'the claims have the new numbers',
          claims[:900])
    check('| 5, `unrolled` | 51.9 GB/s |' in claims, 'and what the model says at the lecture\'s size')
    page = read(docs, 'records', 'h200.md')
    check('driver 1.2.3' in page and '2031-02-03' in page and '4 of 5 parts passed' in page, 'the page says what ran', page)
    check('spread by 0.34 % at' in page.replace('\n', ' ') and 'copy n = 2048' in page, 'how times spread', page)
    check('- a hung kernel: stopped after 0.56 s' in page, 'and what parts printed', page)
    check('| 3 · Shared memory banks | 2 | 1 | 0 | 0 | 6.2 |' in page, 'what came of the steps of a lab', page)
    check('| 03 | 16 | 16 | 64 | 1 | 0 |' in page and '12673   DIFFERS' in page, 'a counter that differs', page)
    check('Not part of this run.' in page and '{{' not in page, 'and what is missing', page)
    again = os.path.join(folder, 'again')
    os.makedirs(again)
    later = REPORT.replace('02-03', '02-04').replace('failed (3)', 'passed')
    write(again, 'report.md', re.sub(r'^\| (faults|lab-03) .*\n', '', later, flags=re.M))
    write(again, 'lab-04.txt', 'Lab 4, again\n')
    results.write(os.path.join(again, 'results.tsv'), OF_LAB_4)
    status, said = run('record', build, folder, again, '--docs', docs, '--keep-predictions')
    page = read(docs, 'records', 'h200.md')
    check(status == 0 and '| 4, again | 2 |' in page and '5 of 5 parts passed' in page and '2031-02-03 to 2031-02-04' in page
          and '- a hung kernel' in page and results.read(table) == ROWS + OF_LAB_4, 'what ran again is taken from the later folder', said + page)


def of_another_gpu(build, folder):
    """Only its labs' results are kept; the page is an H200's."""
    here, docs = os.path.join(folder, 'h100'), os.path.join(folder, 'h100', 'docs')
    os.makedirs(here)
    write(here, 'report.md', REPORT.replace('NVIDIA H200,', 'NVIDIA H100 80GB HBM3,').replace('failed (3)', 'skipped'))
    results.write(os.path.join(here, 'results.tsv'), ROWS)
    status, said = run('record', build, here, '--docs', docs)
    kept = [os.path.relpath(os.path.join(at, name), docs) for at, _, names in os.walk(docs) for name in names]
    check(status == 1 and 'lab-04: skipped' in said and kept == ['records/results/h100.tsv'], 'of another GPU only results',
          said + str(kept))


def predictions(gpulab):
    """Half a minute of work is begun and not awaited: what is asked for is there."""
    with open(os.path.join(HERE, 'record'), encoding='utf-8') as f:
        asked = re.search(r"io.stdout:write\((.*?)\(\)\)'", f.read())[1]
    done = subprocess.run([gpulab, '--device', 'emu', '-e', 'print(%s)' % asked], capture_output=True, text=True, check=False)
    check(done.stdout.startswith('function'), 'the lectures\' predictions can be asked for', done.stdout + done.stderr)


def refused(build, folder):
    for name, text in (('none', None), ('empty', ''), ('another', '# Something\n'), ('noparts', REPORT.split('|')[0]),
                       ('emulated', REPORT.replace('driver 1.2.3', 'driver '))):
        here = os.path.join(folder, name)
        os.makedirs(here)
        if text is not None:
            write(here, 'report.md', text)
        status, said = run('record', build, here, '--docs', os.path.join(here, 'docs'))
        check(status == 1 and 'report.md' in said and not os.path.exists(os.path.join(here, 'docs')),
              'a folder that is no report: ' + name, said)
    status, said = run('record', folder, folder)
    check(status == 1 and 'build folder' in said, 'what is no build folder', said)


def seen(gpulab, folder):
    """Tables of the profiler's, as they were, and with a number that no machine code explains."""
    lab, table = os.path.join(ROOT, 'labs', '06-matmul.lua'), os.path.join(folder, 'table')

    def compare(text):
        write(folder, 'table', text)
        return run('ncu_compare.py', gpulab, lab, 'n=128', '--seen', table)
    _, said = compare('')
    rows = re.findall(r'^(\S+) +(\w+) +(\d+) +0   DIFFERS', said, re.M)
    same = ['%s %s %s %s' % (step, counter, ours, ours) for step, counter, ours in rows]
    check(len(rows) >= 20, 'hardware that counted nothing differs', said)
    status, said = compare('\n'.join(same))
    check(status == 0 and ' 0 differ' in said, 'what was counted alike does not', said)
    status, said = compare('\n'.join(re.sub(r'^(one shared_load_wavefronts \d+) .*', r'\1 8193', row) for row in same))
    check(status == 1 and re.search(r' 8193 +DIFFERS', said), 'a number that fused loads do not give is not explained', said)
    ours = next(int(ours) for step, counter, ours in rows if (step, counter) == ('one', 'shared_load_wavefronts'))
    half = [re.sub(r'^(one shared_load_wavefronts \d+) .*', r'\1 %d' % (ours // 2), row) for row in same]
    status, said = compare('\n'.join(half))
    if 'DIFFERS' in said and 'no disassembler' in tool(gpulab):
        check(True, 'one that they do is # SKIP no nvdisasm')
    else:
        check(status == 0 and re.search(r'explained\n +fused loads: 256 loads: 64 LDS.128', said), 'one that they do is', said)


def named(gpulab, folder):
    """Pairs of a lab with loops that wait: those that gpulab names, and one that it does not."""
    lab, table = os.path.join(ROOT, 'labs', '10-synchronization.lua'), os.path.join(folder, 'table')

    def compare(*different):
        write(folder, 'table', '\n'.join('%s %s %s %d' % (*row, int(row[2]) + (row[:2] in different)) for row in rows))
        return run('ncu_compare.py', gpulab, lab, '--seen', table)
    write(folder, 'table', '')
    rows = re.findall(r'^(\S+) +(\w+) +(\d+) +0   (?:DIFFERS|named)', run('ncu_compare.py', gpulab, lab, '--seen', table)[1], re.M)
    waiting = ('fence', 'shared_load_wavefronts'), ('gridsync', 'global_load_sectors')
    status, said = compare(*waiting)
    check(status == 0 and len(re.findall('named: .*waiting$', said, re.M)) == 2 and
          said.endswith(' 2 differ, 2 of them named as dependent on order or time\n'), 'pairs that depend on time do not fail', said)
    status, said = compare(*waiting, ('reversed', 'global_load_sectors'))
    check(status == 1 and len(re.findall('DIFFERS$', said, re.M)) == 1 and ' 3 differ, 2 of them named ' in said,
          'one of another step does', said)


GPULAB_PLAYED = """#!/bin/sh
for n in 64 128; do
	echo '{"kernel": "copy", "n": '$n', "ms": 0.01, "samples": 9, "overhead": 0.001}'
done
"""


def profiled(folder):
    """A program and a profiler that are played: two kernels, of which the profiler saw some launches."""
    def script(name, text):
        write(folder, name, text)
        os.chmod(os.path.join(folder, name), 0o755)

    def compare(launches):
        rows = ''.join('"%d","gpu__time_duration.sum","10,000"\n' % i for i in range(launches))
        head = '"ID","Metric Name","Metric Value"\n' if launches else ''
        script('ncu', '#!/bin/sh\ncat <<END\n==PROF==\n%s%sEND\n' % (head, rows))
        env = {**os.environ, 'PATH': folder + os.pathsep + os.environ['PATH']}
        return run('timing.py', os.path.join(folder, 'gpulab'), '1', env=env)
    script('gpulab', GPULAB_PLAYED)
    status, said = compare(14)
    check(status == 0 and len(re.findall(r'^copy +\d+ +10\.000 +10\.000 ', said, re.M)) == 2, 'times beside the profiler\'s',
          said)
    for launches, told in ((7, '1 kernels of 2'), (13, '1 kernels of 2, and 6 launches'), (0, '0 kernels of 2')):
        status, said = compare(launches)
        check(status == 1 and 'the profiler saw ' + told in said, 'a profiler that saw %d launches of 14' % launches, said)


def tool(gpulab):
    return subprocess.run([gpulab, '--device', 'emu', '-e', 'local _, name = require("gpulab.show.machine_code").tool() '
                           'print(name == "nvdisasm" and name or "no disassembler that tells lines")'],
                          capture_output=True, text=True, check=False).stdout


def main():
    gpulab, build = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        recorded(build, folder)
        of_another_gpu(build, folder)
        predictions(gpulab)
        refused(build, os.path.join(folder, 'refused'))
        seen(gpulab, folder)
        named(gpulab, folder)
        profiled(folder)
    return end()


sys.exit(main())
