-- Lab 6: multiplying matrices, from the definition to one operand in shared memory, with the bound of each step.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"
local operands = require "gpulab.operands"

local function product(p) return operands.product(p.n) end
local function flops(p) return 2 * p.n ^ 3 end

-- Bounds ------------------------------------------------------------------------------------------

local function model_named(name)
  for _, model in ipairs(gpu.models()) do
    if model.name == name then return model end
  end
end

-- GFLOPS of multiply-adds alone.
local function peak(model) return model.sms * model.fp32_lanes * 2 * model.shader_ghz end

-- GFLOPS that memory lets through where so many operations need so many floats from it.
local function by_memory(model, operations, floats) return model.dram_gbps / 4 * operations / floats end

-- GFLOPS where one multiply-add goes with loads from shared memory that are instructions of their own. cc 1.x: 4 clocks
-- for a load and 6 for a MAD with its other factor in shared memory. Today a MAD has no operand in memory, every word
-- is a load, and an SM has so many lanes for them.
local function by_shared(model, loads, words)
  if model.cc < 20 then return peak(model) * 4 / (6 + 4 * loads) end
  return math.min(peak(model), model.sms * model.shader_ghz * 2 * model.shared_bytes_per_clock / 4 / words)
end

local function memory_bound(operations, floats)
  return function(model) return by_memory(model, operations, floats) end
end

local function shared_bound(loads, words)
  return function(model) return by_shared(model, loads, words) end
end

-- What is said under a row: the lecture's bound and where it comes from, and loads as counted.
local function remark(bound, because)
  return function(record, p)
    local model = model_named("GTX 280")
    local said = model and ("GTX 280: at most %.0f, %s"):format(bound(model), because) or because
    local loads = record.report and operands.loads(record.report, p.n) or 0
    return loads > 0 and ("%s; %.3g load%s counted"):format(said, loads, loads == 1 and "" or "s") or said
  end
end

-- Steps -------------------------------------------------------------------------------------------

local steps = {}

-- Sectors of today by request; the older rules have segments and lines.
local function sectors(count)
  return { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = count }
end

local function step(of)
  local columns, rows = table.unpack(of.covers)
  steps[#steps + 1] = {
    id = of.id, group = "product", title = of.title, text = of.text, claim = of.claim, claims = of.claims,
    predict = of.predict, detail = of.detail, expect = of.expect,
    kernel = { file = "matmul.cu", name = of.kernel },
    grid = function(p) return { p.n // columns, p.n // rows } end, block = of.block,
    args = { "C", "A", "B", "n" }, output = "C", reference = product, columns = "n", useful_flops = flops,
  }
end

step {
  id = "column", title = "naive, blocks 1×128", kernel = "naive", block = { 1, 128 }, covers = { 1, 128 },
  claim = "F22.matmul.naive_1x128", expect = { global_load = sectors(16.5), global_store = sectors(32) },
  predict = { ask = "A warp is a column of C. It loads 32 elements of A, a row apart each, and one of B. How many "
    .. "sectors does a load take on average?", of = "global_load", unit = "sectors" },
  detail = remark(memory_bound(32, 17 * 8), "8 floats for each of A that is wanted"),
  text = [[
The definition of the product: a thread for each element of C, which goes along a row of A and down a column of B. A
block of 1 × 128 threads stands upright: the threads of a warp are below each other. They all want the same element of
B and 32 elements of A that are n words apart. Each of those comes in a segment of 32 bytes of its own, an eighth of
which is wanted. On a GPU of today the other seven are wanted by the next rounds of the loop, and may still be in the
cache.]],
}
step {
  id = "row", title = "naive, blocks 128×1", kernel = "naive", block = { 128, 1 }, covers = { 128, 1 },
  claim = "F22.matmul.naive_128x1", claims = { "F22.matmul.bound.naive", "F10.matmul.flop_to_word" },
  expect = { global_load = sectors(2.5), global_store = sectors(4) },
  detail = remark(memory_bound(32, 17), "32 operations for 17 floats from memory"),
  text = [[
The same kernel, the block laid on its side: threads of a warp next to each other in a row of C. Now it is the element
of A that they share, and B's elements are neighbours. Nearly ten times as fast on the GTX 280, without a line changed.

How fast can it be? For each k a half-warp loads 16 elements of B and one of A, and does 16 multiplications and 16
additions: 32 operations for 17 floats. The memory delivers 142 GB/s, 35.5 G floats/s, not quite two operations each:
this row's bound, if nothing else limits it. (It can not even be that: the one float of A comes with seven that nobody
wants, and 32 operations for 24 floats are 47 GFLOPS.) The arithmetic could do 622. What is to be done is to load less
for each operation.]],
}
step {
  id = "tiled", title = "tiles of 16×16", kernel = "tiled<16>", block = { 16, 16 }, covers = { 16, 16 },
  claim = "F22.matmul.tiled",
  claims = { "F22.matmul.bound.tiled", "F22.matmul.bound.load_per_mad", "F10.matmul.blockwise" },
  expect = { shared_load = 1, shared_store = 1 },
  predict = { ask = "How many sectors does a load of global memory take now, for a warp of 16 × 2 threads?",
    of = "global_load", unit = "sectors" },
  detail = remark(shared_bound(1, 2), "a load for each MAD (4 + 6 clocks)"),
  text = [[
All elements of a row of C use the same row of A. A block of 16 × 16 threads loads a tile of A and one of B into shared
memory, each thread an element of each, and uses every element 16 times. That takes a sixteenth of the traffic: 16 ·
35.5 = 568 GFLOPS, so that memory is not what limits it. (The 2010 slides print 16 · 25.5; the result is right.)

But 198 is far from that. A multiply-add on this GPU can take one factor right from shared memory, in 6 clocks for a
warp instead of 4; the other factor needs a load of its own, 4 more. That bounds it by 622 · 4 / 10 = 249 GFLOPS; the
slide says 244, which the clocks it gives do not make. GPUs since Fermi have no operands in shared memory: both are
loads, and an SM of today can load for one warp in a clock but multiply for four.]],
}
step {
  id = "two", title = "two elements a thread", kernel = "two_per_thread", block = { 32, 16 }, covers = { 32, 32 },
  claim = "F22.matmul.two_per_thread", claims = { "F22.matmul.bound.load_per_two_mads", "F22.matmul.offsets" },
  expect = { shared_load = 1, shared_store = 1, global_load = sectors(4), global_store = sectors(4) },
  detail = remark(shared_bound(0.5, 1.5), "a load for two MADs (4 + 2 · 6 clocks)"),
  text = [[
What shared memory did for global memory, registers do for shared memory. 32 × 16 threads compute tiles of 32 × 32, two
elements of a column each: an element of B that has been loaded into a register serves both. A load for two
multiply-adds makes 16 clocks for two, at most 311 GFLOPS.

235 are reached, and the lecture looks at the machine code to find out why: between the multiplications there is an
addition that nobody wrote. The threads go down a column of B's tile, 128 bytes from row to row, and an address
register of the GTX 280 with the offset in the instruction reaches no further than that; so the register has to be
moved along. `disassemble two` shows the inner loop for your GPU: offsets have 24 bits now, and the addition is gone.]],
}
step {
  id = "turned", title = "B turned, rows of 33", kernel = "transposed_b", block = { 32, 16 }, covers = { 32, 32 },
  claim = "F22.matmul.transposed_b",
  expect = { shared_load = 1, shared_store = 1, global_load = sectors(4), global_store = sectors(4) },
  detail = remark(shared_bound(0.5, 1.5), "as before, without the ADD"),
  text = [[
If B's tile is turned round while it is stored, a thread goes along a row of it, a word a step: 32 steps fit into the
offsets, and the addition is gone. In return neighbouring threads write words that lie a row apart, all in one bank; a
spare word in each row mends that, as in lab 3. 276 of 311 GFLOPS. The model of the GTX 280 counts the addition, too:
what its column gains from the step before to this one is what it cost.

On a GPU of today there was no addition to win. `diff two turned` compares the two: the offsets of B's words are 128
bytes apart in one and 4 in the other, and everything else is the same. In machine code look for wide loads, too: the
words of A lie side by side, and the compiler may fetch four with one instruction; those of B lie side by side now as
well, but rows of 33 words do not begin at multiples of 16 bytes, so that it can not.]],
}
step {
  id = "one", title = "one operand in shared", kernel = "one_operand", block = { 64, 1 }, covers = { 64, 16 },
  claim = "F22.matmul.one_operand", claims = { "F22.matmul.bound.shared_operand" },
  expect = { shared_load = 1, shared_store = 1 },
  detail = remark(shared_bound(0, 1), "a MAD with an operand in shared (6 clocks)"),
  text = [[
Two tiles in shared memory mean a load for something, however it is turned. So only A's tile stays there, 16 × 16. The
block has 64 threads side by side; each holds a column of 16 elements of C in registers, loads one element of B into a
register, straight from global memory, and multiplies it with a column of A's tile, which all threads share. Every
multiply-add has one operand in shared memory and two in registers, no load of its own: 415 GFLOPS at most, 375
reached, 96 times what the first step did.

In terms of today it is register tiling: 16 elements of C a thread. The words of A are the same for all threads of a
warp; each still takes a request, unless they lie side by side and come by fours. How far that leads, and how it goes
on with every operand in a register, is lab 7.]],
}

-- A GFLOPS figure in three digits.
local function figure(x) return (x < 1000 and "%.1f" or "%.0f"):format(x) end

steps[#steps + 1] = {
  id = "bounds", title = "bounds, GFLOPS", claims = { "F22.matmul.bound.peak", "F10.matmul.bandwidth" },
  figure = function(_, device)
    local old, here = model_named("GTX 280"), device and model_named(device.model)
    if here and here.name == "GTX 280" then here = nil end
    local rows = {}
    local function row(what, claim, bound)
      rows[#rows + 1] = { what, claim and figure(lecture.find("F22.matmul.bound." .. claim).value) or "",
        old and figure(bound(old)) or "", here and figure(bound(here)) or nil }
    end
    row("multiply-adds alone", "peak", peak)
    row("memory, 1 operation a float", nil, memory_bound(1, 1))
    row("memory, 32 for 17 floats", "naive", memory_bound(32, 17))
    row("memory, tiles of 16 × 16", "tiled", memory_bound(16, 1))
    row("one operand in shared", "shared_operand", shared_bound(0, 1))
    row("both, a load a MAD", "load_per_mad", shared_bound(1, 2))
    row("both, a load for two MADs", "load_per_two_mads", shared_bound(0.5, 1.5))
    return { columns = { "what limits it", "slide", "GTX 280", here and here.name or nil }, rows = rows,
      note = "Memory by the datasheet's bandwidth and without caches, which save what is loaded again. Shared memory "
        .. "since Fermi: every word a load of its own; compilers fetch words that lie side by side with one." }
  end,
  text = [[
What each step could reach at best, from the number of operations for each word. The slides' figures follow from the
datasheet (30 multiprocessors of 8 processors, 1.296 GHz, a multiply-add a clock; 141.7 GB/s) and from the clocks that
a multiply-add takes with an operand in shared memory, which the lecturer measured. One does not follow: a load for
each multiply-add makes 249, not 244. The same reasoning for a GPU of today gives other answers: shared memory has
become slower beside the arithmetic, by a factor of four. A bound far above what is measured says that something else
is in the way; one that is reached says what to save next.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local SIDE <const>, ODD <const> = 128, 100 -- rows and columns in the exercises

local MADS <const> = SIDE * SIDE * SIDE // 32 -- multiply-adds of whole warps

local function small_product() return operands.product(SIDE) end

local exercises = {
  {
    id = "rows", title = "Which index is which", claims = { "F10.matmul.flop_to_word" },
    task = [[
The product by definition, in blocks of 32 × 8 threads: and yet every warp touches 32 sectors for one operand and for
C. Find out which threads belong to a warp and what they should share, and change the kernel so that loads take no more
than 2.5 sectors on average and stores 4.]],
    starter = "exercises/06-rows/rows.cu", solution = "solutions/06-rows/rows.cu", kernel = "rows",
    grid = { SIDE // 32, SIDE // 8 }, block = { 32, 8 }, args = { "small_c", "small_a", "small_b", SIDE },
    output = "small_c", reference = small_product, columns = SIDE,
    gate = { global_load = { at_most = 2.6 }, global_store = { at_most = 4.05 } },
    hints = {
      "Threads of a warp differ in threadIdx.x first. Along which direction of C do they lie here?",
      "Neighbouring threads should write neighbouring words of C, and neighbouring words lie in a row.",
      "threadIdx.x has to choose the column and threadIdx.y the row; the grid fits both ways.",
    },
    debrief = [[
One line is all. The arithmetic is the same, so is the number of loads; only which of them a warp asks for together has
changed. On the GTX 280 this was a factor of nine. In a language with arrays of several dimensions, or with row and
column exchanged as in Fortran, the same slip is made the other way round.]],
  },
  {
    id = "any-size", title = "A product of any size",
    task = [[
Tiles of 16 × 16, and matrices of 100 × 100. The grid covers them, and a bit more; the kernel does not know, and reads
and writes what is not there. Make it right for any n, and keep the tiles.]],
    starter = "exercises/06-any-size/any_size.cu", solution = "solutions/06-any-size/any_size.cu", kernel = "any_size",
    grid = { (ODD + 15) // 16, (ODD + 15) // 16 }, block = { 16, 16 }, args = { "odd_c", "odd_a", "odd_b", ODD },
    output = "odd_c", reference = function() return operands.product(ODD) end, columns = ODD,
    gate = { global_load_requests = { at_most = 6000 }, shared_load = { at_most = 1.05 } },
    hints = {
      "Two things can lie outside: what a thread loads, and what it stores. The last tile along k may be part empty.",
      "What should stand in a tile where the matrix has ended, so that the multiplications need not ask?",
      "Zero: As[ty][tx] = y < n && b + tx < n ? A[...] : 0, the same for B, and store only if x < n && y < n. No "
        .. "thread may leave before the barriers.",
    },
    debrief = [[
Zeros contribute nothing to a sum of products, so that the inner loop stays as it was: the tests are where the loads
are, one for every 16 multiplications. Libraries do the same, or have kernels of their own for the edges. Padding the
matrices once, as the transposition of lab 4 could, moves the problem to whoever allocates them.]],
  },
  {
    id = "b-turned", title = "A product with a transpose",
    task = [[
C = A · B, where B is stored by columns, as it comes from a Fortran program. The kernel takes its tile of B by rows all
the same: neighbouring threads read words that are n apart. Load it as it lies, turn it round in shared memory, and see
to the banks.]],
    starter = "exercises/06-b-turned/b_turned.cu", solution = "solutions/06-b-turned/b_turned.cu", kernel = "b_turned",
    grid = { SIDE // 32, SIDE // 32 }, block = { 32, 32 }, args = { "small_c", "small_a", "small_bt", SIDE },
    output = "small_c", reference = small_product, columns = SIDE, claims = { "F22.matmul.offsets" },
    gate = { global_load = { at_most = 4.05 }, shared_load = { at_most = 1.05 }, shared_store = { at_most = 1.05 } },
    hints = {
      "Let neighbouring threads load neighbouring words of memory, whatever these are, and think about where they go "
        .. "only then.",
      "Thread (tx, ty) loads the element in row b + tx of B and column 32 · block + ty: it lies at "
        .. "(32 · blockIdx.x + ty) * n + b + tx. It can be stored as it comes, Bs[ty][tx].",
      "The inner loop then reads Bs[tx][k], down a column of the tile: 33 words a row keep that out of one bank.",
    },
    debrief = [[
The same as the lab's step with B turned round: there it was done to save an addition, here to read memory by rows. The
tile may be turned when it is written or when it is read; with 33 words a row both are free of conflicts. Libraries
know four forms of the product for this, each operand as it is or transposed, and their speeds hardly differ.]],
  },
  {
    id = "four-rows", title = "One load, four multiplications",
    task = [[
Each thread computes four elements of a column of C, one after the other: it goes through the tile of B four times, and
loads every element of it from shared memory four times. Once is enough.]],
    starter = "exercises/06-four-rows/four_rows.cu", solution = "solutions/06-four-rows/four_rows.cu",
    kernel = "four_rows", claims = { "F22.matmul.bound.load_per_two_mads" },
    grid = { SIDE // 32, SIDE // 32 }, block = { 32, 8 }, args = { "small_c", "small_a", "small_b", SIDE },
    output = "small_c", reference = small_product, columns = SIDE,
    gate = { shared_load_requests = { at_most = MADS * 3 // 2 }, shared_load = { at_most = 1.05 } },
    hints = {
      "Which of the two factors is the same for all four elements of a thread?",
      "Exchange the loops: for each k, all four elements. Then an element of B is loaded once for each k.",
      "float b = Bs[k][tx]; and four additions to sum[0] to sum[3], one for each of the rows ty, ty + 8, ty + 16 and "
        .. "ty + 24.",
    },
    debrief = [[
Exchanging two loops turned eight loads for each k into five at most. If the compiler fetches A's words by fours, as
they lie side by side along k, it is two. Four rows are better than two, and eight better than four: what sets an end
to it are the registers, one for each element of C. And once a thread has several columns as well as several rows, both
operands are used several times. That is lab 7.]],
  },
}

return lab.define {
  number = 6,
  id = "matmul",
  title = "Matrix multiplication",
  lecture = { "F22", "F24", "F10" },
  intro = [[
A product of two n × n matrices takes 2 n³ operations on 3 n² numbers: there is work for each number to be had, if it
is loaded once and used often. The lecture becomes nearly a hundred times as fast on a GTX 280 in six steps. Each comes
with a bound: how fast it could be at best, from the operations that it does for each word of the slowest memory it
needs. A step that comes near its bound is finished, and the next one has to save that memory; the row's remark has it.

Where the bound is not reached the lecture reads the machine code. `disassemble STEP` shows it for your GPU, where a
disassembler is found, and PTX otherwise; `diff STEP STEP` compares two steps.

The slides do not say for which n. Here n is a multiple of 128, so that all blocks fit, and the matrices are made of
small whole numbers, whose products and sums a float holds exactly: every version has to give the very same result.]],
  params = {
    n = { default = 2048, emulator = 512, small = 128, min = 128, max = 16384, multiple = 128,
      help = "rows and columns of the matrices", because = "the kernels have no code for edges of their blocks" },
  },
  buffers = {
    A = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.a(p.n) end },
    B = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.b(p.n) end },
    C = { type = "float", count = function(p) return p.n * p.n end },
    small_a = { type = "float", count = SIDE * SIDE, fill = function() return operands.a(SIDE) end },
    small_b = { type = "float", count = SIDE * SIDE, fill = function() return operands.b(SIDE) end },
    small_bt = { type = "float", count = SIDE * SIDE,
      fill = function() return operands.b(SIDE):transpose(SIDE, SIDE) end },
    small_c = { type = "float", count = SIDE * SIDE },
    odd_a = { type = "float", count = ODD * ODD, fill = function() return operands.a(ODD) end },
    odd_b = { type = "float", count = ODD * ODD, fill = function() return operands.b(ODD) end },
    odd_c = { type = "float", count = ODD * ODD },
  },
  groups = { { id = "product", title = "product", baseline = "row", share = "of 128×1" } },
  steps = steps,
  plots = {
    { id = "size", title = "GFLOPS over the size of the matrices", y = "rate",
      x = { param = "n", values = { 128, 256, 512, 1024, 2048 }, label = "rows and columns", log = true },
      emulator_values = { 128, 256, 384, 512 }, steps = { "row", "tiled", "two", "one" },
      text = [[
Small products do not fill the GPU: a block of 32 × 32 elements for each of 16 blocks leaves most multiprocessors with
nothing. The more elements a thread computes, the larger n has to be before that pays. Which step is the best at n =
128, and from where on is it another?]] },
  },
  exercises = exercises,
}
