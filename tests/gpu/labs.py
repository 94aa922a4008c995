#!/usr/bin/env python3
"""The H200's model against recorded runs of the labs on an H200, step by step.

    labs.py GPULAB [FOLDER [LAB...]]

FOLDER has NN.json of `gpulab --device cuda:0 --batch --json NN.json NN` (default: docs/records/results/h200). Prints a table, with the time
that the replay of the blocks gives beside it (and the errors of both and of their geometric mean), and the most frequent stall reason beside Nsight Compute's (h200-stalls.json, next to FOLDER:
of each step's longest launch). Ends with 1 if fewer than SHARE of the steps come within 25 %, or the reason is Nsight Compute's in fewer
than AGREE of them, with 77 where there is no record."""
import glob
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARE, AGREE = 0.9, 0.8


def predicted(gpulab, lab, params):
    script = os.path.join(HERE, 'labs.lua')
    done = subprocess.run([gpulab, '--device', 'emu', script, lab] + ['%s=%s' % pair for pair in params.items()], capture_output=True, text=True, cwd=ROOT)
    sys.stderr.write(done.stderr)
    return {row[0]: (float(row[1]), row[2], float(row[3]), row[4]) for row in (line.split('\t') for line in done.stdout.splitlines())}


def summary(name, errors):
    sizes = sorted(abs(e) for e in errors)
    print('%-9s of %d: median %.1f %%, RMS %.1f %%, within 25 %%: %.1f %%' % (
        name, len(errors), 100 * sizes[len(sizes) // 2], 100 * math.sqrt(sum(e * e for e in sizes) / len(sizes)),
        100 * sum(e <= 0.25 for e in sizes) / len(sizes)))


def main():
    gpulab = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, 'docs', 'records', 'results', 'h200')
    wanted, errors, replayed, means, agree, compared = sys.argv[3:], [], [], [], 0, 0
    path = os.path.join(os.path.dirname(folder), 'h200-stalls.json')
    stalls = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            stalls = json.load(file)
    print('| lab | step | measured us | predicted us | | bound | by replay | | stall | measured |\n|---|---|---|---|---|---|---|---|---|---|')
    for path in sorted(glob.glob(os.path.join(folder, '[0-9][0-9].json'))):
        number = os.path.basename(path)[:2]
        labs = glob.glob(os.path.join(ROOT, 'labs', number + '-*.lua'))
        if not labs or wanted and number not in wanted:
            continue
        with open(path, encoding='utf-8') as file:
            record = json.load(file)
        model = predicted(gpulab, labs[0], record['params'])
        for step in record['steps']:
            time = step.get('time')
            if step['id'] in model and time and step['outcome'] == 'ok':
                # What is predicted is one launch alone and cold; the median of the shortest kernels is of many, in the cache.
                us, (ms, bound, replay, stall) = 1e3 * time.get('cold', time['median']), model[step['id']]
                measured = dict(stalls.get(number, {}).get(step['id'], {}))
                measured.pop('selected', None)
                top = max(measured, key=measured.get) if measured else ''
                errors.append(1e3 * ms / us - 1)
                if replay:
                    replayed.append(1e3 * replay / us - 1)
                    # The replay has no link to the host.
                    means.append(errors[-1] if 'host memory' in bound else 1e3 * math.sqrt(ms * replay) / us - 1)
                if top and stall:
                    compared += 1
                    agree += top == stall
                print('| %s | %s | %.1f | %.1f | %+.0f %% | %s | %.1f | %+.0f %% | %s | %s |' % (
                    number, step['id'], us, 1e3 * ms, 100 * errors[-1], bound, 1e3 * replay, 100 * (1e3 * replay / us - 1), stall, top))
    if not errors:
        print('skipped: no recorded runs in %s' % folder)
        sys.exit(77)
    near = sum(abs(error) <= 0.25 for error in errors) / len(errors)
    summary('predicted', errors)
    if replayed:
        summary('by replay', replayed)
        summary('mean', means)
    print('%d steps, %.0f %% of them within 25 %%; stall reasons as measured: %d of %d' % (len(errors), 100 * near, agree, compared))
    sys.exit(near < SHARE or agree < AGREE * compared)


if __name__ == '__main__':
    main()
