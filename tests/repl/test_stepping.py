"""Stepping at the prompt: the guide is a session that is played again, screen by screen. usage: test_stepping.py GPULAB SOURCE_ROOT

After a change of what it prints:
    python3 tests/repl/play.py build/src/gpulab . tests/repl/sessions/stepping.txt docs/guide/stepping.md --device emu"""
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from terminal import CTRL_C, Terminal, check, plain, run_tests

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))


def nvrtc():
    """The compiler's version: others number the instructions differently."""
    done = subprocess.run([GPULAB, '-n', '-q', '--device', 'emu', '-e', 'print(gpu.device.nvrtc)', '/dev/null'], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip()


def guide():
    """forward and back through the kernels of labs 1, 3 and 5: every screen is the guide's"""
    if nvrtc() != '13.0':
        return 'skip: the guide was recorded with NVRTC 13.0, this is %s' % nvrtc()
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        done = subprocess.run([sys.executable, HERE + '/play.py', GPULAB, ROOT, HERE + '/sessions/stepping.txt', folder + '/out.md',
                               '--device', 'emu'], capture_output=True, text=True, check=False)
        check(done.returncode == 0, done.stderr)
        with open(folder + '/out.md', encoding='utf-8') as played, open(ROOT + '/docs/guide/stepping.md', encoding='utf-8') as golden:
            lines = list(difflib.unified_diff(golden.read().splitlines(), played.read().splitlines(), 'golden', 'played', n=2, lineterm=''))
    check(not lines, '\n'.join(lines[:60]))


# What the view shows where a lab's text sends its reader.
SHOWN = {1: 'waits', 2: '8 sectors of 32 bytes, ideally 4', 3: '32-way bank conflict', 4: '32-way bank conflict',
         5: 'all lanes at line 67', 6: '4 sectors of 32 bytes, ideally 4', 7: '1 wavefront, no bank conflict',
         8: '1 wavefront, no bank conflict', 9: '32 sectors of 32 bytes, ideally 4', 10: '16 lanes at line',
         11: '1 lane at line', 12: '32 different words, one at a time', 14: '2-way bank conflict',
         15: '4 lanes at line 47', 16: '4-way bank conflict', 17: 'all lanes at line 95'}


def pointers_of(text):
    """The commands that a lab's texts name, from `debug STEP` to `view`: a list of lists."""
    text = ' '.join(text.split())
    return [re.findall(r'`([^`]+)`', found) for found in re.findall(r'`debug [^`]+`[^.]*?`view`', text)]


def pointers():
    """every lab with steps sends its reader to the warp view, and the view shows what the text says"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        env = {**os.environ, 'HOME': folder, 'GPULAB_HOME': folder + '/own', 'XDG_CACHE_HOME': folder, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}
        for path in sorted(glob.glob(ROOT + '/labs/[0-9]*.lua')):
            with open(path, encoding='utf-8') as f:
                text = f.read()
            if re.search(r'^  steps = {},$', text, re.M):  # a lab without steps has nothing to debug
                continue
            number, commands = int(os.path.basename(path)[:2]), pointers_of(text)
            check(commands, '%s names no `debug STEP` with `view`' % path)
            t = Terminal([GPULAB, '--device', 'emu', '-q', path], env, cwd=folder, columns=100, rows=40)
            t.expect(r'\d\d> $')
            for command in commands[0][:-1]:
                t.line(command)
                t.expect(r'\d\d debug> $')
            t.line('view')
            t.expect(r'q quit$')
            seen = plain(t.seen[t.seen.rindex('\x1b[2J'):])
            t.kill()
            check(SHOWN[number] in seen, 'lab %d, %s: %s' % (number, ', '.join(commands[0]), seen))


def session(folder, lab, device='emu', **more):
    env = {**os.environ, 'HOME': folder, 'GPULAB_HOME': folder + '/own', 'XDG_CACHE_HOME': folder, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8',
           'EDITOR': 'true', 'NO_COLOR': '1', **more}
    t = Terminal([GPULAB, '--device', device, '-q', '--set', 'n=256', lab], env, cwd=folder)
    t.expect(r'03> $')
    return t


def wrong_element():
    """after a wrong result `show it` goes to the thread that stored the element; the buffers stay as they are"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        t.line('edit tile')
        t.expect(r'03> $')
        path = folder + '/own/03-bank-conflicts/transpose.cu'
        with open(path, encoding='utf-8') as f:
            text = f.read()
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text.replace('tile[threadIdx.x][threadIdx.y + i];', 'tile[threadIdx.x][threadIdx.y + i] + (x == 77 && y + i == 141);'))
        t.expect(r'1 of 65 536 elements.*row 141, column 77.*03> $')
        t.line('show it')
        t.expect(r'`odata` is wrong at row 141, column 77; .*Stored by lane 13 of warp 5 in block \(4,2,0\):.*72 .*03 debug> $')
        t.line('print x')
        t.expect(r'\b77\b.*debug> $')
        t.line('kill')
        t.expect(r'03> $')
        t.line('quit')
        check(t.close() == 0, 'exit status %s' % t.status)


def faults():
    """`stop at fault` finds the fault in whichever block it is, or says that there is none and stays"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/far.cu', 'w', encoding='utf-8') as f:
            f.write('__global__ void far(int *out, int n) {\n  if (blockIdx.x == 3 && threadIdx.x == 37)\n    out[n + 100000000] = 1;\n  out[threadIdx.x] = 1;\n}\n')
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        launch = 'debug gpu.kernel("%s/far.cu", "far"){grid=%%d, block=64}(gpu.buffer("int", 64), 5)' % folder
        where = r'Thread \(37,0,0\) of block \(3,0,0\) is at this line for the 1st time, about to store\.'
        for command, seen in ((launch % 8, r''), ('step', ''), ('stop at fault', r'Fault: .*block \(3,0,0\), warp 1\n3 .*1 lane at line 3'),
                              ('info memory', r'store out +·····x·+  faults\n'), ('focus block (0,0,0)', ''),
                              ('show it', r'it\s+Fault: [^:]*: [^:]*block \(3,0,0\), warp 1\n3 .*' + where.replace(' ', r'\s+')),
                              (launch % 3, ''), ('step', r'\n2 '), ('stop at fault', r'No thread of this launch faults'),
                              ('list', r'> +2 ')):
            t.line(command)
            t.expect(seen + r'.*debug> $')
        t.kill()


def no_old_values():
    """a variable whose last assignment the compiler removed or computed ahead has no value after it, not an old one"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/old.cu', 'w', encoding='utf-8') as f:
            f.write('__global__ void old(int *out) {\n  int x = threadIdx.x;\n  out[x] = 1;\n  x = 5;\n  out[40] = x;\n}\n')
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command, seen in (('debug gpu.kernel("%s/old.cu", "old"){grid=1, block=32}(gpu.buffer("int", 64))' % folder, ''),
                              ('until 3', r'\n3 '), ('print x', r'31\n'), ('until 5', r'\n5 '), ('print x', r'x was removed or merged')):
            t.line(command)
            t.expect(seen + r'.*debug> $')
        t.kill()


def missed_gate():
    """after a missed acceptance check `show it` goes to the line that it names; where there is nothing no stepping begins"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        t.line('check swizzle')
        t.expect(r'Most of it comes from swizzle.cu:29.*03> $')
        t.line('show it')
        t.expect(r'wavefronts due to bank conflicts.*\n29 .*03 debug> $')
        for command, seen in (('kill', r'has ended'), ('run padded', r'padded'), ('show it', r'the checkers report nothing about this launch'),
                              ('kill', r'nothing is stepped')):
            t.line(command)
            t.expect(seen + r'.*03> $')
        t.line('quit')
        t.kill()


def kept():
    """a view that was kept is in the report, and in a file of its own, as well-formed SVG"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command in ('debug tile', 'until 72', 'keep A <conflict>', 'keep %s/view.svg' % folder, 'kill', 'report %s/r.html' % folder):
            t.line(command)
            t.expect(r'03( debug)?> $')
        t.kill()
        with open(folder + '/r.html', encoding='utf-8') as f:
            page = f.read()
        check('<h3>A &lt;conflict&gt;</h3>' in page and '32-way bank conflict' in page, page[-2000:])
        picture = xml.etree.ElementTree.parse(folder + '/view.svg').getroot()
        texts = [e.text for e in picture.iter() if e.tag.endswith('}text')]
        check(any('32-way bank conflict' in text for text in texts), texts)
        check(any(re.match(r'> +72 ', text) for text in texts), texts)


def traces():
    """--trace writes blocks for Perfetto and prints a warp as text; what there is not is refused"""
    lab = os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        def run(what):
            return subprocess.run([GPULAB, '--device', 'emu', '--set', 'n=256', '--trace', what, lab], capture_output=True, text=True, check=False,
                                  cwd=folder, env={**os.environ, 'GPULAB_HOME': '', 'XDG_CACHE_HOME': folder})
        done = run('tile:0-2=blocks.json')
        check((done.returncode, done.stdout) == (0, ''), done)
        with open(folder + '/blocks.json', encoding='utf-8') as f:
            events = json.load(f)['traceEvents']
        boxes = [e for e in events if e['ph'] == 'X']
        check({e['pid'] for e in boxes} == {0, 1, 2} and {e['tid'] for e in boxes} == set(range(8)), events[:20])
        check(all(e['dur'] >= 0 and e['args']['lanes'] == 32 for e in boxes), boxes[:5])
        check(any(e['name'] == 'line 67, barrier' for e in boxes), boxes[:5])
        done = run('tile:5:2')
        lines = done.stdout.splitlines()
        check(lines[0].startswith('# transpose_tile<32>, block (5,0,0)') and len(lines) > 4, lines)
        check(all(re.fullmatch(r'\d+ 2 \d+ ffffffff( barrier)?', line) for line in lines[1:]), lines)
        for what, message in (('tile:x', 'a step and its blocks expected'), ('tile:64', 'the grid has no block 64: it has 64'),
                              ('tile:0:8', 'the block has no warp 8: it has 8'), ('nope', 'has no step "nope"'), ('tile:2-1', 'at most 256 blocks')):
            done = run(what)
            check(done.returncode == 64 and message in done.stderr, (what, done))


def moved_through():
    """the timeline moves by keys, has the model's cycles where the GPU's model replays, and Enter goes to the moment"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        t.line('debug tile')
        t.expect(r'03 debug> $')
        t.line('timeline')
        t.expect(r'operations of the emulator.*q quit$')
        for key, seen in (('\x1b[B', r'> warp  1'), ('n', r'line 62 '), ('n', r'line 63 '), ('+', r'q quit$'), ('c', r'cycles by the model of the H200'),
                          ('?', r'any key to go back$'), ('x', r'cycles by the model'), ('c', r'operations of the emulator')):
            t.send(key)
            t.expect(seen)
        t.send('n')
        t.expect(r'warp 1, line 62.*q quit$')
        t.send('\r')
        t.expect(r'block \(0,0,0\), warp 1.*\n62 .*03 debug> $')
        with open(folder + '/own.cu', 'w', encoding='utf-8') as f:
            f.write('__global__ void own(int *out) {\n  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n')
        t.line('trace both.json cycles')
        t.expect(r'Written: both.json.*03 debug> $')
        with open(folder + '/both.json', encoding='utf-8') as f:
            names = {e['name'] for e in json.load(f)['traceEvents']}
        check('line 66, waits for global or generic memory' in names and 'line 67, barrier' in names
              and any(name.endswith('waits for shared memory') for name in names), names)
        t.line('debug gpu.kernel("%s/own.cu", "own"){grid=4, block=64}(gpu.buffer("int", 256))' % folder)
        t.expect(r'debug> $')
        t.line('timeline cycles')
        t.expect(r'waits: m global or generic memory, s special registers or conversions, b\s+barrier.*q quit$')
        t.send('q')
        t.expect(r'debug> $')
        t.line('kill')
        t.expect(r'03> $')
        t.line('quit')
        check(t.close() == 0, 'exit status %s' % t.status)


def elements():
    """an array is seen around what the lanes access, the window moves, follows steps, and a resized terminal is redrawn"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command in ('debug tile', 'br 72', 'cont'):  # the beginnings of names will do
            t.line(command)
            t.expect(r'03 debug> $')
        t.line('view odata')
        for key, seen in (('', r'odata: 1720 to 1863 of 65 536 elements.* 1792 .*nan<.*elements 1792 to 7967; < lane 0'), ('\x1b[C', r'; < lane 1'),
                          ('\x1b[B', r'odata: 1728 to 1871'), ('\x1b[F', r'odata: 65392 to 65535'), ('\x1b[H', r'odata: 0 to 143'),
                          ('t', r'odata: 1720 to 1863'), ('b', r'line 70 accesses none'), ('s', r'elements 1792 to 7967'), ('?', r'any key to go back$')):
            t.send(key)
            t.expect(seen + ('.*q quit$' if key != '?' else ''))
        t.resize(120, 40)
        t.expect(r'any key to go back$')
        t.send('x')
        t.expect(r'q quit$')
        t.send('t')
        t.expect(r'odata: 1520 to 2063.*q quit$')
        t.resize(80, 24)
        t.expect(r'odata: 1520 to 1663 .*q quit$')
        t.send('q')
        t.expect(r'03 debug> $')
        t.line('view')
        t.expect(r'q quit$')
        t.resize(100, 30)
        t.expect(r'warp 7 of 8.*q quit$')
        screen = plain(t.seen[t.seen.rindex('\x1b[2J'):]).split('\n')
        check(len(screen) == 30 and len(screen[0]) == 100, screen)
        t.resize(80, 8)
        t.expect(r'q quit$')
        t.send('w')
        t.expect(r'1 to 5 of 8')
        t.send('\x1b[B')
        t.expect(r'2 to 6 of 8')
        t.send('x')
        t.expect(r'q quit$')
        t.send('q')
        t.expect(r'Still stepping tile: `kill` ends it.*03 debug> $')
        t.kill()


def as_in_gdb():
    """abbreviations, conditions of temporary stops, lists of lines, displays; what makes no sense is refused by name"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command, seen in (('debug tile', r'beginning of the block'), ('tb 72 if threadIdx.y == 3', r'Temporary stop 1 at transpose.cu:72 if threadIdx.y == 3\.'),
                              ('info b', r' 1  transpose.cu:72 if threadIdx.y == 3, once'), ('cont', r'warp 3\n72 '), ('info b', r'No stops'),
                              ('disp x + 1', r'1: x \+ 1 .* 1 \+ lane'), ('where', r'#0  transpose_tile<32> at transpose.cu:72'),
                              ('list 1,2', r'\n +1  .*\n +2  '), ('list transpose_tile', r' 59  template'), ('bac', r'did you mean back\?'),
                              ('rs', r'\n70 .*\n  1: x \+ 1 '), ('undisplay', r''), ('print 1 / 0', r'1 / 0: division by zero'),
                              ('focus block (-1,0,0)', r'the grid has no block \(-1,0,0\)'), ('focus thread (0,-1,0)', r'the block has no thread'),
                              ('focus warp -1', r'focus does not understand "warp -1"'), ('focus lane 3 please', r'does not understand "please"'),
                              ('break 72 if', r'break takes FILE:LINE'), ('watch 3', r'3 never changes'), ('watch tile', r'tile is more than one value'),
                              ('view x', r'x is neither an array nor a pointer'), ('fin', r'The warp has ended'),
                              ('print x', r'the warp has ended: its lanes have no values')):
            t.line(command)
            t.expect(seen + r'.*03( debug)?> $')
        t.kill()


def before_debug():
    """commands for stepping, typed before there is a launch to step, name `debug`; two of them are words of Lua"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command in ('break tile', 'break', 'tbreak 72 if x == 3', 'until barrier', 'until', 'watch x', 'view tile', 'continue', 'rc'):
            t.line(command)
            t.expect(r'\n%s works only while a launch is stepped\n  `debug STEP` begins stepping\n03> $' % command.split()[0])
        t.line('?rc')
        t.expect(r'reverse-continue\n.*`debug STEP` begins stepping\.\n03> $')
        for command, seen in (('while true do break end', ''), ('step = 3', ''), ('step', '3\n')):
            t.line(command)
            t.expect('%s\n%s03> $' % (command, seen))
        t.kill()


def as_text():
    """a terminal that moves no cursor has `view` and `view ARRAY` as lines"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'), TERM='dumb')
        for command, seen in (('debug tile', ''), ('until 72', r'\n72 [^\n]*\n  Warp 7 is the next to get there'), ('view', r'> +72 .*32-way bank conflict'),
                              ('view odata', r'\n +1792 nan< .*elements 1792 to 7967; < lane 0.*`view odata N` shows the elements around N'),
                              ('view odata 5000', r'\n +5000 nan')):
            t.line(command)
            t.expect(seen + r'.*03 debug> $')
        check('\x1b[2J' not in t.seen and '\x1b[?1049h' not in t.seen, t.seen[-2000:])
        t.kill()


def too_many_words():
    """words that a command does not take are named, with its usage; a quote that is not closed is a character"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        t.line('debug tile')
        t.expect(r'03 debug> $')
        for command, usage in (('step 1 2', r'step \[N\]'), ('finish 3', 'finish'), ('continue 2', 'continue'), ('until barrier 5', r'until \['),
                               ('back 1 2', r'back \[N\]'), ('reverse-continue 1', 'reverse-continue'), ('stepi 1 2', r'stepi \[N\]'),
                               ('info lanes x', 'info lanes'), ('show it 1 2', 'show it'), ('other 1', 'other'), ('stop at race now', 'stop at'),
                               ('backtrace 5', 'backtrace'), ('timeline cycles now', 'timeline'), ('kill now', 'kill'),
                               ('undisplay 1 2', 'undisplay')):
            t.line(command)
            t.expect(re.escape(command.split()[-1]) + r' is not expected\n  usage: ' + usage + r'.*03 debug> $')
        for command, seen in (('run 5', '`kill` ends stepping; then run 5'), ('step "', r'" is not a number of steps'), ('step 0x10', 'is not a number of steps'), ('step 1e3', 'is not a number of steps'),
                              ('step 99999999999999999999', 'is not a number of steps'), ("print 'a", 'is not expected'), ("print '", 'is not expected'),
                              ('focus warp 99999999999999999999', 'the block has no warp 9'), ('focus lane 99999999999999999999', 'lanes 0 to 31'),
                              ('break "', 'is neither FILE:LINE nor a function'), ("print '\\''", 'all 39')):
            t.line(command)
            t.expect(seen + r'.*03 debug> $')
        t.kill()


def interrupted():
    """Ctrl-C in a long `continue` stops it where it is, and the next commands are about that moment"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/long.cu', 'w', encoding='utf-8') as f:
            f.write('__global__ void turns(int *out, int n) {\n  int x = threadIdx.x;\n  for (int i = 0; i < n; i++)\n    x = x * 3 + i % (x | 1);\n'
                    '  out[threadIdx.x] = x;\n}\n')
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        for command in ('debug gpu.kernel("%s/long.cu", "turns"){grid=1, block=32}(gpu.buffer("int", 32), 2000000000)' % folder, 'step 4'):
            t.line(command)
            t.expect(r'debug> $')

        def instructions():
            t.line('info warps')
            return int(t.expect(r' (\d+) instructions.*debug> $').group(1))
        before = after = instructions()
        for _ in range(50):  # Ctrl-C may come before the launch goes on
            t.line('continue')
            t.expect(r'continue\n')
            t.send(CTRL_C)
            said = t.expect(r'(.*)interrupted\n.*debug> $').group(1)
            after = instructions()
            if after > before:
                break
        check(after > before, (before, after))
        check(re.search(r'Interrupted\.\n(?:.*\n)?[345]  ', said), said)
        t.line('stepi 3')
        t.expect(r'\n[345] .*debug> $')
        check(after < instructions() <= after + 3, after)
        t.kill()


def prints():
    """what printf prints on the way appears, in the view as its last line; going back takes nothing from the screen"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        with open(folder + '/says.cu', 'w', encoding='utf-8') as f:
            f.write('#include <stdio.h>\n__global__ void says(int n) {\n  for (int i = 0; i < n; i++) {\n    if (threadIdx.x % 16 == 0)\n'
                    '      printf("%d:%d\\033[2J\\n", threadIdx.x, i);\n    __syncwarp();\n  }\n}\n')
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
        t.line('debug gpu.kernel("%s/says.cu", "says"){grid=1, block=32}(9)' % folder)
        t.expect(r'debug> $')
        for command, seen in (('tbreak 6', 'stop 1'), ('continue', r'continue\n0:0\\x1B\[2J\n16:0\\x1B\[2J\n'), ('back', r'back\n5  '),
                              ('next', r'next\n0:0\\x1B\[2J\n16:0')):
            t.line(command)
            t.expect('(?i)' + seen + r'.*debug> $')
        t.line('view')
        t.expect(r'q quit$')
        for _ in range(6):
            t.send('s')
            if re.search(r'printed: 16:1\\x1B\[2J', t.expect(r'(.*)q quit$').group(1)):
                break
        else:
            check(False, t.seen[-2000:])
        t.send('q')
        t.expect(r'debug> $')
        t.kill()


def no_cycles():
    """where the model has no replay the timeline says so"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        t = session(folder, os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'), 'emu:GTX 280')
        t.line('debug tile')
        t.expect(r'03 debug> $')
        t.line('timeline cycles')
        t.expect(r'the model of the GTX 280 has no cycles of single warps.*03 debug> $')
        t.kill()


sys.exit(run_tests([guide, pointers, wrong_element, faults, no_old_values, missed_gate, kept, traces, moved_through, elements, as_in_gdb, before_debug, too_many_words, as_text, interrupted, prints, no_cycles]))
