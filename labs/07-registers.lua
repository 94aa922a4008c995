-- Lab 7: products of matrices with one operand in shared memory, and with all of them in registers.
local lab = require "gpulab.lab"
local operands = require "gpulab.operands"

local LARGE <const> = 4096 -- n at which a GPU of today is busy for some milliseconds

local function product(p) return operands.product(p.n) end
local function flops(p) return 2 * p.n ^ 3 end

-- Remark: what a multiplication takes from shared memory, as counted.
local function loads(record, p)
  if not record.report then return nil end
  local count = operands.loads(record.report, p.n)
  return ("%.4g load%s of shared memory a multiplication"):format(count, count == 1 and "" or "s")
end

local steps = {}

-- The micro-benchmark -----------------------------------------------------------------------------

local REPEATS <const>, VALUES <const>, THREADS <const> = 256, 16, 128 -- as in kernels/operands.cu

local function sums(p, host)
  local sum = 0
  for j = 0, VALUES - 1 do sum = sum + host.factors[j] * host.factors[VALUES + j] end
  return gpu.array("float", p.blocks * THREADS, REPEATS * sum)
end

local function micro(step)
  step.group, step.kernel = "operands", { file = "operands.cu", name = step.kernel }
  step.grid, step.block = function(p) return p.blocks end, THREADS
  step.args, step.output, step.reference = { "sums", "factors" }, "sums", sums
  step.useful_flops = function(p) return 2 * REPEATS * VALUES * THREADS * p.blocks end
  step.expect = { shared_load = 1 }
  steps[#steps + 1] = step
end

micro {
  id = "sharedshared", title = "shared × shared", kernel = "shared_shared",
  text = [[
A micro-benchmark does one thing, and is compared with another that differs in one aspect. Here that is where the
factors of a multiplication come from. In this step both are in shared memory, as in the product with two tiles of lab
6:

    sum += shared_a[j] * shared_b[j]

All threads read the same words, so that there are no conflicts, and no other memory has anything to do.]],
}
micro {
  id = "registershared", title = "register × shared", kernel = "register_shared",
  claims = { "CSU.operands.shared_shared" },
  predict = { ask = "What rate does the step reach with one factor in a register, in % of the first step's?",
    of = "share", unit = "%", within = 15 },
  text = [[
    sum += shared_a[j] * local_b[j]

One factor is in a register, and that is the only difference. The slide measured half the time, and shows why in the
machine code of the C1060: its multiply-add takes one operand right from shared memory, so that this loop is nothing
but multiply-adds, and the other has a mov before each. By the clocks that lab 6 calculates with (4 for the mov, 6 for
the multiply-add) one would expect 10 to 6, a factor of 1.7 and not 2; the model says the same, and the slide rounds or
knows better.

On GPUs since Fermi no multiply-add has an operand in memory. Here it is two loads to one, and as an SM of today loads
for one warp in a clock while it multiplies for four, the loads decide: a factor of two after all, for another
reason.]],
}
micro {
  id = "registerregister", title = "register × register", kernel = "register_register",
  text = [[
    sum += local_a[j] * local_b[j]

The question that the slides do not ask here, and leave open in the end: both in registers. Nothing is loaded in the
loop at all. On the C1060 that is 6 clocks to 4. On a GPU of today the arithmetic may run four times as fast as with
one operand in shared memory, because nothing but its own rate bounds it any more. This loop, with one sum a thread,
gets half of that: an H200 ran it at 1.9 times the rate of the step before. The whole product below gets further, to
more than four fifths of the library and then to more than nine tenths.]],
}

-- The lecture's three versions --------------------------------------------------------------------

local function csu(step)
  step.group, step.output, step.reference, step.columns, step.useful_flops = "csu", "C", product, "n", flops
  if step.kernel then
    local columns, rows = table.unpack(step.covers)
    step.kernel = { file = "matmul_csu.cu", name = step.kernel }
    step.grid = function(p) return { p.n // columns, p.n // rows } end
    step.args, step.detail, step.covers = { "C", "A", "B", "n" }, loads, nil
  end
  steps[#steps + 1] = step
end

csu {
  id = "regshared", title = "register, shared", kernel = "reg_shared", block = { 64, 1 }, covers = { 64, 16 },
  claim = "CSU.matmul.reg_shared", expect = { shared_load = 1, shared_store = 1 },
  text = [[
The product that the benchmark suggests. 64 threads compute 64 columns and 16 rows of C, each a column of 16 sums in
registers. A's tile of 16 × 16 is in shared memory; an element of B comes into a register and meets a column of A's
tile. It is the same scheme as the last step of lab 6, which another lecture measured at 375 GFLOPS on a GPU with the
same clock. Here the loops are loops, and every address is calculated where it is used: 265.]],
}
csu {
  id = "unrolled", title = "unrolled, hoisted", kernel = "unrolled", block = { 64, 1 }, covers = { 64, 16 },
  claim = "CSU.matmul.unrolled", expect = { shared_load = 1, shared_store = 1 },
  text = [[
Three things that a compiler could do and did not: the inner loop written out, pointers that move along instead of a *
i + b anew each time, and what does not change in a loop taken out of it. Today's compiler does most of it unasked; the
first version had to be held back by #pragma unroll 1 to stay what it was. Compare the two by `diff regshared
unrolled`.]],
}
csu {
  id = "wide", title = "C 32×64, A turned", kernel = "wide", block = { 16, 4 }, covers = { 64, 32 },
  claim = "CSU.matmul.wide",
  expect = { shared_load = 1, shared_store = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["else"] = 2 } },
  predict = { ask = "A warp of 16 × 2 threads writes 16 rows of 33 words, 2 neighbours in each. How many passes does a "
    .. "store take on your GPU?", of = "shared_store", unit = "passes" },
  text = [[
32 rows of C instead of 16, so that B is read half as often; and A's tile is turned round on its way into shared
memory, where a thread then goes along a row of it. With 33 words a row writing a column is free of conflicts, says the
slide. On the C1060 it was: half a warp was a request, 16 threads below each other. Today the whole warp is one, and
its other half writes one word further right, where the neighbours below are already: two passes. An exercise of this
lab mends it.

372 GFLOPS: a little faster than the library of its time.]],
}
csu {
  id = "library", title = "the library", claim = "CSU.matmul.cublas",
  library = { name = "sgemm", args = { "C", "A", "B", "n" } },
  text = [[
The library that comes with CUDA, in FP32 and without tensor cores. In 2010 CudaBLAS did 354 GFLOPS on the C1060, and
two lecturers went past it with half a page of code. Its successor cuBLAS is not that easily passed. This step needs a
GPU and the library.]],
}

-- Every operand in a register ---------------------------------------------------------------------

local function registers(step)
  step.group, step.output, step.reference, step.columns, step.useful_flops = "registers", "C", product, "n", flops
  step.with = function(p, device)
    return { n = device and device.backend == "cuda" and math.max(p.n, LARGE) or nil }
  end
  local what = step.title
  step.title = function(p) return ("%s, n = %d"):format(what, p.n) end
  if step.kernel then
    step.kernel = { file = "matmul_registers.cu", name = step.kernel }
    step.grid, step.block = function(p) return { p.n // 128, p.n // 128 } end, 256
    step.args, step.detail = { "C", "A", "B", "n" }, loads
    step.expect = { shared_load = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["else"] = 2 } }
  end
  steps[#steps + 1] = step
end

registers {
  id = "regreg", title = "8×8 in registers", kernel = "reg_reg", claims = { "CSU.matmul.reg_reg" },
  predict = { ask = "A thread has 8 × 8 elements of C and loads 16 bytes at a time. How many loads for 64 "
    .. "multiplications?", unit = "loads",
    of = function(record) return record.report and 64 * operands.loads(record.report, record.params.n) end },
  text = [[
"REG/REG: every operand in a register? We never made it work, but maybe you can." What is in a register belongs to one
thread, so it has to be used often by that thread: each has 8 × 8 elements of C. For each k it takes 8 elements of A
and 8 of B from shared memory into registers, and multiplies each of the ones with each of the others: 64
multiplications for 16 words, which come by fours, a sixteenth of the loads of the versions above. That takes 64
registers for the sums and 16 for the factors. The C1060 has 16384 for an SM, a quarter of what an SM has had since
Kepler; 256 such threads do not fit there.

The block computes 128 × 128 elements from tiles of 128 × 8 and 8 × 128. A's tile is turned round so that a thread's
words lie side by side, with four spare words a row against conflicts. How the lanes of a warp are laid over its 32 ×
64 elements is chosen so that neighbours share what they read: two passes for 16 bytes a thread, the least there is.]],
}
registers {
  id = "prefetched", title = "and prefetched", kernel = "prefetched",
  text = [[
What is left is waiting: the block loads, waits, multiplies, waits. Here each thread sends off its loads of the next
tiles before it multiplies these, keeps them in registers meanwhile, and stores them into a second pair of tiles, which
nobody reads yet. So one barrier a round is enough, and the memory works while the arithmetic does. There is nothing
more to it: no asynchronous copies, no machine code; the whole file has some 130 lines.]],
}
registers {
  id = "peer", title = "the library",
  library = { name = "sgemm", args = { "C", "A", "B", "n" } },
  text = [[
The same by cuBLAS, to measure the two above by: the column says how much of its rate they reach. It has many such
kernels, and picks one by the sizes of the matrices; what it has besides are all the forms and sizes that 130 lines do
not have. With tensor cores and less precision it would be many times as fast; that is another subject.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local SIDE <const> = 128
local MADS <const> = SIDE * SIDE * SIDE // 32 -- multiply-adds of whole warps

local function exercise(e)
  e.args, e.output, e.columns = { "small_c", "small_a", "small_b", SIDE }, "small_c", SIDE
  e.reference = function() return operands.product(SIDE) end
  local folder = e.id:gsub("_", "-")
  e.starter = ("exercises/07-%s/%s.cu"):format(folder, e.kernel)
  e.solution = ("solutions/07-%s/%s.cu"):format(folder, e.kernel)
  return e
end

local exercises = {
  exercise {
    id = "whole-warps", title = "Padding for whole warps", kernel = "whole_warps",
    grid = { SIDE // 64, SIDE // 32 }, block = { 16, 4 },
    gate = { shared_store = { at_most = 1.05 }, shared_load = { at_most = 1.05 } },
    task = [[
The lecture's fastest version pads A's tile to 33 words a row, so that 16 threads which write below each other find 16
banks. Since Fermi 32 threads are a request, and their other half is one word further right. Let a store take one
pass.]],
    hints = {
      "Write down the banks that threads (tx, 0) and (tx, 1) hit, for tx = 0, 1, 2. Where do the two meet?",
      "With 33 words a row thread (tx, ty) hits bank tx + ty. What should tx be multiplied by, so that two neighbours "
        .. "fit in between?",
      "34 words a row: bank 2 · tx + ty, for tx from 0 to 15 and ty 0 or 1 each bank once.",
    },
    debrief = [[
33 is a remedy for 32 threads in a column, or 16; not for every shape of a warp. The question is always the same: 32
threads, 32 banks, and the distance from thread to thread in both directions. Here 34 is right, for 8 × 4 threads it
would be 36. The loop's loads do not mind: all threads read the same word.]],
  },
  exercise {
    id = "outer", title = "Each with each", kernel = "outer", claims = { "CSU.matmul.reg_reg" },
    grid = { SIDE // 64, SIDE // 64 }, block = { 16, 16 },
    gate = { shared_load_requests = { at_most = MADS * 6 // 10 }, shared_load = { at_most = 1.05 } },
    task = [[
A thread has 4 × 4 elements of C, 16 rows and columns apart, and computes one after the other: two loads for every
multiplication. For a given k there are only four elements of A and four of B among its operands. Load these eight, and
multiply each with each.]],
    hints = {
      "How often does a thread load As[k][ty] in one round, and how often would be enough?",
      "Let k be the outermost of the three loops, and keep what it needs for that k in two small arrays.",
      "float a[4], b[4]; fill them for each k, then sum[i][j] += a[i] * b[j]. Unroll the loops over i and j wholly, "
        .. "or the arrays are no registers.",
    },
    debrief = [[
Eight loads for 16 multiplications instead of 32. The same arithmetic as a product of a column and a row, an outer
product, added up over k. With r × c elements a thread it is r + c loads for r · c multiplications: 8 × 8 take a
quarter of a load each. What it costs is registers, and fewer threads to hide the latency with; the lab's step has 16
warps on an SM, a quarter of what there is room for, and comes near the library.]],
  },
  exercise {
    id = "fours", title = "By fours", kernel = "fours",
    grid = { SIDE // 64, SIDE // 64 }, block = { 16, 16 },
    gate = { shared_load_requests = { at_most = MADS * 15 // 100 }, shared_store = { at_most = 2.6 } },
    task = [[
The solution of the exercise before: eight loads of a word for each k, because a thread's rows are 16 apart, and its
columns, too. If they were neighbours, four words would come with one load of 16 bytes. Let them be.]],
    hints = {
      "Nothing says which rows and columns a thread has, as long as every element of C has one thread.",
      "Rows 4 · ty to 4 · ty + 3, and columns 4 · tx to 4 · tx + 3. Mind that C is written by the same rule.",
      "float4 a = *(float4 *)&As[k][4 * ty]; the tiles' rows have to be a multiple of four words long, and declared "
        .. "with __align__(16).",
    },
    debrief = [[
Two loads for each k. An instruction less is a slot of the scheduler more for a multiplication, and shared memory
delivers 16 bytes a thread at no lower rate. With float4 the results go to memory by 16 bytes as well. The passes of
such a load are 4 for 32 threads with different words, and less if neighbours share theirs; the lab's step lays out its
lanes for that.]],
  },
  exercise {
    id = "one-barrier", title = "One barrier a round", kernel = "one_barrier",
    grid = { SIDE // 16, SIDE // 16 }, block = { 16, 16 },
    gate = { barriers = { at_most = (SIDE // 16 + 2) * 8 * (SIDE // 16) * (SIDE // 16) },
      shared_load = { at_most = 1.05 }, global_load_requests = { at_most = SIDE * SIDE * SIDE // 256 + 600 } },
    task = [[
The product with two tiles waits twice in each round: until the tiles are filled, and until all have used them. With a
second pair of tiles the next round can be filled while this one is still in use, and one barrier does. Take care that
no tile is overwritten while somebody may be reading it, and load each element no more often than now.]],
    hints = {
      "What does the second barrier keep apart, and what would make that unnecessary?",
      "Fill pair 0 before the loop. In each round fill the other pair with the next tiles, multiply with this one, and "
        .. "wait once.",
      "As[2][16][16]; int now = b / 16 % 2. Before the barrier of round b everyone reads pair now and writes pair "
        .. "1 - now; after it they change places.",
    },
    debrief = [[
Double buffering. The barrier that is left does both: it ends the reading of one pair and the writing of the other. It
also lets loads of the next tiles be under way during the multiplications, if the compiler or the programmer begins
them early enough: the lab's last step loads into registers first and stores after it has multiplied. More than two
buffers, with asynchronous copies, hide still longer latencies.]],
  },
}

return lab.define {
  number = 7,
  id = "registers",
  title = "Registers against shared memory",
  lecture = { "CSU" },
  intro = [[
Two lecturers of Colorado State University asked what it costs to have both operands of a multiplication in shared
memory, measured it by the smallest program that could tell, and made a product of matrices from the answer: 265, 321,
372 GFLOPS on a Tesla C1060, past the library of the day. They end with a question: every operand in a register? "We
never made it work, but maybe you can (we have bigger GPUs now with more registers)."

We can. The first table is the micro-benchmark, with the case they left out. The second has their versions. The third
has every operand in a register, and beside it the library of today, at n = 4096 on a GPU.

The matrices are made of small whole numbers: all sums are exact, and every version has to give the very same result.]],
  params = {
    n = { default = 2048, emulator = 768, small = 128, min = 128, max = 16384, multiple = 128,
      help = "rows and columns of the matrices", because = "the kernels have no code for edges of their blocks" },
    blocks = { default = 1056, emulator = 528, small = 8, min = 1, max = 65535,
      help = "blocks of 128 threads in the micro-benchmark" },
  },
  buffers = {
    factors = { type = "float", count = 2 * VALUES, fill = "iota" },
    sums = { type = "float", count = function(p) return p.blocks * THREADS end },
    A = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.a(p.n) end },
    B = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.b(p.n) end },
    C = { type = "float", count = function(p) return p.n * p.n end },
    small_a = { type = "float", count = SIDE * SIDE, fill = function() return operands.a(SIDE) end },
    small_b = { type = "float", count = SIDE * SIDE, fill = function() return operands.b(SIDE) end },
    small_c = { type = "float", count = SIDE * SIDE },
  },
  groups = {
    { id = "operands", title = "factors", baseline = "sharedshared", share = "of first",
      columns = { "model", "rate", "share", "verified" } },
    { id = "csu", title = "product", baseline = "regshared", share = "of first" },
    { id = "registers", title = "all in registers", baseline = "peer", share = "of library",
      columns = { "rate", "share", "verified" } },
  },
  steps = steps,
  exercises = exercises,
}
