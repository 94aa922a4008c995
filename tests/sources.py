#!/usr/bin/env python3
"""Rules for the lines of src/ that no compiler checks: sources.py [SOURCE_ROOT]   as TAP

Lines, also those of the C tests, are at most 120 columns wide, a tab counting 4. src/gpu alone asks for the number of
a compute capability: other code, also in Lua, reads the columns of its generation (src/gpu/generation.h). Past the parser
and the table of forms no code compares an instruction's name. Of the toolkit's headers only those may be included that are
in the packages that bootstrap fetches. The last tests plant lines that must be caught."""
import pathlib
import re
import sys

WIDTH = 120
CAPABILITY = re.compile(r"\bcc\b *(/ *10 *)?(<=|>=|<|>|==|!=) *\d|\d *(<=|>=|<|>|==|!=) *[\w.>-]*\bcc\b")
NAME = re.compile(r"\bstr\w*\([^;]*(\bforms\[|\bin->text\b)")
TOOLKIT = re.compile(r"^# *include <(?!(?:cuda_runtime_api|driver_types|nvrtc)\.h>)(?:cu|nv|driver_|vector_)[^>]*>")
COMMENT = re.compile(r'/\*.*?(\*/|$)|^\s*\*.*|"[^"]*"')


def complaints(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        columns = len(line.expandtabs(4))
        if columns > WIDTH:
            yield f"{path}:{number}: {columns} columns"
        if not path.startswith(("src/gpu/", "tests/")) and CAPABILITY.search(COMMENT.sub("", line)):
            yield f"{path}:{number}: compares a compute capability"
        if path.startswith(("src/emu/", "src/model/", "src/device/")) and NAME.search(line):
            yield f"{path}:{number}: compares an instruction's name"
        if path.startswith("src/") and TOOLKIT.match(line):
            yield f"{path}:{number}: this header of the toolkit may not be there"


def misnamed(root):
    """Files of exercises are named after them: exercises/NN-an-id/an_id.cu, and its solution alike."""
    for kind in "exercises", "solutions":
        for path in sorted((root / "kernels" / kind).glob("*/*")):
            if path.name != path.parent.name.partition("-")[2].replace("-", "_") + ".cu":
                yield f"{path.relative_to(root)}: not named after its exercise"


def main(root):
    files = [p for top in ("src", "tests") for p in sorted((root / top).rglob("*")) if p.suffix in (".c", ".h", ".def")]
    found = [c for p in files for c in complaints(str(p.relative_to(root)), p.read_text())] + list(misnamed(root))
    scripts = [p for top in ("lua", "labs") for p in sorted((root / top).rglob("*.lua"))]
    found += [c for p in scripts for c in complaints(str(p.relative_to(root)), p.read_text()) if "capability" in c]
    planted = [
        ("src/emu/x.def", "\t" * 30 + "x", 1), ("src/gpu/x.c", "\t" * 30 + "y", 1), ("src/gpu/x.c", "\t" * 29 + "wide", 0),
        ("src/emu/x.c", "if (gpu->cc >= 60) return;", 1), ("src/emu/x.c", "return m->gpu->cc / 10 == 3;", 1),
        ("src/emu/x.c", "int n; /* cc >= 2.0 */", 0), ("src/emu/x.c", " * cc >= 2.0: as ever", 0),
        ("src/gpu/x.c", "if (gpu->cc >= 60) return;", 0), ("src/device/x.c", "if (gpu->cc == info->cc) return;", 0),
        ("labs/x.lua", "if model.cc < 20 then return end", 1),
        ("src/emu/x.c", 'return strncmp(module->forms[in->form], "wgmma.mma", 9) == 0;', 1),
        ("src/emu/x.c", 'return strstr(in->text, ".bulk") != NULL;', 1),
        ("src/exec/x.c", "#include <cuda_profiler_api.h>", 1), ("src/exec/x.c", "#include <cuda_runtime_api.h>", 0)]
    points = [("there are files to read", bool(files)), ("no line breaks a rule", not found)]
    points += [(f"{'caught' if n else 'allowed'}: {line.strip()}", len(list(complaints(path, line))) == n)
               for path, line, n in planted]
    for number, (name, ok) in enumerate(points, 1):
        print("ok" if ok else "not ok", number, "-", name)
    for line in found:
        print("#", line)
    print(f"1..{len(points)}")
    return 0 if all(ok for _, ok in points) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
