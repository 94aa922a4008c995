"""Random lines at the prompt of lab 3: none ends the process. usage: prompt.py GPULAB SOURCE_ROOT [LINES [SEED]]

Lines are Lua, commands, bytes that are no text, keys that mean something to Readline, and halves of statements. What would rightly end
the program or wait for ever on somebody else (quit, os.exit, Ctrl-D on an empty line, io.read) is not typed. A line that goes on
for long is interrupted by Ctrl-C, as a person would. One failure is reported with the seed and the last lines."""
import os
import random
import select
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'repl'))
from terminal import CTRL_C, ENTER, Lost, Terminal, plain, processor_time, run_tests  # noqa: E402  pylint: disable=wrong-import-position

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
LINES = int(sys.argv[3]) if len(sys.argv) > 3 else 300
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int.from_bytes(os.urandom(4), 'little')

PROMPTS = ('03> ', '03 debug> ', '>> ', '(Enter skips)> ')
SLOW, STUCK = 3, 60  # seconds until Ctrl-C, and until it counts as stuck

COMMANDS = ['run', 'steps', 'why', 'next', 'prev', 'show', 'text', 'lines', 'compare', 'resources', 'set', 'model', 'device', 'edit', 'diff',
            'reset', 'exercises', 'check', 'hint', 'solution', 'predict', 'note', 'notes', 'history', 'help', 'plot', 'generations', 'ptx', 'sass',
            'debug', 'step', 's', 'n', 'finish', 'continue', 'c', 'back', 'rc', 'until', 'break', 'watch', 'awatch', 'delete', 'focus', 'info',
            'print', 'p', 'list', 'bt', 'kill', 'view', 'show it', 'other', 'origin', 'stop at', 'debug tile', 'debug -G padded', 'reverse-next']
WORDS = ['tile', 'copy', 'padded', 'row', 'stride3', 'own', 'row-sums', 'swizzle', 'histogram', 't', 'st', '', '3', '-1', '0', '1e308', 'nan',
         'n=64', 'n=32', 'n=33', 'n=-1', 'n=', '=', 'n=x', 'c=5', 'c=96', 'c=97', 'blocks=2', 'blocks=0', 'blocks', 'GTX 280', 'gtx280', 'all',
         'none', 'emu', 'emu:GTX 280', 'emu:', 'cuda:99', '--anyway', '--', 'off', 'on', '?', '??', '"', "'", '\\', '"a b"', '%s', '%d%n', '$(ls)',
         'threadIdx.x', 'tile[0][1]', 'block (1,0,0)', 'warp 3', '%r5', 'barrier', 'locals', 'lanes', '66 if x == 3', 'race', '(x ? y : n) << 2', '&tile[1]',
         'čeština', '漢字', '🙂', '\u202e', 'a' * 300, '../..', '/', '~', '*', 'ans', 'nil', 'self', '{}', '[[', '--[[']
ATOMS = ['1', '0', '-1', '2^53', '1/0', '0/0', '"x"', "''", 'nil', 'true', '{}', '{1,2,3}', 'print', 'gpu', 'gpu.device', 'gpu.help', 'b', 'k',
         'lab', 'check', 'command', 'ans', 'x', 'f', '_G', '_ENV', 'string', 'table', 'math', 'coroutine', 'utf8', 'select', 'next', 'pairs',
         'setmetatable', 'getmetatable', 'rawset', 'rawget', 'tostring', 'tonumber', 'error', 'pcall', 'load', 'collectgarbage', '...',
         'math.huge', 'math.mininteger', '"\\0"', '"\\xff"', '("x"):rep(1000)', 'function() end', 'function(...) return ... end',
         'setmetatable({}, {__tostring = error})', 'setmetatable({}, {__index = error, __name = 3})', 'coroutine.wrap(print)']
OPERATORS = ['+', '-', '*', '/', '//', '%', '^', '..', '==', '~=', '<', '<=', 'and', 'or', '&', '|', '~', '<<', '>>', ',', '=', '.', ':', ';']
STATEMENTS = ['x = %s', 'local x = %s', 'f(%s)', 'return %s', 'if %s then', 'for i = 1, %s do', 'while %s do', 'repeat', 'until %s', 'end', 'else',
              'function f(...)', 'goto a', '::a::', 'break', 'error(%s)', 'print(%s)', 'gpu.buffer("float", %s)', 'gpu.buffer(%s)', '#%s', '(%s)()',
              '(%s)[%s]', 'b = gpu.buffer("int", 64)', 'b[%s]', 'b[%s] = %s', 'b:fill(%s)', 'b:upload(%s)', 'b:download(%s)', 'gpu.open(%s)',
              'k = gpu.kernel("banks.cu", "offset<0>")', 'k{grid = %s, block = %s}(%s)', 'gpu.compile_text(%s)', 'gpu.banks(%s)', 'gpu.model(%s)',
              'command.run(%s)', 'command[%s](%s)', 'set(%s)', 'note(%s)', 'lab.define(%s)', 'lab.define{steps = %s}', 'gpu.time(%s)',
              'gpu.count(%s)', 'gpu.check(%s)', 'gpu.raise(%s)', 'gpu.error(%s)', 'coroutine.wrap(function() error(%s) end)()', 'while true do end',
              'local function g() return g() + 1 end g()', 'string.rep("x", -1)', 'setmetatable(_G, %s)', 'string.format(%s)', 'load(%s)',
              'collectgarbage()', 'table = nil', 'string = nil', 'io = nil', 'gpu = nil', 'print = nil', 'pcall = nil', 'ipairs = nil', 'os = nil',
              'tostring = error', 'table.concat = error', 'string.gsub = error', 'io.stdout = nil', 'io.stdout:close()', 'gpu.device = %s',
              'require = nil', 'error = nil', 'setmetatable = nil', 'package.loaded = %s', '_G.%s']
KEYS = ['\x01', '\x02', '\x05', '\x06', '\x07', '\x08', '\x09', '\x09\x09', '\x0b', '\x0c', '\x0e', '\x10', '\x12', '\x14', '\x15', '\x16', '\x17',
        '\x18', '\x19', '\x1b', '\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D', '\x1b[3~', '\x1bOP', '\x1b5', '\x1bu', '\x1b.', '\x1b<', '\x1b?',
        '\x1b[200~', '\x1b[201~', '\x1b[200~x = 1\ny = 2\x1b[201~', '\x1f', '\x7f', '\xa0', '\udc80', '\udcff', '\x1b[999D', '\x18\x18', '\x00']


def pieces(rng, source, most):
    return [rng.choice(source) for _ in range(rng.randint(1, most))]


def lua(rng):
    text = rng.choice(STATEMENTS)
    while '%s' in text:
        value = rng.choice(ATOMS)
        if rng.random() < 0.3:
            value += ' ' + rng.choice(OPERATORS) + ' ' + rng.choice(ATOMS)
        text = text.replace('%s', value, 1)
    return text


def a_line(rng):
    """Bytes to type, without the Enter."""
    kind = rng.random()
    if kind < 0.35:
        text = ' '.join([rng.choice(COMMANDS)] + pieces(rng, WORDS, 3))
    elif kind < 0.65:
        text = lua(rng)
    elif kind < 0.75:
        text = ' '.join(pieces(rng, ATOMS + OPERATORS, 8))
    elif kind < 0.85:
        text = ''.join(pieces(rng, KEYS + WORDS + COMMANDS, 6))
    elif kind < 0.92:
        text = '?' * rng.randint(1, 3) + rng.choice(COMMANDS + WORDS + ATOMS)
    else:
        text = bytes(rng.randrange(256) for _ in range(rng.randint(1, 40))).decode('utf-8', 'surrogateescape')
    if rng.random() < 0.1:
        text = text[:rng.randint(0, len(text))]
    if rng.random() < 0.05:
        text += rng.choice(KEYS)
    # Enter is ours; these would end the program or send it to sleep: Ctrl-C and Ctrl-D are typed on purpose elsewhere.
    return ''.join(c for c in text if c not in '\r\n\x03\x04\x1a\x1c')


def ends(text):
    words = text.replace('(', ' ').split()
    return any(word in ('quit', 'exit') for word in words)


class Prompt:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-test-')
        home = self.folder.name
        env = {**os.environ, 'HOME': home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'NO_COLOR': '1', 'INPUTRC': '/dev/null',
               'XDG_STATE_HOME': home + '/state', 'PAGER': 'cat', 'EDITOR': 'true'}
        for name in ('GPULAB_HOME', 'VISUAL'):
            env.pop(name, None)
        argv = [GPULAB, '-n', '-q', '--device', 'emu', '--set', 'n=64', '--set', 'blocks=1',
                os.path.join(ROOT, 'labs', '03-bank-conflicts.lua')]
        self.terminal = Terminal(argv, env, cwd=home)
        self.terminal.expect('03> $')
        self.last = []

    def close(self):
        self.terminal.kill()
        self.folder.cleanup()

    def ready(self):
        """Waits for a prompt at the end of what is on the screen, and a moment of silence after it; false: it takes long."""
        t = self.terminal
        end = time.monotonic() + SLOW
        while time.monotonic() < end:
            t.seen = t.seen[-4000:]
            waiting = plain(t.seen).endswith(PROMPTS)
            if select.select([t.fd], [], [], 0.004 if waiting else 0.2)[0]:
                if not t._read():  # pylint: disable=protected-access
                    raise Lost('the process ended')
            elif waiting:
                return True
        return False

    def interrupt(self):
        stuck = processor_time(self.terminal.pid) + STUCK
        self.terminal.send(CTRL_C)
        while not self.ready():
            if processor_time(self.terminal.pid) > stuck:
                raise Lost('it is stuck')
            self.terminal.send(CTRL_C)

    def type(self, text, rng):
        self.last = self.last[-9:] + [text]
        self.terminal.send(text + ENTER)
        if not self.ready():
            self.interrupt()
        if plain(self.terminal.seen).endswith('>> ') and rng.random() < 0.3:
            self.interrupt()


def random_lines():
    """random lines end no process"""
    rng = random.Random(SEED)
    print('# %d lines, seed %d' % (LINES, SEED), flush=True)
    prompt = Prompt()
    typed = opened = 0
    try:
        while typed < LINES:
            if typed // 200 >= opened:  # what earlier lines broke of Lua's own shall not hide what later ones could
                prompt.close()
                prompt, opened = Prompt(), opened + 1
            text = a_line(rng)
            if ends(text):
                continue
            prompt.type(text, rng)
            typed += 1
        prompt.interrupt()
    except (Lost, OSError) as problem:
        raise AssertionError('%s after %d lines, seed %d; the last ones: %r; on the screen: %r' % (
            problem, typed, SEED, prompt.last, plain(prompt.terminal.seen)[-600:])) from problem
    finally:
        prompt.close()


if __name__ == '__main__':
    sys.exit(run_tests([random_lines]))
