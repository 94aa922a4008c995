#!/usr/bin/env python3
"""The errors that predictions for cc 9.0 state are those of heldout/public.tsv: the RMS by kind of kernel, and how many pairs of one
repository's kernels are in the measured order from the ratio on that ORDERED names. All rows are predicted with
the rules of one day, which the documentation states.

    public_test.py SOURCE      as TAP"""
import collections
import itertools
import math
import os
import re
import sys

import results
from tap import check, end

KINDS = {'MEMORY': 'memory', 'SHARED': 'shared memory', 'COMPUTE': 'arithmetic', 'LATENCY': 'latency'}


def error(row):
    return float(row['predicted_us']) / float(row['measured_us']) - 1


def order(pair):
    """The predicted ratio, and whether it is the right way round."""
    (p, m), (q, n) = ((float(row['predicted_us']), float(row['measured_us'])) for row in pair)
    return max(p, q) / min(p, q), (p < q) == (m < n)


def main():
    with open(os.path.join(sys.argv[1], 'src', 'model', 'errors.def'), encoding='utf-8') as file:
        text = file.read()
    rows = results.read(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'heldout', 'public.tsv'))
    days = {row['rules'] for row in rows}
    with open(os.path.join(sys.argv[1], 'docs', 'reference', 'models.md'), encoding='utf-8') as file:
        quoted = [line for line in file if 'heldout/public.tsv' in line]
    check(len(days) == 1 and all(f'rules of {day}' in quoted[0] for day in days), 'one set of rules, whose date the documentation states')
    by_kind = collections.defaultdict(list)
    for row in rows:
        by_kind[row['kind']].append(error(row))
    for gpu, (name, kind) in itertools.product(('H200', 'H100 SXM'), KINDS.items()):
        stated, errors = float(re.search(rf'^ERROR\("{gpu}", {name}, ([\d.]+)\)', text, re.M).group(1)), by_kind[kind]
        check(round(math.sqrt(sum(e * e for e in errors) / len(errors)), 2) == stated, f'{gpu}, {kind}: {100 * stated:.0f} % are stated')
        near = sum(abs(e) < stated for e in errors)
        check(3 * near >= 2 * len(errors), f'{near} of {len(errors)} are as near as that')
    ratio = float(re.search(r'^ORDERED\("H200", ([\d.]+)\)', text, re.M).group(1))
    pairs = [order(pair) for pair in itertools.combinations(rows, 2) if pair[0]['repository'] == pair[1]['repository']]
    right = [good for apart, good in pairs if apart >= ratio]
    check(sum(right) >= 0.9 * len(right), f'{sum(right)} of {len(right)} pairs from {ratio} on are in the right order')
    sys.exit(end())


if __name__ == '__main__':
    main()
