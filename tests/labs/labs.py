#!/usr/bin/env python3
"""The program as a student meets it: lab 3 on the emulator, and every way a step can fail. TAP on standard output.

    labs.py GPULAB SOURCE_ROOT [GROUP [small]]     GROUP: lab, mistakes, guide, kinds; default all
                                                   small: few blocks in the pattern steps, for slow builds
"""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

GPULAB, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]  # meson gives a path from its build folder
sys.path.append(os.path.join(ROOT, "tests", "gpu"))
import results as results_table  # noqa: E402
GROUP = sys.argv[3] if len(sys.argv) > 3 else "all"
SIZES = ["--set", "blocks=32"] if "small" in sys.argv[4:] else []
FIXTURES = os.path.join(ROOT, "tests", "labs", "fixtures")
LAB3 = os.path.join(ROOT, "labs", "03-bank-conflicts.lua")
MISTAKES = os.path.join(FIXTURES, "mistakes.lua")
PATTERNS = ["row", "offset", "stride3", "stride2", "stride8", "stride32", "stride33", "own", "pairs", "sixteen",
            "broadcast", "wide", "wide2"]

# Runs are recorded, but not among the person's own.
HOME = tempfile.TemporaryDirectory(prefix="gpulab-test-")
os.environ["GPULAB_HOME"] = HOME.name

results = []


def check(ok, name, detail=""):
    results.append(bool(ok))
    print(("ok" if ok else "not ok"), len(results), "-", name.replace("#", "no."), flush=True)
    if not ok:
        for line in str(detail)[:4000].splitlines():
            print("#   " + line)


def run(*args, env=None, cwd=None):
    """A run without a terminal: (exit code, stdout, stderr)."""
    p = subprocess.run([GPULAB, *args], stdin=subprocess.DEVNULL, capture_output=True, cwd=cwd or ROOT,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stdout.decode("utf-8"), p.stderr.decode("utf-8")


def document(*args, **more):
    code, out, err = run(*args, "--json", "-", **more)
    try:
        return code, json.loads(out), err
    except ValueError as e:
        return code, {"steps": []}, f"standard output is no JSON ({e}):\n{out}\n{err}"


class Steps(dict):
    """Steps by id; one that is missing fails its checks instead of stopping them."""

    def __missing__(self, key):
        return {"lines": [], "model": [], "rate": {"value": 0}, "counters": {}}


def steps_of(doc):
    return Steps({s["id"]: s for s in doc["steps"]})


def ratio(step, name, unit):
    c = step.get("counters", {})
    requests = c.get(name + "_requests", 0)
    return c[f"{name}_{unit}"] / requests if requests else None


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def fits(text):
    return all(columns(line) <= 80 for line in text.splitlines())


# Lab 3 --------------------------------------------------------------------------------------------


def lab_on_h200():
    code, doc, err = document(LAB3, "--device", "emu", *SIZES)
    steps = steps_of(doc)
    check(code == 0, "lab 3 on the emulator ends with 0", (code, err))
    check(doc.get("schema") == "gpulab/1", "the document names its schema", doc.get("schema"))
    check(doc.get("params", {}).get("n") == 4000, "at the lecture's n", doc.get("params"))
    check(list(steps) == PATTERNS + ["copy", "tile", "padded"], "every step is there, in order", list(steps))
    for name, s in steps.items():
        check(s["outcome"] == "ok" and s.get("verified") is True, f"{name} is verified", s.get("message"))
        rate = s.get("rate", {})
        check(rate.get("kind") == "predicted" and rate.get("value", 0) > 0 and rate.get("unit") == "GB/s",
              f"{name} has a rate, and it is called predicted", rate)
    check(ratio(steps["tile"], "shared_load", "wavefronts") == 32, "the conflicting tile: 32 wavefronts a load request",
          steps["tile"].get("counters"))
    check(ratio(steps["padded"], "shared_load", "wavefronts") == 1, "the padded tile: exactly 1",
          steps["padded"].get("counters"))
    check(ratio(steps["copy"], "global_load", "sectors") == 4 and ratio(steps["copy"], "global_store", "sectors") == 4,
          "the copy: 4 sectors for each global request", steps["copy"].get("counters"))
    lines = [line for line in steps["tile"]["lines"] if line.get("shared_load_requests")]
    check(len(lines) == 1 and lines[0]["shared_load_wavefronts"] == 32 * lines[0]["shared_load_requests"]
          and "tile[threadIdx.x][threadIdx.y + i]" in lines[0].get("text", ""),
          "the wavefronts stand at the source line that reads the column", steps["tile"]["lines"])
    for name, value in (("copy", 94.9), ("tile", 75.1), ("padded", 93.4)):
        claim = steps[name].get("lecture", {})
        check(claim.get("value") == value and claim.get("gpu") == "GTX 280",
              f"{name} stands beside the lecture's number", claim)
        model = [m for m in steps[name]["model"] if m["gpu"] == "GTX 280"]
        check(len(model) == 1 and model[0]["known"] and model[0]["value"] > 0,
              f"{name} is predicted for the GTX 280", model)
    check(steps["tile"]["rate"]["value"] < steps["padded"]["rate"]["value"], "padding makes it faster",
          (steps["tile"]["rate"], steps["padded"]["rate"]))


def lab_on_gtx280():
    code, doc, err = document(LAB3, "--device", "emu:GTX 280", "--set", "n=512", "--set", "blocks=30")
    steps = steps_of(doc)
    check(code == 0, "lab 3 by the rules of the GTX 280 ends with 0", (code, err))
    check(ratio(steps["tile"], "shared_load", "wavefronts") == 16, "the conflicting tile: 16 wavefronts per half-warp",
          steps["tile"].get("counters"))
    check(steps["tile"]["counters"]["shared_load_requests"] == 2 * 512 * 512 // 32, "a warp makes two requests",
          steps["tile"].get("counters"))
    check(ratio(steps["padded"], "shared_load", "wavefronts") == 1, "the padded tile: 1",
          steps["padded"].get("counters"))
    check(ratio(steps["pairs"], "shared_load", "wavefronts") == 2, "s[tid / 2]: two wavefronts, one word broadcast in each",
          steps["pairs"].get("counters"))
    check(steps["row"]["rules"] == "GTX 280", "the rules are named", steps["row"].get("rules"))


def table_of_lab():
    code, out, err = run(LAB3, "--device", "emu", "--batch", "--set", "n=256", "--set", "blocks=4")
    check(code == 0 and err == "", "a batch run says nothing on standard error", (code, err))
    check(fits(out), "the table fits 80 columns", out)
    check("\033" not in out, "no colour where there is no terminal", out)
    shape = [r"^Lab 3 · Shared memory banks$", r"emulator, by the rules of the H200 · blocks = 4 · c = 6 · n = 256",
             r"access pattern +wavefronts +model +predicted +vs\. +verified", r"^ +H200 +GTX 280 +H200",
             r"^  s\[tid\] +1 +[\d.]+ +[\d.]+ +100 % +yes$", r"2-way bank conflict, banks\.cu:\d+",
             r"matrix +lecture +model +predicted +vs\. +verified", r"^ +GTX 280 +GTX 280 +H200",
             r"copy in the tile +94\.9\* +[\d.]+ +[\d.]+ +100 % +yes", r"tile 32×32 +75\.1\* .* yes",
             r"32-way bank conflict, transpose\.cu:\d+", r"tile 32×33 +93\.4\* .* yes",
             r"Predicted from the counters of an emulated run, not measured"]
    for pattern in shape:
        check(re.search(pattern, out, re.M), f"the table has {pattern}", out)
    code, out, err = run(LAB3, "--device", "emu", "--batch", "--set", "n=256", "--set", "blocks=4", "--model", "all")
    check(code == 0 and fits(out), "with every model it still fits", out + err)
    code, out, err = run(LAB3, "--device", "emu", "--batch", "--set", "n=100")
    check(code == 64 and "n = 100 is not a multiple of 32" in err, "an n the kernels cannot do is refused with the reason",
          (code, err))
    code, out, err = run(LAB3, "--device", "emu", "--batch", "--step", "tile", "--set", "n=64", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out)))
    check(code == 0 and len(rows) == 1 and rows[0]["step"] == "tile" and rows[0]["verified"] == "true"
          and rows[0]["shared_load_wavefronts"] == str(64 * 64), "one step as CSV", out + err)


def sources():
    """Labs, kernels and the program's Lua at any depth, but for the claims themselves."""
    for top in ("labs", "kernels", os.path.join("lua", "gpulab")):
        for folder, inner, names in os.walk(os.path.join(ROOT, top)):
            inner[:] = [name for name in inner if name != "claims"]
            yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in names
                        if name.endswith((".lua", ".cu")))


def numbers_stand_once():
    """No number of a lecture is repeated outside claims/."""
    claims, lecture = os.path.join(ROOT, "lua", "gpulab", "claims"), ""
    for name in sorted(os.listdir(claims)):
        with open(os.path.join(claims, name), encoding="utf-8") as f:
            lecture += f.read()
    numbers = set(re.findall(r"value = (\d+\.\d+)", lecture)) | {"94.9", "75.1", "93.4"}
    check(len(numbers) > 10 and all(n in lecture for n in numbers), "claims/ has the lectures' numbers", numbers)
    for path in sorted(sources()):
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            text = f.read()
        text = re.sub(r"(?i)\b(compute capability|cc) \d+\.\d", r"\1", text)  # 5.3 is one, and GB/s of a lecture
        repeated = [n for n in numbers if re.search(r"(?<![\d.])" + re.escape(n) + r"(?!\d)", text)]
        check(not repeated, f"{path} repeats no number of the lectures", repeated)


# Steps of every kind --------------------------------------------------------------------------------


def kinds():
    """A lab with a step of each kind: what the table, JSON, CSV and plots say of it."""
    lab = os.path.join(FIXTURES, "kinds.lua")
    code, doc, err = document(lab, "--device", "emu")
    steps = steps_of(doc)
    check(code == 7 and doc["params"] == {"n": 1024}, "kinds: exit 7, the emulator's default", (code, err))
    for name in ("one", "two", "larger", "symbol", "texture"):
        check(steps[name].get("verified") is True, f"kinds: {name} is verified", steps[name])
    check(steps["two"].get("kind") == "launches" and len(steps["two"].get("launches", [])) == 2
          and steps["two"]["counters"]["barriers"] == 32 + 1, "kinds: launches are counted together", steps["two"])
    check(steps["one"].get("detail") == "0 of 1024" and steps["one"]["rate"]["unit"] == "Gelem/s",
          "kinds: detail and unit", steps["one"])
    check([c["id"] for c in steps["one"].get("claims", [])] == ["O24.banks.cc2"], "kinds: claims", steps["one"])
    check(steps["larger"].get("params") == {"n": 2048}, "kinds: what a step changes", steps["larger"])
    check(steps["library"].get("outcome") == "absent" and "cuBLAS" in steps["library"].get("message", ""),
          "kinds: a library that is not here is no failure", steps["library"])
    check(steps["older"].get("outcome") == "absent" and "needs compute capability 1.0 to 1.3, this GPU has" in steps["older"].get("message", ""),
          "kinds: instructions that are not here are no failure", steps["older"])
    check(abs(steps["near"].get("relative_error", 0) - 8 * 1024 ** 0.5 / sum((i + 8) ** 2 for i in range(1024)) ** 0.5) < 1e-9,
          "kinds: the error of a result within its tolerance", steps["near"])
    check(steps["figure"].get("figure") == {"columns": ["n", "half"], "rows": [[1024, 512]], "note": "Half of it."},
          "kinds: a figure", steps["figure"])
    for what in ("race", "sync", "init", "memory", "fault", "wrong"):
        check(steps[what].get("shows") == what and steps[what].get("seen") and steps[what].get("outcome") == "ok"
              and "rate" not in steps[what], f"kinds: {what} is shown", steps[what])
    check(steps["norace"].get("outcome") == "gate" and steps["nofault"].get("outcome") == "gate",
          "kinds: what is not shown is a gate missed", (steps["norace"], steps["nofault"]))
    code, out, err = run(lab, "--device", "emu", "--batch")
    check(code == 7 and "n = 1024 (4096 on a GPU)" in out and "race, as intended" in out and "Half of it." in out,
          "kinds: the table", out + err)
    check(fits(out), "kinds: the table fits 80 columns", out)
    code, out, err = run(lab, "--device", "emu", "--csv", "-", "--step", "one,two,larger", "--set", "n=1024")
    rows = list(csv.DictReader(io.StringIO(out)))
    check(code == 0 and [r["launches"] for r in rows] == ["1", "2", "1"]
          and [r["params"] for r in rows] == ["n=1024", "n=1024", "n=2048"], "kinds: CSV", out + err)


def plotted():
    """--plot draws in the terminal's character set, writes SVG, and refuses what it cannot do."""
    lab, folder = os.path.join(FIXTURES, "kinds.lua"), tempfile.mkdtemp(dir=HOME.name)
    drawn = run(lab, "--device", "emu", "--plot", "size", env={"LC_ALL": "C.UTF-8"})
    check(drawn[0] == 0 and "Over n" in drawn[1] and "●" in drawn[1] and fits(drawn[1]), "plot: UTF-8", drawn)
    drawn = run(lab, "--device", "emu", "--plot", "size", "--model", "GTX 280", env={"LC_ALL": "C"})
    check(drawn[0] == 0 and "larger, GTX 280" in drawn[1] and drawn[1].isascii() and fits(drawn[1]), "plot: ASCII, models",
          drawn)
    path = os.path.join(folder, "share.svg")
    code, out, err = run(lab, "--device", "emu", "--plot", "share=" + path)
    tree = xml.etree.ElementTree.parse(path) if os.path.exists(path) else None
    check(code == 0 and tree is not None and tree.getroot().tag.endswith("svg"), "plot: SVG", out + err)
    for wrong, expected, said in (("sice", 64, 'did you mean "size"'), ("size=x.png", 64, "does not end in .svg"),
                                  ("size=/nowhere/x.svg", 5, "cannot write")):
        code, out, err = run(lab, "--device", "emu", "--plot", wrong)
        check(code == expected and said in err, f"plot: {wrong} exits {expected}", (code, out, err))


# Claims ------------------------------------------------------------------------------------------


def claims():
    """--claims lists every claim once, and takes its numbers from the recorded tables."""
    folder = tempfile.mkdtemp(dir=HOME.name)
    path, env = os.path.join(folder, "docs", "records", "results", "h200.tsv"), {"GPULAB_DOCS": os.path.join(folder, "docs")}
    os.makedirs(os.path.dirname(path))
    row = {"gpu": "H200", "date": "2031-02-03", "driver": "1", "lab": "3", "step": "tile", "result": "verified",
           "rate": "1234.5", "unit": "GB/s"}

    def table(row):
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join("\t".join(cells) + "\n" for cells in (results_table.COLUMNS, [row.get(c, "") for c in
                                                                                       results_table.COLUMNS])))
        return run("--claims", env=env)
    code, _, err = table({**row, "rate": "fast"})
    check(code == 5 and "h200.tsv: line 2: its rate is not number" in err, "claims: a table that is none", (code, err))
    code, out, err = table(row)
    rows = re.findall(r"^\| `([\w.]+)` \|(.*)\|$", out, re.M)
    ids = [name for name, _ in rows]
    check(code == 0 and len(ids) > 60 and len(set(ids)) == len(ids), "claims: each stands once", (code, err, len(ids)))
    tile = dict(rows).get("F22.transpose.tile32", "")
    check("| 75.1 GB/s (GTX 280, n = 4000) | 3, `tile` | 74.5 GB/s | 1234 GB/s " in tile, "claims: recorded numbers", tile)
    check(all(row.count("|") == 4 for _, row in rows if "\\|" not in row), "claims: every row has its columns", out)


# Promises ----------------------------------------------------------------------------------------

PROMISES = """local lab = require "gpulab.lab"
local function nothing() end
local function ex(id, more)
  local e = { id = id, title = id, task = "Do it.", starter = "exercises/91-" .. id .. "/a.cu",
    solution = "solutions/91-" .. id .. "/a.cu", kernel = "k", grid = 1, block = 64, args = { "out" }, output = "out",
    reference = function() return gpu.array("int", 64, 1) end, accept = { barriers = { at_most = 0 } },
    hints = { "a", "b", "c" }, debrief = "So." }
  for key, v in pairs(more or {}) do e[key] = v end
  return e
end
local several = ex("several", { defines = { ONE = 1 },
  launches = { { kernel = "k", grid = 1, block = 64, args = { "out" } } } })
several.kernel, several.grid, several.block, several.args = nil, nil, nil, nil
return lab.define { number = 91, id = "promises", title = "Promises", intro = "About.",
  buffers = { out = { type = "int", count = 64 } },
  steps = { { id = "wrong", title = "wrong", text = ("w"):rep(90), kernel = { file = "exercises/91-good/a.cu", name = "k" },
    grid = 1, block = 64, args = { "out" }, output = "out", reference = function() return gpu.array("int", 64, 1) end,
    useful_bytes = function() return 256 end, claim = "O24.banks.cc1" } },
  exercises = { ex("good"), ex("easy"), ex("broken"), ex("racy"), ex("gone"), several,
    ex("tight", { accept = { shared_store = { at_most = 1.3 } } }) } }
"""

RIGHT = "__global__ void k(int *out) { out[threadIdx.x] = 1; }\n"
STORES = """__global__ void k(int *out)
{
	__shared__ int s[64];
	s[threadIdx.x] = 1;
	if (threadIdx.x < 32)
		s[threadIdx.x * 2 % 64] = 1;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x];
}
"""
RACY = """__global__ void k(int *out)
{
	__shared__ int s[64];
	s[threadIdx.x] = 1;
	out[threadIdx.x] = s[threadIdx.x ^ 1];
}
"""


def promises():
    """--verify-labs finds what a careless author leaves behind."""
    folder = tempfile.mkdtemp(dir=HOME.name)

    def write(path, content):
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(content)

    task = "// Task: write ones.\n"
    write("labs/91-promises.lua", PROMISES)
    for name, starter, solution in (
            ("good", task + RIGHT.replace("1", "2"), RIGHT), ("easy", task + RIGHT, task + RIGHT),
            ("broken", RIGHT.replace("1", "oops"), RIGHT), ("racy", task + RIGHT.replace("1", "2"), RACY),
            ("tight", task + RIGHT.replace("1", "2"), STORES),
            ("several", task + RIGHT.replace("1", "ONE + 1"), RIGHT.replace("1", "ONE"))):
        write(f"kernels/exercises/91-{name}/a.cu", starter)
        write(f"kernels/solutions/91-{name}/a.cu", solution)
    write("kernels/exercises/91-stray/b.cu", RIGHT)
    write("labs/77-none.lua", "x = 1\n")
    env = {"GPULAB_LABS": os.path.join(folder, "labs"), "GPULAB_KERNELS": os.path.join(folder, "kernels")}
    code, out, err = run("--verify-labs", "91", env=env)
    out = " ".join(out.split())
    check(code == 7 and "problems" in err, "promises: exit 7", (code, out, err))
    for said in ("step wrong: wrong result", "step wrong: a line has 92 columns", "exercise easy: its starter already passes",
                 "exercise easy: starter and solution are the same", "exercise broken: its starter does not begin with a comment",
                 "exercise broken: its starter does not run", "exercise racy: its solution is refused: solution: ",
                 "exercise tight: its solution is refused: solution: 1.33 wavefronts",
                 "there is no file exercises/91-gone/a.cu next to the lab", "there is no file solutions/91-gone/a.cu next to the lab",
                 "lab 77 does not load: it does not return a lab"):
        check(said in out, f"promises: {said}", out)
    check("exercise good" not in out and "exercise several" not in out, "promises: nothing is said of what is as it should be",
          out)
    code, out, err = run(os.path.join(ROOT, "tests", "lua", "labs", "labs_whole.lua"), env=env)
    for said in ("kernels/exercises/91-stray/b.cu belongs to no exercise", "lab 77 does not load", "not ok 1"):
        check(said in out, f"promises: of the labs as a whole, {said}", (code, out, err))
    for options, expected in ((("--verify-labs", "77"), 64), (("--claims",), 5)):
        code, out, err = run(*options, env=env)
        said = " ".join(err.split())
        check(code == expected and "lab 77 does not load: it does not return a lab" in said and "traceback" not in err and out == "",
              f"promises: {' '.join(options)} with a file that is no lab exits {expected}", (code, out, err))
    # All labs, side by side: this one, as those that gpulab brings are replaced by files that are no labs.
    for path in pathlib.Path(ROOT, "labs").glob("[0-9][0-9]-*.lua"):
        write("labs/" + path.name, "x = 1\n")
    code, out, err = run("--verify-labs", env=env)
    out = " ".join(out.split())
    check(code == 7 and out.count("Lab 91 ") == 1 and "exercise racy: its solution is refused" in out and
          "lab 3 is missing" in out and "lab 77 does not load" in out, "promises: every lab is told of", (code, out, err))
    code, out, err = run("--verify-labs", env={"GPULAB_NVRTC": "/nowhere/libnvrtc.so"})
    check(code == 5 and out == "" and "there is no NVRTC" in err and "gpulab doctor" in err, "promises: no compiler",
          (code, out, err))


# Mistakes -----------------------------------------------------------------------------------------


def fails(name, expected, patterns, *args, env=None):
    code, out, err = run(MISTAKES, "--batch", "--step", name, *(args or ("--device", "emu")), env=env)
    check(code == expected, f"{name}: exit {expected}", (code, out, err))
    for pattern in patterns:
        check(re.search(pattern, err, re.S), f"{name}: says {pattern}", err)
    check(fits(out), f"{name}: the table fits 80 columns", out)
    return out


def mistakes():
    code, out, err = run(MISTAKES, "--batch", "--device", "emu", "--step", "right")
    check(code == 0, "a right step: exit 0", (code, out, err))
    fails("semicolon", 1, [r"semicolon\.cu", r"\b[34]\b", r"expected a \";\"", r"\^"])
    fails("past", 2, [r"odata\[1024\]", r"1 024 elements", r"\(255,0,0\) of block \(3,0,0\)",
                      r"mistakes\.cu:13"])
    out = fails("wrong", 3, [r"992 of 1 024 elements", r"row 0, column 1: got 1, expected 32",
                             r"row 0, column 2: got 2, expected 64"])
    check("NO" in out, "wrong: the table says not verified", out)
    fails("half", 3, [r"element 512: got an element that was never written, expected 512"])
    fails("forever", 4, [r"300 ms|0\.3 s"])
    fails("large", 2, [r"1024", r"512", r"GTX 280"], "--device", "emu:GTX 280")
    fails("rule", 7, [r"global_load: expected 32 on cc 9\.0, counted 4"])
    fails("nofile", 5, [r"not_there\.cu"])
    fails("noname", 1, [r"rihgt"])
    fails("right", 5, [r"NVRTC", r"/nonexistent"], "--device", "emu", env={"GPULAB_NVRTC": "/nonexistent"})


def one_after_the_other():
    code, doc, err = document(MISTAKES, "--device", "emu")
    outcomes = {name: s["outcome"] for name, s in steps_of(doc).items()}
    check(outcomes == {"right": "ok", "semicolon": "compile", "past": "fault", "wrong": "wrong", "half": "wrong",
                       "forever": "timeout", "large": "ok", "rule": "gate", "nofile": "setup", "noname": "compile"},
          "a step that fails stops no other", (outcomes, err))
    check(code == 5, "the exit code is that of the step that got least far", code)
    fault = steps_of(doc)["past"].get("fault", {})
    check(fault.get("buffer") == "odata" and fault.get("element") == 1024 and fault.get("block") == [3, 0, 0]
          and fault.get("thread") == [255, 0, 0] and fault.get("line") == 13, "the fault's place, in JSON", fault)
    first = steps_of(doc)["wrong"].get("mismatch", {}).get("first", [{}])[0]
    check(first == {"index": 1, "row": 0, "column": 1, "got": 1, "want": 32}, "the first mismatch, in JSON", first)


def bad_definitions():
    code, out, err = run(os.path.join(FIXTURES, "broken.lua"), "--batch", "--device", "emu")
    check(code == 64 and re.search(r'step "only": unknown field "kernal", did you mean "kernel"\?', err),
          "an author's typing error names step and field", (code, err))
    check("broken.lua:8: " in err, "and the place of the definition", err)
    for args, pattern in ((("--step", "tiel"), r'no step "tiel", did you mean "tile"\?'),
                          (("--set", "m=1"), r'unknown parameter "m"'), (("--model", "GTX 281"), r"GTX 280")):
        code, out, err = run(LAB3, "--batch", "--device", "emu", *args)
        check(code == 64 and re.search(pattern, err), f"{' '.join(args)}: refused with a guess", (code, err))


# The guide for authors -----------------------------------------------------------------------------


def guide():
    with open(os.path.join(ROOT, "docs", "guide", "lab-authors.md"), encoding="utf-8") as f:
        text = f.read()
    blocks = re.findall(r"^`([\w.-]+)`:\n\n```(?:lua|cuda|cpp)\n(.*?)^```", text, re.M | re.S)
    check([name for name, _ in blocks] == ["saxpy.cu", "90-saxpy.lua"], "the guide for authors has a lab to type in",
          [name for name, _ in blocks])
    check(dict(blocks).get("90-saxpy.lua", "\n" * 99).count("\n") <= 25, "of some twenty lines")
    with tempfile.TemporaryDirectory() as folder:
        for name, body in blocks:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(body)
        code, doc, err = document(os.path.join(folder, "90-saxpy.lua"), "--device", "emu")
        steps = doc["steps"]
        check(code == 0 and len(steps) == 1 and steps[0].get("verified") is True, "and it runs as it stands there",
              (code, doc, err))


def script():
    """The guide to CUDA files is short, and its commands work on its file; arguments fit a terminal."""
    with open(os.path.join(ROOT, "docs", "guide", "cuda-files.md"), encoding="utf-8") as f:
        guide_text = f.read()
    check(guide_text.count("\n") <= 120, "the guide to CUDA files has at most 120 lines", guide_text.count("\n"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(ROOT, "tests", "repl", "sessions", "hist.cu"), folder)
        with open(os.path.join(folder, "count.lua"), "w", encoding="utf-8") as f:
            f.write(re.search(r"^```lua\n(.*?)^```", guide_text, re.M | re.S)[1])
        code, out, err = run("--device", "emu", "count.lua", cwd=folder)
        check((code, out) == (0, "512\n"), "the script of the guide to CUDA files prints a counter", (code, out, err))
        code, out, err = run("--device", "emu", "hist.cu", "-e", re.search(r"hist.cu -e '(.*?)'", guide_text, re.S)[1], cwd=folder)
        check((code, out) == (0, "32\n"), "and its question on the command line is answered", (code, out, err))
    with open(os.path.join(ROOT, "docs", "reference", "arguments.md"), encoding="utf-8") as f:
        lines = re.search(r"^- .*?\n\n", f.read(), re.M | re.S)[0].split("\n")
    check(len(lines) > 20 and max(map(len, lines)) <= 80, "the arguments of kernels fit 80 columns")


groups = {"lab": (lab_on_h200, lab_on_gtx280, table_of_lab, numbers_stand_once),
          "mistakes": (mistakes, one_after_the_other, bad_definitions), "guide": (guide, script),
          "kinds": (kinds, plotted, claims, promises)}
for group, tests in groups.items():
    if GROUP in ("all", group):
        for test in tests:
            test()
print(f"1..{len(results)}")
sys.exit(0 if all(results) else 1)
