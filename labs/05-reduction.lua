-- Lab 5: adding up a vector, from a tree of pairs to one launch that is as fast as the memory.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local THREADS <const> = 128 -- in a block of the lecture's steps
local WORDS_PADDED <const> = 2 * THREADS -- what a block takes at most: vectors are filled up with zeros to a multiple
local LARGE <const> = 1 << 26 -- elements with which a GPU of today has to do for some time

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

local function bytes_of_vector(p) return 4 * p.n end

local recent = {} -- the last vector made: a run asks for it several times

-- n ints, and zeros up to whole blocks.
local function vector(n)
  if recent.n ~= n then
    local v = gpu.array("int", padded(n), "random", 5)
    for i = n, padded(n) - 1 do v[i] = 0 end
    recent = { n = n, v = v }
  end
  return recent.v
end

-- Launches ----------------------------------------------------------------------------------------

-- Two neighbours a thread, a launch for each level, between two buffers in turn.
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

-- A block for every `each` elements, launched again on the sums until one is left.
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

-- p.blocks blocks over the vector, then one over their sums.
local function by_many(name)
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

-- How many blocks a step has in all its launches.
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

-- Elements a second, the slide's beside them; divergence; launches.
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
      parts[#parts + 1] = count .. (count == "1" and " branch diverges a block" or " branches diverge a block")
    end
    parts[#parts + 1] = ("%d launches"):format(#launches(p))
    return table.concat(parts, ", ")
  end
end

-- Steps -------------------------------------------------------------------------------------------

local steps = {
  {
    id = "pairs", group = "scheme", title = "pairs, a launch a level", launches = by_pairs, output = "total",
    reference = total, useful_bytes = bytes_of_vector, detail = traffic,
    claims = { "O24.reduce.pairwise", "O24.reduce.parallel_steps" },
    predict = { ask = "All launches together: how many times n elements are loaded from global memory?", unit = "n",
      of = function(record)
        return record.report and record.report.counters.global_load_bytes / 4 / record.params.n
      end },
    text = [[
Addition is associative, for ints at least: (((a + b) + c) + d) may as well be (a + b) + (c + d), and the two inner
sums can be formed at the same time. That makes n - 1 additions, as before, but only log2 n steps, if there are enough
threads. Here a step is a launch, because nothing else makes all blocks wait for each other: every thread adds two
neighbours and stores the sum.

Each level loads twice as much as it stores, so that all together load 2 n elements and store n: three accesses for an
addition. The last launches have nothing to do but to be launched; look at their number. (The slide writes v[i] +=
v[i+1] for even i, and again for half as many. For that the sums would have to lie side by side; here they do, in
another buffer.)]],
  },
}

local function ladder(step)
  step.group, step.output, step.reference, step.useful_bytes = "ladder", "total", total, bytes_of_vector
  step.detail = not step.shows and remark(step.launches, step.claim) or nil
  steps[#steps + 1] = step
end

local modulo, last_warp = by_blocks("reduce_modulo", THREADS), by_blocks("reduce_last_warp<IN_STEP>", 2 * THREADS)

ladder {
  id = "modulo", title = "1 modulo", launches = modulo,
  claim = "O24.reduce1.modulo", claims = { "O24.reduce1.modulo.elements", "O24.reduce.locality",
    "O24.reduce.divergence" },
  predict = { ask = "A block has 4 warps and halves what is left in 7 rounds. How many branches diverge in a block?",
    of = divergence(modulo), unit = "branches" },
  text = [[
A block takes 128 elements into shared memory, adds them up there, and stores one number. The vector is read once; what
is left for the next launch is its 128th part, and three or four launches do what took more than twenty. That alone is
worth most of what there is to win: n + n/128 + ... loads instead of 2 n.

In shared memory every second thread adds its neighbour, then every fourth, and so on. The threads that work are spread
over all warps, so that all warps go through all rounds, most of their lanes idle, and every round splits them. Finding
out who works takes a modulo, which no GPU has an instruction for. The slides call it 0.94 MElem/s; 3.77 GB/s of ints
of four bytes are 0.94 G elements/s, a thousand times as many, and so for all seven steps.]],
}
ladder {
  id = "strided", title = "2 strided", launches = by_blocks("reduce_strided", THREADS),
  claim = "O24.reduce2.strided", claims = { "O24.reduce2.strided.elements" },
  predict = { ask = "Thread t reads word 2 s t, s = 1, 2, 4 ... 64. How many passes does a load take on average?",
    of = "shared_load", unit = "passes", within = 20 },
  text = [[
The same additions, by other threads: thread t does what thread 2 s t did. The threads that work are now the first
ones, whole warps of them, and warps with no work are soon through. The slide says that the code is free of divergence.
Nearly: once fewer than 32 threads work, the one warp that is left splits in every round; compare the counts.

New are bank conflicts. The words that neighbouring threads add lie 2, 4, 8 ... apart: two-way conflicts in the first
round, four-way in the second, until fewer threads are left than there are banks. Lab 3 has the picture.]],
}
ladder {
  id = "sequential", title = "3 sequential", launches = by_blocks("reduce_sequential", THREADS),
  claim = "O24.reduce3.sequential", claims = { "O24.reduce3.sequential.elements" },
  text = [[
Nobody says that neighbours have to be added. The upper half is added to the lower half, then the second quarter to the
first: the threads that work are neighbours, and so are their words. No conflicts, whatever the number of banks. Which
elements meet has changed from step to step; for ints the sum is the same, for floats its last bits would not be.]],
}
ladder {
  id = "onload", title = "4 add on load", launches = by_blocks("reduce_add_on_load", 2 * THREADS),
  claim = "O24.reduce4.add_on_load", claims = { "O24.reduce4.add_on_load.elements" },
  text = [[
In step 3 half of the threads load an element and never add anything. If each loads two elements and adds them on the
way, a block takes twice as much: half as many blocks, and the rest of the kernel runs half as often. On the GTX 280
the step before doubled the rate and this one adds two thirds, and it is still less than a fifth of the memory's
bandwidth. What is in the way is instructions.]],
}
ladder {
  id = "instep", title = "5 warp in step", launches = last_warp, shows = "race",
  claims = { "O24.reduce.implicit_synchrony" },
  text = [[
When 64 sums are left, one warp is left. On the GPUs of the lecture its threads went through the program side by side,
so that barriers between them, and the test who works, did nothing: the slides leave out both, and say volatile so that
the compiler leaves the words in memory. Since compute capability 7.0 every thread of a warp has a program counter of
its own, and may be ahead of its neighbours or behind. Then a thread reads a word that another one is about to write,
or has written already: a race. It may well come out right a million times.

This step is meant to be wrong. It runs on the emulator, under the race checker, and does well if the checker finds it.
(With --device "emu:GTX 280" it finds none, and says so: there the warp does run in step.) And the slide itself has a
slip that no GPU forgives: its sum begins at 0 instead of at the thread's own element, which is then left out.]],
}
ladder {
  id = "syncwarp", title = "5 warp synced", launches = by_blocks("reduce_last_warp<SYNCED>", 2 * THREADS),
  claim = "O24.reduce5.last_warp", claims = { "O24.reduce5.last_warp.elements" },
  text = [[
The same six rounds as they have to be written today. __syncwarp() waits for the threads of the warp and orders what
they read and wrote; two of them a round, because everyone has to have read before anyone writes. It costs next to
nothing where the warp is together anyway. The lecture's number is for the form without, on a GPU that needed none.
There the step gained two fifths, by what it leaves out: barriers, tests and rounds of idle warps. On an H200 it gains
next to nothing, because none of that is what the kernel waits for.]],
}
ladder {
  id = "shuffle", title = "5 warp shuffled", launches = by_blocks("reduce_last_warp<SHUFFLED>", 2 * THREADS),
  claims = { "O24.reduce.shuffle" },
  text = [[
__shfl_down_sync(mask, sum, d) hands every thread the sum of the thread d places on, from register to register: no
shared memory, no question of who has read. The mask says who takes part, and makes them wait for each other; the slide
leaves it out, with which it does not compile. Shuffles exist from compute capability 3.0 on. They are how a warp is
added up today; for ints there is even one instruction for all rounds, __reduce_add_sync, from 8.0 on.]],
}
ladder {
  id = "unrolled", title = "6 unrolled", launches = by_blocks("reduce_unrolled<128, SYNCED>", 2 * THREADS),
  claim = "O24.reduce6.unrolled", claims = { "O24.reduce6.unrolled.elements" },
  text = [[
With the number of threads as a template parameter the compiler knows how many rounds there are: the loop goes, and
with it its counter, its test and its jump. The conditions on BLOCK in the source are decided while it is compiled. On
the GTX 280 this was a third more. Today's compilers unroll some loops by themselves, and instructions are seldom what
a reduction waits for: on an H200 nothing is gained.]],
}
ladder {
  id = "many", title = function(p) return ("7 many, %d blocks"):format(p.blocks) end,
  launches = by_many("reduce_many<128, SYNCED>"),
  claim = "O24.reduce7.many_per_thread", claims = { "O24.reduce7.many_per_thread.elements" },
  text = [[
A fixed number of blocks goes over the whole vector, and every thread adds up many elements by itself before it meets
the others. The rounds in shared memory, of which half the threads have nothing, are run once for thousands of elements
instead of once for two. It is also the better algorithm: see the step cost below.

64 blocks of 128 threads were enough for the 30 multiprocessors of a GTX 280. A GPU of today, which has a hundred or
more and room for 2048 threads on each, is all but empty with them: this step may come out slower than the one before.
That is not the algorithm's fault.]],
}
ladder {
  id = "manyhere", title = function(p) return ("7 many, %d blocks"):format(p.blocks) end,
  with = function(_, device) return { blocks = device and 16 * device.sms or nil } end,
  launches = by_many("reduce_many<128, SYNCED>"),
  text = [[
The same kernel with 16 blocks for each multiprocessor of the GPU it runs on: 2048 threads, as many as there is room
for on most. Run `set blocks=...` and `run many` to find where more do not help any more, and compare with the figure
of lab 11: what counts is how many bytes are on their way from memory at a time.]],
}

steps[#steps + 1] = {
  id = "cost", title = "cost of the algorithm", claims = { "O24.reduce.cost" },
  figure = function(p)
    local log = math.log(p.n, 2)
    local rows = {}
    local function row(what, each)
      local rounds = each - 1 + math.log(p.n / each, 2)
      rows[#rows + 1] = { what, ("%.0f"):format(each), ("%.0f"):format(p.n / each), ("%.1f"):format(rounds),
        ("%.2f n"):format(rounds / each) }
    end
    row("one (steps 1 to 3)", 1)
    row("two (steps 4 to 6)", 2)
    row("log2 n", log)
    row("64", 64)
    row("1024", 1024)
    row("all: one thread", p.n)
    return { columns = { "elements a thread", "each", "threads", "steps", "cost" }, rows = rows,
      note = "A thread with m elements takes m - 1 steps alone, and then log2 (n / m) with the others. Cost is threads "
        .. "times steps: what the processors are occupied with, working or not." }
  end,
  text = [[
Why step 7 wins by theory. With p threads the time is n/p steps alone and log p steps together, and the cost of a
parallel algorithm is its time times its processors. A thread for each element makes that n log2 n: in the last rounds
all but one of the processors are paid for doing nothing. With log2 n elements a thread the number of steps only
doubles at most, but there are so many fewer threads that the cost is below 2 n, in proportion to what a single thread
would take. More elements still save nothing in proportion, and with too few threads the GPU is not filled.]],
}

-- Beyond the lecture ------------------------------------------------------------------------------

local function today(step)
  step.group, step.output, step.reference, step.useful_bytes = "today", "total", total, bytes_of_vector
  step.detail = function(_, p) return ("n = %d"):format(p.n) end
  step.with = function(p, device)
    local measured = device and device.backend == "cuda"
    return { n = measured and math.max(p.n, LARGE) or nil, blocks = device and 4 * device.sms or nil }
  end
  steps[#steps + 1] = step
end

today {
  id = "wide", title = "16-byte loads, two launches",
  launches = function(p)
    local kernel = { file = "reduction_today.cu", name = "wide" }
    return { { kernel = kernel, grid = p.blocks, block = 512, args = { "sums1", "v", "n" } },
      { kernel = kernel, grid = 1, block = 512, args = { "total", "sums1", "blocks" } } }
  end,
  text = [[
What is left to win today is between the memory and the threads. To keep 4.8 TB/s coming at a latency of some 350 ns
(lab 11 measures it), 1.7 megabytes have to be on their way at any time: 13 KB for each SM of an H200, six bytes for
each of its threads even if there are 2048, and more as the latency grows under load. So every thread sends off four
loads of 16 bytes before it waits for the first. They go over the vector in pieces that lie together. Then shuffles in
every warp, one word of shared memory a warp, and one barrier. Any n will do.]],
}
today {
  id = "lastblock", title = "16-byte loads, last block",
  launches = function(p)
    return { { kernel = { file = "reduction_today.cu", name = "last_block" }, grid = p.blocks, block = 512,
      args = { "total", "sums1", "v", "n" } } }
  end,
  text = [[
And the second launch goes. Every block leaves its sum, makes sure by a fence that it can be seen, and counts itself
with an atomic; the block that finds itself the last one adds up the sums of all. (Lab 10 looks closer at how that
works.) It saves a launch and the gap before it, some microseconds: much for a vector that takes 20, nothing for one
that takes a millisecond. The library to measure it by is CUB's DeviceReduce::Sum, which comes with CUDA:
tests/bench/peers.cu runs both, one after the other.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local BLOCKS <const>, EACH <const> = 64, 256 -- blocks of the exercises, and threads or elements of each

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

local function largest(_, host)
  local want = gpu.array("int", BLOCKS)
  for i = 0, BLOCKS - 1 do
    local most = host.numbers[i * EACH]
    for k = i * EACH + 1, (i + 1) * EACH - 1 do most = math.max(most, host.numbers[k]) end
    want[i] = most
  end
  return want
end

local UNEVEN <const> = BLOCKS * EACH - 1000 -- elements of a vector that fills no whole number of blocks

local function sum_uneven(_, host)
  local sum = 0
  for i = 0, UNEVEN - 1 do sum = sum + host.uneven[i] end
  local one = gpu.array("int", 1)
  one[0] = wrapped(sum)
  return one
end

local exercises = {
  {
    id = "warp-sums", title = "A warp without shared memory", claims = { "O24.reduce.shuffle" },
    task = [[
Each warp adds up 32 elements, and leaves a sum for each. It does so in shared memory, with a barrier for the whole
block after each of the five rounds, although nothing ever goes from one warp to another. Do it without shared memory
and without barriers.]],
    starter = "exercises/05-warp-sums/warp_sums.cu", solution = "solutions/05-warp-sums/warp_sums.cu",
    kernel = "warp_sums", grid = BLOCKS, block = EACH, args = { "warps", "numbers" }, output = "warps",
    reference = sums_of(32, "numbers"),
    gate = { shared_load_requests = { at_most = 0 }, shared_store_requests = { at_most = 0 },
      barriers = { at_most = 0 }, global_load = { at_most = 4.05 } },
    hints = {
      "What does a thread need to know in a round, and who has it? Step shuffle shows a way from register to "
        .. "register.",
      "Keep the sum in a variable instead of an array. In each round a thread adds what the thread d places on "
        .. "holds: __shfl_down_sync gives it that.",
      "sum += __shfl_down_sync(0xffffffff, sum, d) for d = 16, 8, 4, 2, 1, by all 32 threads: a thread that is not "
        .. "there to be asked makes the result undefined. Lane 0 ends up with the sum of the warp.",
    },
    debrief = [[
The five rounds are five shuffles and five additions. All lanes take part although only lane 0 has use for the result:
what the others hold in the end is the sum of parts of the warp, and nobody looks. An if (lane < d) around the shuffle
would not only be useless, it would be wrong: the mask promises that all 32 lanes come. Where all lanes need the sum,
__shfl_xor_sync(mask, sum, d) gives it to all in as many rounds.]],
  },
  {
    id = "in-step", title = "Out of step",
    task = [[
The last warp of each block adds up 64 words as one did before compute capability 7.0: no barrier, because threads of a
warp go in step. They do not have to any more. Make it right, and do not let the whole block wait for it: barriers of
the block are counted, and there are as many as there may be.]],
    starter = "exercises/05-in-step/in_step.cu", solution = "solutions/05-in-step/in_step.cu", kernel = "in_step",
    claims = { "O24.reduce.implicit_synchrony" },
    grid = BLOCKS, block = EACH, args = { "blocks_sums", "numbers" }, output = "blocks_sums",
    reference = sums_of(EACH, "numbers"),
    gate = { barriers = { at_most = BLOCKS * EACH // 32 * 3 }, shared_load = { at_most = 1.05 } },
    hints = {
      "Run it with --check race, or look at what `check` says: which two lines touch the same word, and what stands "
        .. "between them?",
      "There are two ways: order what the threads of the warp read and write with __syncwarp(), or let nothing be "
        .. "written that another thread reads.",
      "In each round: read, __syncwarp(), write, __syncwarp(). Or add the two words, and then five times "
        .. "sum += __shfl_down_sync(0xffffffff, sum, d).",
    },
    debrief = [[
The starter is what most programs of those years had, and many still have: it worked on every GPU there was, and no
compiler warns. One __syncwarp() a round is not enough: a fast thread could write its new sum before a slow one has
read the old. volatile does not help either; it makes the accesses happen, not in any order between threads. The form
with shuffles has nothing to order, because nothing is shared.]],
  },
  {
    id = "largest", title = "The largest element",
    task = [[
What adds up can also find a maximum: the operation has only to be associative. This kernel finds the largest element
of each block's 256, and its author has not read as far as you have. Get rid of the modulo, of the divergence that can
be avoided, and of bank conflicts, if you make any on the way.]],
    starter = "exercises/05-largest/largest.cu", solution = "solutions/05-largest/largest.cu", kernel = "largest",
    claims = { "O24.reduce.divergence" },
    grid = BLOCKS, block = EACH, args = { "blocks_sums", "numbers" }, output = "blocks_sums", reference = largest,
    gate = { divergent_branches = { at_most = BLOCKS * 7 }, shared_load = { at_most = 1.05 },
      shared_store = { at_most = 1.05 } },
    hints = {
      "Which threads work in the first round, and in how many warps are they?",
      "The threads that work should be the first ones, and the words they compare side by side. Steps 2 and 3 of the "
        .. "lab do one of these each.",
      "for (unsigned s = EACH / 2; s > 0; s /= 2): thread tid < s compares its word with that of thread tid + s.",
    },
    debrief = [[
Only the operator has changed, and everything said about sums holds. For other operations think of the neutral element:
what a thread holds that has nothing to load. For a sum it is 0, for a maximum the smallest int, not 0. Floats have one
more catch: the order of additions changes the rounding, but a maximum does not care.]],
  },
  {
    id = "uneven", title = "Any number of elements",
    task = [[
The vector has 15 384 elements, and 64 blocks of 256 threads: the kernel takes an element a thread and does not ask
whether it is there. It reads past the end of the vector and adds what it finds. Let the grid be as it is, and add up
what is there and no more.]],
    starter = "exercises/05-uneven/uneven.cu", solution = "solutions/05-uneven/uneven.cu",
    launches = function()
      return { { kernel = "uneven", grid = BLOCKS, block = EACH, args = { "blocks_sums", "uneven", UNEVEN } },
        { kernel = "uneven", grid = 1, block = EACH, args = { "one", "blocks_sums", BLOCKS } } }
    end,
    output = "one", reference = sum_uneven,
    gate = { launches = { at_most = 2 }, shared_load = { at_most = 1.05 },
      barriers = { at_most = (BLOCKS + 1) * EACH // 32 * 9 } },
    hints = {
      "What should a thread contribute to a sum that has no element to load?",
      "Not loading is not enough: its word of shared memory still gets added by another thread. And a thread must not "
        .. "leave before a barrier that the others wait at.",
      "int sum = i < n ? v[i] : 0; and all threads go on with that.",
    },
    debrief = [[
The neutral element stands in for what is missing, and the rest of the kernel need not know. Returning early looks
simpler and is wrong: the barriers below are for all threads of the block, and a thread that has left can not come to
them. The second launch has only 64 sums for 256 threads: the same test makes it right as well. The lab's own kernels
leave the test out, and fill the vector up with zeros instead; both are done in practice.]],
  },
}

return lab.define {
  number = 5,
  id = "reduction",
  title = "Reduction",
  lecture = { "O24" },
  intro = [[
Adding up a vector looks as if it had to be done one by one: each addition needs the sum before it. But additions can
be put in brackets another way, and then it is a tree with log2 n levels. How well a GPU does that, when a single
addition for every four bytes is all there is to compute, is a matter of who adds what, and of everything around it.

The lecture takes seven steps, each of which mends one thing, from 3.77 to 77.21 GB/s on a GTX 280 whose memory has
142. They are all here, and what has become of each: one of them is an error today. The last two steps are what a
library does.

A block has 128 threads, as the numbers suggest. The sums of the blocks go to another buffer and are added up by the
same kernel, launch by launch, until one is left; the time is that of all launches. Vectors are filled up with zeros to
whole blocks, so that any n will do.]],
  params = {
    n = { default = 1 << 24, emulator = 1 << 22, small = 100003, min = 2, max = 1 << 28,
      help = "elements of the vector", because = "unsigned indices and a buffer of 1 GB are enough" },
    blocks = { default = 64, small = 24, min = 1, max = 65535, help = "blocks of step 7",
      because = "a GTX 280 can launch no more in one direction" },
  },
  buffers = {
    v = { type = "int", count = function(p) return padded(p.n) end, fill = function(p) return vector(p.n) end },
    total = { type = "int", count = 1 },
    halves = { type = "int", count = function(p) return divided(p.n, 2) end },
    quarters = { type = "int", count = function(p) return divided(p.n, 4) end },
    -- The sums of a launch, with zeros up to a whole number of blocks of the next.
    sums1 = { type = "int", fill = 0,
      count = function(p) return padded(math.max(divided(p.n, THREADS), p.blocks)) end },
    sums2 = { type = "int", fill = 0, count = function(p) return padded(divided(p.n, 128 * 128)) end },
    sums3 = { type = "int", fill = 0, count = function(p) return padded(divided(p.n, 128 * 128 * 128)) end },
    numbers = { type = "int", count = BLOCKS * EACH, fill = "random", seed = 15 },
    warps = { type = "int", count = BLOCKS * EACH // 32 },
    blocks_sums = { type = "int", count = BLOCKS },
    uneven = { type = "int", count = UNEVEN, fill = "random", seed = 25 },
    one = { type = "int", count = 1 },
  },
  groups = {
    { id = "scheme", title = "scheme", columns = { "rate", "verified" } },
    { id = "ladder", title = "step", baseline = "modulo", share = "of step 1" },
    { id = "today", title = "today", columns = { "rate", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over the length of the vector", y = "rate",
      x = { param = "n", values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26 },
        label = "elements", log = true },
      emulator_values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20 },
      steps = { "sequential", "unrolled", "manyhere" },
      text = [[
Short vectors are over before the GPU is full, and every launch costs its microseconds, however little there is to do.
Where the curves bend is where the launches stop to matter; what they end at is the memory, or the instructions.]] },
  },
  exercises = exercises,
}
