-- Lab 1: what a warp is: how threads are numbered, what divergence costs, votes, and which loops of a matrix product to
-- parallelize.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"
local operands = require "gpulab.operands"

local LANES <const>, BLOCK <const>, ITERATIONS <const> = 32, 256, 256 -- the last as in kernels/simt.cu

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
  predict = { ask = "A warp reads 32 consecutive, aligned floats of 4 bytes. How many sectors of 32 bytes is that?",
    of = "global_load", unit = "sectors" },
  text = [[
Element i of the result needs only element i of both vectors: one thread per element, in blocks of 256. All threads
of a block run on one streaming multiprocessor (SM), and an SM holds a limited number of blocks at a time. Launch an
order of magnitude more threads than your GPU has cores: the hardware creates and switches threads at very little
cost, and while some warps wait for memory, others execute. Each thread moves 12 bytes. Current GPUs move global
memory in sectors of 32 bytes.]],
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
Each thread stores the number of its warp within the block. The hardware counts the threads of a block along x, then
y, then z: threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z. Every 32 consecutive
threads in this order form a warp. In a block of 32 × 8 threads, a warp is one row of the block, and it writes 32
consecutive words.

Note on the slide: “Task Hierarchy” shows the grid and its blocks only. The numbering is the rule of the CUDA C++
Programming Guide.]])
numbered(16, 16, 4, [[
Now a warp covers two rows of 16: threads 0 to 15 have y = 0, threads 16 to 31 have y = 1. It writes two segments of
64 bytes, in two rows of the matrix. That is just as good on a GPU that moves 32-byte sectors: each segment fills two
sectors completely.]])
numbered(4, 64, 8, [[
A warp of 4 × 8 threads writes eight segments of 16 bytes, each half a sector. The kernel and the numbers of threads
and blocks are unchanged; the extra sectors come purely from the block's shape. So let threadIdx.x run along the
contiguous dimension. For floats make blockDim.x at least 8 (one sector) on GPUs since Kepler, 16 on compute
capability (cc) 1.x, and 32 on Fermi, where loads fetch whole L1 lines. 32 suits all of them.]],
  { ask = "A warp writes eight segments of 16 bytes, each in a different row. How many 32-byte sectors is that?",
    of = "global_store", unit = "sectors" })

-- Divergence --------------------------------------------------------------------------------------

-- What a thread that starts with x stores at the end of this path.
local function worked(path, x)
  for _ = 1, ITERATIONS do x = (x * x + path) & 0xffffffff end
  return x
end

-- path_of(i) repeats after `period` threads.
local function paths(period, path_of)
  return function(p)
    local repeats = type(period) == "function" and period(p) or period
    local list, known = {}, {}
    for i = 0, repeats - 1 do
      local path = path_of(i, p)
      local key = path * LANES + i % LANES
      known[key] = known[key] or worked(path, i % LANES)
      list[i + 1] = known[key]
    end
    return gpu.array("unsigned", repeats, list):cycle(p.blocks * BLOCK)
  end
end

local function divergence(step)
  step.group, step.kernel = "divergence", { file = "simt.cu", name = step.kernel }
  step.grid, step.block = function(p) return p.blocks end, BLOCK
  step.args, step.output = { "words" }, "words"
  step.useful_ops, step.ops_unit = function(p) return p.blocks * BLOCK * ITERATIONS * 2 end, "Gop/s"
  steps[#steps + 1] = step
end

local function within(count, text, predict)
  divergence {
    id = "in" .. count, title = ("%d-way divergence"):format(count), kernel = ("within<%d>"):format(count), text = text,
    predict = predict, claims = { "F10.simt.serialized", "O24.simt.within_warp" },
    reference = paths(LANES, function(i) return i % count end),
  }
end

local function between(count, text, predict)
  divergence {
    id = "between" .. count, title = ("%d paths, one per warp"):format(count), kernel = ("between<%d>"):format(count),
    text = text, predict = predict, claims = { "O24.simt.within_warp" }, expect = { divergent_branches = 0 },
    reference = paths(LANES * count, function(i) return i // LANES end),
  }
end

divergence {
  id = "one", title = "one path", kernel = "within<1>", expect = { divergent_branches = 0 },
  claims = { "F10.simt.issue" }, reference = paths(LANES, function() return 0 end),
  text = [[
This is the baseline for the divergence steps: a loop of 256 multiplications and additions, the same for all threads.
A warp issues one instruction for its 32 lanes. An SM of a G80 or GT200 has eight cores, so one warp instruction
occupies them for four cycles. An SM of a current GPU (cc 7.0 and later) has four schedulers, each of which can issue
one warp instruction per cycle. The rate counts one multiplication and one addition per iteration.

Note on the slide: the four cycles are for a G80 multiprocessor (lecture of 2024); the slide of 2010 names no GPU.]],
}
within(2, [[
Now the even lanes take one path and the odd lanes the other. Both paths are the same loop with a different constant,
but they are different instructions, and a warp issues one instruction at a time. So it runs one loop with the other
lanes masked off, then the other loop. Every instruction does useful work in only half of the lanes. This is called
divergence. Expect half the baseline rate, or a little more: the launch is a part of both times, and only the loop
takes twice as long. `debug -G in2`, `step 5` and `view` show both sides.]])
divergence {
  id = "select", title = "select instead of a branch", kernel = "selected", expect = { divergent_branches = 0 },
  claims = { "F10.simt.serialized" },
  reference = function(p)
    local list = {}
    for lane = 0, LANES - 1 do
      local x = lane
      for _ = 1, ITERATIONS do x = (x * x + (x & 1 == 1 and 5 or 7)) & 0xffffffff end
      list[lane + 1] = x
    end
    return gpu.array("unsigned", LANES, list):cycle(p.blocks * BLOCK)
  end,
  text = [[
The two sides of this branch differ in one constant only: x & 1 ? 5 : 7. The compiler does not branch here. Every lane
evaluates the condition and selects a value: a few extra instructions per iteration, no divergence. This loop body is
so short that the selection costs as much as 2-way divergence (measured on an H200); in a longer body it would not
matter. Compilers replace short branches by a select or predicate them: every lane executes both sides, and a
predicate masks the results.]],
}
within(4, [[
Four paths in each warp. The active mask now has 8 of 32 bits set at a time. Expect a quarter of the baseline rate,
and again a little more.]])
within(8, [[
Eight paths in each warp. You can predict this rate from the rows above. It follows from SIMT itself and does not
depend on the GPU.]],
  { ask = "The lanes of a warp take eight different paths. What percentage of the one-path rate is left?", of = "share",
    unit = "%", within = 15 })
within(16, [[
Sixteen paths: two lanes of each warp share a path. To the programmer the threads are independent, almost as in a
MIMD machine; the performance is that of SIMT.]])
within(32, [[
Each lane takes its own path, so 31 of 32 lanes are masked off at any time. Each warp now behaves like one slow scalar
processor. Since Volta (cc 7.0) every thread has its own program counter, so diverged lanes can interleave and wait
for each other. The warp still issues one instruction at a time, only for the lanes that are at it. So independent
thread scheduling makes this step no faster.]])
between(2, [[
The same two paths, assigned per warp: even warps take one path, odd warps the other. No warp diverges. Check with
`counters between2` that no branch diverges.]],
  { ask = "Neighboring warps take different paths. What percentage of the one-path rate is left?", of = "share",
    unit = "%", within = 15 })
between(32, [[
Thirty-two paths, but each warp takes only one of them. The only extra cost is the few comparisons that select the
path. Branches are cheap; divergent branches are not. If the path depends on the thread, see whether you can assign
work to threads differently (exercise `divergence`, or the reduction of lab 5). The lecture warns that this can be hard:
graph processing or many independent automata may need a different algorithm.]])
divergence {
  id = "own", title = function(p) return ("own: %d-way divergence"):format(p.paths) end,
  kernel = function(p) return ("within<%d>"):format(p.paths) end, claims = { "F10.simt.serialized" },
  reference = paths(function(p) return LANES * p.paths end, function(i, p) return i % p.paths end),
  text = [[
Choose your own number of paths: `set paths=7`, then `run own`. Try numbers that are not a power of two. `plot paths`
draws the rate for ten numbers from 1 to 32.]],
}

-- Warp votes -------------------------------------------------------------------------------------------

-- Warp w has w % 33 positive numbers, so that none and all of them occur.
local VOTERS <const> = 33 * LANES

local function is_positive(i) return (i % LANES * 5 + i // LANES) % LANES < i // LANES % 33 end

local function answers(p)
  local list = {}
  for i = 0, VOTERS - 1 do list[i + 1] = is_positive(i) and 1 + i or -i end
  return gpu.array("int", VOTERS, list):cycle(p.n)
end

-- One word per warp, from its votes.
local function votes(word_of)
  return function(p)
    local list = {}
    for warp = 0, 32 do
      local mask = 0
      for lane = 0, LANES - 1 do
        if is_positive(warp * LANES + lane) then mask = mask | 1 << lane end
      end
      list[warp + 1] = word_of(mask)
    end
    return gpu.array("unsigned", 33, list):cycle(p.n // LANES)
  end
end

local function vote(step)
  step.group = "votes"
  step.kernel = { file = "votes.cu", name = step.kernel or "vote_" .. step.id }
  step.grid, step.block = function(p) return p.n // BLOCK end, BLOCK
  step.output = step.output or "ballots"
  step.args = { step.output, "opinions" }
  step.useful_bytes = step.useful_bytes or function(p) return 4 * p.n + p.n // 8 end
  steps[#steps + 1] = step
end

vote {
  id = "every", title = "__all_sync", kernel = "vote_all", claim = "F10.vote.all",
  reference = votes(function(mask) return mask == 0xffffffff and 1 or 0 end),
  text = [[
The lanes of a warp can also decide together. Each lane contributes a predicate, here whether its number is positive,
and all lanes get the answer: is the predicate true in every lane? The function is __all_sync(mask, predicate). The
mask names the participating lanes, one bit per lane, and each of them must execute the same call.

Note on the slide: it writes __all(predicate), which is deprecated since CUDA 9 and removed for cc 7.0 and later,
where the lanes of a warp need not be converged.]],
}
vote {
  id = "any", title = "__any_sync", claim = "F10.vote.any",
  reference = votes(function(mask) return mask ~= 0 and 1 or 0 end),
  text = [[
__any_sync: is the predicate true in at least one lane? With `if (__any_sync(mask, found)) break;` the whole warp
stops as soon as one lane has found something. With `while (__any_sync(mask, not_done))` finished lanes stay in the
loop, so the warp remains converged and its lanes can still shuffle. That saves no time: the loop lasts as long as the
slowest lane either way.]],
}
vote {
  id = "ballot", title = "__ballot_sync", claim = "F10.vote.ballot",
  reference = votes(function(mask) return mask end),
  text = [[
__ballot_sync returns the whole vote to every lane, as a 32-bit word: bit k is the predicate of lane k.

Note on the slide: it lists all three votes from cc 1.2 on; the ballot came with cc 2.0.]],
}
vote {
  id = "compaction", kernel = "compaction", title = "compaction with a ballot", claims = { "F10.vote.ballot" },
  output = "positions",
  reference = function(p)
    local list, before = {}, 0
    for i = 0, VOTERS - 1 do
      if i % LANES == 0 then before = 0 end
      list[i + 1] = is_positive(i) and before or -1
      if is_positive(i) then before = before + 1 end
    end
    return gpu.array("int", VOTERS, list):cycle(p.n)
  end,
  useful_bytes = function(p) return 8 * p.n end,
  text = [[
A typical use of the ballot is stream compaction: the lanes of a warp append their positive numbers to a list. Each
lane counts the set bits below its own (__popc) and so knows its position, without a loop and without shared memory.
The kernel stores only these positions, and -1 for the other numbers. To append to a list in global memory, one lane
then reserves room for the whole warp with a single atomicAdd. This is called warp-aggregated atomics.]],
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
  id = "one-loop", title = "one thread per row", kernel = "one_loop", claim = "F10.matmul.one_loop",
  grid = function(p) return blocks_of(p.m) end, block = BLOCK,
  text = [[
A matrix product has three loops: over the rows of C, over its columns, and over k, which accumulates the products.
Which of these loops should you parallelize? Start with the outer one: each thread computes a whole row. The result is
correct, but there are only as many threads as rows, so most SMs stay idle. The access is also uncoalesced:
neighboring threads read A with a stride of one row (lab 2). Look at the sectors per request in the table.]],
}
product {
  id = "two-loops", title = "one thread per element", kernel = "two_loops", claim = "F10.matmul.two_loops",
  grid = function(p) return { (p.m + 15) // 16, (p.m + 15) // 16 } end, block = { 16, 16 },
  text = [[
Parallelize the two outer loops: one thread per element of C. No synchronization is needed, and the number of threads
grows with the square of the matrix size. Two things improve at the same time, so do not credit the speedup to one of
them: there are enough threads to fill the GPU, and neighboring threads now read neighboring elements of B and the
same element of A. Lab 6 continues from this kernel.]],
}
product {
  id = "inner-loop", title = "32 threads per element", kernel = "inner_loop", claim = "F10.matmul.inner_loop",
  shows = "race", args = { "C_of_zeros", "A", "B", "m" }, with = { m = 64 },
  grid = function(p) return { p.m, p.m } end, block = LANES,
  text = [[
Now parallelize the loop over k as well: 32 threads per element of C, each taking every 32nd product. C += a * b is a
read, an addition, and a write. If another thread writes in between, its product is lost. Which of the 32 additions
survives is undefined: it may differ from run to run, or from GPU to GPU, or look stable for years. This step is meant
to fail: on the emulator, the race checker reports the source line and two of the threads.]],
}
product {
  id = "atomic", title = "32 threads per element, atomic", kernel = "inner_loop_atomic",
  claims = { "F10.matmul.inner_loop" },
  args = { "C_of_zeros", "A", "B", "m" }, grid = function(p) return { p.m, p.m } end, block = LANES,
  text = [[
atomicAdd makes the result correct: it reads, adds, and writes indivisibly (for floats from cc 2.0 on). The additions
to one element are still serialized, since Fermi in the atomic units of the L2 cache, and each costs more than a
multiplication. The reads of B are uncoalesced. Keep the loop over k inside a thread; lab 5 shows how threads
share a sum.

What to remember: divergence costs time only within a warp. Assign work so that a warp stays converged. Threads that
update the same location need synchronization.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local function size(p) return p.size end
local function blocks(p) return p.size // BLOCK end
local function square(p) return p.size * p.size end

local function scaled(_, host)
  local want = gpu.array("float", #host.long)
  for i = 0, #want - 1 do want[i] = 2 * host.long[i] end
  return want
end

local function both_ways(_, host)
  local want = gpu.array("unsigned", #host.raw)
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
  local want = gpu.array("int", #host.signs // LANES)
  for i = 0, #host.signs - 1 do
    if host.signs[i] > 0 then want[i // LANES] = want[i // LANES] + 1 end
  end
  return want
end

local exercises = {
  {
    id = "more-elements", title = "More elements than threads", claims = { "O24.simt.vector_add" },
    task = [[
The launch has 16 blocks of 256 threads, and the vector has 50 000 elements. Let every thread loop over several
elements until all are done, for any grid size. In each iteration the threads of a warp must access consecutive
elements.]],
    starter = "exercises/01-more-elements/more_elements.cu", solution = "solutions/01-more-elements/more_elements.cu",
    kernel = "scale",
    grid = function(p) return ({ [40961] = 11, [33000] = 1, [777] = 3, [5] = 1 })[p.size] or 16 end, -- any grid size
    block = BLOCK, args = { "doubled", "long", 2, size }, output = "doubled", reference = scaled,
    sizes = { 50000, 40961, 33000, 777, 5 }, accept = { working_lanes = 0.85 },
    hints = {
      "The condition has to become a loop. By how much should i grow per iteration?",
      "If each thread took a contiguous chunk, neighboring threads would access distant addresses. Let all threads "
        .. "together process the first 4096 elements, then the next 4096.",
      "for (int i = ...; i < n; i += gridDim.x * blockDim.x)",
    },
    debrief = [[
This is called a grid-stride loop. The kernel no longer depends on the launch: a grid of one block is correct, if
slow, and a grid that just fills the GPU avoids launching millions of threads. The stride is the total number of
threads, so in each iteration neighboring threads still access neighboring elements.]],
  },
  {
    id = "divergence", title = "Two kinds of elements, no divergence", claims = { "O24.simt.within_warp" },
    task = [[
Even elements need one computation, odd elements another, and each warp does both. Assign the elements to the threads
so that no warp diverges, with the same launch and the same result. Loads and stores may take up to twice the
sectors.]],
    starter = "exercises/01-divergence/divergence.cu", solution = "solutions/01-divergence/divergence.cu",
    kernel = "divergence", grid = blocks, block = BLOCK, args = { "treated", "raw" }, output = "treated",
    reference = both_ways,
    sizes = { 64 * BLOCK, 61 * BLOCK, BLOCK },
    accept = { divergent_branches = { at_most = 0 }, working_warps = { at_least = 1 },
      warp_instructions = 1.56, load_sectors = 1, global_store_sectors = 1 },
    advice = "Let each warp have elements of one kind only.",
    hints = {
      "You may assign elements to threads in any order, as long as each element is processed once.",
      "A block has 256 elements and eight warps. Let four warps process all the even elements of the block.",
      "half = blockDim.x / 2; the thread's element is 2 * (threadIdx.x % half) + threadIdx.x / half, relative to the "
        .. "block's first element. threadIdx.x / half is 1 for odd elements.",
    },
    debrief = [[
The price is memory efficiency: a warp now reads every second element, 8 sectors where 4 would do. It pays off here
because the loops dominate the time, and the other four warps of the block need the other half of those sectors and
usually find them in L1 or L2. Where both matter, sort the elements into two arrays once.]],
  },
  {
    id = "count", title = "Counting by vote", claims = { "F10.vote.ballot" },
    task = [[
One lane of each warp counts the answers of all 32 lanes in a loop, and the other lanes wait. Use a warp vote of all 32
lanes instead: no shuffle or warp reduction, no shared memory, no barrier, and one load of one word per thread.]],
    starter = "exercises/01-count/count.cu", solution = "solutions/01-count/count.cu", kernel = "count",
    grid = blocks, block = BLOCK, args = { "tally", "signs" }, output = "tally", reference = counted,
    sizes = { 256 * BLOCK, 61 * BLOCK, BLOCK },
    accept = { shared_load_requests = { at_most = 0 }, shared_store_requests = { at_most = 0 },
      barriers = { at_most = 0 }, loads_per_thread = { at_most = 1 }, votes = { at_least = 1 },
      activemasks = { at_most = 0 }, shuffles = { at_most = 0 }, working_lanes = 0.85,
      busiest_words = 1, warp_instructions = 1.56 },
    advice = "One vote per warp counts the answers of all 32 lanes.",
    hints = {
      "Which of the three votes returns the most information?",
      "A ballot is a 32-bit word with a 1 for each lane whose predicate is true. Which intrinsic counts the ones?",
      "__popc(__ballot_sync(0xffffffff, data[i] > 0)), and one lane of the warp stores the result.",
    },
    debrief = [[
All 32 lanes must take part in the vote, so keep it outside the condition that picks the lane that stores. The ballot
replaced a barrier, 1 KB of shared memory, and a loop in which 31 lanes sat idle.]],
  },
  {
    id = "three-loops", title = "32 threads per element, without a race", claims = { "F10.matmul.inner_loop" },
    task = [[
A block of 32 threads computes each element of C. The threads overwrite each other's sums, as in the step
`inner-loop`, and the result is wrong. Fix it without atomics, with one store per element.]],
    starter = "exercises/01-three-loops/three_loops.cu", solution = "solutions/01-three-loops/three_loops.cu",
    kernel = "product", grid = function(p) return { p.size, p.size } end, block = LANES,
    args = { "small_C", "small_A", "small_B", size }, sizes = { 64, 45, 77, 5 },
    output = "small_C", columns = size, reference = function(p) return operands.product(p.size, p.seed) end,
    accept = { atomics = { at_most = 0 }, stores_per_thread = { at_most = 1 }, working_lanes = 0.85,
      lone_thread = false, -- one thread may add the 32 sums
      warp_instructions = 2 },
    hints = {
      "How often does each thread have to write to C? Which other threads write to the same element?",
      "Give each thread its own sum in a register. Then 32 sums per element are left, all within one warp.",
      "__shfl_down_sync(0xffffffff, sum, 16) returns the sum of the lane 16 higher. Add it, then do the same with "
        .. "8, 4, 2, and 1: lane 0 ends up with the total.",
    },
    debrief = [[
A warp can sum its 32 values in five shuffle steps, entirely in registers; the reduction of lab 5 ends this way.
Shared memory works as well, with synchronization between the steps. A thread must never read what another thread
wrote without synchronization in between.]],
  },
}

return lab.define {
  number = 1,
  id = "simt",
  title = "Threads, warps, divergence",
  lecture = { "F10", "O24" },
  intro = [[
You write a kernel for one thread, and many threads execute it. The hardware groups 32 consecutive threads into a
warp; its threads are called lanes. A warp issues one instruction for all its lanes: single instruction, multiple
threads (SIMT). The warp size is 32 on all CUDA hardware so far.

First you add two vectors and see how threads form warps. Then warps diverge and vote. Finally you choose which loops
of a matrix product to parallelize; one choice is wrong.]],
  params = {
    n = { default = 1 << 23, emulator = 1 << 20, small = 1 << 14, min = BLOCK, max = 1 << 28, multiple = BLOCK,
      help = "elements of the vectors", because = "the vote steps launch whole blocks of 256 threads" },
    side = { default = 4096, emulator = 512, small = 64, min = 64, max = 32768, multiple = 64,
      help = "rows and columns of the matrix of warp numbers", because = "blocks of 4 × 64 threads have to divide it" },
    blocks = { default = 4224, emulator = 528, small = 8, min = 1, max = 65535,
      help = "blocks of 256 threads in the divergence steps" },
    paths = { default = 5, min = 1, max = 32, help = "paths per warp in the step own",
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
    positions = { type = "int", count = "n" },
    A = { type = "float", count = function(p) return p.m * p.m end, fill = function(p) return operands.a(p.m) end },
    B = { type = "float", count = function(p) return p.m * p.m end, fill = function(p) return operands.b(p.m) end },
    C = { type = "float", count = function(p) return p.m * p.m end },
    C_of_zeros = { type = "float", count = function(p) return p.m * p.m end, fill = 0 },
    -- for the exercises
    long = { type = "float", count = size, fill = "random", seed = 2 },
    doubled = { type = "float", count = size },
    raw = { type = "unsigned", count = size, fill = inputs.extremes("unsigned", size) },
    treated = { type = "unsigned", count = size },
    signs = { type = "int", count = size, fill = inputs.extremes("int", size) },
    tally = { type = "int", count = function(p) return p.size // LANES end },
    small_A = { type = "float", count = square, fill = function(p, seed) return operands.a(p.size, seed) end },
    small_B = { type = "float", count = square, fill = function(p, seed) return operands.b(p.size, seed) end },
    small_C = { type = "float", count = square, fill = 0 },
  },
  groups = {
    { id = "vector", title = "vectors" },
    { id = "numbers", title = "warps in 2-D blocks", baseline = "block32x8", share = "of 32 × 8",
      columns = { { header = "sectors", of = "global_store" }, "model", "rate", "share", "verified" } },
    { id = "divergence", title = "divergence", baseline = "one", share = "of one path" },
    { id = "votes", title = "warp votes" },
    { id = "product", title = "matrix product", baseline = "one-loop", share = "of rows",
      columns = { "sectors", "model", "rate", "share", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "paths", title = "Rate over the number of paths per warp", claims = { "F10.simt.serialized" },
      x = { param = "paths", values = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 }, label = "paths per warp", log = true },
      steps = { "own" }, y = "rate", y_label = "Gop/s", with = { blocks = 132 },
      text = [[
The paths of a warp are serialized, on every GPU: the loop takes time in proportion to their number. The launch is part
of every time, so with few paths the rate falls more slowly than that.]] },
  },
  exercises = exercises,
}
