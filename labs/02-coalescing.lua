-- Lab 2: how the 32 accesses of a warp become sectors and transactions of global memory, generation by generation.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local BLOCK <const>, PERIOD <const> = 256, 4096 -- the contents of buffers repeat after PERIOD elements

local function blocks(p) return (p.n + BLOCK - 1) // BLOCK end

-- An array of count elements, value(i) for element i, where that repeats after PERIOD.
local function periodic(count, value)
  local one = gpu.array("float", PERIOD)
  for i = 0, PERIOD - 1 do one[i] = value(i) end
  return one:cycle(count)
end

local function counting(i) return i % PERIOD end

local function expected(value)
  return function(p) return periodic(p.n, function(i) return value(i, p) end) end
end

-- What an old GPU's model predicts: one column per GPU.
local function past(name)
  return { header = { "model", name, "GB/s" }, of = function(record)
    for _, row in ipairs(record.models) do
      if row.gpu == name and row.rate then return row.rate.number end
    end
  end }
end

local COLUMNS <const> = { "sectors", past "8800 GTX", past "GTX 280", "rate", "share", "verified" }

-- Sectors by the rule since cc 6.0; older GPUs count segments and lines.
local function sectors(count)
  if not count then return nil end
  return { global_load = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = count } }
end

local steps = {}

local function step(made)
  made.kernel = { file = made.file or "coalesce.cu", name = made.kernel }
  made.file = nil
  made.grid, made.block, made.output = blocks, BLOCK, "out"
  made.expect, made.sectors = sectors(made.sectors), nil
  made.useful_bytes = made.useful_bytes or function(p) return 8 * p.n end
  steps[#steps + 1] = made
end

-- Offset ------------------------------------------------------------------------------------------

local function offset(k, more)
  more.id, more.group, more.kernel = more.id or "offset" .. k, "offset", "offset"
  more.title = more.title or ("x[i + %d]"):format(k)
  more.args = { "out", "x", type(k) == "number" and k or "offset", "n" }
  more.reference = expected(function(i, p) return counting(i + (type(k) == "number" and k or p.offset)) end)
  step(more)
end

offset(0, { claims = { "O24.coalesce.aligned" }, sectors = 4, text = [[
A copy: thread i reads x[i]. The 32 threads of a warp read 128 consecutive, aligned bytes. Current GPUs move memory in
sectors of 32 bytes, so four are enough: the access is coalesced. On cc 1.x each half-warp is a request: 64 bytes, one
transaction. This row is the baseline. On a large GPU the copy does not reach the memory's limit: each thread has only
one load in flight (lab 11). So a later step that moves twice the bytes may keep more than half of this rate.]] })
offset(1, { claim = "O24.coalesce.unaligned_old", claims = { "O24.cache.fermi" }, text = [[
Every read is shifted by one element. On the 8800 GTX, thread k had to read word k of an aligned segment. Otherwise each
thread got its own 32-byte transaction: reading took eight times the bytes, reading and writing 4.5 times. The GTX 280
needs one 128-byte transaction, or two where the half-warp crosses a 128-byte boundary. On a current GPU, count the
sectors that the warp touches. What it does not use of them, the next warp usually finds in a cache: the copy hardly
slows down.]],
  predict = { ask = "A warp reads 128 bytes, 4 bytes off a sector boundary. How many sectors does it touch?",
    of = "global_load", unit = "sectors" } })
offset(8, { claim = "O24.coalesce.unaligned", sectors = 4, text = [[
Eight elements are 32 bytes, so a sector starts at x[8], and the warp touches four sectors again. For the GTX 280 the
access is still misaligned: a half-warp's 64 bytes do not start at a multiple of 64. It needs one 128-byte transaction,
or two of 32 bytes where it crosses a 128-byte boundary.]] })
offset(16, { claims = { "O24.coalesce.aligned" }, sectors = 4, text = [[
Sixteen elements are 64 bytes, the share of one half-warp. The access is aligned again on cc 1.x, so even the 8800 GTX
coalesces it.]] })
offset("own", { id = "shifted", claims = { "O24.coalesce.unaligned" },
  title = function(p) return ("own: x[i + %d]"):format(p.offset) end, text = [[
Choose your own offset, for example `set offset=5`, then `run shifted`. `plot offset` redraws the slide's plot for
offsets 0 to 16, for your GPU. After `model 8800 GTX` plots also draw a GPU below cc 1.2.

Note on the slide: its curves have no names. Those of the next slide are a GTX 280 and a Quadro FX 5600, so the lower
one is probably the latter. The nearest model here is the 8800 GTX, which has the same chip.]] })

-- Stride ------------------------------------------------------------------------------------------

-- No more threads than this: the buffer has 32 elements per thread.
local function fewer(p) return { n = math.min(p.n, 1 << 21) } end

local function stride(k, more)
  more.id, more.group, more.kernel, more.with = more.id or "stride" .. k, "stride", "stride", fewer
  more.title = more.title or ("x[i * %d]"):format(k)
  more.args = { "out", "far", type(k) == "number" and k or "stride", "n" }
  more.reference = expected(function(i, p) return counting(i * (type(k) == "number" and k or p.stride)) end)
  step(more)
end

stride(1, { sectors = 4, claims = { "O24.coalesce.strided" }, text = [[
Every element: the copy again, as the baseline of this table. It uses at most two million threads, because the next
steps skip elements and the buffer has to fit in the memory of any GPU.]] })
stride(2, { sectors = 8, claim = "O24.coalesce.strided", text = [[
Every second element. Each request touches twice as many sectors, and half of each sector is unused. A cache does not
help, because no thread needs the other half. The GTX 280 moves 12 bytes where the copy moves 8. A large current GPU
may lose less here: the launch is too short to reach its full bandwidth, and the results, 8 MB at most, stay in L2
while the kernel runs. In `debug stride2`, `until 18` and `view` show which lanes share a sector.]] })
stride(8, { sectors = 32, claims = { "O24.coalesce.strided" }, text = [[
Every eighth element, a stride of 32 bytes. Counted in sectors, larger strides cost no more, but DRAM can move more than
a sector. From the A100 on, L2 caches fetch 64 bytes by default (cudaLimitMaxL2FetchGranularity), and Fermi's L1 caches
fetch lines of 128. There the rate drops further, up to a stride of 16 (`plot stride`) or 32. On the GTX 280 it drops
at 16, where a 128-byte segment has two used words, and rises at 32 (`set stride=32`): a segment with one shrinks to
32 bytes.]],
  predict = { ask = "A warp reads every eighth float. How many 32-byte sectors does it touch?", of = "global_load",
    unit = "sectors" } })
stride("own", { id = "strided", claims = { "O24.coalesce.strided" },
  title = function(p) return ("own: x[i * %d]"):format(p.stride) end, text = [[
Choose your own stride, for example `set stride=18`, then `run strided`. `plot stride` draws strides 1 to 18, as the
slide does. If your program needs such an access, store the data in another order (next table), or load whole rows
into shared memory and pick the elements there.]] })

-- Order -------------------------------------------------------------------------------------------

local function flip(bits, id, title, more)
  more.id, more.group, more.kernel, more.title, more.sectors = id, "order", "flip", title, 4
  more.args = { "out", "x", bits, "n" }
  more.reference = expected(function(i) return counting(i ~ bits) end)
  more.claims = { "O24.coalesce.permuted" }
  step(more)
end

flip(0, "ordered", "in order", { text = [[
Lane k of a warp reads word k. This row is the baseline for the table.]] })
flip(1, "swapped", "pairs swapped", { text = [[
Adjacent threads swap words. The four sectors are the same. The 8800 GTX requires thread k at word k, and falls back
to one transaction per thread. From cc 1.2 on only the set of segments counts, not which thread needs which word.]] })
flip(31, "reversed", "reversed", { text = [[
The words of each warp in reversed order, from the last to the first: still the same four sectors.]] })
flip(21, "permuted", "permuted", { text = [[
An arbitrary order within the 128 bytes: bits 0, 2, and 4 of the index are flipped. Compare its sectors and its rate
with those of step `ordered`.]] })

-- Structures --------------------------------------------------------------------------------------

local function structure(more)
  more.group, more.file = "structures", "structures.cu"
  more.claims = { "O24.coalesce.structures" }
  step(more)
end

local function all_three(p) return 16 * p.n end -- three words read, one written
local function x_of(i) return counting(i) end
local function y_of(i) return counting(2 * i + 1) end
local function z_of(i) return counting(3 * i + 2) end

structure {
  id = "structures", title = "AoS, x + y + z", kernel = "structures", args = { "out", "points", "n" },
  sectors = 12, useful_bytes = all_three,
  reference = expected(function(i) return counting(3 * i) + counting(3 * i + 1) + counting(3 * i + 2) end),
  predict = { ask = "A warp reads x of 32 points of 12 bytes. How many 32-byte sectors is that?", of = "global_load",
    unit = "sectors" },
  text = [[
Points with three components, stored one after the other: an array of structures (AoS). The threads of a warp read
points[i].x with a stride of 12 bytes, so the 128 bytes they need are spread over 384. The loads of y and z then
touch the same sectors again. On the GTX 280 each of the three loads pays in full. With an L1 or L2 cache, the second
and third load find their sectors there and cost only the additional cache accesses.]],
}
structure {
  id = "arrays", title = "SoA, x + y + z", kernel = "arrays", args = { "out", "xs", "ys", "zs", "n" },
  sectors = 4, useful_bytes = all_three,
  reference = expected(function(i) return x_of(i) + y_of(i) + z_of(i) end),
  text = [[
The same points as a structure of arrays (SoA): one array per component, so every load is coalesced. By our models
this is twice as fast on the GTX 280 and six times as fast on the 8800 GTX. With caches, expect little gain as long as
you need all three components at the same time, as here.]],
}
structure {
  id = "structures-one", title = "AoS, only y", kernel = "structures_one", args = { "out", "points", "n" },
  sectors = 12, reference = expected(function(i) return counting(3 * i + 1) end),
  text = [[
What if you need only one component? From the array of structures all three are fetched, and two thirds of the bytes
are unused. No cache can help. Counting bytes, 16 per point instead of 8, this is half the rate of the next step,
`arrays-one`, or more if that step does not reach the memory's limit. How much does your GPU keep? Divide the
two rates once it has run; the column “vs. SoA” compares with the sum of all three.]],
}
structure {
  id = "arrays-one", title = "SoA, only y", kernel = "arrays_one", args = { "out", "ys", "n" }, sectors = 4,
  reference = expected(y_of),
  text = [[
From the structure of arrays only y is read. Compare with `structures-one`, which also reads only y: this step is
faster on every GPU generation. Its rate need not be that of `arrays`: each thread loads one word instead of three, and
an H200 starts blocks no faster for that (`why arrays-one`). But you have to choose the layout where the data are
created.

Note on the slide: “Scattered memory access” is about irregular access, as in sparse matrices and graph processing.
Points are a strided example of its advice to consider a different data structure.]],
}
structure {
  id = "wide", title = "AoS of float4", kernel = "wide_structures", args = { "out", "quads", "n" },
  sectors = 16, useful_bytes = all_three,
  reference = expected(function(i) return counting(4 * i) + counting(4 * i + 1) + counting(4 * i + 2) end),
  text = [[
If you have to keep structures, declare them as `float4`, or as a struct with `__align__(16)`: a thread then reads all
four words with one 16-byte load. (A plain struct of four floats is aligned to 4 bytes only and is read word by word.)
A quarter of the loaded bytes is padding, but there is one request instead of three. With L1 the padding may cost more
than the requests did: compare with `structures`, the AoS of three floats. The rate counts the three words that are
used.]],
}

-- Caches ------------------------------------------------------------------------------------------

local sum_of_three = expected(function(i) return counting(i) + counting(i + 1) + counting(i + 2) end)

local function three(id, title, kernel, claims, text)
  step { id = id, group = "cache", title = title, kernel = kernel, claims = claims, text = text,
    args = { "out", "x", "n" }, reference = sum_of_three }
end

three("plain", "plain loads", "three", { "O24.cache.volta", "O24.cache.fermi", "O24.cache.fermi_use" }, [[
x[i] + x[i + 1] + x[i + 2]: three threads need each element. Without a cache it is read three times, and two of the
three loads are misaligned; see the old GPUs' models. Since Fermi there are two levels of cache, which help most where
accesses are unpredictable or shared memory is not used. Whether a plain load uses L1 depends on the generation (step
`caches`); since Volta it does. Expect small differences. The rate counts each element as read once and written once.

Note on the slide: it says that L1 is for read-only buffers, which was so on Maxwell. Since Volta L1 also holds
written data and writes them through.]])
three("restrict", "const __restrict__", "three_restrict", { "O24.cache.read_only" }, [[
With const and __restrict__ the compiler knows that the kernel does not write to x, and may use the read-only path
(`ld.global.nc` in the PTX). On cc 3.5, 5.x, and 6.1, where plain global loads bypass L1 by default, this was the
usual way to get them cached in the SM. Since Volta both paths use the same cache. The promise still helps the
compiler: it may keep values in registers and move loads ahead of stores.]])
three("ldg", "__ldg()", "three_ldg", { "O24.cache.read_only" }, [[
The same path, requested per load: for cases where you know that the data are read-only but the compiler cannot prove
it. The lecture adds that the read-only cache of cc 3.5 to 6.0 is slower than Fermi's L1.]])
three("ldcg", "L2 only, __ldcg()", "three_cg", { "O24.cache.kepler" }, [[
These loads bypass L1, as all global loads did on Kepler (cc 3.0). The second and third read of an element go to L2,
which offers an SM less bandwidth than L1 but more than DRAM. Fermi let you choose this for a whole program (-Xptxas
-dlcm=cg). The lecture says that L1 may be turned off to avoid overfetching: L1 fetched whole lines. If a line is
evicted before its other words are used, it is fetched again: as slow as without a cache, or slower.]])

-- Background -----------------------------------------------------------------------------------------

-- The board whose datasheet gives the slide's number, or comes closest to it: TFLOPS of FP32 FMAs (or MADs), GB/s.
local BOARDS <const> = {
  { "GT200", "Tesla C1060", 2 * 240 * 1.296e-3, 102.4 },
  { "GF100", "GTX 480", 2 * 480 * 1.401e-3, 177.4 },
  { "GK110", "GTX Titan, base clock", 2 * 2688 * 0.837e-3, 288.4 },
  { "GM200", "GTX Titan X, base clock", 2 * 3072 * 1.000e-3, 336.5 },
  { "GP100", "P100, base clock", 2 * 3584 * 1.328e-3, 720 },
  { "GV100", "V100, as announced", 15.0, 900 },
  { "TU102", "RTX 2080 Ti, base clock", 2 * 4352 * 1.350e-3, 616 },
  { "GA100", "A100 40 GB", 19.5, 1555 },
  { "AD102", "RTX 4090, base clock", 2 * 16384 * 2.235e-3, 1008 },
  { "GH100", "H100 SXM", 66.9, 3350 },
  { "GH100_tensor", "H100 SXM, TF32, sparse", 989, 3350 },
}

local FLOPS_NOTE <const> = [[
Operations per float of 4 bytes from memory: peak TFLOPS over a quarter of the bandwidth. The slide names no boards;
we picked the board whose datasheet comes closest, for the first row the Tesla C1060 (a GTX 280 gives 18). The slide's
last three numbers do not follow from datasheets per float: they are operations per byte. In addition, 295 counts the
tensor cores with sparse matrices, where half of the work is skipped. Per float they would be about 290, 80, and, for
dense matrices, 590. The lecture of 2010 gives ranges over the GPUs of its time: 1 to 30 SMs, 19.2 to 1345 GFLOPS, and
6.4 to 177 GB/s on a bus of 64 to 512 bits.]]

local function number(value) return tonumber(("%.3g"):format(value)) end

-- The row of this device, if its GPU is among the models.
local function own_row(device)
  for _, model in ipairs(gpu.models()) do
    if model.name == device.model then
      local tflops = 2 * model.sms * model.fp32_lanes * model.shader_ghz / 1000
      return { "yours", model.name, number(tflops), model.dram_gbps + 0.0, false,
        number(tflops * 4000 / model.dram_gbps), number(tflops * 1000 / model.dram_gbps) }
    end
  end
end

local flops_claims = {}
for i, board in ipairs(BOARDS) do flops_claims[i] = "O24.flops." .. board[1] end
local figures_claims = { "F10.gpus", table.unpack(flops_claims) }

steps[#steps + 1] = {
  id = "flops", group = "figures", title = "operations per float transferred", claims = figures_claims,
  text = [[
How many operations does a kernel need per float it reads before memory is no longer the bottleneck? The slide gives a
number per chip to show that memory bandwidth is low relative to arithmetic throughput. The table computes these
numbers again from datasheets, and adds your GPU, or the one that is modeled.

Note on the slide: its numbers are lower bounds (“> 24”); the table shows the bound itself.]],
  figure = function(_, device)
    local rows = {}
    for i, board in ipairs(BOARDS) do
      local chip, name, tflops, gbps = table.unpack(board)
      rows[i] = { (chip:gsub("_", ", ")), name, number(tflops), gbps + 0.0, lecture.find(flops_claims[i]).value,
        number(tflops * 4000 / gbps), number(tflops * 1000 / gbps) }
    end
    rows[#rows + 1] = own_row(device)
    return { columns = { "chip", "board", "TFLOPS", "GB/s", "slide", "per\nfloat", "per\nbyte" }, rows = rows,
      note = FLOPS_NOTE }
  end,
}

-- The cache of global loads in the SM, by generation.
local CACHES <const> = {
  { "1.x", "GTX 280", "none", "none" },
  { "2.x", "GTX 480", "L1, with shared memory, 64 KB", "lines of 128" },
  { "3.0", "GTX 680", "none (L1 for local memory only)", "sectors of 32" },
  { "3.5", "Tesla K40", "read-only, 48 KB (L1: local memory)", "sectors of 32" },
  { "5.x", "GTX 980", "read-only data cache, with textures", "sectors of 32" },
  { "6.0", "P100", "L1, with textures, 24 KB", "sectors of 32" },
  { "7.0", "V100", "L1, with shared memory, 128 KB", "sectors of 32" },
  { "8.0", "A100", "L1, with shared memory, 192 KB", "sectors of 32" },
  { "9.0", "H200", "L1, with shared memory, 256 KB", "sectors of 32" },
}

local CACHES_NOTE <const> = [[
On Fermi and Kepler, L1 and shared memory divide 64 KB (128 KB on cc 3.7): 16 + 48 or 48 + 16, on Kepler also 32 + 32.
On the K40 (cc 3.5) and on cc 3.7, 5.2, and 6.1, -Xptxas -dlcm=ca enables L1 for global loads. From cc 6.0 on a line
has 128 bytes but is filled by sectors: only the sectors that a warp requests are fetched from L2. Note on the slides:
the one on Fermi has L1 lines of 256 bytes; the lecture of 2010 has 128, which is right. The 2024 slide also says that
local memory has no L1 from cc 3.5 on; that came with Maxwell (5.0). The slide's L2 of up to 1.5 MB is the GK110's
(cc 3.5); GPUs of cc 3.0 have at most 512 KB.]]

local function size_of_l2(name)
  for _, model in ipairs(gpu.models()) do
    if model.name == name then
      if model.l2_bytes == 0 then return "none" end
      return model.l2_bytes < 1 << 20 and ("%d KB"):format(model.l2_bytes >> 10)
        or ("%.4g MB"):format(model.l2_bytes / (1 << 20))
    end
  end
  return "?"
end

steps[#steps + 1] = {
  id = "caches", group = "figures", title = "caches of global memory by generation",
  claims = { "O24.cache.fermi_l1", "F10.cache.fermi_l1", "O24.cache.fermi_l2", "O24.cache.fermi_sizes",
    "O24.cache.kepler", "O24.cache.kepler_l2", "O24.cache.read_only", "O24.cache.volta" },
  text = [[
How the caches between an SM and DRAM have changed. cc 1.x had none for global memory. Each generation since then has
arranged them differently, so advice about caches ages quickly.

What to remember: a warp pays for the sectors it touches, not for the bytes it uses. Let consecutive threads access
consecutive addresses. Which lane reads which word of these sectors is free. Caches hide small misalignments, but not
unused bytes.]],
  figure = function()
    local rows = {}
    for i, row in ipairs(CACHES) do
      rows[i] = { row[1], row[2], row[3], row[4], size_of_l2(row[2]) }
    end
    return { columns = { "cc", "GPU", "in the SM", "bytes fetched", "L2" }, rows = rows, note = CACHES_NOTE }
  end,
}

-- Exercises ---------------------------------------------------------------------------------------

local function side(p) return p.size end
local function square(p) return p.size * p.size end

local exercises = {
  {
    id = "coalesced", title = "Which index follows threadIdx.x?", claims = { "O24.coalesce.aligned" },
    task = [[
The kernel halves the elements of a matrix, but the 32 threads of a warp work in 32 different rows. Change the
indexing so that a warp's accesses are coalesced: no more sectors than their bytes fill. Keep the launch.]],
    starter = "exercises/02-coalesced/coalesced.cu", solution = "solutions/02-coalesced/coalesced.cu", kernel = "damp",
    grid = function(p) return { p.size // 32, p.size // 8 } end, block = { 32, 8 }, args = { "damped", "field", side },
    output = "damped", columns = side, sizes = { 512, 160, 96, 32 },
    accept = { load_sectors = 1, global_store_sectors = 1 },
    reference = function(_, host)
      local want = gpu.array("float", #host.field)
      for i = 0, #want - 1 do want[i] = host.field[i] / 2 end
      return want
    end,
    hints = {
      "Threads with neighboring threadIdx.x are in one warp. Where are their elements in memory?",
      "Elements of one row are contiguous in memory. Should the row or the column depend on threadIdx.x?",
      "Compute the column from blockIdx.x and threadIdx.x, and the row from blockIdx.y and threadIdx.y.",
    },
    debrief = [[
The result and the number of threads are the same. A GPU without caches moves an eighth of the bytes; because of DRAM
row misses and partition camping (lab 4) the gain is larger still. In C the last index is contiguous in memory; in CUDA
threadIdx.x is contiguous in the warp. Matching the two is the first thing to check in any kernel.]],
  },
  {
    id = "bytes", title = "Vectorized access to bytes", claims = { "O24.coalesce.aligned", "O24.coalesce.words" },
    task = [[
The kernel computes the negative of an image of bytes. Each thread handles four bytes one by one, so each warp makes
four load requests for the same 128 bytes, and four store requests. Use at most one load and one store per thread, of
four bytes or more, and leave no lane of a working warp idle.]],
    starter = "exercises/02-bytes/bytes.cu", solution = "solutions/02-bytes/bytes.cu", kernel = "negative",
    grid = function(p) return p.size // 4 // BLOCK end, block = BLOCK, args = { "inverted", "photo" },
    output = "inverted", sizes = { 256 * 4 * BLOCK, 61 * 4 * BLOCK, 4 * BLOCK },
    accept = { by_block = false, -- a quarter of the blocks may move 16 bytes per thread
      loads_per_thread = { at_most = 1 }, stores_per_thread = { at_most = 1 }, working_lanes = 0.85 },
    advice = "Let every thread load and store its own four bytes at once.",
    reference = function(_, host)
      local want = gpu.array("unsigned char", #host.photo)
      for i = 0, #want - 1 do want[i] = 255 - host.photo[i] end
      return want
    end,
    hints = {
      "The four bytes of a thread are consecutive. Which CUDA types have four bytes?",
      "uchar4 has four bytes x, y, z, and w. You can cast the pointers to uchar4 pointers.",
      "uchar4 b = ((const uchar4 *)in)[i]; and the same for the store, with make_uchar4(255 - b.x, ...).",
    },
    debrief = [[
Each request costs an instruction and a slot in the memory pipeline, however many bytes it moves, so a few wide
requests beat many narrow ones. Wide (vectorized) access needs alignment: the address of a uchar4 must be a multiple
of 4, that of a float4 of 16, or the kernel faults. Requests of 16 bytes per thread are split: on cc 1.x into two
128-byte transactions per half-warp, since Fermi by quarter-warp. By the way, 255 - b for all four bytes at once is
~word, on an unsigned. The lecture, too, asks for large words on cc 1.x: a half-warp that reads bytes uses 16 bytes of
its transaction of 32.]],
  },
  {
    id = "aos", title = "Array of structures through shared memory", claims = { "O24.coalesce.structures" },
    task = [[
The points are stored as x, y, z, x, y, z, and this layout must stay. Load the block's 768 floats coalesced into
shared memory first, then let each thread pick its own point: 4 sectors per request, and no bank
conflicts.]],
    starter = "exercises/02-aos/aos.cu", solution = "solutions/02-aos/aos.cu", kernel = "lengths",
    grid = function(p) return p.size // BLOCK end, block = BLOCK, args = { "squares", "cloud" }, output = "squares",
    sizes = { 64 * BLOCK, 61 * BLOCK, BLOCK },
    reference = function(p, host)
      local want = gpu.array("float", p.size)
      for i = 0, p.size - 1 do
        local x, y, z = host.cloud[3 * i], host.cloud[3 * i + 1], host.cloud[3 * i + 2]
        want[i] = x * x + y * y + z * z
      end
      return want
    end,
    tolerance = { relative = 1e-6 },
    accept = { load_sectors = 1, global_store_sectors = 1, bank_conflicts = 1, wavefronts = 1.25, staged = 0.7,
      thread_stored = 1 },
    hints = {
      "A block's 256 points are 768 consecutive floats. Ignore which component a float is while you load it.",
      "Three iterations: thread t loads the floats t, t + 256, and t + 512 of the block into shared memory. Then a "
        .. "barrier.",
      "__shared__ float block[768]; filled by block[k] = points[768 * blockIdx.x + k] for k = threadIdx.x, + 256, "
        .. "+ 512; after __syncthreads() the thread's point starts at block[3 * threadIdx.x].",
    },
    debrief = [[
In shared memory only the banks matter. A stride of three words is odd, so it uses all banks: no conflict (lab 3). The
tiles of lab 4 use the same pattern: load in the order that coalesces, then pick in the order that the computation
needs. On a GPU with an L1 cache the gain is smaller, because the cache already delivers the second and third load.]],
  },
}

return lab.define {
  number = 2,
  id = "coalescing",
  title = "Coalesced access to global memory",
  lecture = { "O24", "F10" },
  intro = [[
Global memory has a latency of hundreds of cycles, and far less bandwidth than shared memory (the lecture: an order of
magnitude). The threads of a warp access it together. The warp pays for the aligned segments it touches, not for the
bytes it uses: sectors of 32 bytes since Kepler, L1 lines of 128 bytes on Fermi, transactions of 32, 64, or 128 bytes
per half-warp on compute capability (cc) 1.x.

The kernels here differ in the addresses they read. The tables also show our models' predictions for an 8800 GTX
(2006) and a GTX 280 (2008). Caches hide small misalignments, but not unused bytes.]],
  params = {
    n = { default = 1 << 23, emulator = 1 << 20, small = 1 << 13, min = 1024, max = 1 << 27, multiple = 1024,
      help = "threads, and elements copied", because = "the steps on order need whole warps" },
    offset = { default = 3, min = 0, max = 32, help = "offset in elements of the step shifted" },
    stride = { default = 3, min = 1, max = 32, help = "stride in elements of the step strided" },
  },
  buffers = {
    x = { type = "float", count = function(p) return p.n + 32 end,
      fill = function(p) return periodic(p.n + 32, counting) end },
    far = { type = "float", count = function(p) return p.n * 32 end,
      fill = function(p) return periodic(p.n * 32, counting) end },
    points = { type = "float", count = function(p) return p.n * 3 end,
      fill = function(p) return periodic(p.n * 3, counting) end },
    quads = { type = "float", count = function(p) return p.n * 4 end,
      fill = function(p) return periodic(p.n * 4, counting) end },
    xs = { type = "float", count = "n", fill = function(p) return periodic(p.n, x_of) end },
    ys = { type = "float", count = "n", fill = function(p) return periodic(p.n, y_of) end },
    zs = { type = "float", count = "n", fill = function(p) return periodic(p.n, z_of) end },
    out = { type = "float", count = "n" },
    -- for the exercises
    field = { type = "float", count = square, fill = "random", seed = 7 },
    damped = { type = "float", count = square },
    photo = { type = "unsigned char", count = side, fill = "random", seed = 2 },
    inverted = { type = "unsigned char", count = side },
    cloud = { type = "float", count = function(p) return 3 * p.size end, fill = "random", seed = 2 },
    squares = { type = "float", count = side },
  },
  groups = {
    { id = "offset", title = "offset", baseline = "offset0", share = "of x[i]", columns = COLUMNS },
    { id = "stride", title = "stride", baseline = "stride1", share = "of x[i]", columns = COLUMNS },
    { id = "order", title = "lane order", baseline = "ordered", share = "of ordered", columns = COLUMNS },
    { id = "structures", title = "array of points", baseline = "arrays", share = "of SoA", columns = COLUMNS },
    { id = "cache", title = "caches", baseline = "plain", share = "of plain", columns = COLUMNS },
    { id = "figures", title = "background" },
  },
  steps = steps,
  plots = {
    { id = "offset", title = "Rate of a copy over its offset",
      claims = { "O24.coalesce.unaligned", "O24.coalesce.unaligned_old", "O24.cache.fermi" },
      x = { param = "offset", from = 0, to = 16, step = 1, label = "offset in elements" }, steps = { "shifted" },
      y = "rate", y_label = "GB/s", y_log = true, text = [[
The slide's two curves: GPUs below cc 1.2 are slow at every offset but 0 and 16, those from 1.2 on lose about a
quarter. On GPUs with caches the curve is nearly flat.]] },
    { id = "stride", title = "Rate of a copy over its stride", claims = { "O24.coalesce.strided" },
      x = { param = "stride", from = 1, to = 18, step = 1, label = "stride in elements" }, steps = { "strided" },
      y = "rate", y_label = "GB/s", y_log = true, text = [[
The larger the stride, the smaller the used part of each sector, until each element needs a sector of its own at a
stride of 8. On the GTX 280, on Fermi, and from the A100 on the curve falls further up to 16: more than one sector is
fetched per element.]] },
  },
  exercises = exercises,
}
