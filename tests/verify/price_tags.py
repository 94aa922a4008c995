#!/usr/bin/env python3
"""What each rule of the models is worth: the errors of predictions with and without it; by hand:

    price_tags.py SCRATCH [--table COMMAND]... [--rule NAME]... [--meson OPTION]

SCRATCH gets a copy of the source and a build of it for each rule, without that rule. Tables are the kernels of tests/gpu/heldout, whose
times on an H200 and an H100 no constant was chosen by, and those of each COMMAND: it is run with the program's path appended, and prints
a line per kernel, name<TAB>log(predicted/measured). Prints a row per rule: for each table the RMS of the logarithms and of how many
kernels the prediction changes by more than 1 %. A rule that moves no RMS by 1 % is not worth its lines."""
import argparse
import collections
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'gpu'))
import heldout  # noqa: E402
import results  # noqa: E402

# text is in the file once; put replaces it.
Rule = collections.namedtuple('Rule', 'name path text put')
CODE, LIFT, ROOFLINE, TIME, REPLAY = (
    f'src/model/{name}.c' for name in ('code/code', 'code/issue_order', 'roofline', 'roofline_time', 'trace_replay'))
RULES = [
    Rule('sequences of divisions', 'src/model/code/sequence.c', '*n = 0;', '*n = 0;\n\tif (type != T_NONE || !type) return NULL;'),
    Rule('low halves', CODE, 'low = only_low(facts, in)', 'low = only_low(facts, in) && false'),
    Rule('subnormals scaled', CODE, 'scales = main_type(in) == T_F32 &&', 'scales = false && main_type(in) == T_F32 &&'),
    Rule('register banks', CODE, 'if (gpu->generation->register_banks)', 'if (false)'),
    Rule('halves on one unit', CODE, 'return twice;', 'return twice && false;'),
    Rule('shared words joined', CODE, 'join_loads(&facts, costs);\n', '(void)join_loads;\n'),
    Rule('atomics aggregated', 'src/model/code/atomics.c', 'if (cc < CC_AGGREGATES ||', 'if (cc || cc < CC_AGGREGATES ||'),
    Rule('loads ordered', LIFT, 'const uint32_t k = choose(r, now);',
         'uint32_t k = 0;\n\t\twhile (r->nodes[k].done || r->nodes[k].before) k++;\n\t\t(void)choose;'),
    Rule('loads in flight', LIFT, 'MOST_LOADS = 12', 'MOST_LOADS = 1000'),
    Rule('place in block', LIFT, 'return first;\n', 'return first && false;\n'),
    Rule('loads behind conditions', 'src/model/code/predicate.c', 'return loads ?', 'return loads && false ?'),
    Rule('conditions of one load', 'src/model/code/predicate.c', 'MOST_SKIPPED = 4', 'MOST_SKIPPED = 2'),
    Rule('divisions in loops', CODE, 'if (cfg) code_divisions', 'if (false) code_divisions'),
    Rule('additions on two units', CODE, 'pipe == PIPE_INT && adds(in))', 'false && adds(in))'),
    Rule('loops unrolled', 'src/model/code/unroll.c', 'gpu->cc >= UNROLL_SINCE;', 'gpu->cc > 0xffff;'),
    Rule('conversions of doubles', CODE, 'return in->ntypes == 2 && ', 'return false && in->ntypes == 2 && '),
    Rule('pages of DRAM', TIME, '#define PAGE_OPENS (64.0 / 1024)', '#define PAGE_OPENS 0.0'),
    Rule('registers assembled', 'src/bind/gpu/measure.c', 'return together(gpu, kernel, c, estimate / 2) !=',
         'return false && together(gpu, kernel, c, estimate / 2) !='),
    Rule('polling left out', ROOFLINE, 'r->polls = poll_loops(info);', 'r->polls = NULL;'),
    Rule('blocks that differ', TIME, '.spread = r->dealt ? 0 : spread(r)', '.spread = 0 * spread(r)'),
    Rule('L1 shared by blocks', TIME, 'if (result->blocks && shared < loads)', 'if (false && result->blocks && shared < loads)'),
    Rule('reads behind writes', REPLAY, '#define WRITE_WAIT_NS 500', '#define WRITE_WAIT_NS 0'),
    Rule('sectors of their own', REPLAY, 'if (blocks > choice.n) mark_private(t);', '(void)mark_private;'),
    Rule('busiest SM', REPLAY, 'if (n < 2 || k <= 0) return 1;', 'if (n >= 0) return 1;'),
    Rule('longest block', TIME, '.longest = r->dealt ? 0 : (double)r->longest', '.longest = 0'),
]


def build(scratch, options, rule=None):
    """A build of the source without the rule: the path of the program."""
    copy = scratch / 'source'
    if not copy.exists():
        files = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, files.split('\0')):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
        subprocess.run(['meson', 'setup', str(copy / 'build'), str(copy), *options], check=True, stdout=subprocess.DEVNULL)
    path = copy / rule.path if rule else None
    was = path.read_text() if path else None
    if path:
        assert was.count(rule.text) == 1, f'{rule.name}: "{rule.text}" is {was.count(rule.text)} times in {rule.path}'
        path.write_text(was.replace(rule.text, rule.put))
    try:
        subprocess.run(['ninja', '-C', str(copy / 'build'), 'src/gpulab'], check=True, stdout=subprocess.DEVNULL)
    finally:
        if path:
            path.write_text(was)
    return str(copy / 'build' / 'src' / 'gpulab')


def tables(gpulab, commands):
    """Of each table: log(predicted/measured) by kernel."""
    for record in ('h200', 'h100'):
        rows = results.read(ROOT / 'tests' / 'gpu' / 'heldout' / f'{record}.tsv')
        predicted = heldout.predictions(gpulab, rows[0]['model'])
        yield {row['kernel']: math.log(predicted[row['kernel']][0] / float(row['measured_us'])) for row in rows}
    for command in commands:
        done = subprocess.run([*shlex.split(command), gpulab], capture_output=True, text=True, check=True)
        yield {name: float(error) for name, error in (line.split('\t')[:2] for line in done.stdout.splitlines())}


def cell(errors, before):
    rms = math.sqrt(sum(e * e for e in errors.values()) / len(errors))
    changed = sum(abs(errors[name] - before[name]) > 0.01 for name in errors)
    return '%5.1f %% %3d/%d' % (100 * rms, changed, len(errors))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('scratch', type=pathlib.Path)
    parser.add_argument('--table', action='append', default=[])
    parser.add_argument('--rule', action='append')
    parser.add_argument('--meson', action='append', default=[])
    own = parser.parse_args()
    base = list(tables(build(own.scratch.resolve(), own.meson), own.table))
    print('%-24s %s' % ('with all rules', '   '.join(map(cell, base, base))), flush=True)
    for rule in RULES:
        if not own.rule or rule.name in own.rule:
            without = list(tables(build(own.scratch.resolve(), own.meson, rule), own.table))
            print('%-24s %s' % (rule.name, '   '.join(map(cell, without, base))), flush=True)


if __name__ == '__main__':
    main()
