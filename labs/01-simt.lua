-- Lab 1: what a warp is: how threads are numbered, what a branch costs, votes, and which loops of a matrix product can
-- be threads.
local lab = require "gpulab.lab"
local operands = require "gpulab.operands"

local LANES <const>, BLOCK <const>, ROUNDS <const> = 32, 256, 256 -- ROUNDS as in kernels/simt.cu

local function blocks_of(count) return (count + BLOCK - 1) // BLOCK end

local steps = {}

-- Vectors -----------------------------------------------------------------------------------------

steps[#steps + 1] = {
  id = "add", group = "vector", title = "c = a + b", claim = "O24.simt.vector_add",
  kernel = { file = "simt.cu", name = "add" },
  grid = function(p) return blocks_of(p.n) end, block = BLOCK, args = { "c", "a", "b", "n" }, output = "c",
  reference = function(p)
    local want = gpu.array("float", 1024)
    for i = 0, 1023 do want[i] = 3 * i end
    return want:cycle(p.n)
  end,
  useful_bytes = function(p) return 3 * 4 * p.n end,
  predict = { ask = "32 threads read 32 floats that follow each other. How many sectors of 32 bytes is that?",
    of = "global_load", unit = "sectors" },
  text = [[
The simplest of all parallel programs: element i of the result needs element i of both vectors and nothing else.
So each element gets a thread, in blocks of 256, and no thread waits for another one or talks to it. There are far
more threads than the GPU has processors, and that is intended: a thread costs nothing to make, and while some
wait for memory others compute. The addition itself does not matter here; twelve bytes have to be moved for it.]],
}

-- The number of each thread's warp in its block, for a block of width × height threads.
local function warp_numbers(width, height)
  return function(p)
    local rows = {}
    for y = 0, height - 1 do
      for x = 0, p.side - 1 do rows[#rows + 1] = (y * width + x % width) // LANES end
    end
    return gpu.array("int", #rows, rows):cycle(p.side * p.side)
  end
end

local function numbered(width, height, sectors, text, predict)
  steps[#steps + 1] = {
    id = ("block%dx%d"):format(width, height), group = "numbers", title = ("blocks of %d × %d"):format(width, height),
    text = text, predict = predict, claims = { "F10.simt.numbering", "F10.simt.warp" },
    kernel = { file = "simt.cu", name = "number" },
    grid = function(p) return { p.side // width, p.side // height } end, block = { width, height },
    args = { "warps", "side" }, output = "warps", columns = "side", reference = warp_numbers(width, height),
    useful_bytes = function(p) return 4 * p.side * p.side end,
    expect = { global_store = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false,
      ["else"] = sectors } },
  }
end

numbered(32, 8, 4, [[
Each thread writes down which warp of its block it is in. The hardware numbers the threads of a block along x,
then along y, then along z: threadIdx.x + blockDim.x * threadIdx.y + ... Each 32 that follow each other in that
count are a warp. In a block of 32 × 8 threads a warp is a row of the block, and it writes 32 neighbouring words.]])
numbered(16, 16, 4, [[
In a block of 16 × 16 threads a warp is two rows of 16: threads 0 to 15 have y = 0, threads 16 to 31 have y = 1.
What it writes are two pieces of 64 bytes in two rows of the matrix. That is still as good: memory is moved by
sectors of 32 bytes, and these are two whole ones each.]])
numbered(4, 64, 8, [[
A warp of 4 × 8 threads: eight pieces of 16 bytes, each half a sector. Twice as many sectors as the data need, by
nothing but the block's shape. The kernel is the same, and so are the numbers of threads and blocks. So the x of a
block belongs to the direction in which memory goes, and should be 8 or more for floats, or better 32.]],
  { ask = "A warp writes eight pieces of 16 bytes, each in a row of its own. How many sectors does it touch?",
    of = "global_store", unit = "sectors" })

-- Divergence --------------------------------------------------------------------------------------

-- What a thread leaves that begins with x and goes that way.
local function worked(way, x)
  for _ = 1, ROUNDS do x = (x * x + way) & 0xffffffff end
  return x
end

-- way_of(i) repeats after `period` threads.
local function ways(period, way_of)
  return function(p)
    local repeats = type(period) == "function" and period(p) or period
    local list, known = {}, {}
    for i = 0, repeats - 1 do
      local way = way_of(i, p)
      local key = way * LANES + i % LANES
      known[key] = known[key] or worked(way, i % LANES)
      list[i + 1] = known[key]
    end
    return gpu.array("unsigned", repeats, list):cycle(p.blocks * BLOCK)
  end
end

local function divergence(step)
  step.group, step.kernel = "ways", { file = "simt.cu", name = step.kernel }
  step.grid, step.block = function(p) return p.blocks end, BLOCK
  step.args, step.output = { "words" }, "words"
  step.useful_ops, step.ops_unit = function(p) return p.blocks * BLOCK * ROUNDS * 2 end, "Gop/s"
  steps[#steps + 1] = step
end

local function within(count, text, predict)
  divergence {
    id = "in" .. count, title = ("%d ways in a warp"):format(count), kernel = ("within<%d>"):format(count), text = text,
    predict = predict, claims = { "F10.simt.serialized", "O24.simt.within_warp" },
    reference = ways(LANES, function(i) return i % count end),
  }
end

local function between(count, text, predict)
  divergence {
    id = "between" .. count, title = ("%d ways, between warps"):format(count), kernel = ("between<%d>"):format(count),
    text = text, predict = predict, claims = { "O24.simt.within_warp" }, expect = { divergent_branches = 0 },
    reference = ways(LANES * count, function(i) return i // LANES end),
  }
end

divergence {
  id = "one", title = "one way", kernel = "within<1>", expect = { divergent_branches = 0 },
  claims = { "F10.simt.issue" }, reference = ways(LANES, function() return 0 end),
  text = [[
A loop of 256 multiplications and additions, the same for all threads: what the other rows are measured against.
One instruction is issued for 32 threads at a time. The GTX 280 had eight processors an SM, and each instruction
of a warp kept them busy for four clocks; today an SM issues for four warps in every clock. The rate counts a
multiplication and an addition a round.]],
}
within(2, [[
Now even threads go one way and odd threads another. Both ways are the same loop with another number in it, but
they are different instructions, and a warp can only execute one instruction at a time: first the even threads go
round while the odd ones wait, then the other way about. Half the rate.]])
within(4, [[
Four ways in each warp: a quarter.]])
within(8, [[
Eight ways. The pattern should be clear by now, and it does not depend on the GPU: it is what SIMT means.]],
  { ask = "Threads of a warp go eight different ways. What part of the rate of one way is left, in %?", of = "share",
    unit = "%", within = 15 })
within(16, [[
Sixteen ways: two threads of each warp go together.]])
within(32, [[
Each thread goes its own way, and 31 of 32 wait at any time. What is left is a processor with one thread, of which
a GPU has many slow ones. Since Volta the threads of a warp have program counters of their own, so that they can
wait for each other across a branch; but they still share one instruction at a time, and this row is as slow as it
ever was.]])
between(2, [[
The same two ways, handed out by warps: even warps go one way, odd warps the other. No warp is divided, no branch
diverges, and nothing is lost. The counter `divergent_branches` is zero.]],
  { ask = "Neighbouring warps go different ways. What part of the rate of one way is left, in %?", of = "share",
    unit = "%", within = 15 })
between(32, [[
Thirty-two ways, but a warp has only one of them. Next to nothing is lost: a few comparisons to find the way. So
it is not branches that are dear, but branches on which the threads of one warp disagree. Where it depends on the
thread which way to go, see whether the threads can be numbered otherwise (the exercise `two-ways`, or the
reduction of lab 5).]])
divergence {
  id = "chosen", title = "too short to branch", kernel = "chosen", expect = { divergent_branches = 0 },
  claims = { "F10.simt.serialized" },
  reference = function(p)
    local list = {}
    for lane = 0, LANES - 1 do
      local x = lane
      for _ = 1, ROUNDS do x = (x * x + (x & 1 == 1 and 5 or 7)) & 0xffffffff end
      list[lane + 1] = x
    end
    return gpu.array("unsigned", LANES, list):cycle(p.blocks * BLOCK)
  end,
  text = [[
Threads that differ about one number only: x & 1 ? 5 : 7. Here the compiler makes no branch; it computes the
condition and selects, for all threads alike, which costs two or three instructions more in each round. This round
has hardly more than that, so it shows: half the rate on an H200, as much as two ways cost. Had the round more to do,
the selecting would cost no more than it does here, while two ways would still cost half. That is why small branches
are mostly turned into this.]],
}
divergence {
  id = "own", title = function(p) return ("%d ways, your choice"):format(p.ways) end,
  kernel = function(p) return ("within<%d>"):format(p.ways) end, claims = { "F10.simt.serialized" },
  reference = ways(function(p) return LANES * p.ways end, function(i, p) return i % p.ways end),
  text = [[
A number of your own: `set ways=5`, then `run own`. What about numbers that are no power of two? `plot ways` draws
the rate for all of them.]],
}

-- Votes -------------------------------------------------------------------------------------------

-- Warp w has w % 33 positive numbers, so that none and all of them occur.
local VOTERS <const> = 33 * LANES

local function says_yes(i) return (i % LANES * 5 + i // LANES) % LANES < i // LANES % 33 end

local function answers(p)
  local list = {}
  for i = 0, VOTERS - 1 do list[i + 1] = says_yes(i) and 1 + i or -i end
  return gpu.array("int", VOTERS, list):cycle(p.n)
end

-- A word for each warp, from its votes.
local function votes(word_of)
  return function(p)
    local list = {}
    for warp = 0, 32 do
      local mask = 0
      for lane = 0, LANES - 1 do
        if says_yes(warp * LANES + lane) then mask = mask | 1 << lane end
      end
      list[warp + 1] = word_of(mask)
    end
    return gpu.array("unsigned", 33, list):cycle(p.n // LANES)
  end
end

local function vote(step)
  step.group, step.kernel = "votes", { file = "votes.cu", name = step.id == "place" and "place" or "vote_" .. step.id }
  step.grid, step.block = function(p) return p.n // BLOCK end, BLOCK
  step.output = step.output or "ballots"
  step.args = { step.output, "opinions" }
  step.useful_bytes = step.useful_bytes or function(p) return 4 * p.n + p.n // 8 end
  steps[#steps + 1] = step
end

vote {
  id = "all", title = "all of the warp?", claim = "F10.vote.all",
  reference = votes(function(mask) return mask == 0xffffffff and 1 or 0 end),
  text = [[
The threads of a warp run together, so they can also decide together. Each brings a condition, here whether its
number is positive, and all get the answer: is it so for all? On the slide that is __all(predicate). That form is
gone: since Volta the threads of a warp need not be in the same place, and whoever votes has to say who else does.
So it is __all_sync(mask, predicate) with a bit for each thread that takes part, and all of them have to come.]],
}
vote {
  id = "any", title = "any of the warp?", claim = "F10.vote.any",
  reference = votes(function(mask) return mask ~= 0 and 1 or 0 end),
  text = [[
__any_sync: is there one for whom it holds? This is how a warp agrees to stop: while (__any_sync(mask, not_done)).
A loop that each thread leaves when it likes takes as long as the slowest; asking costs one instruction.]],
}
vote {
  id = "ballot", title = "ballot: who?", claim = "F10.vote.ballot",
  reference = votes(function(mask) return mask end),
  text = [[
__ballot_sync tells everybody who said yes: bit k is the answer of lane k. The slide has all three votes from
compute capability 1.2 on; the ballot came with 2.0 only.]],
}
vote {
  id = "place", title = "my place in the list", claims = { "F10.vote.ballot" }, output = "places",
  reference = function(p)
    local list, before = {}, 0
    for i = 0, VOTERS - 1 do
      if i % LANES == 0 then before = 0 end
      list[i + 1] = says_yes(i) and before or -1
      if says_yes(i) then before = before + 1 end
    end
    return gpu.array("int", VOTERS, list):cycle(p.n)
  end,
  useful_bytes = function(p) return 8 * p.n end,
  text = [[
What a ballot is good for: thirty-two threads want to append something to a list, if their number is positive. Each
counts the yes-bits below its own (__popc) and has its place, without a loop and without asking anybody.]],
}

-- The product -------------------------------------------------------------------------------------

local function product(step)
  step.group = "product"
  step.kernel = { file = "product.cu", name = step.kernel }
  step.args = step.args or { "C", "A", "B", "m" }
  step.output, step.columns = step.args[1], "m"
  step.reference = function(p) return operands.product(p.m) end
  if not step.shows then step.useful_flops = function(p) return 2 * p.m ^ 3 end end
  steps[#steps + 1] = step
end

product {
  id = "one-loop", title = "rows are threads", kernel = "one_loop", claim = "F10.matmul.one_loop",
  grid = function(p) return blocks_of(p.m) end, block = BLOCK,
  text = [[
A product of two matrices is three loops: over the rows of C, its columns, and k, along which products are added
up. Which of them shall be threads? First the outer one: a thread computes a whole row. It is right, but there are
only as many threads as rows. A GPU wants tens of thousands; all but a few of its SMs have nothing to do here, and
those few wait for memory.]],
}
product {
  id = "two-loops", title = "elements are threads", kernel = "two_loops", claim = "F10.matmul.two_loops",
  grid = function(p) return { (p.m + 15) // 16, (p.m + 15) // 16 } end, block = { 16, 16 },
  text = [[
The two outer loops: a thread for each element of C. No element needs another one, so again nobody has to wait for
anybody, and the number of threads grows with the square of the size. This is the way to go, and lab 6 goes on from
here.]],
}
product {
  id = "inner-loop", title = "products are threads", kernel = "inner_loop", claim = "F10.matmul.inner_loop",
  shows = "race", args = { "C_of_zeros", "A", "B", "m" }, with = { m = 64 },
  grid = function(p) return { p.m, p.m } end, block = LANES,
  text = [[
All three loops: a thread for each product. Now thirty-two threads add to the same element. C += a * b is three
things, read, add, and write; if another thread writes between my reading and my writing, its product is lost. The
result is wrong, and worse, it is wrong in another way each time. This step is meant to fail: it runs on the
emulator under the race checker, which names the line and two of the threads.]],
}
product {
  id = "atomic", title = "products are threads, atomic", kernel = "inner_loop_atomic",
  claims = { "F10.matmul.inner_loop" },
  args = { "C_of_zeros", "A", "B", "m" }, grid = function(p) return { p.m, p.m } end, block = LANES,
  text = [[
With synchronization it is right: atomicAdd reads, adds and writes in one step that nobody can come between (for
floats from compute capability 2.0 on). But the additions to one element still come one after the other, now in
the memory's own time, and each costs more than the multiplication that it is for. To be parallel is not the aim;
the loop over k is better left inside a thread. How a sum can be shared among threads is the subject of lab 5.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 65536

local function scaled(_, host)
  local want = gpu.array("float", 50000)
  for i = 0, #want - 1 do want[i] = 2 * host.long[i] end
  return want
end

local function both_ways(_, host)
  local want = gpu.array("unsigned", COUNT // 4)
  for i = 0, #want - 1 do
    local x = host.raw[i]
    for _ = 1, 64 do
      if i % 2 == 0 then x = x * x + 1 & 0xffffffff else x = (x ~ x >> 3) + 7 & 0xffffffff end
    end
    want[i] = x
  end
  return want
end

local function counted(_, host)
  local want = gpu.array("int", COUNT // LANES)
  for i = 0, COUNT - 1 do
    if host.signs[i] > 0 then want[i // LANES] = want[i // LANES] + 1 end
  end
  return want
end

local exercises = {
  {
    id = "more-elements", title = "More elements than threads", claims = { "O24.simt.vector_add" },
    task = [[
Sixteen blocks of 256 threads, and 50 000 elements. Let the threads go on until all elements are done, whatever the
grid, and keep warps reading whole rows of memory.]],
    starter = "exercises/01-more-elements/scale.cu", solution = "solutions/01-more-elements/scale.cu", kernel = "scale",
    grid = 16, block = BLOCK, args = { "doubled", "long", 2, 50000 }, output = "doubled", reference = scaled,
    gate = { global_load = { at_most = 4.2 }, global_store = { at_most = 4.2 } },
    hints = {
      "The condition has to become a loop. By how much should i grow in each round?",
      "If each thread took a piece of its own, neighbouring threads would be far apart in memory. Let all threads "
        .. "together take the first 4096 elements, then the next 4096.",
      "for (int i = ...; i < n; i += gridDim.x * blockDim.x)",
    },
    debrief = [[
This is called a grid-stride loop. The kernel no longer depends on how it is launched: a grid of one block is
right, if slow, and a grid that just fills the GPU saves the making of millions of threads. The step is the number
of threads, so that in each round neighbouring threads still have neighbouring elements.]],
  },
  {
    id = "two-ways", title = "Two kinds of elements", claims = { "O24.simt.within_warp" },
    task = [[
Even elements are treated one way, odd ones another, and each warp does both. Number the threads so that no warp
has to, with the same launch and the same result.]],
    starter = "exercises/01-two-ways/two_ways.cu", solution = "solutions/01-two-ways/two_ways.cu", kernel = "two_ways",
    grid = COUNT // 4 // BLOCK, block = BLOCK, args = { "treated", "raw" }, output = "treated", reference = both_ways,
    gate = { divergent_branches = { at_most = 0 }, global_load = { at_most = 8.5 }, global_store = { at_most = 8.5 } },
    hints = {
      "Which thread takes which element is up to you, as long as each element is taken once.",
      "A block has 256 elements and eight warps. Let four warps take all the even elements of the block.",
      "half = blockDim.x / 2; the thread's element is 2 * (threadIdx.x % half) + threadIdx.x / half, counted from the "
        .. "block's first one. threadIdx.x / half says whether it is odd.",
    },
    debrief = [[
The price is in memory: a warp now reads every second element, 8 sectors where 4 would do. It is well spent,
because the loops were what took the time, and the neighbouring block of warps finds the other half of the sectors
in the cache. Where both matter, the elements can be sorted into two arrays once and for all.]],
  },
  {
    id = "count", title = "Counting by vote", claims = { "F10.vote.ballot" },
    task = [[
One thread of each warp counts the answers of all, in 32 rounds, while the others wait. Let the warp vote instead:
no shared memory, no barrier.]],
    starter = "exercises/01-count/count.cu", solution = "solutions/01-count/count.cu", kernel = "count",
    grid = COUNT // BLOCK, block = BLOCK, args = { "tally", "signs" }, output = "tally", reference = counted,
    gate = { shared_load_requests = { at_most = 0 }, barriers = { at_most = 0 },
      global_load_requests = { at_most = COUNT // LANES * 1.05 }, atomics = { at_most = 0 } },
    hints = {
      "Which of the three votes tells most?",
      "A ballot is a word of 32 bits with a 1 for each yes. How many ones has it?",
      "__popc(__ballot_sync(0xffffffff, data[i] > 0)), and one thread of the warp writes it down.",
    },
    debrief = [[
All 32 threads have to take part in the vote, so it must not stand inside of the condition that picks the writer.
On the way there went a barrier, a kilobyte of shared memory, and a loop during which 31 threads did nothing.]],
  },
  {
    id = "three-loops", title = "Products as threads, and right", claims = { "F10.matmul.inner_loop" },
    task = [[
A block of 32 threads for each element of C. They overwrite each other's sums, as in the step `inner-loop`, and the
result is wrong. Mend it without atomics.]],
    starter = "exercises/01-three-loops/product.cu", solution = "solutions/01-three-loops/product.cu",
    kernel = "product", grid = { 64, 64 }, block = LANES, args = { "small_C", "small_A", "small_B", 64 },
    output = "small_C", columns = 64, reference = function() return operands.product(64) end,
    gate = { atomics = { at_most = 0 }, global_store_requests = { at_most = 64 * 64 * 1.05 } },
    hints = {
      "How often does each thread have to write to C? Who else writes there?",
      "Give each thread a sum of its own in a register. Then 32 sums are left for each element, all within one warp.",
      "__shfl_down_sync(0xffffffff, sum, 16) is the sum of the thread 16 lanes further on. Add it, then the same with "
        .. "8, 4, 2 and 1: lane 0 has the sum of all.",
    },
    debrief = [[
A warp can add up its 32 values in five steps, through its registers. That is the end of the reduction of lab 5.
In shared memory it would do as well, with a barrier between the steps. What must not be is that one thread relies
on what another one writes, with nothing between the two.]],
  },
}

return lab.define {
  number = 1,
  id = "simt",
  title = "Threads, warps, divergence",
  lecture = { "F10", "O24" },
  intro = [[
A kernel is written for one thread and executed by many. The hardware takes 32 of them at a time, a warp, and
gives all of them the same instruction: single instruction, multiple threads, SIMT for short. One need not know
that for a program to be right, but for it to be fast.

The first steps add two vectors and show how threads become warps. Then warps are sent different ways, and vote.
At the end stands the question which loops of a matrix product can be threads, and one answer to it that is wrong.]],
  params = {
    n = { default = 1 << 23, emulator = 1 << 20, small = 1 << 14, min = BLOCK, max = 1 << 28, multiple = BLOCK,
      help = "elements of the vectors", because = "the votes are taken by whole blocks of 256 threads" },
    side = { default = 4096, emulator = 512, small = 64, min = 64, max = 32768, multiple = 64,
      help = "rows and columns of the matrix of warp numbers", because = "blocks of 4 × 64 threads have to fit" },
    blocks = { default = 4224, emulator = 528, small = 8, min = 1, max = 65535,
      help = "blocks of 256 threads that go different ways" },
    ways = { default = 5, min = 1, max = 32, help = "ways that the threads of a warp go in the step own",
      because = "a warp has 32 threads" },
    m = { default = 512, emulator = 128, small = 32, min = 1, max = 4096, help = "rows and columns of the product" },
  },
  buffers = {
    a = { type = "float", count = "n", fill = function(p) return gpu.array("float", 1024, "iota"):cycle(p.n) end },
    b = { type = "float", count = "n", fill = function(p)
      local twice = gpu.array("float", 1024)
      for i = 0, 1023 do twice[i] = 2 * i end
      return twice:cycle(p.n)
    end },
    c = { type = "float", count = "n" },
    warps = { type = "int", count = function(p) return p.side * p.side end },
    words = { type = "unsigned", count = function(p) return p.blocks * BLOCK end },
    opinions = { type = "int", count = "n", fill = answers },
    ballots = { type = "unsigned", count = function(p) return p.n // LANES end },
    places = { type = "int", count = "n" },
    A = { type = "float", count = function(p) return p.m * p.m end, fill = function(p) return operands.a(p.m) end },
    B = { type = "float", count = function(p) return p.m * p.m end, fill = function(p) return operands.b(p.m) end },
    C = { type = "float", count = function(p) return p.m * p.m end },
    C_of_zeros = { type = "float", count = function(p) return p.m * p.m end, fill = 0 },
    -- of the exercises
    long = { type = "float", count = 50000, fill = "iota" },
    doubled = { type = "float", count = 50000 },
    raw = { type = "unsigned", count = COUNT // 4, fill = "random", seed = 1 },
    treated = { type = "unsigned", count = COUNT // 4 },
    signs = { type = "int", count = COUNT, fill = "random", seed = 1 },
    tally = { type = "int", count = COUNT // LANES },
    small_A = { type = "float", count = 64 * 64, fill = function() return operands.a(64) end },
    small_B = { type = "float", count = 64 * 64, fill = function() return operands.b(64) end },
    small_C = { type = "float", count = 64 * 64, fill = 0 },
  },
  groups = {
    { id = "vector", title = "vectors" },
    { id = "numbers", title = "warps in two dimensions", baseline = "block32x8", share = "of 32 × 8",
      columns = { { header = "sectors", of = "global_store" }, "model", "rate", "share", "verified" } },
    { id = "ways", title = "a branch", baseline = "one", share = "of one way" },
    { id = "votes", title = "votes" },
    { id = "product", title = "a matrix product", baseline = "one-loop", share = "of rows" },
  },
  steps = steps,
  plots = {
    { id = "ways", title = "What is left of the rate when a warp goes several ways", claims = { "F10.simt.serialized" },
      x = { param = "ways", values = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 }, label = "ways", log = true },
      steps = { "own" }, y = "rate", y_label = "Gop/s", with = { blocks = 132 },
      text = [[
Ways that are taken one after the other: the rate falls as one over their number, on every GPU.]] },
  },
  exercises = exercises,
}
