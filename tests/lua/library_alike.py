#!/usr/bin/env python3
"""gpulab's own functions of Lua's libraries against Lua's: the same calls print the same.
usage: library_alike.py LUA GPULAB"""
import os
import subprocess
import sys

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'library_alike.lua')


def lines(program):
    done = subprocess.run([program, SCRIPT], capture_output=True, check=False)
    return (done.stdout + done.stderr).replace(b'lua5.4', b'gpulab').split(b'\n')


def main():
    want, got = lines(sys.argv[1]), lines(sys.argv[2])
    wrong = [i for i in range(max(len(want), len(got))) if want[i:i + 1] != got[i:i + 1]]
    print('1..2')
    print('%s 1 - Lua runs all of them' % ('ok' if want[-2:] == [b'"still"', b''] else 'not ok'))
    print('%s 2 - the same calls print the same' % ('not ok' if wrong else 'ok'))
    for i in wrong[:5]:
        print('# line %d: %r, Lua has %r' % (i + 1, got[i:i + 1], want[i:i + 1]))
    return 1 if wrong or want[-2:] != [b'"still"', b''] else 0


if __name__ == '__main__':
    sys.exit(main())
