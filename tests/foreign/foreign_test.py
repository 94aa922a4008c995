#!/usr/bin/env python3
"""What the scripts of this folder make of a folder of programs and kernels: foreign_test.py GPULAB. Skipped where there is no nvcc."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), 'gpu'))
from ncu_compare import METRICS  # noqa: E402
from tap import check, end  # noqa: E402

KERNEL = '__global__ void fill(int *out, int value) { out[threadIdx.x] = value; }\n'
MAIN = '''#include <cstdio>
#include "fill.h"
int main(int argc, char **argv) {
	int *out, host[32];
	cudaMalloc(&out, sizeof host);
	fill<<<1, 32>>>(%s, argc);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	puts(host[31] == %s ? "test PASSED" : "mismatch");
}
'''
FILES = {
    'two/main.cu': MAIN % ('out', 'helper()'), 'two/helper.cu': 'int helper() { return 3; }\n', 'two/fill.h': 'int helper();\n' + KERNEL,
    'one.cu': MAIN % ('out', '2'), 'bad.cu': MAIN % ('(int *)nullptr', '1'), 'fill.h': KERNEL,
    'kernels/good.cu': KERNEL, 'kernels/none.cu': '__global__ void none( {}\n', 'notes/readme.c': 'int main(void) { return 0; }\n',
    'words': 'two "a word" more\n'}
PROFILE = '"ID","Kernel Name","Metric Name","Metric Value"\n' + ''.join(
    f'"1","_Z4fillPii","{metric}","{value}"\n' for metric, value in (
        ('gpu__time_duration.sum', '2,000'), *((metric, 4 * (counter == 'global_store_sectors')) for counter, metric in METRICS.items())))


def run(script, folder, *options):
    done = subprocess.run([sys.executable, os.path.join(HERE, script), os.path.abspath(sys.argv[1]), folder, '--to', folder + '/to',
                           '--arguments', folder + '/words', *options], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def main():
    if not shutil.which('nvcc'):
        print('1..0 # SKIP there is no nvcc')
        return 0
    with tempfile.TemporaryDirectory(prefix='gpulab-test-') as folder:
        for path, text in FILES.items():
            os.makedirs(os.path.dirname(f'{folder}/{path}'), exist_ok=True)
            with open(f'{folder}/{path}', 'w', encoding='utf-8') as file:
                file.write(text)
        said = run('run', folder)
        for name, kind in (('two', 'right'), ('one', 'wrong'), ('bad', 'fault'), ('kernels/good.cu', 'loads'), ('kernels/none.cu', 'does not compile')):
            check(re.search(rf'^{name} +{kind} ', said, re.M), f'{name}: {kind}', said)
        check('3 programs with 3 kernels, 2 files: 1 does not compile, 1 fault, 1 loads, 1 right, 1 wrong' in said, 'how many of a kind there are', said)
        said = run('bits.py', folder, '--only', 'two')
        check(re.search(r'^two +status 0, 1 copies', said, re.M), 'copies are written down', said)
        said = run('bits.py', folder, '--only', 'two', '--compare', folder + '/to/bits')
        check(re.search(r'^same +two +1 copies\n1 same\n', said, re.M), 'and compared', said)
        said = run('counters.py', folder, '--only', 'two', '--pack', folder + '/pack')
        check(os.path.exists(folder + '/pack/run') and os.path.exists(folder + '/pack/programs.tar.xz'), 'programs are packed for a GPU', said)
        with open(folder + '/pack/two.csv', 'w', encoding='utf-8') as file:
            file.write(PROFILE)
        said = run('counters.py', folder, '--only', 'two', '--compare', folder + '/pack')
        check('1 kernels, 1 pairs that are not both zero, 1 equal (100.0 %)' in said, 'a profile\'s counters beside the emulator\'s', said)
        said = run('times.py', folder, '--only', 'two', '--compare', folder + '/pack')
        check(re.search(r'^two +_Z4fillPii +1 +2\.00 ', said, re.M), 'and its times beside predictions', said)
    return end()


sys.exit(main())
