"""gpulab grade: odd values of options.
usage: test_runs.py GPULAB SOURCE_ROOT"""
import ctypes.util
import os
import subprocess
import sys

from grading import ENV, FOLDER, GPULAB, STARTER, at, grade, same, scheme, submit
from terminal import check, run_tests, write


def run(*words, env=None):
    done = subprocess.run([GPULAB, *words], cwd=FOLDER.name, env={**ENV, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def options():
    """Odd values of options end with a sentence and 64 or 5"""
    scheme()
    submit('odd/ann/row_sums.cu')
    submit('odd/bob/row_sums.cu', text=STARTER)
    submit('odd.cu')
    write(at('file'), 'x')
    write(at('odd.csv'), 'id,grade\nann,\n')
    os.mkfifo(at('odd-pipe'))
    os.symlink('nowhere', at('dangling'))
    usual = {'SUBMISSIONS': 'odd', 'scheme': 'scheme.csv', 'out': 'odd-out'}
    cases = (('SUBMISSIONS', '', 64), ('SUBMISSIONS', 'nowhere', 5), ('SUBMISSIONS', 'file', 5), ('SUBMISSIONS', 'odd-pipe', 5),
             ('SUBMISSIONS', 'dangling', 5), ('SUBMISSIONS', '/dev/null', 5), ('out', '', 64), ('out', 'file', 5), ('out', 'file/x', 5),
             ('out', '/proc/nowhere', 5), ('out', '/dev/null', 5), ('out', 'dangling', 5), ('out', 'odd', 64), ('out', 'odd/', 64),
             ('out', 'odd/../odd', 64), ('out', 'odd/ann', 64), ('out', '/sys', 5), ('scheme', '', 64), ('scheme', 'nowhere', 5),
             ('scheme', 'odd', 5), ('scheme', 'file', 64), ('lab', '', 64), ('lab', '99', 5), ('lab', 'odd', 64), ('lab', 'nowhere', 5),
             ('lab', 'scheme.csv', 1), ('lab', 'file', 1), ('jobs', '', 64), ('jobs', '0', 64), ('jobs', '-1', 64), ('jobs', '1.5', 64),
             ('jobs', '257', 64), ('jobs', 'many', 64), ('time', '', 64), ('time', '0', 64), ('time', 'nan', 64), ('time', '1e99', 64),
             ('name', '', 64), ('roster', '', 64), ('roster', 'nowhere', 64), ('points', '', 64), ('points', '%s', 64),
             ('points', '%d%d', 64), ('gradescope', '', 64), ('gradescope', 'odd', 64), ('gradescope', 'nowhere/x', 5),
             ('gradescope', '/dev/null', 64), ('gradescope', 'odd-pipe', 64), ('classroom', '', 64), ('classroom', 'odd', 64),
             ('classroom', 'nowhere/x', 5), ('about', '', 64), ('about', 'x', 64), ('about', '=x', 64), ('about', 'names=x', 64),
             ('id', '', 64), ('column', '', 64), ('one', '', 64), ('nothing', '1', 64))
    for name, value, code in cases:
        given = {**usual, name: value}
        if name == 'lab':
            del given['scheme']
        if name in ('gradescope', 'classroom', 'about'):
            given['SUBMISSIONS'] = 'odd/ann'
        words = [given.pop('SUBMISSIONS')] + [part for option, each in given.items() for part in ('--' + option, each)]
        got, said = run('grade', *words)
        same((name, value, got, said.strip() != '' and 'internal error' not in said and 'traceback' not in said), (name, value, code, True))
    roster = '--roster', 'odd.csv', '--id'
    for words, code in ((*roster, 'id'), 64), ((*roster, 'x', '--column', 'grade'), 64), ((*roster, 'id', '--column', 'id'), 64), (
            ('--roster', 'odd', '--id', '1', '--column', '2'), 5), (('--roster', 'nowhere', '--id', '1', '--column', '2'), 5), (
                ('--out',), 64), (('--quiet=1',), 64), (('odd',), 64):
        got, said = run('grade', 'odd', '--scheme', 'scheme.csv', '--out', 'odd-out', *words)
        same((words, got, 'internal error' in said), (words, code, False))
    for words, code in ((('', 'row-sums', 'odd.cu'), 64), (('3', '', 'odd.cu'), 64), (('3', 'row-sums', ''), 64), (('3', 'row-sums', 'odd'), 5),
                        (('3', 'row-sums', 'dangling'), 5), (('99', 'row-sums', 'odd.cu'), 5), (('odd', 'row-sums', 'odd.cu'), 64),
                        (('3', 'row-sums', 'odd.cu', '--seed', ''), 64), (('3', 'row-sums', 'odd.cu', '--seed', '-1'), 64),
                        (('3', 'row-sums', 'odd.cu', '--json', ''), 64), (('3', 'row-sums', 'odd.cu', '--json', 'odd'), 5),
                        (('3', 'row-sums', 'odd.cu', '--junit', 'nowhere/x'), 5), (('3', 'row-sums', 'odd.cu', '--junit', ''), 64),
                        (('3', 'row-sums', 'odd.cu', '--junit', '-', '--json', '-'), 64)):
        got, said = run('check', *words)
        same((words, got, 'internal error' in said), (words, code, False))
    same(os.listdir(at('odd/ann')), ['row_sums.cu'])


if not ctypes.util.find_library('archive'):
    print('1..0 # SKIP libarchive is not installed')
    sys.exit(0)
run_tests([options])
