#!/usr/bin/env python3
"""The tables of src/emu/exec/approx_tables.h, from results of a GPU: tables.py FOLDER > approx_tables.h (needs numpy)

FOLDER has one file for each range: the results (32-bit words, in the order of the arguments) of a function for all
2^23 numbers from the one whose bits its name has, such as rcp.3f800000 for rcp.approx.ftz.f32 on [1, 2). Of cos, the
arguments are those of MUFU.COS in turns: its SASS has the factor 1/(2 pi) in an FMUL, which was made 1 for this."""
import sys

import numpy as np

HALF = np.arange(1 << 17, dtype=np.int64)

# function, table, ranges (first argument, bits that choose a row, arguments per step of the 17 bits below)
TABLES = [
    ('rcp', 'rcp_table', '1 / x, x in [1, 2): 128 parts', [('3f800000', 7, 1)]),
    ('rsq', 'rsqrt_table', '1 / sqrt(x), x in [1, 4): 64 parts of each binade', [('3f800000', 6, 1), ('40000000', 6, 1)]),
    ('sqrt', 'sqrt_table', 'sqrt(x), x in [1, 4)', [('3f800000', 6, 1), ('40000000', 6, 1)]),
    ('ex2', 'ex2_table', '2^x, x in [0, 1)', [('3f800000', 6, 1)]),
    ('lg2', 'lg2_table', 'log2(x), x in [1, 2)', [('40000000', 6, 1)]),
    ('cos', 'sin_table', 'sin(x) of a quarter turn', [('3e800000', 6, 1)]),
    ('tanh', 'tanh_table', 'tanh(x)', [('3b800000', 0, 64), ('3c000000', 0, 64), ('3c800000', 0, 64), ('3d000000', 1, 32),
     ('3d800000', 1, 32), ('3e000000', 2, 16), ('3e800000', 2, 16), ('3f000000', 2, 16), ('3f800000', 3, 8),
     ('40000000', 4, 4), ('40800000', 3, 8)]),
]
# How a function's results become those of the table: a factor, and a term.
SCALE = {'ex2': (0.5, 0), 'lg2': (1, -1)}


def square(x):
    """x * x in units of 2^-15, x of 17 bits below the point, without the partial products below 2^-15."""
    total = (x >> 9) ** 2 >> 1
    for bit in range(2, 9):
        total += (x >> bit & 1) * (x >> (18 - bit))
    return total


def solve(values, x):
    """c0, c1, c2 so that c0 + c1 * x + c2 * square(x), truncated to 24 digits, is each value."""
    s = square(x)
    place = 2.0 ** (np.floor(np.log2(np.where(values > 0, values, 1))) - 23)
    used = values > 0
    middle = values[len(values) // 2]
    matrix = np.stack([np.ones(len(x)), x / 2.0**17, s / 2.0**15], 1)
    near = np.linalg.lstsq((matrix / place[:, None])[used], ((values - middle + place / 2) / place)[used], rcond=None)[0]
    for step in [place[used].max() * 2.0**k for k in range(6, -4, -1)]:
        for more in range(49):
            c1 = (np.round(near[1] / step) + more % 7 - 3) * step
            c2 = (np.round(near[2] / step) + more // 7 - 3) * step
            rest = values - middle - c1 * matrix[:, 1] - c2 * matrix[:, 2]
            least, most = rest[used].max(), (rest + place)[used].min()
            if least < most:
                return least + middle, c1 / 2**17, c2 / 2**15
    raise SystemExit('no coefficients fit')


def rows_of(folder, name, start, bits, step):
    words = np.fromfile(f'{folder}/{name}.{start}', dtype=np.uint32)
    values = (words & np.uint32(0x7fffffff)).view(np.float32).astype(np.float64)[::step]
    x = HALF if bits < 7 else HALF[::2]
    for row in range(1 << bits):
        part = slice(1 if row == 0 and step == 1 else 0, None)  # the first result of a binade may be exact
        yield solve(values[row * len(x):(row + 1) * len(x)][part], x[part])


def digits(value):
    mantissa, exponent = float(value).hex().split('p')
    return '0' if value == 0 else mantissa.rstrip('0').rstrip('.') + 'p' + str(int(exponent))


def main(folder):
    for name, table, words, ranges in TABLES:
        factor, term = SCALE.get(name, (1, 0))
        rows = [row for first, bits, step in ranges for row in rows_of(folder, name, first, bits, step)]
        if name == 'lg2':
            rows[33] = (rows[33][0] + 2.0**-38, *rows[33][1:])  # [2, 4) leaves some bits open; [0.5, 2) needs this
        print(f'/* {words} */\nstatic const double {table}[{len(rows)}][3] = {{')
        for c0, c1, c2 in rows:
            print('\t{' + ', '.join(digits(c) for c in (c0 * factor + term, c1 * factor, c2 * factor)) + '},')
        print('};\n')


main(sys.argv[1])
