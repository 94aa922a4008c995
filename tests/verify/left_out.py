#!/usr/bin/env python3
"""How far the model of cc 1.x is from a lecture's table if its constants are fitted without that table; by hand:

    left_out.py SCRATCH [MESON OPTION...]

Constants are compiled in, so SCRATCH gets a copy of the source and a build of it for each set of values. What a set
predicts is kept there as tables: use a new folder after a change of the source.

For each constant, one set changes it alone. That gives log(predicted/lecture) of every row as a sum over the constants:
linear in the logarithm of those of CONSTANTS, a table for those of CHOICES, which are whole numbers or rules. A fit
takes the combination of CHOICES and the constants with the least

    sum((log(predicted/lecture) / SPREAD)^2) + sum((log(value / center) / width)^2)

over the rows that are not left out. A center is a value that is known without the lectures if there is one, because the
present value may come from the very rows that are left out. Then the set of each fit is built and run, fitted once
more from there with the same derivatives, and run again. All errors that are printed are of runs. No row but the
reductions' own depends on their length: without them each length counts alike."""
import argparse
import collections
import csv
import itertools
import math
import os
import pathlib
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QUEUEING, TESLA, ADDRESS, CODE = (
    f"src/model/{name}.c" for name in ("queueing", "code/tesla", "code/address", "code/code"))
# text: what is in the file once; put: what replaces it, with the value.
Constant = collections.namedtuple("Constant", "name value center width step path text put")
CONSTANTS = [
    Constant("page", 11.7, 10, 0.2, 12.285, QUEUEING, "#define T_ACT_NS 11.7", "#define T_ACT_NS {:.6g}"),
    Constant("data", 0.8, 0.8, 0.06, 0.84, QUEUEING, "#define DATA_FRACTION 0.8", "#define DATA_FRACTION {:.6g}"),
    Constant("barrier", 60, 60, 1, 90, QUEUEING, "BARRIER_CLOCKS = 60,", "BARRIER_CLOCKS = {:.0f},"),
    Constant("launch", 5, 5, 0.4, 5.5, "src/gpu/gpus.def", ".partition_bytes = 256, .launch_us = 5",
             ".partition_bytes = 256, .launch_us = {:.6g}"),
    Constant("branch", 4, 4, 0.3, 4.4, TESLA, "costs[i].issue += split_cost(f, i);",
             "costs[i].issue += {:.6g}f / 4 * split_cost(f, i);"),
    Constant("address", 4, 4, 0.3, 4.4, ADDRESS, "costs[i].issue += 4;", "costs[i].issue += {:.6g}f;"),
    Constant("operand", 6, 6, 0.1, 6.3, CODE, "others_equal(consumer, reg) ? 5 : 6;",
             "{:.6g}f / 6 * (others_equal(consumer, reg) ? 5 : 6);"),
    Constant("division", 32, 32, 0.2, 36, CODE, "DIVISION_OLD = 32,", "DIVISION_OLD = {:.0f},"),
]
Choice = collections.namedtuple("Choice", "name value others path text put")
CHOICES = [
    Choice("warps", 4, (1, 2, 3, 5, 6, 8), QUEUEING, "WARPS_A_CUSTOMER = 4,", "WARPS_A_CUSTOMER = {},"),
    Choice("length", 20, (19, 21, 22), "lua/gpulab/author/verify.lua", "ELEMENTS <const> = 1 << 20",
           "ELEMENTS <const> = 1 << {}"),
    Choice("kept", 6, (4, 5, 7), ADDRESS, "KEPT = 6,", "KEPT = {},"),
    Choice("least", "blocks", ("0",), QUEUEING, "return n > blocks ? n : blocks;", "return n > {0} ? n : {0};"),
]
NOW = {c.name: c.value for c in CONSTANTS + CHOICES}
SPREAD = 0.08
GROUPS = {"transpositions": "F22.transpose", "reductions": "O24", "products": "F22.matmul", "products, C1060": "CSU"}
CARDS = {"GTX 280": ("transpositions", "reductions", "products"), "Tesla C1060": ("products, C1060",)}
# Predicts the rows of the claims that are named, or all.
SCRIPT = """
local wanted, checks = "%s", require("gpulab.author.verify").checks
for i = #checks, 1, -1 do
  if wanted ~= "" and not (wanted .. " "):find(checks[i].claim .. " ", 1, true) then table.remove(checks, i) end
end
io.stdout:write(require("gpulab.author.claims").predict())"""
NEEDS = {"F22.transpose.tile33": "F22.transpose.naive"}  # for their ratio


# --- running a set of values ---------------------------------------------------------------------------------------

class Bench:
    def __init__(self, scratch, options):
        self.scratch, self.tree = scratch, os.path.join(scratch, "source")
        self.build = os.path.join(self.tree, "build")
        paths = {c.path for c in CONSTANTS + CHOICES}
        self.texts = {path: pathlib.Path(ROOT, path).read_text(encoding="utf-8") for path in paths}
        if not os.path.exists(self.build):
            shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns("build", "build-*", ".git"))
            subprocess.run(["meson", "setup", self.build, self.tree, "-Dbuildtype=release"] + options, check=True,
                           stdout=subprocess.DEVNULL)

    def edit(self, values):
        for path, text in self.texts.items():
            for c in (c for c in CONSTANTS + CHOICES if c.path == path):
                assert text.count(c.text) == 1, f"{path}: {c.text}"
                if values[c.name] != c.value:
                    text = text.replace(c.text, c.put.format(values[c.name]))
            target = pathlib.Path(self.tree, path)
            if target.read_text(encoding="utf-8") != text:
                target.write_text(text, encoding="utf-8")

    def rows(self, values, claims=()):
        """log(predicted/lecture) by claim, of the claims or of all."""
        changed = [f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={value}"
                   for name, value in values.items() if value != NOW[name]]
        name, wanted = ",".join(changed) or "now", " ".join([*claims, *(NEEDS[k] for k in claims if k in NEEDS)])
        kept = os.path.join(self.scratch, name + ".tsv")
        if wanted and not os.path.exists(kept):
            kept = os.path.join(self.scratch, f"{name} {claims[0]}.tsv")
        if not os.path.exists(kept):
            self.edit(values)
            subprocess.run(["ninja", "-C", self.build, "src/gpulab"], check=True, stdout=subprocess.DEVNULL)
            done = subprocess.run([os.path.join(self.build, "src/gpulab"), "--device", "emu", "-e", SCRIPT % wanted],
                                  check=True, capture_output=True, text=True)
            with open(kept, "w", encoding="utf-8") as file:
                file.write(done.stdout)
        with open(kept, encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        return {row["claim"]: math.log1p(float(row["error"]) / 100) for row in rows
                if not re.search(r"\.elements$|\.speedup$", row["claim"])}


# --- fitting ---------------------------------------------------------------------------------------------------------

def solved(matrix, right):
    n, m = len(right), [row[:] + [b] for row, b in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(n):
            if r != i:
                factor = m[r][i] / m[i][i]
                m[r] = [a - factor * b for a, b in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


class Model:
    """log(predicted/lecture) about a set of values that was run."""
    def __init__(self, bench):
        self.now = bench.rows(NOW)
        self.slopes, self.shifts = {}, {(c.name, c.value): dict.fromkeys(self.now, 0) for c in CHOICES}
        for c in CONSTANTS:
            rows = bench.rows({**NOW, c.name: c.step})
            self.slopes[c.name] = {k: (rows[k] - v) / math.log(c.step / c.value) for k, v in self.now.items()}
        for c in CHOICES:
            for other in c.others:
                rows = bench.rows({**NOW, c.name: other})
                self.shifts[c.name, other] = {k: rows[k] - v for k, v in self.now.items()}
        self.claims = list(self.now)

    def linear(self, values, about=None):
        at, rows = about or (NOW, self.now)
        moves = {c.name: math.log(values[c.name] / at[c.name]) for c in CONSTANTS}
        shifts = [(self.shifts[c.name, values[c.name]], self.shifts[c.name, at[c.name]]) for c in CHOICES]
        return {k: rows[k] + sum(self.slopes[name][k] * by for name, by in moves.items())
                + sum(to[k] - back[k] for to, back in shifts) for k in rows}

    def continuous(self, claims, choices, about):
        start = {**(about[0] if about else NOW), **choices}
        rows = self.linear(start, about)
        weight = 1 / SPREAD ** 2
        slopes = [self.slopes[c.name] for c in CONSTANTS]
        off = [math.log(start[c.name] / c.center) for c in CONSTANTS]
        normal = [[weight * sum(a[k] * b[k] for k in claims) + (i == j) / CONSTANTS[i].width ** 2
                   for j, b in enumerate(slopes)] for i, a in enumerate(slopes)]
        right = [-weight * sum(a[k] * rows[k] for k in claims) - off[i] / CONSTANTS[i].width ** 2
                 for i, a in enumerate(slopes)]
        moves = zip(CONSTANTS, solved(normal, right))
        values = {**start, **{c.name: start[c.name] * math.exp(by) for c, by in moves}}
        return self.cost(values, self.linear(values, about), claims), values

    @staticmethod
    def cost(values, rows, claims):
        return (sum((rows[k] / SPREAD) ** 2 for k in claims)
                + sum((math.log(values[c.name] / c.center) / c.width) ** 2 for c in CONSTANTS))

    def fit(self, claims, about=None):
        names = [c.name for c in CHOICES]
        combinations = itertools.product(*([c.value, *c.others] for c in CHOICES))
        if about:
            combinations = [[about[0][name] for name in names]]
        fits = (self.continuous(claims, dict(zip(names, taken)), about) for taken in combinations)
        return min(fits, key=lambda fit: fit[0])[1]


def rounded(values):
    return {name: float(f"{value:.4g}") if isinstance(value, float) else value for name, value in values.items()}


def fitted_and_run(model, bench, claims):
    """Values, and the rows as predicted with them: the better on the claims of a fit and of one more from there."""
    runs, about = [], None
    for _ in range(2):
        values = rounded(model.fit(claims, about))
        about = values, bench.rows(values)
        runs.append((model.cost(values, about[1], claims), about))
    return min(runs, key=lambda run: run[0])[1]


# --- tables ----------------------------------------------------------------------------------------------------------

def rms(errors):
    return 100 * math.sqrt(sum(math.expm1(e) ** 2 for e in errors) / len(errors))


def of(rows, claims):
    return [rows[k] for k in claims]


def moved(values):
    say = [f"{c.name} {values[c.name]:.3g}" for c in CONSTANTS if abs(math.log(values[c.name] / c.value)) > 0.03]
    return ", ".join(say + [f"{c.name} {values[c.name]}" for c in CHOICES if values[c.name] != c.value]) or "none"


def lengths(bench, values, rows, claims):
    """The rows of left-out reductions with each length, since no other row depends on it: [{claim: log}]."""
    length, = (c for c in CHOICES if c.name == "length")
    return [rows] + [bench.rows({**values, "length": other}, claims) for other in length.others]


def line(*cells):
    print("| " + " | ".join(cells) + " |")


def head(*cells):
    line(*cells)
    print("|---" * len(cells) + "|")


def print_tables(bench, model, groups, every, alone):
    head("left out", "rows", "as it is", "fitted to all rows", "left out", "constants without it")
    blind = {}  # by claim: one error, or one for each length
    for name, claims in groups.items():
        values, rows = fitted_and_run(model, bench, [k for k in model.claims if k not in claims])
        variants = lengths(bench, values, rows, claims) if name == "reductions" else [rows]
        blind.update({k: [variant[k] for variant in variants] for k in claims})
        left = [f"{rms(of(variant, claims)):.1f} %" for variant in variants]
        line(name, str(len(claims)), f"{rms(of(model.now, claims)):.1f} %", f"{rms(of(every, claims)):.1f} %",
             ", ".join(left), moved(values))
    for card, names in CARDS.items():
        claims = [k for name in names for k in groups[name]]
        pooled = math.sqrt(sum(rms(blind[k]) ** 2 for k in claims) / len(claims))
        line(card, str(len(claims)), f"{rms(of(model.now, claims)):.1f} %", f"{rms(of(every, claims)):.1f} %",
             f"{pooled:.1f} %, each row alone {rms([alone[k][1] for k in claims]):.1f} %", "")
    print()
    head("row", "as it is", "fitted to all rows", "its table left out", "it alone left out", "constants without it")
    for k in model.claims:
        errors = model.now[k], every[k], blind[k][0], alone[k][1]
        line(k, *(f"{100 * math.expm1(e):+.1f} %" for e in errors), moved(alone[k][0]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scratch")
    options, meson = parser.parse_known_args()
    bench = Bench(os.path.abspath(options.scratch), meson)
    model = Model(bench)
    groups = {name: [k for k in model.claims if k.startswith(begin)] for name, begin in GROUPS.items()}
    everything, every = fitted_and_run(model, bench, model.claims)
    alone = {}
    for k in model.claims:
        values = rounded(model.fit([other for other in model.claims if other != k]))
        alone[k] = values, bench.rows(values, [k])[k]
    print_tables(bench, model, groups, every, alone)
    print(f"\nfitted to all rows: {moved(everything)}\n")
    head("change of log(predicted) by that of log(constant)", *(c.name for c in CONSTANTS))
    for k in model.claims:
        line(k, *(f"{model.slopes[c.name][k]:+.2f}" for c in CONSTANTS))


if __name__ == "__main__":
    main()
