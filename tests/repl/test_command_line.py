"""The program without a terminal: scripts, arguments, exit codes, pipes. usage: test_command_line.py GPULAB"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from terminal import run_tests

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'XDG_STATE_HOME': FOLDER.name + '/state',
       'XDG_CONFIG_HOME': FOLDER.name + '/config', 'XDG_CACHE_HOME': FOLDER.name + '/cache',
       'GPULAB_HOME': FOLDER.name + '/gpulab', 'LANG': 'C.UTF-8'}


def run(*args, text='', env=None):
    done = subprocess.run([GPULAB, *args], input=text if isinstance(text, bytes) else text.encode(), capture_output=True,
                          cwd=FOLDER.name, env={**ENV, **(env or {})}, check=False)
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def script(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    return path


def same(got, want):
    if got != want:
        raise AssertionError('got %r, wanted %r' % (got, want))


def holds(text, *parts):
    for part in parts:
        if part not in text:
            raise AssertionError('%r is not in %r' % (part, text))


def chunks():
    """-e runs chunks in order, in one word or two"""
    same(run('-e', 'a = 1', '-ea = a + 1', '-e', 'print(a)'), (0, '2\n', ''))


def scripts():
    """a script gets its arguments in ... and arg, the program before it at negative indices"""
    script('s.lua', 'print(..., arg[0], arg[1], arg[2], #arg, arg[-1], arg[-2] ~= nil)')
    same(run('-q', 's.lua', 'one', '-i'), (0, 'one\ts.lua\tone\t-i\t2\t-q\ttrue\n', ''))


def standard_input():
    """- and a pipe are scripts: no banner, no prompt, no echo, no colour"""
    same(run('-', 'x', 'y', text='print(..., arg[0], arg[2])'), (0, 'x\t-\ty\n', ''))
    same(run(text='1 + 1'), (1, '', "stdin:1: unexpected symbol near '1'\n"))
    same(run(text='print(6 * 7)\nprint("end")\n'), (0, '42\nend\n', ''))
    same(run('-i', '-e', 'x = 5', text='print(x)'), (0, '5\n', ''))


def shebang():
    """a script may begin with #!"""
    script('bang.lua', '#!/usr/bin/env gpulab\nprint("ran")\n')
    same(run('bang.lua'), (0, 'ran\n', ''))


def exit_codes():
    """the kind of an error decides the exit code; a plain Lua error is 1"""
    for kind, code in (('compile', 1), ('fault', 2), ('wrong', 3), ('timeout', 4), ('setup', 5), ('finding', 6), ('gate', 7),
                       ('usage', 64), ('interrupted', 130)):
        same(run('-e', 'gpu.raise("%s", "what", "hint", "f.cu:3")' % kind), (code, '', 'f.cu:3: what\n  hint\n'))
    same(run('-e', 'error("plain")')[0], 1)
    same(run('-e', 'error({})')[0], 1)
    same(run('-e', 'error()')[0], 1)
    same(run('-e', 'error(setmetatable({}, { __tostring = function() error("twice") end }))')[0], 1)
    same(run('-e', 'this is no Lua')[0], 1)
    same(run('-e', 'os.exit(9)')[0], 9)
    same(run('-e', 'os.exit(true, true)')[0], 0)


def error_messages():
    """an error says its line, and the way there if it is more than one step"""
    script('deep.lua', 'local function f() error("deep") end\nlocal function g() f() return 1 end\ng()\n')
    code, _, err = run('deep.lua')
    same(code, 1)
    holds(err, 'deep.lua:1: deep\n', "deep.lua:2: in", "deep.lua:3: in main chunk")
    same('app.lua' in err, False)


def no_colour():
    """no escape sequence in a pipe, unless it is asked for"""
    for args, wanted in (((), False), (('--color', 'always'), True), (('--color=never',), False)):
        same('\x1b' in run(*args, '-e', 'error("x")')[2], wanted)


def bad_usage():
    """what makes no sense exits with 64 and says what to do"""
    code, out, err = run('--devcie', 'emu')
    same((code, out), (64, ''))
    holds(err, 'unknown option --devcie', 'did you mean --device?')
    for args in (('--device',), ('--color', 'blue'), ('--set', 'n'), ('--set', '=3'), ('-x',), ('--batch=yes',), ('-qx',)):
        code, out, err = run(*args)
        same((code, out), (64, ''))
        holds(err, 'gpulab: ')


def help_and_version():
    """--help names every option within 80 columns, --version the version"""
    code, out, err = run('--help')
    same((code, err), (0, ''))
    for option in ('--device', '--model', '--step', '--set', '--batch', '--json', '--csv', '-i', '-e', '--list', '--devices',
                   '--color', '-n', '-q', '--version'):
        holds(out, option)
    same(max(len(line) for line in out.split('\n')) <= 80, True)
    same('--worker' in out, False)
    same(run('-h')[0], 0)
    same(run('--version')[1].startswith('gpulab '), True)


def options():
    """The names of all options that --help has, with their dashes."""
    return re.findall(r'^  (?:-\w, )?(-[\w-]+)', run('--help')[1], re.M)


def man_page():
    """the man page names every option, and troff finds nothing wrong with it"""
    path = os.path.join(ROOT, 'docs', 'gpulab.1')
    with open(path, encoding='utf-8') as f:
        text = f.read().replace('\\-', '-')
    for option in options():
        if not re.search(r'^\.B[RI]* .*%s\b' % re.escape(option), text, re.M):
            raise AssertionError('%s is not in the man page' % option)
    for option in re.findall(r'^\.B[RI]* "?(--?[a-z][\w-]*)', text, re.M):
        if option not in options() and option not in ('-v', '-h'):
            raise AssertionError('%s is in the man page and no option' % option)
    if not shutil.which('man'):
        return 'skip: there is no man here'
    done = subprocess.run(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', path], env={**os.environ, 'MANROFFOPT': ''},
                          capture_output=True, check=False)
    same((done.returncode, done.stderr.decode()), (0, ''))
    return None


def one_version():
    """the version is written in meson.build alone, and the changelog has it"""
    with open(os.path.join(ROOT, 'meson.build'), encoding='utf-8') as f:
        version = re.search(r"version: '([\d.]+)'", f.read())[1]
    same(run('--version')[1].split()[1], version)
    with open(os.path.join(ROOT, 'docs', 'gpulab.1'), encoding='utf-8') as f:
        same('"gpulab @version@"' in f.read(), True)
    with open(os.path.join(ROOT, 'CHANGELOG.md'), encoding='utf-8') as f:
        same(re.findall(r'^## ([\d.]+)$', f.read(), re.M)[0], version)


COMPLETE = r"""
set -u
eval "$("$1" --completion bash)"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
program=$PROGRAM
gpulab() { if [[ $1 != --list ]]; then "$program" "$@"; return; fi; printf '  3  bank-conflicts  Shared memory banks  1 of 4 passed\n'; }
_gpulab
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash_completion():
    """bash completes options, their values, labs and files by what --completion prints"""
    if not shutil.which('bash'):
        return 'skip: there is no bash here'

    def completed(*words):
        done = subprocess.run(['bash', '-c', COMPLETE, 'bash', GPULAB, 'gpulab', *words], capture_output=True, check=False,
                              env={**os.environ, 'PROGRAM': GPULAB}, cwd=FOLDER.name)
        same(done.stderr.decode(), '')
        return done.stdout.decode().split()

    same(completed('--dev'), ['--device', '--devices'])
    same(sorted(completed('-')), sorted(set(options()) | {'-v', '-h', '--version', '--help'}))
    same(completed('--color', 'a'), ['auto', 'always'])
    same(completed('--device', '')[:5], ['auto', 'emu', 'cuda:0', '8800gtx', 'gtx280'])
    same(completed('--device', 'h'), ['h100sxm', 'h200', 'h1001g.10gb', 'h1002g.20gb', 'h1003g.40gb', 'h1004g.40gb', 'h1007g.80gb', 'h2001g.18gb', 'h2002g.35gb', 'h2003g.71gb', 'h2004g.71gb', 'h2007g.141gb', 'h100pcie', 'h100nvl', 'h800'])
    same(completed('--model', 'a1'), ['a100', 'a10080gb', 'a1001g.5gb', 'a1002g.10gb', 'a1003g.20gb', 'a1004g.20gb', 'a1007g.40gb', 'a1001g.10gb', 'a1002g.20gb', 'a1003g.40gb', 'a1004g.40gb', 'a1007g.80gb', 'a100pcie', 'a100pcie80gb', 'a10'])
    same(completed('--model', 'al'), ['all'])
    same(completed('bank-conflicts', '--step', 'pa'), ['pairs', 'padded'])
    same(completed('--step', 'til'), [])
    same(completed('--device', 'emu', '3', '--step', 'til'), ['tile'])
    same('bank-conflicts' in completed('ban'), True)
    same(completed('--batch', 'bank'), ['bank-conflicts'])
    same(completed('gra'), ['grade'])
    same(completed('check', 'bank'), ['bank-conflicts'])
    same(completed('check', 'bank-conflicts', 's'), ['swizzle'])
    same(completed('check', '3', 'swizzle', '--js'), ['--json'])
    same(completed('--device', 'emu', 'grade', 'class', '--ro'), ['--roster'])
    same(completed('grade', '--lab', 'bank'), ['bank-conflicts'])
    same(completed('exec', '--che'), ['--check'])
    return None


def other_completions():
    """zsh and fish get every option, in a script that they can read"""
    for shell, check_only in (('zsh', '-n'), ('fish', '--no-execute')):
        code, out, _ = run('--completion', shell)
        same(code, 0)
        for option in options():
            if shell == 'zsh':
                holds(out, "'*" + option)
            else:
                holds(out, (' -l ' if option.startswith('--') else ' -s ') + option.lstrip('-') + ' ')
        for word in 'check', 'doctor', 'grade', 'exec', 'new-lab', 'serve':
            holds(out, word)
        if shutil.which(shell):
            same(subprocess.run([shell, check_only], input=out.encode(), check=False).returncode, 0)
    code, out, err = run('--completion', 'bsah')
    same((code, out), (64, ''))
    holds(err, 'did you mean bash?')


def missing_target():
    """a lab or script that is not there exits with 5 and a suggestion"""
    code, out, err = run('bank-conflict')
    same((code, out), (5, ''))
    holds(err, 'no lab or script bank-conflict', 'did you mean bank-conflicts?')
    same(run('99')[0], 5)
    script('saxpy.cu', '')
    for name, said in (('nofile.cu', 'there is no file nofile.cu'), ('saxpi.cu', 'did you mean saxpy.cu?'), ('./saxpi.cu', 'did you mean ./saxpy.cu?'),
                       ('/nowhere/x.lua', 'there is no file /nowhere/x.lua'), ('no/', 'there is no file no/'), ('\x1b[2J.cu', 'no file \\x1B[2J.cu')):
        code, out, err = run(name)
        same((code, out), (5, ''))
        holds(err, said)
    same(run(FOLDER.name)[0], 64)


def no_such_device():
    """a device that is not there exits with 5 when it is first used, not before"""
    same(run('--device', 'emu:GTX 9999', '-e', 'print("fine")'), (0, 'fine\n', ''))
    code, _, err = run('--device', 'emu:GTX 9999', '-e', 'print(gpu.device)')
    same(code, 5)
    holds(err, 'GTX 9999')


def lists():
    """--list names lab 3, --devices the emulator and the sandboxes"""
    code, out, _ = run('--list')
    same(code, 0)
    holds(out, 'bank-conflicts')
    code, out, _ = run('--devices')
    same(code, 0)
    holds(out, 'emu')
    holds(out, 'Sandbox of emulators: limits, privileges')
    holds(out, 'Sandbox of the compiler: limits, privileges')


def options_after_a_lab():
    """options after a lab are gpulab's own; words are refused"""
    code, _, err = run('3', '--devcie')
    same(code, 64)
    holds(err, 'did you mean --device?')
    code, _, err = run('bank-conflicts', 'word')
    same(code, 64)
    holds(err, 'takes no argument word')


def broken_pipe():
    """a reader that goes away ends the program quietly"""
    with subprocess.Popen([GPULAB, '-e', 'for i = 1, 1e7 do print(i) end'], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=ENV) as p:
        p.stdout.readline()
        p.stdout.close()
        same(p.stderr.read(), b'')
        same(p.wait() in (-signal.SIGPIPE, 128 + signal.SIGPIPE), True)


def full_disk():
    """output that cannot be written is an error"""
    if not os.path.exists('/dev/full'):
        return 'skip: no /dev/full here'
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([GPULAB, '-e', 'print(1)'], stdout=full, stderr=subprocess.PIPE, env=ENV, check=False)
    same(done.returncode, 5)
    holds(done.stderr.decode(), 'standard output')


def interrupted_script():
    """Ctrl-C ends a script with 130, also one that catches errors"""
    for loop in ('while true do end', 'while true do pcall(function() while true do end end) end'):
        with subprocess.Popen([GPULAB, '-e', 'io.stdout:write("on\\n") io.stdout:flush() ' + loop], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENV) as p:
            p.stdout.readline()
            p.send_signal(signal.SIGINT)
            same(p.wait(), 130)


def hostile_input():
    """NUL bytes, binary chunks, invalid UTF-8 and a megabyte in one line are errors or values, never a crash"""
    same(run(text=b'print("a\x00b" == "a\\0b")'), (0, 'true\n', ''))
    same(run(text=b'\x1bLua\x54\x00\x19\x93')[0], 1)
    same(run(text=b'print(#"\xff\xfe")'), (0, '2\n', ''))
    same(run(text=b'print(#"' + b'x' * 1000000 + b'")'), (0, '1000000\n', ''))
    same(run(text=b'x = ' + b'(' * 1000)[0], 1)
    same(run(text=b'\x00\x01\x02')[0], 1)
    same(run('-e', 'x' * 100000)[0], 1)
    code, _, err = run(text=b'error("\x1b[31m\xff")')
    same(code, 1)
    holds(err, '\\x1B[31m\\xFF')


def overridden_lua():
    """GPULAB_LUA=DIR takes modules from there first"""
    os.makedirs(FOLDER.name + '/own/gpulab', exist_ok=True)
    script('own/gpulab/mine.lua', 'return "mine"')
    script('own/flat.lua', 'return "flat"')
    env = {'GPULAB_LUA': FOLDER.name + '/own'}
    same(run('-e', 'print((require "gpulab.mine"), (require "gpulab.flat"))', env=env), (0, 'mine\tflat\n', ''))
    same(run('-e', 'require "gpulab.mine"')[0], 1)
    same(run('-e', 'require "gpulab.../x"')[0], 1)


if __name__ == '__main__':
    sys.exit(run_tests([
        chunks, scripts, standard_input, shebang, exit_codes, error_messages, no_colour, bad_usage, help_and_version,
        man_page, one_version, bash_completion, other_completions, missing_target, no_such_device, lists, options_after_a_lab, broken_pipe, full_disk, interrupted_script, hostile_input,
        overridden_lua]))
