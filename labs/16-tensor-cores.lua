-- Lab 16: matrix products on tensor cores, from FP32 registers to WMMA, mma.sync, and wgmma; and what short types cost.
local lab = require "gpulab.lab"
local operands = require "gpulab.operands"

local function product(p) return operands.product(p.n) end
local function flops(p) return 2 * p.n ^ 3 end

local function matrix(p) return p.n * p.n end
local function side(p) return p.size end
local function square(p) return p.size * p.size end

local steps = {}

-- One warp multiplies -----------------------------------------------------------------------------

local function warps(step)
  step.group, step.output, step.reference, step.columns, step.useful_flops = "warps", "C", product, "n", flops
  step.grid, step.block = function(p) return { p.n // 128, p.n // 128 } end, 256
  if type(step.kernel) == "string" then
    step.kernel = { file = "tensor_cores.cu", name = step.kernel }
    step.args, step.needs_cc = { "C", "A16", "B16", "n" }, 80
  end
  steps[#steps + 1] = step
end

warps {
  id = "fp32", title = "FP32 in registers", kernel = { file = "matmul_registers.cu", name = "prefetched" },
  args = { "C", "A", "B", "n" },
  text = [[
Step `prefetched` of lab 7 is the baseline of the first table: FP32 factors, 8 × 8 sums per thread, one FMA per
instruction and thread. An FMA of a warp is 32 multiplications. Each SM of an H200 has 128 FP32 lanes, so it does four
of these per cycle. The matrices hold small integers that BF16 also holds exactly, and all sums are exact in FP32. So
every step must give the same result.]],
}
warps {
  id = "wmma", title = "WMMA, global memory", kernel = "wmma",
  predict = { ask = "How many % of the first row's rate does the step reach?", of = "share", unit = "%",
    within = 40 },
  text = [[
WMMA is the portable interface to tensor cores. A warp loads fragments, 16 × 16 numbers spread over its lanes in a
layout that only the compiler knows, and mma_sync multiplies them. Factors are BF16, sums FP32. That is 4096
multiplications per mma_sync instead of 32 per FMA. Here every warp loads its fragments from global memory: four warps
of a block load the same rows of A, and two the same columns of B. Look at the limiter (`why wmma`): it is the L1 cache,
not the tensor cores.]],
}
warps {
  id = "wmma-shared", title = "WMMA, shared memory", kernel = "wmma_shared",
  text = [[
As in lab 6, the block copies tiles of A and B to shared memory, which all eight warps read. Two barriers per iteration
separate copying from multiplying. Rows of A's tile are 64 bytes and rows of B's tile 256 bytes long, so the rows of a
fragment start in few banks, and their loads conflict. WMMA hides which lane loads what. The next steps use PTX, whose
layout is documented. On an H200 this step is faster than the one before; the model predicts the opposite.]],
}
warps {
  id = "fragments", title = "mma.sync, plain loads", kernel = "mma<false, false>",
  text = [[
mma.sync.m16n8k16 multiplies 16 × 16 numbers of A by 16 × 8 of B. PTX defines which lane holds which elements: lane l
has pairs of neighbors in rows l / 4 and l / 4 + 8 of A. A pair is one 32-bit load. In B a pair is two rows of a column,
so it takes two 16-bit loads. `counters fragments` counts the shared-memory loads; `why` shows their bank conflicts. On
an H200 this step is faster than the one before; the model predicts the opposite.

In `debug fragments`, `until 128` and `view` show the banks of one of the loads of B.]],
}
warps {
  id = "ldmatrix", title = "ldmatrix", kernel = "mma<true, false>", expect = { shared_load = 21.3333333333333333 },
  predict = { ask = "ldmatrix.x4 loads four 8 × 8 matrices, 512 bytes. How many wavefronts would be enough?",
    of = function() return 4 end, unit = "wavefronts" },
  text = [[
ldmatrix loads up to four 8 × 8 matrices of 16-bit numbers as mma.sync needs them; .trans transposes each, for B. Each
lane names one row of 16 bytes. A matrix takes one wavefront if its eight rows are in different banks. Rows of B start
256 bytes apart, in the same four banks: eight wavefronts. Rows of A start 64 bytes apart: four. In sum that is as many
as plain loads take. The model predicts a gain, but on an H200 the step is slower than plain loads.]],
}
warps {
  id = "swizzled", title = "ldmatrix, swizzled", kernel = "mma<true, true>", expect = { shared_load = 4 },
  text = [[
The same loads from tiles whose 16-byte pieces are permuted within each row: piece p of row r of B is stored at p XOR (r
% 8). The same piece of eight consecutive rows is in eight different positions, and each matrix takes one wavefront. A
has only four pieces per row, and two rows fill all banks, so it uses p XOR (r / 2 % 4). A swizzle needs no padding, so
tiles stay dense. The Tensor Memory Accelerator (step `wgmma`) uses the same kind of permutation.]],
}
warps {
  id = "multistage", title = "four stages of cp.async", kernel = "multistage", shared = 4 * 16384,
  text = [[
Up to here the block either copies or multiplies. cp.async copies 16 bytes from global to shared memory without
registers, and the thread goes on. Four stages form a ring: while one is multiplied, the copies of three are in
flight. `cp.async.wait_group 2` waits until the oldest has arrived, and a barrier makes it visible to all threads.
That is one barrier per iteration. This structure is the usual one on compute capability 8.x.]],
}

-- A warpgroup multiplies --------------------------------------------------------------------------

local STAGE <const> = 49152 -- bytes: 128 × 64 numbers of A, 64 × 256 of B

local function map(buffer, box)
  return { tensor_map = buffer, dims = { "n", "n" }, box = box, swizzle = "128B" }
end

local function hopper(step)
  step.group, step.output, step.reference, step.columns, step.useful_flops = "hopper", "C", product, "n", flops
  if step.kernel then
    step.kernel, step.needs_cc = { file = "tensor_hopper.cu", name = step.kernel }, { 90, 90 }
    step.grid = step.grid or function(p) return { p.n // 256, p.n // 128 } end
    step.args = { "C", map("A16", { 64, 128 }), map("B16", { 64, 64 }), "n" }
  end
  steps[#steps + 1] = step
end

hopper {
  id = "wgmma", title = "wgmma and TMA", kernel = "one_stage", block = 256, shared = STAGE,
  text = [[
On Hopper four warps, a warpgroup, multiply together: here wgmma reads A and B from shared memory and keeps 64 × 256
sums in registers, 128 per thread. The Tensor Memory Accelerator (TMA) copies: one thread names a tensor map (the host's
description of the matrix) and coordinates, and the TMA writes a swizzled tile and counts its bytes at an mbarrier, at
which all threads wait. `counters wgmma` shows no shared-memory loads. Copying and multiplying still alternate, so on an
H200 the step is slower than `multistage`.]],
}
hopper {
  id = "stages", title = "four stages", kernel = "four_stages", block = 256, shared = 4 * STAGE,
  predict = { ask = "What rate does the step reach, in GFLOPS?", of = "rate", unit = "GFLOPS", within = 30 },
  text = [[
Four stages of 48 KB fill most of the 227 KB that a block can have. wgmma is asynchronous, too: the block issues the
products of stage i, then waits only for those of stage i - 1, whose stage it may now refill. So the tensor cores still
multiply while the block waits for the next copy. One barrier per iteration remains, and thread 0 both multiplies and
starts copies.]],
}
hopper {
  id = "persistent", title = "roles, persistent", kernel = "persistent", block = 384, shared = 4 * STAGE,
  grid = function(p) return math.min(p.blocks, (p.n // 128) * (p.n // 256)) end,
  with = function(_, device) return { blocks = device and device.sms or nil } end,
  text = [[
Warps get roles: a third warpgroup only starts copies, and two only multiply. `full` and `empty` mbarriers per stage
replace the barrier. setmaxnreg moves registers from the producer to the consumers. There is one block per SM, and each
computes many tiles if n is large (at n = 512 there are only 8: `plot size`). Copies for the next tile are in flight
while the current one is stored. Tiles are ordered in bands, so that blocks that run together share rows and columns in
the L2 cache.]],
}
hopper {
  id = "library", title = "the library", library = { name = "gemmex", args = { "C", "A16", "B16", "n" } },
  text = [[
cuBLAS multiplies the same matrices: BF16 factors, FP32 sums and results. It is the baseline of this table. The clock
matters here: when tensor cores reach the power limit, the GPU lowers its clock. Small integers need less power than
random numbers, so rates on random data can be lower. This step needs a GPU and the library.]],
}

-- What the types cost -----------------------------------------------------------------------------

local function tiles(p) return { p.n // 64, p.n // 64 } end

-- The n of these steps on a GPU and on the emulator: the host needs seconds for a reference in double precision.
local ON_GPU <const>, EMULATED <const> = 2048, 256

local function typed(step)
  step.group, step.output, step.columns, step.useful_flops = step.group or "types", "C", "n", flops
  step.with = function(p, device)
    return { n = math.min(p.n, device and device.measures and ON_GPU or EMULATED) }
  end
  step.kernel = { file = step.file or "tensor_types.cu", name = step.kernel }
  step.grid, step.block, step.file = tiles, 128, nil
  step.args = step.args or { "C", "real_a", "real_b", "n" }
  step.reference = step.reference or function(p) return operands.product(p.n, 0, "real") end
  steps[#steps + 1] = step
end

typed {
  id = "float", title = "FP32", kernel = "product_fp32",
  tolerance = { absolute = 1e-3 }, -- sums of up to 8192 products that are below 1
  text = [[
What do short types cost in accuracy? The factors are now random numbers from -1 to 1 with the 24 significant bits of
a float, and the reference is computed in double precision. The error is measured for each type: the norm of the
difference from the reference, divided by the norm of the reference. FP32 itself rounds every sum. Its error is the
baseline, and it grows with n.]],
}
typed {
  id = "tf32", title = "TF32", kernel = "product<Tf32>", needs_cc = 80, tolerance = { absolute = 0.2 },
  text = [[
TF32 is a float with 11 significant bits instead of 24 and the same exponents; it still takes 32 bits. Each factor is
rounded once, with a relative error of at most 2⁻¹¹. Products are exact, and sums are FP32. The products have random
signs, and so have their errors: the sum of the errors grows with n as the sum of the products does. So the relative
error does not depend on n.]],
}
typed {
  id = "bf16", title = "BF16", kernel = "product<Bf16>", needs_cc = 80, tolerance = { absolute = 1.5 },
  text = [[
BF16 is the upper half of a float: all its exponents, but only 8 significant bits. That is 3 bits less than TF32, so
the error should be about 8 times as large. It is the common type for training neural networks, because it has the
range of a float.]],
}
typed {
  id = "fp16", title = "FP16", kernel = "product<Fp16>", needs_cc = 80, tolerance = { absolute = 0.2 },
  text = [[
FP16 has 11 significant bits, as many as TF32, in half the space. Compare the errors: they are alike. The price is the
exponent: the largest number is 65504, and below 2⁻¹⁴ numbers lose bits. These inputs are from -1 to 1, and few are
that small, so the range does not matter here. Exercise `fp32-sums` shows what happens if the sums are FP16 as
well.]],
}
typed {
  id = "fp8", title = "FP8 (E4M3)", kernel = "product<E4m3>", needs_cc = 89, tolerance = { absolute = 20 },
  predict = { ask = "E4M3 has 4 significant bits, and BF16 has 8. What relative error do you expect, in %?",
    of = function(record) return record.relative_error and 100 * record.relative_error end, unit = "%", within = 60 },
  text = [[
FP8 in the form E4M3 has 4 significant bits, and 8 bits in all. Whether that is accurate enough depends on the use: in
inference and training, tensors are scaled to the range of the type first. Tensor cores of cc 8.9 and 9.0 have FP8 at
twice the rate of FP16. On Hopper only wgmma reaches it: ptxas turns mma.sync of FP8 into conversions and FP16
products.]],
}
typed {
  id = "int8", title = "INT8", kernel = "product<Int8>", needs_cc = 80, tolerance = { absolute = 4 },
  text = [[
INT8 divides the range from -1 to 1 into 254 equal steps, and sums are exact 32-bit integers. It has the same 8 bits as
FP8, but a smaller error here: these inputs are spread evenly, so an exponent is of no use. Small values lose: 0.002
becomes 0. With data of very different magnitudes FP8 can have the smaller error.]],
}

-- How FP8 is summed -------------------------------------------------------------------------------

local function summed(step)
  step.group, step.args = "sums", { "C", "exact_a", "exact_b", "n" }
  step.reference = function(p) return operands.product(p.n, 0, "e4m3") end
  typed(step)
end

summed {
  id = "warp-sums", title = "mma.sync", kernel = "product<E4m3>", needs_cc = 89, tolerance = { absolute = 4 },
  text = [[
The last table is about sums. Its factors are numbers that FP8 holds exactly, so no factor is rounded, and every exact
sum fits in FP32. What remains is the error of adding. mma.sync on Hopper converts FP8 factors to FP16, and adds exact
products in FP32: the error is zero or nearly so.]],
}
summed {
  id = "warpgroup-sums", title = "wgmma", kernel = "product", file = "tensor_fp8.cu", needs_cc = { 90, 90 },
  tolerance = { absolute = 4 }, claims = { "DS24.fp8.accumulation" },
  predict = { ask = "wgmma writes FP32 sums of FP8 products. What relative error do you expect, in 10⁻⁴?",
    of = function(record) return record.relative_error and 1e4 * record.relative_error end, unit = "× 10⁻⁴",
    within = 60 },
  text = [[
wgmma multiplies FP8 directly. Its sums are in FP32 registers, but on Hopper the tensor cores keep only about 14 bits
while they add (DeepSeek-V3 report), and cut off the rest. The error is systematic: truncation always goes toward zero,
so it grows with n. It is smaller than the error of rounding random factors to FP8, but long
sums of positive numbers suffer.]],
}
summed {
  id = "promoted", title = "wgmma, promoted", kernel = "promoted", file = "tensor_fp8.cu", needs_cc = { 90, 90 },
  tolerance = { absolute = 4 }, claims = { "DS24.fp8.promotion" },
  text = [[
The remedy of the same report: the tensor cores sum only 128 products, then ordinary FP32 additions add this partial
sum to a second set of registers. The truncated sums stay short, so the error no longer grows with n. It costs
registers and FP32 additions; production kernels overlap these with the products of another warpgroup. Compare the
three errors.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local function exercise(e)
  e.output, e.columns = "small_c", side
  e.args = e.args or { "small_c", "small_a", "small_b", side }
  local folder = e.id:gsub("_", "-")
  e.starter = ("exercises/16-%s/%s.cu"):format(folder, e.kernel)
  e.solution = ("solutions/16-%s/%s.cu"):format(folder, e.kernel)
  return e
end

local TENSOR_CORES_ALONE <const> = { at_most = 0, advice = "Let the tensor cores multiply and add." }

-- Blocks of C with so many rows and columns, the last ones perhaps beyond it.
local function blocks_of(rows)
  return function(p)
    local across = (p.size + rows - 1) // rows
    return { across, across }
  end
end

local function small_product(p) return operands.product(p.size, p.seed) end

local exercises = {
  exercise {
    id = "fragment", title = "The layout of a fragment", kernel = "fragment", grid = blocks_of(16), block = 32,
    reference = small_product, sizes = { 64, 112, 16 },
    accept = { float_operations = TENSOR_CORES_ALONE, wavefronts = false, bank_conflicts = false, load_sectors = 2.1,
      scattered_sectors = false,
      products = { at_least = 128, at_most = 128, advice = "Multiply whole fragments, with two mma.sync per step." } },
    task = [[
A warp multiplies 16 × 16 elements of A by 16 × 8 of B with mma.sync.m16n8k16. The fragment of A is four registers per
lane, and each holds a pair of neighbors. In the starter only register 0 is right: two are copies, and one holds
another's pair. Find out which rows and columns belong to each register, and load them. Keep the two mma.sync per
step of k, and multiply nothing else.]],
    hints = {
      "A has 16 rows, and a lane's group is one of 8. Which rows does the starter never read?",
      "The 16 × 16 elements are four 8 × 8 matrices, one per register. The PTX ISA shows them as a0 to a7.",
      "Registers 0 and 1 are the upper and the lower left matrix, registers 2 and 3 the upper and the lower right one.",
    },
    debrief = [[
The order is by columns: register 1 is below register 0, and register 2 is to the right of register 0. With the other
order the kernel multiplies wrong elements and reports nothing: no checker can find it, only a comparison of the
result. ldmatrix loads the four matrices in the order in which the lanes name their rows, so the same question returns
there as the order of addresses.]],
  },
  exercise {
    id = "conflict-free", title = "ldmatrix without conflicts", kernel = "conflict_free", grid = blocks_of(64),
    block = 128, args = { "small_c", "small_a", "small_bt", side }, reference = small_product, sizes = { 128, 192, 64 },
    accept = { bank_conflicts = false, wavefronts = false, shared_load_wavefronts = 1.05, shared_load_requests = 1.05,
      shared_store_wavefronts = 4.05, float_operations = TENSOR_CORES_ALONE },
    task = [[
ldmatrix reads 8 × 8 matrices whose rows are 16 bytes long. In this tile they are 64 bytes apart, so rows 0, 2, 4, and
6 start in the same bank, and each matrix takes four wavefronts. Choose another layout in which each matrix takes one
wavefront. The stores of the tile may take up to four times the wavefronts of now. Keep the loads by ldmatrix and the
products on the tensor cores.]],
    hints = {
      "32 banks are 128 bytes, eight pieces of 16 bytes. In which of these eight places is piece p of row r?",
      "Padding changes the distance of rows; a swizzle changes the order of the pieces in a row. Both can give eight "
        .. "rows eight places.",
      "Without padding, piece p of row r is in place (r % 2) * 4 + p. Replace p by p ^ (r / 2 % 4). With padding, rows "
        .. "of 40 numbers work.",
    },
    debrief = [[
With padding to 80 bytes, each row moves by five places, and 5 has no factor in common with 8: eight rows, eight places.
But then two rows that a store writes together share a place. The swizzle needs no padding, so tiles stay dense and
aligned to 128 bytes, which the TMA and wgmma require. Their swizzle modes of 32, 64, and 128 bytes do the same
exclusive or. One function for the position, used by loads and stores, keeps both in agreement.]],
  },
  exercise {
    id = "fp32-sums", title = "Sums in FP32", kernel = "fp32_sums", grid = blocks_of(32), block = 128,
    args = { "small_c", "half_a", "half_b", side }, tolerance = { absolute = 1e-3 }, sizes = { 256, 96, 32 },
    reference = function(p) return operands.product(p.size, p.seed, "e4m3") end,
    -- Fragments may be loaded by hand.
    accept = { float_operations = TENSOR_CORES_ALONE, warp_instructions = false, load_sectors = false,
      scattered_sectors = false },
    task = [[
FP16 holds the factors of this product exactly, and the product of any two of them. But the sums are FP16, too, and each
step rounds them to 11 bits. Let the tensor cores sum in FP32, without other additions. The absolute error of each
element must stay below 0.001.]],
    hints = {
      "Which type decides how a sum is rounded: that of the factors, or that of the accumulator?",
      "The last parameter of fragment<accumulator, ...> is the type of the sums.",
      "With sums of float, store_matrix_sync can write to C directly: fragment<accumulator, 16, 16, 16, float>.",
    },
    debrief = [[
FP16 sums have 11 bits: from 64 to 128 neighboring numbers are 1/16 apart, and each step rounds to one of them. FP32
sums cost twice the registers and, on H100 and H200, no time: their tensor cores have the same rate for both. On some
GeForce GPUs FP32 sums halve the rate.]],
  },
  exercise {
    id = "any-size", title = "Any size", kernel = "any_size", grid = blocks_of(32), block = 128,
    args = { "small_c", "edged_a", "edged_b", side },
    reference = function(p) return operands.product(p.size, p.seed, "infinite") end, sizes = { 96, 100, 61, 12, 1 },
    accept = { float_operations = TENSOR_CORES_ALONE, staged = 0.7, warp_words = 1.5 },
    task = [[
The kernel handles only multiples of 32. The grid already has enough blocks for any n. Tensor cores multiply whole
fragments, so the tiles in shared memory have to be complete: fill both with zeros beyond the matrix, and store only the
elements of C that exist. Zeros in one of the two are not enough: in some inputs the other has infinite elements, and
zero times infinity is NaN. Products stay on the tensor cores, each warp computing its 16 × 16.]],
    hints = {
      "Which elements of a tile are beyond the matrix, in the last row of blocks, and for the last k?",
      "Replace each load by a condition: the element if row and column are below n, else zero. Zeros add nothing.",
      "A is read at row + i and k + j, B at k + i and column + j. The sums are in `c` already: each thread stores only "
        .. "the elements that exist.",
    },
    debrief = [[
A condition per element is the general solution. It adds comparisons, but no loads. Two other solutions are common:
matrices in memory are padded to a multiple of the tile, or the TMA fills in zeros, which it does for each element
beyond the tensor. But its rows have to be a multiple of 16 bytes apart, which those of 61 or 100 numbers of BF16 are
not.]],
  },
}

return lab.define {
  number = 16,
  id = "tensor-cores",
  title = "Tensor cores",
  intro = [[
A tensor core multiplies small matrices in one instruction. This lab brings the matrix product of lab 7 to them, one
change at a time.

The first table uses the instructions of a warp: WMMA, then mma.sync with ldmatrix, a swizzled layout, and asynchronous
copies (compute capability 8.0). The second uses wgmma and the Tensor Memory Accelerator of compute capability 9.0, next
to cuBLAS. Lab 17 explains the copies. Steps that your GPU cannot run are marked; the emulator runs all of them but
cuBLAS.

The shorter the factors, the faster tensor cores are. The last two tables measure what that costs in accuracy.]],
  params = {
    n = { default = 4096, emulator = 512, small = 256, min = 256, max = 16384, multiple = 256,
      help = "rows and columns of the matrices", because = "the kernels handle only whole tiles of C" },
    blocks = { default = 132, min = 1, max = 1024, help = "blocks of the persistent kernel: as many as SMs" },
  },
  buffers = {
    A = { type = "float", count = matrix, fill = function(p) return operands.a(p.n) end },
    B = { type = "float", count = matrix, fill = function(p) return operands.b(p.n) end },
    C = { type = "float", count = matrix },
    A16 = { type = "bfloat16", count = matrix,
      fill = function(p) return operands.a(p.n, 0, "bfloat16") end },
    B16 = { type = "bfloat16", count = matrix,
      fill = function(p) return operands.b(p.n, 0, "bfloat16") end },
    real_a = { type = "float", count = matrix,
      fill = function(p) return operands.a(p.n, 0, "float", "real") end },
    real_b = { type = "float", count = matrix,
      fill = function(p) return operands.b(p.n, 0, "float", "real") end },
    exact_a = { type = "float", count = matrix,
      fill = function(p) return operands.a(p.n, 0, "float", "e4m3") end },
    exact_b = { type = "float", count = matrix,
      fill = function(p) return operands.b(p.n, 0, "float", "e4m3") end },
    edged_a = { type = "bfloat16", count = square,
      fill = function(p, seed) return operands.a(p.size, seed, "bfloat16", "infinite") end },
    edged_b = { type = "bfloat16", count = square,
      fill = function(p, seed) return operands.b(p.size, seed, "bfloat16", "infinite") end },
    small_a = { type = "bfloat16", count = square,
      fill = function(p, seed) return operands.a(p.size, seed, "bfloat16") end },
    small_b = { type = "bfloat16", count = square,
      fill = function(p, seed) return operands.b(p.size, seed, "bfloat16") end },
    small_bt = { type = "bfloat16", count = square, fill = function(p, seed)
      return operands.b(p.size, seed, "bfloat16"):transpose(p.size, p.size)
    end },
    half_a = { type = "half", count = square,
      fill = function(p, seed) return operands.a(p.size, seed, "half", "e4m3") end },
    half_b = { type = "half", count = square,
      fill = function(p, seed) return operands.b(p.size, seed, "half", "e4m3") end },
    small_c = { type = "float", count = square },
  },
  groups = {
    { id = "warps", title = "WMMA and mma.sync, per warp", baseline = "fp32", share = "of FP32",
      columns = { "model", "rate", "share",
        { header = { "shared-load", "wavefronts" }, of = "shared_load_wavefronts" }, "verified" } },
    { id = "hopper", title = "wgmma, per warpgroup", baseline = "library", share = "of library",
      columns = { "model", "rate", "share", "verified" } },
    { id = "types", title = "factors", columns = { "error", "verified" } },
    { id = "sums", title = "sums of FP8", columns = { "error", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over n", y = "rate", steps = { "multistage", "stages", "persistent" },
      x = { param = "n", values = { 512, 1024, 2048, 4096, 8192, 16384 }, label = "rows and columns", log = true },
      emulator_values = { 256, 512, 768 },
      text = [[
The wgmma steps divide C into n / 128 times n / 256 tiles. An H200 has 132 SMs: at n = 1024 there are only 32 tiles, so
most SMs are idle, and at n = 2048 there are 128. With larger n, SMs that are idle at the end matter less.]] },
    { id = "error", title = "Error over n", steps = { "float", "fp8", "warpgroup-sums", "promoted" },
      y = function(record) return record.relative_error end, y_label = "relative error", y_log = true,
      x = { param = "n", values = { 256, 512, 1024, 2048, 4096 }, label = "rows and columns", log = true },
      emulator_values = { 256, 512 }, claims = { "DS24.fp8.accumulation", "DS24.fp8.promotion" },
      text = [[
Rounding the factors costs the same at every n, because the sum of the errors grows as the sum of the products does. The
error of sums grows with n: slowly where each sum is rounded to nearest (FP32), fast where sums are truncated to 14
bits. Promoted sums keep the error of 128 products.]] },
  },
  exercises = exercises,
}
