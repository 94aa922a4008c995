"""Real editors, headless, with the configurations of contrib/editors. usage: test_editors.py GPULAB SOURCE

Neovim 0.10 or newer is nvim in PATH, or GPULAB_NVIM names it; Emacs needs eglot."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from terminal import check, run_tests  # noqa: E402

GPULAB, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.join(SOURCE, 'tests', 'serve')
NVIM = os.environ.get('GPULAB_NVIM') or shutil.which('nvim')


def folder():
    """A home with copies of lab 3."""
    made = tempfile.TemporaryDirectory(prefix='gpulab-test-')
    lab = os.path.join(made.name, 'gpulab', '03-bank-conflicts')
    os.makedirs(lab)
    for name in 'transpose.cu', 'exercises/03-row-sums/row_sums.cu':
        shutil.copy(os.path.join(SOURCE, 'kernels', name), lab)
    return made


def run(home, words, command, configuration):
    env = {**os.environ, 'HOME': home, 'XDG_STATE_HOME': home + '/state', 'XDG_CONFIG_HOME': home + '/config',
           'XDG_DATA_HOME': home + '/data', 'XDG_CACHE_HOME': home + '/cache', 'GPULAB_HOME': home + '/gpulab', 'LANG': 'C.UTF-8',
           'EDITOR_FOLDER': home + '/gpulab', 'EDITOR_COMMAND': command,
           'EDITOR_CONFIGURATION': os.path.join(SOURCE, 'contrib', 'editors', configuration)}
    done = subprocess.run(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, cwd=home)
    text = done.stdout.decode(errors='replace')
    found = dict(json.loads(line) for line in re.findall(r'^@(\[.*\])\r?$', text, re.M))
    check('lost' not in found and 'why' in found, text)
    return found


def neovim():
    """Neovim: hints, the two places of a race, the compiler's message, why"""
    version = NVIM and subprocess.run([NVIM, '--version'], stdout=subprocess.PIPE, check=False).stdout.decode()
    known = version and re.match(r'NVIM v(\d+)\.(\d+)', version)
    if not known or (int(known[1]), int(known[2])) < (0, 10):
        return 'skip: there is no Neovim 0.10 or newer'
    with folder() as home:
        found = run(home, [NVIM, '--headless', '--clean', '-S', HERE + '/neovim.lua'],
                    json.dumps([GPULAB, '--device', 'emu']), 'neovim/gpulab.lua')
    print('# Neovim', found['version'])
    diagnostics, hints = found['transpose']
    check(not diagnostics, diagnostics)
    check([h['line'] for h in hints if '32 wavefronts per load (ideal 1)' in h['label']] == [72], hints)
    check(found['deleted'], 'hints are at other lines after lines above them were deleted')
    check({d['code'] for d in found['starter']} == {'bank_conflicts', 'wavefronts'} and found['starter'][0]['line'] == 20, found['starter'])
    race = [d for d in found['race'] if d['code'] == 'race']
    check(sorted(d['line'] for d in race) == [15, 20] and all(d['related'] for d in race), found['race'])
    check([d['message'] for d in found['compile']] == ['identifier "flaot" is undefined'], found['compile'])
    with open(SOURCE + '/docs/guide/editors.md', encoding='utf-8') as file:
        quoted = dict(re.findall(r'<!-- neovim (\w+) -->\n```\n(.*?)^```$', file.read(), re.M | re.S))
    check(quoted == found['screens'], 'docs/guide/editors.md shows other screens than\n%s%s' % (*found['screens'].values(),))
    check('shared wavefronts' in found['why'] and found['clients'] == 1, found['why'])
    return None


def emacs():
    """Emacs: conditions that are not met, a race, why"""
    program = shutil.which('emacs')
    has = program and subprocess.run([program, '--batch', '-f', 'package-initialize', '-l', 'eglot'], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not has:
        return 'skip: there is no Emacs with eglot'
    with folder() as home:
        found = run(home, [program, '--batch', '-f', 'package-initialize', '-l', HERE + '/emacs.el'],
                    '\n'.join([GPULAB, '--device', 'emu']), 'emacs/gpulab.el')
    print('# Emacs', found['version'])
    check(any(line == 20 and 'bank conflicts' in said for line, said in found['starter']), found['starter'])
    check({line for line, said in found['race'] if 'race:' in said} == {15, 20}, found['race'])
    check('counted by the rules' in found['why'] or 'nothing was counted' in found['why'], found['why'])
    return None


def vs_code():
    """VS Code: the extension starts the server, package.json names its files, the problem matchers match"""
    extension = os.path.join(SOURCE, 'contrib', 'editors', 'vscode')
    with open(extension + '/package.json', encoding='utf-8') as file:
        package = json.load(file)
    check(os.path.exists(os.path.join(extension, package['main'])), package['main'])
    compiler, checkers = (matcher['pattern'][0] for matcher in package['contributes']['problemMatchers'])
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as home:
        env = {**os.environ, 'HOME': home, 'GPULAB_HOME': home, 'XDG_CACHE_HOME': home + '/cache'}
        with open(SOURCE + '/kernels/exercises/03-row-sums/row_sums.cu', encoding='utf-8') as file:
            starter = file.read()

        def checked(text):
            with open(home + '/row_sums.cu', 'w', encoding='utf-8') as file:
                file.write(text)
            return subprocess.run([GPULAB, 'check', '3', 'row-sums', home + '/row_sums.cu'], env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False).stdout.decode()
        said = checked(starter.replace('float sum', 'flaot sum'))
        match = re.search(compiler['regexp'], said, re.M)
        check(match and match[compiler['line']] == '18' and 'flaot' in match[compiler['message']], said)
        said = checked(starter.replace('float sum', 'int unused; float sum'))
        match = re.search(compiler['regexp'], said, re.M)
        check(match and (match[compiler['line']], match[compiler['severity']]) == ('18', 'warning'), said)
        match = re.match(checkers['regexp'], 'race at a.cu:14 and b.cu:17, 32 times: ')
        check(match and (match[checkers['file']], match[checkers['line']]) == ('a.cu', '14'), 'a race at two places')
        said = checked(starter.replace('__syncthreads();', ''))
        match = re.search(checkers['regexp'], said, re.M)
        check(match and match[checkers['line']] == '20', said)
    if not shutil.which('node'):
        return None
    script = '''const Module = require('module'), said = [];
      const stubs = { vscode: { workspace: { getConfiguration: () => ({ get: () => ['gpulab', '-n'] }) }, window: {} },
        'vscode-languageclient/node': { LanguageClient: class { constructor(...all) { said.push(all); } start() { said.push('start'); }
          stop() { said.push('stop'); } } } };
      const load = Module._load;
      Module._load = (name, ...rest) => stubs[name] || load(name, ...rest);
      const extension = require(process.argv[1]);
      extension.activate().then(() => extension.deactivate()).then(() => console.log(JSON.stringify(said)));'''
    out = subprocess.run(['node', '-e', script, extension + '/extension.js'], stdout=subprocess.PIPE, check=True).stdout
    made, *rest = json.loads(out)
    check(made[2] == {'command': 'gpulab', 'args': ['-n', 'lsp']} and rest == ['start', 'stop'], out)
    return None


sys.exit(run_tests([neovim, emacs, vs_code]))
