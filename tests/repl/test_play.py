"""play.py, which writes the sessions of the documents, and the screen it reads. usage: test_play.py GPULAB SOURCE_ROOT"""
import os
import subprocess
import sys
import tempfile

from screen import Screen
from terminal import check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
PLAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'play.py')

SESSION = r'''# # A session

$ gpulab --set n=64 --set blocks=4 3
> run stride2

# A guess.

> 2
cut 1 1
> steps
editor 0,/tile\[TILE\]\[WIDTH\];/s//tile[TILE][WIDTH + 1];/
> edit tile
save 03-bank-conflicts/transpose.cu s/WIDTH + 1\]/WIDTH + 1/
> quit
$ gpulab --list
'''

def shown(text):
    return '\n'.join(Screen().feed(text).all())


def screens():
    """what a screen shows of carriage returns, erased lines, tabs, moves and colours"""
    for text, want in (('a\r\nb', 'a\nb'), ('abc\rx', 'xbc'), ('abc\r\x1b[Kd', 'd'), ('abc\b\b\x1b[Kd', 'ad'), ('\tx', ' ' * 8 + 'x'),
                       ('\x1b[31mred\x1b[0m', 'red'), ('one\r\ntwo\x1b[A\rONE', 'ONE\ntwo'), ('ab\x1b[Dc', 'ac'),
                       ('ab\x1b[1Gc', 'cb'), ('x' * 200, 'x' * 200), ('\x1b[?2004h> \x1b[?2004l', '>'), ('\x1b', ''), ('\x1b[', '[')):
        check(shown(text) == want, '%r shows %r' % (text, shown(text)))
    screen = Screen().feed('before\r\n\x1b[2J\x1b[Hone\r\ntwo\x1b[1;1HO')
    check(screen.shown() == ['One', 'two'], screen.shown())


def played(session):
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/session', 'w', encoding='utf-8') as f:
            f.write(session)
        done = subprocess.run([sys.executable, PLAY, GPULAB, ROOT, folder + '/session', folder + '/out.md', '--device', 'emu'],
                              capture_output=True, text=True, check=False)
        check(done.returncode == 0, done.stderr)
        with open(folder + '/out.md', encoding='utf-8') as f:
            return f.read()


def a_session():
    """typed lines, a guess, an editor, a save from outside: all of it stands in the transcript, in order"""
    text, at = played(SESSION), 0
    for part in ('# A session\n', '```\n$ gpulab --device emu --set n=64 --set blocks=4 3\n', 'Lab 3 · Shared memory banks', '03> run stride2\n',
                 '```\n\nA guess.\n\n```\n', 'your prediction (Enter skips)> 2\n', 'Actual: 2 wavefronts. Right.', '03> steps\n', '[...]\n',
                 '03> edit tile\n', '[WIDTH + 1];', 'was saved\n', 'error: expected a "]"', '03> quit\n', '$ gpulab --list\n', '0 of 4 passed'):
        found = text.find(part, at)
        check(found >= 0, '%r is not in the rest of %s' % (part, text))
        at = found + len(part)
    check(text.count('```') % 2 == 0, text)
    check('/tmp' not in text, 'a folder of this machine stands in it')
    check('\ufffd' not in text, 'a character is broken')


def strange_lines():
    """a line that means nothing is refused"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/session', 'w', encoding='utf-8') as f:
            f.write('frobnicate\n')
        done = subprocess.run([sys.executable, PLAY, GPULAB, ROOT, folder + '/session', folder + '/out.md'], capture_output=True,
                              text=True, check=False)
        check(done.returncode != 0 and 'no such line' in done.stderr, done.stderr)


sys.exit(run_tests([screens, a_session, strange_lines]))
