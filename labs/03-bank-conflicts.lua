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
    useful_of = "shared memory", claims = step.claims,
    expect = step.passes and { shared_load = step.passes } or step.expect,
    predict = step.ask and { ask = step.ask, of = "shared_load", unit = "passes" } or nil,
  }
end

local steps = {
  pattern {
    id = "row", title = "s[tid]", kernel = "offset<0>", passes = 1,
    claims = { "O24.banks.cc1", "O24.banks.cc2" },
    word = function(lane) return lane end,
    text = [[
Thread i of a warp reads word i. Consecutive words lie in consecutive banks, so that 32 threads ask 32 banks for one
word each, and all are served at once. On the GTX 280, which has 16 banks, the two halves of a warp are requests of
their own and each finds a bank for every thread. This is what the other patterns are measured against. The rate counts
the bytes that threads get from shared memory; global memory has next to nothing to do here.]],
  },
  pattern {
    id = "offset", title = "s[tid + 1]", kernel = "offset<1>", passes = 1,
    claims = { "O24.banks.offset" },
    word = function(lane) return lane + 1 end,
    text = [[
The same, one word further on. In the global memory of that time an access off its alignment was dear. Banks do not
mind: 32 consecutive words lie in 32 different banks wherever they begin; only who gets which bank has changed. The
slide “Access Patterns” says so, and it holds on every GPU.]],
  },
  pattern {
    id = "stride3", title = "s[tid * 3]", kernel = "stride<3>", passes = 1,
    claims = { "O24.banks.odd" },
    ask = "How many passes does a request take when thread i reads word 3 · i?",
    word = function(lane) return lane * 3 end,
    text = [[
Every third word. Thread i finds its word in bank 3·i modulo the number of banks. The number of banks is a power of
two and 3 is odd, so no two threads meet before all banks have been used: an odd distance never conflicts, on 16 banks
or on 32. Look at the picture that `why stride3` draws: the lanes go three times round the banks and each time land in
the gaps.]],
  },
  pattern {
    id = "stride2", title = "s[tid * 2]", kernel = "stride<2>", passes = { ["1.x"] = 2, ["3.x"] = 1, ["else"] = 2 },
    claims = { "O24.banks.kepler" },
    ask = "How many passes does a request take when thread i reads word 2 · i?",
    word = function(lane) return lane * 2 end,
    text = [[
Every second word. Only the even banks are asked, each for two different words, and it takes two passes to fetch them:
a 2-way conflict, half the speed. The slide says that from compute capability 3.0 on c = 2 is free. That was so on
Kepler (3.x), whose banks were 64 bits wide and gave out words i and i + 32 together. Maxwell (5.0) went back to banks
of 32 bits, and on every GPU since, c = 2 costs two passes again. `why stride2` lists the generations.]],
  },
  pattern {
    id = "stride8", title = "s[tid * 8]", kernel = "stride<8>", passes = { ["1.x"] = 8, ["3.x"] = 4, ["else"] = 8 },
    claims = { "O24.banks.serialized" },
    ask = "How many passes does a request take when thread i reads word 8 · i?",
    word = function(lane) return lane * 8 end,
    text = [[
Every eighth word: four of 32 banks do all the work, eight words each. For a distance c the number of passes is the
greatest common divisor of c and the number of banks. Here that is 8 both with 16 banks (a half-warp on two of them)
and with 32.]],
  },
  pattern {
    id = "stride32", title = "s[tid * 32]", kernel = "stride<32>",
    claims = { "O24.banks.serialized" },
    passes = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 },
    word = function(lane) return lane * 32 end,
    text = [[
The worst there is: all threads want different words of one bank, and are served one after the other. On the GTX 280
that is 16 passes for each half-warp, today 32 for a warp. A column of an array with 32 words a row is read this way;
the transposition below does so.]],
  },
  pattern {
    id = "stride33", title = "s[tid * 33]", kernel = "stride<33>", passes = 1,
    claims = { "O24.banks.odd" },
    ask = "How many passes does a request take when thread i reads word 33 · i?",
    word = function(lane) return lane * 33 end,
    text = [[
One word more from thread to thread, and 33 is odd: no conflict. This is all there is to padding. A row of the array
gets one word that nobody uses, and its columns are spread over all the banks.]],
  },
  pattern {
    id = "own", title = function(p) return ("s[tid * %d], your c"):format(p.c) end,
    claims = { "O24.banks.odd" },
    kernel = function(p) return ("stride<%d>"):format(p.c) end,
    expect = function(p)
      return { shared_load = { ["1.x"] = gcd(p.c, 16), ["3.x"] = false, ["else"] = gcd(p.c, 32) } }
    end,
    ask = "How many passes does a request take when thread i reads word c · i?",
    word = function(lane, p) return lane * p.c end,
    text = [[
A distance of your own: `set c=12`, then `run own`. Say first how many passes it will take. Which c up to 32 give
exactly four? Is there a c that conflicts with 32 banks and not with 16?]],
  },
  pattern {
    id = "pairs", title = "s[tid / 2]", kernel = "share<2>", passes = { ["1.x"] = 2, ["else"] = 1 },
    claims = { "O24.banks.same_word", "O24.banks.broadcast_cc1" },
    ask = "Two threads share each word. How many passes does a request take?",
    word = function(lane) return lane // 2 end,
    text = [[
Two neighbours read the same word. The same word is never a conflict in itself: since Fermi a bank fetches it once and
gives it to all who asked, whichever words the other banks are busy with. GPUs of compute capability 1.x could give out
only one such word in a pass, besides one reader for each other bank. So there the eight words that a half-warp shares
by twos take two passes.]],
  },
  pattern {
    id = "sixteen", title = "s[tid / 16]", kernel = "share<16>", passes = 1,
    claims = { "O24.banks.broadcast_cc1" },
    word = function(lane) return lane // 16 end,
    text = [[
Sixteen threads share a word. On 1.x that is a whole half-warp, which the one broadcast of a pass serves: the case in
which the slide calls s[tid / c] free of conflicts there, c a multiple of 16. For s[tid / c] that is right. It is no
rule for sharing in general: a half-warp in which only one word has several readers, and all others a bank to
themselves, was served in one pass as well.]],
  },
  pattern {
    id = "broadcast", title = "s[0]", kernel = "share<32>", passes = 1,
    claims = { "O24.banks.same_word" },
    word = function() return 0 end,
    text = [[
All threads read one word: a broadcast, one pass on every GPU. It moves a single word and still gives 32 threads theirs,
so the rate is that of s[tid], although 31 banks rest.]],
  },
  pattern {
    id = "wide", title = "s[tid], 64 bits", kernel = "wide<1>", wide = true,
    claims = { "O24.banks.half_words" },
    passes = { ["1.x"] = 4, ["3.x"] = 1, ["else"] = 2 },
    ask = "Thread i reads 64-bit word i. How many passes does a request take?",
    word = function(lane) return lane end,
    text = [[
Words of 64 bits lie in two banks each. A warp wants 64 banks' worth and gets it in two passes, one for each half-warp:
twice the time for twice the bytes, so nothing is lost and it counts as no conflict. Kepler's wide banks did it in one.
On 1.x the two halves of the words were fetched apart, each at a distance of two: 2-way conflicts, half the speed; there
it paid to keep the halves in two arrays.]],
  },
  pattern {
    id = "wide2", title = "s[tid * 2], 64 bits", kernel = "wide<2>", wide = true,
    claims = { "O24.banks.half_words" },
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
    group = "tile", id = step.id, title = step.title, text = step.text, claim = step.claim, claims = step.claims,
    kernel = { file = "transpose.cu", name = step.kernel },
    grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 },
    args = { "odata", "idata", "n" }, output = "odata",
    reference = step.reference, columns = "n",
    useful_bytes = function(p) return 2 * p.n * p.n * 4 end,
    expect = { shared_load = step.passes, shared_store = 1, global_load = coalesced, global_store = coalesced },
    predict = step.predict,
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
  claims = { "F22.transpose.conflict" },
  passes = { ["1.x"] = 16, ["3.x"] = 16, ["else"] = 32 }, reference = transposed,
  predict = { ask = "What part of the copy's rate is left when every read of a column takes 16 or 32 passes, in %?",
    of = "share", unit = "%", within = 20 },
  text = [[
Now the tile is written by rows and read by columns, so that global memory sees whole rows on both sides. A row of the
tile has 32 words: the words of a column are 32 apart, and all of them lie in one bank. That is s[tid * 32] from above,
16-way on the GTX 280 as the slide says, and 32-way on GPUs with 32 banks. The step does not become 16 or 32 times
slower: a conflict hurts only as far as shared memory becomes the slower of the two. On the GTX 280 global memory still
takes most of the time; an H200's is so fast that little more than a third of the copy's rate is left. The slide's
“proportional” is meant for the access alone.]],
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

-- Exercises ---------------------------------------------------------------------------------------

-- Small, and of one size: they are about passes, which do not depend on how much there is to do.
local BLOCKS <const>, SIDE <const> = 64, 256

local exercise_buffers = {
  rows = { type = "float", count = BLOCKS * 32 * 32, fill = "iota" },
  row_sums = { type = "float", count = BLOCKS * 32 },
  square = { type = "float", count = SIDE * SIDE, fill = "iota" },
  turned = { type = "float", count = SIDE * SIDE },
  numbers = { type = "unsigned", count = BLOCKS * 2048, fill = "random", seed = 3 },
  counts = { type = "unsigned", count = BLOCKS * 16 },
  xs = { type = "float", count = BLOCKS * 128, fill = "random", seed = 3 },
  ys = { type = "float", count = BLOCKS * 128, fill = "random", seed = 4 },
  zs = { type = "float", count = BLOCKS * 128, fill = "random", seed = 5 },
  masses = { type = "float", count = BLOCKS * 128, fill = "random", seed = 6 },
  pull = { type = "float", count = BLOCKS * 128 },
}

local function with_those_of_exercises(buffers)
  for name, buffer in pairs(exercise_buffers) do buffers[name] = buffer end
  return buffers
end

local function sums_of_rows(_, host)
  local want = gpu.array("float", BLOCKS * 32)
  for row = 0, #want - 1 do
    local sum = 0
    for k = row * 32, row * 32 + 31 do sum = sum + host.rows[k] end
    want[row] = sum
  end
  return want
end

local function histograms(_, host)
  local want = gpu.array("unsigned", BLOCKS * 16)
  for i = 0, #host.numbers - 1 do
    local at = i // 2048 * 16 + host.numbers[i] % 16
    want[at] = want[at] + 1
  end
  return want
end

local function pulls(_, host)
  local want = gpu.array("float", BLOCKS * 128)
  for i = 0, #want - 1 do
    local other = i // 128 * 128 + (i + 2) % 128
    local dx, dy, dz = host.xs[other] - host.xs[i], host.ys[other] - host.ys[i], host.zs[other] - host.zs[i]
    want[i] = host.masses[other] * host.masses[i] / (dx * dx + dy * dy + dz * dz + 1)
  end
  return want
end

local no_conflicts = { shared_load = { at_most = 1.05 }, shared_store = { at_most = 1.05 },
  global_load = { at_most = 4.05 } }

local exercises = {
  {
    id = "row-sums", title = "Row sums without conflicts", claims = { "F22.transpose.conflict" },
    task = [[
A warp adds up the 32 rows of a tile, a row each. Thread i reads word i * 32 + k: for every k all threads want a word of
the same bank. The sums shall come out the same, with one pass for each request.]],
    starter = "exercises/03-row-sums/row_sums.cu", solution = "solutions/03-row-sums/row_sums.cu", kernel = "row_sums",
    grid = BLOCKS, block = 32, args = { "row_sums", "rows" }, output = "row_sums", reference = sums_of_rows,
    gate = no_conflicts,
    hints = {
      "Which words do the 32 threads ask for at k = 0, and how far apart are they? Look at `why tile` in this lab.",
      "An odd distance between the words of neighbouring threads never conflicts. What sets that distance here is the "
        .. "length of a row of the tile.",
      "Declare the tile as tile[ROW][ROW + 1] and change nothing else. Or leave it as it is and let thread i begin in "
        .. "column i: (k + i) % ROW instead of k.",
    },
    debrief = [[
Two ways lead there. A spare word a row makes the distance 33, as in the transposition, for 128 bytes of shared memory.
Beginning with another column in each thread needs no spare word, only an addition and a mask, but it changes the order
of the additions from thread to thread, which for floats may change the last bits of a sum. Both spread the same 32
words over all banks; what the threads add up has not changed, only when.]],
  },
  {
    id = "turn", title = "A transposition without a spare word",
    task = [[
The tile is full: 32 × 32 words and not one more, as happens when shared memory is what limits the number of blocks on
an SM. Transpose without conflicts all the same. All that has to change is where in its row an element is kept.]],
    starter = "exercises/03-turn/turn.cu", solution = "solutions/03-turn/turn.cu", kernel = "turn",
    grid = { SIDE // 32, SIDE // 32 }, block = { 32, 8 }, shared = 32 * 32 * 4, args = { "turned", "square", SIDE },
    output = "turned", reference = function(_, host) return host.square:transpose(SIDE, SIDE) end, columns = SIDE,
    gate = no_conflicts,
    hints = {
      "Padding moves each row one bank further than the row above. Can a row be moved without getting longer?",
      "Within its row an element may lie in any column, as long as no two lie in the same, and both loops agree. The "
        .. "column has to depend on the row.",
      "Exclusive or turns a row's 32 columns into the same 32 columns in another order: use column ^ row. "
        .. "(column + row) % TILE does it, too.",
    },
    debrief = [[
This is called swizzling, and it is how libraries and the tensor cores' own copy engine lay out tiles today: no memory
is wasted, rows stay a power of two long, and the exclusive or is one instruction. It works because for a fixed row the
mapping from column to place is one to one, and for a fixed column the mapping from row to place is one to one as well.
The rotation (column + row) % 32 has the same two properties.]],
  },
  {
    id = "histogram", title = "Counters of one's own",
    task = [[
Counting into 16 bins. Each thread has its own 16 counters, so that no two threads ever add to the same one; then 16
threads add up a bin each. The table has a row for each thread, and rows are 16 words long: counters of the same bin lie
in two banks. How many passes an addition takes depends on the numbers. Lay the table out so that it always takes one,
whatever they are. Then look at the second loop, too.]],
    starter = "exercises/03-histogram/histogram.cu", solution = "solutions/03-histogram/histogram.cu",
    kernel = "histogram", grid = BLOCKS, block = 64, args = { "counts", "numbers" }, output = "counts",
    reference = histograms, columns = 16, gate = no_conflicts,
    hints = {
      "Which bank does thread t hit when it counts into bin b, and what can you not know about b?",
      "Turn the table round, counts[BINS][THREADS]: then the bank depends on the thread alone. Run `check` again and "
        .. "look at which line is left.",
      "The threads that add up bins now read down rows of 64 words, all in one bank. Let thread t begin with column t: "
        .. "counts[tid][(i + tid) % THREADS].",
    },
    debrief = [[
When the index depends on data, no padding helps: conflicts come and go with the numbers. The cure is to let the thread
alone decide the bank, here by making neighbouring threads neighbours in the table. That moves the problem to the second
loop, where every thread reads a row; a different beginning for each, and the rows are read without conflict, whose
distance of 64 words would otherwise put all threads into one bank. Real histograms have more bins than there is room
for like this, and use atomics on one table for each warp or block.]],
  },
  {
    id = "neighbours", title = "An array of structures",
    task = [[
A body has a place and a mass: four words. Kept as an array of structures, neighbouring threads find the same component
four words apart, and each of the four reads takes four passes. The counts are of the whole block: 128 bodies of four
words are 512 words, so that 16 passes to write them and 16 to read them are enough.]],
    starter = "exercises/03-neighbours/neighbours.cu", solution = "solutions/03-neighbours/neighbours.cu",
    kernel = "neighbours", grid = BLOCKS, block = 128, args = { "pull", "xs", "ys", "zs", "masses" }, output = "pull",
    reference = pulls, tolerance = { relative = 1e-5 },
    gate = { shared_load_wavefronts = { at_most = BLOCKS * 17 }, shared_store_wavefronts = { at_most = BLOCKS * 17 },
      shared_load_requests = { at_least = BLOCKS * 3 } },
    hints = {
      "What is the distance in words between bodies[t].x and bodies[t + 1].x?",
      "Nothing says that the four components of a body have to lie together. What if all the x lay together?",
      "Declare xs[BODIES], ys[BODIES], zs[BODIES] and masses[BODIES] and read xs[other] and so on. A structure of "
        .. "five words does it, too.",
    },
    debrief = [[
A structure of arrays makes every component a plain s[tid]. There are two other ways, and the gate takes both: a fifth
word that nobody uses makes the distance odd; and an array of float4 is read with one request of 16 bytes a thread,
which takes four passes, but for four times the words. So it is not passes for each request that tell good from bad
here, but passes for the words that were wanted. In global memory the same choice comes back in lab 2.]],
  },
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
    n = { default = 4000, small = 256, min = 32, max = 46336, multiple = 32, help = "rows and columns of the matrix",
      because = "the kernels move whole tiles of 32 × 32 and index elements with an int" },
    c = { default = 6, min = 1, max = 96, help = "distance in words between neighbouring threads in the step own",
      because = "an array of 32 · c words has to fit the 16 KB of shared memory of a GTX 280" },
    blocks = { default = 3168, small = 16, min = 1, max = 65535, help = "blocks of 256 threads in the pattern steps" },
  },
  buffers = with_those_of_exercises {
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
  plots = {
    { id = "distance", title = "Passes over the distance of the words that a warp reads",
      claims = { "O24.banks.odd", "O24.banks.serialized" },
      x = { param = "c", from = 1, to = 33, step = 1, label = "c in s[tid * c]" }, steps = { "own" }, y = "passes",
      y_label = "passes", with = { blocks = 132 }, text = [[
One pass at every odd distance, and as many at the others as the greatest common divisor with the number of banks.]] },
  },
  exercises = exercises,
}
