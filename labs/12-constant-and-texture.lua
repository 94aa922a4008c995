-- Lab 12: memories with a cache and a purpose of their own. Constant memory gives one word to a whole warp; textures
-- know rows and columns, edges and blends; dynamic shared memory is one piece that a kernel carves up.
local lab = require "gpulab.lab"

local READS <const> = 512 -- by each thread, as in kernels/constant.cu
local WORDS <const> = 1024
local LANES <const> = 32

-- Constant memory ---------------------------------------------------------------------------------

-- What each thread adds up: READS words from the first of its group on. Every warp does the same.
local function sums(different)
  return function(p, host)
    local one = gpu.array("unsigned", LANES)
    for lane = 0, LANES - 1 do
      local sum = 0
      for r = 0, READS - 1 do sum = sum + host.words[(r + lane % different) % WORDS] end
      one[lane] = sum & 0xffffffff
    end
    return one:cycle(p.blocks * 256)
  end
end

local function look_up(step)
  local constant = step.kernel:match("^from_constant")
  return {
    group = "constant", id = step.id, title = step.title, text = step.text, claims = step.claims,
    kernel = { file = "constant.cu", name = step.kernel },
    grid = function(p) return p.blocks end, block = 256,
    args = constant and { "sums" } or { "sums", "words" },
    symbols = constant and { table = "words" } or nil,
    output = "sums", reference = sums(step.different), columns = LANES,
    useful_ops = function(p) return p.blocks * 256 * READS end,
    expect = constant and { constant = step.different } or step.expect,
    predict = step.ask and { ask = step.ask, of = "constant", unit = "passes" } or nil,
  }
end

local constant_steps = {
  look_up {
    id = "same", title = "the same word", kernel = "from_constant<1>", different = 1,
    claims = { "F10.constant.hit", "F10.constant.symbol" },
    text = [[
The table is a __constant__ array of the kernel's file. Before the launch its content is copied there from the host: in
a C++ program by cudaMemcpyToSymbol, here by the lab (at the prompt, by module:symbol("table"):upload(data)). All 32
lanes of a warp want the same word at the same time, and the constant cache has one to give in a pass: a word for 32
threads. Where the address is known when the kernel is compiled, the machine code needs no load at all; an arithmetic
instruction names the word as one of its operands. That is when it is “as fast as a register”, as the slide has it.]],
  },
  look_up {
    id = "two", title = "2 different words", kernel = "from_constant<2>", different = 2,
    claims = { "F10.constant.hit" },
    ask = "Even lanes want one word, odd lanes the next. How many passes does a load take?",
    text = [[
Even lanes begin with word 0, odd ones with word 1. It makes no difference that the words are neighbours: the cache is
asked twice. These are the “certain constraints” of the slide.]],
  },
  look_up {
    id = "eight", title = "8 different words", kernel = "from_constant<8>", different = 8,
    claims = { "F10.constant.hit" },
    text = [[
Eight groups of lanes, eight passes. Nothing but the number of different words counts, not where they lie: there are no
banks and no sectors here.]],
  },
  look_up {
    id = "all", title = "32 different words", kernel = "from_constant<32>", different = 32,
    claims = { "F10.constant.hit" },
    ask = "All 32 lanes want different words. How many passes does a load take?",
    text = [[
Every lane wants a word of its own, and gets it when its turn comes. A table that threads look up in by their data, or
by threadIdx, does not belong here, however constant it is.]],
  },
  look_up {
    id = "shared", title = "32 words, shared memory", kernel = "from_shared<32>", different = 32,
    expect = { shared_load = 1 },
    text = [[
The same words from a copy in shared memory, which each block makes first. Thirty-two words in thirty-two banks are one
pass. Lab 3 tells when they are not.]],
  },
  look_up {
    id = "global", title = "32 words, L1 cache", kernel = "from_global<32>", different = 32,
    text = [[
The same words from global memory. const and __restrict__ tell the compiler that nobody writes to the table, so that
the loads may go through the read-only path, which on GPUs since Maxwell is the L1 cache itself. A warp's 32 words are
four sectors, or five where they do not begin at a multiple of 32 bytes, and after the first time they are in the
cache.]],
  },
}

-- Images ------------------------------------------------------------------------------------------

local function tiles(p) return { p.n // 32, p.n // 8 } end
local function image(address, filter, normalized)
  return { texture = "image", width = "n", height = "n", address = address, filter = filter, normalized = normalized }
end

-- Nothing is reckoned twice: both rotations share this one.
local ANGLE <const> = math.rad(30)
local COS <const>, SIN <const> = math.cos(ANGLE), math.sin(ANGLE)

local function rotation(p, host)
  local n <const>, img <const> = p.n, host.image
  local want = gpu.array("float", n * n)
  local last <const>, half <const> = n - 1, n / 2
  local floor <const>, min <const>, max <const> = math.floor, math.min, math.max
  for y = 0, last do
    for x = 0, last do
      local dx, dy = x + 0.5 - half, y + 0.5 - half
      local u, v = half + COS * dx - SIN * dy - 0.5, half + SIN * dx + COS * dy - 0.5
      local left, top = floor(u), floor(v)
      local a, b = u - left, v - top
      local x0, x1 = min(max(left, 0), last), min(max(left + 1, 0), last)
      local y0, y1 = min(max(top, 0), last) * n, min(max(top + 1, 0), last) * n
      want[y * n + x] = (1 - b) * ((1 - a) * img[y0 + x0] + a * img[y0 + x1])
        + b * ((1 - a) * img[y1 + x0] + a * img[y1 + x1])
    end
  end
  return want
end

-- Texel that coordinate x of the nine images shows; nil: none, the border.
local shown <const> = {
  clamp = function(i, n) return math.min(math.max(i, 0), n - 1) end,
  border = function(i, n) if i >= 0 and i < n then return i end end,
  wrap = function(i, n) return i % n end,
  mirror = function(i, n)
    local at = i % (2 * n)
    return at < n and at or 2 * n - 1 - at
  end,
}

local function nine(mode)
  return function(p, host)
    local n <const>, img <const> = p.n, host.image
    local want, at = gpu.array("float", n * n), {}
    for x = 0, n - 1 do at[x] = shown[mode](math.floor(3 * (x + 0.5) - n), n) end
    for y = 0, n - 1 do
      for x = 0, n - 1 do
        if at[x] and at[y] then want[y * n + x] = img[at[y] * n + at[x]] end
      end
    end
    return want
  end
end

local function picture(step)
  return {
    group = step.group, id = step.id, title = step.title, text = step.text, claims = step.claims,
    predict = step.predict,
    with = step.group ~= "turn" and function(p) return { n = p.m } end or nil,
    kernel = { file = "texture.cu", name = step.kernel }, grid = tiles, block = { 32, 8 }, args = step.args,
    output = "out", reference = step.reference, columns = "n", tolerance = step.tolerance, expect = step.expect,
    useful_bytes = function(p) return 2 * p.n * p.n * 4 end,
  }
end

local function transposed(p, host) return host.image:transpose(p.n, p.n) end

local image_steps = {
  picture {
    group = "turn", id = "straight", title = "rows, texture", kernel = "copy_texture",
    args = { "out", image("clamp"), "n" }, reference = function(_, host) return host.image end,
    expect = { texture = 8 },
    claims = { "F10.texture.locality" },
    text = [[
A copy through a texture: pixel (x, y) is tex2D(image, x + 0.5, y + 0.5), for the middle of a texel lies half a texel
from its edge. The texture is a CUDA array, a copy of the image in another order: small blocks of rows lie together, so
that a sector of 32 bytes holds 16 bytes of each of two neighbouring rows. A row of 32 floats touches 8 such sectors,
twice as many as in plain memory; the other half of each is the row below, which the same block of threads wants next.
This is what the others are measured against.]],
  },
  picture {
    group = "turn", id = "columns", title = "columns, global memory", kernel = "turn_global",
    args = { "out", "image", "n" }, reference = transposed, expect = { global_load = { ["1.x"] = false, ["2.x"] = false,
      ["3.x"] = false, ["5.x"] = false, ["else"] = 32 } },
    text = [[
Now the threads of a warp read down a column of the image, without a texture: 32 words in 32 rows, 32 sectors of which 4
bytes are wanted each time. Lab 4 is about nothing else. The blocks are 32 × 8 threads, so that of each sector eight
words are wanted sooner or later, if it is still in the L1 cache then.]],
  },
  picture {
    group = "turn", id = "texture", title = "columns, texture", kernel = "turn_texture",
    args = { "out", image("clamp"), "n" }, reference = transposed, expect = { texture = 16 },
    claims = { "F10.texture.locality" },
    predict = { ask = "How many sectors of the texture does a warp touch that reads down a column?", of = "texture",
      unit = "sectors" },
    text = [[
The same column through the texture. Two neighbouring rows share a sector, so there are 16 of them instead of 32: rows
and columns are nearly alike here, and that is what locality in two dimensions means. How an array lies in memory is not
documented; the counter goes by the order that is known of one such GPU. Whether a texture beats the tile in shared
memory of lab 4, measure: its latency is high, as the slide says, and its units fetch four texels a clock in an SM where
the L1 cache hands out a whole line.]],
  },
  picture {
    group = "blend", id = "hand", title = "rotated by hand", kernel = "rotate_by_hand",
    args = { "out", "image", "n", COS, SIN }, reference = rotation, tolerance = { absolute = 2e-3 },
    text = [[
The image turned by 30 degrees about its middle. A pixel's origin falls between four texels, which are blended by their
distances: four loads, two fractions, three blends, and indices that are kept inside the image.]],
  },
  picture {
    group = "blend", id = "filter", title = "rotated by the filter", kernel = "rotate_filtered",
    args = { "out", image("clamp", "linear"), "n", COS, SIN }, reference = rotation, tolerance = { absolute = 8e-3 },
    claims = { "F10.texture.filter", "F10.texture.addressing" },
    text = [[
One tex2D does it all: filter = "linear" blends, address = "clamp" keeps to the edge. For free is not quite the word.
The fractions have 8 bits, as the programming guide says, so that a blend of neighbours that differ by 1 may be off by
1/512 along each axis; that is why this step is allowed a larger difference from the reference than the one by hand.
For pictures nobody sees it. For numbers it may matter. Compare the two with `compare hand filter`, and their
instructions with `lines`.]],
  },
  picture {
    group = "edge", id = "wrap", title = "outside: wrap", kernel = "nine",
    args = { "out", image("wrap", "point", true), "n" }, reference = nine "wrap",
    claims = { "F10.texture.coordinates", "F10.texture.addressing" },
    text = [[
With normalised coordinates the image is 1 wide and 1 high, whatever its size. This kernel asks for -1 to 2, three by
three images with the real one in the middle. With address = "wrap" only the fraction of a coordinate counts, and there
are nine equal images. No index, no comparison, no remainder stands in the kernel.]],
  },
  picture {
    group = "edge", id = "mirror", title = "outside: mirror", kernel = "nine",
    args = { "out", image("mirror", "point", true), "n" }, reference = nine "mirror",
    claims = { "F10.texture.addressing" },
    text = [[
Every second image is mirrored, so that no edge is seen. Only normalised coordinates can wrap or mirror.]],
  },
  picture {
    group = "edge", id = "clamp", title = "outside: clamp", kernel = "nine",
    args = { "out", image("clamp", "point", true), "n" }, reference = nine "clamp",
    claims = { "F10.texture.addressing" },
    text = [[
Outside the image the nearest texel of its edge is repeated: truncated, the slide calls it. For stencils and filters of
images it is mostly what is wanted.]],
  },
  picture {
    group = "edge", id = "border", title = "outside: border", kernel = "nine",
    args = { "out", image("border", "point", true), "n" }, reference = nine "border",
    claims = { "F10.texture.addressing" },
    text = [[
Outside there is 0. A loop that would run over the edge of an array needs no condition, as long as a zero does no harm
there.]],
  },
}

-- Dynamic shared memory ---------------------------------------------------------------------------

local CARVED_BYTES <const> = 128 * 4 + 256 * 4 + 256 * 2

local function carving(p, host)
  local want = gpu.array("float", p.blocks * 128)
  for i = 0, #want - 1 do
    local tid = i % 128
    want[i] = host.values[i - tid + 127 - tid] + 6 * tid + 256 - tid
  end
  return want
end

local function carve(step)
  local right = not step.shows
  return {
    group = "carved", id = step.id, title = step.title, text = step.text, claims = step.claims, shows = step.shows,
    kernel = { file = "carved.cu", name = step.kernel },
    grid = right and function(p) return p.blocks end or 2, block = 128,
    shared = step.shared or CARVED_BYTES, args = { "carved", "values" },
    output = right and "carved" or nil, reference = right and carving or nil,
    tolerance = right and { absolute = 1e-4 } or nil,
    useful_bytes = right and function(p) return p.blocks * 128 * 8 end or nil,
  }
end

local carved_steps = {
  carve {
    id = "carved", title = "floats, ints, shorts", kernel = "carved",
    claims = { "F10.shared.dynamic", "F10.shared.carved" },
    text = [[
There is one piece of dynamic shared memory in a kernel. Its size stands in the launch, kernel<<<grid, block, 2048>>>,
and all extern arrays of a kernel begin at its beginning. Who needs three arrays carves them out of it: 128 floats are
512 bytes, after them 256 ints, 1024 bytes, and the rest for shorts. The slide does so, too; its text calls the third
array one of floats, but its code says short. Every array begins where its elements may lie, since the widest ones come
first.]],
  },
  carve {
    id = "too_little", title = "512 bytes at launch", kernel = "carved", shared = 512, shows = "fault",
    claims = { "F10.shared.dynamic" },
    text = [[
The kernel is the same, but the launch gives it 512 bytes: enough for the floats, none for the rest. The kernel cannot
know. A GPU may let it pass as long as other memory lies there; the emulator says which access left the piece.]],
  },
  carve {
    id = "misaligned", title = "an odd number of shorts", kernel = "misaligned", shared = CARVED_BYTES + 64,
    shows = "fault",
    text = [[
The shorts come first, 257 of them. The floats after them begin at byte 514, and a float has to lie at a multiple of 4
bytes. The GPU stops the kernel for a misaligned address, and so does the emulator, with the line.]],
  },
  carve {
    id = "overlapping", title = "elements for bytes", kernel = "overlapping", shows = "race",
    text = [[
&myArray[FLOATS] counts chars, not floats: the ints begin at byte 128, inside the floats. Nothing is out of bounds,
nothing misaligned, the result is wrong. Two threads write the same word with no barrier in between, and that the race
checker sees.]],
  },
}

-- Exercises ---------------------------------------------------------------------------------------

local HALF <const> = 64    -- pixels on a side of the halved image
local BLOCKS <const> = 16

local function filtered(_, host)
  local want = gpu.array("float", BLOCKS * 256)
  for i = 0, #want - 1 do
    local sum = 0
    for k = 0, 31 do sum = sum + host.taps[k] * host.signal[i + k] end
    want[i] = sum
  end
  return want
end

local function halved(_, host)
  local want, from = gpu.array("float", HALF * HALF), host.large
  for y = 0, HALF - 1 do
    for x = 0, HALF - 1 do
      local at = 4 * HALF * y + 2 * x
      want[y * HALF + x] = (from[at] + from[at + 1] + from[at + 2 * HALF] + from[at + 2 * HALF + 1]) / 4
    end
  end
  return want
end

local function looked_up(_, host)
  local want = gpu.array("unsigned", 4 * 4096)
  for i = 0, #want - 1 do want[i] = host.entries[host.pixels[i] % 256] end
  return want
end

local function shuffled(_, host)
  local want = gpu.array("double", BLOCKS * 100)
  for i = 0, #want - 1 do
    local tid = i % 100
    local v = host.numbers[i - tid + tid * 7 % 100]
    want[i] = tid % 3 == 0 and -v or v
  end
  return want
end

local exercises = {
  {
    id = "in-step", title = "All in step", claims = { "F10.constant.hit" },
    task = [[
A filter of 32 taps. Its coefficients lie in constant memory, where they belong: all threads need all of them. But
somebody let each thread begin with another one, as one does for the banks of shared memory, and a load now takes 32
passes. Let it take one.]],
    starter = "exercises/12-in-step/filter.cu", solution = "solutions/12-in-step/filter.cu", kernel = "filter",
    grid = BLOCKS, block = 256, args = { "filtered", "signal" }, symbols = { coefficients = "taps" },
    output = "filtered", reference = filtered, tolerance = { absolute = 1e-4 },
    gate = { constant = { at_most = 1.05 }, global_load = { at_most = 5.05 } },
    hints = {
      "How many different coefficients does a warp want at the same moment?",
      "The constant cache is the opposite of banks: it is at its best when all want the same word.",
      "Drop the beginning of one's own: coefficients[t] and in[i + t], with t the same for all threads.",
    },
    debrief = [[
Shared memory has 32 banks with a word each, the constant cache has one word for all. So the same trick is right for the
one and wrong for the other. With t known to the compiler, which unrolls the loop, there is not even an address to
compute: each coefficient becomes an operand of the multiplication that uses it. The elements of in[] are read from
shifted places, at most five sectors a warp and mostly from the cache: the signal, not the coefficients, is what
remains to be paid for.]],
  },
  {
    id = "a-quarter", title = "A quarter of the fetches", claims = { "F10.texture.filter" },
    task = [[
An image is made half as wide and half as high: each pixel is the mean of four texels. The kernel fetches four and adds
them up. The texture has a linear filter; with one fetch at the right place it does the rest.]],
    starter = "exercises/12-a-quarter/half.cu", solution = "solutions/12-a-quarter/half.cu", kernel = "half",
    grid = { HALF // 32, HALF // 8 }, block = { 32, 8 },
    args = { "halved", { texture = "large", width = 2 * HALF, height = 2 * HALF, address = "clamp", filter = "linear" },
      HALF },
    output = "halved", reference = halved, columns = HALF, tolerance = { absolute = 1e-4 },
    gate = { texture_requests = { at_most = HALF * HALF // 32 } },
    hints = {
      "What does the filter give at a point that is equally far from four texels?",
      "Texel (i, j) has its middle at (i + 0.5, j + 0.5). Which point lies in the middle of the texels 2x, 2x + 1 and "
        .. "2y, 2y + 1?",
      "tex2D<float>(image, 2 * x + 1, 2 * y + 1), and no division.",
    },
    debrief = [[
At the corner of four texels both fractions are one half, which 8 bits hold exactly: there is no loss here. Between
other points the weights are rounded to 256ths. The trick of sampling between texels is an old one, for blurring above
all: n taps of a filter need only n / 2 fetches if their weights are turned into positions.]],
  },
  {
    id = "table", title = "A table for the data", claims = { "F10.constant.hit", "F10.constant.limits" },
    task = [[
Pixels are mapped by a table of 256 entries. It is constant, small, and in constant memory; but which entry a thread
wants is up to its pixel. Nearly every lane wants another one. Take the table to where 32 different words cost little.
The program uploads to the variable `table` by its name, which has to stay.]],
    starter = "exercises/12-table/gamma.cu", solution = "solutions/12-table/gamma.cu", kernel = "gamma",
    grid = 4, block = 256, args = { "mapped", "pixels" }, symbols = { table = "entries" },
    output = "mapped", reference = looked_up,
    gate = { constant_requests = { at_most = 0 }, global_load = { at_most = 6 }, shared_load = { at_most = 8 } },
    hints = {
      "A variable of that name need not be __constant__. What else may stand before it?",
      "With __device__ it is global memory, and a warp's look-ups go to as many sectors as it wants words. There is a "
        .. "memory with 32 banks.",
      "Declare the table __device__, copy its 256 words into a __shared__ array, a word for each thread, wait at a "
        .. "barrier, and look up there.",
    },
    debrief = [[
Random look-ups in 32 banks meet: three or four of 32 lanes want different words of the fullest bank on average, and so
many passes it takes, where constant memory took about thirty. Copying the table cost 256 coalesced words for each
block, which is why a block should have enough pixels. The upload found the variable under its name wherever it was
declared: to cudaMemcpyToSymbol, too, __constant__ and __device__ are the same.]],
  },
  {
    id = "three-arrays", title = "Three arrays in one piece", claims = { "F10.shared.carved" },
    task = [[
Flags, doubles and ints share the dynamic shared memory of a block, and the launch gives exactly as many bytes as they
take. As it stands the kernel faults. Put the arrays in an order in which each begins at a multiple of its element's
size, without a byte of padding.]],
    starter = "exercises/12-three-arrays/arrays.cu", solution = "solutions/12-three-arrays/arrays.cu",
    kernel = "arrays", grid = BLOCKS, block = 128, shared = 100 * (1 + 8 + 4), args = { "turned", "numbers" },
    output = "turned", reference = shuffled, gate = { barriers = { at_most = BLOCKS * 4 } },
    hints = {
      "At which bytes do the three arrays begin now, and which of these numbers is a multiple of 8?",
      "An array of 100 doubles ends at a multiple of 8, which is also one of 4. One of 100 bytes ends anywhere.",
      "The widest elements first: doubles, then ints, then chars. Declare the piece itself as an array of double.",
    },
    debrief = [[
Sorted by width, widest first, arrays need no padding, whatever their lengths. Declaring the piece as the widest type is
more than style: a compiler may assume of an extern char array that it begins at any byte, and be right to do so. Since
all extern shared arrays of a file begin at the same address, two of them with different names are the same memory
under two types.]],
  },
}

return lab.define {
  number = 12,
  id = "constant-and-texture",
  title = "Constant and texture memory",
  lecture = { "F10", "O24" },
  intro = [[
Besides registers, shared and global memory a GPU has memories with a purpose. Constant memory, 64 KB, read-only for
kernels, has a small cache of its own, made for a word that the whole warp wants. Textures are arrays that know how wide
they are: they lie in memory so that neighbours in both directions are near each other, their coordinates may be
fractions and lie outside, and units of their own turn these into texels, blended if wanted. Both were answers to a time
when global memory had no cache. Today there is one, and it is worth knowing what each of them still does better.

The last steps are about dynamic shared memory, and the ways to carve it up wrongly.]],
  params = {
    n = { default = 4096, emulator = 512, small = 128, min = 32, max = 16384, multiple = 32,
      help = "rows and columns of the image that is read by rows and columns",
      because = "the blocks are 32 × 8 threads and cover the image exactly" },
    m = { default = 1024, emulator = 256, small = 64, min = 32, max = 4096, multiple = 32,
      help = "rows and columns of the image that is turned and repeated",
      because = "the blocks are 32 × 8 threads and cover the image exactly" },
    blocks = { default = 3168, emulator = 132, small = 4, min = 1, max = 65535,
      help = "blocks of the steps on constant and dynamic shared memory" },
  },
  buffers = {
    words = { type = "unsigned", count = WORDS, fill = "random", seed = 12 },
    sums = { type = "unsigned", count = function(p) return p.blocks * 256 end },
    image = { type = "float", count = function(p) return p.n * p.n end, fill = "random", seed = 5 },
    out = { type = "float", count = function(p) return p.n * p.n end },
    values = { type = "float", count = function(p) return p.blocks * 128 end, fill = "random", seed = 6 },
    carved = { type = "float", count = function(p) return p.blocks * 128 end },
    taps = { type = "float", count = 32, fill = "random", seed = 7 },
    signal = { type = "float", count = BLOCKS * 256 + 32, fill = "random", seed = 8 },
    filtered = { type = "float", count = BLOCKS * 256 },
    large = { type = "float", count = 4 * HALF * HALF, fill = "random", seed = 9 },
    halved = { type = "float", count = HALF * HALF },
    entries = { type = "unsigned", count = 256, fill = "random", seed = 10 },
    pixels = { type = "unsigned", count = 4 * 4096, fill = "random", seed = 11 },
    mapped = { type = "unsigned", count = 4 * 4096 },
    numbers = { type = "double", count = BLOCKS * 100, fill = "random", seed = 13 },
    turned = { type = "double", count = BLOCKS * 100 },
  },
  groups = {
    { id = "constant", title = "look-ups", baseline = "same", share = "of same",
      columns = { { header = { "passes", "constant" }, of = "constant" }, "rate", "share", "verified" } },
    { id = "turn", title = "image, n × n", baseline = "straight", share = "of rows",
      columns = { { header = { "sectors", "texture" }, of = "texture" }, "sectors", "rate", "share", "verified" } },
    { id = "blend", title = "image, m × m", baseline = "hand", share = "of by hand",
      columns = { { header = { "texture", "requests" }, of = "texture_requests" }, "rate", "share", "verified" } },
    { id = "edge", title = "image, m × m", columns = { "rate", "verified" } },
    { id = "carved", title = "one piece", columns = { "rate", "verified" } },
  },
  steps = (function()
    local all = {}
    for _, list in ipairs { constant_steps, image_steps, carved_steps } do
      for _, step in ipairs(list) do all[#all + 1] = step end
    end
    return all
  end)(),
  exercises = exercises,
}
