-- Lab 3: how the banks of shared memory serve a warp, pattern by pattern, and what that does to a matrix
-- transposition.
local lab = require "gpulab.lab"

local READS <const> = 512 -- by each thread, as in kernels/banks.cu
local LANES <const> = 32

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- Patterns ----------------------------------------------------------------------------------------

-- What each thread of a pattern step adds up: READS times the word that its lane reads. Every warp does the same.
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

-- A pattern step: reads of 4 bytes unless `wide`, passes by generation ("1.x": for each half-warp).
local function pattern(step)
  local wide = step.wide
  return {
    group = "patterns", id = step.id, title = step.title, text = step.text,
    kernel = { file = "banks.cu", name = step.kernel },
    grid = function(p) return p.blocks end, block = { LANES, 8 },
    args = wide and { "sums64", "words64" } or { "sums", "words" },
    output = wide and "sums64" or "sums",
    reference = sums(step.word, wide and "words64" or "words"), columns = LANES,
    useful_bytes = function(p) return p.blocks * 256 * READS * (wide and 8 or 4) end,
    useful_of = "shared memory",
    expect = step.passes and { shared_load = step.passes } or step.expect,
  }
end

local steps = {
  pattern {
    id = "row", title = "s[tid]", kernel = "offset<0>", passes = 1,
    word = function(lane) return lane end,
    text = [[
Thread i of a warp reads word i. Consecutive words lie in consecutive banks, so that 32 threads ask 32 banks for one
word each, and all are served at once. On the GTX 280, which has 16 banks, the two halves of a warp are requests of
their own and each finds a bank for every thread. This is what the other patterns are measured against. The rate counts
the bytes that threads get from shared memory; global memory has next to nothing to do here.]],
  },
  pattern {
    id = "offset", title = "s[tid + 1]", kernel = "offset<1>", passes = 1,
    word = function(lane) return lane + 1 end,
    text = [[
The same, one word further on. In the global memory of that time an access off its alignment was dear. Banks do not
mind: 32 consecutive words lie in 32 different banks wherever they begin; only who gets which bank has changed. The
slide “Access Patterns” says so, and it holds on every GPU.]],
  },
  pattern {
    id = "stride3", title = "s[tid * 3]", kernel = "stride<3>", passes = 1,
    word = function(lane) return lane * 3 end,
    text = [[
Every third word. Thread i finds its word in bank 3·i modulo the number of banks. The number of banks is a power of
two and 3 is odd, so no two threads meet before all banks have been used: an odd distance never conflicts, on 16 banks
or on 32. Look at the picture that `why stride3` draws: the lanes go three times round the banks and each time land in
the gaps.]],
  },
  pattern {
    id = "stride2", title = "s[tid * 2]", kernel = "stride<2>", passes = { ["1.x"] = 2, ["3.x"] = 1, ["else"] = 2 },
    word = function(lane) return lane * 2 end,
    text = [[
Every second word. Only the even banks are asked, each for two different words, and it takes two passes to fetch them:
a 2-way conflict, half the speed. The slide says that from compute capability 3.0 on c = 2 is free. That was so on
Kepler (3.x), whose banks were 64 bits wide and gave out words i and i + 32 together. Maxwell (5.0) went back to banks
of 32 bits, and on every GPU since, c = 2 costs two passes again. `why stride2` lists the generations.]],
  },
  pattern {
    id = "stride8", title = "s[tid * 8]", kernel = "stride<8>", passes = { ["1.x"] = 8, ["3.x"] = 4, ["else"] = 8 },
    word = function(lane) return lane * 8 end,
    text = [[
Every eighth word: four of 32 banks do all the work, eight words each. For a distance c the number of passes is the
greatest common divisor of c and the number of banks. Here that is 8 both with 16 banks (a half-warp on two of them)
and with 32.]],
  },
  pattern {
    id = "stride32", title = "s[tid * 32]", kernel = "stride<32>",
    passes = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 },
    word = function(lane) return lane * 32 end,
    text = [[
The worst there is: all threads want different words of one bank, and are served one after the other. On the GTX 280
that is 16 passes for each half-warp, today 32 for a warp. A column of an array with 32 words a row is read this way;
the transposition below does so.]],
  },
  pattern {
    id = "stride33", title = "s[tid * 33]", kernel = "stride<33>", passes = 1,
    word = function(lane) return lane * 33 end,
    text = [[
One word more from thread to thread, and 33 is odd: no conflict. This is all there is to padding. A row of the array
gets one word that nobody uses, and its columns are spread over all the banks.]],
  },
  pattern {
    id = "own", title = function(p) return ("s[tid * %d], your c"):format(p.c) end,
    kernel = function(p) return ("stride<%d>"):format(p.c) end,
    expect = function(p)
      return { shared_load = { ["1.x"] = gcd(p.c, 16), ["3.x"] = false, ["else"] = gcd(p.c, 32) } }
    end,
    word = function(lane, p) return lane * p.c end,
    text = [[
A distance of your own: `set c=12`, then `run own`. Say first how many passes it will take. Which c up to 32 give
exactly four? Is there a c that conflicts with 32 banks and not with 16?]],
  },
  pattern {
    id = "pairs", title = "s[tid / 2]", kernel = "share<2>", passes = { ["1.x"] = 2, ["else"] = 1 },
    word = function(lane) return lane // 2 end,
    text = [[
Two neighbours read the same word. The same word is never a conflict in itself: since Fermi a bank fetches it once and
gives it to all who asked, whichever words the other banks are busy with. GPUs of compute capability 1.x could give out
only one such word in a pass, besides one reader for each other bank. So there the eight words that a half-warp shares
by twos take two passes.]],
  },
  pattern {
    id = "sixteen", title = "s[tid / 16]", kernel = "share<16>", passes = 1,
    word = function(lane) return lane // 16 end,
    text = [[
Sixteen threads share a word. On 1.x that is a whole half-warp, which the one broadcast of a pass serves: the case in
which the slide calls s[tid / c] free of conflicts there, c a multiple of 16. For s[tid / c] that is right. It is no
rule for sharing in general: a half-warp in which only one word has several readers, and all others a bank to
themselves, was served in one pass as well.]],
  },
  pattern {
    id = "broadcast", title = "s[0]", kernel = "share<32>", passes = 1,
    word = function() return 0 end,
    text = [[
All threads read one word: a broadcast, one pass on every GPU. It moves a single word and still gives 32 threads theirs,
so the rate is that of s[tid], although 31 banks rest.]],
  },
  pattern {
    id = "wide", title = "s[tid], 64 bits", kernel = "wide<1>", wide = true,
    passes = { ["1.x"] = 4, ["3.x"] = 1, ["else"] = 2 },
    word = function(lane) return lane end,
    text = [[
Words of 64 bits lie in two banks each. A warp wants 64 banks' worth and gets it in two passes, one for each half-warp:
twice the time for twice the bytes, so nothing is lost and it counts as no conflict. Kepler's wide banks did it in one.
On 1.x the two halves of the words were fetched apart, each at a distance of two: 2-way conflicts, half the speed; there
it paid to keep the halves in two arrays.]],
  },
  pattern {
    id = "wide2", title = "s[tid * 2], 64 bits", kernel = "wide<2>", wide = true,
    passes = { ["1.x"] = 8, ["3.x"] = 2, ["else"] = 4 },
    word = function(lane) return lane * 2 end,
    text = [[
Every second of them. Now half-warps conflict within themselves: 16 threads ask for 16 pairs of banks, but only 8
different ones. Four passes where two would do. What counts is always the distance in words of 32 bits, and here it
is 4.]],
  },
}

-- The transposition -------------------------------------------------------------------------------

-- A full warp reads or writes 128 aligned bytes: a segment for each half-warp on cc 1.x, four sectors from 6.0 on.
local coalesced = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = 4 }

local function transposed(p, host) return host.idata:transpose(p.n, p.n) end

local function tile(step)
  return {
    group = "tile", id = step.id, title = step.title, text = step.text, claim = step.claim,
    kernel = { file = "transpose.cu", name = step.kernel },
    grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 },
    args = { "odata", "idata", "n" }, output = "odata",
    reference = step.reference, columns = "n",
    useful_bytes = function(p) return 2 * p.n * p.n * 4 end,
    expect = { shared_load = step.passes, shared_store = 1, global_load = coalesced, global_store = coalesced },
  }
end

steps[#steps + 1] = tile {
  id = "copy", title = "copy in the tile", kernel = "copy_tile", claim = "F22.transpose.copy_tile", passes = 1,
  reference = function(_, host) return host.idata end,
  text = [[
Each block carries a tile of 32 × 32 elements from one matrix to the other by way of shared memory, and turns nothing
round: row by row in, row by row out. That is the mark for the transposition, because it moves the same bytes through
the same places. The lecture calls it copying within the block. The rate counts each element twice, once read and once
written.]],
}
steps[#steps + 1] = tile {
  id = "tile", title = "tile 32×32", kernel = "transpose_tile<32>", claim = "F22.transpose.tile32",
  passes = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 }, reference = transposed,
  text = [[
Now the tile is written by rows and read by columns, so that global memory sees whole rows on both sides. A row of the
tile has 32 words: the words of a column are 32 apart, and all of them lie in one bank. That is s[tid * 32] from above,
16-way on the GTX 280 as the slide says, and 32-way on GPUs with 32 banks. The step does not become 16 or 32 times
slower. Global memory takes most of the time, and a conflict hurts only as far as shared memory becomes the slower of
the two; the slide's “proportional” is meant for the access alone.]],
}
steps[#steps + 1] = tile {
  id = "padded", title = "tile 32×33", kernel = "transpose_tile<33>", claim = "F22.transpose.tile33", passes = 1,
  reference = transposed,
  text = [[
The tile gets a column that nobody uses. The words of a column are now 33 apart and lie in 32 different banks: one
character changed in the kernel, and the transposition comes close to the copy. It costs 128 bytes of shared memory a
block. Run it at n = 4096 too: the banks have the same to do, but on the GTX 280 something else then sets the speed.
That is lab 4.]],
}

return lab.define {
  number = 3,
  id = "bank-conflicts",
  title = "Shared memory banks",
  lecture = { "F22", "F24", "O24" },
  intro = [[
Shared memory is made of banks that work side by side: 16 of them on GPUs of compute capability 1.x, where half a warp
asks at a time, 32 since Fermi, where a whole warp does. Consecutive words of 32 bits belong to consecutive banks. In
one pass a bank hands out one word, to as many threads as want it. Threads of a warp that want different words from the
same bank are in conflict, and the warp waits for as many passes (the profiler says wavefronts) as its busiest bank
needs.

The first steps read one array in different ways and do nothing else. The last three carry a matrix through shared
memory, and set the lecture's three numbers for the GTX 280 beside what the same kernels do now.]],
  params = {
    n = { default = 4000, min = 32, max = 46336, multiple = 32, help = "rows and columns of the matrix",
      because = "the kernels move whole tiles of 32 × 32 and index elements with an int" },
    c = { default = 6, min = 1, max = 96, help = "distance in words between neighbouring threads in the step own",
      because = "an array of 32 · c words has to fit the 16 KB of shared memory of a GTX 280" },
    blocks = { default = 3168, min = 1, max = 65535, help = "blocks of 256 threads in the pattern steps" },
  },
  buffers = {
    words = { type = "unsigned", count = 32 * 96, fill = "random", seed = 3 },
    sums = { type = "unsigned", count = function(p) return p.blocks * 256 end },
    words64 = { type = "unsigned long long", count = 32 * 96, fill = "random", seed = 3 },
    sums64 = { type = "unsigned long long", count = function(p) return p.blocks * 256 end },
    -- Up to 4096² every element of the matrix is a different float; beyond, floats run out and neighbours would be
    -- alike.
    idata = { type = "float", count = function(p) return p.n * p.n end, seed = 3,
      fill = function(p) return p.n <= 4096 and "iota" or "random" end },
    odata = { type = "float", count = function(p) return p.n * p.n end },
  },
  groups = {
    { id = "patterns", title = "one array", baseline = "row", share = "of s[tid]",
      columns = { "passes", "model", "rate", "share", "verified" } },
    { id = "tile", title = "matrix", baseline = "copy", share = "of copy" },
  },
  steps = steps,
}
