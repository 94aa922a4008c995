"""gpulab lsp: what an editor is told, and clients that mean no good. usage: test_lsp.py GPULAB SOURCE [sanitized]"""
import json
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from client import Client  # noqa: E402
from terminal import check, run_tests, text_of  # noqa: E402

GPULAB, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test ü-')  # its address is escaped
HOME = FOLDER.name
ENV = {**os.environ, 'HOME': HOME, 'XDG_STATE_HOME': HOME + '/state', 'XDG_CONFIG_HOME': HOME + '/config', 'XDG_CACHE_HOME': HOME + '/cache',
       'GPULAB_HOME': HOME + '/gpulab', 'LANG': 'C.UTF-8'}

SCALE = '''// gpulab: scale<<<4, 64>>>(random float n, out float n, 2.5, n)
__global__ void scale(const float *in, float *out, float f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = f * in[i * 8 % n];
}
'''
CONFLICT = '''// gpulab: rows<<<1, (32, 32)>>>(out float 1024)
__global__ void rows(float *out)
{
	__shared__ float tile[32][32];
	tile[threadIdx.x][threadIdx.y] = threadIdx.x;
	__syncthreads();
	out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
'''
ENDLESS = '''// gpulab: f<<<1, 32>>>(out int 32)
__global__ void f(volatile int *x) { while (true) x[0] += 1; }
'''
RACE = '''// gpulab: shift<<<1, 64>>>(out int n)
__global__ void shift(int *out)
{
	__shared__ int s[64];
	s[threadIdx.x] = threadIdx.x;
	out[threadIdx.x] = s[63 - threadIdx.x];
}
'''


class Editor(Client):
    def __init__(self, capabilities=None):
        super().__init__(GPULAB, '--device', 'emu', 'lsp', env=ENV)
        self.begun = self.call('initialize', processId=None, rootUri=None,
                               capabilities=capabilities or {'textDocument': {'inlayHint': {}}})
        self.notify('initialized')

    @staticmethod
    def uri(path):
        return 'file://' + ''.join(c if c.isascii() and (c.isalnum() or c in '/._-~') else ''.join(f'%{b:02x}' for b in c.encode()) for c in path)

    def about(self, path):
        """The next diagnostics of a file."""
        while True:
            for note in self.notes:
                if note['method'] == 'textDocument/publishDiagnostics' and note['params']['uri'].lower() == self.uri(path).lower():
                    self.notes.remove(note)
                    return note['params']['diagnostics']
            check(self.process.poll() is None, self.stderr)
            time.sleep(0.005)

    def open(self, path, text=None):
        if text is not None:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        self.notify('textDocument/didOpen', textDocument={'uri': self.uri(path), 'languageId': 'cuda', 'version': 1, 'text': text_of(path)})
        return self.about(path)

    def save(self, path, find, replace):
        text = text_of(path)
        check(find in text, text)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace(find, replace, 1))
        self.notify('textDocument/didSave', textDocument={'uri': self.uri(path)})
        return self.about(path)

    def ask(self, method, path, **params):
        return self.call('textDocument/' + method, textDocument={'uri': self.uri(path)}, **params)

    def labels(self, path):
        return {h['position']['line'] + 1: h['label'] for h in self.ask('inlayHint', path)}

    def act(self, command, path, of):
        """The last message that a command shows."""
        self.call('workspace/executeCommand', command='gpulab.' + command, arguments=[self.uri(path), of])
        return [n for n in self.notes if n['method'] == 'window/showMessage'][-1]['params']['message']

    def actions(self, path, line):
        at = {'line': line - 1, 'character': 0}
        return self.ask('codeAction', path, range={'start': at, 'end': at}, context={'diagnostics': []})


def editor(test):
    def with_one():
        one = Editor()
        try:
            test(one)
        finally:
            status = one.close()
        check(status == 0, f'status {status}: {one.stderr.decode()}')
    with_one.__doc__, with_one.__name__ = test.__doc__, test.__name__
    return with_one


def apply(text, action):
    edit = list(action['edit']['changes'].values())[0][0]
    lines = text.split('\n')
    start, end = edit['range']['start'], edit['range']['end']
    check(start['line'] == end['line'] and start['character'] == 0 and end['character'] == len(lines[start['line']]), edit)
    lines[start['line']] = edit['newText']
    return '\n'.join(lines)


@editor
def launched_files(e):
    """a file with a launch at its head: hints, hover, lens, why, the padding of a tile, a race with both places and a barrier"""
    path = HOME + '/scale.cu'
    check(e.open(path, SCALE) == [], 'scale')
    hints = e.labels(path)
    check('32 sectors per load (ideal 4)' in hints[5], hints)
    while 'registers' not in e.labels(path).get(2, ''):  # they come later, when no message waits
        time.sleep(0.3)
    hover = e.ask('hover', path, position={'line': 4, 'character': 9})['contents']['value']
    check('32 sectors of 32 bytes' in hover and 'Predicted for the H200' in hover, hover)
    check(e.ask('hover', path, position={'line': 0, 'character': 0}) is None, 'hover')
    lens, = e.ask('codeLens', path)
    e.call('workspace/executeCommand', command=lens['command']['command'], arguments=lens['command']['arguments'])
    check(any(n['method'] == 'window/showMessage' and 'latency' in n['params']['message'] for n in e.notes), e.notes)
    e.call('workspace/executeCommand', command='gpulab.why', arguments=[e.uri(path), 0])
    check(sum(n['method'] == 'window/showMessage' and 'latency' in n['params']['message'] for n in e.notes) == 2, 'by a line')
    path = HOME + '/conflict.cu'
    e.open(path, CONFLICT)
    check('32 wavefronts per store (ideal 1)' in e.labels(path)[5], e.labels(path))
    action, = e.actions(path, 5)
    check('tile[32][33]' in action['edit']['changes'].popitem()[1][0]['newText'], action)
    e.save(path, 'tile[32][32]', 'tile[32][33]')
    check('wavefronts' not in e.labels(path).get(5, '') and e.actions(path, 5) == [], e.labels(path))
    path = HOME + '/race.cu'
    e.open(path, RACE)
    race = e.about(path)  # of the checkers, which run afterwards
    check(sorted(d['range']['start']['line'] for d in race if d['code'] == 'race') == [4, 5], race)
    other = {d['range']['start']['line']: d['relatedInformation'][0]['location'] for d in race if d['code'] == 'race'}
    check(other[4]['range']['start']['line'] == 5 and other[5]['range']['start']['line'] == 4, other)
    fixed = apply(RACE, [a for a in e.actions(path, 6) if 'Insert' in a['title']][0])
    check('= threadIdx.x;\n\t__syncthreads();\n\tout' in fixed, fixed)
    check(e.open(path, fixed) == [] and not any(n['method'].endswith('publishDiagnostics') for n in e.notes), 'it is fixed')


@editor
def changed(e):
    """before a save, what was found of a line is where that line is now, and what was found of a line that is gone is not shown"""
    path = HOME + '/moved.cu'
    e.open(path, CONFLICT)

    def change(text):
        e.notify('textDocument/didChange', textDocument={'uri': e.uri(path)}, contentChanges=[{'text': text}])
        return {n for n, label in e.labels(path).items() if 'wavefronts' in label}
    first, *rest = CONFLICT.split('\n')
    check(change(CONFLICT) == change(CONFLICT.replace('\n', '\r\n')) == {5}, 'as it was')
    longer = '\n'.join([first, '', '// more', *rest])
    check(change(longer) == {7}, e.labels(path))
    check('32 wavefronts' in e.ask('hover', path, position={'line': 6, 'character': 0})['contents']['value'], 'hover')
    check(e.ask('hover', path, position={'line': 1, 'character': 0}) is None, 'a new line')
    check({lens['range']['start']['line'] for lens in e.ask('codeLens', path)} == {3}, 'lens')
    check(apply(longer, e.actions(path, 7)[0]) == longer.replace('[32][32]', '[32][33]'), 'the fix of a line that moved')
    check(change(longer.replace('[32][32]', '[16][32]')) == {7} and not e.actions(path, 7), 'the line of the fix has changed')
    check(change('\n'.join([first, *(line for line in rest if '= threadIdx.x' not in line)])) == set(), 'a deleted line')
    for odd in '', '\n' * 3, 7:
        check(change(odd) in (set(), {5}), odd)
    e.notify('textDocument/didChange', textDocument={'uri': e.uri(path)}, contentChanges=7)
    e.notify('textDocument/didSave', textDocument={'uri': e.uri(path)})
    e.about(path)
    check('32 wavefronts' in e.labels(path)[5], e.labels(path))


@editor
def superseded(e):
    """a kernel that never ends: a file that is saved or opened ends the run, and after 5 s of runs requests are answered again"""
    path, other = HOME + '/endless.cu', HOME + '/ends.cu'
    with open(path, 'w', encoding='utf-8') as file:
        file.write(ENDLESS)
    e.notify('textDocument/didOpen', textDocument={'uri': e.uri(path), 'text': ENDLESS})
    time.sleep(0.3)
    with open(other, 'w', encoding='utf-8') as file:
        file.write(SCALE)
    e.save(other, '[i', '[i ')
    time.sleep(5)
    e.open(other)
    check('32 sectors' in e.labels(other)[5], e.labels(other))
    e.notify('textDocument/didSave', textDocument={'uri': e.uri(path)})
    time.sleep(0.3)
    check(e.save(path, 'true', 'x[0] < 9') == [] and e.ask('codeLens', path), 'it was fixed')


def phases():
    """before initialize and after shutdown requests are refused; shutdown ends a kernel that never ends"""
    e, document = Client(GPULAB, '--device', 'emu', 'lsp', env=ENV), {'uri': Editor.uri(HOME + '/endless.cu'), 'text': ENDLESS}
    with open(HOME + '/endless.cu', 'w', encoding='utf-8') as file:
        file.write(ENDLESS)
    e.refused(-32002, 'textDocument/hover')
    e.notify('textDocument/didOpen', textDocument=document)
    e.call('initialize', capabilities={})
    e.notify('textDocument/didOpen', textDocument=document)
    time.sleep(0.3)
    check(e.call('shutdown') is None, 'shutdown')
    for method in 'textDocument/hover', 'initialize', 'shutdown', 'x':
        e.refused(-32600, method)
    e.notify('textDocument/didOpen', textDocument=document)
    e.notify('exit')
    check(e.process.wait() == 0 and not e.notes, e.notes)


@editor
def labs(e):
    """files of a lab by their folder: the step of the kernel that changed, exercises, errors with columns"""
    lab = HOME + '/gpulab/03-bank-conflicts'
    os.makedirs(lab)
    shutil.copy(SOURCE + '/kernels/banks.cu', lab)
    shutil.copy(SOURCE + '/kernels/exercises/03-row-sums/row_sums.cu', lab)
    shutil.copy(SOURCE + '/kernels/transpose.cu', lab)
    tile = lab + '/transpose.cu'
    e.notify('textDocument/didOpen', textDocument={'uri': e.uri(tile), 'text': text_of(tile)})
    e.save(tile, 'tile[TILE][WIDTH];', 'tile[TILE][TILE];')
    if 'wavefronts' not in ''.join(e.labels(tile).values()):
        e.about(tile)  # the file was looked at before the save as well
    check('32 wavefronts' in ''.join(e.labels(tile).values()), 'the kernel that changed before the file was looked at')
    e.refused(-32000, 'workspace/executeCommand', 'has no step "nosuch"', command='gpulab.run', arguments=[e.uri(tile), 'nosuch'])
    check('32 wavefronts' in ''.join(e.labels(tile).values()), 'a step that there is not changes nothing')
    e.open(HOME + '/other.cu', CONFLICT)
    check('tile 32×32 (tile)' in e.act('why', tile, 'tile') and 'rows<<<1' in e.act('why', HOME + '/other.cu', 0), 'another file was open')
    e.open(lab + '/banks.cu')
    check(any(lens['command']['title'].startswith('Run ') for lens in e.ask('codeLens', lab + '/banks.cu')), 'lens')
    rows = lab + '/row_sums.cu'
    missed = e.open(rows)
    check({d['code'] for d in missed} == {'bank_conflicts', 'wavefronts'} and {d['range']['start']['line'] for d in missed} == {19}, missed)
    check('conditions not met' in e.act('check', rows, 0) and e.about(rows), 'the check')
    race = e.save(rows, '__syncthreads();', '')
    check([d['code'] for d in race] == ['race', 'race'] and race[0]['relatedInformation'], race)
    wrong, *_ = e.save(rows, 'float sum', 'float ü = 𝛑, sum')
    check(wrong['range']['start']['line'] == 17 and wrong['severity'] == 1, wrong)
    check(e.open(SOURCE + '/kernels/solutions/03-row-sums/row_sums.cu') is not None, 'a solution')


@editor
def without_hints(e):
    """an editor without inlay hints gets them as diagnostics; a header's error is published for the header"""
    e.call('initialize', capabilities={})
    path = HOME + '/plain.cu'
    check(any('32 sectors' in d['message'] and d['severity'] == 4 for d in e.open(path, SCALE)), 'hints')
    with open(HOME + '/part.cuh', 'w', encoding='utf-8') as file:
        file.write('__device__ int f() { return y; }\n')
    e.open(path, '#include "part.cuh"\n' + SCALE)
    check(e.about(HOME + '/part.cuh')[0]['message'] == 'identifier "y" is undefined', 'header')
    e.open(path, SCALE)
    check(e.about(HOME + '/part.cuh') == [], 'it is gone')


@editor
def unfit(e):
    """what no editor sends is an error, or no diagnostics; the next file is looked at"""
    for method, params in (('textDocument/hover', {}), ('textDocument/hover', {'textDocument': {'uri': 7}, 'position': {'line': 0}}),
                           ('textDocument/hover', {'textDocument': {'uri': 'file:///x.cu'}, 'position': {'line': 'x'}}),
                           ('textDocument/codeAction', {'textDocument': {'uri': 'http://x/y.cu'}}),
                           ('textDocument/didOpen', {'textDocument': {'uri': 'file:///a%00.cu'}}), ('workspace/executeCommand', {}),
                           ('workspace/executeCommand', {'command': 'gpulab.why', 'arguments': [1, 2]}),
                           ('workspace/executeCommand', {'command': 'gpulab.why', 'arguments': ['file:///x.cu', 1.5]})):
        e.refused(-32602, method, 'must', **params)
    for method in 'textDocument/rename', 'x':
        e.refused(-32601, method)
    e.send({'jsonrpc': '2.0', 'id': 1, 'result': None})
    e.notify('$/unknown', x=1)
    e.notify('textDocument/didOpen', textDocument=7)
    for text in ('', '// gpulab:', '// gpulab: f<<<1, 1>>>(', '// gpulab: f<<<1, 1>>>()\n', '// gpulab: f<<<x, 1>>>()\n__global__ void f() {}',
                 '// gpulab: f<<<1, 1>>>(rnadom float n)\n__global__ void f(float *x) {}', '// gpulab: f<<<1, 1>>>(os.exit())\n__global__ void f(int x) {}',
                 '// gpulab: f<<<999999999, 1>>>(random float n*n*n*n)\n__global__ void f(float *x) {}', '\0\xff', '__global__ void f( {'):
        for d in e.open(HOME + '/odd.cu', text):
            check('internal error' not in d['message'] and 'lua/gpulab' not in d['message'], f'{text}: {d}')
    os.mkfifo(HOME + '/pipe.cu')
    for name in 'absent.cu', 'pipe.cu':
        e.notify('textDocument/didOpen', textDocument={'uri': e.uri(HOME + '/' + name)})
    with open(HOME + '/windows.cu', 'wb') as file:
        file.write(b'\xef\xbb\xbf' + SCALE.replace('\n', '\r\n').encode())
    check(e.open(HOME + '/windows.cu') == [] and '32 sectors' in e.labels(HOME + '/windows.cu')[5], 'a byte order mark')
    said = {n['params']['message'] for n in e.notes if n['method'] == 'window/showMessage'}
    check(any('pipe.cu: ' in one and 'regular' in one for one in said), said)
    for head, line, said in (('f<<<1, 4>>>(random float (n+2)*(n+2), n*n*n, 2.5f);', None, ''), ('f<<<1, 4>>>(2, 1, 1)', 4, 'parameter 1 of f is float*'),
                             ('f<<<0, 4>>>(float 4, 1, 1)', 4, 'launch of f: grid'), ('f<<<1, 4>>>(float n)', 4, 'takes 3 arguments'), ('f', 4, 'the comment')):
        found = e.open(HOME + '/head.cu', '#include <cuda_fp16.h>\n\n\n\n// gpulab: ' + head + '\n__global__ void f(float *x, int n, float f) {\n  int unused; }\n')
        wrong = [(d['range']['start']['line'], d['message']) for d in found if d['severity'] == 1]
        check(wrong == [] if line is None else len(wrong) == 1 and wrong[0][0] == line and said in wrong[0][1], f'{head}: {wrong}')
        check([d['range']['start']['line'] for d in found if d['severity'] == 2] == [6], 'a warning of the compiler')
    check(e.open(HOME + '/scale2.cu', SCALE) == [], 'it goes on')
    os.remove(HOME + '/scale2.cu')
    e.notify('textDocument/didSave', textDocument={'uri': e.uri(HOME + '/scale2.cu')})
    e.notify('textDocument/didClose', textDocument={'uri': e.uri(HOME + '/scale2.cu')})
    e.open(HOME + '/scale3.cu', SCALE)
    check(e.open(HOME + '/scale4.cu', SCALE) == [], 'it goes on')
    while 'registers' not in e.labels(HOME + '/scale4.cu').get(2, ''):
        time.sleep(0.3)
    check('32 sectors' in e.labels(HOME + '/scale3.cu')[5], 'what was found of a file stays when another one is opened before it is checked')


@editor
def many_saves(e):
    """from the 20th save to the 120th one memory grows by at most a MiB, whatever waits for the collector; saves that come at once are looked at once"""
    path, sizes = HOME + '/many.cu', []
    e.open(path, SCALE)
    for i in range(1, 121):
        e.save(path, '[i', '[i ' if i % 7 else '[i/**/')
        sizes.append(e.own_memory())
    print(f'# {sizes[19] / 2**20:.1f} MiB, at most {max(sizes) / 2**20:.1f} MiB')
    check(max(sizes) <= sizes[19] + 2**20, sizes)
    body = json.dumps({'jsonrpc': '2.0', 'method': 'textDocument/didSave', 'params': {'textDocument': {'uri': e.uri(path)}}}).encode()
    at_once = (b'Content-Length: %d\r\n\r\n%s' % (len(body), body)) * 300
    check(len(at_once) < 1 << 16, 'a pipe takes them in one write; of saves that come one by one each is looked at')
    e.raw(at_once)
    e.about(path)
    check(e.labels(path), 'hints')
    check(len([n for n in e.notes if n['method'].endswith('publishDiagnostics')]) < 100, len(e.notes))


# Under sanitizers: hostile messages, and one of each message that an editor sends. The rest is Lua, and a sanitizer keeps what was freed.
sys.exit(run_tests([launched_files, changed, phases, unfit] if 'sanitized' in sys.argv else
                   [launched_files, changed, superseded, phases, labs, without_hints, unfit, many_saves]))
