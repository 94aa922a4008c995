-- Lab 7: matrix products with one operand in shared memory, and with all operands in registers.
local lab = require "gpulab.lab"
local operands = require "gpulab.operands"

local LARGE <const> = 4096 -- n that keeps a current GPU busy for some milliseconds

local function product(p) return operands.product(p.n) end
local function flops(p) return 2 * p.n ^ 3 end

-- Note under a row: shared-memory loads per multiplication, or per 64 of them, as counted.
local function loads(record, p)
  if not record.report then return nil end
  local count = operands.loads(record.report, p.n)
  if count < 1 then return ("%.4g shared-memory loads per 64 multiplications in PTX"):format(64 * count) end
  return ("%.4g shared-memory load%s per multiplication in PTX"):format(count, count == 1 and "" or "s")
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
Two micro-benchmarks that differ in one aspect show what that aspect costs. Here it is where the two factors of a
multiplication come from. In this first step both are in shared memory, as in the tiled product of lab 6:

    sum += shared_a[j] * shared_b[j]

All threads of a warp read the same word, so there are no bank conflicts, and the loop uses no other memory; `debug
sharedshared`, `until 32` and `view` show the loads. This rate is the baseline of the table.]],
}
micro {
  id = "registershared", title = "register × shared", kernel = "register_shared",
  claims = { "CSU.operands.shared_shared" },
  predict = { ask = "What rate does the step reach with one factor in a register, in % of the first step's?",
    of = "share", unit = "%", within = 15 },
  text = [[
    sum += shared_a[j] * local_b[j]

One factor is now in a register. On the C1060 a MAD takes one operand directly from shared memory, so this loop is
MADs only, while the first step needs a mov before each MAD. Since cc 2.0 arithmetic instructions take no operand from
shared memory: each word costs a load. Loads issue at no more than half the FMA rate (a quarter on SMs with 128 FP32
lanes), so the loads set the pace: two per FMA in the first step, one here.

Note on the slide: it gives a factor of 2 and names no GPU; the lecture's results are from a C1060. Lab 6's cycle
counts (4 for the mov, 6 for the MAD) give 10 / 6 = 1.7, and the model gives 1.6. The slide's 2 may be rounded. It
also says that CUDA allows both operands in shared memory; the C1060's instructions allow one.]],
}
micro {
  id = "registerregister", title = "register × register", kernel = "register_register",
  text = [[
    sum += local_a[j] * local_b[j]

Both factors are in registers. On the C1060 a MAD takes 4 cycles instead of 6. With 128 FP32 lanes per SM the FMA limit
is four times the load limit, but this loop reaches less than half of it: each FMA reads three registers, which a
scheduler's two register banks deliver in two cycles (modeled for cc 8.6 and later, consistent with an H200's rate). The
third table's products reuse operands: with n = 4096 on a GPU they come closer to the limit.

Note on the slide: this case is not on it; its last slide leaves it open.]],
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
The benchmark suggests this matrix product. 64 threads compute 64 columns and 16 rows of C; each thread keeps 16 sums
of one column in registers. A's 16 × 16 tile is in shared memory. Each thread multiplies an element of B, in a
register, by a column of A's tile. It is lab 6's step `one`, but the loop over k is not unrolled, and addresses are
computed where they are used. Lab 6's bounds hold here too: 415 GFLOPS with one operand in shared memory, 622 with
none.]],
}
csu {
  id = "unrolled", title = "unrolled, hoisted", kernel = "unrolled", block = { 64, 1 }, covers = { 64, 16 },
  claim = "CSU.matmul.unrolled", expect = { shared_load = 1, shared_store = 1 },
  text = [[
Three optimizations that compilers of 2010 did not do: the inner loop is unrolled, pointers are incremented instead
of recomputing a * i + b, and loop-invariant values are hoisted. On the C1060, issue limits this loop, and they remove
instructions. Since Fermi each shared operand is a load: after unrolling, As[i][k] to As[i][k+3] are neighbors, so the
assembler fetches four with one 16-byte load. The predicted time includes that; the counters, of PTX, do not. Current
compilers do most of this; `#pragma unroll 1` keeps the first version rolled.]],
}
csu {
  id = "wide", title = "C 32×64, A transposed", kernel = "wide", block = { 16, 4 }, covers = { 64, 32 },
  claim = "CSU.matmul.wide",
  expect = { shared_load = 1, shared_store = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["else"] = 2 } },
  predict = { ask = "A warp of 16 × 2 threads stores one word per thread: two neighboring words in each of 16 rows, "
    .. "which are 33 words apart. How many wavefronts (cycles of shared memory) does a store take?",
    of = "shared_store", unit = "wavefronts" },
  text = [[
C has 32 rows per block, so B is read half as often. A's tile is transposed while it is stored, and its rows are padded
to 33 words. On cc 1.x a request is a half-warp, so the stores are conflict-free: 16 consecutive rows, 16 banks. Since
cc 2.0 it is a whole warp, and its second half stores one word further right (exercise `padding`). With n = 768,
half as many warps as in `unrolled` hide latency, and the rate predicted for an H200 is lower.]],
}
csu {
  id = "library", title = "the library", claim = "CSU.matmul.cublas",
  library = { name = "sgemm", args = { "C", "A", "B", "n" } },
  text = [[
The library that comes with CUDA, in FP32 and without tensor cores. On the C1060 the lecturers' version above was faster
than the CUBLAS of 2010. Current cuBLAS is much harder to beat: on a GPU, compare it with `wide`. The emulator shows no
rate here, because this step needs a GPU and the library.

Note on the slide: it writes CudaBLAS; the library is CUBLAS.]],
}

-- Every operand in a register ---------------------------------------------------------------------

local function registers(step)
  step.group, step.output, step.reference, step.columns, step.useful_flops = "registers", "C", product, "n", flops
  step.with = function(p, device)
    return { n = device and device.measures and math.max(p.n, LARGE) or nil }
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
  predict = { ask = "A thread computes 8 × 8 elements of C and loads 16 bytes at a time. How many shared-memory loads "
    .. "per 64 multiplications?", unit = "loads",
    of = function(record) return record.report and 64 * operands.loads(record.report, record.params.n) end },
  text = [[
Registers are private to a thread, so reuse requires several results per thread: here 8 × 8 elements of C. For each k a
thread loads 8 elements of A and 8 of B, as `float4`, and forms all 64 products (an outer product). Neighboring lanes
share what they read, so a 16-byte load takes two wavefronts, not the four of 32 different `float4`. With n = 768, as on
the emulator, there are 36 blocks, and 96 of an H200's 132 SMs are idle.

Note on the slide: "We never made it work, but maybe you can." A thread needs 64 registers for the sums and 16 for the
factors. The C1060 has 16384 registers per SM, too few for a block of 256 such threads; cc 2.x and 3.0 allow 63
registers per thread. Most SMs since Kepler have 65536.]],
}
registers {
  id = "prefetched", title = "8×8, prefetched", kernel = "prefetched",
  text = [[
The previous version alternates between loading and computing. Here each thread issues the loads of the next tiles
before it computes on the current ones (register prefetching). After computing, it stores the loaded values into a
second pair of tiles that no thread reads at that time (double buffering). One barrier per iteration is enough, and
global memory and arithmetic work at the same time. The kernel uses no asynchronous copies and no hand-written SASS.
Compare its rate with that of `regreg`.]],
}
registers {
  id = "copied", title = "8×8, copied ahead", kernel = "copied", needs_cc = 80,
  text = [[
From compute capability 8.0 on, `cp.async` copies from global to shared memory without a register in between (lab 17).
Three tiles are on their way while the block computes on the fourth. Each product shares an operand with the one
before, which saves a read from the register file. Measured on an H200, in GFLOPS: 51 473, and cuBLAS 51 490, for
n = 4096; 51 931, and cuBLAS 51 334, for n = 8192. `prefetched` has 47 569 for n = 4096.]],
}
registers {
  id = "library-large", title = "the library",
  library = { name = "sgemm", args = { "C", "A", "B", "n" } },
  text = [[
cuBLAS on the same matrices is the baseline of this table. The library contains many such kernels and selects one by
the matrix sizes; it also handles the shapes and types that our kernel does not. With tensor cores and lower precision
it is many times faster, which is a separate topic. This step needs a GPU and the library.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local function side(p) return p.size end
local function square(p) return p.size * p.size end

-- Blocks of C with so many columns and rows each.
local function blocks_of(columns, rows)
  return function(p) return { p.size // columns, p.size // rows } end
end

local function exercise(e)
  e.args, e.output, e.columns = { "small_c", "small_a", "small_b", side }, "small_c", side
  e.reference = function(p) return operands.product(p.size, p.seed) end
  e.sizes = e.sizes or { 128, 192, 64 }
  local folder = e.id:gsub("_", "-")
  e.starter = ("exercises/07-%s/%s.cu"):format(folder, e.kernel)
  e.solution = ("solutions/07-%s/%s.cu"):format(folder, e.kernel)
  return e
end

local exercises = {
  exercise {
    id = "padding", title = "Padding for whole warps", kernel = "padding",
    grid = blocks_of(64, 32), block = { 16, 4 },
    accept = { bank_conflicts = 1, shared_store_requests = 1.1, tile_neighbors = { at_most = 0.5 },
      busiest_words = 1.2 },
    task = [[
The fastest version of the lecture pads A's tile to 33 words per row, so that 16 threads that store to consecutive
rows use 16 different banks. Since cc 2.0 a request is a whole warp, 16 rows by 2 columns here, and the store has a
2-way bank conflict. Make the store take one wavefront. Keep the tile transposed, and let all threads fill it.]],
    hints = {
      "Write down the banks that threads (tx, 0) and (tx, 1) use, for tx = 0, 1, 2. Where do they collide?",
      "With 33 words per row thread (tx, ty) uses bank tx + ty. By what must tx be multiplied to leave room for two "
        .. "neighboring columns?",
      "With 34 words per row thread (tx, ty) uses bank 2 · tx + ty: tx = 0 to 15 and ty = 0 or 1 cover all 32 banks.",
    },
    debrief = [[
Padding by one word suits 32 threads in a column (or 16 on cc 1.x), but not every shape of a warp. The question is
always the same: 32 threads, 32 banks, and the distance between neighboring threads in both directions. 34 words are
right here; a warp of 8 × 4 threads needs 36. The loads in the loop are not affected: all threads of a warp read the
same word, which is a broadcast.]],
  },
  exercise {
    id = "outer-product", title = "Outer product", kernel = "outer_product", claims = { "CSU.matmul.reg_reg" },
    grid = blocks_of(64, 64), block = { 16, 16 },
    accept = { shared_store_wavefronts = 1.5, shared_load_requests = 1.25, loaded_words = 1.25, busiest_words = 1.5,
      scattered_sectors = false }, -- neighboring columns stored one by one
    task = [[
Each thread computes 4 × 4 elements of C, with a stride of 16 rows and columns, one after the other: two shared-memory
loads per multiplication. For a given k its operands are only four elements of A and four of B. Load these eight once
and form all 16 products.]],
    hints = {
      "How often does a thread load As[k][ty] in one iteration, and how often would be enough?",
      "Make k the outermost of the three loops, and keep the operands for that k in two small arrays.",
      "float a[4], b[4]; fill them for each k, then sum[i][j] += a[i] * b[j]. Unroll the loops over i and j fully, or "
        .. "the arrays are not kept in registers.",
    },
    debrief = [[
Eight loads for 16 multiplications instead of 32: the product of a column and a row, an outer product, summed over k.
If all loops are unrolled fully, the compiler keeps the operands by itself. With r × c elements per thread, r + c loads
are enough for r · c multiplications: 8 × 8 needs a quarter of a load each. The price is registers, and fewer resident
warps to hide latency: an H200's SM holds 64 warps, but only 16 of `regreg`.]],
  },
  exercise {
    id = "vectorized", title = "128-bit loads", kernel = "vectorized",
    grid = blocks_of(64, 64), block = { 16, 16 }, accept = { shared_store_wavefronts = 1.5,
      scattered_sectors = false, shared_load_requests = 1.12, loaded_words = 1.25,
      busiest_words = 1.5, output_neighbors = { at_most = 0.5 } },
    task = [[
This starter is the solution of exercise `outer-product`, so do that one first. It issues eight loads of one word per
k, because a thread's rows have a stride of 16, and so have its columns. If they were neighbors, one 16-byte load
would fetch four words. Give each thread rows and columns that are neighbors, so that two loads per k are enough. The
stores of neighboring lanes are then no longer adjacent words.]],
    hints = {
      "The mapping of rows and columns to threads is up to you, as long as each element of C belongs to one thread.",
      "Rows 4 · ty to 4 · ty + 3, and columns 4 · tx to 4 · tx + 3. C has to be stored with the same mapping.",
      "float4 a = *(float4 *)&As[k][4 * ty]; the tiles' rows must be a multiple of four words long, and the tiles "
        .. "declared with __align__(16).",
    },
    debrief = [[
Two loads per k. Every load saved frees an issue slot for an FMA, and shared memory delivers the same number of bytes
per cycle. With float4 the results also go to global memory in 16-byte stores. A 16-byte load takes 4 wavefronts if
all 32 threads read different words, and fewer if neighboring threads share them; the lab's 8×8 step arranges its
lanes for that.]],
  },
  exercise {
    id = "one-barrier", title = "One barrier per iteration", kernel = "one_barrier",
    grid = blocks_of(16, 16), block = { 16, 16 }, sizes = { 128, 112, 48, 16 },
    accept = { barriers = 1.2, serial_loads = 2.5, load_sectors = 1, busiest_words = 2.1 },
    task = [[
The tiled product waits twice per iteration: until the tiles are filled, and until all threads have used them. With a
second pair of tiles, threads can fill the next tiles while the current ones are still in use: one barrier is enough,
and loads from global memory overlap with those from the tiles (condition `serial loads`). Make sure that no thread
overwrites a tile another thread may still read, and load each element as often as now.]],
    hints = {
      "What does the second barrier separate, and what would make it unnecessary?",
      "Fill pair 0 before the loop. In each iteration fill the other pair with the next tiles, compute on the current "
        .. "pair, and wait once.",
      "As[2][16][16]; int now = t / 16 % 2. Before the barrier of iteration t all threads read pair now and write pair "
        .. "1 - now; after it the pairs swap roles.",
    },
    debrief = [[
This is double buffering. The remaining barrier does two jobs: it ends the reading of one pair and the writing of the
other. It also allows the loads of the next tiles to be in flight during the computation, if the compiler or you issue
them early enough. The lab's prefetched step loads into registers first and stores after computing. More than two
buffers, filled by asynchronous copies, hide longer latencies.]],
  },
}

return lab.define {
  number = 7,
  id = "registers",
  title = "Registers versus shared memory",
  lecture = { "CSU" },
  intro = [[
Two lecturers at Colorado State University asked what it costs to have both operands of a multiplication in shared
memory. They looked at it in the smallest program that shows it, and built a matrix product from the answer that beat
the library of 2010. They end with a question: every operand in a register?

The first table is the micro-benchmark, with the case they left out. The second has their three versions. The third
keeps every operand in a register, next to cuBLAS, with n = 4096 on a GPU.

The matrices hold small integers: all sums are exact, and every version must give the same result.]],
  params = {
    n = { default = 2048, emulator = 768, small = 128, min = 128, max = 16384, multiple = 128,
      help = "rows and columns of the matrices", because = "the kernels handle only whole blocks of C" },
    blocks = { default = 1056, emulator = 528, small = 8, min = 1, max = 65535,
      help = "blocks of 128 threads in the micro-benchmark" },
  },
  buffers = {
    factors = { type = "float", count = 2 * VALUES, fill = "iota" },
    sums = { type = "float", count = function(p) return p.blocks * THREADS end },
    A = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.a(p.n) end },
    B = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.b(p.n) end },
    C = { type = "float", count = function(p) return p.n * p.n end },
    small_a = { type = "float", count = square, fill = function(p, seed) return operands.a(p.size, seed) end },
    small_b = { type = "float", count = square, fill = function(p, seed) return operands.b(p.size, seed) end },
    small_c = { type = "float", count = square },
  },
  groups = {
    { id = "operands", title = "multiplication", baseline = "sharedshared", share = "of first",
      columns = { "model", "rate", "share", "verified" } },
    { id = "csu", title = "A in shared memory", baseline = "regshared", share = "of first" },
    { id = "registers", title = "all operands in registers", baseline = "library-large", share = "of library",
      columns = { "rate", "share", "verified" } },
  },
  steps = steps,
  exercises = exercises,
}
