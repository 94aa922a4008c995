"""`run STEP &`: the prompt while it waits for a remote GPU. The queue is a file that appears when the test says so.
usage: test_background.py GPULAB"""
import os
import shlex
import shutil
import sys
import tempfile
import time

from servers import until, write
from terminal import Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-background-')
SITE, GO, LOG = (os.path.join(FOLDER.name, name) for name in ('site.lua', 'go', 'log'))
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_SITE': SITE,
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}
START = 'echo asked >>%s; trap "echo ended >>%s; exit 1" TERM; until [ -e %s ]; do sleep 0.05; done; exec %s --worker gateway' % (LOG, LOG, GO, shlex.quote(GPULAB))


def prompt(device):
    if os.path.exists(GO):
        os.remove(GO)
    write(LOG, '')
    shutil.rmtree(FOLDER.name + '/own', ignore_errors=True)  # what an earlier test has seen is not asked again
    write(SITE, '''return { remote = "job:slow", places = { slow = { start = { "sh", "-c", [[%s]] }, device = "emu:GTX 280",
        queue = { "printf", "other\\n{job}\\n" } }, gone = { start = { "sh", "-c", "sleep 1; echo no such account >&2; exit 3" },
        device = "emu:GTX 280" } } }''' % START)
    terminal = Terminal([GPULAB, '-q', '-n', '--device', device, '--set', 'n=1024', '3'], ENV, cwd=FOLDER.name, columns=120, rows=100)
    terminal.expect('> $')
    terminal.line('predict off')
    terminal.expect('> $')
    return terminal


def log():
    with open(LOG, encoding='utf-8') as f:
        return f.read().split()


def placed(terminal):
    """The queue is asked beside everything else, so its answer comes when it comes."""
    for _ in range(100):
        terminal.line('jobs')
        found = terminal.expect(r'\[1\] run tile: waiting for job:slow, (place 2 of 2 in the queue, )?\d+ s\n')
        terminal.expect('> $')
        if found[1]:
            return
        time.sleep(0.1)
    raise AssertionError('no place is shown')


def waits():
    """`run STEP &` returns; jobs shows the place; why, lines and check answer; the row appears by itself, above what is being typed"""
    terminal = prompt('job:slow')
    try:
        terminal.line('run tile &')
        terminal.expect(r'\[1\] run tile: waiting for job:slow, (place 2 of 2 in the queue, )?\d+ s\. `jobs`\s+shows')
        terminal.expect('> $')
        terminal.line('why tile')
        terminal.expect('32 lanes|bank')
        terminal.expect('> $')
        terminal.line('lines tile')
        terminal.expect('by the rules of the GTX 280')
        terminal.expect('> $')
        terminal.line('check row-sums')
        terminal.expect('row-sums|not met')
        terminal.expect('> $')
        placed(terminal)
        check(log() == ['asked'], log())
        terminal.send('print(6 *')
        write(GO, '')
        terminal.expect(r'\[1\] run tile\n(.|\n)*tile.*yes')
        terminal.send(' 7)\r')
        terminal.expect(r'\n42\n')
        terminal.line('print(gpu.device.place ~= nil)')
        terminal.expect('true')
        check(log() == ['asked'], log())
    finally:
        terminal.kill()


def taken_back():
    """kill gives it back; the next run asks again and waits in the foreground; fg waits for what was asked for"""
    terminal = prompt('job:slow')
    try:
        terminal.line('run tile &')
        terminal.expect(r'\[1\] run tile: waiting')
        terminal.expect('> $')
        until(lambda: log() == ['asked'], lambda: str(log()))  # one that ends sooner leaves no trace
        terminal.line('kill')
        terminal.expect(r'\[1\] run tile: canceled, and job:slow was given back')
        until(lambda: log() == ['asked', 'ended'], lambda: str(log()))
        terminal.expect('> $')
        terminal.line('kill')
        terminal.expect('nothing waits for a GPU')
        terminal.expect('> $')
        terminal.line('predict on')
        terminal.expect('> $')
        terminal.line('run tile&')
        terminal.expect('your prediction')  # now, and not while a GPU is held
        terminal.line('')
        terminal.expect(r'\[1\] run tile: waiting')
        terminal.expect('> $')
        terminal.line('fg')
        terminal.expect(r'waiting for job:slow: .*\d+ s \(Ctrl-C cancels\)')
        write(GO, '')
        terminal.expect('tile.*yes')
    finally:
        terminal.kill()
    until(lambda: log() == ['asked', 'ended', 'asked'], lambda: str(log()))


def elsewhere():
    """`run --remote STEP &` leaves the session's own device as it is, and a run there goes on in the meantime"""
    terminal = prompt('emu:GTX 480')
    try:
        terminal.line('run --remote tile &')
        terminal.expect(r'\[1\] run --remote tile: waiting for job:slow')
        terminal.expect('> $')
        terminal.line('run copy')
        terminal.expect('copy.*yes')
        terminal.expect('> $')
        write(GO, '')
        terminal.expect(r'\[1\] run --remote tile\n(.|\n)*tile.*yes')
        terminal.expect(r'Taken on .*GTX 280 \(job:slow')
        terminal.expect('> $')
        terminal.line('device')
        terminal.expect('GTX 480')
    finally:
        terminal.kill()


def fails():
    """one that does not come is named when that is known, and the prompt goes on"""
    terminal = prompt('job:gone')
    try:
        terminal.line('run tile &')
        terminal.expect(r'\[1\] run tile: waiting for job:gone')
        terminal.expect(r'no worker started at job:gone: sh exited with status 3; its last message: no such account')
        terminal.line('jobs')
        terminal.expect('Nothing waits for a GPU')
    finally:
        terminal.kill()


run_tests([waits, taken_back, elsewhere, fails])
