-- Lab 4: transposing a matrix, from one element per thread to whole tiles, and partition camping at some sizes.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local SECTORS <const> = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false }

-- What a request must cost by the rule since cc 6.0, in sectors; older GPUs count segments and lines.
local function sectors(count)
  local rule = { ["else"] = count }
  for generation, value in pairs(SECTORS) do rule[generation] = value end
  return rule
end

-- A text with the lecture's numbers for {name}, and their ratio, without decimals, for {name/name}.
local function with_numbers(text)
  local function claimed(name) return lecture.find("F22.transpose." .. name).value end
  text = text:gsub("{([%w_]+)/([%w_]+)}", function(a, b) return ("%.0f"):format(claimed(a) / claimed(b)) end)
  return (text:gsub("{([%w_]+)}", function(name) return ("%.4g"):format(claimed(name)) end))
end

local function transposed(p, host) return host.idata:transpose(p.n, p.n) end
local function copied(_, host) return host.idata end
local function both_ways(p) return 2 * p.n * p.n * 4 end

-- The next n from here on that is a multiple of `of`, less `less`.
local function size(of, less)
  return function(p) return { n = (p.n + of - 1) // of * of - (less or 0) } end
end

local function titled(what, before)
  return function(p) return ("%s, n = %d"):format(what, p[before or "n"]) end
end

local steps = {}

-- Element by element ------------------------------------------------------------------------------

local function elements(step)
  step.group = "matrix"
  step.kernel = { file = "transpose.cu", name = step.id }
  step.grid, step.block = function(p) return { (p.n + 255) // 256, p.n } end, { 256, 1 }
  step.args, step.output, step.columns = { "odata", "idata", "n" }, "odata", "n"
  step.useful_bytes, step.text = both_ways, with_numbers(step.text)
  steps[#steps + 1] = step
end

elements {
  id = "copy", title = "copy, no transposition", claim = "F22.transpose.copy", reference = copied,
  text = [[
First a copy, as a reference. Each thread copies one element to the same position: a warp reads and writes 32
consecutive words. A transposition moves the same bytes and computes nothing: only its access order can make it slower.
The rate counts each element twice, once read and once written. The column “vs. naive” compares with the next step. On
the GTX 280 this row is the ceiling. On a large GPU it may not be (`why copy`): threads have one load in flight, and
blocks do little work.

Note on the slide: it gives no block shape. In our model rows of 256 threads come close to its number, blocks of 16 ×
16 do not.]],
}
elements {
  id = "naive", title = "naive, strided stores", claim = "F22.transpose.naive", reference = transposed,
  predict = { ask = "How many 32-byte sectors does a warp's store touch when its 32 words have a stride of n words?",
    of = "global_store", unit = "sectors" },
  text = [[
Reads are still coalesced, but each warp now writes down a column: 32 words with a stride of n. Most of each
transaction is empty. Counting bytes alone, the GTX 280 should take 4.5 times as long as the copy. The lecture
measured {copy/naive} times; our model attributes the difference to DRAM, where almost every small write opens a new
page. A large L2 cache can merge the eight words of a sector before they go to memory, so current GPUs lose less than
{copy/naive} times.]],
}
elements {
  id = "strided", title = "strided on both sides", claim = "F22.transpose.both_strided", reference = copied,
  text = [[
The copy again, but along columns on both sides. On the GTX 280 the second strided side halves the rate once more:
{both_strided} against {naive} GB/s. A large L2 cache changes this. Neighboring blocks use the same sectors at about
the same time, so most sectors can be read once and written once. What remains is the number of sectors L2 has to
handle: 32 per request instead of 4. How much slower is it on your GPU, or on the H200 of the table?]],
}

-- By tiles ----------------------------------------------------------------------------------------

local function tile(step)
  step.kernel = { file = "transpose.cu", name = step.kernel }
  step.grid, step.block = function(p) return { p.n // 32, p.n // 32 } end, { 32, 8 }
  step.args, step.output, step.columns = step.args or { "odata", "idata", "n" }, step.output or "odata", "n"
  step.reference = step.reference or transposed
  step.useful_bytes, step.text = both_ways, with_numbers(step.text)
  step.expect = { global_load = sectors(4), global_store = sectors(4), shared_store = 1,
    shared_load = step.conflicts and { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 } or 1 }
  step.conflicts = nil
  steps[#steps + 1] = step
end

tile {
  id = "copy-tile", title = "copy in the tile", group = "matrix", kernel = "copy_tile",
  claim = "F22.transpose.copy_tile", reference = copied,
  text = [[
The remedy: each block of 32 × 8 threads copies a 32 × 32 tile into shared memory row by row, and out again row by
row, as in lab 3. Here the tile is not transposed yet, so this row shows what the path through shared memory costs: a
barrier between the two halves, and some index arithmetic. It may even be faster than the plain copy: each thread has
four loads in flight instead of one, and a quarter of the blocks are launched.]],
}
tile {
  id = "tile", title = "tile 32×32", group = "matrix", kernel = "transpose_tile<32>", conflicts = true,
  claim = "F22.transpose.tile32",
  text = [[
Now the tile is read from shared memory by columns, so global memory is accessed in whole rows on both sides. On the
GTX 280 this is {tile32/naive} times as fast as the naive kernel. It is still slower than the copy in the tile,
although the same bytes take the same path. The reason is the bank conflict of lab 3: all words of a tile column are
in one bank. In `debug tile`, `until 72` and `view` show it.]],
}
tile {
  id = "padded", title = "tile 32×33", group = "matrix", kernel = "transpose_tile<33>",
  claim = "F22.transpose.tile33", claims = { "F22.transpose.speedup" },
  text = [[
One padding word per row of the tile removes the bank conflicts. From the naive kernel to this one the lecture gains a
factor of {speedup}. Every step changed only the access pattern; there is no arithmetic to improve. The column “vs.
naive” shows the factor for your GPU.]],
}

-- Tile sizes ------------------------------------------------------------------------------

local function side(count, text)
  steps[#steps + 1] = {
    id = "side" .. count, group = "sides", title = ("tile %d×%d, blocks %d×8"):format(count, count + 1, count),
    text = text, with = size(96), claims = { "F22.transpose.sides" },
    kernel = { file = "transpose_sides.cu", name = ("transpose_side<%d>"):format(count) },
    grid = function(p) return { p.n // count, p.n // count } end, block = { count, 8 },
    args = { "odata", "idata", "n" }, output = "odata", columns = "n", reference = transposed,
    useful_bytes = both_ways,
  }
end

side(16, [[
How large should a tile be? The lecture tried sides of 16, 32, and 48, the multiples of 16 that fit in 16 KB of shared
memory. It found 32 with blocks of 32 × 8 the fastest. Here n is rounded up to a multiple of 96. A row of 16 floats is
64 bytes: one transaction of a half-warp on the GTX 280. Since Fermi it is half a cache line, and a request covers two
rows of this tile, which causes 2-way bank conflicts.]])
side(32, [[
Rows of 128 bytes: each warp reads one row, a whole cache line. Each thread moves four elements, so it has four loads
in flight before it has to wait. A tile takes about 4 KB, so several blocks fit on an SM.]])
side(48, [[
Rows of 192 bytes are one and a half lines of 128: in every second tile, all rows start mid-line. A row takes one and a
half warps, so some warps span two rows of the tile; since Fermi these have 2-way bank conflicts. A tile of 48 × 49
words takes more than half of the GTX 280's 16 KB, so one block fits per SM. While it waits at its barrier the SM is
idle. `resources side48` shows how many fit on your GPU.]])

-- Partition camping -------------------------------------------------------------------------------

local CAMPING <const> = {
  { 512, 0, "F22.transpose.camping512" },
  { 256, 256, "F22.transpose.camping256" },
  { 128, 128, "F22.transpose.camping128" },
}

local camping_text = {
  [512] = [[
Tile 32×33 at a size that looks harmless. The memory of the GTX 280 has eight partitions, and addresses change
partition every 256 bytes: 64 floats, two tiles. If rows are a multiple of 512 floats long, a column of tiles is
entirely in one partition. Concurrent blocks read a row of tiles, from all partitions, but write a column, all to one.
This is partition camping; `partitions camp512` counts the bytes of each. Since Fermi addresses are hashed over the
partitions, and regular strides no longer hit only one.]],
  [256] = [[
Rows of a multiple of 256, but not of 512, floats. Each row starts four of the eight partitions after the one above
it, so the rows of a tile alternate between two partitions, and a column of tiles uses only those two.

Note on the slide: it does not say which sizes were measured. Here it is a multiple of 512 minus 256.]],
  [128] = [[
Multiples of 128 only: a column of tiles uses four of the eight partitions. The drops are regular, {camping512},
{camping256}, and {camping128} GB/s, and that regularity exposed the cause in the lecture's plot. `plot size` draws
it for your GPU; to see the drops, type `model GTX 280` before.]],
}

for _, row in ipairs(CAMPING) do
  local of, less, claim = table.unpack(row)
  tile {
    id = "camp" .. of, title = titled "tile 32×33", group = "camping", kernel = "transpose_tile<33>",
    with = size(512, less), claim = claim, claims = { "F22.transpose.regions", "F22.transpose.partition" },
    text = camping_text[of],
  }
end

for _, row in ipairs(CAMPING) do
  local of, less = row[1], row[2]
  tile {
    id = "diag" .. of, title = titled "diagonal", group = "camping", kernel = "transpose_diagonal<33>",
    with = size(512, less), claim = "F22.transpose.diagonal",
    text = of == 512 and [[
One remedy changes only the numbering of the blocks. Blocks with consecutive blockIdx.x now take tiles along a
diagonal. These tiles are in different columns and different rows of tiles, so neither the reads nor the writes hit
only one partition. The slide reports {diagonal} GB/s at the sizes that camped.]] or
      ([[
The same at a multiple of %d. Check that the rate of the GTX 280 no longer drops. On a GPU without camping the
diagonal order gains nothing: it costs a modulo, and the caches are used less well. That is the slide's point, too: no
single algorithm may be best for all sizes, and some bottlenecks show only in measurements.]])
        :format(of),
  }
end

tile {
  id = "diagonal", title = titled "diagonal", group = "camping", kernel = "transpose_diagonal<33>",
  claims = { "F22.transpose.diagonal_slower" },
  text = [[
The diagonal order at n as you set it. At the default of 4000 nothing camps, so it does not help, and it costs a modulo
per thread. The slide says that it is slower for matrices whose size is not a multiple of 128. How much slower is it on
your GPU? Compare its rate with that of `padded`, the tile 32×33 of the first table.]],
}

tile {
  id = "conflict512", title = titled "tile 32×32", group = "camping", kernel = "transpose_tile<32>", conflicts = true,
  with = size(512), claims = { "F22.transpose.order_of_effects" },
  predict = { ask = "With bank conflicts at this size: what percentage of the rate without them (`camp512`) is left?",
    of = "share", unit = "%", within = 15 },
  text = [[
The bank conflicts are back, at the size that camps. In the lecture's first table they leave four fifths of the rate:
compare `tile` (32×32) with `padded` (32×33) there. Does the same ratio hold here? On the GTX 280 (modeled) all SMs
queue for one partition, which hides the conflicts completely. Had the lecture started with a matrix of 4096 × 4096,
padding would have gained almost nothing.]],
}
tile {
  id = "diagconflict512", title = titled "diagonal 32×32", group = "camping", kernel = "transpose_diagonal<32>",
  conflicts = true, with = size(512), claims = { "F22.transpose.order_of_effects" },
  text = [[
No camping, but bank conflicts: compare its rate with that of `diag512`, which has neither. On the GTX 280 the conflicts
show now; a GPU without camping shows them in both tile orders. So start with the optimization that matters most. If an
optimization that should help gains nothing, find out what else limits the performance: `why` names the limiter that the
model found.]],
}

-- Rows of n + 64 elements: 256 bytes more, the next partition.
local PADDING <const> = 64

local function pitched_reference(p, host)
  local pitch = p.n + PADDING
  local want = host.wide_in:transpose(pitch, pitch)
  for row = 0, pitch - 1 do
    for column = row < p.n and p.n or 0, pitch - 1 do want[row * pitch + column] = -1 end
  end
  return want
end

tile {
  id = "pitched", title = titled "padded matrix", group = "camping", kernel = "transpose_pitched",
  with = size(512), claims = { "F22.transpose.pad_matrix" },
  args = { "wide_out", "wide_in", function(p) return p.n + PADDING end }, output = "wide_out",
  reference = pitched_reference,
  text = [[
The other remedy is padding the matrix: 64 floats at the end of each row stay unused. The stride of a column is then
an odd number of partitions, so a column runs through all eight. Only the pitch, the distance between rows, changes in
the kernel. But every kernel that uses this matrix has to know the pitch, or the matrix has to be copied, and it takes
more memory. (cudaMallocPitch also uses a pitch larger than the row, but only to align rows; it would add nothing
here.)]],
}

-- Beyond the lecture -------------------------------------------------------------------------------------------

local function large(p) return { n = p.large } end

local function beyond(step)
  step.group, step.with = "large", large
  step.output, step.columns = "odata", "n"
  step.reference = step.reference or transposed
  step.useful_bytes = both_ways
  steps[#steps + 1] = step
end

beyond {
  id = "padded-large", title = titled "tile 32×33",
  kernel = { file = "transpose.cu", name = "transpose_tile<33>" },
  grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 }, args = { "odata", "idata", "n" },
  text = [[
Beyond the lecture: a matrix of 8192 rows, large enough for a current GPU (2048 on the emulator; both make the
partitions of a GTX 280 camp). How close does the kernel of 2008 come to the driver's copy, on a GPU? Each of its
accesses moves 4 bytes per thread, so an SM needs many instructions and many threads to keep enough bytes in flight.]],
}
beyond {
  id = "wide", title = titled "tile 64×64, float4",
  kernel = { file = "transpose_wide.cu", name = "transpose_wide" },
  grid = function(p) return { p.n // 64, p.n // 64 } end, block = 256, args = { "odata", "idata", "n" },
  expect = { global_load = sectors(16), global_store = sectors(16), shared_load = { ["else"] = 4, ["1.x"] = false,
    ["2.x"] = false, ["3.x"] = false }, shared_store = { ["else"] = 4, ["1.x"] = false, ["2.x"] = false,
    ["3.x"] = false } },
  predict = { ask = "A warp reads 16 bytes per thread from shared memory. How many wavefronts at least?",
    of = "shared_load", unit = "wavefronts" },
  text = [[
A thread reads four rows of a 4 × 4 square as a float4 each, transposes the square in registers, and stores four
float4 to shared memory: a quarter of the instructions for the same bytes. A padding word would break the 16-byte
alignment, so the tile is swizzled (exercise `swizzle` of lab 3). On a GPU it gains at n = 8192; at the emulator's 2048
the blocks are too few. It does not run on a GTX 280, where the tile leaves no shared memory for kernel arguments.]],
}
beyond {
  id = "library", title = titled "cuBLAS sgeam", library = { name = "sgeam", args = { "odata", "idata", "n", "n" } },
  text = [[
NVIDIA's library routine for the same task, in the same run. cublasSgeam can also scale, and add a second matrix. It
needs a GPU and cuBLAS; without them the row says what is missing.]],
}
beyond {
  id = "memcpy", title = titled "cudaMemcpy on the device", library = { name = "memcpy", args = { "odata", "idata" } },
  reference = copied,
  text = [[
The driver's own device-to-device copy, which does not transpose. No kernel that reads and writes every element once
should be much faster. It is the baseline of this table.

What to remember: a transposition through a shared-memory tile accesses whole rows on both sides. Fix the most
expensive bottleneck first, because it hides the others. Measure at several sizes.]],
}

-- Exercises ---------------------------------------------------------------------------------------

-- The image has `size` columns and three fifths as many rows.
local function width(p) return p.size end
local function height(p) return p.size * 3 // 5 end
local function area(p) return width(p) * height(p) end
local function square(p) return p.size * p.size end
local function tiles(p) return { p.size // 32, p.size // 32 } end

local function out_of_place(p, host) return host.image:transpose(height(p), width(p)) end

local function rotated_right(p, host)
  local n = p.size
  local want, rotated = host.square:transpose(n, n), gpu.array("float", n * n)
  for row = 0, n - 1 do
    for column = 0, n - 1 do rotated[row * n + column] = want[row * n + n - 1 - column] end
  end
  return rotated
end

local exercises = {
  {
    id = "rectangle", title = "Tiles at the edge",
    task = [[
The tiled kernel handles only square matrices of whole tiles. Make it handle any shape: this matrix has 120 rows and
200 columns. It must still read and write whole rows, through a tile without bank conflicts.]],
    starter = "exercises/04-rectangle/rectangle.cu", solution = "solutions/04-rectangle/rectangle.cu",
    kernel = "rectangle", grid = function(p) return { (width(p) + 31) // 32, (height(p) + 31) // 32 } end,
    block = { 32, 8 }, args = { "transposed_image", "image", height, width }, output = "transposed_image",
    columns = height, reference = out_of_place, sizes = { 200, 265, 33, 10 },
    -- loads may be clamped to the edge
    accept = { bank_conflicts = 1, wavefronts = 1.7, load_sectors = 2, staged = 0.7, warp_instructions = 5 },
    hints = {
      "Two things are wrong: the row length of the result, and tiles that extend past the edge.",
      "The result has `rows` columns. Both loops need a condition, and the conditions differ: one is for the matrix, "
        .. "one for its transpose.",
      "Read if x < columns and y + i < rows. Write to odata[x + (y + i) * rows] if x < rows and y + i < columns. The "
        .. "barrier stays outside both conditions.",
    },
    debrief = [[
The conditions guard the accesses, never the barrier: __syncthreads() under a condition that differs between threads
of a block is undefined. That is the usual price of sizes that are not a multiple of the tile: a comparison per access
in every block, although only the blocks at the edges need it.]],
  },
  {
    id = "rotate-right", title = "Rotate an image",
    task = [[
Rotate an image clockwise by 90 degrees: the first column, read upwards, becomes the first row. The kernel is correct,
but it writes columns. Make it read and write whole rows.]],
    starter = "exercises/04-rotate-right/rotate_right.cu", solution = "solutions/04-rotate-right/rotate_right.cu",
    kernel = "rotate_right", grid = tiles, block = { 32, 8 }, args = { "rotated", "square", width }, output = "rotated",
    columns = width, reference = rotated_right, sizes = { 256, 96, 160, 32 },
    accept = { wavefronts = 1.25, warp_instructions = 5 },
    advice = "Read and write rows: a tile in shared memory is read one way and written the other.",
    hints = {
      "A rotation by 90 degrees is a transposition followed by a reversal of each row.",
      "In which column of the result does row y of the image end up? So where does a whole tile end up?",
      "The element in row y, column x goes to row x, column n - 1 - y. The tile of block (bx, by) goes to block row "
        .. "bx, block column gridDim.y - 1 - by, and within it thread x writes the element from row 31 - x: "
        .. "tile[TILE - 1 - threadIdx.x][threadIdx.y + i].",
    },
    debrief = [[
Where a tile goes and what happens inside it are two separate questions. Reading the tile's rows from the last to the
first costs nothing: the words of a column still have a stride of 33, only in the other direction, and use all banks.]],
  },
  {
    id = "in-place", title = "Transpose in place",
    task = [[
Transpose the matrix in place. A tile and its mirror image have to be swapped, so one block must hold both. The
starter reads data that another block may have overwritten already: its result depends on the order of the blocks.]],
    starter = "exercises/04-in-place/in_place.cu", solution = "solutions/04-in-place/in_place.cu",
    kernel = "in_place", grid = tiles, block = { 32, 8 }, args = { "own", width }, output = "own", columns = width,
    reference = function(p, host) return host.own:transpose(p.size, p.size) end, sizes = { 256, 96, 160, 32 },
    accept = { wavefronts = 1.25, warp_instructions = 5 },
    hints = {
      "Which other tile does the block of tile (column, row) write to, and which block reads that tile?",
      "Let one block read both tiles before it writes either. The block of the mirror image does nothing.",
      "if (blockIdx.y > blockIdx.x) return; then load two tiles into shared memory, a barrier, and write each to the "
        .. "position of the other. On the diagonal both are the same tile, which does no harm.",
    },
    debrief = [[
In an ordinary launch blocks cannot safely wait for each other (lab 10 shows cooperative launches), so tiles that
depend on each other belong in one block. Half of the blocks exit at once, which is cheap. The early return is safe
because the whole block exits: no thread's part of a tile is missing. On the diagonal both tiles are the same one, and
the block writes the same values twice; another comparison of the indices would avoid that.]],
  },
}

return lab.define {
  number = 4,
  id = "transpose",
  title = "Matrix transposition and partition camping",
  lecture = { "F22", "F24", "O24" },
  intro = with_numbers [[
A transposition computes nothing. It reads a matrix by rows and writes it by columns, and only its access order
decides how close it comes to a copy. On a GTX 280 the lecture goes from {naive} to {tile33} GB/s, and then finds
sizes at which its best version falls back to {camping512}.

The first table follows the lecture, the second compares tile sizes. The third shows partition camping and two
remedies. The last goes beyond the lecture: a large matrix, the library, and the plain copy.]],
  params = {
    n = { default = 4000, small = 192, min = 32, max = 11520, multiple = 32, help = "rows and columns of the matrix",
      because = "the kernels move whole tiles of 32 × 32, and the other sizes are derived from this one" },
    large = { default = 8192, emulator = 2048, small = 256, min = 64, max = 46336, multiple = 64,
      help = "rows and columns in the last table", because = "the widest kernel moves tiles of 64 × 64" },
  },
  buffers = {
    -- Up to 4096² every element of the matrix is a different float; beyond, floats run out and neighboring elements
    -- would be equal.
    idata = { type = "float", count = function(p) return p.n * p.n end, seed = 4,
      fill = function(p) return p.n <= 4096 and "iota" or "random" end },
    odata = { type = "float", count = function(p) return p.n * p.n end },
    wide_in = { type = "float", count = function(p) return (p.n + PADDING) ^ 2 end, fill = "iota" },
    wide_out = { type = "float", count = function(p) return (p.n + PADDING) ^ 2 end, fill = -1 },
    image = { type = "float", count = area, fill = "random", seed = 14 },
    transposed_image = { type = "float", count = area },
    square = { type = "float", count = square, fill = "random", seed = 15 },
    rotated = { type = "float", count = square },
    own = { type = "float", count = square, fill = "random", seed = 16 },
  },
  groups = {
    { id = "matrix", title = "matrix", baseline = "naive", share = "of naive" },
    { id = "sides", title = "tile size", baseline = "side32", share = "of 32" },
    { id = "camping", title = "partition camping", baseline = "camp512", share = "of first" },
    { id = "large", title = "a large matrix", baseline = "memcpy", share = "of memcpy" },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over the size of the matrix",
      claims = { "F22.transpose.plot", "F22.transpose.diagonal_slower" },
      x = { param = "n", from = 3072, to = 4224, step = 64, label = "n" },
      emulator_values = { 896, 928, 960, 992, 1024, 1056, 1088, 1120, 1152, 1184, 1216, 1248, 1280, 1312, 1344, 1376,
        1408, 1440, 1472, 1504, 1536, 1568 },
      steps = { "padded", "diagonal" }, y = "rate", y_label = "GB/s",
      text = [[
The slide's plot, redrawn. On the GTX 280 (added by `model GTX 280`) the plain order drops at multiples of 128,
further at 256, and furthest at 512; the diagonal order does not. Since Fermi these sizes are no exception.]] },
  },
  exercises = exercises,
}
