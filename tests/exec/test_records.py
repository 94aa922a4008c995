#!/usr/bin/env python3
"""The launches of a program are records: gpulab exec --prompt and --why show each view for each of them.

    test_records.py GPULAB SOURCE CUDA_HOME      as TAP"""
import json
import os
import re
import subprocess

from runs import GPULAB, build, ends, finish, folder, gpulab, point

PTX = '-gencode=arch=compute_80,code=compute_80'
VIEWS = 'why', 'lines', 'counters', 'resources', 'roofline', 'generations', 'disassemble', 'schedules', 'partitions'
OUTPUT = 'found 42\nrow 192\n'


VARIABLES = r"""
struct Place { int *at; };
__device__ int first[3] = {5, 6, 7};
__device__ int second;
__device__ int *initial = &second;
__global__ void visit(const int *given, Place *p)
{
	int sum = given[2];
	sum += *p->at;
	atomicAdd(initial, sum);
}
struct Pair { float a, b; };
__global__ void last(short *out)
{
	for (unsigned k = 2; k > 0; k >>= 1) out[2] += k;
	if (threadIdx.x % 32 == 0) out[1] = 400 + threadIdx.x;
}
__global__ void other(Pair *pair)
{
	if (threadIdx.x % 32 == 0) pair->b = threadIdx.x + 1;
}
int main()
{
	int *address;
	Place place, *p;
	cudaGetSymbolAddress((void **)&address, first);
	cudaMalloc(&p, sizeof place);
	place.at = address + 2;
	cudaMemcpy(p, &place, sizeof place, cudaMemcpyHostToDevice);
	visit<<<1, 32>>>(address, p);
	cudaDeviceSynchronize();
	cudaMemset(address, 0, 12);
	short *out;
	Pair *pair;
	cudaMalloc(&out, 8);
	cudaMalloc(&pair, sizeof *pair);
	cudaMemset(pair, 0, sizeof *pair);
	last<<<1, 64>>>(out);
	other<<<1, 64>>>(pair);
	cudaDeviceSynchronize();
}
"""


def asked(program, *lines, options=(), words=()):
    return gpulab('--prompt', *options, program, *words, stdin='\n'.join(lines) + '\n')


def answers(name, run, *patterns, error=''):
    said = ' '.join(run.stdout.split())
    missing = [p for p in patterns if not re.search(p, said)]
    good = not missing and re.search(error, ' '.join(run.stderr.split())) and (error or not run.stderr)
    point(name, good and run.returncode == (64 if error else 0), f'status {run.returncode}, no {missing}\n{run.stdout}\n{run.stderr}')


WORDS = {'compare': '1 1', 'diff': '1 1', 'model': 'A100', 'disassemble': '1 ptx', 'help': 'why', 'focus': 'lane 1', 'info': 'locals', 'show': 'it', 'stop': 'at race'}


def commands(said):
    """What `help` lists, but what ends the prompt, stepping, or the open lab's choice of commands."""
    names = re.findall(r'^  ([a-z-]+)(?: [A-Z\[(|].*|\(.*|  .*)?$', said.split('Anything else is Lua')[0], re.M)
    return [name for name in dict.fromkeys(names) if name not in ('quit', 'exit', 'kill', 'lab', 'debug')]


def tried(names):
    return [line for name in names for line in (name, f'{name} {WORDS.get(name, "1")}')]


def every_command(what, first, *words):
    """Each command of a prompt, with nothing and with a word, also while a launch is stepped and after a lab was opened."""
    def run(*lines):
        return subprocess.run([GPULAB, '--device', 'emu', *words], input='\n'.join(first + lines) + '\n', text=True, capture_output=True, check=False)
    plain, stepped = commands(run('help').stdout), commands(run('debug 1', 'help').stdout)
    done = run(*tried(plain), 'debug', 'kill', 'debug 1', *tried(stepped), 'kill', 'lab', 'lab 3', 'steps', 'why', 'why 1', 'print "end"')
    point(f'every command {what}', len(plain) > 15 and len(stepped) > 40 and 'internal error' not in done.stdout + done.stderr and
          'conflicts' in done.stdout and done.stdout.endswith('end\n'), f'{plain}\n{stepped}\n{done}')


try:
    program = build('records.cu', 'records', PTX)
    ends('the program is as it was', asked(program, 'launches'), 0)
    answers('launches are listed', asked(program, 'launches'), OUTPUT.replace('\n', ' '), r'#1 saxpy<<<1, 256>>>', r'#6 reduce<256><<<1024, 256>>>',
            r'#11 scale<<<8, 128>>>', 'latency at 8 warps')
    numbers = 1, 4, 5, 6, 7, 8, 9, 10, 11  # 2 and 3 are neither the first nor the costliest of saxpy
    every = asked(program, *(line for number in numbers for line in (*(f'{view} {number}' for view in VIEWS), f'print "end of {number}"')))
    for number, said in zip(numbers, re.split(r'^end of \d+\n', every.stdout, flags=re.M)):
        answers(f'launch {number} has every view', subprocess.CompletedProcess([], every.returncode, said, every.stderr), r'<<<.*>>> \(#\d+\), counted by', r'bit-identical',
                r'on every GPU', r'registers', 'Zero:', 'Roofline', f'#{number} on the GTX 280')
    answers('a kernel is its costliest launch', asked(program, 'why saxpy', 'why reduce<64>', 'why red'), r'saxpy<<<4, 256>>> \(#4\)', r'reduce<64>.*\(#7\)',
            r'reduce<256>.*\(#6\)|reduce<64>.*\(#7\)')
    answers('nothing is the costliest of all', asked(program, 'why'), r'walk<<<1, 1>>> \(#9\), counted by')
    answers('two are compared', asked(program, 'compare 1 9', 'compare 2 3', 'diff 6 7'), r'launch 9 \(walk\) is slower than launch 1 \(saxpy\)',
            'Cannot tell|is (faster|slower) than launch 2', r'--- reduce<256>')
    run = asked(program, 'resources 2', 'disassemble 2 ptx', 'why 2', 'debug 2', 'schedules 3')
    answers('one without inputs has its counters and its kernel', run, 'registers', r'PTX for sm_80: saxpy', r'saxpy<<<2, 256>>> \(#2\), counted',
            error=r'the inputs of launch 2 \(saxpy\) were not kept: it is neither.*`debug 4` steps one.*--keep 2 keeps.*launch 3')
    run = asked(program, 'launches', options=('--keep', 'nothere', '--keep', '1'))
    point('--keep of what is not there is said', '--keep nothere: no launch has that' in run.stderr and '--keep 1:' not in run.stderr, run)
    for which in '2', 'saxpy', 'all':
        answers(f'--keep {which} keeps them', asked(program, 'schedules 2', options=('--keep', which)), 'launch 2 .saxpy. gives bit-identical')
    # y[0] is 1 + 2 + 2 + 2 there; the row was freed since.
    answers('a launch is stepped with what it had', asked(program, 'debug 4', 'next 2', 'print y[0]', 'kill', 'debug 9', 'break records.cu:50', 'continue', 'kill'),
            r'saxpy at records.cu', r'\b7\b', 'Stop 1: records.cu:50')
    answers('-G is a matter of nvcc', asked(program, 'debug -G 1'), error='compile the program with nvcc -G')
    answers('another GPU is predicted later', asked(program, 'model A100', 'why 5', 'why 2', 'launches', 'compare 1 4'), r'by model: A100: \w[^,]+, [\d.]+ µs',
            'No prediction for the A100: its inputs were not kept; .*--keep 2', r'limited by (A100 )?H200', r'#2 –', r'On the A100 \([\d.]+ µs and')
    native = build('records.cu', 'native', '-gencode=arch=compute_90,code=[compute_90,sm_90]')
    answers('registers are those of SASS, where there is some', asked(native, 'resources 6', 'schedules 9'), r'registers \d+ per thread shared memory',
            'bit-identical')
    run = asked(program, 'why 2', options=('--model', 'A100'))
    point('--model is predicted, too', 'Limiter on other GPUs, by model: A100' in ' '.join(run.stdout.split()), run)
    answers('what is not there', asked(program, 'why nosuch', 'why 99', 'why 0'), error='there is no launch of "nosuch".*there is no launch 99.*no launch 0')

    run = asked(program, 'launches', 'why outside', 'roofline outside', 'schedules outside', 'debug outside', 'continue', words=('fail',))
    said = ' '.join(run.stdout.split())
    point('one that fails is shown and stepped', run.returncode == 2 and re.search(r'#12 outside<<<4, 256>>> fault', said) and
          'did not complete' in said and 'out of bounds' in said and re.search(r'outside at records.cu', said) and
          run.stderr.count('did not complete (fault)') == 2, f'{run.returncode}\n{run.stdout}\n{run.stderr}')

    run = gpulab('--why', program)
    point('--why explains the costliest of each kernel', run.returncode == 0 and run.stdout == OUTPUT and
          len(re.findall(r'>>> \(#\d+\), counted by', ' '.join(run.stderr.split()))) == 5 and '3 kernels more' in run.stderr, run)
    run = gpulab('--why', program, 'fail')
    point('also where the program failed', run.returncode == 2 and 'Limiter on the H200' in run.stderr, run)
    run = gpulab('--why', '--check', 'race', program)
    point('checks need a run of their own', run.returncode == 64 and '--check and --why need a run each' in run.stderr, run)

    page, document = os.path.join(folder, 'out.html'), os.path.join(folder, 'out.json')
    run = gpulab('--html', page, '--json', document, program, 'fail')
    with open(page, encoding='utf-8') as html, open(document, encoding='utf-8') as file:
        html, records = html.read(), json.load(file)['records']
    carried = json.loads(re.search(r'<script[^>]* type="application/json"[^>]*>(.*?)</script>', html, re.S).group(1))
    point('each launch is in JSON', run.returncode == 2 and [r['id'] for r in records] == list(range(1, 13)) and
          records[5]['kernel'] == 'reduce<256>' and records[5]['counters']['shared_load_requests'] > 0 and records[11]['fault']['kind'] == 'out of bounds' and
          all(r['time']['median'] > 0 and r['lines'] for r in records[:11]), records)
    point('and in HTML', carried['launches'] == records and 'reduce&lt;256&gt;&lt;&lt;&lt;1024, 256&gt;&gt;&gt;' in html and 'Limiter on the H200' in html, html[:3000])

    heap = build('heap.cu', 'heap', PTX)
    run = asked(heap, 'debug use')
    point('memory of malloc in a kernel is not kept', 'is given memory of malloc in a kernel' in run.stderr, run)
    variables = os.path.join(folder, 'variables.cu')
    with open(variables, 'w', encoding='utf-8') as file:
        file.write(VARIABLES)
    run = asked(variables, 'schedules 1', 'generations 1', 'debug 1', 'step', 'step', 'step', 'print *p->at', 'print second', 'finish')
    point('variables are at their addresses when a launch is made again', 'bit-identical' in run.stdout and re.search(r'GTX 280 +[\d.]+ µs', run.stdout) and
          re.search(r'\*p->at +=+ +all 7\n', run.stdout) and 'The warp has ended' in run.stdout and not run.stderr, run)
    run = asked(variables, 'debug last', 'next', 'print k')
    point('a variable of a loop on one line is known', re.search('k (is declared at this line: it )?has no value yet', ' '.join(run.stderr.split())), run)
    every_command('of a program', (), 'exec', '--prompt', variables)
    every_command('of a file', ('k.other{grid=1, block=64}(gpu.buffer("float", 2))',), variables)
    answers('a result that depends on the order is an element of what the parameter points to, or a byte', asked(variables, 'schedules last', 'schedules other'),
            r'out\[1\] in the default order 432 out\[1\] in order \d+ 400', r'byte [67] of pair in the default order')
    with open(os.path.join(folder, 'placed.ptx'), 'w', encoding='utf-8') as file:
        file.write('.version 8.0\n.target sm_80\n.address_size 64\n.visible .global .u32 a;\n.visible .global .u32 b;\n.visible .entry k(.param .u64 p)\n{ ret; }\n')
    for pragmas, said in ((('a 0x10000440100',), ''), (('a 0x10000440100', 'b 0x10000440200'), ''), (('a 0x10000440100', 'b 0x10000440100'), 'is taken'),
                          (('a 0x400000000000',), 'no address of a variable'), (('a 0x1',), 'no address'), (('a 0xffffffffffffff00',), 'no address'),
                          (('a 0x1ffffffff01',), 'no address'), (('c 0x10000440100',), ''), (('a', 'a zz', '', '%s%n'), ''), (('x' * 2000 + ' 1',), '')):
        with open(os.path.join(folder, 'placed.ptx'), encoding='utf-8') as file:
            text = file.read()
        path = os.path.join(folder, 'at.ptx')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text + ''.join(f'.pragma "gpulab.at {pragma}";\n' for pragma in pragmas))
        done = subprocess.run([GPULAB, '--device', 'emu', '-e', f'gpu.kernel("{path}", "k"):launch({{grid=1, block=1}}, gpu.buffer("int", 1)) print "ran"'],
                              capture_output=True, text=True, check=False)
        point(f'a place of a variable: {pragmas[-1][:20]}', said in done.stderr and (done.stdout == 'ran\n') == (not said), done)
    cooperative = build('cooperative.cu', 'cooperative', '-gencode=arch=compute_90,code=[compute_90,sm_90]')
    run = asked(cooperative, 'debug 1')
    point('a cooperative launch that fits by its SASS is stepped', 'At the beginning of the block' in run.stdout and not run.stderr, run)
    calls = build('calls.cu', 'calls', PTX, '-Xcompiler=-g1')
    for option in '--why', '--prompt':
        run = gpulab(option, calls, 'null', stdin='why\n')
        point(f'{option} without a launch', run.returncode == 0 and 'launched no kernel' in run.stderr, run)
    says = build('says.cu', 'says', PTX)
    run = gpulab('--json', document, '--html', page, says)
    with open(page, encoding='utf-8') as html, open(document, encoding='utf-8') as file:
        html, outputs = html.read(), [r.get('output') for r in json.load(file)['records']]
    point('what a kernel prints is in the record of its launch', run.stdout.count('launch 2') == 64 and
          outputs[0] == {'lines': ['launch 1, thread 0', 'launch 1, thread 1'], 'more': 0} and not outputs[1] and
          outputs[2]['lines'][0] == 'launch 2, thread 0' and len(outputs[2]['lines']) + outputs[2]['more'] == 64 and
          'launch 2, thread 0' in html, outputs)
    run = gpulab('--why', program, stdin='x')
    point('the end of standard input interrupts nothing', run.returncode == 0 and 'interrupted' not in run.stderr, run)
    run = subprocess.run(['sh', '-c', 'exec "$0" "$@" <&-', GPULAB, 'exec', '--prompt', program], text=True, capture_output=True, check=False)
    point('closed standard input has ended', run.returncode == 0 and not run.stderr, run)
    bare = build('records.cu', 'bare', PTX, lines=False)
    run = asked(bare, 'why 1')
    point('without -lineinfo it is said once', run.stdout.count('-lineinfo') == 1 and gpulab('--why', bare).stderr.count('-lineinfo') == 1, run)
    run = gpulab('--prompt', bare, stdin='debug 4\nwhy 4\n', first=('--limit', 'kept_inputs=1M'))
    point('nothing is kept beyond the limit', 'MB of inputs are more than is left of the limit of 1.05 MB: --limit kept_inputs=4G' in
          ' '.join(run.stderr.split()) and 'saxpy<<<4, 256>>> (#4), counted' in run.stdout, run)
finally:
    finish()
