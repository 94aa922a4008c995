#!/usr/bin/env python3
"""The H200's model against recorded runs of the labs on an H200, step by step.

    labs.py GPULAB [FOLDER [LAB...]]

FOLDER has NN.json of `gpulab --device cuda:0 --batch --json NN.json NN` (default: docs/records/results/h200). Prints a table; ends with 1
if fewer than SHARE of the steps come within 25 %, with 77 where there is no record."""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SHARE = 0.9


def predicted(gpulab, lab, params):
    script = os.path.join(HERE, 'labs.lua')
    done = subprocess.run([gpulab, '--device', 'emu', script, lab] + ['%s=%s' % pair for pair in params.items()], capture_output=True, text=True, cwd=ROOT)
    sys.stderr.write(done.stderr)
    return {row[0]: (float(row[1]), row[2]) for row in (line.split('\t') for line in done.stdout.splitlines())}


def main():
    gpulab = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, 'docs', 'records', 'results', 'h200')
    wanted, errors = sys.argv[3:], []
    print('| lab | step | measured us | predicted us | | bound |\n|---|---|---|---|---|---|')
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
                us, (ms, bound) = 1e3 * time.get('cold', time['median']), model[step['id']]
                errors.append(1e3 * ms / us - 1)
                print('| %s | %s | %.1f | %.1f | %+.0f %% | %s |' % (number, step['id'], us, 1e3 * ms, 100 * errors[-1], bound))
    if not errors:
        print('skipped: no recorded runs in %s' % folder)
        sys.exit(77)
    near = sum(abs(error) <= 0.25 for error in errors) / len(errors)
    print('%d steps, %.0f %% of them within 25 %%' % (len(errors), 100 * near))
    sys.exit(near < SHARE)


if __name__ == '__main__':
    main()
