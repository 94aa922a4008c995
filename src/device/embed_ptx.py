"""Texts of PTX as C strings: embed_ptx.py OUTPUT.c NAME.ptx...   NAME_ptx has the lines of NAME.ptx without comments."""
import json
import pathlib
import sys

with open(sys.argv[1], "w", encoding="utf-8") as out:
    for path in map(pathlib.Path, sys.argv[2:]):
        code = [line.partition("//")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines()]
        text = "\n".join(json.dumps(line + "\n") for line in code if line)
        out.write(f"extern const char {path.stem}_ptx[];\nconst char {path.stem}_ptx[] =\n{text};\n")
