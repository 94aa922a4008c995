-- Lab 11: memory and pipeline latency, and how many warps or how much independent work per thread hides it.
local lab = require "gpulab.lab"

local THREADS <const>, ITEMS <const>, WARPS <const> = 128, 16, 4 -- as in kernels/latency.cu; warps per block
local TILE <const> = THREADS * ITEMS * 4 -- floats that a block copies in accesses of 16 bytes
local FAR <const>, NEAR <const>, WORDS <const>, STRIDE <const> = 1 << 20, 1 << 12, 2048, 1056 -- of the chains

-- GPUs as data ------------------------------------------------------------------------------------

-- What launches depend on, of the GPU that a step is about to run on: its SMs, the shared memory per SM, what each
-- block takes of it in addition, and the most that a block can have.
local at_hand = { sms = 132, room = 228 << 10, kept = 1024, at_most = 227 << 10 }

local function look_at(device)
  local model = device and device.model and gpu.model(device.model)
  at_hand.sms = device and device.sms or at_hand.sms
  if not model then return end
  at_hand.room, at_hand.kept = model.shared_per_sm, math.max(model.shared_reserved, 512)
  at_hand.at_most = model.shared_per_block - (model.tesla_isa and 512 or 0)
end

-- Bytes of shared memory with which per_sm blocks fit on an SM, and no more.
local function share(p)
  return math.max(0, math.min(at_hand.at_most, at_hand.room // p.per_sm // 512 * 512 - at_hand.kept))
end

-- Called before every step, with the device it runs on.
local function with(more)
  return function(_, device)
    look_at(device)
    return more or {}
  end
end

local function threads(p) return at_hand.sms * p.per_sm * THREADS end

local function warps(p) return WARPS * p.per_sm end

local steps = {}

-- One dependency chain ----------------------------------------------------------------------------

-- Nanoseconds and cycles per operation of the dependency chain.
local function each(record, p)
  if not record.times then return nil end
  local model = record.report and gpu.model(record.report.rules)
  local ns = record.times.ms * 1e6 / p.length
  if record.times.kind == "predicted" and model then ns = ns - model.launch_us * 1e3 / p.length end
  local ghz = record.times.clock_ghz or model and model.shader_ghz
  return ghz and ("%.3g ns, %.0f cycles per operation"):format(ns, ns * ghz)
    or ("%.3g ns per operation"):format(ns)
end

local function length(p) return p.length end

local function chase(id, title, kernel, of)
  of.group, of.id, of.title = "alone", id, title
  of.kernel = { file = "latency.cu", name = kernel }
  of.grid, of.block, of.output = 1, of.block or 1, of.args[1]
  of.useful_ops, of.detail = length, each
  steps[#steps + 1] = of
end

local function end_of_chain(words)
  return function(p)
    local one = gpu.array("unsigned", 1)
    one[0] = p.length * STRIDE % words
    return one
  end
end

chase("global", "global memory", "chase", { args = { "last", "far", "length" }, reference = end_of_chain(FAR),
  claims = { "F10.latency.global", "O24.latency.cycles" },
  predict = { ask = "A single thread chases pointers through memory. How many cycles does each load take?",
    unit = "cycles", within = 30, of = function(record)
      local cycles = (each(record, record.params) or ""):match("(%d+) cycles")
      return tonumber(cycles)
    end },
  text = [[
Pointer chasing: one thread, and each element holds the index of the next. No load can issue before the previous one
returns, and each element is in a separate cache line, so the time per load is the latency of DRAM. If measured, the
line below the row also contains the launch. In `debug global`, `step 4` and `view` show the one lane that works.
Compare the GTX 280 with the H200 in table `little`: the time in nanoseconds is nearly the same. The H200 needs more
cycles for it, because its cycles are shorter. GPUs gained parallelism, not shorter latency.

Note on the slide: 400 to 600 cycles holds for the GTX 280; table `little` has 300 to 700 for later GPUs.]] })
chase("l1", "L1 cache", "chase", { args = { "last", "near", "length" }, reference = end_of_chain(NEAR),
  claims = { "F10.latency.in_order" }, text = [[
The same over a 16 KB working set. After the first traversal, L1 holds all of it on GPUs that cache global loads in
L1. A hit takes about 30 cycles or more (28 to 40 on V100, A100, RTX 4090 and H200), far more than on a CPU; the cache
saves bandwidth more than time. The line below the row shows more than that: it contains the misses of the first
traversal and, if measured, the launch.

Note on the slide: "most memory types have no cache" was 2010; the lecture of 2024 says "no or limited cache".]] })
chase("shared", "shared memory", "chase_shared", { args = { "last", "near", "length" }, block = 32,
  reference = end_of_chain(WORDS), claims = { "F10.latency.near" }, text = [[
The same in shared memory. A load takes 19 cycles on Volta and Turing, up to about 30 on other GPUs since Maxwell, and
38 on the GTX 280. The loop also computes an address from each loaded value, and the line below the row contains
filling the shared array and, if measured, the launch. So it shows more cycles than the load alone.]] })
chase("fma", "FMA", "chase_fma", { args = { "last_sum", 0.5, 1, "length" },
  reference = function() return gpu.array("float", 1, 2) end, tolerance = { relative = 1e-6 },
  claims = { "F10.latency.near" }, text = [[
Even a register that was just written cannot be read at once: an FMA has a latency of 24 cycles on the GTX 280, 9 to
11 on Kepler, 6 on Maxwell and Pascal, and 4 since Volta. (The line below the row contains loop overhead and, if
measured, the launch.) So a single thread on an SM leaves nearly all of its units idle nearly all of the time.]] })

-- Bandwidth over warps ----------------------------------------------------------------------------

local function same(_, host) return host.from end
local function bytes(p) return 8 * p.n end

local function copy(group, id, title, kind, width, of)
  of.group, of.id, of.title = group, id, title
  of.kernel = { file = "latency.cu", name = ("copy<%s>"):format(kind) }
  of.grid, of.block = function(p) return p.n // (THREADS * ITEMS * width) end, THREADS
  of.shared, of.args, of.output, of.reference, of.useful_bytes = share, { "to", "from" }, "to", same, bytes
  of.with = with(of.with)
  steps[#steps + 1] = of
end

local function occupied(per_sm, text, predict)
  copy("occupancy", "warps" .. WARPS * per_sm, ("%d warps per SM"):format(WARPS * per_sm), "float, 1", 1,
    { with = { per_sm = per_sm }, text = text, predict = predict,
      claims = { "F10.latency.other_warps", "F10.latency.barriers", "F10.latency.threads" } })
end

occupied(1, [[
A copy. Each thread loads an element and stores it, sixteen times, one after the other. Each block requests so much
shared memory that only one fits on an SM: four warps, one for each of its four schedulers (the P100 has two). While
they wait for memory, nothing happens. Look at the share of the bandwidth that 64 warps reach.]])
occupied(2, [[
Half the shared memory per block, so twice the blocks per SM. While one warp waits, another runs. Switching costs
nothing, because every warp keeps its registers. (The same hides the time that warps wait at barriers.) So twice the
warps give up to twice the bandwidth, as long as latency is the limit.]],
  { ask = "Twice the warps of the row above. What share of the 64-warp rate is that, in %?", of = "share",
    unit = "%", within = 25 })
occupied(4, [[
Sixteen warps per SM: a quarter of what an H200 can hold, half of what a GTX 280 can hold. Watch whether doubling the
warps still doubles the bandwidth.]])
occupied(8, [[
Thirty-two warps per SM: doubling gains less now, because the memory comes closer to its limit and the latency grows
with the load.]])
occupied(16, [[
Sixty-four warps per SM, the maximum on cc 3.0 to 7.0, 8.0, 9.0 and 10.0 (48 on Fermi and cc 8.6, 8.9 and 12.0, 32 on
7.5 and the GTX 280, which run fewer here). On 128-core SMs that is 16 threads per core, the "order
of magnitude" the slide of 2010 asks for; the lecture of 2024 says "more threads than the number of GPU cores". For
memory, 2010 was right: on an H200 even all threads that fit are not enough, with one 4-byte load in flight each.]])

-- Independent loads in a thread -------------------------------------------------------------------

local function together(id, title, kind, width, text, predict)
  copy("together", id, title, kind, width, { text = text, predict = predict, claims = { "O24.latency.ilp" } })
end

together("one", "1 load in flight", "float, 1", 1, [[
Few warps: `per_sm` blocks of four, eight warps per SM unless you set another number. One load in flight per thread,
as above. This is the baseline of the table.]])
together("two", "2 loads in flight", "float, 2", 1, [[
Two loads, then two stores. A GPU executes a warp's instructions in order, but it does not stop at a load: the warp
continues until an instruction needs a value that has not arrived. So the waiting times of consecutive loads overlap.
The slide calls this "forcing finalization of load instruction just before loaded data are needed"; compilers move
loads up for this reason.]])
together("four", "4 loads in flight", "float, 4", 1, [[
Four loads in flight per thread. They take four registers; an SM has 65536 (since Kepler). Predict the gain before you
run it.]],
  { ask = "Four loads in flight instead of one: what share of the first row's rate, in %?", of = "share", unit = "%",
    within = 20 })
together("eight", "8 loads in flight", "float, 8", 1, [[
Eight loads in flight per thread: as many bytes in flight as 64 warps with one load each. Compare with that row of the
table above. This one may reach less: a warp's loads wait together and its stores follow together, so on average fewer
are in flight.]])
together("wide", "1 load of 16 bytes", "float4, 1", 4, [[
One float4 load per thread: four times the bytes in flight, with one instruction instead of four.]])
together("both", "4 loads of 16 bytes", "float4, 4", 4, [[
Both: eight warps per SM are enough. Libraries copy this way: few threads, each with many bytes in flight. More warps
(TLP) and more independent work per thread (ILP) hide the same latency. Registers per thread limit the number of warps,
but they also hold the independent values. With enough bytes in flight per thread, low occupancy is fine.]])

-- Arithmetic --------------------------------------------------------------------------------------

local function sums(group, id, title, chains, of)
  of.group, of.id, of.title = group, id, title
  of.kernel = { file = "loops.cu", name = ("chains<%d>"):format(chains) }
  of.grid, of.block, of.shared = function(p) return at_hand.sms * p.per_sm end, THREADS, share
  of.args, of.output = { "sums", 0.5, 1, "repeats" }, "sums"
  of.reference = function(p) return gpu.array("float", threads(p), 2 * chains) end
  of.tolerance = { relative = 1e-6 }
  of.useful_flops = function(p) return 2 * threads(p) * chains * p.repeats end
  of.with = with(of.with)
  steps[#steps + 1] = of
end

local function busy(per_sm, text)
  sums("arithmetic", "busy" .. WARPS * per_sm, ("%d warps per SM"):format(WARPS * per_sm), 1,
    { with = { per_sm = per_sm }, text = text, claims = { "F10.latency.near", "F10.latency.threads" } })
end

busy(1, [[
Dependent FMAs, no memory. With one warp per scheduler, an FMA issues once per latency of the pipeline: every four
cycles since Volta. (In this table the loop's counter and jump make it six on an H200.) This is the baseline of the
table.]])
busy(2, [[
Twice the warps: two FMAs in flight per scheduler. Watch whether the rate doubles; on the emulator the column “limited
by” names what limits it.]])
busy(4, [[
Four warps per scheduler cover a latency of four cycles. On SMs with 64 FP32 lanes (V100, A100) two are
already enough: 4 threads per core. On cc 8.6, 8.9 and 9.0 register banks limit the rate, from eight warps on
(modeled; “limited by” names them on the emulator). A dependent FMA reads three different registers, two of them
from one bank, and takes two cycles.]])
busy(8, [[
More warps hardly help. On an H200 no occupancy gets one chain per thread past half of the FP32 peak. Independent FMAs
do (next table): consecutive instructions of a warp reuse operands and read fewer registers from the banks.

Note on the slide: "an order of magnitude" more threads than cores holds for the GTX 280, whose latency of 24 cycles
needs 24 threads per core.]])

local function side_by_side(id, title, chains, text)
  sums("numbers", id, title, chains, { text = text, claims = { "O24.latency.ilp" } })
end

side_by_side("chain1", "1 number per thread", 1, [[
One number per thread again, with `per_sm` blocks per SM: eight warps unless you set another number. This is the
baseline of the table.]])
side_by_side("chain2", "2 numbers", 2, [[
Two independent numbers per thread. Compare with 16 warps and one number in the table above: both have as many FMAs in
flight, but from cc 8.6 on ILP gains more than additional warps, because it also allows operand reuse (modeled).]])
side_by_side("chain4", "4 numbers", 4, [[
Two warps per scheduler with four independent FMAs each: eight in flight where four cover the latency. On an H200 this
is far above any number of warps with one chain.]])

-- Tables ------------------------------------------------------------------------------------------

local function count(x) return math.floor(x + 0.5) end

steps[#steps + 1] = { group = "figures", id = "little", title = "Little's law: memory",
  claims = { "F10.latency.threads", "O24.latency.cycles" }, text = [[
Little's law: bytes in flight = bandwidth × latency. The table computes how many bytes must be in flight to keep each
GPU's memory busy, and how many threads per core that takes if each waits for four bytes. Compare this with the
threads the GPU can hold.]],
  figure = function(_, device)
    local rows = {}
    for _, model in ipairs(lab.gpus(device)) do
      if model.latency_dram > 0 then
        local ns = model.latency_dram / model.shader_ghz
        local in_flight = ns * model.dram_gbps
        local cores = model.sms * model.fp32_lanes
        rows[#rows + 1] = { model.name, count(model.latency_dram), count(ns), count(model.dram_gbps),
          count(in_flight / 1000), ("%.0f"):format(in_flight / 4 / cores),
          ("%.0f"):format(model.sms * model.warps_per_sm * 32 / cores) }
      end
    end
    return { columns = { "GPU", "cycles", "ns", "GB/s", "KB in\nflight", "threads\nper core", "GPU\nholds" },
      rows = rows,
      note = "Latency of an idle memory and peak bandwidth, from the GPUs' data; under load the latency grows, and "
        .. "with it the bytes needed. Where the GPU holds fewer threads per core than needed, each must have more "
        .. "than four bytes in flight." }
  end }
steps[#steps + 1] = { group = "figures", id = "pipeline", title = "Little's law: arithmetic",
  claims = { "F10.latency.near", "F10.latency.threads" }, text = [[
The same for dependent FMAs: warps needed per SM = latency × FP32 lanes / 32. A core issues one FMA per cycle, so the
threads needed per core equal the latency in cycles. The last column is the occupancy it takes.]],
  figure = function(_, device)
    local rows = {}
    for _, model in ipairs(lab.gpus(device)) do
      if model.latency_alu > 0 then
        local needed = model.latency_alu * model.fp32_lanes / 32
        rows[#rows + 1] = { model.name, count(model.latency_alu), model.fp32_lanes, count(needed),
          model.warps_per_sm, ("%.0f %%"):format(100 * needed / model.warps_per_sm) }
      end
    end
    return { columns = { "GPU", "cycles", "cores\nper SM", "warps\nneeded", "GPU\nholds", "share" }, rows = rows,
      note = "These warps hide the latency; from cc 8.6 on one dependent chain per thread still stays below the peak "
        .. "(see step busy32). Kepler's 192 cores need 66 warps, more than an SM holds: there ILP was required." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 1 << 16 -- elements of the exercises

local function size(p) return p.size end

local function exercise(of)
  local file = ("11-%s/%s.cu"):format(of.id, (of.id:gsub("-", "_")))
  of.starter, of.solution = "exercises/" .. file, "solutions/" .. file
  return of
end

-- Element i of every row of eight goes to place order(i).
local function reordered(p, host)
  local want = gpu.array("float", p.size)
  for i = 0, p.size - 1 do
    local row, k = i // 8 * 8, i % 8
    want[row + 7 - k] = 2 * host.rows[i]
  end
  return want
end

local exercises = {
  exercise {
    id = "vectorized", title = "More bytes in flight", kernel = "scale", claims = { "O24.latency.ilp" },
    grid = function(p) return p.size // 1024 end, sizes = { COUNT, COUNT - 3 * 1024, 1024 }, block = 256,
    args = { "scaled", "rows" }, output = "scaled",
    reference = function(p, host)
      local want = gpu.array("float", p.size)
      for i = 0, p.size - 1 do want[i] = 0.5 * host.rows[i] end
      return want
    end,
    task = [[
Each thread scales four elements, one after the other: four round trips to memory. Load the four with one
instruction.]],
    accept = { idle_warps = 1.5, loads_per_thread = { at_most = 1 }, stores_per_thread = { at_most = 1 } },
    advice = "One instruction can load, or store, four neighboring floats.",
    hints = {
      "Which four elements does a thread have, and in what order? You may choose others.",
      "If they are consecutive and start at a multiple of 16 bytes, one load can fetch all four.",
      "float4 x = ((const float4 *)in)[i]; with i the thread's index in the grid; then the same for out.",
    },
    debrief = [[
One wait instead of four, a quarter of the instructions, and the same sectors. A thread's four elements are neighbors
now, but the access is still coalesced: a warp reads 512 consecutive bytes. It needs alignment, and a length that is a
multiple of four or code for the remainder.]],
  },
  exercise {
    id = "dependent-loads", title = "Dependent loads", kernel = "follow", claims = { "F10.latency.global" },
    grid = function(p) return (p.size + 255) // 256 end, sizes = { COUNT, 50021, 150, 50 }, block = 256,
    args = { "followed", "rows", "starts", size }, output = "followed",
    reference = function(p, host)
      local want = gpu.array("float", p.size)
      for i = 0, p.size - 1 do want[i] = host.rows[host.starts[host.starts[i]]] end
      return want
    end,
    accept = { loads_per_thread = { at_most = 1 } },
    advice = "Compute the index instead of loading it.",
    task = [[
Each thread follows two levels of indirection and then loads its element: three dependent loads. The table holds
nothing that cannot be computed: starts[i] is (i + 97) modulo n. Use one load.]],
    hints = {
      "Which loads have to wait for which? What is at the end of the dependency chain?",
      "What is starts[starts[i]], as a formula?",
      "out[i] = in[(i + 2 * 97) % n].",
    },
    debrief = [[
Neither more loads in flight nor wider loads shorten a chain of dependent loads; only more threads hide it. That is
why index tables, lists and trees are hard for GPUs. Computing an address takes a few cycles, loading it takes
hundreds. If you need a table, you can often load its entries early: the index for the next iteration during the
current one.]],
  },
  exercise {
    id = "registers", title = "An array in local memory", kernel = "reversed",
    claims = { "F10.local.registers", "F10.local.dram" },
    grid = function(p) return p.size // 2048 end, sizes = { COUNT, COUNT - 3 * 2048, 2048 }, block = 256,
    args = { "scaled", "rows" }, output = "scaled", reference = reordered,
    accept = { local_load_requests = { at_most = 0 }, local_store_requests = { at_most = 0 },
      shared_store_requests = { at_most = 0 }, late_words = { at_most = 0 }, output_neighbors = { at_most = 0.5 },
      load_sectors = { at_least = COUNT // 5, advice = "Let each thread load its own eight elements." } },
    task = [[
A thread loads eight consecutive elements into an array and writes them back in reverse order. The array is indexed by a
variable, and registers cannot be indexed. So it is in local memory: thread-private, kept in device memory, cached. Make
the compiler keep it in registers: a thread still loads its eight before it stores the first.]],
    hints = {
      "When is the index of x[i] known at compile time?",
      "If a loop is fully unrolled, its variable is a constant in each copy of the body.",
      "Remove #pragma unroll 1 from both loops, or write #pragma unroll.",
    },
    debrief = [[
Local memory is cached, but each access is an instruction, and a load has to wait. Arrays in registers need fully
unrolled loops with a constant number of iterations, and no index that depends on data. `disassemble registers ptx`
shows ld.local and st.local. Using too many registers has the same effect: the compiler spills values to local
memory.]],
  },
}

return lab.define {
  number = 11,
  id = "latency",
  title = "Hiding latency",
  lecture = { "F10", "O24" },
  intro = [[
A load from memory takes hundreds of cycles. A CPU hides that with caches, and by finding other work in the same
thread. A GPU has other warps: when one waits, another runs, and switching costs nothing. How many warps fit on an SM
depends on the registers and shared memory each needs. Occupancy is the share of an SM's warp slots that are in use.

The steps measure latency with a single thread. Then they show how bandwidth and arithmetic grow with more warps, and
with more independent work per thread. Unused shared memory sets the number of warps. `plot occupancy` combines the
two.]],
  params = {
    n = { default = 1 << 24, small = 1 << 15, min = TILE, max = 1 << 28, multiple = TILE,
      help = "elements that are copied", because = "blocks copy whole tiles of 8192" },
    per_sm = { default = 2, min = 1, max = 16, help = "blocks of four warps per SM, where a step does not set it" },
    length = { default = 4096, small = 64, min = 8, max = 1 << 20, help = "length of the dependency chains" },
    repeats = { default = 4096, emulator = 2048, small = 256, min = 256, max = 1 << 20,
      help = "dependent FMAs per number", because = "after 256 iterations every number has converged to 2" },
  },
  buffers = {
    far = { type = "unsigned", count = FAR, fill = function()
      return gpu.array("unsigned", FAR, "iota"):gather(FAR, function(i) return (i + STRIDE) % FAR end)
    end },
    near = { type = "unsigned", count = NEAR, fill = function()
      return gpu.array("unsigned", NEAR, "iota"):gather(NEAR, function(i) return (i + STRIDE) % NEAR end)
    end },
    last = { type = "unsigned", count = 1 },
    last_sum = { type = "float", count = 1 },
    from = { type = "float", count = "n", fill = "random", seed = 11 },
    to = { type = "float", count = "n" },
    sums = { type = "float", count = threads },
    -- for the exercises
    rows = { type = "float", count = size, fill = "random", seed = 12 },
    scaled = { type = "float", count = size },
    followed = { type = "float", count = size },
    starts = { type = "int", count = size, fill = function(p)
      local table_of = gpu.array("int", p.size)
      for i = 0, p.size - 1 do table_of[i] = (i + 97) % p.size end
      return table_of
    end },
  },
  groups = {
    { id = "alone", title = "one dependency chain", columns = { "ms", "verified" } },
    { id = "occupancy", title = "copy, by occupancy", baseline = "warps64", share = "of 64 warps",
      columns = { "rate", "share", "bound", "verified" } },
    { id = "together", title = "copy, few warps", baseline = "one", share = "of first",
      columns = { { header = { "warps", "per SM" }, of = function(_, p) return warps(p) end }, "rate", "share", "bound",
        "verified" } },
    { id = "arithmetic", title = "FMA, by occupancy", baseline = "busy4", share = "of 4 warps",
      columns = { "rate", "share", "bound", "verified" } },
    { id = "numbers", title = "FMA, few warps", baseline = "chain1", share = "of first",
      columns = { { header = { "warps", "per SM" }, of = function(_, p) return warps(p) end }, "rate", "share",
        "verified" } },
    { id = "figures", title = "tables" },
  },
  steps = steps,
  plots = {
    { id = "occupancy", title = "Copy rate over warps and loads in flight",
      claims = { "F10.latency.other_warps", "F10.latency.threads", "O24.latency.ilp" },
      x = { param = "per_sm", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "blocks of 4 warps per SM", log = true },
      emulator_values = { 1, 2, 4, 8, 16 }, steps = { "one", "two", "four", "both" }, y = "rate", y_label = "GB/s",
      text = [[
The curves rise toward the same ceiling, the memory's bandwidth. The more loads a thread has in flight, the fewer
warps it takes to reach it. On an H200 one 4-byte load per thread does not reach it at all.]] },
    { id = "arithmetic", title = "FMA rate over warps and independent numbers",
      claims = { "F10.latency.near", "O24.latency.ilp" },
      x = { param = "per_sm", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "blocks of 4 warps per SM", log = true },
      emulator_values = { 1, 2, 4, 8, 16 }, steps = { "chain1", "chain2", "chain4" }, y = "rate", y_label = "GFLOPS",
      text = [[
Here the latency is a few cycles, not hundreds, so the curves flatten much earlier. From cc 8.6 on one number per
thread has a lower ceiling than several (register banks, modeled).]] },
  },
  exercises = exercises,
}
