"""A lab before an audience: gpulab --demo. usage: test_demo.py GPULAB SOURCE_ROOT [DEVICE]"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import termios

from terminal import CTRL_C, Terminal, check, plain, run_tests, until

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
DEVICE = sys.argv[3] if len(sys.argv) > 3 else 'emu'
LAB = os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
SMALL = ['--set', 'n=64', '--set', 'blocks=4']
LAB_4 = os.path.join(ROOT, 'labs', '04-transpose.lua')
SMALL_4 = ['--set', 'n=256', '--set', 'large=256']


class Demo:
    def __init__(self, *args, editor='true', columns=80, rows=24, lab=LAB, small=None, shell=False):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-demo-')
        env = {'HOME': self.folder.name, 'TERM': 'xterm-256color', 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8',
               'LC_ALL': 'C.UTF-8', 'EDITOR': editor, 'GPULAB_HOME': self.folder.name + '/own',
               'XDG_CACHE_HOME': self.folder.name + '/cache', 'XDG_CONFIG_HOME': self.folder.name}
        for name in ('GPULAB_LUA', 'CUDA_HOME', 'CUDA_PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LD_LIBRARY_PATH'):
            if name in os.environ:
                env[name] = os.environ[name]
        command = [GPULAB, '--device', DEVICE, *(small or SMALL), '--demo', *args, lab]
        if shell:
            self.command, command = shlex.join(command), [shutil.which('bash'), '--norc', '--noprofile', '-i']
            env.update(PS1='shell> ', HISTFILE='/dev/null')
        self.terminal = Terminal(command, env, cwd=self.folder.name, columns=columns, rows=rows)

    def __enter__(self):
        return self.terminal

    def __exit__(self, *_):
        self.terminal.kill()
        self.folder.cleanup()


def to_the_tiles(t):
    """On to the step `copy`, whose row has three numbers."""
    t.expect(r'1/16 .*w why')
    for step in range(2, 15):
        for _ in range(3):
            t.send(' ')
            if t.expect(r'(\d+)/16 .*?w why').group(1) == str(step):
                break
    t.expect(r'')


def screen(t):
    """What the last whole drawing shows."""
    return plain(t.seen[t.seen.rindex('\x1b[2J'):])


def staged():
    """a step's numbers come one by one, each when a key is pressed, and the title says what is next"""
    with Demo() as t:
        to_the_tiles(t)
        shown = screen(t)
        check('14/16 copy in the tile' in shown and 'next: tile 32×32' in shown, shown)
        check('lecture n = 4000' not in shown and shown.count('?') >= 4, 'a number was told too early: ' + shown)
        t.send(' ')
        t.expect(r'lecture n = 4000.*w why')
        check('model GTX 280' not in screen(t), 'the model came too early')
        t.send('\x1b[6~')  # page down: what a presenter's remote control sends
        t.expect(r'model GTX 280.*w why')
        check('H200' not in screen(t) or DEVICE != 'emu', 'this GPU came too early')
        t.send(' ')
        t.expect(r'(predicted|measured) .*w why')
        t.send('b')
        t.expect(r'13/16')
        t.send('q')
        check(t.close() == 0, 'exit status %s' % t.status)


def every_line_fits():
    """nothing is wider than 80 columns, and the screen is never longer than the terminal"""
    with Demo() as t:
        to_the_tiles(t)
        for drawing in t.seen.split('\x1b[2J')[1:]:
            lines = plain(drawing.split('\x1b7')[0]).split('\n')
            check(len(lines) <= 24, '%d lines: %r' % (len(lines), lines))
            check(all(len(line) <= 80 for line in lines), max(lines, key=len))


def to_step(t, step):
    """On to a step of lab 4, its numbers not yet told."""
    at = 1
    t.expect(r'w why')
    while at < step:
        t.send(' ')
        at = int(t.expect(r' (\d+)/23 .*?w why').group(1))
    t.expect(r'')


def drawing_at(lab_step, columns, rows):
    """The lines of a step of lab 4 on a terminal of that size."""
    with Demo(lab=LAB_4, small=SMALL_4, columns=columns, rows=rows) as t:
        to_step(t, lab_step)
        return plain(t.seen[t.seen.rindex('\x1b[2J'):].split('\x1b7')[0]).split('\n')


def text_kernel_and_numbers():
    """text, kernel and numbers share the screen, and nothing is cut while a line is empty"""
    for columns, rows in ((80, 24), (80, 50), (120, 40), (160, 45)):
        lines = drawing_at(5, columns, rows)
        shown = '\n'.join(lines)
        check(len(lines) <= rows and all(len(line) <= columns for line in lines), shown)
        check('First a copy' not in shown and 'Now the tile is read' in shown, shown)
        check(re.search(r'59  (> )?template <int WIDTH> __global__ void transpose_tile', shown), 'no kernel: ' + shown)
        check('copy in the tile' in shown, 'no earlier row: ' + shown)
        whole = 'all words of a tile column are in one bank' in re.sub(r'\s+', ' ', shown) and '  73  }' in shown
        empty = [i for i in range(1, len(lines)) if not lines[i].strip() and not lines[i - 1].strip()]
        check(whole or len(empty) <= 1, 'cut, with empty lines: ' + shown)
        check(whole == (rows > 24), shown)


def worst_line_is_marked():
    """the kernel's worst access has a mark once the step's numbers are told, and color never is the only sign"""
    with Demo(lab=LAB_4, small=SMALL_4) as t:
        to_step(t, 5)
        check('>  72' not in screen(t), 'the mark tells the answer too early: ' + screen(t))
        for _ in range(3):
            t.send(' ')
            t.expect(r'w why')
        t.expect(r'')
        check('>  72' in screen(t), screen(t))
        check('\x1b[1m__syncthreads\x1b[0m' in t.seen, 'CUDA\'s own words do not stand out')


def warp_view():
    """v opens the warp view at the worst access, and q goes back to the demo"""
    if DEVICE != 'emu':
        return 'skip: stepping is on the emulator'
    with Demo(lab=LAB_4, small=SMALL_4) as t:
        to_step(t, 5)
        t.send('v')
        t.expect(r'>   72 .*32-way bank conflict.*s step')
        t.send('b')
        t.expect(r'>   7[01] .*s step')
        t.send('q')
        t.expect(r'5/23 tile.*w why')
        t.send('q')
        check(t.close() == 0, 'exit status %s' % t.status)


def live_edit():
    """the kernel is changed before the audience: the editor is a real process, the change is told, the row is new"""
    with tempfile.TemporaryDirectory() as folder:
        editor = folder + '/edit'
        with open(editor, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nsed -i "s/tile\\[TILE\\]\\[WIDTH\\];/tile[TILE][WIDTH + 1];/" "$1"\n')
        os.chmod(editor, 0o755)
        with Demo(editor=editor) as t:
            to_the_tiles(t)
            for _ in range(4):
                t.send(' ')
                t.expect(r'w why')
            t.expect(r'')
            check('15/16 tile 32×32' in screen(t), screen(t))
            t.send('e')
            t.expect(r'32 → 1|32 -> 1')
            t.expect(r'press any key to go back')
            t.send('x')
            t.expect(r'15/16 tile.*w why')
            check('32-way bank conflict' not in screen(t), 'the old finding still stands: ' + screen(t))
            t.send('q')
            check(t.close() == 0, 'exit status %s' % t.status)


def sizes_of_steps():
    """a step that has parameters of its own says so in the title and beside its row"""
    lab = os.path.join(ROOT, 'labs', '04-transpose.lua')
    with Demo(lab=lab, small=['--set', 'n=32', '--set', 'large=64']) as t:
        at = 1
        t.expect(r'w why')
        for _ in range(60):
            t.send(' ')
            at = int(t.expect(r' (\d+)/23 .*?w why').group(1))
            if at == 10:
                break
        check('tile 32×33, n = 512  ' in screen(t), screen(t))
        check('\n n = 512  ' in screen(t), screen(t))
    with Demo('--step', 'camp256', lab=lab, small=['--set', 'n=32', '--set', 'large=64']) as t:
        t.expect(r'11/23 .*w why')
        t.send('b')
        t.expect(r'10/23 .*w why')
        for _ in range(4):
            t.send(' ')
            t.expect(r'w why')
        check('11/23' in screen(t) and 'tile 32×33, n=512' in screen(t), screen(t))


def a_demo_of_lab_4():
    """an instructor's demo of lab 4: every step revealed number by number, the tile padded live, to the last step and out"""
    with tempfile.TemporaryDirectory() as folder:
        editor = folder + '/edit'
        with open(editor, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nsed -i "s/tile\\[TILE\\]\\[WIDTH\\];/tile[TILE][WIDTH + 1];/" "$1"\n')
        os.chmod(editor, 0o755)
        with Demo(editor=editor, lab=LAB_4, small=SMALL_4) as t:
            t.expect(r'1/23 copy, no transposition.*w why')
            check('?' in screen(t), 'a number was told before a key was pressed: ' + screen(t))
            seen, edited = {1}, False
            for _ in range(120):
                at = int(re.search(r'(\d+)/23 ', screen(t)).group(1))
                seen.add(at)
                if '/23 tile 32×32 ' in screen(t) and '32-way bank conflict' in screen(t) and not edited:
                    t.send('e')
                    t.expect(r'32 → 1|32 -> 1')
                    t.expect(r'press any key to go back')
                    t.send('x')
                    t.expect(r'tile 32×32.*w why')
                    check('32-way bank conflict' not in screen(t), 'the old finding still stands: ' + screen(t))
                    edited = True
                if 'This is the last step' in screen(t):
                    break
                t.send(' ')
                t.expect(r'\d+/23 .*(w why|last step)')
                t.expect(r'')
            check(seen == set(range(1, 24)), 'steps seen: %s' % sorted(seen))
            check(edited, 'the tile was never at hand to edit')
            t.send('q')
            check(t.close() == 0, 'exit status %s' % t.status)


def pages():
    """w explains page by page, t shows the text, ? the keys, which another key names"""
    with Demo() as t:
        t.expect(r'w why')
        t.send('w')
        t.expect(r'counted by the rules.*Limiter on.*1 to 21 of \d+ · space.*go back$')
        t.send('  ')
        t.expect(r'each word\s+is in a different bank.*(\d+) of \1 .*go back$')
        t.send(' ')
        t.expect(r'w why')
        t.send('t')
        t.expect(r'global memory has\s+almost no work here.*press any key to go back')
        t.send('x')
        t.expect(r'w why')
        t.send('?')
        t.expect(r'the warp view at that access.*any key to go back')
        t.send('x')
        t.expect(r'w why')
        t.send('z')
        t.expect(r'This key does nothing here')


def recorded():
    """a recorded run stands in where there is no GPU, and says whose numbers they are"""
    if DEVICE != 'emu':
        return 'skip: there is a GPU'
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/run.json'
        subprocess.run([GPULAB, '--device', 'emu', *SMALL, '--step', 'copy', '--json', path, LAB], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, 'GPULAB_HOME': folder})
        with open(path, encoding='utf-8') as f:
            run = json.load(f)
        run['device']['gpu'] = 'NVIDIA B999'
        run['steps'][0]['rate']['value'] = 4711
        run['steps'] += [7, {'id': 'tile', 'rate': 5}, {'rate': {'value': 1}}]  # passed over
        run['params']['gone'] = 1  # the lab does not have it
        with open(path, 'w', encoding='utf-8') as f:
            json.dump(run, f)
        with Demo('--recorded', path) as t:
            to_the_tiles(t)
            for _ in range(3):
                t.send(' ')
                t.expect(r'w why')
            t.expect(r'')
            check('recorded B999' in screen(t), screen(t))


def numbers_that_wait_for_nothing():
    """recorded numbers and the lecture's are shown at once, and the model's when the step has run; keys are not held up by that"""
    if DEVICE != 'emu':
        return 'skip: there is a GPU'
    with Demo(lab=LAB_4, small=['-n']) as t:
        t.send(' ' * 3 + 'b')
        t.expect(r'This is the first step')
        check('running' not in plain(t.seen), 'a step ran before its recorded numbers were shown')
        shown = screen(t)
        check('lecture GTX 280' in shown and 'recorded H200' in shown and re.search(r'transposition.* … ', shown), shown)
        t.expect(r'running')
        t.expect(r'w why')
        t.expect(r'')
        check('model GTX 280' in screen(t) and not re.search(r'transposition.* … ', screen(t)), screen(t))


def refused(*args):
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, 'GPULAB_HOME': folder, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}
        t = Terminal([GPULAB, '--device', DEVICE, '--demo', *args, LAB], env, cwd=folder)
        try:
            status = t.close()
            return status, plain(t.seen)
        finally:
            t.kill()


def hostile_recordings():
    """a recording that is none, or another lab's, is refused with what to do"""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/x.json'
        for content, said in (('', 'is not a recorded run of a lab'), ('{"schema": 1}', 'is not a recorded run of a lab'), ('[' * 5000, 'not a recorded run'),
                              ('{"schema":"gpulab/1"}', 'is a run of lab nil'),
                              ('{"schema":"gpulab/1","lab":{"id":"simt"}}', 'not of bank-conflicts'),
                              ('\x00\x01', 'is not a recorded run of a lab')):
            with open(path, 'w', encoding='utf-8') as f:
                f.write(content)
            status, seen = refused('--recorded', path)
            check(status == 64 and said in seen.replace('\n', ' '), '%r: %s %s' % (content[:40], status, seen))
        status, seen = refused('--recorded', folder + '/absent.json')
        check(status == 5 and 'cannot read' in seen, '%s %s' % (status, seen))


def needs_a_terminal():
    """in a pipe a demo is bad usage"""
    done = subprocess.run([GPULAB, '--demo', '--device', DEVICE, LAB], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    check(done.returncode == 64 and 'needs a terminal' in done.stderr, '%s %s' % (done.returncode, done.stderr))


def terminal_is_given_back():
    """after the end, and after Ctrl-C, the terminal echoes and reads lines again"""
    for ending in ('q', CTRL_C):
        with Demo() as t:
            t.expect(r'w why')
            until(lambda: not flags_of(t) & termios.ICANON)  # keys are read one by one only now
            t.send(ending)
            until(lambda: flags_of(t) & termios.ECHO and flags_of(t) & termios.ICANON, lambda: 'the terminal stays raw')
            check(t.close() == 0, 'exit status %s' % t.status)


def flags_of(t):
    return termios.tcgetattr(t.fd)[3] & (termios.ICANON | termios.ECHO | termios.ISIG)


def stopped_and_continued():
    """Ctrl-Z gives the shell its screen and its terminal back; after `fg` the demo stands again and hears single keys"""
    demo = Demo(shell=True)
    with demo as t:
        t.expect(r'shell> ')
        t.line(demo.command)
        t.expect(r'1/16 .*w why')
        before = len(t.seen)
        for page in ('', 't'):  # also where press any key to go back
            t.send(page)
            if page:
                t.expect(r'press any key to go back')
            check(not flags_of(t) & termios.ICANON, 'no single keys')
            t.send('\x1a')
            t.expect(r'Stopped.*shell> ')
            check('\x1b[?1049l' in t.seen[before:], 'the shell does not get its screen back')
            t.line('stty -a')
            check(re.search(r' icanon.* echo ', t.expect(r'speed.*shell> ').group(0), re.S), 'the terminal stays raw')
            before = len(t.seen)
            t.line('fg')
            t.expect(r'1/16 .*w why')
            check('\x1b[?1049h' in t.seen[before:], 'the demo has no screen of its own')
            check(not flags_of(t) & (termios.ICANON | termios.ECHO), 'lines and echo after fg')
        t.send(' ')
        t.expect(r'/16 .*w why')
        t.send('q')
        t.expect(r'shell> ')
        t.line('exit')
        check(t.close() == 0, 'exit status %s' % t.status)


if __name__ == '__main__':
    if not sys.platform.startswith('linux') or not shutil.which('sed'):
        print('1..0 # SKIP a Linux pseudo-terminal is needed')
        sys.exit(0)
    sys.exit(run_tests([staged, every_line_fits, text_kernel_and_numbers, worst_line_is_marked, warp_view, live_edit, a_demo_of_lab_4, sizes_of_steps, pages, recorded, numbers_that_wait_for_nothing, hostile_recordings, needs_a_terminal,
                        terminal_is_given_back, stopped_and_continued]))
