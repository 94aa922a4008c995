"""The prompt, driven through a pseudo-terminal. usage: test_prompt.py GPULAB [DEVICE]

Without a device on the emulator; with cuda:0 a GPU has to stand the same treatment."""
import os
import sys
import shutil
import tempfile
import time

from terminal import CTRL_C, CTRL_D, TAB, UP, Terminal, check, plain, run_tests

GPULAB = os.path.abspath(sys.argv[1])
DEVICE = sys.argv[2] if len(sys.argv) > 2 else 'emu'


class Prompt:
    """gpulab in a home of its own; sub-folders and history vanish with it."""

    def __init__(self, *args, home=None, env=None):
        self.folder = None if home else tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.home = home or self.folder.name
        variables = {'HOME': self.home, 'TERM': 'xterm-256color', 'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8',
                     'INPUTRC': '/dev/null', 'PAGER': 'cat', 'XDG_STATE_HOME': self.home + '/state',
                     'XDG_CONFIG_HOME': self.home + '/config', 'XDG_CACHE_HOME': self.home + '/cache'}
        for name in ('GPULAB_LUA', 'CUDA_HOME', 'CUDA_PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LD_LIBRARY_PATH'):
            if name in os.environ:
                variables[name] = os.environ[name]
        variables.update(env or {})
        self.terminal = Terminal([GPULAB, '--device', DEVICE, *args], variables, cwd=self.home)

    def __enter__(self):
        return self.terminal

    def __exit__(self, *_):
        self.terminal.kill()
        if self.folder:
            self.folder.cleanup()


def ask(t, line, answer):
    t.expect(r'> $')
    t.line(line)
    return t.expect(answer)


def banner_and_end():
    """the banner names version, Lua, NVRTC and device; Ctrl-D ends with 0"""
    with Prompt() as t:
        line = t.expect(r'gpulab \d+\.\d+\.\d+ · Lua 5\.4 · (no )?NVRTC.* · ' + DEVICE + r' +type \? for help\n')
        check(len(line.group(0).strip()) <= 80, 'the banner is wider than 80 columns')
        t.expect(r'> $')
        t.send(CTRL_D)
        check(t.close() == 0, 'exit status %s' % t.status)


def ends_at_once():
    """Ctrl-D ends the prompt as soon as it is on the screen"""
    for _ in range(20):
        with Prompt('-q') as t:
            t.expect(r'> $')
            t.send(CTRL_D)
            check(t.close() == 0, 'exit status %s' % t.status)


def lists_devices():
    """devices lists what can be opened; device NAME is what to type next"""
    with Prompt() as t:
        ask(t, 'devices', r'emu:GTX 280 +GTX 280 +cc 1\.3 +30 SMs')
        ask(t, 'devices emu', r'devices takes no argument')
        ask(t, 'devices = 3041', r'\n')
        ask(t, 'devices + 1', r'3042\n')


def values():
    """values are echoed readably, nil too, several of them"""
    with Prompt('-q') as t:
        ask(t, '1 + 1', r'\n2\n')
        ask(t, '"a\\tb\\n"', r'\n"a\\tb\\n"\n')
        ask(t, '{ 1, 2, name = "x", sub = { 3 } }', r'\n\{ 1, 2, name = "x", sub = \{\.\.\.\} \}\n')
        ask(t, '1, nil, "z"', r'\n1\nnil\n"z"\n')
        ask(t, '"\\27[31m\\xff"', r'\n"\\x1B\[31m\\xFF"\n')


def long_values():
    """a long table is cut, and says how much is left"""
    with Prompt('-q') as t:
        ask(t, 'big = {} for i = 1, 1000 do big[i] = i end', r'\n')
        ask(t, 'big', r'\n  1,\n.*\.\.\. 960 more')


def buffers_are_echoed():
    """a buffer is echoed with its name, type and length"""
    with Prompt('-q') as t:
        ask(t, 'b = gpu.buffer("float", 16, { name = "idata", fill = "iota" })', r'\n')
        ask(t, 'b', r'\nbuffer "idata" float\[16\]\n')
        ask(t, 'b[3], #b, b.bytes', r'\n3\.0\n16\n64\n')


def three_lines():
    """a function typed over three lines"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.line('function twice(x)')
        t.expect(r'>> $')
        t.line('  return 2 * x')
        t.expect(r'>> $')
        t.line('end')
        ask(t, 'twice(21)', r'\n42\n')


def abandoned_lines():
    """Ctrl-C clears a line, and a statement half typed"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.send('never(')
        t.expect(r'never\($')
        t.send(CTRL_C)
        t.expect(r'\^C\n> $')
        t.line('for i = 1, 3 do')
        t.expect(r'>> $')
        t.send(CTRL_C)
        t.expect(r'\^C\n> $')
        t.line('6 * 7')
        t.expect(r'\n42\n')


def long_loops():
    """Ctrl-C stops a Lua loop, one inside a coroutine, and one that catches errors"""
    with Prompt('-q') as t:
        for loop in ('while true do end', 'coroutine.wrap(function() while true do end end)()',
                     'print(coroutine.resume(coroutine.create(function() while true do end end)))'):
            t.expect(r'> $')
            t.line('print("go") ' + loop)
            t.expect(r'\ngo\n')
            t.send(CTRL_C)
            t.expect(r'interrupted')
        t.expect(r'> $')
        t.line('print("go") while true do pcall(function() while true do end end) end')
        t.expect(r'\ngo\n')
        t.send(CTRL_C)
        t.expect(r'interrupted')
        t.expect(r'> $')
        t.send(CTRL_C)  # what is typed behind it is another line
        t.line('2 + 3')
        t.expect(r'\n5\n')
        ask(t, '2 + 3', r'\n5\n')


SLOW = ('k = gpu.compile_text("__global__ void slow(int *p, long long n) '
        '{ for (long long i = 0; i < n; i++) p[i % 32 + threadIdx.x % 2] += i; }"):kernel("slow")')


def long_kernel():
    """Ctrl-C stops a long kernel, and the next launch works"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.line(SLOW)
        t.expect(r'> $')
        if 'NVRTC' in plain(t.seen):
            return 'skip: no NVRTC here'
        t.line('b = gpu.buffer("int", 64, { name = "b", fill = 0 })')
        t.expect(r'> $')
        t.line('k{grid = 1, block = 32, timeout = 600000}(b, 1 << 40)')
        t.computes()
        t.send(CTRL_C)  # it would run for longer than anyone waits here
        t.expect(r'interrupted')
        ask(t, 'k{grid = 1, block = 1}(b, 4).status', r'\n"ok"\n')


def error_then_right():
    """after a faulting launch the next correct one works"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.line('k = gpu.compile_text("__global__ void put(int *p, int i) { p[i] = 7; }"):kernel("put")')
        t.expect(r'> $')
        if 'NVRTC' in plain(t.seen):
            return 'skip: no NVRTC here'
        t.line('b = gpu.buffer("int", 8, { name = "cells", fill = 0 })')
        ask(t, 'k{grid = 1, block = 1}(b, 8)', r"cells")
        ask(t, 'k{grid = 1, block = 1}(b, 7).status', r'\n"ok"\n')
        ask(t, 'b[7]', r'\n7\n')


def compile_error():
    """a kernel that does not compile is shown with its line and a caret"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.line('gpu.compile_text("__global__ void f(int *p) { *p = 1 }")')
        shown = t.expect(r'> $').group(0)
        if 'NVRTC' in plain(t.seen):
            return 'skip: no NVRTC here'
        check('^' in plain(t.seen), 'no caret')
        check('"cells"' not in shown, 'an older message')


def errors_are_red():
    """errors are red on a terminal, and not with NO_COLOR"""
    with Prompt('-q') as t:
        ask(t, 'error("ouch")', r'ouch\n')
        check('\x1b[31m' in t.seen, 'not red')
    with Prompt('-q', env={'NO_COLOR': '1'}) as t:
        ask(t, 'error("ouch")', r'ouch\n')
        check('\x1b[31m' not in t.seen, 'red')


def completion():
    """Tab completes globals, fields, methods, commands and help names"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.send('gpu.b' + TAB + TAB)
        t.expect(r'gpu\.banks +gpu\.buffer')
        t.send('uf' + TAB)
        t.expect(r'gpu\.buffer\($')
        t.send(CTRL_C)
        t.expect(r'> $')
        t.send('stri' + TAB)
        t.expect(r'string$')
        t.send('.for' + TAB)
        t.expect(r'mat\($')
        t.send(CTRL_C)
        t.expect(r'> $')
        t.line('b = gpu.buffer("int", 4)')
        t.expect(r'> $')
        t.send('b:down' + TAB)
        t.expect(r'load\($')
        t.send(CTRL_C)
        t.expect(r'> $')
        t.send('gpu.device:comp' + TAB * 3)
        t.expect(r'compile +gpu\.device:compile_text')
        t.send(CTRL_C)
        t.expect(r'> $')
        t.send('qu' + TAB)
        t.expect(r'quit $')
        t.send(CTRL_C)
        t.expect(r'> $')
        t.send('?mism' + TAB)
        t.expect(r'\?mismatch$')


def file_completion():
    """inside a string Tab completes file names"""
    prompt = Prompt('-q')
    with open(prompt.home + '/transposed.cu', 'w', encoding='ascii') as f:
        f.write('')
    with prompt as t:
        t.expect(r'> $')
        t.send('gpu.compile("transp' + TAB)
        t.expect(r'transposed\.cu"')


def lab_completion():
    """in a lab Tab completes its commands and the ids of its steps"""
    with Prompt('3') as t:
        t.expect(r'03> $')
        t.send('why stride' + TAB * 2)
        t.expect(r'stride2 +stride3 +stride32')
        t.send(CTRL_C)
        t.expect(r'03> $')
        t.send(CTRL_D)
        check(t.close() == 0, 'exit status %s' % t.status)


def history_of_two_runs():
    """history is there in the next run, also after a kill; two prompts add to it side by side"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        with Prompt('-q', home=home) as t:
            ask(t, '"first " .. 1', r'first 1')
            ask(t, 'function two()', r'>> $')
            t.line('return 2')
            t.expect(r'>> $')
            t.line('end')
            t.expect(r'\n> $')
        with Prompt('-q', home=home) as a, Prompt('-q', home=home) as b:  # the run before was killed
            ask(a, '"by " .. "a"', r'\n"by a"\n')
            ask(b, '"by " .. "b"', r'\n"by b"\n')
            a.expect(r'> $')
            a.line(UP + UP)  # its own line, then what the killed run typed last
            ask(a, 'two()', r'\n2\n')
        for ups, answer in ((3, 'by b'), (5, 'by a'), (8, 'first 1')):
            with Prompt('-q', home=home) as t:
                t.expect(r'> $')
                t.line(UP * ups)
                t.expect(r'\n"?%s"?\n' % answer)
        check(os.stat(home + '/state/gpulab').st_mode & 0o777 == 0o700, 'the state folder is open to others')


def keys():
    """keys of Emacs move, delete, and bring back, over letters of several bytes, too; Ctrl-R finds an earlier line"""
    with Prompt('-q') as t:
        for typed, answer in (('2 * 21\x01"škola" .. \x05', 'škola42'), ('"ščř"' + '\x1b[D' * 2 + '\x7fx', 'šxř'),
                              ('1 + 41 wrong\x17\x7f', '42'), ('wrong\x156 * 7', '42'), ('7 * 6\x01\x0b\x19 - 2\x1b[D', '40'),
                              ('10 + 20\x1b[H\x1b[3~3', '50'), ('8 - 4\x1b[F4', '-36'), ('8 - x4\x1bb\x04', '4')):
            ask(t, typed, r'\n"?%s"?\n' % answer)
        ask(t, '\x1230 +', r'\n50\n')


def broken_history():
    """a history that cannot be written is reported once and the prompt goes on"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        with open(home + '/state', 'w', encoding='ascii') as f:
            f.write('a file where a folder should be')
        with Prompt('-q', home=home) as t:
            ask(t, '1 + 2', r'this session only\n3\n')
            ask(t, '2 + 2', r'\n4\n')
            check(plain(t.seen).count('this session only') == 1, 'said more than once')


def help_fits():
    """the overview and the help of every command and function fit 80 columns"""
    with Prompt('-q') as t:
        ask(t, 'h = require "gpulab.prompt.help"; c = require("gpulab.base.commands").new()', r'\n')
        rows = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'docs', 'commands.lua')
        ask(t, f'c:add(dofile("{rows}").rows(), {{}})', r'\n')
        ask(t, 'for _, name in ipairs(h.names(c)) do h.show(c, name) end print("the last")', r'\nthe last\n')
        ask(t, '?', r'Ctrl-D quits')
        shown = [line for line in plain(t.seen).split('\n') if not line.startswith('> ')]
        check(len(shown) > 300, 'only %d lines of help' % len(shown))
        wide = [line for line in shown if len(line) > 80]
        check(not wide, 'wider than 80 columns: %s' % wide[:3])


def one_file_is_a_command():
    """a file in the folder of commands is a command: it runs, is completed, explained, and a function"""
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + '/gpulab/prompt/command')
        with open(folder + '/gpulab/prompt/command/greet.lua', 'w', encoding='ascii') as f:
            f.write('return { name = "greet", usage = "greet [WHOM]", topic = "general", summary = "greet a person", most = 1,\n'
                    '  help = "Prints a greeting.", complete = function() return { "everyone" } end,\n'
                    '  run = function(_, words) print("Hello, " .. (words[1] or "you")) end }\n')
        with Prompt('-q', env={'GPULAB_LUA': folder}) as t:
            ask(t, 'greet', r'\nHello, you\n')
            ask(t, 'greet ev' + TAB, r'\nHello, everyone\n')
            ask(t, 'greet a b', r'greet takes at most 1 word: b is not expected\n +usage: greet \[WHOM\]')
            ask(t, 'greet("Lua")', r'\nHello, Lua\n')
            ask(t, '?greet', r'\ngreet \[WHOM\]\n  greet a person\n  Prints a greeting\.\n')
            ask(t, '?', r'\n  greet \[WHOM\] +greet a person\n')


def searches_cut_off():
    """an incremental search that Esc, an arrow or Ctrl-X ends, with more keys there already, ends nothing else"""
    for keys in ('\x12\x1babcdef', '\x12\x1b\u00e9\u6f22abc', '\x121\x1b[A\x1b[Bxyz', '\x12\x1b[999Dabc', '\x12\x18abcdef',
                 '\x12\x1bOPabc\x12\x1bqwert', '\x12\x1b', '\x13\x18\x18ab'):
        with Prompt('-q') as t:
            ask(t, '1 + 1', r'\n2\n')
            t.expect(r'> $')
            t.send(keys)
            time.sleep(0.05)
            t.send(CTRL_C)
            t.expect(r'\^C')
            ask(t, '6 * 7', r'\n42\n')


def paged():
    """what is longer than the screen goes through PAGER, what is not does not, and a pager that fails loses nothing"""
    with Prompt('-q', '3', env={'PAGER': 'sed s/^/paged:/'}) as t:
        ask(t, '?', r'paged:Commands:\n.*paged:Tab completes')
        ask(t, '?quit', r'\nquit\n  quit gpulab')
    for pager in ('no-such-pager', 'false', ''):
        with Prompt('-q', '3', env={'PAGER': pager}) as t:
            ask(t, '?', r'\nCommands:\n.*Tab completes')
            ask(t, '6 * 7', r'\n42\n')


def spoiled_globals():
    """a prompt whose libraries were taken away or spoiled goes on; added methods of strings work"""
    with Prompt('-q') as t:
        ask(t, 'function string.twice(s) return s .. s end', r'\n')
        ask(t, '("ab"):twice()', r'\n"abab"\n')
        ask(t, 'table.concat = error string.gsub = error io.stdout = nil', r'\n')
        ask(t, 'table = nil string = nil io = nil os = nil print = nil pcall = nil error = nil tostring = nil', r'\n')
        ask(t, '6 * 7', r'\n42\n')
        ask(t, '{ 1, "x" }', r'\n\{ 1, "x" \}\n')
        ask(t, '?buffer', r'gpu\.buffer\(type, count')
        ask(t, 'nothing()', r"attempt to call a nil value \(global 'nothing'\)")
        t.expect(r'> $')
        t.send(CTRL_D)
        check(t.close() == 0, 'exit status %s' % t.status)


def help_names():
    """?buffer, help, ? alone, and a name without help"""
    with Prompt('-q') as t:
        ask(t, '?buffer', r'gpu\.buffer\(type, count')
        ask(t, '? download', r'b:download\(first, count\)')
        ask(t, '?', r'Commands:\n  help.*Anything else is Lua')
        ask(t, 'help quit', r'quit gpulab')
        ask(t, '?bufer', r'did you mean \?buffer')


def did_you_mean():
    """a word nobody knows gets a suggestion; Lua's own message where there is none"""
    with Prompt('-q') as t:
        ask(t, 'hlep', r'did you mean help\?')
        ask(t, 'pritn', r'did you mean print\?')
        ask(t, 'hepl buffer', r'did you mean help\?')
        ask(t, 'xyzzy', r'there is no command or variable xyzzy')
        ask(t, 'ls', r'there is no command ls\n.*steps')
        ask(t, 'open 4', r'`lab NAME` opens a lab')
        ask(t, 'list', r'list is a command of labs, and of a launch that is stepped')
        ask(t, 'ls = 3', r'\n')
        ask(t, 'ls', r'\n3\n')
        ask(t, 'lab', r'\n +4  transpose')
        ask(t, 'lab.is_lab', r'function')
        ask(t, 'x = = 1', r"neither a command nor Lua: unexpected symbol near '='")
        ask(t, '193%', r"neither a command nor Lua: unexpected symbol")


def commands_or_lua():
    """a variable may have a command's name"""
    with Prompt('-q') as t:
        ask(t, 'quit = 3', r'\n')
        ask(t, 'quit == 3', r'\ntrue\n')
        ask(t, 'exit', r'')
        check(t.close() == 0, 'exit status %s' % t.status)


def init_file():
    """the init file runs first, unless -n"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        os.makedirs(home + '/config/gpulab')
        with open(home + '/config/gpulab/init.lua', 'w', encoding='ascii') as f:
            f.write('mine = "from init"')
        with Prompt('-q', home=home) as t:
            ask(t, 'mine', r'\n"from init"\n')
        with Prompt('-q', '-n', home=home) as t:
            ask(t, 'mine', r'there is no command or variable mine')


def hostile_lines():
    """NUL bytes, control characters, invalid UTF-8 and a megabyte on one line end no prompt"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.send(b'"\x00\xff\xfe\x01\x02"\r')
        t.send(b'\x80\x81\xc3\r')
        t.send(CTRL_C)
        t.expect(r'(\^C|interrupted).*> $')
        t.send(b'\x1b[200~s = "' + b'x' * 1000000 + b'"\r\x1b[201~\r')
        t.line('#s')
        t.expect(r'\n1000000\n')
        t.line('"still " .. "here"')
        t.expect(r'\n"still here"\n')


def typed_away():
    """Ctrl-C right behind what was typed, which the terminal then throws away, brings the prompt back"""
    for _ in range(15):
        with Prompt('-q') as t:
            t.expect(r'> $')
            t.send(b'"\x01\x02"\r"typed ahead"\r')
            t.send(CTRL_C)
            t.expect(r'(\^C|interrupted).*> $')  # an earlier prompt would not do
            t.line('6 * 7')
            t.expect(r'\n42\n')


def paste_taken_away():
    """Ctrl-C in a paste whose end the terminal threw away brings the prompt back"""
    for size, read_first in ((10, 0), (10, 0.2), (59, 0.2), (123, 0.2), (3000, 0.2), (3000, 0), (40000, 0)):
        with Prompt('-q') as t:
            t.expect(r'> $')
            t.send(b'\x1b[200~s = "' + b'x' * size)
            time.sleep(read_first)  # what the program has read is not thrown away; nothing on the screen tells
            t.send(CTRL_C)
            t.expect(r'\^C.*> $')
            t.line('6 * 7')
            t.expect(r'\n42\n')
            t.send(b'\x1b[200~1 + 2\x1b[201~\r')
            t.expect(r'\n3\n')


def pasted_lines():
    """several lines pasted at once are one statement"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        t.send('\x1b[200~function pasted()\n  return "as one"\nend\x1b[201~\r')
        ask(t, 'pasted()', r'\n"as one"\n')


def interactive_after():
    """-e and -i: chunks first, then the script, then the prompt"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        with open(home + '/script.lua', 'w', encoding='ascii') as f:
            f.write('print("a is " .. a, arg[0], arg[1], ...)')
        with Prompt('-q', '-e', 'a = 1', '-i', '-e', 'a = a + 1', 'script.lua', 'word', home=home) as t:
            t.expect(r'a is 2\s+script\.lua\s+word\s+word')
            ask(t, 'a', r'\n2\n')


def starts_at_once():
    """the prompt is there before anything touches a GPU or starts a process"""
    with Prompt('-q') as t:
        t.expect(r'> $')
        children = '/proc/%d/task/%d/children' % (t.pid, t.pid)
        if not os.path.exists(children):
            return 'skip: this kernel does not list children'
        with open(children, encoding='ascii') as f:
            check(f.read().strip() == '', 'a process was started')


def loads_little():
    """the prompt of no lab is there without the modules that labs, checks, and stepping need"""
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        copy = folder + '/lua'
        shutil.copytree(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lua'), copy)
        for module in ('run/exercise', 'run/runner', 'lab/definition', 'show/report', 'warp/debugger', 'warp/source/expression'):
            path = '%s/gpulab/%s.lua' % (copy, module)
            check(os.path.exists(path), path)
            with open(path, 'w', encoding='utf-8') as f:
                f.write('error "%s is loaded"' % module)
        with Prompt('-q', env={'GPULAB_LUA': copy}) as t:
            t.expect(r'> $')
            t.line('6 * 7')
            t.expect(r'\n42\n')


if __name__ == '__main__':
    if not sys.platform.startswith('linux'):
        print('1..0 # SKIP a Linux pseudo-terminal is needed')
        sys.exit(0)
    sys.exit(run_tests([
        banner_and_end, ends_at_once, lists_devices, values, long_values, buffers_are_echoed, three_lines, abandoned_lines, long_loops,
        long_kernel, error_then_right, compile_error, errors_are_red, completion, file_completion, lab_completion,
        history_of_two_runs, keys, broken_history, help_names, help_fits, one_file_is_a_command, searches_cut_off, paged,
        spoiled_globals, did_you_mean, commands_or_lua, init_file, hostile_lines, typed_away, paste_taken_away,
        pasted_lines,
        interactive_after, starts_at_once, loads_little]))
