"""What a script replaces, empties or hooks is its own: the prompt and its commands go on. usage: test_replaced.py GPULAB SOURCE_ROOT"""
import os
import sys
import tempfile

from terminal import CTRL_C, CTRL_D, Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
LAB = os.path.join(os.path.abspath(sys.argv[2]), 'labs', '03-bank-conflicts.lua')
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'NO_COLOR': '1', 'PAGER': 'cat',
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}

LIBRARIES = '{ string, table, math, io, os, debug, coroutine, utf8, package }'
ENDLESS = 'function() while true do end end'

METATABLES = ['getmetatable("").__index = nil', 'getmetatable("").__index = error', 'getmetatable("").__index = ' + ENDLESS,
              'getmetatable("").__tostring = error', 'getmetatable("").__index.format = error',
              'for k in pairs(getmetatable("").__index) do getmetatable("").__index[k] = nil end', 'debug.setmetatable("", nil)',
              'debug.setmetatable("", { __index = error, __tostring = error })', 'debug.setmetatable(0, { __tostring = error })',
              'debug.setmetatable(nil, { __index = error, __call = error, __tostring = error })',
              'debug.setmetatable(true, { __tostring = function() return 1 end })', 'debug.setmetatable(print, { __tostring = error })',
              'getmetatable(io.stdout).__index = nil', 'debug.setmetatable(io.stdout, nil)',
              'debug.getmetatable(gpu.array("int", 1)).__index = nil', 'debug.setmetatable(gpu.array("int", 1), { __gc = error })',
              'getmetatable(gpu).__index = nil', 'setmetatable(gpu, nil)', 'setmetatable(package.loaded, { __index = error, __newindex = error })',
              'setmetatable(_G, nil)', 'setmetatable(_G, { __index = error, __newindex = error })',
              'for _, l in pairs%s do setmetatable(l, { __index = error, __newindex = error, __pairs = error }) end' % LIBRARIES]
HOOKS = ['debug.sethook(function() error("h") end, "l")', 'debug.sethook(function() error("h") end, "crl", 1)', 'debug.sethook(error, "", 1)',
         'debug.sethook(coroutine.running(), error, "l", 1)', 'for k in pairs(debug.getregistry()) do debug.getregistry()[k] = nil end',
         'for l = 1, 60 do for i = 1, 250 do if not pcall(debug.setlocal, l, i, nil) then break end end end',
         'for l = 2, 60 do local ok, i = pcall(debug.getinfo, l, "f") if ok and i then for u = 1, 60 do pcall(debug.setupvalue, i.func, u, nil)'
         ' end end end',
         'for _, f in pairs(command) do for u = 1, 60 do debug.setupvalue(f, u, nil) debug.upvaluejoin(f, u, function() return u end, 1) end end',
         'debug.setuservalue(gpu.buffer("int", 1), nil, 1) collectgarbage()',
         'collectgarbage("stop") io.stdout:close() io.output():close() io.stdout:setvbuf("full", 1 << 20)']
GLOBALS = ['string.format = error', 'table = nil', 'error = print pcall = error tostring = error', 'coroutine.wrap = error coroutine.resume = nil',
           'os.exit = nil os.execute = nil', 'gpu.device = nil', 'for k in pairs(gpu) do gpu[k] = nil end', 'for k in pairs(command) do command[k] = nil end',
           'for k in pairs(package.loaded) do package.loaded[k] = nil end', 'package.searchers = {} package.loaded = nil package.path = nil package.preload = 1',
           'lab = nil check = nil arg = nil gpu = nil', 'require = nil load = nil rawset = nil setmetatable = nil getmetatable = nil',
           '_G = {}', 'math = nil utf8 = nil io = nil string = nil', '_G = nil', 'for k in pairs(_ENV) do _ENV[k] = nil end']


def survives(lines, each):
    """All in one prompt, or each in its own; what is asked then has its answers."""
    for group in [[line] for line in lines] if each else [lines]:
        t = Terminal([GPULAB, '-q', '-n', '-i', '--device', 'emu', '--set', 'n=64', LAB], ENV, cwd=FOLDER.name)
        try:
            t.expect(r'03> $')
            t.line('predict off')
            t.expect(r'03> $')
            for line in group:
                t.line(line)
                t.expect(r'03> $')
                t.line('6 * 7')
                t.expect(r'\n42\n.*03> $')
            for line, answer in [('steps', 'padded'), ('nonsense', 'nonsense'), ('"a" .. 1', '"a1"'), ('? run', 'run '),
                                 ('run tile', 'yes'), ('why', 'bank'), ('{ 1, x = { 2 } }', r'\{ 1, x = \{...\} \}')]:
                t.line(line)
                check('internal error' not in t.expect(answer + r'(.*)03> $').group(1), line)
            t.send('gpu.mod\t')
            t.expect(r'gpu\.mod')
            t.send(CTRL_C)
            t.expect(r'03> $')
            t.line('while true do end')
            t.expect(r'while true do end\n')
            t.send(CTRL_C)
            t.expect(r'interrupted.*03> $')
            t.send(CTRL_D)
            check(t.close() == 0, 'status %s' % t.status)
        except Exception as problem:
            raise AssertionError('after %s: %s' % (group, problem)) from problem
        finally:
            t.kill()


def metatables():
    """metatables of strings, numbers, nil, files, gpulab's objects, and the globals"""
    survives(METATABLES, False)


def hooks():
    """debug hooks that raise; the registry, and what debug reaches in functions and frames below"""
    survives(HOOKS, False)


def global_names():
    """libraries, globals and loaded modules that are gone, or something else"""
    survives(GLOBALS, False)


def each_alone():
    """some of them alone: what one breaks no other may hide"""
    each = METATABLES + HOOKS + GLOBALS
    survives(each[::9 if 'sanitized' in sys.argv else 3], True)  # together they are tried above


def idioms():
    """what a script adds to strings stays"""
    with Terminal([GPULAB, '-q', '-n', '--device', 'emu'], ENV, cwd=FOLDER.name) as t:
        t.expect(r'> $')
        for line, answer in [('getmetatable("").__mod = string.format', ''), ('"%d" % 7', '"7"'), ('string.twice = function(s) return s .. s end', ''),
                             ('("ab"):twice()', '"abab"'),
                             ('getmetatable("").__index = function(s, i) return string[i] or s:sub(i, i) end', ''), ('("abc")[2]', '"b"'),
                             ('("%d"):format(3)', '"3"'), ('debug.setmetatable(nil, { __index = function() end })', ''), ('a.b.c', 'nil')]:
            t.line(line)
            t.expect(r'\n' + answer + r'.*> $')


sys.exit(run_tests([metatables, hooks, global_names, each_alone, idioms]))
