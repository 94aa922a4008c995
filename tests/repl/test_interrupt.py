"""Ctrl-C at the prompt: one press ends whatever Lua or a function of its libraries does, and the prompt goes on.
usage: test_interrupt.py GPULAB"""
import os
import signal
import subprocess
import sys
import tempfile

from terminal import CTRL_C, Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null',
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}

# What is set up, what is then busy for minutes, and for ever in some.
LUA = [('', 'while true do end'), ('', 'while true do pcall(error) end'), ('', 'while true do pcall(function() while true do end end) end'),
       ('', 'while true do xpcall(error, type) end'), ('', 'while true do xpcall(error, error) end'),
       ('', 'while true do pcall(function() local c <close> = setmetatable({}, { __close = error }) end) end'), ('', 'load(function() while true do end end)'),
       ('', 'while true do load(function() while true do end end) end'),
       ('', 'while true do coroutine.resume(coroutine.create(function() while true do end end)) end'),
       ('', 'coroutine.wrap(function() while true do pcall(coroutine.yield) end end)() while true do end'),
       ('', 'for _ in io.lines("/dev/zero", 1 << 20) do end'), ('', 'local t = setmetatable({}, { __index = function(t, k) return k end })'
        ' while true do t[t[1]] = nil end')]
STRINGS = [('', 'while true do (""):rep(1 << 60) end'), ('', 'while true do ("x"):rep(6e7) end'), ('s = ("x"):rep(6e7)', 'while true do s:rep(1) end'),
           ('s = ("x"):rep(6e7)', 'while true do s:upper() end'), ('s = ("x"):rep(6e7)', 'while true do load(s .. " x") end')]
PATTERNS = [('s = ("a"):rep(1e6)', 's:find(".-.-.-b")'), ('', 's:match("(.-)%1b")'), ('', 'pcall(string.gsub, s, "a-a-b", "")'),
            ('', 'for _ in s:gmatch("a*a*b") do end'), ('', 's:gsub("a-", function() s:find(".-.-.-b") end)'),
            ('', 'coroutine.wrap(function() s:find(".-.-.-b") end)()'), ('', 's:find(("a"):rep(5e5) .. "b", 1, true)'),
            ('i = s:gmatch("a-a-(b?)")', 'for _ in i do end for _ in s:gmatch("a-a-b") do end'), ('', 'while true do s:gsub(".", { a = "b" }) end')]
TABLES = [('t = {} for i = 1, 4e6 do t[i] = -i % 1000003 end', 'while true do local u = table.move(t, 1, #t, 1, {}) table.sort(u) end'),
          ('t = {} for i = 1, 4e6 do t[i] = i end', 'while true do table.concat(t) end'),
          ('a = gpu.array("float", 1e7, 1)', 'while true do a:sum() a:copy() a:transpose(1000, 10000) end'),
          ('a = gpu.array("int", 1e7)', 'while true do a:gather(1e7, function(i) return i end) end'),
          ('', 'while true do gpu.array("float", 1e8, "random") end')]
WAITING = [('', 'io.read()'), ('', 'while true do io.read() end'), ('os.execute("mkfifo fifo")', 'io.open("fifo")'),
           ('', 'io.popen("sleep 600"):read("a")'),
           ('', 'while true do os.execute("sleep 0.02") end'), ('', 'while true do pcall(os.execute, "true") end')]


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
    """one press ends a loop, also one that catches errors, and coroutines"""
    all_end(LUA)


def strings():
    """one press ends what is done with long strings"""
    all_end(STRINGS)


def patterns():
    """one press ends a search that backtracks, and what is done with matches"""
    all_end(PATTERNS)


def tables():
    """one press ends what is done with millions of values"""
    all_end(TABLES)


def waiting():
    """one press ends a wait for input, for a file and for what a command writes"""
    all_end(WAITING)


def many_presses():
    """presses in any number end no prompt"""
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name)
    try:
        for number, busy in enumerate(['("x"):rep(6e7)', 'collectgarbage()', 'io.read()']):
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
    """a script that is interrupted exits with 130, whatever it does"""
    for _, busy in LUA + STRINGS[:1]:
        code, err = exit_status(busy)
        check(code == 130 and 'interrupted' in err, '%s: %d %s' % (busy, code, err))


if __name__ == '__main__':
    sys.exit(run_tests([lua, strings, patterns, tables, waiting, a_command, a_command_with_a_way_of_its_own, many_presses, large_values, scripts]))
