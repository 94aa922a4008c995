-- Lab 17: asynchronous copies into shared memory, from cp.async to tensor maps and clusters.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

local ROW <const>, THREADS <const> = 512, 128 -- as in kernels/async_copies.cu: elements of a row; threads of a block
local ROW_BYTES <const> = 4 * ROW
local PERIOD <const> = 8 -- rows, after which the data repeat
local WORDS <const>, STRIDE <const> = 2048, 1056 -- of the pointer chase in kernels/clusters.cu

local function rows(p) return p.n // ROW end

-- SMs of the GPU that a step is about to run on: called before every step, with its device.
local sms = 132

local function with(more)
  return function(_, device)
    sms = device and device.sms or sms
    return more or {}
  end
end

local function all_blocks(p) return sms * p.per_sm end

-- Data --------------------------------------------------------------------------------------------

local numbers -- of PERIOD rows

local function number(i)
  if not numbers then
    local state = 17
    numbers = {}
    for k = 0, PERIOD * ROW - 1 do
      state = (state * 1103515245 + 12345) & 0x7fffffff
      numbers[k] = (state >> 16) % 64
    end
  end
  return numbers[i % (PERIOD * ROW)]
end

-- count elements, value(i) for element i, where that repeats after `period` of them.
local function periodic(period, count, value)
  local one = gpu.array("int", period)
  for i = 0, period - 1 do one[i] = value(i) end
  return one:cycle(count)
end

local function variation_of(row)
  local sum = 0
  for i = 0, ROW - 1 do sum = sum + math.abs(number(row * ROW + (i + 1) % ROW) - number(row * ROW + i)) end
  return sum
end

local function total(p)
  local sum = 0
  for row = 0, PERIOD - 1 do sum = sum + variation_of(row) * ((rows(p) - row + PERIOD - 1) // PERIOD) end
  local one = gpu.array("unsigned", 1)
  one[0] = sum & 0xffffffff
  return one
end

-- Steps -------------------------------------------------------------------------------------------

local steps = {}

local function step(file, group, id, title, kernel, of)
  of.group, of.id, of.title = group, id, title
  of.kernel = { file = file, name = kernel }
  steps[#steps + 1] = of
end

local function bytes(p) return 4 * p.n end

local function variation(file, group, id, title, kernel, of)
  of.block, of.args = of.block or THREADS, { "total", "rows", rows }
  if of.shows then
    of.grid, of.with = 4, with { n = 1 << 15 } -- so that each block has more rows than tiles
  else
    of.grid, of.output, of.reference, of.useful_bytes = all_blocks, "total", total, bytes
  end
  of.with = of.with or with()
  step(file, group, id, title, kernel, of)
end

-- Warp instructions per row.
local function instructions(record, p)
  local counters = record.report and record.report.counters
  return counters and counters.warp_instructions / rows(p)
end

-- cp.async ----------------------------------------------------------------------------------------

local function copied(id, title, kernel, of) variation("async_copies.cu", "stages", id, title, kernel, of) end

-- Bytes that the blocks of an SM have in flight: while they use a row, and while they wait for one.
local function in_flight(stages)
  return function(_, p)
    local each, tiles = p.per_sm * ROW_BYTES / 1024, stages or p.stages
    return ("%.0f to %.0f KB in flight per SM"):format((tiles - 1) * each, tiles * each)
  end
end

copied("plain", "through registers", "plain", { text = [[
Each row of 512 ints is a closed curve, and we sum |x[i + 1] - x[i]| over all curves. Threads need elements that other
threads load, so a block stages its row in shared memory: load, store, barrier, use, barrier. Only two blocks of four
warps run per SM (`per_sm`). While a block uses its row, it has no load in flight. This is the baseline: look at its
rate, and compare it with the memory bandwidth in table `needed` (`run needed`).]] })
copied("registers", "next row in registers", "prefetched", { text = [[
Load the next row before you use the current one. The load stays in flight during the use, because a warp waits only
where an instruction needs the loaded value. This works on every GPU. But the next row occupies four registers per
thread, and the store to shared memory waits for it. The next load starts only after that store, so never more than one
row is in flight. A second row ahead would take four more registers. Compare the gain with the next rows of the
table.]] })
copied("one", "cp.async, 1 tile", "staged<1>", { needs_cc = 80, claims = { "PTX.cp_async.sizes" }, text = [[
From cc 8.0 on, `cp.async` copies 4, 8, or 16 bytes per thread from global to shared memory, without a register in
between. `__pipeline_memcpy_async` issues it, `__pipeline_commit` closes a group, and `__pipeline_wait_prior(0)` waits
for all groups. With a single tile the thread waits for the copy at once, as it waited for the load. So it gains
nothing here: asynchronous means that you can do something else in the meantime, and this kernel does not.]] })
copied("two", "cp.async, 2 tiles", "staged<2>", { needs_cc = 80, detail = in_flight(2),
  predict = { ask = "With two tiles, one row is in flight while the other one is used. How many % of the "
    .. "first row's rate does the step reach?", of = "share", unit = "%", within = 25 },
  claims = { "PTX.cp_async.wait_group" }, text = [[
Double buffering: the copy of the next row starts before the wait for the current one, into a second tile. While a block
waits, both rows are in flight; while it computes, one. `__pipeline_wait_prior(1)` waits until at most the latest group
is pending. A wait covers only the thread's own copies; the barrier after it makes those of the other threads visible.
The second barrier keeps a fast warp from copying into a tile in use.

In `debug two`, `until 95` and `view` show a warp at the barrier behind its wait, and the loads of the tile.]] })
copied("tiles", function(p) return ("cp.async, %d tiles"):format(p.stages) end,
  function(p) return ("staged<%d>"):format(p.stages) end, { needs_cc = 80, detail = in_flight(), text = [[
One tile is used, `stages` - 1 copies are in flight. By Little's law (lab 11), bandwidth is bytes in flight divided by
latency, so the rate grows with the number of tiles until memory bandwidth or the work per row is the limit. Table
`needed` shows the bytes. More tiles then only cost shared memory. Try `set stages=2` to 8, or `plot stages`.]] })
variation("async_pipeline.cu", "stages", "pipeline", "cuda::pipeline, 4 tiles", "piped<4>", { needs_cc = 80,
  detail = in_flight(4), text = [[
The same kernel with `cuda::pipeline` of libcu++. `producer_acquire` and `producer_commit` enclose the copies of a
stage; `pipeline_consumer_wait_prior<3>` and `consumer_release` enclose its use. This pipeline belongs to one thread
(`make_pipeline()`), so it compiles to cp.async groups, and the barriers stay. A pipeline that a block shares waits at
mbarriers (step `split`), not at `__syncthreads()`. On cc 7.x the same source copies through registers. Compare the rate
with step `tiles`.]] })
copied("many", "through registers, 8 blocks/SM", "plain", { with = with { per_sm = 8 },
  predict = { ask = "The first row of the table with 8 instead of 2 blocks per SM, on this device and at n = {n}. "
    .. "How many % of the first row's rate does the step reach?", of = "share", unit = "%", within = 30 }, text = [[
The first kernel with four times the blocks, 32 warps per SM. Now other blocks load while one uses its row, and the
bytes in flight come from occupancy. On an H200 with large n it is faster than `tiles`; the prediction for the
emulator's small n hides that. Where blocks are small and many, asynchronous copies gain little or nothing. They pay off
where shared memory or registers limit occupancy, as in matrix multiplication. `plot occupancy` compares the two.]] })

copied("nowait", "no wait", "staged<4, NO_WAIT>", { needs_cc = 80, shows = "race",
  claims = { "PTX.cp_async.visible" }, text = [[
A classic mistake: the barrier is there, the wait for the group is not. `__syncthreads()` orders what threads have
executed. A copy is performed as if by another thread, which takes no part in the barrier. So the tile may hold the old
row, or half of the new one. This step is wrong on purpose and runs on the emulator, where the race checker names the
line of the copy and the line that reads too early.]] })
copied("early", "tile reused too early", "staged<4, NO_BARRIER>", { needs_cc = 80, shows = "race", text = [[
The second barrier is missing. A fast warp starts the next copy, which goes into the tile that slower warps still read.
The slower warps usually finish before the copy arrives, so tests on a GPU rarely show it. (Step `multistage` of lab 16
saves this barrier: it starts the copy after the first barrier of the next iteration, when all warps have left the tile.
Its wait comes before that copy, so one group fewer may be pending.) This step is wrong on purpose, for the race
checker.]] })

-- Barriers ----------------------------------------------------------------------------------------

local BLOCK <const> = 256

-- The elements of a block after that many phases of the kernel `split`.
local function after_phases(p)
  local result = gpu.array("int", PERIOD * ROW)
  for first = 0, PERIOD * ROW - 1, BLOCK do
    local x = {}
    for t = 0, BLOCK - 1 do x[t] = number(first + t) end
    for _ = 1, p.phases do
      local next_x = {}
      for t = 0, BLOCK - 1 do next_x[t] = (x[t] * 5 + 1 & 63) + x[BLOCK - 1 - t] end
      x = next_x
    end
    for t = 0, BLOCK - 1 do result[first + t] = x[t] end
  end
  return result:cycle(p.elements)
end

step("async_barrier.cu", "phases", "split", "arrive, work, wait", "split", { needs_cc = 80,
  grid = function(p) return p.elements // BLOCK end, block = BLOCK, args = { "out", "input", "phases" }, output = "out",
  reference = after_phases, useful_ops = function(p) return p.elements * p.phases end,
  claims = { "PTX.mbarrier.phase" }, text = [[
`cuda::barrier` is an object in shared memory, an mbarrier from cc 8.0 on. `arrive()` does not block and returns a token
of the current phase; `wait(token)` returns once all expected threads have arrived in that phase. Then the next phase
begins by itself. Work between the two overlaps with slower threads. There is little here, so do not expect a gain over
`__syncthreads()`: an mbarrier takes several instructions. (On the emulator most time is the launch: `set phases=16`.)
You need it where threads and copies wait for each other.]] })

-- Bulk copies -------------------------------------------------------------------------------------

local function bulk(id, title, kernel, of)
  of.needs_cc = 90
  variation("bulk_copies.cu", "bulk", id, title, kernel, of)
end

bulk("bulk", "bulk copies, 4 tiles", "bulk<4>", { claims = { "PTX.bulk.size" },
  expect = { global_load_requests = 0 },
  text = [[
From cc 9.0 on one thread copies a whole row: `cp.async.bulk` moves any multiple of 16 bytes. At the tile's mbarrier,
`full`, thread 0 arrives and announces 2048 bytes (`expect_tx`); the copy counts them down. All threads wait for the
phase to end, by its parity: 0, 1, then 0 again. Only thread 0 computes global addresses. The waits for a row take 16
warp instructions of PTX or more (8 of SASS), but 4 in step `tiles`. All instructions counted, `bulk` has fewer; on an
H200 `tiles` is faster.]] })
bulk("warps", "producer and consumer warps", "specialized<4>", { block = THREADS + 32,
  expect = { global_load_requests = 0 }, text = [[
Warp specialization: a fifth warp only starts copies, the four others only compute. There is no `__syncthreads()` in the
loop. A second mbarrier per tile, `empty`, replaces it: a consumer warp arrives when it has read the tile, and the
producer waits for it before the next copy. Consumers no longer wait for each other. The producer's first wait uses
parity 1, which counts as complete for a new mbarrier. Large matrix products on Hopper are built this way.]] })
bulk("expect", "wrong expect_tx", "bulk<4, BYTES - 16>", { shows = "fault", text = [[
Thread 0 announces 16 bytes less than the copy moves. A phase ends when no arrivals are pending and the transaction
count is zero. After this copy the count is -16: more bytes arrived than were announced. So the phase does not end, and
all threads wait forever. Announcing too many bytes has the same effect. On a GPU such a kernel hangs without a message.
The emulator reports where the warps wait, and for what.]] })
bulk("phase", "parity never changes", "bulk<4, BYTES, true>", { shows = "fault", text = [[
All waits are for parity 0. The first time a tile is used this is right. The second time, its copy belongs to phase 1.
If the copy is still in flight, phase 0 counts as complete: the wait returns too early, and the threads read the old
row. If it has ended, the wait is for phase 2, whose copy starts only after this wait, and the kernel hangs. Which of
the two happens depends on timing. Exercise `parity` is about it.]] })

-- Tensor maps -------------------------------------------------------------------------------------

-- The 5-point sums, of an image whose rows repeat.
local function stencil(p)
  local n = p.side
  local function at(row, column)
    return row >= 0 and row < n and column >= 0 and column < n and number(row % PERIOD * n + column) or 0
  end
  local function sum(row, column)
    return at(row, column) + at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1)
  end
  local period = gpu.array("int", PERIOD * n)
  for row = 0, PERIOD - 1 do
    for column = 0, n - 1 do period[row * n + column] = sum(row + PERIOD, column) end
  end
  local want = period:cycle(n * n)
  for _, row in ipairs { 0, n - 1 } do
    for column = 0, n - 1 do want[row * n + column] = sum(row, column) end
  end
  return want
end

local function tensor(id, title, kernel, input, of)
  of.grid = function(p) return { (p.side + 31) // 32, (p.side + 15) // 16 } end
  of.block, of.args, of.output, of.reference, of.columns = { 32, 4 }, { "sums", input, "side" }, "sums", stencil, "side"
  of.useful_bytes = function(p) return 8 * p.side * p.side end
  step("tensor_copies.cu", "tensor", id, title, kernel, of)
end

tensor("hand", "halo by hand", "by_hand", "image", { text = [[
A 5-point stencil of an image, with zeros beyond its border. A block computes 32 × 16 elements, and its tile includes a
halo of one element on each side. For every element of the tile a thread computes row and column, tests both against the
border, and loads, or takes a zero. This is the baseline: look at the warp instructions.]] })
tensor("map", "tensor map", "by_tensor_map", { tensor_map = "image", dims = { "side", "side" }, box = { 40, 18 } },
  { needs_cc = 90, claims = { "PTX.tensor.outside" }, text = [[
A tensor map describes the image: address, sizes, strides, and the box that one copy moves. The host makes it
(`cuTensorMapEncodeTiled`) and passes it as a `__grid_constant__` parameter. One thread then copies a box of 40 × 18
elements by its coordinates; the unit (TMA) computes addresses, and elements beyond the border arrive as zeros. On
Hopper a box has to begin at a multiple of 16 bytes within a row, so it takes four columns to the left where one would
do. Compare the warp instructions.]] })

-- Clusters ----------------------------------------------------------------------------------------

local CLUSTER <const> = 4 * BLOCK -- elements of the blocks of a cluster

step("clusters.cu", "cluster", "reversed", "reversed within a cluster", "reversed<true>", { needs_cc = 90,
  grid = function(p) return p.elements // BLOCK end, block = BLOCK, args = { "out", "input" }, output = "out",
  reference = function(p)
    return periodic(PERIOD * ROW, p.elements, function(i)
      return number(i // CLUSTER * CLUSTER + CLUSTER - 1 - i % CLUSTER)
    end)
  end,
  useful_bytes = function(p) return 8 * p.elements end, claims = { "CUDA.cluster.portable" }, text = [[
A cluster (cc 9.0) is a group of up to eight blocks (on an H100 or H200 sixteen, with an opt-in). They run at the same
time on one GPU processing cluster (GPC), a group of SMs. `__cluster_dims__(4)` makes clusters of four. Their shared
memory is distributed: `map_shared_rank` returns a pointer into another block's shared memory, and `cluster.sync()` is
a barrier for all of them. Here 1024 elements are reversed across four blocks, and each is read from global memory
once. Look at the second `cluster.sync()` in the code.]] })
step("clusters.cu", "cluster", "ended", "a block ends too early", "reversed<false>", { needs_cc = 90, shows = "memory",
  grid = 4, block = BLOCK, args = { "out", "input" }, text = [[
Without the second `cluster.sync()` a block may end while another one still reads its shared memory. The SM may then
give that memory to a new block. This step is wrong on purpose, for the memory checker. The rule: a block of a cluster
stays until no block needs its shared memory any more.]] })

local function chase(id, title, kernel, text)
  step("clusters.cu", "chase", id, title, kernel, { needs_cc = 90, grid = 2, block = 32,
    args = { "last", "chain", "length" }, output = "last", useful_ops = function(p) return p.length end,
    text = text, claims = id == "far" and { "Luo24.dsm.latency" } or nil,
    detail = function(record, p)
      return record.times and ("%.3g ns per load"):format(record.times.ms * 1e6 / p.length)
    end,
    reference = function(p)
      local one = gpu.array("unsigned", 1)
      one[0] = p.length * STRIDE % WORDS
      return one
    end })
end

chase("near", "own shared memory", "chase<false>", [[
What does an access to another SM cost? A pointer chase as in lab 11, in a cluster of two blocks, first in the block's
own shared memory. The time per load includes the address computation and the launch.]])
chase("far", "shared memory of the next block", "chase<true>", [[
The same chase through the other block's shared memory. Luo et al. (2024) measured 180 cycles on an H800, a third less
than an access to L2. On an H200 a remote access takes several times as long as a local one. So it pays to read a
neighbor's data once, in coalesced accesses, and not word by word in a dependency chain. The model does not know the
network between the SMs and predicts almost a local access: trust only a measured row here.]])

-- Tables ------------------------------------------------------------------------------------------

steps[#steps + 1] = { group = "figures", id = "needed", title = "Little's law: bytes in flight per SM", text = [[
Little's law per SM: bandwidth × latency / SMs. The last column is the number of tiles of 2 KB that two blocks per SM
each need, one of which is in use. With fewer, memory bandwidth is unused. GPUs whose latency is unknown have no row.]],
  figure = function()
    local list = {}
    for _, model in ipairs(gpu.models()) do
      if model.latency_dram > 0 and not model.base then
        local ns = model.latency_dram / model.shader_ghz
        local each = ns * model.dram_gbps / model.sms
        list[#list + 1] = { model.name, ("%.0f"):format(ns), ("%.0f"):format(model.dram_gbps),
          ("%.1f"):format(each / 1024), ("%d"):format(1 + math.ceil(each / (2 * ROW_BYTES))) }
      end
    end
    return { columns = { "GPU", "ns", "GB/s", "KB per SM\nin flight", "tiles per\nblock" }, rows = list,
      note = "Latency of an idle memory and peak bandwidth, from the GPUs' data. Under load the latency "
        .. "grows, and with it the bytes needed." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local BLOCKS <const> = 24 -- of the exercises with tiles of BLOCK elements

local function size(p) return p.size end

local function exercise(of)
  local file = ("17-%s/%s.cu"):format(of.id, of.kernel)
  of.starter, of.solution, of.block = "exercises/" .. file, "solutions/" .. file, BLOCK
  return of
end

-- What each place in a block's tiles differs from the one to the right.
local function differences(p, host)
  local want = gpu.array("int", BLOCKS * BLOCK)
  for block = 0, BLOCKS - 1 do
    for t = 0, BLOCK - 1 do
      local sum = 0
      for first = block * p.size * BLOCK, (block + 1) * p.size * BLOCK - 1, BLOCK do
        sum = sum + math.abs(host.tiles[first + (t + 1) % BLOCK] - host.tiles[first + t])
      end
      want[block * BLOCK + t] = sum
    end
  end
  return want
end

local function of_tiles(of)
  of.grid, of.args, of.output, of.reference = BLOCKS, { "differences", "tiles", size }, "differences", differences
  of.sizes = { 19, 16, 23, 3, 2, 1 } -- tiles per block: of three, the last ones show in the mean
  return exercise(of)
end

local function smoothed(_, host)
  local want, segment = gpu.array("int", #host.segments), 4 * BLOCK
  for i = 0, #want - 1 do
    local left = i % segment > 0 and host.segments[i - 1] or 0
    local right = (i + 1) % segment > 0 and host.segments[i + 1] or 0
    want[i] = left + host.segments[i] + right
  end
  return want
end

local exercises = {
  of_tiles {
    id = "double-buffer", title = "Double buffering", kernel = "double_buffer",
    accept = { copies_in_flight = 0.8, shared_bytes = { at_most = 2 * 4 * BLOCK + 64 } }, task = [[
For each index t, sum |tile[t + 1] - tile[t]| over the tiles of the block. (The last index uses tile[0].) The starter
waits for each `cp.async` at once. Use two tiles of shared memory: the copy of the next tile is in flight while the
current one is used. Copy each element once.]],
    hints = {
      "Which copy could already be in flight when the block begins to wait for the first tile?",
      "Start the first copy before the loop. In iteration k, start the copy of tile k + 1, then wait for tile k.",
      "Commit a group in every iteration, also an empty one. Then __pipeline_wait_prior(1) leaves at most the latest "
        .. "group pending. Keep the second barrier.",
    },
    debrief = [[
The wait count is the number of groups that may still be pending, counted from the latest. An empty group costs almost
nothing and keeps the count right in the last iteration. The second barrier is still needed: the copy of tile k + 2 goes
where tile k is. You can save it if you start the copy after the first barrier of iteration k + 1, when all threads have
left tile k. The wait then comes before that copy, so its count is one lower: 0.]],
  },
  of_tiles {
    id = "wait-count", title = "The right wait count", kernel = "wait_count",
    accept = { copies_in_flight = 0.8, shared_bytes = { at_most = 3 * 4 * BLOCK + 64 } }, task = [[
The same sums with three tiles of shared memory. The starter starts two copies ahead, but then it waits for all of them.
Wait only for the tile that is used next, and leave the copies of the two later tiles in flight. The sums must also be
right near the end, where no later tiles are left to copy.]],
    hints = {
      "How many groups may be pending when tile k has to be complete? What does __pipeline_wait_prior(N) count?",
      "Run the checkers with N = 2. Which tiles do they report, and how many groups are pending where these are used "
        .. "last?",
      "Move __pipeline_commit() out of the condition, so that each iteration commits a group. Before the loop, commit "
        .. "two groups even if there is only one tile. Then the number is always 2.",
    },
    debrief = [[
__pipeline_wait_prior(N) counts groups, not tiles, and it counts from the latest. If the last iterations commit no
group, the two latest groups are the tiles that you are about to use, and nothing waits for them. On a GPU such a kernel
usually gives the right result, because the copies have long arrived. The alternative to empty groups is a smaller count
in the last iterations. The count has to be a constant, so that takes branches.]],
  },
  of_tiles {
    id = "parity", title = "The parity of a phase", kernel = "parity",
    accept = { bulk_load_sectors = { at_least = BLOCKS * BLOCK // 8 }, global_load_requests = { at_most = 0 },
      mbarriers = { at_most = 4 }, tile_words = 0.9, shared_bytes = { at_most = 2 * 4 * BLOCK + 64 } }, task = [[
The same sums with bulk copies into two tiles of shared memory, each with an mbarrier. Every wait is for parity 0, and
the kernel hangs or uses a tile too early. Compute the parity for each wait, and initialize each mbarrier once. Keep the
bulk copies: no thread loads elements from global memory itself.]],
    hints = {
      "How often has the mbarrier of a tile completed a phase before tile k is copied into it?",
      "Tiles 0 and 1 arrive in phase 0 of their mbarriers, tiles 2 and 3 in phase 1, tiles 4 and 5 in phase 2.",
      "The phase of tile k is k / STAGES, and the parity of a phase is the phase modulo 2.",
    },
    debrief = [[
A wait by parity distinguishes only the current phase and the one before it. That is enough as long as no thread falls
behind by two phases, which the barrier in the loop guarantees. Most kernels keep the parity in a variable and flip it
whenever the stage index returns to 0. `cuda::barrier` hides it in the arrival token. PTX allows only 0 and 1. The
starter hangs or races, depending on whether the second copy completes before or after the wait.]],
  },
  exercise {
    id = "halo", title = "A halo from the neighbor's shared memory", kernel = "halo",
    grid = function(p) return 4 * p.size end, args = { "smoothed", "segments" }, output = "smoothed",
    reference = smoothed, sizes = { 16, 13, 9, 2, 1 }, -- clusters
    accept = { loads_per_thread = { at_most = 1 }, busiest_words = 1, global_atomics = { at_most = 0,
      advice = "Read the neighbor's element in its block's shared memory." } }, task = [[
A cluster of four blocks smooths 1024 elements: each becomes the sum of itself and its two neighbors. The first and the
last thread of a block load their missing neighbor from global memory. Get it from the neighboring block's shared memory
instead, and load one element per thread from global memory. No block may read memory of a block that has ended.]],
    hints = {
      "Which barrier makes sure that the neighboring block has stored its elements? __syncthreads() is for one block.",
      "cluster.map_shared_rank(part, rank) returns a pointer to `part` of another block of the cluster.",
      "Two times cluster.sync(): one between the stores and the reads, and one at the end, so that each block stays "
        .. "until its neighbors have read.",
    },
    debrief = [[
Two elements per block are little, and the starter finds them in L2. Distributed shared memory pays off when a kernel
computes many steps before it stores: then the halo of each step exists only in shared memory. Instead of reading, a
block can also store its border elements into the neighbors. Then the first cluster.sync() makes sure that the neighbors
have begun, the second that their elements have arrived, and none is needed at the end.]],
  },
}

return lab.define {
  number = 17,
  id = "async-copies",
  title = "Asynchronous copies",
  intro = [[
A block that works on a tile in shared memory should have the next tiles in flight. Without asynchronous copies that
takes registers or many warps. Since compute capability (cc) 8.0 a thread can start a copy to shared memory and go on
(cp.async); since 9.0 one thread copies whole rows and boxes (bulk copies, tensor maps), and the blocks of a cluster
read each other's shared memory. The steps measure when this helps and when it does not.

Five steps are wrong on purpose. They run on the emulator, which reports what goes wrong, and where. Steps that your
GPU cannot run are marked.]],
  params = {
    n = { default = 1 << 27, emulator = 1 << 22, small = 1 << 15, min = 1 << 15, max = 1 << 29, multiple = ROW,
      help = "ints of all curves", because = "a curve is a row of 512, and each block needs several" },
    per_sm = { default = 2, min = 1, max = 16, help = "blocks of four warps per SM" },
    stages = { default = 4, min = 1, max = 16, help = "tiles of step tiles",
      because = "a block has 48 KB of shared memory without an opt-in" },
    elements = { default = 1 << 24, emulator = 1 << 19, small = 1 << 13, min = 1 << 12, max = 1 << 28,
      multiple = 1 << 10, help = "ints of the steps with barriers and clusters", because = "they fill whole clusters" },
    phases = { default = 16, emulator = 1, small = 1, min = 1, max = 64, help = "phases of step split" },
    side = { default = 8192, emulator = 1024, small = 68, min = 20, max = 16384, multiple = 4,
      help = "rows and columns of the image", because = "the rows of a tensor map are multiples of 16 bytes" },
    length = { default = 4096, small = 64, min = 8, max = 1 << 20, help = "length of the pointer chase" },
  },
  buffers = {
    rows = { type = "int", count = "n", fill = function(p) return periodic(PERIOD * ROW, p.n, number) end },
    total = { type = "unsigned", count = 1, fill = 0 },
    input = { type = "int", count = "elements",
      fill = function(p) return periodic(PERIOD * ROW, p.elements, number) end },
    out = { type = "int", count = "elements" },
    image = { type = "int", count = function(p) return p.side * p.side end,
      fill = function(p) return periodic(PERIOD * p.side, p.side * p.side, number) end },
    sums = { type = "int", count = function(p) return p.side * p.side end },
    chain = { type = "unsigned", count = WORDS, fill = function()
      return gpu.array("unsigned", WORDS, "iota"):gather(WORDS, function(i) return (i + STRIDE) % WORDS end)
    end },
    last = { type = "unsigned", count = 1 },
    -- for the exercises
    tiles = { type = "int", count = function(p) return BLOCKS * BLOCK * p.size end,
      fill = inputs.whole("int", function(p) return BLOCKS * BLOCK * p.size end, -9999, 9999) },
    differences = { type = "int", count = BLOCKS * BLOCK },
    segments = { type = "int", count = function(p) return 4 * BLOCK * p.size end,
      fill = inputs.whole("int", function(p) return 4 * BLOCK * p.size end, -9999, 9999) },
    smoothed = { type = "int", count = function(p) return 4 * BLOCK * p.size end },
  },
  groups = {
    { id = "stages", title = "variation of curves: cp.async", baseline = "plain", share = "of first",
      columns = { { header = { "warp instr.", "per row" }, of = instructions },
        "rate", "share", "verified" } },
    { id = "phases", title = "barrier", columns = { "rate", "verified" } },
    { id = "bulk", title = "variation of curves: bulk copies", baseline = "bulk", share = "of first",
      columns = { { header = { "warp instr.", "per row" }, of = instructions },
        "rate", "share", "verified" } },
    { id = "tensor", title = "5-point stencil", baseline = "hand", share = "of first",
      columns = { { header = { "warp", "instructions" }, of = "warp_instructions" }, "rate", "share", "verified" } },
    { id = "cluster", title = "cluster", columns = { "rate", "verified" } },
    { id = "chase", title = "pointer chase", columns = { "ms", "verified" } },
    { id = "figures", title = "tables" },
  },
  steps = steps,
  plots = {
    { id = "stages", title = "Rate over tiles", x = { param = "stages", values = { 1, 2, 3, 4, 6, 8, 12, 16 },
      label = "tiles per block" }, emulator_values = { 1, 2, 3, 4, 6, 8 }, steps = { "tiles" }, y = "rate",
      y_label = "GB/s", text = [[
With one tile nothing is in flight while the row is used. Each further tile adds 2 KB per block, until the memory
bandwidth or the work per row is the limit.]] },
    { id = "occupancy", title = "Rate over blocks per SM",
      x = { param = "per_sm", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "blocks of 4 warps per SM" },
      emulator_values = { 1, 2, 4, 8 }, steps = { "plain", "tiles" },
      y = "rate", y_label = "GB/s", text = [[
Few blocks: copies in flight make up for missing warps. With eight blocks per SM, step `plain` is close to step `tiles`,
and asynchronous copies gain little. At the emulator's n these blocks have only eight rows each, so `tiles` gets slower:
`set n=16777216`.]] },
  },
  exercises = exercises,
}
