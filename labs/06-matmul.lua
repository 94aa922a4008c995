-- Lab 6: multiplying matrices, from the definition to one operand in shared memory, with the bound of each step.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"
local operands = require "gpulab.operands"

-- A text with the lecture's numbers for {name}, and their ratio for {name/name}.
local function with_numbers(text)
  local function claimed(name) return lecture.find("F22.matmul." .. name).value end
  text = text:gsub("{([%w_.]+)/([%w_.]+)}", function(a, b)
    local ratio = claimed(a) / claimed(b)
    return (ratio < 2 and "%.3g" or "%.2g"):format(ratio)
  end)
  return (text:gsub("{([%w_.]+)}", function(name) return ("%.4g"):format(claimed(name)) end))
end

local function product(p) return operands.product(p.n) end
local function flops(p) return 2 * p.n ^ 3 end

-- Bounds ------------------------------------------------------------------------------------------

-- GFLOPS of FMAs (MADs on cc 1.x) alone.
local function peak(model) return model.sms * model.fp32_lanes * 2 * model.shader_ghz end

-- GFLOPS by memory bandwidth, for a number of operations per number of floats from memory.
local function by_memory(model, operations, floats) return model.dram_gbps / 4 * operations / floats end

-- GFLOPS if an FMA needs separate loads from shared memory. cc 1.x: 4 cycles per load and 6 per MAD with its
-- other factor in shared memory. Since Fermi an FMA has no operand in memory, every word is loaded, and shared memory
-- delivers shared_bytes_per_clock, but no more than one warp's words of 4 bytes.
local function by_shared(model, loads, words)
  if model.tesla_isa then return peak(model) * 4 / (6 + 4 * loads) end
  local delivered = math.min(model.shared_bytes_per_clock // 4, 32)
  return math.min(peak(model), model.sms * model.shader_ghz * 2 * delivered / words)
end

local function memory_bound(operations, floats)
  return function(model) return by_memory(model, operations, floats) end
end

local function shared_bound(loads, words)
  return function(model) return by_shared(model, loads, words) end
end

-- The remark under a row: the lecture's bound and where it comes from, and the loads as counted.
local function remark(bound, because)
  return function(record, p)
    local said = ("GTX 280: at most %.3g GFLOPS, %s"):format(bound(gpu.model "GTX 280"), because)
    local loads = record.report and operands.loads(record.report, p.n) or 0
    return loads > 0 and ("%s; %.3g shared load%s per FMA in PTX"):format(said, loads, loads == 1 and "" or "s") or said
  end
end

-- Steps -------------------------------------------------------------------------------------------

local steps = {}

-- Sectors per request since cc 6.0; older GPUs count segments and lines.
local function sectors(count)
  return { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = count }
end

local function step(of)
  local columns, rows = table.unpack(of.covers)
  steps[#steps + 1] = {
    id = of.id, group = "product", title = of.title, text = with_numbers(of.text), claim = of.claim, claims = of.claims,
    predict = of.predict, detail = of.detail, expect = of.expect,
    kernel = { file = "matmul.cu", name = of.kernel },
    grid = function(p) return { p.n // columns, p.n // rows } end, block = of.block,
    args = { "C", "A", "B", "n" }, output = "C", reference = product, columns = "n", useful_flops = flops,
  }
end

step {
  id = "row", title = "naive, blocks 128×1", kernel = "naive", block = { 128, 1 }, covers = { 128, 1 },
  claim = "F22.matmul.naive_128x1", claims = { "F22.matmul.bound.naive", "F10.matmul.flop_to_word" },
  expect = { global_load = sectors(2.5), global_store = sectors(4) },
  detail = remark(memory_bound(32, 17), "32 operations per 17 floats from memory"),
  text = [[
One thread per element of C walks along a row of A and down a column of B. In blocks of 128 × 1 a warp shares an
element of A and reads consecutive elements of B. For each k, a half-warp does 32 operations and loads 16 floats of B
and one of A. On the GTX 280, memory bandwidth bounds this at 66.7 GFLOPS ({bound.naive} on the slide); its arithmetic
could do {bound.peak}. The next steps load less. In `debug row`, `until 19` and `view` show the loads.

Note on the slides: the one of 2010 says that a warp transfers one float and 16 floats; it is a half-warp. The bound
cannot be reached: the float of A comes in a 32-byte transaction, with seven more that are not used.]],
}
step {
  id = "column", title = "naive, blocks 1×128", kernel = "naive", block = { 1, 128 }, covers = { 1, 128 },
  claim = "F22.matmul.naive_1x128", expect = { global_load = sectors(16.5), global_store = sectors(32) },
  predict = { ask = "A warp is a column of C. One load takes 32 elements of A with a stride of n, the other one "
    .. "element of B. How many sectors do the two loads take on average?", of = "global_load", unit = "sectors" },
  detail = remark(memory_bound(32, 17 * 8), "each float of A used costs a 32-byte transaction, 8 floats"),
  text = [[
In a block of 1 × 128 a warp is in one column of C. It needs one element of B, and 32 of A with a stride of n words,
each in its own sector. The lecture's rate drops by a factor of {naive_128x1/naive_1x128} on a GTX 280. On an H200 9.7
was measured, with n = 2048. L1 keeps the rest of a sector for the next k, but a request accesses 32 lines in sequence.
The note below is about the worse load.]],
}
step {
  id = "tiled", title = "tiles of 16×16", kernel = "tiled<16>", block = { 16, 16 }, covers = { 16, 16 },
  claim = "F22.matmul.tiled",
  claims = { "F22.matmul.bound.tiled", "F22.matmul.bound.load_per_mad", "F10.matmul.blockwise" },
  expect = { shared_load = 1, shared_store = 1 },
  predict = { ask = "A warp is now 16 × 2 threads. How many sectors does a load from global memory take?",
    of = "global_load", unit = "sectors" },
  detail = remark(shared_bound(1, 2), "one load per MAD (4 + 6 cycles)"),
  text = [[
Each block of 16 × 16 threads loads tiles of A and B and uses every element 16 times: {bound.tiled/bound.naive} times
less traffic per operation than `row`. It needs two barriers per tile: before elements are used, and before they are
overwritten. Each half-warp reads one word As[ty][k]; Bs[k][tx] is conflict-free. Shared loads limit it (see `bounds`):
on cc 1.x by issue slots, on later GPUs by wavefronts.

             [ Bs ]   each iteration moves 16 rows down
    [ As ]   [ C  ]   each iteration moves 16 columns right

Note on the slides: 16 × 16 threads are a multiple of the warp, and the two tiles take 2 KB. The slide of 2010 prints
16 · 25.5; it is 16 · 35.5, and the result of {bound.tiled} is right. On its last slide the bound of 568 GFLOPS
is for this kernel, not for the first one (`row`). A load of 4 cycles and a MAD of 6 bound the GTX 280 at 249 GFLOPS;
the slide says {bound.load_per_mad}. The slide calls As[ty][k] a broadcast. A whole warp reads two words, in two
banks: also one wavefront.]],
}
step {
  id = "two", title = "two elements per thread", kernel = "two_per_thread", block = { 32, 16 }, covers = { 32, 32 },
  claim = "F22.matmul.two_per_thread", claims = { "F22.matmul.bound.load_per_two_mads", "F22.matmul.offsets",
    "F22.matmul.pitfalls", "F22.matmul.disassemblers" },
  expect = { shared_load = 1, shared_store = 1, global_load = sectors(4), global_store = sectors(4) },
  detail = remark(shared_bound(0.5, 1.5), "one load per two MADs (4 + 2 · 6 cycles)"),
  text = [[
What shared memory did for global memory, registers do for shared memory. A block of 32 × 16 threads computes a tile
of 32 × 32, two elements of a column per thread, so each element of B in a register is used in two fused multiply-adds
(FMAs). The lecture found these sizes by experiment: larger tiles cost synchronization, smaller ones lose locality,
and fewer threads lose parallelism. More work per thread also saves overhead. It reaches {two_per_thread} of
{bound.load_per_two_mads} GFLOPS; the lecture's disassembly shows why.

Note on the slide: the inner loop has an extra ADD. A thread goes down a column of Bs, in steps of 128 bytes. The
slide's compiler could not put these offsets into the instructions, so it adds to the address register instead: the
extra ADD. `disassemble two` shows our loop: as SASS for your GPU with nvdisasm or cuobjdump installed, else as PTX. It
has no such ADD; our model of cc 1.x adds it, because there an offset is at most 124 bytes if there is an address
register. The lecture disassembles with decuda, and from GT200 on with cuobjdump, which comes with the toolkit.]],
}
step {
  id = "transposed", title = "B transposed, rows of 33", kernel = "transposed_b", block = { 32, 16 },
  covers = { 32, 32 },
  claim = "F22.matmul.transposed_b",
  expect = { shared_load = 1, shared_store = 1, global_load = sectors(4), global_store = sectors(4) },
  detail = remark(shared_bound(0.5, 1.5), "as before, without the ADD"),
  text = [[
On the GTX 280 this step removes the ADD. On GPUs since Fermi expect no change: their loads have offsets of 24 bits.
The tile of B is transposed as it is stored, so a thread reads along a row of Bs, in steps of 4 bytes. But with rows
of 32 words, a warp would store, and in every iteration load, words with a stride of 32: all in one bank. Padding each
row to 33 words avoids both conflicts. The lecture reaches {transposed_b} of {bound.load_per_two_mads} GFLOPS.]],
}
step {
  id = "one", title = "one shared operand", kernel = "one_operand", block = { 64, 1 }, covers = { 64, 16 },
  claim = "F22.matmul.one_operand", claims = { "F22.matmul.bound.shared_operand" },
  expect = { shared_load = 1, shared_store = 1 },
  detail = remark(shared_bound(0, 1), "MADs with a shared operand (6 cycles)"),
  text = [[
Only A's tile stays in shared memory. Each of 64 threads holds a column of 16 elements of C in registers (register
tiling, lab 7). For each k it multiplies an element of B in a register by a column of A's tile, a broadcast. On cc 1.x
every MAD has one shared operand and no load: {one_operand} of {bound.shared_operand} GFLOPS in the lecture. With the
emulator's n = 512, the few warps hide too little latency on an H200: the prediction is below that of `row`
(`why one`).]],
}

-- GFLOPS with three digits.
local function gflops(x) return (x < 1000 and "%.1f" or "%.0f"):format(x) end

steps[#steps + 1] = {
  id = "bounds", title = "best possible GFLOPS", claims = { "F22.matmul.bound.peak", "F10.matmul.bandwidth",
  "F22.matmul.gains" },
  figure = function(_, device)
    local old, here = gpu.model "GTX 280", device and device.model and gpu.model(device.model)
    if here and here.name == old.name then here = nil end
    local rows = {}
    local function row(what, claim, bound)
      rows[#rows + 1] = { what, claim and gflops(lecture.find("F22.matmul.bound." .. claim).value) or "",
        gflops(bound(old)), here and gflops(bound(here)) or nil }
    end
    row("FMAs alone (MADs on cc 1.x)", "peak", peak)
    row("memory, 1 operation per float", nil, memory_bound(1, 1))
    row("memory, 32 operations per 17 floats (row)", "naive", memory_bound(32, 17))
    row("memory, 32 operations per 136 floats (column)", nil, memory_bound(32, 17 * 8))
    row("memory, tiles of 16 × 16 (tiled)", "tiled", memory_bound(16, 1))
    row("one shared operand (one)", "shared_operand", shared_bound(0, 1))
    row("two shared, 1 load per MAD (tiled)", "load_per_mad", shared_bound(1, 2))
    row("two shared, 1 load per 2 MADs (two, transposed)", "load_per_two_mads", shared_bound(0.5, 1.5))
    return { columns = { "limit", "slide", "GTX 280", here and here.name or nil }, rows = rows,
      note = "Memory: the datasheet's bandwidth, without caches, which save repeated loads. Shared memory since Fermi: "
        .. "one load per word; compilers may load adjacent words with one instruction." }
  end,
  text = with_numbers [[
The bounds come from datasheets and measured cycles of a MAD with a shared operand. Since Fermi a shared operand
is a load, which takes an SM as long as two warps' FMAs (Kepler: six; Turing and SMs with 128 FP32 lanes: four).
Caches and fused loads let current GPUs exceed these bounds.

To remember: the lecture's steps gain {naive_128x1/naive_1x128}, {tiled/naive_128x1}, {two_per_thread/tiled},
{transposed_b/two_per_thread}, {one_operand/transposed_b}, in all {one_operand/naive_1x128}. Locality matters most.
Where L1 reuses A and B, tiles gain less: 1.7 on an H200 (measured, n = 2048).]],
}

-- Exercises ---------------------------------------------------------------------------------------

local SIZES <const> = { 128, 96, 160 } -- rows and columns in the exercises

local function side(p) return p.size end
local function square(p) return p.size * p.size end
local function small_product(p) return operands.product(p.size, p.seed) end

-- Blocks of C with so many columns and rows each, as many as cover it.
local function blocks_of(columns, rows)
  return function(p) return { (p.size + columns - 1) // columns, (p.size + rows - 1) // rows } end
end

local exercises = {
  {
    id = "coalesced", title = "Which index runs along the warp?", claims = { "F10.matmul.flop_to_word" },
    task = [[
The product by definition, in blocks of 32 × 8 threads, but every warp touches 32 sectors for one operand and for C.
Find out which threads form a warp and what they should share. Change the kernel accordingly.]],
    starter = "exercises/06-coalesced/coalesced.cu", solution = "solutions/06-coalesced/coalesced.cu",
    kernel = "coalesced", grid = blocks_of(32, 8), block = { 32, 8 }, args = { "small_c", "small_a", "small_b", side },
    output = "small_c", reference = small_product, columns = side, sizes = SIZES,
    accept = { wavefronts = false }, -- tiles are more than the task asks for, and no fault
    hints = {
      "Threads of a warp differ in threadIdx.x first. Are they in a row or in a column of C here?",
      "Neighboring threads should write consecutive words of C, and the words of a row are consecutive.",
      "Use threadIdx.x for the column and threadIdx.y for the row; the grid fits in both cases.",
    },
    debrief = with_numbers [[
Two lines change: `row` and `column` exchange their indices. The arithmetic and the number of loads stay the same; only
the addresses that a warp accesses together are different. On the GTX 280 this was a factor of
{naive_128x1/naive_1x128}. In Fortran, which stores columns contiguously, the same mistake happens the other way
around.]],
  },
  {
    id = "any-size", title = "A product of any size",
    task = [[
Tiles of 16 × 16, and matrices of 100 × 100. The grid is rounded up, so the last tiles extend past the edges, and the
kernel reads and writes elements that do not exist. Make it correct for any n, and keep the tiles. The check also tries
matrices with infinite elements, which times zero are NaN: no sum may contain elements of other rows.]],
    starter = "exercises/06-any-size/any_size.cu", solution = "solutions/06-any-size/any_size.cu", kernel = "any_size",
    grid = blocks_of(16, 16), block = { 16, 16 }, args = { "small_c", "edged_a", "edged_b", side },
    output = "small_c", reference = function(p) return operands.product(p.size, p.seed, "infinite") end,
    columns = side, sizes = { 100, 95, 33, 7 },
    accept = { staged = 0.7 },
    hints = {
      "Two things can be out of bounds: what a thread loads, and what it stores. The last tile along k may be partial.",
      "Which value in a tile, past the edge of the matrix, lets the inner loop work without a test?",
      "Zero: As[ty][tx] = y < n && b + tx < n ? A[...] : 0, the same for B, and store only if x < n && y < n. No "
        .. "thread may return early: other threads need its elements of the tiles.",
    },
    debrief = [[
Zeros contribute nothing to a sum of products, so the inner loop needs no test. The tests are at the loads: two tests
for two loads, per 16 FMAs. Returning early would be wrong, because the thread's elements of both tiles would be
missing. Libraries do the same, or have separate kernels for the edges. Padding the matrices once, as in lab 4,
leaves the problem to the code that allocates them.]],
  },
  {
    id = "b-transposed", title = "B stored by columns",
    task = [[
C = A · B, where B is stored by columns, as in a Fortran program. The kernel loads its tile of B uncoalesced, with a
stride of n. Load it coalesced and transpose it on its way through its tile, without bank conflicts and with one
store to shared memory per element.]],
    starter = "exercises/06-b-transposed/b_transposed.cu", solution = "solutions/06-b-transposed/b_transposed.cu",
    kernel = "b_transposed", grid = blocks_of(32, 32), block = { 32, 32 },
    args = { "small_c", "small_a", "small_bt", side },
    output = "small_c", reference = small_product, columns = side, sizes = SIZES, claims = { "F22.matmul.offsets" },
    accept = { bank_conflicts = 1, warp_instructions = 5, shared_store_requests = 1.1 },
    hints = {
      "First let neighboring threads load consecutive words of memory, whatever these are. Then decide where to store "
        .. "them.",
      "Thread (tx, ty) loads the element in row b + tx and column 32 · blockIdx.x + ty of B, at index "
        .. "(32 · blockIdx.x + ty) * n + b + tx. Store it as Bs[ty][tx].",
      "The inner loop then reads Bs[tx][k], a column of the tile: 33 words per row avoid the bank conflict.",
    },
    debrief = [[
In the step `transposed` the transposed tile saves an addition; here it makes the loads coalesced. You can transpose the
tile when you write it or when you read it; with 33 words per row both are free of conflicts. Libraries offer four
forms of the product for this, each operand as it is or transposed, at almost the same speed.]],
  },
  {
    id = "four-rows", title = "One load, four FMAs",
    task = [[
Each thread computes four elements of a column of C, one after the other, and loads every element of B's tile from
shared memory four times. Keep the four of a column, but load the element of B once: the solution loads 5 words from
shared memory for 4 FMAs, the starter 8. The check compares the load requests to shared memory, and the words that
threads load from global and shared memory, with the solution's: at most 1.1 times as many.]],
    starter = "exercises/06-four-rows/four_rows.cu", solution = "solutions/06-four-rows/four_rows.cu",
    kernel = "four_rows", claims = { "F22.matmul.bound.load_per_two_mads" },
    grid = blocks_of(32, 32), block = { 32, 8 }, args = { "small_c", "small_a", "small_b", side },
    output = "small_c", reference = small_product, columns = side, sizes = SIZES,
    accept = { shared_load_requests = 1.1, loaded_words = 1.1, stores_per_thread = { at_least = 4,
      advice = "Let each thread compute four elements of a column." } },
    hints = {
      "Which of the two factors is the same for all four elements of a thread?",
      "Exchange the loops: for each k, all four elements. Then an element of B is loaded once per k.",
      "float b_element = Bs[k][tx]; and four FMAs to sum[0] to sum[3], one for each of the rows ty, ty + 8, ty + 16, "
        .. "and ty + 24.",
    },
    debrief = [[
An element of B in a register reduces eight loads per k to five, or 1.25 per FMA, and to fewer if the compiler
vectorizes the loads of A, whose words are adjacent along k. If all loops are unrolled fully, the compiler keeps the
element by itself; exchanged loops do not depend on that. Four rows beat two, and eight beat four, until the registers
run out: one per element of C. A thread with several columns and rows reuses both operands: see lab 7.]],
  },
}

return lab.define {
  number = 6,
  id = "matmul",
  title = "Matrix multiplication",
  lecture = { "F22", "F24", "F10" },
  intro = with_numbers [[
A product of two n × n matrices needs 2 n³ operations on 3 n² numbers, so each number can be reused. From the slowest
of six versions to the fastest, the lecture gains a factor of {one_operand/naive_1x128} on a GTX 280. Each step has a
bound, the best rate possible, from the operations per word of its slowest memory. Once a step is close to its bound,
only less traffic to that memory makes it faster; the next step does that.

The slides do not give n. Here it is 2048 on a GPU and 512 on the emulator (`set n=1024` changes it; there each
doubling takes eight times as long), and the matrices hold small integers, so results are exact.]],
  params = {
    n = { default = 2048, emulator = 512, small = 128, min = 128, max = 16384, multiple = 128,
      help = "rows and columns of the matrices", because = "the kernels do not handle partial tiles" },
  },
  buffers = {
    A = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.a(p.n) end },
    B = { type = "float", count = function(p) return p.n * p.n end, fill = function(p) return operands.b(p.n) end },
    C = { type = "float", count = function(p) return p.n * p.n end },
    edged_a = { type = "float", count = square,
      fill = function(p, seed) return operands.a(p.size, seed, "float", "infinite") end },
    edged_b = { type = "float", count = square,
      fill = function(p, seed) return operands.b(p.size, seed, "float", "infinite") end },
    small_a = { type = "float", count = square, fill = function(p, seed) return operands.a(p.size, seed) end },
    small_b = { type = "float", count = square, fill = function(p, seed) return operands.b(p.size, seed) end },
    small_bt = { type = "float", count = square,
      fill = function(p, seed) return operands.b(p.size, seed):transpose(p.size, p.size) end },
    small_c = { type = "float", count = square },
  },
  groups = { { id = "product", title = "product", baseline = "row", share = "of 128×1" } },
  steps = steps,
  plots = {
    { id = "size", title = "GFLOPS over the size of the matrices", y = "rate",
      x = { param = "n", values = { 128, 256, 512, 1024, 2048 }, label = "rows and columns", log = true },
      emulator_values = { 128, 256, 384, 512 }, steps = { "row", "tiled", "two", "one" },
      text = [[
Small products do not fill the GPU: at n = 128 there are 16 blocks of 32 × 32 elements, and most SMs have none. The
more elements a thread computes, the larger n has to be. Which step is the best at n = 256, and where does another
one take over? Markers of nearly equal rates are next to each other.]] },
  },
  exercises = exercises,
}
