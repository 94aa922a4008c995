"""Whom the program trusts: what lies in the working folder is not run, text from outside stays text, a wrong lab is told where.
usage: test_trust.py GPULAB"""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

from terminal import Terminal, check, run_tests, text_of, write

GPULAB = os.path.abspath(sys.argv[1])
NVCC = next((n for n in ('/usr/local/cuda/bin/nvcc', shutil.which('nvcc')) if n and os.path.exists(n)), None)
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Place:
    """A working folder and a home of its own."""
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        self.home, self.work = self.folder.name + '/home', self.folder.name + '/work'
        os.mkdir(self.home)
        os.mkdir(self.work)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def write(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.work, name)), exist_ok=True)
        write(os.path.join(self.work, name), text)

    def has(self, name):
        return os.path.exists(os.path.join(self.work, name))

    def run(self, *args, text='', env=None):
        variables = {**os.environ, 'HOME': self.home, 'XDG_STATE_HOME': self.home + '/state',
                     'XDG_CONFIG_HOME': self.home + '/config', 'GPULAB_HOME': self.home + '/gpulab', 'LANG': 'C.UTF-8'}
        for name in ('LUA_PATH', 'LUA_CPATH', 'LUA_PATH_5_4', 'LUA_CPATH_5_4'):
            variables.pop(name, None)
        variables.update(env or {})
        done = subprocess.run([GPULAB, *args], input=text.encode(), capture_output=True, cwd=self.work, env=variables,
                              check=False)
        return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


TRAP = 'os.execute("touch this-ran")\n'
ERROR = '#error this file lies in the working folder\n'


def numbers_are_labs():
    """3 is lab 3 where a file has that name; ./3 is the file; a number without a lab says so"""
    with Place() as p:
        p.write('3', TRAP)
        p.write('bank-conflicts', TRAP)
        p.write('77', TRAP)
        for name in ('3', 'bank-conflicts'):
            code, out, err = p.run('--device', 'emu', '--batch', '--step', 'row', name)
            check(code == 0 and 'Lab 3' in out, '%s: %d %s%s' % (name, code, out, err))
        code, _, err = p.run('77')
        check(code == 5 and 'there is no lab 77' in err and './77' in err, '%d %s' % (code, err))
        check(not p.has('this-ran'), 'a file of the working folder was run')
        check(p.run('./3')[0] == 0 and p.has('this-ran'), './3 is the file')


def lists_run_nothing():
    """--list, completion and help run no lab of the working folder"""
    with Place() as p:
        p.write('labs/99-trap.lua', TRAP + 'return lab.define { number = 99 }\n')
        p.write('labs/03-bank-conflicts.lua', TRAP)
        code, out, err = p.run('--list')
        check(code == 0 and 'trap' not in out and 'bank-conflicts' in out, '%d %s%s' % (code, out, err))
        for args in (['--help'], ['--completion', 'bash'], ['--devices'], ['--claims'], ['-e', 'require("gpulab.prompt.help").show("buffer")']):
            p.run(*args)
        check(p.run('99')[0] == 5, 'lab 99 is taken from the working folder')
        check(not p.has('this-ran'), 'a lab of the working folder was run')


OUTLINES = """
local targets, outline = require "gpulab.lab.targets", require "gpulab.lab.outline"
for _, entry in ipairs(targets.labs()) do
  local said, lab = assert(outline.read(entry.path)), dofile(entry.path)
  local ids, want = {}, {}
  for i, e in ipairs(said.exercises) do ids[i] = e.id end
  for i, e in ipairs(lab.exercises) do want[i] = e.id end
  assert(said.id == lab.id and said.title == lab.title and #want > 0, entry.path)
  assert(table.concat(ids, " ") == table.concat(want, " "), entry.path)
end
print("same")
"""


def lists_run_no_lab():
    """--list runs no lab, wherever it is installed, and says of those here what they say of themselves"""
    with Place() as p:
        p.write('own/98-trap.lua', 'local lab = require "gpulab.lab"\n' + TRAP + 'return lab.define {\n  id = "trap",\n  title = "A trap"\n}\n')
        p.write('own/97-broken.lua', TRAP + 'return {')
        code, out, err = p.run('--list', env={'GPULAB_LABS': p.work + '/own'})
        check(code == 0 and 'A trap' in out and 'does not load: run gpulab 97' in out, '%d %s%s' % (code, out, err))
        check(not p.has('this-ran'), 'a lab that is listed was run')
        code, out, err = p.run('-e', OUTLINES)
        check((code, out) == (0, 'same\n'), '%d %s%s' % (code, out, err))


def kernels_of_a_lab():
    """a lab's kernels and starters are not those that lie in the working folder"""
    with Place() as p:
        for name in ('transpose.cu', 'banks.cu', 'kernels/transpose.cu', 'exercises/03-row-sums/row_sums.cu', 'peaks.cu'):
            p.write(name, ERROR)
        code, out, err = p.run('--device', 'emu', '--batch', '--set', 'n=64', '--set', 'blocks=32', '--step', 'copy,row', '3')
        check(code == 0, '%d %s%s' % (code, out, err))
        code, out, err = p.run('--device', 'emu', '-e', STARTER)
        check(code == 0 and 'working folder' not in out, out + err)


STARTER = 'print(io.open((require("gpulab.base.where").find("exercises/03-row-sums/row_sums.cu", "kernels"))):read("a"))'


def kernels_beside_a_script():
    """a script's kernel lies beside it first, ./NAME in the working folder, and a person's own word means the working folder"""
    kernel = '__global__ void %s(int *o) { o[0] = 1; }\n'
    with Place() as p:
        p.write('far/k.cu', kernel % 'beside')
        p.write('k.cu', kernel % 'working')
        p.write('far/s.lua', 'print(gpu.compile("k.cu"):kernel("beside").name, gpu.compile("./k.cu"):kernel("working").name)')
        check(p.run('--device', 'emu', 'far/s.lua')[:2] == (0, 'beside\tworking\n'), str(p.run('far/s.lua')))
        code, out, _ = p.run('--device', 'emu', '-e', 'print(gpu.compile("k.cu"):kernel("working").name)')
        check((code, out) == (0, 'working\n'), out)


def required_modules():
    """require finds what lies beside the script and on LUA_PATH, nothing in the working folder"""
    with Place() as p:
        p.write('helper.lua', TRAP)
        p.write('far/helper.lua', 'return "beside"')
        p.write('far/s.lua', 'print((require "helper"))')
        check(p.run('far/s.lua')[:2] == (0, 'beside\n'), str(p.run('far/s.lua')))
        code, _, err = p.run('-e', 'require "helper"')
        check(code == 1 and "module 'helper' not found" in err, err)
        check(p.run('-e', 'print(package.path, package.cpath)')[1].find('./') < 0, 'the working folder is on the path')
        check(not p.has('this-ran'), 'a module of the working folder was run')
        check(p.run('-e', 'require "helper"', env={'LUA_PATH': './?.lua'})[0] == 0 and p.has('this-ran'), 'LUA_PATH')


# What a terminal would obey, however it came there: an escape sequence, one of C1, a turned direction, broken UTF-8.
EVIL = '\\27[2J\\u{9b}2J\\u{202e}\\255'
OBEYED = re.compile('[\0-\x08\x0b-\x1f\x7f\x80-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]')
HOSTILE = """
local E = "%s"
return lab.define { number = 90, id = "hostile", title = "T" .. E, intro = "I" .. E,
  params = { n = { default = 256, min = 32, help = "help" .. E }, s = { default = "=1+1" .. E, help = "text" } },
  buffers = { y = { type = "int", count = "n" } }, groups = { { id = "g", title = "G" .. E } },
  steps = {
    { id = "say", group = "g", title = function() return "=" .. E end, text = "X" .. E .. "\\n  Y" .. E,
      kernel = { file = "k.cu", name = "say" }, grid = 8, block = 32, args = { "y" }, output = "y",
      reference = function(p) return gpu.array("int", p.n, "iota") end, useful_bytes = function(p) return 4 * p.n end,
      detail = function() return "D" .. E end },
    { id = "bad", group = "g", title = "B" .. E, text = "N", kernel = { file = "bad" .. E .. ".cu", name = "k" }, grid = 8, block = 32,
      args = { "y" }, output = "y", reference = function(p) error("R" .. E) end, useful_bytes = function(p) return 4 * p.n end },
    { id = "wrong", group = "g", title = "W" .. E, text = "N", kernel = { file = "wrong.cu", name = "k" }, grid = 8, block = 32,
      args = { "y" }, output = "y", reference = function(p) return gpu.array("int", p.n) end, useful_bytes = function(p) return p.n end },
    { id = "fig", group = "g", title = "F" .. E, text = "F", figure = function()
      return { columns = { "C" .. E, "=2" }, rows = { { "r" .. E, 1 } }, note = "note" .. E } end } } }
""" % EVIL
SAY = '__global__ void say(int *y) { y[blockIdx.x * 32 + threadIdx.x] = blockIdx.x * 32 + threadIdx.x;\n' \
      ' if (threadIdx.x + blockIdx.x == 0) printf("\\033[2K\\r  gate met\\033[8m\\302\\233\\342\\200\\256\\377\\n"); }\n'


def hostile(p):
    p.write('hostile.lua', HOSTILE)
    p.write('k.cu', SAY)
    p.write('wrong.cu', '#error \x1b[2J\u202e forged\n')


def shown_as_text():
    """control characters of a lab's texts, a kernel's source and a compiler's message are text, in every document"""
    with Place() as p:
        hostile(p)
        for args in ([], ['--check', 'all'], ['--json', '-'], ['--csv', '-'], ['--html', '-'], ['--set', 'n=7'], ['--step', 'x\x1b[2J'],
                     ['--set', 'x\x1b[2J=1'], ['--model', '\x1b[2J']):
            _, out, err = p.run('--device', 'emu', '--batch', *args, 'hostile.lua')
            found = OBEYED.search(out + err)
            check(not found, '%s: %r' % (args, found and (out + err)[max(0, found.start() - 80):found.end() + 40]))
        check(not OBEYED.search(''.join(p.run('no\x1b[2J.lua')[1:])), 'the name of a file')
        check(not OBEYED.search(''.join(p.run('--dev\x1b[2J')[1:])), 'an option')


def no_formulas():
    """no cell of a CSV is a formula"""
    with Place() as p:
        hostile(p)
        _, out, _ = p.run('--device', 'emu', '--batch', '--csv', '-', 'hostile.lua')
        for row in csv.reader(out.split('\n')):
            for cell in row:
                check(not cell or cell[0] not in '=+@\t\r' and (cell[0] != '-' or cell[1:2].isdigit()), cell)


def printed_by_a_kernel():
    """what a kernel prints is text, on a terminal and in a pipe"""
    said = r'\\x1B\[2K\\x0D  gate met\\x1B\[8m\\u\{9B\}\\u\{202E\}\\xFF\n'
    with Place() as p:
        hostile(p)
        _, out, _ = p.run('--device', 'emu', '-e', PRINT)
        check(re.fullmatch(said, out), repr(out))
        t = Terminal([GPULAB, '-q', '-n', '--device', 'emu', '-i', '-e', PRINT],
                     {**os.environ, 'HOME': p.home, 'GPULAB_HOME': p.home, 'TERM': 'xterm', 'LANG': 'C.UTF-8'}, cwd=p.work)
        try:
            t.expect(said)
            check('\x1b[2K' not in t.seen.split('gate met')[0], 'an escape sequence')
        finally:
            t.kill()


PRINT = 'gpu.kernel("k.cu", "say"){grid = 1, block = 32}(gpu.buffer("int", 32))'


PROGRAM = r"""#include <cstdio>
__global__ void say() { printf("\033[2Kkernel \342\200\256 \303\251\n"); }
int main() { say<<<1, 1>>>(); cudaDeviceSynchronize(); printf("\033[1mhost\033[0m\n"); }
"""


def printed_by_a_program():
    """under exec, what kernels print and nvcc's messages are text; what the host code writes is as it is"""
    if not NVCC or b'__asan_init' in open(GPULAB, 'rb').read():  # pylint: disable=consider-using-with
        return 'skip: no nvcc here, or no runtime for programs'
    with Place() as p:
        p.write('say.cu', PROGRAM)
        code, out, _ = p.run('exec', 'say.cu')
        check((code, out) == (0, '\\x1B[2Kkernel \\u{202E} \u00e9\n\x1b[1mhost\x1b[0m\n'), repr(out))
        p.write('wrong.cu', '#error \x1b[2J\u202e forged\n')
        code, out, err = p.run('exec', 'wrong.cu')
        check(code == 1 and 'forged' in err and not OBEYED.search(out + err), repr(err))
    return None


def wrong_labs():
    """a field that makes no sense is told with its file, the step and what was expected; never what happened inside gpulab"""
    lab = text_of(os.path.join(ROOT, 'labs', '03-bank-conflicts.lua'))
    with Place() as p:
        for change, said in (
                ('t.steps[14].reference = function() return 7 end', r'"reference" must return an array, returned 7'),
                ('t.steps[14].reference = function() error({}) end', r'field "reference" raises: a table'),
                ('t.steps[14].reference = function(p, host) return host.nothing end', r'buffer "nothing", which the lab does not define'),
                ('t.params.n.multiple = 0', r'"multiple": must be positive'),
                ('t.params.n.default = 0/0', r'"default": must be a finite number'),
                ('t.steps[14].title = function() end', r'"title" must return a string, returned nil'),
                ('t.steps[14].useful_bytes = function() return "x" end', r'"useful_bytes" must return a number, returned a string'),
                ('t.steps[14].args = { "odata", function() return {} end, "n" }', r'parameter 2 of .* a buffer (of float )?expected'),
                ('t.steps[14].timeout = -1', r'"timeout": must be milliseconds'),
                ('t.steps = setmetatable(t.steps, {})', r'"steps" must be a list'),
                ('t.title = nil', r'"title" is missing')):
            p.write('mine.lua', 'local lab = require "gpulab.lab"\nlocal define = lab.define\nlab.define = function(t) %s return define(t) end\n'
                                'return (function(...)\n%s\nend)(...)\n' % (change, lab))
            code, out, err = p.run('--device', 'emu', '--batch', '--set', 'n=64', '--step', 'copy', 'mine.lua')
            said_all = ' '.join((out + err).split())
            check(code == 64 and re.search(said, said_all), '%s: %d %s' % (change, code, said_all))
            check('mine.lua' in said_all and 'lua/gpulab' not in said_all and 'traceback' not in said_all, said_all)


if __name__ == '__main__':
    sys.exit(run_tests([numbers_are_labs, lists_run_nothing, lists_run_no_lab, kernels_of_a_lab, kernels_beside_a_script, required_modules, shown_as_text, no_formulas,
                        printed_by_a_kernel, printed_by_a_program, wrong_labs]))
