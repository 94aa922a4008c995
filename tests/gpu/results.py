"""The table of a GPU's results, docs/records/results/GPU.tsv: a row per step of the labs. lua/gpulab/lab/recorded.lua reads it, too,
and describes its columns."""
import csv
import os
import re

COLUMNS = 'gpu date driver lab step params result rate unit q1 q3 samples ms cold detail'.split()


def short(number):
    return '' if number is None else f'{number:.7g}' if isinstance(number, float) else str(number)


def result(step):
    if step['outcome'] != 'ok':
        return step['outcome']
    return 'seen' if step.get('seen') else 'verified' if step.get('verified') else 'shown'


def rows_of(document, date):
    """The rows of a run of a lab, as `gpulab --json` wrote it on a GPU."""
    device, rows = document['device'], []
    for step in document['steps']:
        rate, time = step.get('rate', {}), step.get('time', {})
        if step['outcome'] != 'ok' or rate.get('kind') != 'measured':
            rate = time = {}
        params = {**document['params'], **step.get('params', {})}
        cells = (device['gpu'], date, device.get('driver', 'none'), document['lab']['number'], step['id'],
                 ' '.join(f'{name}={short(value)}' for name, value in sorted(params.items())), result(step),
                 rate.get('value'), rate.get('unit'), rate.get('q1'), rate.get('q3'), rate.get('samples'), time.get('median'),
                 time.get('cold'), step.get('detail'))
        rows.append(dict(zip(COLUMNS, (re.sub(r'\s+', ' ', short(cell)).strip() for cell in cells))))
    return rows


def read(path):
    """The rows of a table; none where there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE))


def write(path, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        for row in [dict(zip(COLUMNS, COLUMNS))] + sorted(rows, key=lambda row: int(row['lab'])):
            file.write('\t'.join(row[name] for name in COLUMNS) + '\n')


def merge(path, rows):
    """The table with these rows in place of those of the same labs."""
    labs = {row['lab'] for row in rows}
    write(path, [row for row in read(path) if row['lab'] not in labs] + rows)
