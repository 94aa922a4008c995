"""Ctrl-C at the prompt: one press ends whatever Lua does, and the prompt goes on. Three end one call of Lua's own C library, and the
program. usage: test_interrupt.py GPULAB"""
import os
import signal
import subprocess
import sys
import tempfile
import termios

from terminal import CTRL_C, Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null',
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}

# What is set up, what is then busy for minutes, and for ever in most. E: a function that does not end.
E = '(function() while true do end end)'


def of(*lines):
    return [('', line.replace('ENDLESS', E)) for line in lines]


LUA = of('while true do end', 'while true do pcall(error) end', 'while true do pcall(ENDLESS) end', 'while true do xpcall(error, type) end',
         'while true do xpcall(error, error) end', 'while true do pcall(pcall, ENDLESS) end',
         'while true do pcall(function() local c <close> = setmetatable({}, { __close = error }) end) end',
         'load(ENDLESS)', 'while true do load(ENDLESS) end', 'for i = 1, 1e12 do tostring(i) end',
         'for _ in io.lines("/dev/zero", 1 << 20) do end',
         'local t = setmetatable({}, { __index = function(t, k) return k end }) while true do t[t[1]] = nil end')
COROUTINES = of('coroutine.wrap(ENDLESS)()', 'print(coroutine.resume(coroutine.create(ENDLESS)))',
                'while true do coroutine.resume(coroutine.create(ENDLESS)) end',
                'coroutine.wrap(function() while true do pcall(coroutine.yield) end end)() while true do end',
                'local c = coroutine.wrap(function() while true do pcall(coroutine.yield) end end) while true do c() end',
                'coroutine.wrap(function() coroutine.wrap(function() pcall(ENDLESS) end)() end)()')
HANDLERS = of('xpcall(error, ENDLESS)', 'xpcall(ENDLESS, ENDLESS)', 'while true do xpcall(ENDLESS, ENDLESS) end',
              'xpcall(ENDLESS, function() error("again") end)', 'debug.sethook(ENDLESS, "l") for i = 1, 10 do end',
              'debug.sethook(ENDLESS, "", 1) while true do end')
FINALIZERS = of('setmetatable({}, { __gc = ENDLESS }) collectgarbage()',
                'for i = 1, 8 do setmetatable({}, { __gc = ENDLESS }) end collectgarbage()',
                'while true do setmetatable({}, { __gc = ENDLESS }) end',
                'local m = { __gc = true } setmetatable({}, m) m.__gc = ENDLESS collectgarbage()',
                'setmetatable({}, { __gc = function() coroutine.wrap(ENDLESS)() end }) collectgarbage()')
CLOSING = of('do local c <close> = setmetatable({}, { __close = ENDLESS }) end',
             'do local c <close> = setmetatable({}, { __close = ENDLESS }) while true do end end',
             'while true do local c <close> = setmetatable({}, { __close = ENDLESS }) error("x") end',
             'c = coroutine.create(function() local c <close> = setmetatable({}, { __close = ENDLESS }) coroutine.yield() end)'
             ' coroutine.resume(c) coroutine.close(c)',
             'coroutine.wrap(function() local c <close> = setmetatable({}, { __close = ENDLESS }) while true do end end)()',
             'c = coroutine.create(function() local c <close> = setmetatable({}, { __close = ENDLESS }) while true do end end)'
             ' coroutine.resume(c)')
CALLBACKS = of('table.sort({ 1, 2, 3 }, ENDLESS)', 'string.gsub("abc", ".", ENDLESS)', 'local t = setmetatable({}, { __index = ENDLESS }) t.x = t.y',
               'local m = { __eq = ENDLESS } t = setmetatable({}, m) == setmetatable({}, m)', 'print(setmetatable({}, { __tostring = ENDLESS }))',
               't = setmetatable({}, { __len = ENDLESS }) print(#t)', 'error(setmetatable({}, { __tostring = ENDLESS, __index = ENDLESS }))',
               't = 1 .. setmetatable({}, { __concat = ENDLESS })', 'for k in pairs(setmetatable({}, { __pairs = ENDLESS })) do end',
               'gpu.array("int", 1000):gather(1000, ENDLESS)')
TABLES = [('t = {} for i = 1, 4e6 do t[i] = i end', 'while true do table.concat(t) end'),
          ('s = ("x"):rep(2e6)', 'while true do pcall(string.rep, s, 2) end'), ('', 'while true do s:gsub(".", { a = "b" }) end'),
          ('a = gpu.array("float", 1e7, 1)', 'while true do a:sum() a:copy() a:transpose(1000, 10000) end'),
          ('a = gpu.array("int", 1e7)', 'while true do a:gather(1e7, function(i) return i end) end'),
          ('', 'while true do gpu.array("float", 1e8, "random") end')]
WAITING = [('', 'io.read()'), ('', 'while true do io.read() end'), ('', 'pcall(io.read) print("not reached")'),
           ('os.execute("mkfifo fifo")', 'io.open("fifo")'), ('p = io.popen("exec sleep 600")', 'p:read("a")'),
           ('', 'while true do os.execute("sleep 0.02") end'), ('', 'while true do pcall(os.execute, "true") end')]
KERNEL = 'k = gpu.compile_text("__global__ void k(int *a) { for (;;) atomicAdd(a, 1); }"):kernel("k") b = gpu.buffer("int", 1)'
DEVICE = [(KERNEL, 'while true do pcall(k{ grid = 1, block = 1, timeout = 600000 }, b) end'),
          ('', 'gpu.check(k, { grid = 1, block = 32, timeout = 600000 }, { b }, "all")'),
          ('', 'setmetatable({}, { __gc = function() k{ grid = 1, block = 1, timeout = 600000 }(b) end }) collectgarbage()'),
          ('', 'while true do pcall(gpu.compile_text, "__global__ void k() {} // " .. math.random(1 << 40)) end')]
# A terminal whose first program ends forgets what was written to it last: a shell that waits for a line stays until it was read.
SHELL = ('/bin/sh', '-c', 'trap : INT; "$@"; code=$?; until read line; do :; done; exit $code', 'sh')
# Each is one call, which prints xb and is then busy: print is a function of C, so that no Lua runs after it. The last one waits.
LONG = 's = "xb" .. ("a"):rep(1e6)'
CALLS = [(LONG, 's:gsub(".-.-.-b", print)'), (LONG, 'pcall(string.gsub, s, ".-.-.-b", print)'),
         (LONG, 'coroutine.wrap(string.gsub)(s, ".-.-.-b", print)'), (LONG, 'setmetatable({}, { __gc = function() s:gsub(".-.-.-b", print) end }) collectgarbage()'),
         ('f = io.popen("trap \'\' INT; cat; echo xb; exec sleep 600", "w")', 'f:close()')]


def all_end(cases):
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
    try:
        for number, (before, busy) in enumerate(cases):
            terminal.expect(r'> $')
            if before:
                terminal.line(before)
                terminal.expect(r'> $')
            terminal.line('print("go" .. %d); %s' % (number, busy))
            terminal.expect(r'\ngo%d\n' % number)
            terminal.send(CTRL_C)
            terminal.expect(r'interrupted')
            terminal.expect(r'> $')
            terminal.line('print(6 * 7)')
            terminal.expect(r'\n42\n')
    finally:
        terminal.kill()


def lua():
    """one press ends a loop, also one that catches errors"""
    all_end(LUA)


def coroutines():
    """one press ends coroutines, one inside another too"""
    all_end(COROUTINES)


def handlers():
    """one press ends a message handler and a debug hook"""
    all_end(HANDLERS)


def finalizers():
    """one press ends finalizers, however many wait"""
    all_end(FINALIZERS)


def closing():
    """one press ends __close, at the end of a block, after an error, and where a coroutine is closed"""
    all_end(CLOSING)


def callbacks():
    """one press ends what a function of C calls, and metamethods"""
    all_end(CALLBACKS)


def tables():
    """one press ends what is done with millions of values, one call after the other"""
    all_end(TABLES)


def waiting():
    """one press ends a wait for input, for a file and for what a command writes"""
    all_end(WAITING)


def devices():
    """one press ends what compiles, runs and checks, in a loop around pcall and in a finalizer"""
    all_end(DEVICE)


class Prompt(Terminal):
    def __init__(self, *shell):
        super().__init__([*shell, GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
        self.expect(r'> $')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def not_caught():
    """what comes behind a pcall is not run; what a __close has to do in a moment is"""
    with Prompt() as t:
        for catch in ('pcall(%s)', 'xpcall(%s, print)', 'coroutine.resume(coroutine.create(%s))', 'load(%s)',
                      'require("gpulab.host").catch(%s)'):
            t.line('print("go" .. 1); %s print("run" .. "ning")' % catch % E)
            t.expect(r'\ngo1\n')
            t.send(CTRL_C)
            check('running' not in t.expect(r'(.*)interrupted\n> $').group(1), catch)
        t.line('do local c <close> = setmetatable({}, { __close = function() print("put" .. " away") end }) print("go" .. 2) while true do end end')
        t.expect(r'\ngo2\n')
        t.send(CTRL_C)
        t.expect(r'put away\ninterrupted\n> $')


def third_press():
    """three presses end one call of Lua's own library and the program: 130, a sentence, and the terminal as it was; two do not"""
    for before, busy in CALLS:
        with Prompt(*SHELL) as t:
            t.line(before)
            t.expect(r'> $')
            t.line(busy)
            t.expect(r'\nxb\n')
            if busy == CALLS[0][1]:
                t.send(CTRL_C + CTRL_C)
                t.computes(1.5)
                check('ended the program' not in t.seen, 'two presses ended it')
            t.press_until('gpulab: one call of a Lua library function did not stop, so the third Ctrl-C ended the program')
            wanted = termios.ICANON | termios.ECHO | termios.ISIG
            check(termios.tcgetattr(t.fd)[3] & wanted == wanted, 'the terminal does not read lines')
            t.line('')
            check(t.close() == 130, '%s: %s' % (busy, t.status))


def many_presses():
    """presses in any number end no prompt"""
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
    try:
        for number, busy in enumerate(['("x"):rep(6e6)', 'collectgarbage()', 'io.read()', '']):
            terminal.expect(r'> $')
            terminal.line('print("go" .. %d); while true do %s end' % (number, busy))
            terminal.expect(r'\ngo%d\n' % number)
            for _ in range(40):
                os.kill(terminal.pid, signal.SIGINT)
            terminal.answers()
    finally:
        terminal.kill()


def a_command():
    """Ctrl-C ends a command and what waits for it (once it runs: between its start and its first child the press is its shell's)"""
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
    try:
        terminal.expect(r'> $')
        terminal.line("""while true do os.execute("exec python3 -c 'import time; print(\\"go\\", flush=True); time.sleep(600)'") end""")
        terminal.expect(r'\ngo\n')
        terminal.send(CTRL_C)
        terminal.expect(r'interrupted\n> $')
    finally:
        terminal.kill()


def a_command_with_a_way_of_its_own():
    """Ctrl-C belongs to a command that does something with it; a loop around it goes on"""
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
    try:
        terminal.expect(r'> $')
        terminal.line("""print(os.execute("trap 'echo heard; sleep 1; exit 3' INT; echo go; while :; do sleep 0.01; done"))""")
        terminal.expect(r'\ngo\n')
        terminal.send(CTRL_C)
        terminal.expect(r'heard\nnil\texit\t3\n> $')
    finally:
        terminal.kill()


def large_values():
    """a value that is too large is an error that says the limit and how to raise it; the prompt goes on"""
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], {**ENV, 'GPULAB_LUA_MEMORY': '64'}, cwd=FOLDER.name)
    try:
        for line in ('x = ("x"):rep(1e9)', 't = {} for i = 1, 1e9 do t[i] = "x" .. i end', 'x = io.open("/dev/zero"):read("a")'):
            terminal.expect(r'> $')
            terminal.line(line)
            terminal.expect(r'not enough memory: .* 64 MB, one string 4 MB\n.*GPULAB_LUA_MEMORY')
        terminal.expect(r'> $')
        terminal.line('#t > 1e5, t[7]')
        terminal.expect(r'\ntrue\n"x7"\n')
    finally:
        terminal.kill()


def exit_status(text, presses=1):
    with subprocess.Popen([GPULAB, '--device', 'emu', '-e', 'print("go") io.stdout:flush() ; ' + text], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=ENV, cwd=FOLDER.name) as p:
        p.stdout.readline()
        for _ in range(presses):
            p.send_signal(signal.SIGINT)
        _, err = p.communicate()
        return p.returncode, err.decode()


def scripts():
    """a script that is interrupted exits with 130, whatever it does; so does one whose finalizer runs at the end"""
    for _, busy in LUA + COROUTINES + HANDLERS + FINALIZERS + CLOSING[:-1]:
        code, err = exit_status(busy)
        check(code == 130 and 'interrupted' in err, '%s: %d %s' % (busy, code, err))
    code, err = exit_status('setmetatable({}, { __gc = %s })' % E)
    check(code == 130, 'at the end: %d %s' % (code, err))


if __name__ == '__main__':
    sys.exit(run_tests([lua, coroutines, handlers, finalizers, closing, callbacks, tables, waiting, devices, not_caught, third_press, a_command,
                        a_command_with_a_way_of_its_own, many_presses, large_values, scripts]))
