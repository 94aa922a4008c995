-- Lab 5: summing a vector, from a tree of pairs to one launch that is bound by memory bandwidth.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local THREADS <const> = 128 -- per block in the lecture's steps; the slides do not say how many
local WORDS_PADDED <const> = 2 * THREADS -- the most that a block sums: vectors are padded with zeros to a multiple
local LARGE <const> = 1 << 26 -- elements that keep a current GPU busy for some time

local function divided(a, b) return (a + b - 1) // b end
local function padded(count) return divided(count, WORDS_PADDED) * WORDS_PADDED end

-- The int that 32 bits make of a sum.
local function wrapped(sum)
  sum = sum & 0xffffffff
  return sum < 0x80000000 and sum or sum - 0x100000000
end

local function total(_, host)
  local one = gpu.array("int", 1)
  one[0] = wrapped(host.v:sum())
  return one
end

-- A text with the lecture's numbers for {name}.
local function with_numbers(text)
  return (text:gsub("{([%w_.]+)}", function(name) return ("%.4g"):format(lecture.find("O24." .. name).value) end))
end

local function bytes_of_vector(p) return 4 * p.n end

local recent = {} -- the last vector made: a run needs it several times

-- n ints, padded with zeros to whole blocks.
local function vector(n)
  if recent.n ~= n then
    local v = gpu.array("int", padded(n), "random", 5)
    for i = n, padded(n) - 1 do v[i] = 0 end
    recent = { n = n, v = v }
  end
  return recent.v
end

-- Launches ----------------------------------------------------------------------------------------

-- Two neighboring words per thread, one launch per level, alternating between two buffers.
local function by_pairs(p)
  local list, m, from = {}, p.n, "v"
  repeat
    local half = divided(m, 2)
    local to = half == 1 and "total" or #list % 2 == 0 and "halves" or "quarters"
    list[#list + 1] = { kernel = { file = "reduction.cu", name = "pairwise" }, grid = divided(half, 256), block = 256,
      args = { to, from, m } }
    m, from = half, to
  until m == 1
  return list
end

-- One block per `each` elements, launched again on the sums until one is left.
local function by_blocks(name, each)
  return function(p)
    local list, m, from = {}, p.n, "v"
    repeat
      local blocks = divided(m, each)
      local to = blocks == 1 and "total" or "sums" .. #list + 1
      list[#list + 1] = { kernel = { file = "reduction.cu", name = name }, grid = blocks, block = THREADS,
        shared = 4 * THREADS, args = { to, from } }
      m, from = blocks, to
    until m == 1
    return list
  end
end

-- p.blocks blocks for the vector, then one for their sums.
local function by_grid_stride(name)
  local kernel = { file = "reduction.cu", name = name }
  return function(p)
    return {
      { kernel = kernel, grid = p.blocks, block = THREADS, shared = 4 * THREADS, args = { "sums1", "v", padded(p.n) } },
      { kernel = kernel, grid = 1, block = THREADS, shared = 4 * THREADS,
        args = { "total", "sums1", padded(p.blocks) } },
    }
  end
end

-- Remarks under a row -----------------------------------------------------------------------------

-- Bytes of loads or stores as a multiple of n elements.
local function of_n(bytes, p) return ("%.4g n"):format(bytes / 4 / p.n) end

local function traffic(record, p)
  local report = record.report
  if not report then return nil end
  return ("%s loaded, %s stored, %d launches"):format(of_n(report.counters.global_load_bytes, p),
    of_n(report.counters.global_store_bytes, p), #by_pairs(p))
end

-- The number of blocks of all launches of a step.
local function blocks_in(launches, p)
  local count = 0
  for _, launch in ipairs(launches(p)) do count = count + launch.grid end
  return count
end

local function divergence(launches)
  return function(record)
    return record.report and record.report.counters.divergent_branches / blocks_in(launches, record.params)
  end
end

-- Elements per second, next to the slide's; divergence; launches.
local function remark(launches, claim)
  local divergent = divergence(launches)
  local elements = claim and lecture.find(claim .. ".elements")
  return function(record, p)
    local parts = {}
    if record.rate then
      parts[1] = ("%.3g Gelem/s%s"):format(record.rate.number / 4,
        elements and (" (slide: %.4g)"):format(elements.value) or "")
    end
    if record.report then
      local count = ("%.0f"):format(divergent(record))
      parts[#parts + 1] = count .. (count == "1" and " divergent branch per block" or " divergent branches per block")
    end
    parts[#parts + 1] = ("%d launches"):format(#launches(p))
    return table.concat(parts, ", ")
  end
end

-- Steps -------------------------------------------------------------------------------------------

local steps = {
  {
    id = "pairs", group = "scheme", title = "pairs, one launch per level", launches = by_pairs, output = "total",
    reference = total, useful_bytes = bytes_of_vector, detail = traffic,
    claims = { "O24.reduce.pairwise", "O24.reduce.parallel_steps" },
    predict = { ask = "All launches together load a multiple of n elements from global memory. Which one?", unit = "n",
      of = function(record)
        return record.report and record.report.counters.global_load_bytes / 4 / record.params.n
      end },
    text = [[
Addition of ints is associative: ((a + b) + c) + d equals (a + b) + (c + d), and the two inner sums can be computed in
parallel. The n - 1 additions then form a tree with only log2 n levels. Each level is a launch, because the blocks of
an ordinary launch cannot wait for each other. (Those of a cooperative launch can: lab 10.) Every thread adds two
neighboring words. The last launches are pure launch overhead; look at their number.

Note on the slide: it writes v[i] += v[i+1] for even i, and again for half as many. For that the sums would have to
be adjacent. Here they are, in another buffer.]],
  },
}

local function ladder(step)
  step.group, step.output, step.reference, step.useful_bytes = "ladder", "total", total, bytes_of_vector
  step.text = with_numbers(step.text)
  step.detail = not step.shows and remark(step.launches, step.claim) or nil
  steps[#steps + 1] = step
end

-- Wavefronts of the worst request to shared memory, against those that its words need.
local function worst_conflict(record)
  local most
  for _, line in ipairs(record.report and record.report.lines or {}) do
    local worst = line.worst
    if worst and worst.space == "shared" then most = math.max(most or 0, worst.cost / worst.ideal) end
  end
  return most
end

local modulo, last_warp = by_blocks("reduce_modulo", THREADS), by_blocks("reduce_last_warp<LOCKSTEP>", 2 * THREADS)

ladder {
  id = "modulo", title = "1 modulo", launches = modulo,
  claim = "O24.reduce1.modulo", claims = { "O24.reduce1.modulo.elements", "O24.reduce.locality",
    "O24.reduce.divergence" },
  predict = { ask = "A block has 4 warps. In 7 iterations they test tid % (2 * s) == 0, then once tid == 0. How many "
    .. "of these branches diverge per block?",
    of = divergence(modulo), unit = "branches" },
  text = [[
Each block now sums 128 elements in shared memory and stores one partial sum. Global loads drop from 2n to about n,
and more than twenty launches become a few. Yet it can be slower than before: its time goes into instructions. In
iteration s only threads with tid % (2 * s) == 0 are active. They are spread over the warps, so every iteration has
divergence. NVIDIA GPUs have no modulo instruction (tid & (2 * s - 1) would avoid it). The next steps remove these
costs.

Note on the slide: it prints {reduce1.modulo.elements} MElem/s. {reduce1.modulo} GB/s of 4-byte ints are
{reduce1.modulo.elements} G elements/s, and so for all seven steps.]],
}
ladder {
  id = "strided", title = "2 strided", launches = by_blocks("reduce_strided", THREADS),
  claim = "O24.reduce2.strided", claims = { "O24.reduce2.strided.elements" },
  predict = { ask = "Thread t accesses word 2·s·t for s = 1, 2, 4 ... 64. How many wavefronts in the worst case?",
    of = worst_conflict, unit = "wavefronts" },
  text = [[
The same additions by other threads: thread t does the work of thread 2·s·t. The active threads are now the first
ones, so whole warps are active or done, and the modulo is gone. The new problem is bank conflicts: in iteration s
neighboring threads access words with a stride of 2·s (lab 3 has the picture). The stride doubles while the number
of active threads halves.

Note on the slide: it calls the code free of divergence. Once fewer than 32 threads are active, the one remaining
warp still diverges in each iteration; compare the counts.]],
}
ladder {
  id = "sequential", title = "3 sequential", launches = by_blocks("reduce_sequential", THREADS),
  claim = "O24.reduce3.sequential", claims = { "O24.reduce3.sequential.elements" },
  text = [[
Neighbors do not have to be added to each other. Add the upper half to the lower half, then the second quarter to the
first: the active threads are consecutive, and so are their words. That removes the conflicts on any number of banks;
with 32 banks they were 2-way in the first iteration and 4-way from the second to the fifth. The order of the
additions has changed. For ints the sum is the same; for floats its last bits may differ. In `debug -G sequential`,
`until 67` and `view` show the tree level by level: `u` goes to the next.]],
}
ladder {
  id = "onload", title = "4 add on load", launches = by_blocks("reduce_add_on_load", 2 * THREADS),
  claim = "O24.reduce4.add_on_load", claims = { "O24.reduce4.add_on_load.elements" },
  text = [[
In step 3 half of the threads load an element and never add. Let each thread load two elements and add them on the
way to shared memory. A block then covers twice as many elements, so the rest of the kernel runs half as often. On
the GTX 280 the lecture reaches {reduce4.add_on_load} GB/s, still less than a fifth of the memory bandwidth. The
access pattern is fine now; on that GPU the bottleneck is instructions.]],
}
ladder {
  id = "lockstep", title = "5 warp in lockstep", launches = last_warp, shows = "race",
  claims = { "O24.reduce.implicit_synchrony" },
  text = [[
Once 64 sums are left, only one warp is active. Before cc 7.0 its threads execute in lockstep, so the slides drop the
barriers and the test for active threads, and declare the words volatile. Since cc 7.0 every thread has its own
program counter and may read a word before or after another thread writes it: a race, even if the result is usually
right. This step is meant to fail under the emulator's race checker. (On `--device "emu:GTX 280"` warps execute in
lockstep, and there is no race.)

Note on the slide: it restricts this to “c.c. < 7.0” itself. Its sum starts at 0 instead of at the thread's own
element, which is then left out.]],
}
ladder {
  id = "syncwarp", title = "5 with __syncwarp", launches = by_blocks("reduce_last_warp<SYNCED>", 2 * THREADS),
  claim = "O24.reduce5.last_warp", claims = { "O24.reduce5.last_warp.elements" },
  text = [[
The same six iterations, correct on every GPU. __syncwarp() waits for the threads of the warp and orders their memory
accesses. Each iteration needs two: all threads must have read before any thread writes, and must have written before
the next iteration reads. The lecture's number is for the form without __syncwarp(), on a GPU that does not need it.
There the step gained by leaving out barriers, tests, and iterations of idle warps. How much does it gain on your
GPU?]],
}
ladder {
  id = "shuffle", title = "5 with shuffles", launches = by_blocks("reduce_last_warp<SHUFFLED>", 2 * THREADS),
  claims = { "O24.reduce.shuffle" },
  text = [[
__shfl_down_sync(mask, sum, d) returns the sum of the lane that is d higher, from register to register: no shared
memory, and no accesses to order. The mask names the participating lanes and makes them wait for each other. Shuffles
exist from cc 3.0 on and are the usual way to sum a warp. For ints, cc 8.0 and later have one instruction for all
iterations, __reduce_add_sync.

Note on the slide: it calls this form safe for all GPUs, but it omits the mask, so its code does not compile.]],
}
ladder {
  id = "unrolled", title = "6 unrolled", launches = by_blocks("reduce_unrolled<128, SYNCED>", 2 * THREADS),
  claim = "O24.reduce6.unrolled", claims = { "O24.reduce6.unrolled.elements" },
  text = [[
With the block size as a template parameter, the compiler knows the number of iterations and removes the loop with
its counter, test, and jump. (With blockDim.x it cannot: that is known only at the launch.) The conditions on BLOCK are
evaluated at compile time. On the GTX 280 the lecture gains a third. On an H200 neither this step nor step 5 gains
more than 2 %: removing instructions does not help there. Does it help on your GPU?]],
}
ladder {
  id = "grid-stride", title = function(p) return ("7 grid-stride, %d blocks"):format(p.blocks) end,
  launches = by_grid_stride("reduce_grid_stride<128, SYNCED>"),
  claim = "O24.reduce7.many_per_thread", claims = { "O24.reduce7.many_per_thread.elements" },
  text = [[
A fixed number of blocks covers the whole vector in a grid-stride loop, and every thread sums many elements before it
cooperates with others. The iterations in shared memory, in which most threads are idle, run once per thousands of
elements. It is also the better algorithm (step `cost`). 64 blocks are about two per SM of a GTX 280. How many SMs
does your GPU have, and what does that mean for this row? The next row has the answer.

Note on the slide: it does not give the number of blocks. 64 is our assumption.]],
}
ladder {
  id = "grid-stride-sms", title = function(p) return ("7 grid-stride, %d blocks"):format(p.blocks) end,
  with = function(_, device) return { blocks = device and 16 * device.sms or nil } end,
  launches = by_grid_stride("reduce_grid_stride<128, SYNCED>"),
  text = [[
The same kernel with 16 blocks per SM of your GPU. That is 2048 threads per SM, which fills a data-center GPU such as
the H200 (GPUs of cc 8.6, 8.9, and 12.0 hold 1536, those of 7.5 hold 1024). With the 64 blocks of the row before,
about half of the H200's 132 SMs have no block. Use `set blocks=...` and `run grid-stride` to find where more blocks
stop helping. What counts is the number of bytes in flight; lab 11 shows how many are needed.]],
}

steps[#steps + 1] = {
  id = "cost", title = "cost of the algorithm", claims = { "O24.reduce.cost" },
  figure = function(p)
    local log = math.log(p.n, 2)
    local rows = {}
    local function row(what, each)
      local taken = each - 1 + math.log(p.n / each, 2)
      rows[#rows + 1] = { what, ("%.0f"):format(each), ("%.0f"):format(p.n / each), ("%.1f"):format(taken),
        ("%.2f n"):format(taken / each) }
    end
    row("one (steps 1 to 3)", 1)
    row("two (steps 4 to 6)", 2)
    row("log2 n", log)
    row("64", 64)
    row("1024", 1024)
    row("all: one thread", p.n)
    return { columns = { "elements per thread", "m", "threads", "additions", "cost" }, rows = rows,
      note = "A thread with m elements makes m - 1 additions alone, and then log2 (n / m) with the others. Cost is "
        .. "threads times additions: the time that processors are occupied, active or idle." }
  end,
  text = [[
Why step 7 wins in theory. With p threads the time is O(n/p + log n), and the cost of a parallel algorithm is its
time multiplied by its processors. One thread per element costs O(n log n): in the last iterations all but one of the
processors are occupied but idle. With log n elements per thread the time at most doubles, and with so many fewer
threads the cost is O(n). More elements per thread save little more, and too few threads do not fill the GPU.]],
}

-- Beyond the lecture ------------------------------------------------------------------------------

local function beyond(step)
  step.group, step.output, step.reference, step.useful_bytes = "beyond", "total", total, bytes_of_vector
  step.detail = function(_, p) return ("n = %d"):format(p.n) end
  step.with = function(p, device)
    local measured = device and device.measures
    return { n = measured and math.max(p.n, LARGE) or nil, blocks = device and 4 * device.sms or nil }
  end
  steps[#steps + 1] = step
end

beyond {
  id = "wide", title = "16-byte loads, two launches",
  launches = function(p)
    local kernel = { file = "reduction_current.cu", name = "wide" }
    return { { kernel = kernel, grid = p.blocks, block = 512, args = { "sums1", "v", "n" } },
      { kernel = kernel, grid = 1, block = 512, args = { "total", "sums1", "blocks" } } }
  end,
  text = [[
What is left to gain is bytes in flight. By Little's law, the bytes in flight must equal bandwidth times latency (lab
11). So every thread issues four 16-byte loads before it waits for the first. Each block reads the vector in
contiguous chunks. Then each warp sums by shuffles and stores one word in shared memory, and after one barrier the
first warp sums those words. On a GPU both steps of this table sum at least 2^26 elements: to compare,
`set n=67108864` and run step 7 again.]],
}
beyond {
  id = "lastblock", title = "16-byte loads, last block",
  launches = function(p)
    return { { kernel = { file = "reduction_current.cu", name = "last_block" }, grid = p.blocks, block = 512,
      args = { "total", "sums1", "v", "n" } } }
  end,
  text = [[
Now we drop the second launch. Each block stores its sum, makes it visible with a memory fence, and increments a
counter atomically; the block that finds itself the last sums all partial sums. (Lab 10 explains this.) It saves a
launch and the gap before it: much for a short vector, little for a long one. tests/bench/peers.cu compares with CUB's
DeviceReduce::Sum.

What to remember: keep active threads and their words consecutive. Let each thread sum many elements first. Never
rely on lockstep within a warp; use __syncwarp() or shuffles.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local BLOCKS <const>, EACH <const> = 64, 256 -- blocks of the exercises, and threads or elements per block

local SIZES <const> = { BLOCKS * EACH, (BLOCKS - 3) * EACH, EACH } -- elements

local function size(p) return p.size end
local function blocks(p) return p.size // EACH end

local function sums_of(each, buffer)
  return function(_, host)
    local from, count = host[buffer], #host[buffer] // each
    local want = gpu.array("int", count)
    for i = 0, count - 1 do
      local sum = 0
      for k = i * each, (i + 1) * each - 1 do sum = sum + from[k] end
      want[i] = wrapped(sum)
    end
    return want
  end
end

local function largest(p, host)
  local want = gpu.array("int", blocks(p))
  for i = 0, #want - 1 do
    local most = host.numbers[i * EACH]
    for k = i * EACH + 1, (i + 1) * EACH - 1 do most = math.max(most, host.numbers[k]) end
    want[i] = most
  end
  return want
end

local UNEVEN <const> = BLOCKS * EACH - 1000 -- elements of a vector that does not fill its blocks

local function sum_uneven(_, host)
  local sum = 0
  for i = 0, #host.uneven - 1 do sum = sum + host.uneven[i] end
  local one = gpu.array("int", 1)
  one[0] = wrapped(sum)
  return one
end

local exercises = {
  {
    id = "warp-sums", title = "Sum a warp with shuffles", claims = { "O24.reduce.shuffle" },
    task = [[
Each warp sums 32 elements and stores one sum. The starter does this in shared memory, with a barrier for the whole
block after each of the five iterations, although warps exchange no data. Do it without shared memory and without
barriers.]],
    starter = "exercises/05-warp-sums/warp_sums.cu", solution = "solutions/05-warp-sums/warp_sums.cu",
    kernel = "warp_sums", grid = blocks, sizes = SIZES, block = EACH, args = { "warps", "numbers" }, output = "warps",
    reference = sums_of(32, "numbers"),
    accept = { shared_load_requests = { at_most = 0 }, shared_store_requests = { at_most = 0 },
      barriers = { at_most = 0 }, shuffles = { at_most = 8 }, warp_instructions = 1.6 },
    hints = {
      "Which value does a thread need in an iteration, and which thread has it? Step `shuffle` moves values from "
        .. "register to register.",
      "Keep the sum in a variable instead of an array. In each iteration a thread adds the sum of the lane that is d "
        .. "higher: __shfl_down_sync returns it.",
      "sum += __shfl_down_sync(0xffffffff, sum, d) for d = 16, 8, 4, 2, 1, executed by all 32 lanes: if a "
        .. "lane is missing the result is undefined. Lane 0 ends up with the sum of the warp.",
    },
    debrief = [[
The five iterations are five shuffles and five additions. All lanes take part although only lane 0 needs the result;
the others end up with partial sums that no thread uses. Do not put if (lane < d) around the shuffle: the mask
promises that all 32 lanes execute it. If all lanes need the sum, __shfl_xor_sync(mask, sum, d) delivers it to all in
as many iterations.]],
  },
  {
    id = "last-warp", title = "Fix the last warp",
    task = [[
The last warp of each block sums 64 words without synchronization, as was usual when the threads of a warp executed
in lockstep. Since cc 7.0 lockstep is not guaranteed. Make it correct, let all 32 lanes of the last warp take part as
now, and do not add atomics or any `__syncthreads()`: the check counts them and allows three per block.]],
    starter = "exercises/05-last-warp/last_warp.cu", solution = "solutions/05-last-warp/last_warp.cu",
    kernel = "last_warp", claims = { "O24.reduce.implicit_synchrony" },
    grid = blocks, sizes = SIZES, block = EACH, args = { "blocks_sums", "numbers" }, output = "blocks_sums",
    reference = sums_of(EACH, "numbers"),
    accept = { barriers = { at_most = BLOCKS * EACH // 32 * 3 }, last_lanes = { at_least = 32 },
      lanes_at_end = { at_least = 16 }, shared_updates = { at_most = 0 } },
    hints = {
      "Run it with --check race, or read what `check` reports: which two lines access the same word, and what orders "
        .. "them?",
      "There are two solutions: order the accesses of the warp's threads with __syncwarp(), or write nothing that "
        .. "another thread reads.",
      "In each iteration: read, __syncwarp(), write, __syncwarp(). Or add the two words, and then five times "
        .. "sum += __shfl_down_sync(0xffffffff, sum, d).",
    },
    debrief = [[
Code like the starter's was usual before Volta; the lecture's step 5 has it. It worked on every GPU before cc 7.0, and
no compiler warns. One __syncwarp() per iteration is not enough: a fast thread could write its new sum before a
slow one has read the old one. volatile does not help either: it makes the accesses happen, but does not order them
between threads. The shuffle version has nothing to order, because it shares no memory.]],
  },
  {
    id = "largest", title = "The largest element",
    task = [[
Find the largest element of each block's 256. The maximum is associative, like the sum, so the same tree works: each
step compares only what the one before left. Remove the modulo and the divergence that can be avoided, without bank
conflicts.]],
    starter = "exercises/05-largest/largest.cu", solution = "solutions/05-largest/largest.cu", kernel = "largest",
    claims = { "O24.reduce.divergence" },
    grid = blocks, sizes = SIZES, block = EACH, args = { "blocks_sums", "numbers" }, output = "blocks_sums",
    reference = largest,
    accept = { divisions = { at_most = 0 }, divergent_branches = 4, loaded_words = 2,
      shared_updates = { at_most = 1 } },
    advice = "Let the first threads of the block work, and half as many in each step.",
    hints = {
      "Which threads are active in the first iteration, and in how many warps are they?",
      "The active threads should be the first ones, and the words they compare consecutive. Steps 2 and 3 of the lab "
        .. "do one of these each.",
      "for (unsigned s = EACH / 2; s > 0; s /= 2): thread tid < s compares its word with that of thread tid + s.",
    },
    debrief = [[
Only the operator has changed, and everything about sums holds. For other operations, remember the identity element:
the value of a thread that has no element. For a sum it is 0; for a maximum the smallest int. For floats, the order
of additions changes the rounding, but a maximum is exact in any order.]],
  },
  {
    id = "any-size", title = "Any number of elements",
    task = [[
The vector has 15 384 elements, and the grid has 64 blocks of 256 threads, one element per thread. The kernel does
not check whether the element exists: it reads past the end of the vector and adds what it finds. Keep the grid, and
sum only the elements that exist.]],
    starter = "exercises/05-any-size/any_size.cu", solution = "solutions/05-any-size/any_size.cu",
    launches = function(p)
      return { { kernel = "any_size", grid = BLOCKS, block = EACH, args = { "parts", "uneven", p.size } },
        { kernel = "any_size", grid = 1, block = EACH, args = { "one", "parts", BLOCKS } } }
    end,
    output = "one", reference = sum_uneven, sizes = { UNEVEN, 16129, 12801, BLOCKS * EACH, 77 },
    accept = { load_sectors = 2 }, -- loads may be clamped to the end
    hints = {
      "What should a thread without an element contribute to the sum?",
      "Skipping the load is not enough: another thread still adds the word of shared memory that this thread should "
        .. "have written. For the same reason a thread must not return early.",
      "int sum = i < n ? v[i] : 0; and all threads continue with that.",
    },
    debrief = [[
The identity element replaces what is missing, and the rest of the kernel needs no test. Returning early looks simpler
and is wrong: the thread's word of shared memory would never be written, and another thread adds whatever is there. (A
barrier would not hang: since cc 7.0 __syncthreads() waits only for threads that have not exited, and before, it
counted arrivals by warp. But a shuffle from a lane that has exited returns an undefined value.) The second launch has
64 sums for 256 threads; the same test makes it correct. The lab's own kernels pad the vector with zeros instead.]],
  },
}

return lab.define {
  number = 5,
  id = "reduction",
  title = "Reduction",
  lecture = { "O24" },
  intro = with_numbers [[
Summing a vector looks sequential, but additions can be grouped as a tree with log2 n levels. The lecture's seven
steps, which are also in NVIDIA's CUDA SDK, lead from {reduce1.modulo} to {reduce7.many_per_thread} GB/s on a GTX
280. One of them relies on lockstep, which is an error since compute capability (cc) 7.0. The last two steps do what
a library does.

The slides give no block size; we use 128 (`--verify-lectures` assumes 256, and 2^21 elements). The same kernel sums
the partial sums, and the time is that of all launches. Vectors are padded with zeros.]],
  params = {
    n = { default = 1 << 24, emulator = 1 << 22, small = 100003, min = 2, max = 1 << 28,
      help = "elements of the vector", because = "indices are unsigned, and a buffer of 1 GB is enough" },
    blocks = { default = 64, small = 24, min = 1, max = 65535, help = "blocks of step 7",
      because = "a GTX 280 allows no more in one grid dimension" },
  },
  buffers = {
    v = { type = "int", count = function(p) return padded(p.n) end, fill = function(p) return vector(p.n) end },
    total = { type = "int", count = 1 },
    halves = { type = "int", count = function(p) return divided(p.n, 2) end },
    quarters = { type = "int", count = function(p) return divided(p.n, 4) end },
    -- The sums of a launch, padded with zeros to a whole number of blocks of the next.
    sums1 = { type = "int", fill = 0,
      count = function(p) return padded(math.max(divided(p.n, THREADS), p.blocks)) end },
    sums2 = { type = "int", fill = 0, count = function(p) return padded(divided(p.n, 128 * 128)) end },
    sums3 = { type = "int", fill = 0, count = function(p) return padded(divided(p.n, 128 * 128 * 128)) end },
    numbers = { type = "int", count = size, fill = inputs.extremes("int", size) },
    warps = { type = "int", count = function(p) return p.size // 32 end },
    blocks_sums = { type = "int", count = blocks },
    parts = { type = "int", count = BLOCKS },
    uneven = { type = "int", count = size, fill = inputs.extremes("int", size) },
    one = { type = "int", count = 1 },
  },
  groups = {
    { id = "scheme", title = "naive scheme", columns = { "rate", "verified" } },
    { id = "ladder", title = "step", baseline = "modulo", share = "of step 1" },
    { id = "beyond", title = "beyond the lecture", columns = { "rate", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over the length of the vector", y = "rate",
      x = { param = "n", values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26 },
        label = "elements", log = true },
      emulator_values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20 },
      steps = { "sequential", "unrolled", "grid-stride-sms" },
      text = [[
Short vectors finish before the GPU is full, and every launch has a fixed cost. The bend of a curve shows where
launch overhead stops mattering. The plateau is set by what bounds the kernel: memory bandwidth, instruction issue, or
latency.]] },
  },
  exercises = exercises,
}
