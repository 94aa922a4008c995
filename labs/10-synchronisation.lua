-- Lab 10: waiting for each other, within a block and across the grid.
local lab = require "gpulab.lab"

local THREADS <const>, PERIOD <const> = 256, 4096 -- what buffers hold repeats after PERIOD elements
local LIMIT <const> = 10 -- of the steps that ask about elements, which are 0 to 63

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

local function turned(change)
  return function(p)
    return periodic("int", p.n, function(i)
      return change(number(i // THREADS * THREADS + THREADS - 1 - i % THREADS))
    end)
  end
end

block("turned", "wait, then read", "turned", { claims = { "F10.memory.wait", "F10.block.exchange" },
  reference = turned(function(x) return x end),
  predict = { ask = "A block has 8 warps and one __syncthreads(). How many arrivals at barriers in the whole grid, for "
    .. "each block?", of = function(record)
      return record.report and record.report.counters.barriers / all_blocks(record.params)
    end, unit = "arrivals" },
  text = [[
Each thread puts an element into shared memory and takes out one that another thread has put there: the block's
elements back to front. Between the two stands __syncthreads(). No thread goes on before all of the block have come
to it, and what they wrote before can be seen by all afterwards. It is one instruction.]] })
block("atonce", "not waiting", "turned_at_once", { shows = "race", claims = { "F10.memory.wait" }, text = [[
The same without. A thread may read a word before its owner has written it: whether it does depends on which warp
was faster, and a test may well pass a thousand times, in particular if the block has one warp only. So it is not
tests that find such things. This step is meant to be wrong; it runs on the emulator, under the race checker, which
remembers who touched each word and what has happened in between.]] })
block("condition", "a barrier for some", "under_a_condition", { shows = "sync", claims = { "F10.barrier.all" },
  text = [[
Threads with an odd element add 1, and then wait for the others, who never come. "All threads have to enter it (beware
of conditions!)", says the slide. What happens if they do not is not defined: until compute capability 6.x a warp came
to the barrier as a whole, and programs like this one seemed to work; since 7.0 each thread is waited for, and they may
hang, or go on when the others have ended. The same is true of a return before a barrier.
The checker tells the line.]] })
block("behind", "a barrier for all", "behind_the_condition", { claims = { "F10.barrier.all" },
  reference = turned(function(x) return x % 2 == 1 and x + 1 or x end), text = [[
The condition is around the work, the barrier behind it, for all. It may stand in a loop or a branch if all threads of
the block take it alike: if the condition comes from an argument, say, or from the block's index.]] })

local function passed_on(id, title, kernel, of)
  of.grid, of.block, of.args = function(p) return p.blocks end, 64, { "passed", "v" }
  of.useful_bytes = function(p) return 8 * 32 * p.blocks end
  if of.shows then of.useful_bytes = nil end
  block(id, title, kernel, of)
end

passed_on("flag", "a flag, no fence", "passed_on<false>", { shows = "race",
  claims = { "F10.memory.fence", "F10.memory.volatile" }, text = [[
Another way to wait: the first warp writes 32 words and then a flag, the second looks at the flag until it is set.
volatile makes the compiler look each time, and not once. But it says nothing about the words: neither the compiler nor
the hardware has to do things in the order in which they are written. The second warp may see the flag and not yet
the words.]] })
passed_on("fence", "a flag and fences", "passed_on<true>", { claims = { "F10.memory.fence" },
  reference = function(p)
    return periodic("int", 32 * p.blocks, function(i) return number(i // 32 * 32 + 31 - i % 32) end)
  end, text = [[
A fence orders what one thread does: what it wrote before is there for all (of the block: __threadfence_block; of
the GPU: __threadfence) before what it writes after. It waits for nobody, and so it takes two: one between the words
and the flag, one between looking at the flag and reading the words. Today one would write the flag as a
cuda::atomic_ref and say release and acquire. And mostly one would write __syncthreads().]] })

-- What waiting costs ------------------------------------------------------------------------------

local function rounds(id, title, threads, waits, text)
  step("sync.cu", "cost", id, title, ("rounds<%s>"):format(waits), {
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

rounds("free", "no barrier, 256", 256, false, [[
One multiply-add after the other, in blocks of 256, and nobody waits.]])
rounds("waiting", "a barrier each, 256", 256, true, [[
The same with a barrier after each. An instruction to announce oneself, and then the wait for the slowest warp, some
tens of clocks. If other blocks on the SM have something to do meanwhile little is lost: here they all do nothing but
wait.]])
rounds("waiting1024", "a barrier each, 1024", 1024, true, [[
The same threads in blocks of 1024. There are more warps to wait for, and fewer blocks on an SM that could step in; two
at the most. "Very fast if it does not degrade parallelism."]])
rounds("waiting32", "a barrier each, 32", 32, true, [[
In blocks of one warp. There is nobody to wait for but the warp itself. But an SM takes 32 blocks at the most, often
fewer, so that half of its room for warps or more is empty.]])

-- Questions to all --------------------------------------------------------------------------------

local function asked(id, title, kernel, text)
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

asked("byhand", "a shared counter", "asked_by_hand", [[
How many of the block's elements are above a limit? Are all? Is any? A counter in shared memory, set to 0, a barrier,
atomic additions, a barrier.]])
asked("bybarrier", "__syncthreads_count", "asked_by_barrier", [[
From 2.0 on a barrier can ask: __syncthreads_count, _and, _or. Each is a barrier, takes a condition from every thread,
and gives the answer to all of them. Three instructions here, of which a program would need one: the count tells the
rest. A typical use: a block goes over its data until nothing changes any more, do { ... } while
(__syncthreads_or(changed)).]])

-- Atomics -----------------------------------------------------------------------------------------

-- How often each remainder comes up.
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

counted("plainly", "bins[b]++", "count_plainly", 64, { "F10.atomics.undisturbed" }, [[
Numbers from 0 to 63 are counted. bins[b]++ is three things: read, add 1, write. Two threads that read the same 5 both
write 6, and one addition is lost. Meant to be wrong, for the checker.]], "race")
counted("global64", "global, 64 words", "count_global", 64, spaces, [[
atomicAdd does the three as one. It is done where the word lies, by units at the second-level cache, and nobody
waits for the result here, because nobody asks for it. What takes time is the same word: additions to it come one
after the other. 64 bins are few for a whole GPU.]])
counted("shared64", "shared, 64 words", "count_shared", 64, spaces, [[
Each block counts for itself, in shared memory, and adds its 64 counts to those of all at the end: so many fewer
additions meet. Shared memory has had instructions for that since Maxwell; before, the compiler made a loop of it that
locked the word.]])
counted("global1", "global, one word", "count_global", 1, spaces, [[
The worst that could be: all numbers fall into one bin, and all threads of the grid add to a single word. If the
compiler sees that it is one word for the whole warp, as in atomicAdd(&count, 1), it lets one thread add the number
of those present, which makes a 32nd as many. Here the word depends on the data, and it cannot know.]])
counted("shared1", "shared, one word", "count_shared", 1, spaces, [[
And in shared memory, one word a block: a queue for each block, and all are served side by side. Besides, where 1 is
added, GPUs of today have an instruction that counts the lanes which meet in one word. An exercise does without most of
the additions, by asking first. (The
emulator counts atomics, and its model does not know of the queue at a word: how much these four differ only a GPU
tells.)]])

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
The sum of a vector: each block adds up its part, and then somebody adds up the sums. Before that all blocks have to
be done, and there is no barrier for all blocks: they may not even be on the GPU at the same time, the last ones
begin when the first have ended. What there is is the end of a launch. It costs some microseconds, and it is what
lets the same program run on 4 SMs and on 132: "poor options for global synchronization make programming hard but
allow for very good scalability".]] })
summed("last", "the last block", { kernel = "sum_by_last<true>", args = { "total", "sums", "count", "v", "n" },
  claims = { "F10.global.last_block", "F10.memory.fence" }, text = [[
The lecture's way to do with one launch. Nobody waits: each block leaves its sum, and then counts itself, by an
atomic. The block that gets the last number knows that all the others have left theirs, and adds up all. The fence
is between the sum and the count: whoever sees the count sees the sum.

atomicInc(&count, m) adds 1, but goes from m to 0. The slide passes gridDim.x, so that the counter stands at
gridDim.x afterwards and has to be set to 0 for the next launch, as its last line does. With gridDim.x - 1, as here,
it comes back to 0 by itself.]],
  predict = { ask = "How many barriers does a thread pass that is not in the last block (8 rounds of halving)?",
    unit = "barriers", within = 15, of = function(record)
      return record.report and record.report.counters.barriers / (record.params.blocks * THREADS // 32)
    end } })
summed("unfenced", "without the fence", { kernel = "sum_by_last<false>", shows = "race",
  args = { "total", "sums", "count", "v", "n" }, claims = { "F10.memory.fence" }, text = [[
The same without __threadfence(): the count may arrive before the sum. On most GPUs it nearly never does. The checker
does not ask what nearly never happens: between the two lines that it tells of, nothing says which is first.]] })
summed("atomics", "an atomic a block", { kernel = "sum_by_atomics",
  args = { "zero_total", "v", "n" }, claims = { "F10.global.atomics" }, text = [[
Simpler still, for a sum: each block adds its own to the total. For ints the order does not matter. For floats it does,
to the last digits, and the result would differ from run to run; the last block adds in the same order each time. The
total has to be 0 beforehand, which is a launch or a copy more that this row does not count.]] })
steps[#steps].output = "zero_total"

-- Twice smoothed, away from the ends: 1 2 3 2 1.
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
Each element becomes the sum of itself and its two neighbours, twice. The second time needs what other blocks computed
the first time, and not only one number of each. Two launches: the end of the first is the barrier.]] })
grid_wide("hoping", "a barrier and hope", { kernel = "smooth_hoping", shows = "race",
  claims = { "F10.global.none" }, text = [[
One launch, with a fence and __syncthreads() in between. The barrier is the block's own; at the border of its
elements a block reads what its neighbour may not have written. Meant to be wrong.]] })
grid_wide("together", "this_grid().sync()", { kernel = "smooth_together", cooperative = true,
  claims = { "F10.global.none" },
  with = function(p, device) return { blocks = device and math.min(p.blocks, 2 * device.sms) or p.blocks } end,
  text = [[
"Another solution is quite tricky", says the slide of 2010: a barrier made of atomics, on which all blocks wait,
works only if all of them are on the GPU at once; if not, those that are there wait for ever for those that cannot
begin. Since 2017 there is a launch that makes sure of that, and refuses grids that are too large: a cooperative
launch, and in it this_grid().sync(). What is won is that registers and shared memory keep what they hold. Whether
it is faster than a second launch a GPU has to tell; to the model it is only instructions. (Below compute capability
6.0 there is no such launch, and the step ends by saying so.)]] })

-- Figures -----------------------------------------------------------------------------------------

steps[#steps + 1] = { group = "figures", id = "kinds", title = "atomics by compute capability",
  claims = { "F10.atomics.types", "F10.atomics.spaces", "F10.atomics.operations" }, text = [[
From which compute capability on there are which atomics.]],
  figure = function()
    return { columns = { "operation", "on", "global\nmemory", "shared\nmemory" }, rows = {
      { "Add, Sub, Exch, Min, Max, Inc, Dec, CAS, And, Or, Xor", "32 bits", "1.1", "1.2" },
      { "Add, Exch, CAS", "64 bits", "1.2", "2.0" },
      { "Min, Max, And, Or, Xor", "64 bits", "3.5", "3.5" },
      { "Add", "float", "2.0", "2.0" }, { "Add", "double", "6.0", "6.0" }, { "Add", "half2", "6.0", "6.0" },
    }, note = "The slide has integers of 64 bits from 1.2 on, which was so in global memory only. What is not in the "
        .. "table is made of CAS: read, compute, and write if nobody has changed the word meanwhile, else again." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 64 * THREADS -- elements of every exercise

local function exercise(of)
  local folder = ("10-%s/%s.cu"):format(of.id, of.kernel)
  of.grid, of.block = 64, THREADS
  of.starter, of.solution = "exercises/" .. folder, "solutions/" .. folder
  return of
end

local function positive()
  local values = gpu.array("float", COUNT)
  for i = 0, COUNT - 1 do values[i] = number(i * 7) / 4 + i % 13 end
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
    id = "everyone", title = "All threads to the barrier", kernel = "shifted", claims = { "F10.barrier.all" },
    args = { "moved_on", "short", COUNT - 100 }, output = "moved_on",
    reference = function(_, host)
      local want = gpu.array("int", COUNT - 100)
      for i = 0, #want - 1 do
        local next_one = i + 1
        want[i] = (next_one % THREADS == 0 or next_one == #want) and 0 or host.short[next_one]
      end
      return want
    end,
    gate = { barriers = { at_least = 64 * 8, at_most = 64 * 8 } },
    task = [[
Each thread hands its element to its left neighbour in the block. Threads that have none leave at once, as one has seen
it in a hundred kernels; and the others wait at a barrier for them. Let all threads come to the barrier.]],
    hints = {
      "Which threads of the last block come to __syncthreads()?",
      "What has to be conditional is reading and writing, not the rest.",
      "words[tid] = i < n ? in[i] : 0; then the barrier; then if (i < n) for what follows.",
    },
    debrief = [[
The hardware often lets it pass: threads that have ended are not waited for. The language does not promise it, and
the next reader who puts a second barrier in, or a __syncwarp, has to find it out again. The rule is cheap: no
return before the last barrier.]],
  },
  exercise {
    id = "asking", title = "One addition a block", kernel = "above", claims = { "F10.barrier.votes" },
    args = { "found", "short_all", LIMIT, COUNT }, output = "found",
    reference = one_of("unsigned", function(host)
      local count = 0
      for i = 0, COUNT - 1 do count = count + (host.short_all[i] > LIMIT and 1 or 0) end
      return count
    end),
    gate = { atomics = { at_most = 65 } },
    task = [[
How many elements are above a limit? Every thread whose element is adds 1 to the same word of global memory. Let each
block make one addition. You will not need shared memory.]],
    hints = {
      "Who could tell a thread how many of its block found something?",
      "There is a barrier that counts.",
      "int count = __syncthreads_count(in[i] > limit); and then thread 0 adds count.",
    },
    debrief = [[
Asking before adding is the general remedy against many atomics on one word: within a warp by __ballot_sync and
__popc, or __reduce_add_sync from 8.0 on; within a block as here, or by a reduction as in lab 5. For a sum one adds
what the warp has added up.]],
  },
  exercise {
    id = "largest", title = "The largest float", kernel = "largest", claims = { "F10.atomics.operations" },
    args = { "top", "positive", COUNT }, output = "top",
    reference = one_of("float", function(host)
      local most = 0
      for i = 0, COUNT - 1 do most = math.max(most, host.positive[i]) end
      return most
    end),
    gate = { atomics = { at_least = 64, at_most = 64 * 8 } },
    task = [[
The largest of some floats, none of which is negative. Reading, comparing and writing are three steps, and what one
thread writes another one overwrites. There is an atomicMax, but not for floats.]],
    hints = {
      "A float is 32 bits. What do the bits of a larger float look like, read as an int?",
      "Of floats that are not negative the larger one has the larger bits: the exponent stands before the fraction.",
      "atomicMax((int *)most, __float_as_int(in[i])).",
    },
    debrief = [[
A trick that the format of floats was designed to allow. Negative ones go the other way round: the larger float has
the smaller bits, so that one takes atomicMax for those with a plus and atomicMin, on unsigned, for those with a
minus. What has no atomic at all is made of atomicCAS in a loop: int seen = *word, then atomicCAS(word, seen, new)
until it returns seen. Every warp still makes its own addition; with __reduce_max_sync on the bits it would be one
lane's.]],
  },
  exercise {
    id = "last-one", title = "Who is the last?", kernel = "sum", claims = { "F10.global.last_block" },
    args = { "total", "part_sums", "count", "short_all" }, output = "total",
    reference = one_of("int", function(host)
      local sum = 0
      for i = 0, COUNT - 1 do sum = sum + host.short_all[i] end
      return wrapped(sum)
    end),
    gate = { atomics = { at_most = 64, at_least = 64 }, global_load = { at_most = 4.05 } },
    task = [[
The sum of a vector in one launch: 64 blocks leave their sums, and block 63 adds them up, in the belief that it is the
last. It need not be; blocks end in any order. Let the one that really is the last do it, and make sure that it sees
what the others left.]],
    hints = {
      "How can a block know how many others have left their sums already?",
      "Each counts itself when it has left its sum. Which number does the last one get? And what has to be between the "
        .. "two?",
      "if (tid == 0) { sums[blockIdx.x] = ...; __threadfence(); is_last = atomicInc(count, gridDim.x - 1) == gridDim.x "
        .. "- 1; } with is_last in shared memory, then __syncthreads().",
    },
    debrief = [[
All threads of the last block have to know that it is the last: the answer goes through shared memory and a barrier.
The fence stands between the sum and the count, in the thread that does both. In the block that finds itself last,
the barrier keeps its threads from reading before the count. No block waits for another one, so it is right for any
number of blocks, in any order.]],
  },
}

return lab.define {
  number = 10,
  id = "synchronisation",
  title = "Synchronisation",
  lecture = { "F10" },
  intro = [[
Threads of a block can wait for each other, exchange data in shared memory, and add to the same word without disturbing
each other. Threads of different blocks have global memory and atomics, and no barrier but the end of the launch. This
lab has the right way beside what is nearly right: six steps are meant to be wrong. They run on the emulator, under
checkers that find what no test would.

Everything is done with ints, so that no order of additions changes a sum.]],
  params = {
    n = { default = 1 << 22, emulator = 1 << 18, small = 1 << 13, min = 4096, max = 1 << 23, multiple = THREADS,
      help = "elements of the vector", because = "the steps within a block move whole blocks of 256" },
    blocks = { default = 264, small = 8, min = 2, max = 4096,
      help = "blocks of 256 threads where the vector is shared out" },
    repeats = { default = 2048, small = 16, min = 1, max = 1 << 20, help = "barriers in the steps on what they cost" },
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
    -- of the exercises
    short = { type = "int", count = COUNT - 100, fill = "iota" },
    short_all = { type = "int", count = COUNT, fill = function() return periodic("int", COUNT, number) end },
    moved_on = { type = "int", count = COUNT - 100 },
    found = { type = "unsigned", count = 1, fill = 0 },
    positive = { type = "float", count = COUNT, fill = positive },
    top = { type = "float", count = 1, fill = 0 },
    part_sums = { type = "int", count = 64 },
  },
  groups = {
    { id = "block", title = "within a block", columns = { "rate", "verified" } },
    { id = "cost", title = "waiting", baseline = "free", share = "of free", columns = { "rate", "share", "verified" } },
    { id = "votes", title = "above a limit", baseline = "byhand", share = "of first",
      columns = { { header = "atomics", of = "atomics" }, { header = "arrivals", of = "barriers" }, "rate", "share",
        "verified" } },
    { id = "atomics", title = "counting", baseline = "global64", share = "of global",
      columns = { { header = "atomics", of = "atomics" }, "rate", "share", "verified" } },
    { id = "sums", title = "sum", baseline = "twolaunches", share = "of first",
      columns = { "ms", "rate", "share", "verified" } },
    { id = "grid", title = "smoothed twice", baseline = "smooth", share = "of first",
      columns = { "ms", "rate", "share", "verified" } },
    { id = "figures", title = "figures" },
  },
  steps = steps,
  plots = {
    { id = "blocks", title = "The sum over the number of blocks", claims = { "F10.global.scalability" },
      x = { param = "blocks", values = { 8, 16, 32, 64, 132, 264, 528, 1056 }, label = "blocks", log = true },
      emulator_values = { 8, 32, 132, 264, 528 }, steps = { "twolaunches", "last", "atomics" }, y = "ms",
      y_label = "ms", y_log = true, text = [[
More blocks fill more SMs, until all are full. Beyond, each block more is a sum more to be added up.]] },
  },
  exercises = exercises,
}
