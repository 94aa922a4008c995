-- Lab 3: shared memory banks: how many wavefronts a warp's access takes, pattern by pattern, and what bank conflicts do
-- to a matrix transposition.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

local READS <const> = 512 -- per thread, as in kernels/banks.cu
local LANES <const> = 32

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- Patterns ----------------------------------------------------------------------------------------

-- What each thread of a pattern step sums: READS times the word that its lane reads. Every warp does the same.
local function sums(word_of_lane, data)
  return function(p, host)
    local row = {}
    for lane = 0, LANES - 1 do
      row[lane] = READS * host[data][word_of_lane(lane, p)]
    end
    local one = gpu.array(host[data].type, LANES)
    for lane = 0, LANES - 1 do
      one[lane] = data == "words" and row[lane] & 0xffffffff or row[lane]
    end
    return one:cycle(p.blocks * 256)
  end
end

-- A pattern step: reads of 4 bytes unless `wide`, wavefronts by generation ("1.x": per half-warp).
local function pattern(step)
  local wide = step.wide
  return {
    group = "patterns", id = step.id, title = step.title, text = step.text,
    kernel = { file = "banks.cu", name = step.kernel },
    grid = function(p) return p.blocks end, block = { LANES, 8 },
    args = wide and { "sums64", "words64" } or { "sums", "words" },
    output = wide and "sums64" or "sums",
    reference = sums(step.word, wide and "words64" or "words"), columns = LANES, alike = 120,
    useful_bytes = function(p) return p.blocks * 256 * READS * (wide and 8 or 4) end,
    useful_of = "shared memory", claims = step.claims,
    expect = step.wavefronts and { shared_load = step.wavefronts } or step.expect,
    predict = step.ask and { ask = step.ask, of = "shared_load", unit = "wavefronts" } or nil,
  }
end

local steps = {
  pattern {
    id = "row", title = "s[tid]", kernel = "offset<0>", wavefronts = 1,
    claims = { "O24.banks.cc1", "O24.banks.cc2" },
    word = function(lane) return lane end,
    text = [[
Thread i of a warp reads word i. Consecutive 32-bit words are in consecutive banks, so the 32 threads need one word
from each of 32 banks, and one wavefront delivers them all. The GTX 280 has 16 banks; there each half-warp is a
request of its own and uses every bank once. This row is the baseline. The rate counts the bytes that threads read
from shared memory; global memory has almost no work here.]],
  },
  pattern {
    id = "offset", title = "s[tid + 1]", kernel = "offset<1>", wavefronts = 1,
    claims = { "O24.banks.offset" },
    word = function(lane) return lane + 1 end,
    text = [[
The same, shifted by one word. In the global memory of cc 1.x a misaligned access was expensive. Shared memory has no
alignment rule: 32 consecutive words are in 32 different banks wherever they start. Only the assignment of banks to
threads changes. The slide “Access Patterns” says so, and it holds on every GPU.]],
  },
  pattern {
    id = "stride3", title = "s[tid * 3]", kernel = "stride<3>", wavefronts = 1,
    claims = { "O24.banks.odd" },
    ask = "How many wavefronts does a request take when thread i reads word 3 · i?",
    word = function(lane) return lane * 3 end,
    text = [[
Every third word. Thread i's word is in bank 3·i modulo the number of banks. That number is a power of two, and 3 is
odd. Does any bank come up twice among the 32 lanes? `why stride3` draws the answer, which is the same for every odd
stride, on 16 banks and on 32.]],
  },
  pattern {
    id = "stride2", title = "s[tid * 2]", kernel = "stride<2>", wavefronts = { ["1.x"] = 2, ["3.x"] = 1, ["else"] = 2 },
    claims = { "O24.banks.kepler" },
    ask = "How many wavefronts does a request take when thread i reads word 2 · i?",
    word = function(lane) return lane * 2 end,
    text = [[
Every second word: only the even banks are used. If threads need different words from the same bank, the access is
serialized. With n words in the worst bank this is an n-way bank conflict, and the request takes n wavefronts.

Note on the slide: it says that c = 2 is free of conflicts from cc 3.0 on. That was so on Kepler (3.x), whose banks
are 64 bits wide: by default, words i and i + 32 of one aligned segment of 64 words do not conflict. Maxwell (5.0)
returned to 32-bit banks. `why stride2` lists the generations.]],
  },
  pattern {
    id = "stride8", title = "s[tid * 8]", kernel = "stride<8>", wavefronts = { ["1.x"] = 8, ["3.x"] = 4, ["else"] = 8 },
    claims = { "O24.banks.serialized" },
    ask = "How many wavefronts does a request take when thread i reads word 8 · i?",
    word = function(lane) return lane * 8 end,
    text = [[
Every eighth word. How many banks are used, and how many different words does each of them have to deliver? In
general, the number of wavefronts for a stride of c words is the greatest common divisor of c and the number of banks
(except on Kepler). 16 and 32 banks give the same number here.]],
  },
  pattern {
    id = "stride32", title = "s[tid * 32]", kernel = "stride<32>",
    claims = { "O24.banks.serialized" },
    wavefronts = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 },
    word = function(lane) return lane * 32 end,
    text = [[
The worst case: all threads need different words from one bank, and the access is fully serialized. On the GTX 280
that is a 16-way conflict per half-warp, since Fermi a 32-way conflict per warp (16-way on Kepler). A column of an
array with 32 words per row is read this way; the transposition below does so. In `debug stride32`, `until 43` and
`view` show the bank of each lane.]],
  },
  pattern {
    id = "stride33", title = "s[tid * 33]", kernel = "stride<33>", wavefronts = 1,
    claims = { "O24.banks.odd" },
    ask = "How many wavefronts does a request take when thread i reads word 33 · i?",
    word = function(lane) return lane * 33 end,
    text = [[
A stride of 33 words instead of 32: apply the rule for odd strides. That is the whole idea of padding. Each row of the
array gets one unused word, which moves the words of a column to other banks.]],
  },
  pattern {
    id = "own", title = function(p) return ("own: s[tid * %d]"):format(p.c) end,
    claims = { "O24.banks.odd" },
    kernel = function(p) return ("stride<%d>"):format(p.c) end,
    expect = function(p)
      return { shared_load = { ["1.x"] = gcd(p.c, 16), ["3.x"] = false, ["else"] = gcd(p.c, 32) } }
    end,
    ask = "How many wavefronts does a request take when thread i reads word c · i?",
    word = function(lane, p) return lane * p.c end,
    text = [[
Choose your own stride, for example `set c=12`, then `run own`. Predict the number of wavefronts first. Which c up to
32 need exactly four? Every stride that conflicts on 32 banks also conflicts on 16: in both cases c is even.]],
  },
  pattern {
    id = "pairs", title = "s[tid / 2]", kernel = "share<2>", wavefronts = { ["1.x"] = 2, ["else"] = 1 },
    claims = { "O24.banks.same_word", "O24.banks.broadcast_cc1" },
    ask = "Two threads share each word. How many wavefronts does a request take?",
    word = function(lane) return lane // 2 end,
    text = [[
Each word is read by two neighboring threads. Reading the same word is never a conflict on cc 2.0 and later: the bank
fetches the word once and delivers it to every thread that needs it, whatever the other banks deliver. cc 1.x can
broadcast only one word per wavefront, in addition to one reader for each other bank. There the eight words that a
half-warp shares need two wavefronts.]],
  },
  pattern {
    id = "sixteen", title = "s[tid / 16]", kernel = "share<16>", wavefronts = 1,
    claims = { "O24.banks.broadcast_cc1" },
    word = function(lane) return lane // 16 end,
    text = [[
Sixteen threads share a word. On cc 1.x they are a whole half-warp, and the one broadcast of a wavefront reaches all
of them.

Note on the slide: it calls s[tid / c] conflict-free on cc 1.x if a multiple of 16 threads reads each word. For this
pattern that is right. It is not a rule for sharing in general: a half-warp in which one word has several readers,
and every other thread has a bank of its own, also takes one wavefront.]],
  },
  pattern {
    id = "broadcast", title = "s[0]", kernel = "share<32>", wavefronts = 1,
    claims = { "O24.banks.same_word" },
    word = function() return 0 end,
    text = [[
All threads read one word: a broadcast, one wavefront on every GPU. The bank delivers a single word, and all 32
threads get it, so expect the rate of s[tid].]],
  },
  pattern {
    id = "wide", title = "s[tid], 64 bits", kernel = "wide<1>", wide = true,
    claims = { "O24.banks.half_words" },
    wavefronts = { ["1.x"] = 4, ["3.x"] = 1, ["else"] = 2 },
    ask = "Thread i reads 64-bit word i. How many wavefronts does a request take?",
    word = function(lane) return lane end,
    text = [[
A 64-bit word occupies two banks, so a warp needs twice as many words as there are 32-bit banks. A wavefront cannot
deliver more than one word per bank. The additional time is for additional bytes, so it does not count as a conflict.
Kepler's 64-bit banks need one wavefront; with 32-bit accesses Kepler reaches only half of its shared-memory
bandwidth. cc 1.x splits the access into two requests with a stride of two words, each with 2-way conflicts: half the
rate. There, store the two halves in separate arrays.]],
  },
  pattern {
    id = "wide2", title = "s[tid * 2], 64 bits", kernel = "wide<2>", wide = true,
    claims = { "O24.banks.half_words" },
    wavefronts = { ["1.x"] = 8, ["3.x"] = 2, ["else"] = 4 },
    word = function(lane) return lane * 2 end,
    text = [[
Every second 64-bit word. With 32 banks of 32 bits, each half-warp of a 64-bit access has its own wavefronts. Its 16
threads need 16 pairs of banks, but their words are in only 8 different pairs: a 2-way conflict in each half. To find
conflicts, always count the stride in 32-bit words; here it is four.]],
  },
}

-- The transposition -------------------------------------------------------------------------------

-- A full warp reads or writes 128 aligned bytes: a segment per half-warp on cc 1.x, four sectors from 6.0 on.
local coalesced = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = 4 }

local function transposed(p, host) return host.idata:transpose(p.n, p.n) end

local function tile(step)
  return {
    group = "tile", id = step.id, title = step.title, text = step.text, claim = step.claim, claims = step.claims,
    kernel = { file = "transpose.cu", name = step.kernel },
    grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 },
    args = { "odata", "idata", "n" }, output = "odata",
    reference = step.reference, columns = "n",
    useful_bytes = function(p) return 2 * p.n * p.n * 4 end,
    expect = { shared_load = step.wavefronts, shared_store = 1, global_load = coalesced, global_store = coalesced },
    predict = step.predict,
  }
end

steps[#steps + 1] = tile {
  id = "copy", title = "copy in the tile", kernel = "copy_tile", claim = "F22.transpose.copy_tile", wavefronts = 1,
  reference = function(_, host) return host.idata end,
  text = [[
Each block copies a tile of 32 × 32 elements from one matrix to the other through shared memory, without transposing
it: row by row in, row by row out. This is the baseline for the transposition, because it moves the same bytes along
the same path. The lecture calls it copying within the block. The rate counts each element twice, once read and once
written.]],
}
steps[#steps + 1] = tile {
  id = "tile", title = "tile 32×32", kernel = "transpose_tile<32>", claim = "F22.transpose.tile32",
  claims = { "F22.transpose.conflict" },
  wavefronts = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 }, reference = transposed,
  predict = { ask = "How many wavefronts does a request take that reads a column of the tile?",
    of = "shared_load", unit = "wavefronts" },
  text = [[
Each warp now writes a row of the tile and reads a column, so global memory is accessed in whole rows on both sides. A
row of the tile has 32 words, so a column has the stride of s[tid * 32] above. A conflict slows the step down only as
far as shared memory becomes slower than global memory. On the GTX 280 it becomes just slower, and the rate drops by a
fifth. The faster global memory is relative to shared memory, the more a conflict costs.

Note on the slide: its “proportional” performance drop is that of the shared-memory access alone.]],
}
steps[#steps + 1] = tile {
  id = "padded", title = "tile 32×33", kernel = "transpose_tile<33>", claim = "F22.transpose.tile33", wavefronts = 1,
  reference = transposed,
  text = [[
Each row of the tile gets one padding word. A column now has a stride of 33 words: 32 different banks. The price is
128 bytes of shared memory per block. How close does the rate come to the copy? At n = 4096 something else limits the
rate on the GTX 280 (lab 4).

What to remember: different words in the same bank are serialized, the same word is broadcast. Odd strides are free of
conflicts. One padding word per row makes a column's stride odd.]],
}

-- Exercises ---------------------------------------------------------------------------------------

-- Small: they are about wavefronts per request, which do not depend on the size.
local BLOCKS <const> = { 64, 61, 1 }

local function side(p) return p.size end
local function square(p) return p.size * p.size end
local function blocks(p) return p.size end

local function per_block(n)
  return function(p) return n * p.size end
end

local exercise_buffers = {
  rows = { type = "float", count = per_block(1024), fill = inputs.whole("float", per_block(1024), -99999, 99999) },
  row_sums = { type = "float", count = per_block(32) },
  square = { type = "float", count = square, fill = "random", seed = 8 },
  transposed = { type = "float", count = square },
  numbers = { type = "unsigned", count = per_block(2048), fill = inputs.skewed(per_block(2048), 16) },
  counts = { type = "unsigned", count = per_block(16) },
  xs = { type = "float", count = per_block(128), fill = "random", seed = 3 },
  ys = { type = "float", count = per_block(128), fill = "random", seed = 4 },
  zs = { type = "float", count = per_block(128), fill = "random", seed = 5 },
  masses = { type = "float", count = per_block(128), fill = "random", seed = 6 },
  pull = { type = "float", count = per_block(128) },
}

local function with_exercise_buffers(buffers)
  for name, buffer in pairs(exercise_buffers) do buffers[name] = buffer end
  return buffers
end

local function sums_of_rows(p, host)
  local want = gpu.array("float", p.size * 32)
  for row = 0, #want - 1 do
    local sum = 0
    for k = row * 32, row * 32 + 31 do sum = sum + host.rows[k] end
    want[row] = sum
  end
  return want
end

local function histograms(p, host)
  local want = gpu.array("unsigned", p.size * 16)
  for i = 0, #host.numbers - 1 do
    local at = i // 2048 * 16 + host.numbers[i] % 16
    want[at] = want[at] + 1
  end
  return want
end

local function pulls(p, host)
  local want = gpu.array("float", p.size * 128)
  for i = 0, #want - 1 do
    local other = i // 128 * 128 + (i + 2) % 128
    local dx, dy, dz = host.xs[other] - host.xs[i], host.ys[other] - host.ys[i], host.zs[other] - host.zs[i]
    want[i] = host.masses[other] * host.masses[i] / (dx * dx + dy * dy + dz * dz + 1)
  end
  return want
end

local exercises = {
  {
    id = "row-sums", title = "Row sums without conflicts", claims = { "F22.transpose.conflict" },
    task = [[
A warp sums the 32 rows of a tile, one row per thread. Thread i reads word i * 32 + k, so for every k all threads
access the same bank. Keep the sums, but let every request take a single wavefront.]],
    starter = "exercises/03-row-sums/row_sums.cu", solution = "solutions/03-row-sums/row_sums.cu", kernel = "row_sums",
    grid = blocks, sizes = BLOCKS, block = 32, args = { "row_sums", "rows" }, output = "row_sums",
    reference = sums_of_rows,
    accept = { bank_conflicts = 1, wavefronts = 1.25, staged = 0.7, tile_words = 1 },
    hints = {
      "Which words do the 32 threads read at k = 0, and what is their stride? Look at `why tile` in this lab.",
      "An odd stride between the words of neighboring threads never conflicts. Here the stride is the row length of "
        .. "the tile.",
      "Declare the tile as tile[ROW][ROW + 1] and change nothing else. Or keep the tile and let thread i start at "
        .. "column i: (k + i) % ROW instead of k.",
    },
    debrief = [[
There are two solutions. One padding word per row makes the stride 33, as in the transposition, for 128 bytes of
shared memory. Starting each thread at a different column needs no padding, only an addition and a mask. It changes
the order of the additions from thread to thread, which for floats may change the last bits of a sum. With either
solution the 32 words of a request are in 32 banks.]],
  },
  {
    id = "swizzle", title = "Transpose without padding",
    task = [[
The block has 32 × 32 words of dynamic shared memory and not one more, as when shared memory limits the number of
blocks per SM. (`extern __shared__` declares it without a size; the launch sets the size. An array that is declared
with a size is static shared memory, in addition to it.) Transpose without bank conflicts and without padding.]],
    starter = "exercises/03-swizzle/swizzle.cu", solution = "solutions/03-swizzle/swizzle.cu", kernel = "transpose",
    grid = function(p) return { p.size // 32, p.size // 32 } end, block = { 32, 8 }, shared = 32 * 32 * 4,
    args = { "transposed", "square", side }, output = "transposed", columns = side, sizes = { 256, 96, 64, 32 },
    reference = function(p, host) return host.square:transpose(p.size, p.size) end,
    accept = { shared_bytes = 1, bank_conflicts = 1, wavefronts = 1.25, staged = 0.7, tile_words = 1,
      busiest_words = 1.5 },
    hints = {
      "Padding shifts each row by one bank relative to the row above. Can you shift a row without making it longer?",
      "An element may be stored in any column of its row, as long as no two share one, and both loops agree. The "
        .. "column has to depend on the row.",
      "Exclusive or permutes the 32 columns of a row: use column ^ row. (column + row) % TILE works as well.",
    },
    debrief = [[
This is called swizzling. CUTLASS lays out its tiles this way, and since Hopper the Tensor Memory Accelerator (TMA)
can swizzle while it copies. No memory is wasted, the row length stays a power of two, and the exclusive or is one
instruction. It works because for a fixed row the mapping from column to position is one to one, and for a fixed
column the mapping from row to position is one to one as well. The rotation (column + row) % 32 has the same two
properties.]],
  },
  {
    id = "histogram", title = "Private counters per thread",
    task = [[
Each thread counts into its own 16 counters, so no two threads update the same one; then each bin is summed.
The table has one row of 16 words per thread, so all counters of a bin are in only two banks, and the number of
wavefronts depends on the data. Change the layout so that every request takes one wavefront, whatever the data. Then
look at the second loop, too.]],
    starter = "exercises/03-histogram/histogram.cu", solution = "solutions/03-histogram/histogram.cu",
    kernel = "histogram", grid = blocks, sizes = BLOCKS, block = 64, args = { "counts", "numbers" }, output = "counts",
    reference = histograms, columns = 16,
    -- xor instead of a transposed table is honest
    accept = { bank_conflicts = 1, wavefronts = 1.25, staged = 0.7, tile_words = 1, idle_warps = 1.2 },
    hints = {
      "Which bank does thread t hit when it counts into bin b, and what can you not know about b?",
      "Swap the dimensions, counts[BINS][THREADS]: then the bank depends on the thread alone. Run `check` again and "
        .. "see which line still conflicts.",
      "In the second loop the 16 threads now read, at each i, with a stride of 64 words: one column, one bank. Let "
        .. "thread t start at column t: counts[tid][(i + tid) % THREADS].",
    },
    debrief = [[
If the index depends on data, padding does not help: conflicts come and go with the numbers. Let the thread alone
determine the bank, by storing the counters of neighboring threads next to each other. Then the second loop has the
conflict: its threads read with a stride of 64 words. Starting each thread at a different column removes it. Real
histograms have more bins than fit this way; they use atomics on one table per warp or block.]],
  },
  {
    id = "aos", title = "Array of structures in shared memory",
    task = [[
A body has a position and a mass: four words. In an array of structures neighboring threads read the same component
with a stride of four words, and each of the four reads takes four wavefronts. Change the layout in shared memory so
that writing the 512 words of a block and reading them take at most 16 wavefronts each (20 for a structure that is
padded to five words and copied whole).]],
    starter = "exercises/03-aos/aos.cu", solution = "solutions/03-aos/aos.cu",
    kernel = "neighbors", grid = blocks, sizes = BLOCKS, block = 128, args = { "pull", "xs", "ys", "zs", "masses" },
    output = "pull",
    reference = pulls, tolerance = { relative = 1e-5 },
    accept = { shared_load_wavefronts = 1.1, shared_store_wavefronts = 1.25, staged = 0.7, tile_words = 1,
      busiest_words = 1.5 },
    hints = {
      "What is the stride in words between bodies[t].x and bodies[t + 1].x?",
      "The four components of a body do not have to be adjacent. What if all the x were adjacent?",
      "Declare xs[BODIES], ys[BODIES], zs[BODIES], and masses[BODIES] and read xs[other] and so on. A structure of "
        .. "five words works as well.",
    },
    debrief = [[
In a structure of arrays every component is a plain s[tid]. Two other layouts pass as well: a fifth, unused word makes
the stride odd; and an array of float4 is read with one 16-byte load per thread: a request of four wavefronts, but for
four times the words. So judge by wavefronts per word, not by wavefronts per request. Lab 2 has the same choice for
global memory.]],
  },
}

return lab.define {
  number = 3,
  id = "bank-conflicts",
  title = "Shared memory banks",
  lecture = { "F22", "F24", "O24" },
  intro = [[
Shared memory is divided into banks that work in parallel: 16 on compute capability (cc) 1.x, where a request is a
half-warp, and 32 since Fermi (2.0), where it is a warp. Consecutive 32-bit words are in consecutive banks. In one
wavefront, a bank delivers one word. Since cc 2.0, any number of threads can receive it. The bank with the most
different words to deliver determines the number of wavefronts.

The first steps read one array in different patterns. The last three repeat the lecture's measurements with a matrix.]],
  params = {
    n = { default = 4000, small = 256, min = 32, max = 46336, multiple = 32, help = "rows and columns of the matrix",
      because = "the kernels move whole tiles of 32 × 32 and index elements with an int" },
    c = { default = 6, min = 1, max = 96, help = "stride in words between neighboring threads in the step own",
      because = "an array of 32 · c words has to fit in the 16 KB of shared memory of a GTX 280" },
    blocks = { default = 3168, small = 16, min = 1, max = 65535, help = "blocks of 256 threads in the pattern steps" },
  },
  buffers = with_exercise_buffers {
    words = { type = "unsigned", count = 32 * 96, fill = "random", seed = 3 },
    sums = { type = "unsigned", count = function(p) return p.blocks * 256 end },
    words64 = { type = "unsigned long long", count = 32 * 96, fill = "random", seed = 3 },
    sums64 = { type = "unsigned long long", count = function(p) return p.blocks * 256 end },
    -- Up to 4096² every element of the matrix is a different float; beyond, floats run out and neighboring elements
    -- would be equal.
    idata = { type = "float", count = function(p) return p.n * p.n end, seed = 3,
      fill = function(p) return p.n <= 4096 and "iota" or "random" end },
    odata = { type = "float", count = function(p) return p.n * p.n end },
  },
  groups = {
    { id = "patterns", title = "access pattern", baseline = "row", share = "of s[tid]",
      columns = { "wavefronts", "model", "rate", "share", "verified" } },
    { id = "tile", title = "matrix", baseline = "copy", share = "of copy" },
  },
  steps = steps,
  plots = {
    { id = "stride", title = "Wavefronts over the stride of the words that a warp reads",
      claims = { "O24.banks.odd", "O24.banks.serialized" },
      x = { param = "c", from = 1, to = 33, step = 1, label = "c in s[tid * c]" }, steps = { "own" }, y = "wavefronts",
      y_label = "wavefronts", with = { blocks = 132 }, text = [[
One wavefront at every odd stride. At even strides, as many as the greatest common divisor of the stride and the
number of banks (except on Kepler).]] },
  },
  exercises = exercises,
}
