-- Lab 12: constant memory, textures and dynamic shared memory. Constant memory broadcasts one word to a warp; textures
-- have 2-D locality, address modes and filters; a kernel partitions its one dynamic shared allocation.
local lab = require "gpulab.lab"

local READS <const> = 512 -- per thread, as in kernels/constant.cu
local WORDS <const> = 1024
local LANES <const> = 32

-- Constant memory ---------------------------------------------------------------------------------

-- The sum of each thread: READS words, starting with its group's. Every warp computes the same.
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
    predict = step.ask and { ask = step.ask, of = "constant", unit = "accesses" } or nil,
  }
end

local constant_steps = {
  look_up {
    id = "uniform", title = "1 word, uniform", kernel = "from_constant<1>", different = 1,
    claims = { "F10.constant.hit", "F10.constant.symbol" },
    text = [[
The table is a __constant__ array. Before the launch the host copies data into it: with cudaMemcpyToSymbol in C++,
here the lab does it (at the prompt: `module:symbol("table"):upload(data)`). All 32 lanes of a warp (half-warps on cc
1.x) read the same word, and the constant cache delivers one word per access, broadcast to the warp. If the compiler
knows the address, up to cc 8.9 no load is needed: the word is an operand of the addition. From cc 9.0 on two words
are loaded with one instruction (LDC.64).

Note on the slide: this uniform case is its "as fast as a register, under certain constraints".]],
  },
  look_up {
    id = "two", title = "2 different words", kernel = "from_constant<2>", different = 2,
    claims = { "F10.constant.hit" },
    ask = "Even lanes read one word, odd lanes the next. How many accesses of the cache does a load take?",
    text = [[
Even lanes start with word 0, odd lanes with word 1. Two addresses, two accesses; that the words are neighbors makes
no difference. The rate drops by more than two against the first row. This is the slide's constraint: all lanes have
to read the same word.]],
  },
  look_up {
    id = "eight", title = "8 different words", kernel = "from_constant<8>", different = 8,
    claims = { "F10.constant.hit" },
    text = [[
Eight groups of lanes, eight accesses. The number of different words counts; it does not matter where they are. From
here on the rate is inversely proportional to the number of words (two cycles per word in the recorded H200 run).]],
  },
  look_up {
    id = "different", title = "32 different words", kernel = "from_constant<32>", different = 32,
    claims = { "F10.constant.hit" },
    ask = "All 32 lanes read different words. How many accesses of the cache does a load take?",
    text = [[
Every lane reads a different word, and the accesses are serialized; `debug different`, `until 14` and `view` show them.
Tables that threads index with their data, or with threadIdx, do not belong in constant memory, however constant they
are.

Note on the slide: it adds that a miss in the constant cache is "as fast as global memory". Here the table fits in the
cache, and each row reads it from there.]],
  },
  look_up {
    id = "shared", title = "32 words, shared memory", kernel = "from_shared<32>", different = 32,
    expect = { shared_load = 1 },
    text = [[
The same words from a copy in shared memory, which each block makes first. 32 words in 32 banks take one wavefront.
Lab 3 covers the other cases. Compare the rate with that of the row above, and with the first row: on an H200 (3168
blocks) the first row, this one, and the next reach nearly the same rate. A uniform constant saves registers and an
address.]],
  },
  look_up {
    id = "global", title = "32 words, L1 cache", kernel = "from_global<32>", different = 32,
    text = [[
The same words from global memory. `const` and `__restrict__` promise the compiler that no thread writes to the table,
so the loads may use the read-only path. Since Maxwell that is the L1 cache (on cc 5.x and 6.1 plain global loads
bypass it by default). The 32 words of a warp are four sectors, or five where they are not aligned to 32 bytes; after
the first access they are in the cache.]],
  },
}

-- Images ------------------------------------------------------------------------------------------

local function tiles(p) return { p.n // 32, p.n // 8 } end
local function image(address, filter, normalized)
  return { texture = "image", width = "n", height = "n", address = address, filter = filter, normalized = normalized }
end

-- Computed once: both rotations share this reference.
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

-- The texel that coordinate x of the 3 × 3 images shows; nil: none, the border.
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
    with = step.group ~= "transpose" and function(p) return { n = p.m } end or nil,
    kernel = { file = "texture.cu", name = step.kernel }, grid = tiles, block = { 32, 8 }, args = step.args,
    output = "out", reference = step.reference, columns = "n", tolerance = step.tolerance, expect = step.expect,
    useful_bytes = function(p) return 2 * p.n * p.n * 4 end,
  }
end

local function transposed(p, host) return host.image:transpose(p.n, p.n) end

local image_steps = {
  picture {
    group = "transpose", id = "rows", title = "rows, texture", kernel = "copy_texture",
    args = { "out", image("clamp"), "n" }, reference = function(_, host) return host.image end,
    expect = { texture = 8 },
    claims = { "F10.texture.locality" },
    text = [[
A copy through a texture, the baseline. Texel centers are at half-integer coordinates, so pixel (x, y) is
`tex2D(image, x + 0.5, y + 0.5)`. The texture is a CUDA array, a copy of the image in a layout for 2-D locality. It is
undocumented; the counter assumes the block-linear order documented for the Tegra X1: a 32-byte sector holds 16 bytes
of each of two neighboring rows. So a row of 32 floats touches 8 sectors, twice as many as in linear memory.]],
  },
  picture {
    group = "transpose", id = "columns", title = "columns, global memory", kernel = "transpose_global",
    args = { "out", "image", "n" }, reference = transposed, expect = { global_load = { ["1.x"] = false, ["2.x"] = false,
      ["3.x"] = false, ["5.x"] = false, ["else"] = 32 } },
    text = [[
Now the threads of a warp read down a column of the image, without a texture: 32 words in 32 rows, so 32 sectors with
4 useful bytes each (lab 4). The blocks are 32 × 8 threads, so eight words of each sector are used eventually, if the
sector is still in the L1 cache by then.]],
  },
  picture {
    group = "transpose", id = "texture", title = "columns, texture", kernel = "transpose_texture",
    args = { "out", image("clamp"), "n" }, reference = transposed, expect = { texture = 16 },
    claims = { "F10.texture.locality", "F10.texture.coherent" },
    predict = { ask = "How many sectors of the texture does a warp touch that reads down a column?", of = "texture",
      unit = "sectors" },
    text = [[
The same column through the texture. In the assumed layout two neighboring rows share a sector, so a column touches 16
sectors instead of 32: rows and columns cost nearly the same. That is 2-D locality. (Textures are read-only during a
launch, because their cache is not coherent with stores.) Measure whether a texture beats lab 4's tile: its latency is
high, and since Volta the texture units deliver four filtered texels per cycle and SM, while the L1 cache delivers a
whole line.]],
  },
  picture {
    group = "blend", id = "software", title = "rotation in software", kernel = "rotate_software",
    args = { "out", "image", "n", COS, SIN }, reference = rotation, tolerance = { absolute = 2e-3 },
    text = [[
The image rotated by 30 degrees about its center. Each output pixel is interpolated bilinearly from four texels: four
loads, two fractions, three interpolations, and indices clamped to the image. Look at its rate; the next row lets the
texture units do the same.]],
  },
  picture {
    group = "blend", id = "filter", title = "rotation, texture filter", kernel = "rotate_filtered",
    args = { "out", image("clamp", "linear"), "n", COS, SIN }, reference = rotation, tolerance = { absolute = 8e-3 },
    claims = { "F10.texture.filter", "F10.texture.addressing" },
    text = [[
One tex2D does it all: filter = "linear" interpolates, address = "clamp" clamps. The price is precision: the fractions
have 8 bits (programming guide), so interpolating neighbors that differ by 1 can be off by 1/512 along each axis. That
is why this step has a larger tolerance. For images the error is invisible; for numerical data it may matter. `compare
software filter` compares the times, `lines` the instructions.

Note on the slide: it calls the interpolation free. Its precision and the texture rate are the price.]],
  },
  picture {
    group = "edge", id = "wrap", title = "address mode wrap", kernel = "nine",
    args = { "out", image("wrap", "point", true), "n" }, reference = nine "wrap",
    claims = { "F10.texture.coordinates", "F10.texture.addressing" },
    text = [[
With normalized coordinates the image is 1 wide and 1 high, whatever its size. The kernel reads from -1 to 2: three by
three images with the original in the center. With address = "wrap" only the fractional part of a coordinate counts,
so the result is nine copies. The kernel contains no index computation, comparison or remainder.]],
  },
  picture {
    group = "edge", id = "mirror", title = "address mode mirror", kernel = "nine",
    args = { "out", image("mirror", "point", true), "n" }, reference = nine "mirror",
    claims = { "F10.texture.addressing" },
    text = [[
Every second image is mirrored, so there are no visible edges. Only normalized coordinates can wrap or mirror.]],
  },
  picture {
    group = "edge", id = "clamp", title = "address mode clamp", kernel = "nine",
    args = { "out", image("clamp", "point", true), "n" }, reference = nine "clamp",
    claims = { "F10.texture.addressing" },
    text = [[
Outside the image the nearest texel of the edge is repeated. For stencils and image filters this is usually what you
want.

Note on the slide: it calls this truncation of the coordinates.]],
  },
  picture {
    group = "edge", id = "border", title = "address mode border", kernel = "nine",
    args = { "out", image("border", "point", true), "n" }, reference = nine "border",
    claims = { "F10.texture.addressing" },
    text = [[
Outside the image the texture returns 0. A loop that would run past the edge of an array needs no bounds check, as
long as a zero is correct there.]],
  },
}

-- Dynamic shared memory ---------------------------------------------------------------------------

local PARTITIONED_BYTES <const> = 128 * 4 + 256 * 4 + 256 * 2

local function partitioned(p, host)
  local want = gpu.array("float", p.blocks * 128)
  for i = 0, #want - 1 do
    local tid = i % 128
    want[i] = host.values[i - tid + 127 - tid] + 6 * tid + 256 - tid
  end
  return want
end

local function partition(step)
  local right = not step.shows
  return {
    group = "partitioned", id = step.id, title = step.title, text = step.text, claims = step.claims, shows = step.shows,
    kernel = { file = "partitioned.cu", name = step.kernel },
    grid = right and function(p) return p.blocks end or 2, block = 128,
    shared = step.shared or PARTITIONED_BYTES, args = { "results", "values" },
    output = right and "results" or nil, reference = right and partitioned or nil,
    tolerance = right and { absolute = 1e-4 } or nil,
    useful_bytes = right and function(p) return p.blocks * 128 * 8 end or nil,
  }
end

local partition_steps = {
  partition {
    id = "partitioned", title = "three arrays", kernel = "partitioned",
    claims = { "F10.shared.dynamic", "F10.shared.partitioned" },
    text = [[
A kernel has one dynamic shared allocation. The launch sets its size, kernel<<<grid, block, 2048>>>, and all extern
__shared__ arrays of a kernel alias its base address. To get several arrays, partition it: 128 floats are 512 bytes,
then 256 ints, 1024 bytes, and the rest holds shorts. (The slide leaves the third array's size open: it gets what
remains.) With the widest elements first, every array starts at a multiple of its element size.]],
  },
  partition {
    id = "too-small", title = "too few bytes at launch", kernel = "partitioned", shared = 512, shows = "fault",
    claims = { "F10.shared.dynamic" },
    text = [[
The same kernel, launched with 512 bytes: enough for the floats, nothing for the rest. The kernel does not check. A
GPU may not notice if other shared memory follows; the emulator reports the first access outside the allocation. This
step is wrong on purpose.]],
  },
  partition {
    id = "misaligned", title = "misaligned floats", kernel = "misaligned", shared = PARTITIONED_BYTES + 64,
    shows = "fault",
    text = [[
Here 257 shorts come first. The floats after them start at byte 514, but a float must be aligned to 4 bytes. A GPU
stops the kernel with a misaligned address error, and so does the emulator, with the line. This step is wrong on
purpose.]],
  },
  partition {
    id = "overlapping", title = "overlapping arrays", kernel = "overlapping", shows = "race",
    text = [[
&myArray[FLOATS] counts chars, not floats: the ints start at byte 128, inside the floats. All accesses are in bounds
and aligned, but the result is wrong. Two threads write the same word without a barrier in between, and the race
checker reports that. This step is wrong on purpose.]],
  },
}

-- Exercises ---------------------------------------------------------------------------------------

local HALVES <const> = { 64, 96 } -- pixels on a side of the halved image
local BLOCKS <const> = { 16, 13, 1 }

local function size(p) return p.size end

local function times(n)
  return function(p) return n * p.size end
end

local function filtered(p, host)
  local want = gpu.array("float", p.size * 256)
  for i = 0, #want - 1 do
    local sum = 0
    for k = 0, 31 do sum = sum + host.taps[k] * host.signal[i + k] end
    want[i] = sum
  end
  return want
end

local function halved(p, host)
  local n, from = p.size, host.large
  local want = gpu.array("float", n * n)
  for y = 0, n - 1 do
    for x = 0, n - 1 do
      local at = 4 * n * y + 2 * x
      want[y * n + x] = (from[at] + from[at + 1] + from[at + 2 * n] + from[at + 2 * n + 1]) / 4
    end
  end
  return want
end

local function looked_up(_, host)
  local want = gpu.array("unsigned", #host.pixels)
  for i = 0, #want - 1 do want[i] = host.entries[host.pixels[i] % 256] end
  return want
end

local function shuffled(p, host)
  local want = gpu.array("double", p.size * 100)
  for i = 0, #want - 1 do
    local tid = i % 100
    local v = host.numbers[i - tid + tid * 7 % 100]
    want[i] = tid % 3 == 0 and -v or v
  end
  return want
end

local exercises = {
  {
    id = "coefficients", title = "Coefficients in constant memory", claims = { "F10.constant.hit" },
    task = [[
A filter with 32 taps, one element per thread. Its coefficients are in constant memory, where they belong: all threads
need all of them. But each thread starts with a different coefficient, a trick that avoids bank conflicts in shared
memory, and a load now takes 32 accesses of the constant cache. Make it take one, and let every thread read them where
they are.]],
    starter = "exercises/12-coefficients/coefficients.cu", solution = "solutions/12-coefficients/coefficients.cu",
    kernel = "filter", grid = size, sizes = BLOCKS, block = 256, args = { "filtered", "signal" },
    symbols = { coefficients = "taps" }, output = "filtered", reference = filtered, tolerance = { absolute = 1e-4 },
    accept = { constant = { at_most = 1, advice = "Let all lanes read the same coefficient at a time." },
      warp_instructions = 4.5, constant_words = 0.45, thread_stored = 1 },
    hints = {
      "How many different coefficients does a warp read at the same time?",
      "The constant cache is the opposite of banks: it is fastest when all lanes read the same word.",
      "Remove the per-thread start: coefficients[t] and in[i + t], with the same t for all threads.",
    },
    debrief = [[
Shared memory has 32 banks that deliver one word each; the constant cache delivers one word to all lanes. So the same
trick helps one and hurts the other. With t known at compile time, after unrolling, there is not even an address to
compute: each coefficient becomes a constant operand of the FMA that uses it (from cc 9.0 on a uniform register,
loaded once for the whole warp). Reads of in[] are shifted, at most five sectors per warp, mostly from the cache: only
the signal still costs memory accesses.]],
  },
  {
    id = "downsampling", title = "Filtered downsampling", claims = { "F10.texture.filter" },
    task = [[
An image is downsampled to half its width and height: each thread computes a pixel, the mean of four texels. The kernel
fetches four texels and sums them. The texture has a linear filter: let it compute the mean, in one fetch at the right
position.]],
    starter = "exercises/12-downsampling/downsampling.cu", solution = "solutions/12-downsampling/downsampling.cu",
    kernel = "downsample", grid = function(p) return { p.size // 32, p.size // 8 } end, sizes = HALVES,
    block = { 32, 8 }, args = { "halved",
      { texture = "large", width = times(2), height = times(2), address = "clamp", filter = "linear" }, size },
    output = "halved", reference = halved, columns = size, tolerance = { absolute = 1e-4 },
    accept = { texture_requests = 1, thread_stored = 1 },
    advice = "Let the texture's filter compute the mean in one fetch.",
    hints = {
      "What does the filter return at a point that is equally far from four texels?",
      "Texel (i, j) has its center at (i + 0.5, j + 0.5). Which point is in the middle of the texels 2x, 2x + 1 and "
        .. "2y, 2y + 1?",
      "tex2D<float>(image, 2 * x + 1, 2 * y + 1), and no division.",
    },
    debrief = [[
At the common corner of four texels both fractions are one half, which 8 bits represent exactly, so nothing is lost
here. At other points the weights are rounded to 256ths. Sampling between texels is a well-known technique, above all
for blurring: a filter of n taps needs only n / 2 fetches if its weights are converted into positions.]],
  },
  {
    id = "table", title = "Table indexed by data", claims = { "F10.constant.hit", "F10.constant.limits" },
    task = [[
Pixels are mapped through a table of 256 entries. It is constant, small, and in constant memory, but each pixel
selects its own entry, so nearly every lane of a warp reads a different one. Move the table to a memory where 32
different words are cheap, and let each of the 256 threads keep its 16 pixels. The lab uploads to the variable `table`
by name, so the name has to stay.]],
    starter = "exercises/12-table/table.cu", solution = "solutions/12-table/table.cu", kernel = "gamma",
    grid = size, sizes = { 4, 3 }, block = 256, args = { "mapped", "pixels" }, symbols = { table = "entries" },
    output = "mapped", reference = looked_up,
    accept = { constant_requests = { at_most = 0 }, thread_stored = 1 },
    hints = {
      "A variable with that name need not be __constant__. Which other memory space specifier is possible?",
      "With __device__ it is in global memory, and each different word may cost a sector. Which memory delivers 32 "
        .. "different words at once?",
      "Declare the table __device__, copy its 256 words into a __shared__ array, one word per thread, wait at a "
        .. "barrier, and look up there.",
    },
    debrief = [[
Random lookups in 32 banks conflict: the busiest bank has three or four different words on average, and the load takes
as many wavefronts, where constant memory took about thirty accesses. Copying the table costs 256 coalesced words per
block, so each block should process enough pixels. The upload found the variable by its name wherever it was declared:
cudaMemcpyToSymbol also accepts both __constant__ and __device__.]],
  },
  {
    id = "three-arrays", title = "Three arrays in one allocation", claims = { "F10.shared.partitioned" },
    task = [[
Flags, doubles and ints share the dynamic shared memory of a block, and the launch gives exactly as many bytes as they
need. The starter faults. Arrange the three arrays so that each starts at a multiple of its element size, without
padding, and keep all 300 elements and their types.]],
    starter = "exercises/12-three-arrays/three_arrays.cu", solution = "solutions/12-three-arrays/three_arrays.cu",
    kernel = "arrays", grid = size, sizes = BLOCKS, block = 128, shared = 100 * (1 + 8 + 4),
    args = { "permuted", "numbers" }, output = "permuted", reference = shuffled,
    -- the three arrays, written by four warps; a warp may write flags for others, four at a time
    accept = { shared_bytes = 1.02, shared_stored = 1, shared_stores = 1.15,
      shared_load_requests = { at_least = 9 * BLOCKS[1],
        advice = "Read flags, values and places from the three arrays, each where it was stored." } },
    hints = {
      "At which bytes do the three arrays start now, and which of these offsets are multiples of 8?",
      "An array of 100 doubles ends at a multiple of 8, which is also a multiple of 4. An array of 100 bytes may not.",
      "Widest elements first: doubles, then ints, then chars. Declare the allocation itself as an array of double.",
    },
    debrief = [[
Sorted by element size, widest first, arrays need no padding, whatever their lengths. Declare the allocation with the
widest type: the compiler may place an extern char array at any byte. All extern shared arrays of a kernel start at
the same address, so two of them with different names are the same memory under two types.]],
  },
}

return lab.define {
  number = 12,
  id = "constant-and-texture",
  title = "Constant and texture memory",
  lecture = { "F10", "O24" },
  intro = [[
Besides registers, shared and global memory a GPU has memories for special purposes. Constant memory (64 KB, read-only
for kernels) has its own small cache, made for a word that a whole warp reads. Textures have a layout with 2-D
locality; texture units convert fractional and out-of-range coordinates into texels, with interpolation if you want.
Both date from a time when global memory had no cache. Now it has one, and this lab shows what each of them is still
good for.

The last steps partition dynamic shared memory, correctly and in three wrong ways.]],
  params = {
    n = { default = 4096, emulator = 512, small = 128, min = 32, max = 16384, multiple = 32,
      help = "rows and columns of the image read by rows and by columns",
      because = "the blocks are 32 × 8 threads and cover the image exactly" },
    m = { default = 1024, emulator = 256, small = 64, min = 32, max = 4096, multiple = 32,
      help = "rows and columns of the image that is rotated and repeated",
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
    results = { type = "float", count = function(p) return p.blocks * 128 end },
    taps = { type = "float", count = 32, fill = "random", seed = 7 },
    signal = { type = "float", count = function(p) return p.size * 256 + 32 end, fill = "random", seed = 8 },
    filtered = { type = "float", count = times(256) },
    large = { type = "float", count = function(p) return 4 * p.size * p.size end, fill = "random", seed = 9 },
    halved = { type = "float", count = function(p) return p.size * p.size end },
    entries = { type = "unsigned", count = 256, fill = "random", seed = 10 },
    pixels = { type = "unsigned", count = times(4096), fill = "random", seed = 11 },
    mapped = { type = "unsigned", count = times(4096) },
    numbers = { type = "double", count = times(100), fill = "random", seed = 13 },
    permuted = { type = "double", count = times(100) },
  },
  groups = {
    { id = "constant", title = "table lookups", baseline = "uniform", share = "of first",
      columns = { { header = { "accesses", "per load" }, of = "constant" }, "rate", "share", "verified" } },
    { id = "transpose", title = "image, n × n", baseline = "rows", share = "of rows",
      columns = { { header = { "sectors", "texture" }, of = "texture" }, "sectors", "rate", "share", "verified" } },
    { id = "blend", title = "image, m × m", baseline = "software", share = "of software",
      columns = { { header = { "texture", "requests" }, of = "texture_requests" }, "rate", "share", "verified" } },
    { id = "edge", title = "image, m × m", columns = { "rate", "verified" } },
    { id = "partitioned", title = "dynamic shared memory", columns = { "rate", "verified" } },
  },
  steps = (function()
    local all = {}
    for _, list in ipairs { constant_steps, image_steps, partition_steps } do
      for _, step in ipairs(list) do all[#all + 1] = step end
    end
    return all
  end)(),
  exercises = exercises,
}
