"""A class to be graded: folders of submissions, honest, broken and hostile, the same for the same seed.

    classroom.py FOLDER STUDENTS SOURCE_ROOT [SEED]     writes FOLDER/student-NN/NN-exercise/FILE.cu and FOLDER.csv, a scheme
"""
import os
import random
import struct
import sys
import zipfile

EXERCISES = [('03', 'row-sums', 'row_sums.cu'), ('03', 'swizzle', 'swizzle.cu'), ('03', 'histogram', 'histogram.cu'),
             ('04', 'rectangle', 'rectangle.cu'), ('05', 'largest', 'largest.cu'), ('08', 'bits', 'bits.cu')]


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def bomb(path, name, data, times):
    """A zip of the same data many times, which is deflated once: the entries are copies of the first, with names as long as its own."""
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        z.writestr(name % 0, data)
        start = z.start_dir
    with open(path, 'rb') as f:
        whole = f.read()
    entry, listed, names = whole[:start], whole[start:whole.rindex(b'PK\5\6')], [(name % i).encode() for i in range(times)]
    with open(path, 'wb') as f:
        f.write(b''.join(entry.replace(names[0], own, 1) for own in names))
        for i, own in enumerate(names):  # where it begins is at byte 42
            f.write(listed[:42] + struct.pack('<I', i * start) + listed[46:].replace(names[0], own, 1))
        f.write(b'PK\5\6' + struct.pack('<HHHHIIH', 0, 0, times, times, times * len(listed), times * start, 0))


def in_body(text, line):
    """The kernel with a line at the end of its body."""
    at = text.rindex('}')
    return text[:at] + '\t' + line + '\n' + text[at:]


def hostile(kind, text):
    if kind == 'loop':
        return in_body(text, 'for (volatile int i = 0;; i++) {}')
    if kind == 'memory':
        return in_body(text, 'for (;;) { char *p = (char *)malloc(1 << 20); if (p) p[5] = 1; }')
    if kind == 'print':
        return in_body(text, 'for (int i = 0; i < 1 << 20; i++) printf("\\033[2J\\033]0;owned\\007 all work and no play");')
    if kind == 'include':
        return '#include "/etc/passwd"\n' + text
    if kind == 'solution':
        return '#include "../../../kernels/solutions/03-swizzle/swizzle.cu"\n'
    if kind == 'compile':
        macros = ['#define X0 1 +\n'] + ['#define X%d %s\n' % (i, ' '.join(['X%d' % (i - 1)] * 10)) for i in range(1, 10)]
        return text + ''.join(macros) + '__device__ int x = X9 0;\n'
    if kind == 'bytes':
        return '\x00\xff\x1b[31m' * 100
    if kind == 'nested':
        return text + '\nint x = ' + '(' * 20000 + '1' + ')' * 20000 + ';\n'
    return in_body(text, 'for (;;) __syncthreads();')


HOSTILE = ['loop', 'memory', 'print', 'include', 'solution', 'compile', 'bytes', 'nested', 'barrier']


def broken(choose, text):
    kind = choose.choice(['syntax', 'nothing', 'barrier', 'early', 'range'])
    if kind == 'syntax':
        return text.replace(';', '', 1)
    if kind == 'nothing':
        return text[:text.index('{', text.index('__global__')) + 1] + '}\n'
    if kind == 'barrier':
        return text.replace('__syncthreads();', '')
    if kind == 'early':
        at = text.index('{', text.index('__global__')) + 1
        return text[:at] + '\n\tif (threadIdx.x & 8) return;\n' + text[at:]
    return in_body(text, '{ extern __shared__ int far[]; far[1 << 20] = 1; }')


def main(folder, students, root, seed=1):
    choose = random.Random(seed)
    for student in range(students):
        name = 'student-%02d' % student
        kind = 'hostile' if student % 10 == 9 else 'mixed'
        for lab, exercise, file in EXERCISES:
            own = '%s-%s' % (lab, exercise)
            solution = read(root, 'kernels/solutions', own, file)
            starter = read(root, 'kernels/exercises', own, file)
            if kind == 'hostile':
                text = hostile(HOSTILE[(student // 10 * len(EXERCISES) + EXERCISES.index((lab, exercise, file))) % len(HOSTILE)],
                               solution)
            else:
                text = choose.choice([solution, solution, solution, starter, broken(choose, solution), None])
            if text is None:
                continue
            if choose.random() < 0.7:
                text = '// %s\n%s' % (name, text)  # no two files are the same
            path = os.path.join(folder, name, own)
            os.makedirs(path, exist_ok=True)
            with open(os.path.join(path, file), 'w', encoding='utf-8', errors='surrogateescape') as f:
                f.write(text)
    with open(folder.rstrip('/') + '.csv', 'w', encoding='utf-8') as f:
        f.write('lab,exercise,points\n' + ''.join('%d,%s,%d\n' % (int(lab), ex, i % 3 + 1) for i, (lab, ex, _) in enumerate(EXERCISES)))


if __name__ == '__main__':
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
