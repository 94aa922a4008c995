-- Lab 4: transposing a matrix, from an element a thread to whole tiles, and what the partitions of the memory did to it
-- at some sizes.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local SECTORS <const> = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false }

-- What a request must cost by rule: by today's sectors only, the older rules have segments and lines.
local function sectors(count)
  local rule = { ["else"] = count }
  for generation, value in pairs(SECTORS) do rule[generation] = value end
  return rule
end

-- A text with the lecture's numbers in the places of {names}: they stand in one place only.
local function with_numbers(text)
  return (text:gsub("{([%w_]+)}", function(name)
    return ("%.4g"):format(lecture.find("F22.transpose." .. name).value)
  end))
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
First a copy. Each thread copies one element to the same place: a warp reads 32 neighbouring words and writes 32
neighbouring words. A transposition moves just as many bytes and computes nothing, so nothing
but the order of its accesses can make it slower. The rate counts each element twice, once read and once written.
The slide does not say how the blocks were shaped; rows of 256 threads reproduce its number, squares of 16 × 16 do
not. On the GTX 280 this is what there is to be had. Today it is not: one load of 4 bytes a thread keeps too little on
its way, and an H200 copies half as much again by the tiles below, where a thread has four.]],
}
elements {
  id = "naive", title = "naive, writes columns", claim = "F22.transpose.naive", reference = transposed,
  predict = { ask = "How many sectors of 32 bytes does a warp's store touch when its 32 words lie n words apart?",
    of = "global_store", unit = "sectors" },
  text = [[
odata[x * n + y] = idata[y * n + x]. The threads of a warp read a row and write a column: words that are n apart,
each in a sector of its own. Memory is moved by sectors of 32 bytes, so that seven eighths of what is written are
not wanted. On the GTX 280 this takes it to a twentieth of the copy. A GPU of today has a cache of many megabytes,
in which the eight words of a sector can meet before it is written to memory; there is less to lose, a factor of
five on an H200, but it is still the first thing to mend.]],
}
elements {
  id = "strided", title = "both along columns", claim = "F22.transpose.both_strided", reference = copied,
  text = [[
The copy again, but along columns on both sides. On the GTX 280 that takes twice as long as one side along
columns, as one would think: {both_strided} against {naive} GB/s. Where there is a large cache it is not twice:
both sides touch the same sectors at about the same time, so that most of them can be read once and written once. On
an H200 it took a third longer than the step before. How much is it on your GPU?]],
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
  id = "through", title = "copy in the tile", group = "matrix", kernel = "copy_tile",
  claim = "F22.transpose.copy_tile", reference = copied,
  text = [[
The way out: a block of 32 × 8 threads carries a tile of 32 × 32 elements into shared memory, by rows, and out
again, by rows. Here it is not turned, so that this is what the way through shared memory costs by itself: the
barrier between the two halves and a little arithmetic. No transposition that goes this way can be expected to be
faster. (Faster than the copy above it may be: each thread has four elements, and so four loads under way.)]],
}
tile {
  id = "tile", title = "tile 32×32", group = "matrix", kernel = "transpose_tile<32>", conflicts = true,
  claim = "F22.transpose.tile32",
  text = [[
The tile is read from shared memory by columns: both sides of global memory see whole rows, fourteen times the
speed of the naive kernel on the GTX 280. But less than the copy in the tile, although the same bytes move through
the same places. The columns of the tile lie in one bank, as in lab 3.]],
}
tile {
  id = "padded", title = "tile 32×33", group = "matrix", kernel = "transpose_tile<33>",
  claim = "F22.transpose.tile33", claims = { "F22.transpose.speedup" },
  text = [[
A spare word in each row of the tile, and the conflicts are gone. From the naive kernel to this one it is a factor
of {speedup} on the slide, and every step on the way was only about how the hardware likes to be asked; the
arithmetic has not changed, there is none. The column “of naive” has the factor for the GPU of the column before
it: 100 % is the naive kernel.]],
}
tile {
  id = "diagonal", title = "tiles along diagonals", group = "matrix", kernel = "transpose_diagonal<33>",
  claims = { "F22.transpose.diagonal_slower" },
  text = [[
The blocks take their tiles in another order: those that start together lie on a diagonal of the matrix. What that
is for, the sizes below will show. At n = 4000 it is for nothing, and costs a modulo for each thread; the slide
says that it is slower for matrices whose size is no multiple of 128. By how much, on your GPU?]],
}

-- The side of a tile ------------------------------------------------------------------------------

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
How large should a tile be? The lecture tried sides of 16, 32 and 48, all that the 16 KB of shared memory allow in
steps of 16, and found 32 with blocks of 32 × 8 the best. All three want n to be a multiple of their side: the
next multiple of 96 from n on it is. A row of 16 floats is 64 bytes: on the GTX 280 one transaction of a
half-warp, today two sectors, where a full line of memory has four.]])
side(32, [[
Rows of 128 bytes: a whole line of memory, read by one warp. Each thread moves four elements, so that it has four
loads under way before it has to wait, and the 4 KB of a tile leave room for several blocks on an SM.]])
side(48, [[
Rows of 192 bytes, a line and a half: every second row begins in the middle of a line. A row is one warp and a
half, so that the warps go round corners. And a tile of 48 × 49 words takes more than 9 of the GTX 280's 16 KB:
one block on an SM, and while it waits at its barrier the SM has nothing else to do. `resources side48` shows how
many blocks fit. On a GPU of today several do, and on an H200 48 is as good as 32; only 16 is a fifth behind.]])

-- Partition camping -------------------------------------------------------------------------------

local CAMPING <const> = {
  { 512, 0, "F22.transpose.camping512" },
  { 256, 256, "F22.transpose.camping256" },
  { 128, 128, "F22.transpose.camping128" },
}

local camping_text = {
  [512] = [[
The same kernel as tile 32×33 above, at a size that nobody would suspect. The memory of the GTX 280 has eight
partitions, each with its own channel, and addresses change partition every 256 bytes: 64 floats, two tiles. After
eight partitions, 512 floats, it begins again. In a matrix whose rows are a multiple of 512 long, a column of
tiles lies in one partition from top to bottom. Blocks that start together read along a row of tiles, from all
partitions, but they write down a column: all to one, while seven rest. That is partition camping, and from Fermi
on it is gone: the partition is computed from all bits of the address. See how the last column does not care.]],
  [256] = [[
Rows of a multiple of 256, but not of 512, floats: from one row of tiles to the next the partitions advance by
four of eight, so that a column of tiles is in two of them. The slide does not say which sizes it measured; here
it is the multiple of 512 less 256.]],
  [128] = [[
Multiples of 128 only: four partitions of the eight are in use at a time. The drops come in powers of two,
{camping512}, {camping256} and {camping128} GB/s, and that regularity is what gave them away in the lecture's
plot. `plot drops` draws it for your GPU.]],
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
The way out without touching the data: another numbering of the blocks. Blocks with consecutive blockIdx.x now take
tiles along a diagonal. Those lie in different columns and in different rows of tiles, so that neither reading nor
writing keeps to one partition. The slide says {diagonal} GB/s at the sizes that camped.]] or
      ([[
The same at the multiple of %d: no drop any more. On a GPU without camping the diagonal is nothing but a modulo
more, and a worse order for the caches: it is a remedy for one illness. That is the slide's point, too: for one
problem there may be no best program for all sizes, and some of what is slow can only be found by measuring.]])
        :format(of),
  }
end

tile {
  id = "conflict512", title = titled "tile 32×32", group = "camping", kernel = "transpose_tile<32>", conflicts = true,
  with = size(512), claims = { "F22.transpose.order_of_effects" },
  predict = { ask = "With the bank conflicts back, at this size: how fast in % of the same without them (first row)?",
    of = "share", unit = "%", within = 15 },
  text = [[
With the bank conflicts back, at the size that camps. Had the lecture begun with a matrix of 4096 × 4096, taking the
conflicts away would have gained next to nothing: on the GTX 280 this row and the first one are nearly the same,
because everybody is waiting for one partition, and shared memory has all the time in the world.]],
}
tile {
  id = "diagconflict512", title = titled "diagonal 32×32", group = "camping", kernel = "transpose_diagonal<32>",
  conflicts = true, with = size(512), claims = { "F22.transpose.order_of_effects" },
  text = [[
Without camping, but with the conflicts: compare with the diagonal row of the same size. Now they show. So it pays
to begin with what costs most; and if a change that must be right gains nothing, to ask what else sets the speed.
`why` names it for the model: partitions in one row, conflicts in the other.]],
}

-- Rows of n + 64 elements: 256 bytes more, the next partition.
local SPARE <const> = 64

local function pitched_reference(p, host)
  local pitch = p.n + SPARE
  local want = host.wide_in:transpose(pitch, pitch)
  for row = 0, pitch - 1 do
    for column = row < p.n and p.n or 0, pitch - 1 do want[row * pitch + column] = -1 end
  end
  return want
end

tile {
  id = "pitched", title = titled "padded matrix", group = "camping", kernel = "transpose_pitched",
  with = size(512), claims = { "F22.transpose.pad_matrix" },
  args = { "wide_out", "wide_in", function(p) return p.n + SPARE end }, output = "wide_out",
  reference = pitched_reference,
  text = [[
The other way out: leave 64 floats unused at the end of each row. The rows are then an odd number of partitions
apart, and a column runs through all eight. Nothing in the kernel changes but the distance of rows, but every
kernel that ever sees this matrix has to know it (cudaMallocPitch does this), or the matrix has to be copied; and
it takes more memory, here 64 in 4096.]],
}

-- Today -------------------------------------------------------------------------------------------

local function large(p) return { n = p.large } end

local function today(step)
  step.group, step.with = "today", large
  step.output, step.columns = "odata", "n"
  step.reference = step.reference or transposed
  step.useful_bytes = both_ways
  steps[#steps + 1] = step
end

today {
  id = "now", title = titled "tile 32×33",
  kernel = { file = "transpose.cu", name = "transpose_tile<33>" },
  grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 }, args = { "odata", "idata", "n" },
  text = [[
Beyond the lecture: a matrix of today's size, and what is left to gain. The kernel of 2008 comes to nearly nine
tenths of the driver's copy on an H200. What it does not do well: every access moves 4 bytes a thread, so that an
SM needs many instructions and many threads to keep enough bytes on their way.]],
}
today {
  id = "wide", title = titled "tile 64×64, 16 bytes",
  kernel = { file = "transpose_wide.cu", name = "transpose_wide" },
  grid = function(p) return { p.n // 64, p.n // 64 } end, block = 256, args = { "odata", "idata", "n" },
  expect = { global_load = sectors(16), global_store = sectors(16), shared_load = { ["else"] = 4, ["1.x"] = false,
    ["2.x"] = false, ["3.x"] = false }, shared_store = { ["else"] = 4, ["1.x"] = false, ["2.x"] = false,
    ["3.x"] = false } },
  predict = { ask = "A warp reads 16 bytes a thread from shared memory. How many passes at the least?",
    of = "shared_load", unit = "passes" },
  text = [[
Sixteen bytes an access: a thread reads four rows of a 4 × 4 square as a float4 each, turns the square in its
registers, and hands four float4 to shared memory. A quarter of the instructions move the same bytes. There is no
spare column, which would break the alignment of 16 bytes; instead each row keeps its units in another order (the
exercise “turn” of lab 3), so that the eight threads served together always find eight different places. Four
passes for a request is what 512 bytes take at the least.

Of the variants tried on an H200 at n = 8192 (tiles from 32 × 32 to 256 × 32, with and without shared
memory, five orders of the blocks, hints to the caches) this was the fastest: 1.08 times sgeam and 0.97 of memcpy.
What mattered most, after the 16 bytes, was the order: blocks that follow each other write along rows of the result.
On a GTX 280 it would not run: the 16 KB of its tile are all the shared memory that an SM had, and the kernel's
arguments lay there, too.]],
}
today {
  id = "library", title = titled "cuBLAS sgeam", library = { name = "sgeam", args = { "odata", "idata", "n", "n" } },
  text = [[
NVIDIA's library for the same task, in the same run. It can do more (scale, and add a second matrix). It needs a GPU
and cuBLAS; where one is missing the row says so.]],
}
today {
  id = "memcpy", title = titled "memcpy on the device", library = { name = "memcpy", args = { "odata", "idata" } },
  reference = copied,
  text = [[
And the copy that the driver itself makes, which turns nothing round: nothing that reads and writes every element
once should be able to pass it by much.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local WIDTH <const>, HEIGHT <const> = 200, 120

local function out_of_place(_, host) return host.picture:transpose(HEIGHT, WIDTH) end

local function turned_right(_, host)
  local want = host.square:transpose(256, 256)
  local turned = gpu.array("float", 256 * 256)
  for row = 0, 255 do
    for column = 0, 255 do turned[row * 256 + column] = want[row * 256 + 255 - column] end
  end
  return turned
end

local exercises = {
  {
    id = "rectangle", title = "Tiles that the edge cuts off",
    task = [[
The tiled kernel takes square matrices and whole tiles only. Make it take any matrix: this one has 120 rows and 200
columns. Whole rows shall still be read and written, through a tile without conflicts.]],
    starter = "exercises/04-rectangle/rectangle.cu", solution = "solutions/04-rectangle/rectangle.cu",
    kernel = "rectangle", grid = { (WIDTH + 31) // 32, (HEIGHT + 31) // 32 }, block = { 32, 8 },
    args = { "turned_picture", "picture", HEIGHT, WIDTH }, output = "turned_picture", columns = HEIGHT,
    reference = out_of_place,
    gate = { shared_load = { at_most = 1.05 }, shared_store = { at_most = 1.05 }, global_load = { at_most = 4.5 },
      global_store = { at_most = 4.5 } },
    hints = {
      "Two things are wrong: how long a row of the result is, and what happens where the tile hangs over the edge.",
      "The result has `rows` columns. Both loops need a condition, and the conditions are not the same: one is about "
        .. "the matrix, one about its transpose.",
      "Read if x < columns and y + i < rows. Write to odata[x + (y + i) * rows] if x < rows and y + i < columns. The "
        .. "barrier stands outside of both conditions.",
    },
    debrief = [[
The conditions go around the accesses, never around the barrier: all threads of a block have to come to it, also
those that have nothing to read. That is the usual price of sizes that do not fit: a comparison for each access,
paid in full by every block although only those at the edges need it.]],
  },
  {
    id = "turn-right", title = "A picture on its side",
    task = [[
Turn a picture clockwise by a quarter: the first column, read upwards, becomes the first row. The kernel does it
right, but writes columns. Make it read and write whole rows.]],
    starter = "exercises/04-turn-right/turn_right.cu", solution = "solutions/04-turn-right/turn_right.cu",
    kernel = "turn_right", grid = { 8, 8 }, block = { 32, 8 }, args = { "turned", "square", 256 }, output = "turned",
    columns = 256, reference = turned_right,
    gate = { global_load = { at_most = 4.05 }, global_store = { at_most = 4.05 }, shared_load = { at_most = 1.05 },
      shared_store = { at_most = 1.05 } },
    hints = {
      "A turn by a quarter is a transposition and then something that moves whole columns.",
      "In which column of the result does row y of the picture end up? Where then does a whole tile end up?",
      "The element in row y, column x goes to row x, column n - 1 - y. The tile of block (bx, by) goes to block row "
        .. "bx, block column gridDim.y - 1 - by, and within it thread x writes what came from row 31 - x: "
        .. "tile[TILE - 1 - threadIdx.x][threadIdx.y + i].",
    },
    debrief = [[
Where the tile goes and what happens inside of it are two separate things. Reading the tile's rows from the last
to the first costs nothing: the words of a column are still 33 apart, only in the other direction, and banks do
not care for direction.]],
  },
  {
    id = "in-place", title = "Without a second matrix",
    task = [[
The matrix shall be transposed where it stands. A tile and its mirror image have to change places, and for that one
block has to hold both. The starter reads what another block may have written already: its result depends on which
block comes first.]],
    starter = "exercises/04-in-place/in_place.cu", solution = "solutions/04-in-place/in_place.cu",
    kernel = "in_place", grid = { 8, 8 }, block = { 32, 8 }, args = { "own", 256 }, output = "own", columns = 256,
    reference = function(_, host) return host.own:transpose(256, 256) end,
    gate = { global_load = { at_most = 4.05 }, global_store = { at_most = 4.05 }, shared_load = { at_most = 1.05 },
      shared_store = { at_most = 1.05 }, global_load_sectors = { at_most = 256 * 256 // 8 * 1.2 } },
    hints = {
      "Which other tile does the block of tile (column, row) write to, and who reads that?",
      "Let one block read both tiles before it writes either, and the block of the mirror image do nothing.",
      "if (blockIdx.y > blockIdx.x) return; then two tiles in shared memory, a barrier, and each is written to the "
        .. "place of the other. On the diagonal both are the same tile, which does no harm.",
    },
    debrief = [[
Blocks cannot wait for each other, so what depends on each other has to be in one block. Half of the blocks leave
at once, which is cheap. Returning early is allowed here because a whole block does it: no thread of it is left
waiting at the barrier. On the diagonal both tiles are one: the same values are written twice to the same place by
the same block; whoever dislikes that compares the indices once more.]],
  },
}

return lab.define {
  number = 4,
  id = "transpose",
  title = "Matrix transposition and partition camping",
  lecture = { "F22", "F24", "O24" },
  intro = with_numbers [[
A transposition computes nothing. It reads a matrix by rows and writes it by columns, and only the order of the
accesses decides whether it runs at the speed of the memory or at a twentieth of it. The lecture takes it through
five versions on a GTX 280, from {naive} to {tile33} GB/s, and then finds sizes at which the best of them falls
back to {camping512}.

The first table follows it; the second tries the sides of the tile; the third goes to the sizes that camp on one
partition of the memory and shows both ways out. The last is about today: a matrix of 8192 × 8192 on a GPU, beside
the library and the plain copy.]],
  params = {
    n = { default = 4000, small = 192, min = 32, max = 11520, multiple = 32, help = "rows and columns of the matrix",
      because = "the kernels move whole tiles of 32 × 32, and the other sizes follow from this one" },
    large = { default = 8192, emulator = 2048, small = 256, min = 64, max = 46336, multiple = 64,
      help = "rows and columns in the last table", because = "the widest kernel moves tiles of 64 × 64" },
  },
  buffers = {
    -- Up to 4096² every element of the matrix is a different float; beyond, floats run out and neighbours would be
    -- alike.
    idata = { type = "float", count = function(p) return p.n * p.n end, seed = 4,
      fill = function(p) return p.n <= 4096 and "iota" or "random" end },
    odata = { type = "float", count = function(p) return p.n * p.n end },
    wide_in = { type = "float", count = function(p) return (p.n + SPARE) ^ 2 end, fill = "iota" },
    wide_out = { type = "float", count = function(p) return (p.n + SPARE) ^ 2 end, fill = -1 },
    picture = { type = "float", count = WIDTH * HEIGHT, fill = "iota" },
    turned_picture = { type = "float", count = WIDTH * HEIGHT },
    square = { type = "float", count = 256 * 256, fill = "iota" },
    turned = { type = "float", count = 256 * 256 },
    own = { type = "float", count = 256 * 256, fill = "iota" },
  },
  groups = {
    { id = "matrix", title = "n as given", baseline = "naive", share = "of naive" },
    { id = "sides", title = "side of the tile", baseline = "side32", share = "of 32" },
    { id = "camping", title = "sizes that camp", baseline = "camp512", share = "of first" },
    { id = "today", title = "a large matrix", baseline = "memcpy", share = "of memcpy" },
  },
  steps = steps,
  plots = {
    { id = "drops", title = "Throughput over the size of the matrix",
      claims = { "F22.transpose.plot", "F22.transpose.diagonal_slower" },
      x = { param = "n", from = 3072, to = 4224, step = 64, label = "n" },
      emulator_values = { 896, 928, 960, 992, 1024, 1056, 1088, 1120, 1152, 1184, 1216, 1248, 1280, 1312, 1344, 1376,
        1408, 1440, 1472, 1504, 1536, 1568 },
      steps = { "padded", "diagonal" }, y = "rate", y_label = "GB/s",
      text = [[
The figure that is lost from the slides, drawn again. On the GTX 280 (`device emu:GTX 280`, or its model) the
plain order drops at multiples of 128, further at 256, to the ground at 512; the diagonal order does not. On
today's GPUs both are smooth.]] },
  },
  exercises = exercises,
}
