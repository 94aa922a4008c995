"""gpulab serve --stdio: requests and what they answer, and clients that mean no good. usage: test_protocol.py GPULAB SOURCE"""
import base64
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from client import Client, Failed  # noqa: E402
from schema import problem  # noqa: E402
from terminal import check, children_of, run_tests  # noqa: E402

GPULAB, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config',
       'XDG_CACHE_HOME': FOLDER.name + '/cache', 'GPULAB_HOME': FOLDER.name + '/gpulab', 'LANG': 'C.UTF-8'}
with open(SOURCE + '/docs/reference/serve.schema.json', encoding='utf-8') as file:
    SCHEMA = json.load(file)['$defs']

SCALE = '__global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }'
SLOW = '''__global__ void slow(float *x) { for (long i = 0; i < 1000000000; i++) x[threadIdx.x] += i; }
__global__ void wild(int *p) { p[threadIdx.x + 1000000] = 1; }
#include <cstdio>
__global__ void talk() { printf("hello %d\\n", threadIdx.x); }'''
LAUNCH = 'k.scale{grid = 1, block = 32}(gpu.buffer("float", 32, {fill = 1}), 2)'


class Service(Client):
    """Every answer is checked against the schema."""

    def __init__(self):
        super().__init__(GPULAB, '--device', 'emu', 'serve', '--stdio', env=ENV)

    def call(self, method, **params):
        result = super().call(method, **params)
        wrong = method != 'shutdown' and problem(result, SCHEMA.get(method + '.result') or SCHEMA['view.result'])
        check(not wrong, f'{method}: {wrong}')
        return result

    def goes_on(self):
        check(self.call('command', line='1 + 1')['mime']['text/plain'] == '2\n', 'it does not go on')


def service(test):
    def with_one():
        one = Service()
        try:
            test(one)
        finally:
            status = one.close()
        check(status == 0, f'status {status}: {one.stderr.decode()}')
    with_one.__doc__, with_one.__name__ = test.__doc__, test.__name__
    return with_one


def schema_as_written():
    """docs/reference/serve.schema.json is what the program prints"""
    out = subprocess.run([GPULAB, 'serve', '--schema'], env=ENV, stdout=subprocess.PIPE, check=True).stdout
    check(json.loads(out)['$defs'] == SCHEMA, 'the program was built with another schema')


@service
def a_lab(s):
    """a lab: its steps, a run, why, an exercise, a text in place of its kernel"""
    started = s.call('initialize', columns=100)
    check(started['protocol'] == 1 and started['device']['emulates'] and len(started['labs']) > 10, started)
    opened = s.call('open', lab=3, parameters={'n': 512})
    check([e['id'] for e in opened['exercises']][0] == 'row-sums' and 'Lab 3' in opened['mime']['text/plain'], opened)
    ran = s.call('run', step='tile')
    record, = ran['records']
    check(ran['exit_code'] == 0 and record['outcome'] == 'ok' and record['counters']['shared_load_wavefronts'] > 0, record)
    check('32-way bank conflict' in ran['mime']['text/plain'] and '<table>' in ran['mime']['text/html'], ran['mime'])
    check(ran['mime']['image/svg+xml'].startswith('<svg'), ran['mime'])
    check(s.call('steps')['steps'][-2]['outcome'] == 'ok', 'steps')
    why = s.call('why', of='tile')
    check('shared wavefronts' in why['mime']['text/plain'] and why['record']['id'] == 'tile', why)
    checked = s.call('check', exercise='row-sums')
    check(checked['exit_code'] == 7 and not checked['verdict']['passed'], checked['verdict'])
    check(sum(not c['ok'] for c in checked['conditions']) == 2, checked['conditions'])
    with open(SOURCE + '/kernels/solutions/03-row-sums/row_sums.cu', encoding='utf-8') as solution:
        text = solution.read()
    checked = s.call('check', exercise='row-sums', text=text)
    check(checked['exit_code'] == 0 and checked['verdict']['passed'], checked['mime']['text/plain'])
    check(s.call('check', exercise='row-sums')['exit_code'] == 7, 'the text stayed')
    ran = s.call('run', step='tile', code='__global__ void nothing() {')
    check(ran['exit_code'] == 1 and ran['records'][0]['outcome'] == 'compile', ran)
    check('.serve' not in ran['mime']['text/plain'], ran['mime']['text/plain'])
    s.call('source', file='transpose.cu', text='__global__ void nothing() {')
    check(s.call('run', step='tile padded')['records'][1]['outcome'] == 'compile', 'a source of the lab')
    s.call('source', file='transpose.cu')
    s.refused(-32000, 'source', 'its files are banks.cu', file='transpos.cu', text='')
    ran = s.call('command', line='run tile')
    check(ran['records'][0]['outcome'] == 'ok' and '<table>' in ran['mime']['text/html'], ran)
    check(s.call('command', line='partitions tile 8800 GTX')['record']['id'] == 'tile', 'partitions')
    check(s.call('roofline')['mime']['image/svg+xml'].count('tile'), 'roofline')
    check(s.call('complete', line='why ti')['items'][0]['text'] == 'tile', 'complete')
    s.refused(-32000, 'run', 'did you mean', step='tiel')


@service
def launches(s):
    """kernels of a text: launches, their printing, their failures, arrays to and from the client"""
    kernels = s.call('run', code=SCALE)['kernels']
    check(kernels[0]['signature'] == 'scale(float *x, float f)', kernels)
    ran = s.call('run', launch=LAUNCH)
    check(ran['exit_code'] == 0 and ran['records'][0]['grid'] == [1, 1, 1] and 'ok, emulated' in ran['mime']['text/plain'], ran)
    after = s.call('run', launch=LAUNCH + '; error("behind it")')
    check(after['exit_code'] == 1 and 'behind it' in after['mime']['text/plain'] and after['records'][0]['outcome'] == 'ok', after)
    check('latency' in s.call('why')['mime']['text/plain'], 'why')
    check(s.call('why', of='k.scale{grid = 2, block = 32}(gpu.buffer("float", 64), 3)')['record']['grid'] == [2, 1, 1], 'why')
    data = struct.pack('<32f', *range(32))
    ran = s.call('launch', kernel='scale', grid=1, block=[32, 1], arguments=[
        {'dtype': 'float32', 'data': base64.b64encode(data).decode()}, 2.5])
    written, = ran['arguments']
    check(written['index'] == 0 and written['dtype'] == 'float32', written)
    check(struct.unpack('<32f', base64.b64decode(written['data'])) == tuple(2.5 * i for i in range(32)), written)
    for number in 'nan', 'inf', '-inf':
        ran = s.call('launch', kernel='scale', grid=1, block=1, arguments=[{'dtype': 'float32', 'data': 'AACAPw=='}, number])
        check(str(struct.unpack('<f', base64.b64decode(ran['arguments'][0]['data']))[0]) == number, ran['arguments'])
    s.call('run', code='__global__ void both(int *x, int *y) { x[threadIdx.x] = 1; y[threadIdx.x + 1] += 1; }')
    ran = s.call('launch', kernel='both', grid=1, block=1, arguments=[{'dtype': 'int32', 'data': 'AAAAAAAAAAA='}, {'same': 0}])
    check([base64.b64decode(one['data']) for one in ran['arguments']] == [struct.pack('<2i', 1, 1)], 'one array twice')
    s.call('run', code=SCALE)
    fits = {'dtype': 'float32', 'data': base64.b64encode(data).decode()}
    failed = s.refused(-32000, 'launch', kernel='scale', grid=1, block=32, arguments=[fits])
    check(str(failed).startswith('scale(float*, float) takes 2 arguments'), failed)
    ran = s.call('launch', kernel='scale', grid=1, block=64, arguments=[fits, 2])
    check('argument 1' in ran['mime']['text/plain'] and ran['exit_code'] == 2, ran)
    check(s.call('open', check=['race'])['kind'] == 'device', 'a device alone')
    s.call('run', code='__global__ void late(int *x) { __shared__ int s[64]; s[threadIdx.x] = 1; x[threadIdx.x] = s[63 - threadIdx.x]; }')
    ran = s.call('run', launch='k.late{grid = 1, block = 64}(gpu.buffer("int", 64))')
    check('race at cell.cu:1' in ran['mime']['text/plain'], ran['mime']['text/plain'])
    s.call('open', device='emu')
    s.call('run', code=SLOW)
    check(s.call('run', launch='k.talk{grid = 1, block = 2}()')['mime']['text/plain'].startswith('hello 0\nhello 1\n'), 'printf')
    check({'kernel', 'stdout'} <= {n['params']['stream'] for n in s.notes if n['method'] == 'output'}, s.notes)
    ran = s.call('run', launch='k.wild{grid = 1, block = 32}(gpu.buffer("int", 4, {name = "p"}))')
    check(ran['exit_code'] == 2 and ran['records'][0]['outcome'] == 'fault' and 'cell.cu:2' in ran['mime']['text/plain'], ran)
    failed = s.refused(-32000, 'run', 'cell.cu:1:', code='__global__ void f() { y = 1; }')
    check(failed.data['exit_code'] == 1 and failed.data['category'] == 'compile', failed.data)
    s.refused(-32000, 'command', line='gpu.raise("setup", "no")')
    s.call('command', line='print("\\0\\xff"); io.write("plain"); io.stdout:write("text")')


@service
def unsaved(s):
    """a text that is not saved: what is said of it, in answers and while a request runs, names the file that it stands for"""
    path = FOLDER.name + '/an ü\\.cu'
    s.call('source', file=path, text='__global__ void f(float *x) {\n\tx[threadIdx.x * 8 + threadIdx.y] = 1;\n}')
    s.call('open', file=path)
    line = 'k.f{grid = 1, block = {32, 2}}(gpu.buffer("float", 512))'
    found = s.call('command', line='why ' + line)
    check(found['record']['grid'] == [1, 1, 1] and '32 sectors' in found['mime']['text/plain'] and '<svg' in found['mime']['text/html'], found)
    shown = s.call('hover', line=2)
    check('32 sectors' in shown['mime']['text/markdown'] and shown['mime']['image/svg+xml'], shown)
    check(s.call('hover', line=2, file='other.cu')['mime']['text/plain'] == s.call('hover', line=1 << 40)['mime']['text/plain'] == '', 'no line')
    found = s.call('command', line='lines = 4; ' + line)
    check([r['outcome'] for r in found['records']] == ['ok'] and '<table>' in found['mime']['text/html'], found)
    s.call('source', file=path, text='__global__ void f() { x; }')
    failed = s.refused(-32000, 'open', path + ':1', file=path)
    s.call('source', file=path, text='__global__ void f(int *p) { p[1000000] = 1; }')
    s.call('open', file=path)
    s.call('run', launch='k.f{grid = 1, block = 1}(gpu.buffer("int", 4))')
    said = json.dumps([found, shown, failed.data, s.notes])
    check('.serve' not in said and any(path + ':1' in n['params'].get('text', '') for n in s.notes), said)


@service
def unfit(s):
    """wrong types get an error that says what to do, whatever was open"""
    wrong = (('run', {'step': 3}), ('run', {'steps': 'tile'}), ('open', {'lab': []}), ('check', {}), ('launch', {'kernel': 'k'}),
             ('source', {'text': 'x'}), ('complete', {'line': 'x', 'position': 'y'}), ('command', {'line': None}),
             ('open', {'file': 'a.cu', 'defines': [1]}), ('initialize', {'columns': 1.5}))
    for method, params in wrong:
        s.refused(-32602, method, **params)
    s.refused(-32602, 'run', 'did you mean "step"', stpe='tile')
    s.refused(-32601, 'runn')
    s.refused(-32601, 'cancel', id=7)
    s.refused(-32601, 'output')
    for method, params in (('run', {}), ('steps', {}), ('check', {'exercise': 'x'}), ('why', {}), ('why', {'of': 'x; os.exit()'}), ('run', {'step': 'x'}),
                           ('open', {'lab': 99}), ('open', {'file': '/nowhere.cu'}), ('open', {'file': ''}), ('open', {'program': '/nowhere'}),
                           ('open', {'lab': 3, 'device': 'emu:GTX 1'}), ('open', {'lab': 3, 'models': ['GTX 99']}), ('open', {'check': ['races']}),
                           ('open', {'lab': 3, 'parameters': {'n': {}}}),
                           ('launch', {'kernel': 'k', 'grid': 1, 'block': 1, 'arguments': []}),
                           ('complete', {'line': 'x', 'position': 9}), ('source', {'file': 'a\0.cu', 'text': ''}), ('source', {'file': '..', 'text': ''})):
        failed = s.refused(-32000, method, **params)
        check('internal error' not in str(failed), f'{method} {params}: {failed}')
    check('tile' in [step['id'] for step in s.call('open', lab=3)['steps']], 'a lab that could not be opened')
    s.call('command', line='k = 5')
    s.refused(-32000, 'launch', 'attempt to index a number', kernel='scale', grid=1, block=1, arguments=[])
    s.call('run', code=SCALE)
    for argument in ({}, {'dtype': 'x'}, {'dtype': {}}, {'dtype': 'float32', 'data': 'AAA='}, {'dtype': 'float32', 'data': ''},
                     {'dtype': 'float32', 'data': [1]}, {'dtype': 'float32', 'data': '!!'}, {'dtype': 'float32', 'data': 'AAAAAA\0=='},
                     {'same': 0}, 'x', True, 7):
        failed = s.refused(-32000, 'launch', kernel='scale', grid=1, block=1, arguments=[argument, 1])
        check('internal error' not in str(failed) and 'lua/gpulab' not in str(failed), f'{argument}: {failed}')
    for raw in ({'id': 1}, [], 7, 'x', None, [{'id': 1, 'method': 'steps'}], {'id': {}, 'method': 'steps'}, {'method': 3, 'id': 4}):
        s.send(raw)
        check(s.answer()['error']['code'] == -32600, raw)
    s.send({'id': 5, 'result': {}})
    s.send({'method': 'steps', 'params': 'x'})
    s.send({'id': 6, 'method': 'steps', 'params': [1]})
    check(s.answer()['error']['code'] == -32602, 'a list')
    s.goes_on()
    s.call('shutdown')
    s.refused(-32600, 'steps')


@service
def frames(s):
    """what is no frame, no JSON, or too long is an error, and the next request is answered"""
    for raw in (b'hello\r\n', b'Content-Length: x\r\n\r\n', b'Content-Length: -1\r\n\r\n', b'Content-Type: a\r\n\r\n',
                b'Content-Length: 99999999999999999999\r\n\r\n', b'\0' * 5000 + b'\n', b'Content-Length: 1' + b'0' * 5000 + b'\r\n'):
        s.raw(raw)
        check(s.answer()['error']['code'] == -32700, raw[:40])
        s.goes_on()
    for body in (b'{', b'{"a":}', b'\xff\xfe', b'', b'[' * 100000, b'{"id":1,"method":"st\0eps"}'):
        s.raw(b'content-length: %d\r\nX-Other: 1\r\n\r\n' % len(body) + body)
        check(s.answer()['error']['code'] == -32700, body[:40])
    s.goes_on()
    length = (64 << 20) + 1
    s.raw(b'Content-Length: %d\r\n\r\n' % length)
    for _ in range(64):
        s.raw(b' ' * (1 << 20))
    s.raw(b' ')
    check(s.answer()['error']['code'] == -32600, 'oversized')
    s.goes_on()


@service
def cancelled(s):
    """cancel ends what runs in 0.2 s of its time, and what waits without running it; another id is left alone"""
    s.call('run', code=SLOW)
    for method in ('cancel', '$/cancelRequest'):
        first = s.begin('run', launch='k.slow{grid = 1, block = 32}(gpu.buffer("float", 32))')
        second = s.begin('command', line='never = true')
        s.notify(method, id=second)
        s.notify(method, id=12345)
        s.notify(method, id=str(first))
        time.sleep(0.5)
        s.notify(method, id=first)
        began = time.monotonic()
        for number in (first, second):
            try:
                s.end(number)
                raise AssertionError(f'{number} was answered')
            except Failed as failed:
                check(failed.code == -32800 and failed.data['exit_code'] == 130, failed)
        print(f'# {method}: {time.monotonic() - began:.3f} s')
        check(s.call('command', line='tostring(never)')['mime']['text/plain'] == '"nil"\n', 'it ran')
    loop = s.begin('command', line='while true do pcall(function() while true do end end) end')
    time.sleep(0.2)
    s.notify('cancel', id=loop)
    check(s.answer()['error']['code'] == -32800, 'a loop of Lua')
    s.goes_on()


@service
def workers(s):
    """the death of a worker is an error of the request"""
    s.call('run', code=SLOW)
    number = s.begin('run', launch='k.slow{grid = 1, block = 32}(gpu.buffer("float", 32))')
    time.sleep(0.5)
    for pid in children_of(s.process.pid):
        os.kill(pid, signal.SIGKILL)
    message = s.answer()
    check(message['id'] == number and ('error' in message or message['result']['exit_code'] != 0), message)
    s.goes_on()
    check(s.call('run', launch='k.talk{grid = 1, block = 1}()')['exit_code'] == 0, 'a new worker')


def endings():
    """exit without shutdown ends what runs; the end of input ends after the answers; a script cannot break the frames"""
    s = Service()
    s.call('run', code=SLOW)
    s.begin('run', launch='k.slow{grid = 1, block = 32}(gpu.buffer("float", 32))')
    time.sleep(0.3)
    began = time.monotonic()
    s.notify('exit')
    check(s.process.wait() == 0, s.stderr)
    print(f'# exit: {time.monotonic() - began:.3f} s')
    s = Service()
    number = s.begin('command', line='os.execute("echo stray"); io.stderr:write("x"); print(7)')
    s.process.stdin.close()
    result = s.end(number)
    check('7' in result['mime']['text/plain'] and s.process.wait() == 0, result)
    check(s.stderr == b'stray\n', s.stderr)
    check(not [name for name in os.listdir(FOLDER.name + '/gpulab') if name.startswith('.serve')], 'texts are left')


@service
def many_texts(s):
    """from the 20th cell to the 120th one memory grows by at most a MiB, whatever waits for the collector"""
    sizes = []
    for i in range(120):
        s.call('run', code=SCALE.replace('*= f', f'*= f + {i % 5}'))
        sizes.append(s.own_memory())
    print(f'# {sizes[19] / 2**20:.1f} MiB, at most {max(sizes) / 2**20:.1f} MiB')
    check(max(sizes) <= sizes[19] + 2**20, sizes)


tests = [schema_as_written, a_lab, launches, unsaved, unfit, frames, cancelled, workers, endings]
sys.exit(run_tests(tests if 'sanitized' in sys.argv else [*tests, many_texts]))  # a sanitizer keeps what was freed
