-- Lab 10: synchronization within a block and across the grid.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

local THREADS <const>, PERIOD <const> = 256, 4096 -- the data repeat after PERIOD elements
local LIMIT <const> = 10 -- for the steps that count elements, which are 0 to 63

local function all_blocks(p) return p.n // THREADS end

-- 32 bits of a sum, as an int.
local function wrapped(sum)
  sum = sum & 0xffffffff
  return sum < 0x80000000 and sum or sum - 0x100000000
end

local numbers -- of one period

local function number(i)
  if not numbers then
    local state = 10
    numbers = {}
    for k = 0, PERIOD - 1 do
      state = (state * 1103515245 + 12345) & 0x7fffffff
      numbers[k] = (state >> 16) % 64
    end
  end
  return numbers[i % PERIOD]
end

-- count elements, value(i) for element i, where that repeats.
local function periodic(type, count, value)
  local one = gpu.array(type, PERIOD)
  for i = 0, PERIOD - 1 do one[i] = value(i) end
  return one:cycle(count)
end

local steps = {}

local function step(file, group, id, title, kernel, of)
  of.group, of.id, of.title = group, id, title
  if kernel then of.kernel = { file = file, name = kernel } end
  steps[#steps + 1] = of
end

-- Within a block ----------------------------------------------------------------------------------

local function bytes(p) return 8 * p.n end

local function block(id, title, kernel, of)
  of.grid, of.block, of.args = of.grid or all_blocks, of.block or THREADS, of.args or { "out", "v" }
  if not of.shows then
    of.output, of.useful_bytes = of.args[1], of.useful_bytes or bytes
  end
  step("sync.cu", "block", id, title, kernel, of)
end

local function reversed(change)
  return function(p)
    return periodic("int", p.n, function(i)
      return change(number(i // THREADS * THREADS + THREADS - 1 - i % THREADS))
    end)
  end
end

block("reversed", "barrier, then read", "reversed", { claims = { "F10.memory.wait", "F10.block.exchange" },
  reference = reversed(function(x) return x end),
  predict = { ask = "A block has 8 warps and one __syncthreads(). How many barrier arrivals (one per warp) are counted "
    .. "per block?", of = function(record)
      return record.report and record.report.counters.barriers / all_blocks(record.params)
    end, unit = "arrivals" },
  text = [[
Each thread stores an element in shared memory and reads one that another thread stored, so that the block's elements
come out in reverse order. Between the two is `__syncthreads()`: no thread of the block continues before all have
reached it, and after it every thread sees what the others wrote before it. It is one instruction per warp. This step
is the correct version; compare it with the next one.]] })
block("nobarrier", "no barrier", "reversed_no_barrier", { shows = "race", claims = { "F10.memory.wait" }, text = [[
The same kernel without the barrier. A thread may read a word before its owner has written it. Whether that happens
depends on which warp is faster, so a test can pass a thousand times, in particular if a block has only one warp.
Tests do not find such errors; a race checker does. This step is wrong on purpose and runs on the emulator under the
race checker, which records the accesses to each word and what orders them.]] })
block("condition", "barrier under a condition", "conditional", { shows = "sync", claims = { "F10.barrier.all" },
  text = [[
Threads with an odd element add 1 and wait at a barrier that the others never reach. "All threads have to enter it
(beware of conditions!)" says the slide. Otherwise the behavior is undefined. Up to cc 6.x a warp arrived as a whole,
and such programs seemed to work. From cc 7.0 on the barrier waits for each thread that has not exited: it may hang,
or complete when the others exit. The emulator's sync checker reports the line. Keep all threads until the last
barrier. In `debug condition`, `until barrier` and `view` show which lanes reach it.]] })
block("unconditional", "barrier after the condition", "unconditional", { claims = { "F10.barrier.all" },
  reference = reversed(function(x) return x % 2 == 1 and x + 1 or x end), text = [[
The fix: the condition covers only the work, and the barrier after it is for all threads. A barrier may be inside a
loop or branch if all threads of the block take it alike, for example because the condition depends only on a kernel
argument or on blockIdx.]] })

local function passed_on(id, title, kernel, of)
  of.grid, of.block, of.args = function(p) return p.blocks end, 64, { "passed", "v" }
  of.useful_bytes = function(p) return 8 * 32 * p.blocks end
  if of.shows then of.useful_bytes = nil end
  block(id, title, kernel, of)
end

passed_on("flag", "flag, no fence", "passed_on<false>", { shows = "race",
  claims = { "F10.memory.fence", "F10.memory.volatile" }, text = [[
Another way to wait: the first warp writes 32 words and then sets a flag; the second warp polls the flag. `volatile`
makes the compiler reload the flag each time. But it does not order the words: neither the compiler nor the hardware
has to perform the accesses in program order, so the second warp may see the flag before the words. This step is wrong
on purpose, for the race checker.]] })
passed_on("fence", "flag with fences", "passed_on<true>", { claims = { "F10.memory.fence" },
  reference = function(p)
    return periodic("int", 32 * p.blocks, function(i) return number(i // 32 * 32 + 31 - i % 32) end)
  end, text = [[
A fence orders one thread's accesses: other threads see what it wrote before the fence no later than what it wrote
after it (`__threadfence_block()` for the block, `__threadfence()` for the GPU). A fence does not wait for other
threads. So it takes two: one between the words and the flag, one between reading the flag and reading the words. In
current code use a cuda::atomic_ref with release and acquire, or simply `__syncthreads()`.]] })

-- What a barrier costs ----------------------------------------------------------------------------

local function fma_loop(id, title, threads, waits, text)
  step("sync.cu", "cost", id, title, ("fma_loop<%s>"):format(waits), {
    text = text, claims = { "F10.barrier.fast", "F10.barrier.others" },
    grid = function(p) return p.blocks * (1024 // threads) end, block = threads,
    args = { "moved", 0.5, 1, "repeats" }, output = "moved", tolerance = { relative = 1e-6 },
    reference = function(p)
      local one = gpu.array("float", 32)
      for lane = 0, 31 do
        local x = lane
        for _ = 1, p.repeats do x = x * 0.5 + 1 end
        one[lane] = x
      end
      return one:cycle(p.blocks * 1024)
    end,
    useful_ops = function(p) return p.blocks * 1024 * p.repeats end })
end

fma_loop("free", "256, no barrier", 256, false, [[
The baseline: dependent FMAs in blocks of 256 threads, without barriers.]])
fma_loop("waiting", "256, barrier per FMA", 256, true, [[
The same with a barrier after each FMA. `__syncthreads()` is one instruction per warp, and an SM's barrier throughput
is limited: 64 threads per cycle on cc 5.x and 6.1, 32 on 6.0, 16 on 7.x and 8.x (CUDA programming guide). The guide
has no number for later GPUs; an H200 reached 15. That is the bound of this row. Waiting for the slowest warp of a
block is hidden, because other blocks run in the meantime.]])
fma_loop("waiting1024", "1024, barrier per FMA", 1024, true, [[
The same threads in blocks of 1024. Each barrier waits for more warps, and fewer blocks can run in the meantime: two
per SM with 2048 thread slots, one on cc 7.5, 8.6, 8.9 and 12.0. Still the row costs the same as with 256 threads
(measured on an H200), because the barrier throughput limits both.

Note on the slide: it calls barriers "very fast if it doesn't degrade parallelism". From cc 7.0 on one barrier per FMA
is too many at any block size.]])
fma_loop("waiting32", "32, barrier per FMA", 32, true, [[
In blocks of one warp the barrier has no other warp to wait for. But an SM holds at most 32 blocks (cc 5.x to 7.0,
8.0, 9.0; 16 or 24 on 7.5, 8.6, 8.9), so at least half of its warp slots stay empty. Now the latency of the barrier
shows: an H200 reached 10 threads per cycle.]])

-- Barriers that count -----------------------------------------------------------------------------

local function barrier_votes(id, title, kernel, text)
  step("sync.cu", "votes", id, title, kernel, { text = text, claims = { "F10.barrier.votes" },
    grid = all_blocks, block = THREADS, args = { "answers", "v", LIMIT }, output = "answers", columns = 3,
    useful_bytes = function(p) return 4 * p.n end,
    reference = function(p)
      local blocks = PERIOD // THREADS
      local one = gpu.array("int", 3 * blocks)
      for b = 0, blocks - 1 do
        local count = 0
        for i = b * THREADS, (b + 1) * THREADS - 1 do count = count + (number(i) > LIMIT and 1 or 0) end
        one[3 * b], one[3 * b + 1], one[3 * b + 2] = count, count == THREADS and 1 or 0, count > 0 and 1 or 0
      end
      return one:cycle(3 * all_blocks(p))
    end })
end

barrier_votes("byhand", "shared counter", "count_by_hand", [[
How many of the block's elements are above a limit? Are all? Is any? Here with a counter in shared memory: set it to
0, barrier, atomic additions, barrier. Look at the atomics and at the barrier arrivals.]])
barrier_votes("bybarrier", "__syncthreads_count", "count_by_barrier", [[
From cc 2.0 on a barrier can also combine a condition of all threads: `__syncthreads_count`, `_and`, `_or`. Each is a
barrier, takes a condition from every thread, and returns the result to all of them. The kernel calls all three to
show them, and with three barriers the row is no faster than the first on an H200. One is enough: the count answers
all three questions. Typical use: iterate until no thread changes anything,
do { ... } while (__syncthreads_or(changed)).]])

-- Atomics -----------------------------------------------------------------------------------------

-- The expected histogram.
local function counts(bins)
  return function(p)
    local want = gpu.array("unsigned", bins)
    local rounds_of_all, rest = p.n // PERIOD, p.n % PERIOD
    for i = 0, PERIOD - 1 do
      local b = number(i) * bins // 64
      want[b] = want[b] + rounds_of_all + (i < rest and 1 or 0)
    end
    return want
  end
end

local function counted(id, title, kernel, bins, claims, text, shows)
  step("atomics.cu", "atomics", id, title, ("%s<%d>"):format(kernel, bins), { text = text, claims = claims,
    shows = shows, grid = function(p) return p.blocks end, block = THREADS,
    args = { bins == 1 and "one_bin" or "bins", "v", "n" },
    output = not shows and (bins == 1 and "one_bin" or "bins") or nil, reference = not shows and counts(bins) or nil,
    useful_ops = not shows and function(p) return p.n end or nil })
end

local spaces <const> = { "F10.atomics.undisturbed", "F10.atomics.spaces" }

counted("nonatomic", "bins[b]++", "count_nonatomic", 64, { "F10.atomics.undisturbed" }, [[
A histogram of numbers from 0 to 63. bins[b]++ is three steps: read, add 1, write. If two threads read the same 5,
both write 6, and one count is lost. This step is wrong on purpose, for the race checker.]], "race")
counted("global64", "global, 64 bins", "count_global", 64, spaces, [[
atomicAdd performs read, add and write as one operation, in the L2 cache since Fermi (on cc 1.x, without L2, at the
memory controllers). The threads do not wait for it, because the kernel does not use its return value. But additions
to the same word are serialized, and 64 bins are few for a whole GPU.]])
counted("shared64", "shared, 64 bins", "count_shared", 64, spaces, [[
Each block counts into its own bins in shared memory and adds its 64 counts to the global bins at the end, so far
fewer additions contend for the same word. Native shared-memory atomics exist since Maxwell; before, the compiler
generated a loop that locks the word.]])
counted("global1", "global, 1 bin", "count_global", 1, spaces, [[
The worst case: all numbers fall into one bin, and all threads of the grid add to a single word. If the compiler can
see that a whole warp uses one address, as in atomicAdd(&count, 1), it aggregates: one thread adds the number of
active threads, 1/32 of the operations. Here the address depends on the data, so the compiler cannot.]])
counted("shared1", "shared, 1 bin", "count_shared", 1, spaces, [[
One bin per block in shared memory: there is contention only within each block, and blocks proceed in parallel. Recent
GPUs (at least since cc 8.0) also have an instruction for adding 1 that counts the lanes with the same address.
Exercise `one-atomic` avoids most of the additions: it aggregates first. The model only approximates contention, so
compare these four rows on a GPU; on the emulator compare their atomics.]])

-- The whole grid ----------------------------------------------------------------------------------

local function total(_, host)
  local one = gpu.array("int", 1)
  one[0] = wrapped(host.v:sum())
  return one
end

local function some_blocks(p) return p.blocks end

local function summed(id, title, of)
  if of.kernel then of.grid, of.block = some_blocks, THREADS end
  if not of.shows then
    of.output, of.reference, of.useful_bytes = "total", total, function(p) return 4 * p.n end
  end
  local kernel = of.kernel
  of.kernel = nil
  step("last_block.cu", "sums", id, title, kernel, of)
end

summed("twolaunches", "two launches", { claims = { "F10.global.none" },
  launches = function(p)
    local kernel = { file = "last_block.cu", name = "sum" }
    return { { kernel = kernel, grid = p.blocks, block = THREADS, args = { "sums", "v", "n" } },
      { kernel = kernel, grid = 1, block = THREADS, args = { "total", "sums", "blocks" } } }
  end,
  text = [[
The sum of a vector: each block sums its part, then the block sums have to be added. All blocks must be done before
that, and an ordinary launch has no barrier for all blocks: the last ones may start only when the first have ended.
The end of a launch is the barrier. It costs a microsecond or more, and it lets the same program run on few or many
SMs: "poor options for global synchronization make programming hard but allow for very good scalability".]] })
summed("last", "last block", { kernel = "sum_by_last<true>", args = { "total", "sums", "count", "v", "n" },
  claims = { "F10.global.last_block", "F10.memory.fence" }, text = [[
The lecture's single-launch solution. No block waits: each stores its sum and then increments a counter atomically.
The block that gets the last count adds all sums. The fence between sum and count orders the two for every reader. The
reading side strictly needs one as well, after the atomic. This kernel relies on `__syncthreads()` there; the
programming guide's own sample also reads the sums through `volatile`.

Note on the slide: atomicInc(&count, m) wraps from m to 0. The slide passes gridDim.x and resets the counter by hand;
with gridDim.x - 1 it wraps to 0 by itself.]],
  predict = { ask = "How many barriers does a thread outside the last block reach (its tree has 8 levels)?",
    unit = "barriers", within = 15, of = function(record)
      return record.report and record.report.counters.barriers / (record.params.blocks * THREADS // 32)
    end } })
summed("unfenced", "last block, no fence", { kernel = "sum_by_last<false>", shows = "race",
  args = { "total", "sums", "count", "v", "n" }, claims = { "F10.memory.fence" }, text = [[
The same without `__threadfence()`: the count may become visible before the sum. A test may never show that, because
it depends on timing. The checker does not: nothing orders the two lines it reports.]] })
summed("atomics", "one atomic per block", { kernel = "sum_by_atomics",
  args = { "zero_total", "v", "n" }, claims = { "F10.global.atomics" }, text = [[
A simpler solution for a sum: each block adds its sum to the total atomically. For ints the order does not matter. For
floats the last digits could differ from run to run, while the last block always adds in the same order.
The total has to be 0 before the launch; that costs a further launch or copy, which this row does not count.]] })
steps[#steps].output = "zero_total"

-- Smoothed twice, away from the ends: weights 1 2 3 2 1.
local function smoothed(p)
  local function at(i) return number(math.max(0, math.min(p.n - 1, i))) end
  local function once(i) return at(i - 1) + at(i) + at(i + 1) end
  local function twice(i) return once(math.max(0, i - 1)) + once(i) + once(math.min(p.n - 1, i + 1)) end
  local want = periodic("int", p.n, function(i)
    return number(i - 2) + 2 * number(i - 1) + 3 * number(i) + 2 * number(i + 1) + number(i + 2)
  end)
  for _, i in ipairs { 0, 1, p.n - 2, p.n - 1 } do want[i] = twice(i) end
  return want
end

local function grid_wide(id, title, of)
  if not of.shows then
    of.output, of.reference, of.useful_bytes = "out", smoothed, function(p) return 16 * p.n end
  end
  local kernel = of.kernel
  of.kernel = nil
  if kernel then of.grid, of.block, of.args = some_blocks, THREADS, { "out", "between", "v", "n" } end
  step("global_barrier.cu", "grid", id, title, kernel, of)
end

grid_wide("smooth", "two launches", { claims = { "F10.global.none", "F10.global.scalability" },
  launches = function(p)
    local kernel = { file = "global_barrier.cu", name = "smooth_once" }
    return { { kernel = kernel, grid = p.blocks, block = THREADS, args = { "between", "v", "n" } },
      { kernel = kernel, grid = p.blocks, block = THREADS, args = { "out", "between", "n" } } }
  end,
  text = [[
A 3-point stencil applied twice: each element becomes the sum of itself and its two neighbors. The second application
needs results of other blocks, not just one number per block. Two launches do it: the end of the first is the
barrier.]] })
grid_wide("blocksync", "__syncthreads() only", { kernel = "smooth_block_sync", shows = "race",
  claims = { "F10.global.none" }, text = [[
One launch, with a fence and `__syncthreads()` between the two applications. But that barrier covers one block only;
at the border of its elements a block reads what the neighboring block may not have written yet. This step is wrong on
purpose, for the race checker.]] })
grid_wide("gridsync", "this_grid().sync()", { kernel = "smooth_grid_sync", cooperative = true,
  claims = { "F10.global.none" },
  with = function(p, device) return { blocks = device and math.min(p.blocks, 2 * device.sms) or p.blocks } end,
  text = [[
"Another solution is quite tricky", says the slide of 2010: a barrier built from atomics works only if all blocks are
resident at once; otherwise resident blocks wait forever for blocks that cannot start. Since CUDA 9 (cc 6.0) a
cooperative launch guarantees residency, and refuses larger grids; inside it, `this_grid().sync()` is the barrier. The
gain: registers and shared memory survive it. From cc 9.0 a thread block cluster has a barrier as well,
`cluster.sync()`. Measure on a GPU whether it beats a second launch; the model does not know.]] })

-- Tables ------------------------------------------------------------------------------------------

steps[#steps + 1] = { group = "figures", id = "kinds", title = "atomics by compute capability",
  claims = { "F10.atomics.types", "F10.atomics.spaces", "F10.atomics.operations" }, text = [[
Atomic operations, and from which compute capability on each exists in global and in shared memory.]],
  figure = function()
    return { columns = { "operation", "type", "global\nmemory", "shared\nmemory" }, rows = {
      { "Add Sub Exch Min Max Inc Dec CAS And Or Xor", "32 bits", "1.1", "1.2" },
      { "Add Exch CAS", "64 bits", "1.2", "2.0" },
      { "Min Max And Or Xor", "64 bits", "3.2", "3.2" },
      { "Exch CAS", "128 bits", "9.0", "9.0" }, { "CAS", "16 bits", "7.0", "7.0" },
      { "Add", "float", "2.0", "2.0" }, { "Add", "double", "6.0", "6.0" }, { "Add", "half2", "6.0", "6.0" },
      { "Add", "half", "7.0", "7.0" }, { "Add", "bfloat16", "8.0", "8.0" }, { "Add", "float2, float4", "9.0", "none" },
    }, note = "Note on the slide: it has 64-bit integers from 1.2 on, which holds for global memory only. Other "
        .. "operations are built from CAS: read, compute, write if no thread has changed the word, else repeat." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 64 * THREADS -- elements of every exercise

local function size(p) return p.size end

local function exercise(of)
  local file = ("10-%s/%s.cu"):format(of.id, (of.id:gsub("-", "_")))
  of.grid, of.block = 64, THREADS
  of.starter, of.solution = "exercises/" .. file, "solutions/" .. file
  return of
end

-- The maximum is the first element or the last one: no kernel may skip either. It needs all bits of a float.
local function first_or_last(p, seed)
  local values = gpu.array("float", p.size, "random", seed + 31)
  values[seed % 2 * (p.size - 1)] = 1 + (values[0] * (1 << 21) // 1 * 2 + 1) / (1 << 23)
  return values
end

local function one_of(type, of)
  return function(_, host)
    local one = gpu.array(type, 1)
    one[0] = of(host)
    return one
  end
end

local exercises = {
  exercise {
    id = "early-return", title = "A barrier for all threads", kernel = "shifted", claims = { "F10.barrier.all" },
    args = { "moved_on", "numbers", size }, output = "moved_on", sizes = { COUNT - 100, COUNT - 257, COUNT - 31, 100 },
    reference = function(_, host)
      local want = gpu.array("int", #host.numbers)
      for i = 0, #want - 1 do
        local next_one = i + 1
        want[i] = (next_one % THREADS == 0 or next_one == #want) and 0 or host.numbers[next_one]
      end
      return want
    end,
    accept = { barriers = { at_least = 64 * 8, advice = "Let every warp of every block wait at __syncthreads()." },
      load_sectors = 1.1, staged = 0.7, shared_stored = 0.7, thread_stored = 1 },
    task = [[
Each thread passes its element through shared memory to its left neighbor in the block. Threads beyond the end return
early, after the usual bounds check, and the others wait at a barrier. Let all threads reach the barrier.]],
    hints = {
      "Which threads of the last block reach __syncthreads()?",
      "Only reading and writing have to be conditional.",
      "words[tid] = i < n ? in[i] : 0; then the barrier; then if (i < n) for the rest.",
    },
    debrief = [[
On real hardware the starter usually works, because the barrier does not wait for threads that have exited. From cc
7.0 on NVIDIA documents that; before, a barrier counted warps. But a thread that has returned can no longer store a
word that others read, and a shuffle from its lane returns an undefined value. The rule is simple: no return before the
last barrier.]],
  },
  exercise {
    id = "one-atomic", title = "One atomic per block", kernel = "above", claims = { "F10.barrier.votes" },
    args = { "found", "around", LIMIT, size }, output = "found", sizes = { COUNT, COUNT - 77, 100 },
    reference = one_of("unsigned", function(host)
      local count = 0
      for i = 0, #host.around - 1 do count = count + (host.around[i] > LIMIT and 1 or 0) end
      return count
    end),
    accept = { global_atomics = 1, busiest_address = 1, idle_warps = 3, busiest_words = 1.25,
      warp_instructions = 6 }, -- any sum within the block
    task = [[
How many elements are above a limit? Each thread that finds one adds 1 to the same word of global memory. Let each
block count its own 256 elements and do one addition there. How all its threads count is up to you; you do not need
shared memory.]],
    hints = {
      "What could give one thread the number of threads of its block that found something?",
      "There is a barrier that counts.",
      "int count = __syncthreads_count(in[i] > limit); then thread 0 adds count.",
    },
    debrief = [[
Aggregate in the warp or block first: that is the standard remedy for contended atomics. Within a warp use
__ballot_sync and __popc, or __reduce_add_sync from cc 8.0 on; within a block use a counting barrier as here, or a
reduction as in lab 5. (In the starter the compiler can aggregate by warp, as step `global1` says. That leaves up to
eight additions per block; now it is one.)]],
  },
  exercise {
    id = "largest", title = "Maximum of floats", kernel = "largest", claims = { "F10.atomics.operations" },
    args = { "top", "positive", size }, output = "top", sizes = { COUNT, COUNT - 77, 100 },
    reference = one_of("float", function(host)
      local most = 0
      for i = 0, #host.positive - 1 do most = math.max(most, host.positive[i]) end
      return most
    end),
    accept = { atomics = { at_least = 1, advice = "Only an atomic operation reads, compares and writes in one step." },
      global_atomics = 2, idle_warps = 3, warp_instructions = 9, load_sectors = 2.1 }, -- maxima of warps and blocks
    task = [[
The maximum of non-negative floats. Reading, comparing and writing are three steps, and one thread overwrites what
another has written. There is an atomicMax, but not for floats. (A loop of compare-and-swap works for any type, if its
first read is atomic, too. There is a shorter way.)]],
    hints = {
      "A float has 32 bits. How do the bits of a larger float compare, read as an int?",
      "The larger of two non-negative floats has the larger bits: the exponent comes before the fraction.",
      "atomicMax((int *)most, __float_as_int(in[i])).",
    },
    debrief = [[
The IEEE 754 format was designed to allow this. Negative floats compare in reverse order: use atomicMax on int for
non-negative values, and atomicMin on unsigned for negative ones. Operations without an atomic are built from
atomicCAS in a loop: read the word, compute the new value from what you have seen, and call atomicCAS(word, seen,
new). If it returns another value than seen, repeat with that value. Every thread still issues its own atomicMax;
`__reduce_max_sync` on the bits (cc 8.0) leaves one per warp.]],
  },
  exercise {
    id = "one-launch", title = "The last block", kernel = "sum", claims = { "F10.global.last_block" },
    args = { "total", "part_sums", "count", "all_numbers" }, output = "total",
    reference = one_of("int", function(host)
      local sum = 0
      for i = 0, COUNT - 1 do sum = sum + host.all_numbers[i] end
      return wrapped(sum)
    end),
    accept = { busiest_words = 1.25,
      -- two to read and reset the counter
      global_atomics = { at_least = 64, at_most = 66,
        advice = "Let each block increment the counter once, after its sum is stored, and wait for no other block." } },
    task = [[
The sum of a vector in one launch: 64 blocks store their sums, and block 63 adds them, assuming that it is the last.
It need not be: blocks end in any order. Let all threads of the block that is really last add the sums, and make sure
that they see what the others stored.]],
    hints = {
      "How can a block know how many others have already stored their sums?",
      "Each block increments a counter after it has stored its sum. Which value does the last one get? And what has to "
        .. "be between the two?",
      "if (tid == 0) { sums[blockIdx.x] = ...; __threadfence(); is_last = atomicInc(count, gridDim.x - 1) == gridDim.x "
        .. "- 1; } with is_last in shared memory, then __syncthreads().",
    },
    debrief = [[
All threads of the last block have to know that it is the last, so the answer goes through shared memory and a
barrier. The fence is between the sum and the count, in the thread that does both. In the last block, the barrier
keeps the other threads from reading the sums before thread 0 has read the count. No block waits for another, so the
kernel is correct in any order of the blocks. It works for up to 256 of them, because each thread of the last block
adds one sum; for more, use a loop as in `last_block.cu`.]],
  },
}

return lab.define {
  number = 10,
  id = "synchronization",
  title = "Synchronization",
  lecture = { "F10" },
  intro = [[
Threads of a block can wait for each other, exchange data in shared memory, and add to the same word without
interference. Threads of different blocks share global memory and atomics, but an ordinary launch has no barrier other
than its end. This lab shows correct versions next to almost correct ones: six steps are wrong on purpose. They run on
the emulator, under checkers that find what tests do not.

Sums are computed on ints, so that the order of additions does not change a result.]],
  params = {
    n = { default = 1 << 22, emulator = 1 << 18, small = 1 << 13, min = 4096, max = 1 << 23, multiple = THREADS,
      help = "elements of the vector", because = "the steps within a block handle whole blocks of 256" },
    blocks = { default = 264, small = 8, min = 2, max = 4096,
      help = "blocks of 256 threads in the steps with a grid-stride loop" },
    repeats = { default = 2048, small = 16, min = 1, max = 1 << 20, help = "barriers per thread in the barrier steps" },
  },
  buffers = {
    v = { type = "int", count = "n", fill = function(p) return periodic("int", p.n, number) end },
    out = { type = "int", count = "n" },
    between = { type = "int", count = "n" },
    passed = { type = "int", count = function(p) return 32 * p.blocks end },
    moved = { type = "float", count = function(p) return 1024 * p.blocks end },
    answers = { type = "int", count = function(p) return 3 * all_blocks(p) end },
    bins = { type = "unsigned", count = 64, fill = 0 },
    one_bin = { type = "unsigned", count = 1, fill = 0 },
    sums = { type = "int", count = "blocks" },
    count = { type = "unsigned", count = 1, fill = 0 },
    total = { type = "int", count = 1 },
    zero_total = { type = "int", count = 1, fill = 0 },
    -- for the exercises
    numbers = { type = "int", count = size, fill = inputs.whole("int", size, -9999, 9999) },
    around = { type = "int", count = size, fill = inputs.whole("int", size, -2 * LIMIT, 2 * LIMIT) },
    all_numbers = { type = "int", count = COUNT, fill = inputs.whole("int", COUNT, 0, 2 * LIMIT) },
    moved_on = { type = "int", count = size },
    found = { type = "unsigned", count = 1, fill = 0 },
    positive = { type = "float", count = size, fill = first_or_last },
    top = { type = "float", count = 1, fill = 0 },
    part_sums = { type = "int", count = 64 },
  },
  groups = {
    { id = "block", title = "within a block", columns = { "rate", "verified" } },
    { id = "cost", title = "threads per block", baseline = "free", share = "of no barrier",
      columns = { "rate", "share", "verified" } },
    { id = "votes", title = "count above a limit", baseline = "byhand", share = "of first",
      columns = { { header = "atomics", of = "atomics" }, { header = "arrivals", of = "barriers" }, "rate", "share",
        "verified" } },
    { id = "atomics", title = "histogram", baseline = "global64", share = "of global",
      columns = { { header = "atomics", of = "atomics" }, "rate", "share", "verified" } },
    { id = "sums", title = "sum", baseline = "twolaunches", share = "of first",
      columns = { "ms", "rate", "share", "verified" } },
    { id = "grid", title = "3-point stencil, twice", baseline = "smooth", share = "of first",
      columns = { "ms", "rate", "share", "verified" } },
    { id = "figures", title = "tables" },
  },
  steps = steps,
  plots = {
    { id = "blocks", title = "Time of the sum over the number of blocks", claims = { "F10.global.scalability" },
      x = { param = "blocks", values = { 8, 16, 32, 64, 132, 264, 528, 1056 }, label = "blocks", log = true },
      emulator_values = { 8, 32, 132, 264, 528 }, steps = { "twolaunches", "last", "atomics" }, y = "ms",
      y_label = "ms", y_log = true, text = [[
More blocks occupy more SMs, until all are full. Beyond that, each additional block adds one more block sum.]] },
  },
  exercises = exercises,
}
