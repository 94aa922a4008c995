-- Lab 14: prefix sums, from a launch per power of two to one pass that moves as many words as a copy.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

local PERIOD <const> = 10007 -- the data repeat after so many elements, whose sum is 0: so do their prefix sums
local BLOCK <const> = 512 -- elements per block of the first table
local TILE <const> = 4096 -- elements per block of kernels/scan_tile.cuh
local BLOCK_PERIOD <const> = 8 * BLOCK -- of the data of the first table
local LIMIT <const> = 300 -- of compaction

local function divided(a, b) return (a + b - 1) // b end

-- Data --------------------------------------------------------------------------------------------

-- `period` whole numbers from -1000 to 1000, with the sum 0.
local function numbers(period)
  local bits, one, sum = gpu.array("unsigned", period, "random", 14), gpu.array("int", period), 0
  for i = 0, period - 1 do
    one[i] = bits[i] % 2001 - 1000
    sum = sum + one[i]
  end
  for i = 0, period - 1 do -- spread over many elements what the sum is too large by
    local less = math.max(-400, math.min(400, sum))
    one[i], sum = one[i] - less, sum - less
  end
  return one
end

local function vector(p) return numbers(PERIOD):cycle(p.n) end

-- Prefix sums that begin again after every `block` elements.
local function prefix_sums(values, block)
  local sums, sum = gpu.array("int", #values), 0
  for i = 0, #values - 1 do
    sum = i % block == 0 and values[i] or sum + values[i]
    sums[i] = sum
  end
  return sums
end

local function scanned(p) return prefix_sums(numbers(PERIOD), PERIOD):cycle(p.n) end
local function in_blocks(p) return p.n // BLOCK * BLOCK end -- elements of whole blocks
local function scanned_blocks(p) return prefix_sums(numbers(BLOCK_PERIOD), BLOCK):cycle(in_blocks(p)) end

-- Within a block ----------------------------------------------------------------------------------

local steps = {}

-- Words that all launches load and store in global memory, per element of the vector.
local function words_moved(record)
  local counters = record.report and record.report.counters
  return counters and (counters.global_load_bytes + counters.global_store_bytes) / 4 / record.params.n
end

local function traffic(record)
  local words = words_moved(record)
  return words and ("%.4g words moved per element"):format(words)
end

local function bytes(p) return 8 * p.n end

local function block(of)
  local name, file = of.kernel, of.file or "scan_block.cu"
  of.group, of.file = "block", nil
  of.kernel = { file = file, name = name }
  of.grid, of.args = function(p) return p.n // BLOCK end, { "parts", "u" }
  if not of.shows then
    of.output, of.reference = "parts", scanned_blocks
    of.useful_bytes = function(p) return 8 * in_blocks(p) end
  end
  steps[#steps + 1] = of
end

-- Wavefronts of the worst request to shared memory.
local function worst_request(record)
  local most
  for _, line in ipairs(record.report and record.report.lines or {}) do
    local worst = line.worst
    if worst and worst.space == "shared" then most = math.max(most or 0, worst.cost / worst.ideal) end
  end
  return most
end

block { id = "hillis", title = "Hillis and Steele", kernel = "hillis_steele", block = BLOCK,
  claims = { "H07.scan.naive" },
  text = [[
The prefix sum of element i is the sum of elements 0 to i. In each iteration every element adds the one d before it,
for d = 1, 2, 4 ... 256: after nine iterations it has the sum of all 512 up to itself (Hillis and Steele). The
iterations are few, but each costs an addition per element, about n log2 n in all; one thread would need n - 1. Two
buffers alternate, so one barrier per iteration is enough.

Note on the report, if you read it: in Listing 1, += adds to what the output buffer still holds. That is a sum of two
iterations ago, and in the first iteration a word that no thread has stored.]] }
block { id = "inplace", title = "in one buffer", kernel = "in_place", block = BLOCK, shows = "race",
  text = [[
The same with one buffer and one barrier per iteration. A thread adds a word that its owner may already have changed
in this iteration. Within a warp it often works, because the lanes read before they write; between warps it depends on
which one is faster. This step is wrong on purpose, for the race checker. Look at the two threads that it names: they
are in different warps.]] }
block { id = "tree", title = "tree (Blelloch)", kernel = "tree<512>", block = BLOCK // 2,
  claims = { "H07.scan.tree", "H07.scan.conflicts" },
  predict = { ask = "In the up-sweep, thread t adds word d (2 t + 1) - 1 to word d (2 t + 2) - 1, for d = 1, 2 ... "
    .. "256. How many wavefronts does the worst request take?", of = worst_request, unit = "wavefronts" },
  text = [[
Blelloch's tree needs only 2 (n - 1) additions. The up-sweep is a reduction that keeps its partial sums. Then the
root becomes 0. In the down-sweep each node passes its value to the left child, and that value plus the left child's
sum to the right one. The leaves get exclusive sums; each thread adds its elements. But there are twice as many
barriers, and the stride doubles with each level: measured on an H200, this row is slower than the first one.

In `debug -G tree`, `until 58` and `view` show the pairs that a warp adds, and their banks. The conflict doubles with d
up to d = 8, is the same at d = 16, where only 16 lanes are active, and then halves with each d.]] }
block { id = "padded", title = "tree, padded",
  kernel = function(p) return ("tree<%d>"):format(p.pad) end,
  block = BLOCK // 2, claims = { "H07.scan.padding" },
  text = [[
After every 32 words one is left out: element i is in word i + i / 32. A stride of 32 words becomes 33, and strides of 2
to 16 words shift by one bank each time that they wrap around. No conflict is left on 32 banks. `set pad=16` is the
padding of the report, for the 16 banks of cc 1.x: on 32 banks it leaves 2-way conflicts. The plot `pad` has the
wavefronts for other paddings.

Note on the report, if you read it: its code part A adds the offset of ai to bi as well, and the first macro of Listing
3 lacks parentheses around its shifts and shifts by NUM_BANKS.]] }
block { id = "shuffles", title = "shuffles", kernel = "shuffles", block = BLOCK,
  expect = { global_load = { ["1.x"] = false, ["else"] = 4 } },
  text = [[
Within a warp, five shuffles and additions replace five levels in shared memory: `__shfl_up_sync` delivers the sum of
the lane that is d lower. This is Hillis and Steele again, but without barriers or shared memory. Lane 31 stores the
warp's sum, the first warp scans these 16 sums in the same way, and each thread adds what is before its warp. Two
barriers are left of nine.]] }
block { id = "four", title = "four per thread", kernel = "four", block = BLOCK // 4,
  text = [[
Each thread loads four consecutive elements with one 16-byte load, computes their prefix sums in registers, and takes
part in the scan with their sum. It then adds the sum of all elements before them. These seven additions per thread
replace the shuffles and barriers of three quarters of the warps. That is why fast scans are sequential within a
thread. More elements per thread cost registers.]] }
block { id = "cub", title = "cub::BlockScan", file = "scan_cub.cu", kernel = "cub_block_scan",
  block = BLOCK // 4,
  text = [[
The same 512 elements by the library that comes with the CUDA Toolkit. A kernel includes CUB's header; `BlockScan`
gets the type and the number of threads as template arguments, and the elements per thread from the array. By default
it stores one sum per thread in shared memory, and one warp scans them. It handles any type and associative operator,
which the kernel above does not. Compiling the header takes some seconds the first time.]] }

-- The whole vector --------------------------------------------------------------------------------

local function tiles(p) return divided(p.n, TILE) end

local function grid(of)
  of.group = of.group or "grid"
  if not of.shows then
    of.output, of.reference, of.useful_bytes = of.output or "out", of.reference or scanned, of.useful_bytes or bytes
    of.detail = of.group == "grid" and traffic or nil
  end
  steps[#steps + 1] = of
end

local function launch(file, name, blocks, args)
  return { kernel = { file = file, name = name }, grid = blocks, block = 256, args = args }
end

grid { id = "copy", title = "copy", kernel = { file = "scan_grid.cu", name = "copy" }, block = 256,
  grid = function(p) return divided(p.n, 1024) end, args = { "out", "v", "n" },
  reference = vector,
  text = [[
The bound of all that follows: n words are read and n are written, 8 bytes per element. A scan moves at least as many.
All other rows scan the whole vector; no block holds more than a part of it. Each row also shows the words that it moves
per element.]] }

local function passes(p)
  local list, count = {}, math.ceil(math.log(p.n, 2) - 1e-9)
  for k = 0, count - 1 do
    local from = k == 0 and "v" or (count - k) % 2 == 1 and "between" or "out"
    list[#list + 1] = launch("scan_grid.cu", "add_distant", divided(p.n, 256),
      { (count - k) % 2 == 1 and "out" or "between", from, 1 << k, "n" })
  end
  return list
end

grid { id = "passes", title = "naive passes", launches = passes, claims = { "H07.scan.naive" },
  predict = { ask = "n is a power of two, 2^k, so there are k launches. How many words does one of them load per "
    .. "element, on average?",
    within = 10, unit = "words", of = function(record)
      return record.report
        and record.report.counters.global_load_bytes / 4 / record.params.n / math.log(record.params.n, 2)
    end },
  text = [[
Hillis and Steele over the whole vector: a launch per power of two. Each iteration needs results of other blocks, and
the end of an ordinary launch is the barrier for all blocks (lab 10). Each launch reads every element twice (the first d
only once) and writes it once. On a vector that is larger than the L2 cache each launch costs the DRAM time of a copy,
or more. Look at the words that it moves, and at its share of the copy.]] }

-- Trees of 512 elements per block, of the blocks' sums, and of theirs.
local function trees(p)
  local list, adds, n, out, from, level = {}, {}, p.n, "out", "v", 1
  repeat
    local blocks, sums = divided(n, BLOCK), "sums" .. level
    list[#list + 1] = launch("scan_grid.cu", ("tree<%d>"):format(p.pad), blocks, { out, sums, from, n })
    if blocks > 1 then table.insert(adds, 1, launch("scan_grid.cu", "add_before", blocks, { out, sums, n })) end
    n, out, from, level = blocks, sums, sums, level + 1
  until n == 1
  for _, add in ipairs(adds) do list[#list + 1] = add end
  return list
end

grid { id = "trees", title = "trees, sums, add", launches = trees, claim = "H07.scan.n1048576",
  claims = { "H07.scan.blocks" },
  text = [[
The report's way, in shared memory: each block scans 512 elements by the padded tree and stores their sum. The sums are
scanned in the same way, and so are their sums; then one launch per level of sums adds them to the blocks. The row has
the report's number for an 8800 GTX and 2^20 elements (`set pad=16` is its padding). The report does not say how it
measured. Its 0.08 ms for 1024 elements must be mostly overhead.

Note on the report: its sums are exclusive and of floats. These are inclusive and of ints; they move the same words.]] }

grid { id = "three", title = "scan, scan sums, add", claims = { "H07.scan.blocks" },
  predict = { ask = "Three launches: scan the tiles, scan their sums, add these to the elements. How many words are "
    .. "loaded and stored per element?", of = words_moved, unit = "words" },
  text = [[
The same three parts with what the first table taught: 16 elements per thread in registers, shuffles within the warp,
one barrier. A block scans a tile of 4096 elements, so that the sums of all tiles are few enough for one block. What
is left is traffic. The first launch reads and writes every element, and the last one does so again.]],
  launches = function(p)
    return { launch("scan_grid.cu", "scan_tiles", tiles(p), { "out", "tile_sums", "v", "n" }),
      launch("scan_grid.cu", "scan_by_one_block", 1, { "tile_sums", tiles(p) }),
      launch("scan_grid.cu", "add_sums", tiles(p), { "out", "tile_sums", "n" }) }
  end }
grid { id = "reduce", title = "sum, scan sums, scan",
  text = [[
The first launch only sums the tiles and stores no element. When the sums have been scanned, the last launch reads the
vector again, scans each tile, adds the sum before it, and stores the result: one store per element less. Where the
vector fits into the L2 cache, the second read does not come from DRAM.

Measured on an H200 with n = 2^26, this is the fastest scan of the table, although the rows below move a third fewer
words. At the emulator's n, only the words differ.]],
  launches = function(p)
    return { launch("scan_grid.cu", "sum_tiles", tiles(p), { "tile_sums", "v", "n" }),
      launch("scan_grid.cu", "scan_by_one_block", 1, { "tile_sums", tiles(p) }),
      launch("scan_grid.cu", "scan_after", tiles(p), { "out", "tile_sums", "v", "n" }) }
  end }

local function single(name, args)
  return function(p)
    return { launch("scan_single.cu", "clear", divided(tiles(p), 256), { "flags", "ticket", tiles(p) }),
      launch("scan_single.cu", name, tiles(p), args) }
  end
end

local look_back <const> = { "out", "flags", "tile_sums", "prefixes", "ticket", "v", "n" }

grid { id = "chained", title = "one pass, chained",
  launches = single("chained", { "out", "flags", "prefixes", "ticket", "v", "n" }),
  text = [[
A block scans its tile, waits for the prefix of the tile before, adds its own sum, and publishes that. CUDA guarantees
no order in which blocks begin. So a block takes its tile from a counter: the tiles before it belong to blocks that
have begun, and these make progress. The chain takes at least one round trip to L2 per tile. The model ignores the
wait: measured on an H200, this is the slowest row, below 1 % of a copy (1 µs per tile).]] }
steps[#steps + 1] = { id = "resident", title = "blocks that run at once",
  figure = function(p)
    local rows = {}
    for _, name in ipairs { "8800 GTX", "GTX 980", "V100", "A100", "RTX 4090", "H200" } do
      for _, values in ipairs(gpu.models()) do
        if values.name == name then
          local per_sm = math.min(values.blocks_per_sm, values.warps_per_sm // 8)
          local at_once = per_sm * values.sms
          rows[#rows + 1] = { name, values.sms, per_sm, at_once, at_once * TILE, divided(tiles(p), at_once) }
        end
      end
    end
    return { columns = { "GPU", "SMs", "blocks\nper SM", "blocks\nat once", "elements\nat once", "waves\nof n" },
      rows = rows,
      note = "Blocks of 256 threads, as far as threads and blocks per SM allow; registers may allow fewer." }
  end,
  text = [[
A block may wait only for blocks that have begun, because it keeps its place on the SM while it waits. If the vector
has more tiles than the GPU runs at once, the last blocks begin when others have ended. Suppose tiles were blockIdx.x
and the GPU began with the last ones, which it may: all places would be taken by blocks that wait for blocks without a
place, and the launch would never end. Tiles from a counter exclude this, for any number of tiles, on any GPU.]] }

grid { id = "lookback", title = "one pass, look-back", launches = single("single_pass<true>", look_back),
  claims = { "MG16.scan.single_pass" },
  text = [[
A block publishes its sum, then looks back: a warp reads the flags of the 32 tiles before, adds the nearest prefix and
the sums after it, and continues with the 32 before if none has a prefix. This is decoupled look-back, the method of
CUB's DeviceScan; on GPUs of 2016 it came close to a copy (Merrill and Garland). Measured on an H200, this kernel is
much faster than the chain, but slower than `three` and `reduce`. The model predicts the reverse: it knows little about
waits.]] }
grid { id = "unfenced", title = "look-back, no fence", shows = "race",
  launches = single("single_pass<false>", look_back),
  text = [[
The same without `__threadfence()`. Neither the compiler nor the GPU has to make the stores of sum and flag visible in
this order, or to perform the two loads in order. It takes two fences: the writer's between its stores of sum and flag,
the reader's between its loads of flag and sum. On a GPU the error may never show, and `schedules unfenced` does not
show it: in the emulator all threads see all stores at once and in order. The race checker finds it: nothing orders the
lines.]] }

local function clear_words(p)
  return launch("scan_single.cu", "clear_words", divided(tiles(p), 256), { "words", "ticket", tiles(p) })
end

grid { id = "packed", title = "flag with the sum", claims = { "MG16.scan.copy" },
  text = [[
Flag and value are in one aligned word of 8 bytes, which is accessed at once: a thread that reads the flag has read its
value, and no fence is needed. One store and one load replace two of each. A fence would still be needed if other data
had to be visible before the flag.

On an H200 it reached 61 % of a copy, and `reduce` 64 %. In another run, 32 elements per thread reached 71 %, and CUB's
DeviceScan (which packs primitive types, too) 73 %.]],
  launches = function(p)
    return { clear_words(p), launch("scan_single.cu", "single_pass_packed", tiles(p),
      { "out", "words", "ticket", "v", "n" }) }
  end }

-- Uses --------------------------------------------------------------------------------------------

local function above()
  local one, kept = numbers(PERIOD), {}
  for i = 0, PERIOD - 1 do
    if one[i] > LIMIT then kept[#kept + 1] = one[i] end
  end
  return kept
end

-- How many of n elements are above the limit.
local function kept_of(n)
  local one, count, rest = numbers(PERIOD), 0, 0
  for i = 0, PERIOD - 1 do
    if one[i] > LIMIT then
      count = count + 1
      if i < n % PERIOD then rest = rest + 1 end
    end
  end
  return n // PERIOD * count + rest
end

grid { id = "compact", group = "uses", title = "compaction", output = "kept",
  text = [[
Which elements are above a limit, in their order? Each element that stays counts as 1, the others as 0. The prefix sum
of the counts up to such an element, minus 1, is its place. The step scans in one pass with look-back. With `atomicAdd`
on a counter the places would be unique as well, but in an order that may change from run to run. The stores of a warp
are scattered over neighboring words: `lines compact` has their sectors.]],
  launches = function(p)
    return { clear_words(p), launch("scan_single.cu", "compact", tiles(p),
      { "kept", "words", "ticket", "v", LIMIT, "n" }) }
  end,
  reference = function(p)
    local list = above()
    local one = gpu.array("int", #list)
    for i = 1, #list do one[i - 1] = list[i] end
    return one:cycle(kept_of(p.n))
  end,
  useful_bytes = function(p) return 4 * (p.n + kept_of(p.n)) end }

local DIGITS <const>, SORTED <const>, BIT <const> = 16, 2048, 8 -- buckets; elements per block; the digit's lowest bit

grid { id = "digit", group = "uses", title = "radix sort, one digit", output = "moved",
  text = [[
A radix sort moves the elements into buckets by four bits, and repeats this for all bits. Each pass keeps the order
in a bucket. Each block counts elements per digit. A scan of all counts, those of digit 0 first, says where each
block's elements of a digit begin. Within a warp, `__match_any_sync` (cc 7.0) finds the lanes with the same digit;
the number of those below a lane is its rank. `lines digit`: in line 73 the scattered stores touch 16 sectors per
request, ideally 4.]],
  launches = function(p)
    local blocks = divided(p.count, SORTED)
    return { launch("scan_digit.cu", "count_digits", blocks, { "counts", "keys", BIT, "count" }),
      launch("scan_grid.cu", "scan_by_one_block", 1, { "counts", DIGITS * blocks }),
      launch("scan_digit.cu", "move_by_digit", blocks, { "moved", "counts", "keys", BIT, "count" }) }
  end,
  reference = function(_, host)
    local buckets, keys = {}, host.keys
    for d = 0, DIGITS - 1 do buckets[d] = {} end
    for i = 0, #keys - 1 do
      local bucket = buckets[keys[i] >> BIT & DIGITS - 1]
      bucket[#bucket + 1] = keys[i]
    end
    local want, at = gpu.array("unsigned", #keys), 0
    for d = 0, DIGITS - 1 do
      for _, key in ipairs(buckets[d]) do want[at], at = key, at + 1 end
    end
    return want
  end,
  useful_bytes = function(p) return 8 * p.count end }

-- Exercises ---------------------------------------------------------------------------------------

local THREADS <const> = 256 -- per block of the exercises
local ABOVE <const> = -100 -- the limit of exercise compaction: an element that does not exist, 0, would be kept

local function size(p) return p.size end
local function blocks(p) return divided(p.size, THREADS) end

local function exercise(of)
  local file = ("14-%s/%s.cu"):format(of.id, (of.id:gsub("-", "_")))
  of.grid, of.block = of.grid or blocks, of.block or THREADS
  of.starter, of.solution = "exercises/" .. file, "solutions/" .. file
  return of
end

local function wrapped(sum) return ((sum & 0xffffffff) ~ 0x80000000) - 0x80000000 end

local exercises = {
  exercise {
    id = "exclusive", title = "Exclusive maxima", kernel = "maxima",
    args = { "exclusive", "numbers", size }, output = "exclusive", sizes = { 64 * 256 - 77, 12801, 4096, 300, 31 },
    reference = function(p, host)
      local want, most = gpu.array("int", p.size), 0
      for i = 0, p.size - 1 do
        if i % THREADS == 0 then most = -0x80000000 end
        want[i], most = most, math.max(most, host.numbers[i])
      end
      return want
    end,
    accept = { barriers = 1, shuffles = { at_most = 8 } },
    task = [[
Each block computes running maxima of its 256 elements: out[i] is the largest element up to i. Make them exclusive:
the largest element before i in its block, and LEAST for the block's first element. A sum could subtract its own
element again; a maximum cannot. Let it work for any number of elements, without accesses past the end. Keep the one
scan of each warp, and the one barrier.]],
    hints = {
      "Which thread already has the largest element before yours in the warp?",
      "The inclusive result of the lane below is the exclusive result of yours. What is it for lane 0? And what does "
        .. "an element that does not exist contribute?",
      "int before = __shfl_up_sync(0xffffffff, most, 1), and LEAST in lane 0; then the maxima of the warps before. "
        .. "Load i < n ? in[i] : LEAST, and store only if i < n.",
    },
    debrief = [[
An exclusive scan is an inclusive one, shifted by one element, with the identity at the beginning. The shift costs one
shuffle. It works for every associative operator, because no inverse is needed. An exclusive scan says where things
begin, as in compaction; an inclusive one where they end. All 32 lanes have to reach the shuffles, so a thread without
an element takes part with the identity.]],
  },
  exercise {
    id = "conflict-free", title = "A tree without bank conflicts", kernel = "scan",
    grid = function(p) return p.size // 1024 end, block = 512,
    args = { "exclusive", "numbers" }, output = "exclusive", sizes = { 16 * 1024, 13 * 1024, 1024 },
    reference = function(p, host)
      local want, sum = gpu.array("int", p.size), 0
      for i = 0, p.size - 1 do
        if i % 1024 == 0 then sum = 0 end
        want[i], sum = wrapped(sum), sum + host.numbers[i]
      end
      return want
    end,
    -- 16 bytes: a cuda::barrier
    accept = { bank_conflicts = 1.25, staged = 0.7, shared_bytes = { at_most = 4 * (1024 + 32) + 16 } },
    task = [[
Each block scans 1024 elements by a tree in shared memory, whose accesses have up to 32-way bank conflicts. Choose
other places for the elements, so that no access has a bank conflict, and keep the tree. The array may grow by at most
32 words.]],
    hints = {
      "Write down the words that the lanes of a warp access in the up-sweep for d = 1 and d = 16. Which banks are "
        .. "they in?",
      "The stride is 2 d words. What would have to be added to an index each time that the indices have wrapped around "
        .. "all 32 banks?",
      "i + i / 32, with an array of 1024 + 32 words. Or, without more memory: i ^ (i / 32).",
    },
    debrief = [[
A padded matrix has one stride. A tree has all powers of two, and i + i / 32 handles each: a stride below 32 uses
some banks, wraps around, and goes on one bank further; a stride of 32 becomes 33. Longer strides shift by 2, 4 ...
banks, but have only 16, 8 ... active lanes. `i ^ (i / 32)` does the same without more memory, as a permutation within
each row of 32 words. The division by 32 is a shift. Scans with shuffles need no tree in shared memory.]],
  },
  exercise {
    id = "compaction", title = "Compaction in order", kernel = "compact",
    args = { "rows", "around", ABOVE, size }, output = "rows", columns = THREADS + 1,
    sizes = { 64 * 256 - 77, 12801, 4096, 300, 31 },
    reference = function(p, host)
      local want = gpu.array("int", (THREADS + 1) * blocks(p))
      for b = 0, blocks(p) - 1 do
        local row, count = (THREADS + 1) * b, 0
        for i = THREADS * b, math.min(THREADS * (b + 1), p.size) - 1 do
          if host.around[i] > ABOVE then
            count = count + 1
            want[row + count] = host.around[i]
          end
        end
        want[row] = count
      end
      return want
    end,
    accept = { atomics = { at_most = 0 }, load_sectors = 2.1, scattered_sectors = false }, -- may read an element twice
    task = [[
Each block has a row of 257 words of the output. It stores there how many of its 256 elements are above the limit, then
these elements. The starter takes places from a counter in shared memory, so that the order of the elements depends on
the order of the warps. Keep the order of the elements, without atomics, for any number of elements.]],
    hints = {
      "How many elements before yours are above the limit? That is its place.",
      "Within a warp, __ballot_sync returns a bit per lane. Which of these bits are of lanes below yours?",
      "__popc(votes & ((1u << lane) - 1)) is the place within the warp. Store each warp's __popc(votes) in shared "
        .. "memory; after a barrier, a thread adds the counts of the warps before its own.",
    },
    debrief = [[
The place of an element is the exclusive prefix sum of a vector of 0 and 1. For such a vector a vote, a mask, and a
popcount replace the five shuffles and additions of a warp's scan. The counts of the warps are an ordinary scan, here
a loop over eight words. A library does the same for the whole vector, in one pass with look-back, as step `compact`
does.]],
  },
  exercise {
    id = "fence", title = "A scan that may wait", kernel = "scan", crowded = true,
    args = { "inclusive", "block_sums", "block_flags", "block_ticket", "numbers" }, output = "inclusive",
    sizes = { 64 * 256, 49 * 256, 5 * 256 },
    reference = function(p, host)
      local want, sum = gpu.array("int", p.size), 0
      for i = 0, p.size - 1 do
        sum = sum + host.numbers[i]
        want[i] = wrapped(sum)
      end
      return want
    end,
    -- How often a block waits, or looks back, depends on when others run, so only what does not is counted.
    accept = { atomics = { at_least = 49,
        advice = "Take each block's tile from *ticket, once; a fence orders a sum and its flag." },
      global_atomics = 4, -- flags may be set and read by atomics, too
      block_words = 2, -- sums and flags of all blocks before it
      working_lanes = { at_least = 32 }, working_warps = { at_least = 1 }, idle_warps = false, lone_thread = false,
      warp_instructions = false, load_sectors = false, busiest_loads = false, busiest_words = false },
    task = [[
A scan of the whole vector in one launch: each block waits for the sum of all blocks before it. It assumes that blocks
begin in the order of blockIdx.x, and nothing orders a sum and its flag. Take tiles from `*ticket`, so that a block
waits only for blocks that have begun. Make sure that a thread that sees a flag sees the sum, too. Each thread stores
one element, so that all 32 lanes of all warps access global memory.]],
    hints = {
      "A block that has begun makes progress. How can a block get the number of those that began before it?",
      "tile = atomicAdd(ticket, 1) by one thread, for all threads of the block. And what orders the store of the sum "
        .. "before that of the flag, and the load of the flag before that of the sum?",
      "__threadfence() between sums[tile] = ... and flags[tile] = 1, and another one between the loop that waits and "
        .. "the load of sums[tile - 1].",
    },
    debrief = [[
Two rules make waiting in a launch legal. A block waits only for blocks that have begun: the ticket grants that in any
order and for any number of blocks, and CUDA guarantees that blocks that have begun make progress. And data are
published by data, fence, flag, and read by flag, fence, data. cuda::atomic_ref with release and acquire does both in
the access itself. A word of 8 bytes that holds flag and sum needs no fence; step `packed` has it.]],
  },
}

return lab.define {
  number = 14,
  id = "scan",
  title = "Prefix sums",
  lecture = { "H07", "MG16" },
  intro = [[
A prefix sum (scan) looks like a loop in which every iteration needs the one before. It is the building block of
compaction, sorting, histograms and allocation: it says where each thread's results go.

The first table scans 512 elements per block, with what the levels of a tree cost in shared memory. The second scans
the whole vector: there the words that are moved count. Its last rows move hardly more than a copy, because blocks
pass sums on to each other while they run; what they lose is the time that blocks wait. The third has two uses.
Published numbers are from Mark Harris' report on the 8800 GTX, of 2007.]],
  params = {
    n = { default = 1 << 26, emulator = 1 << 20, small = 20000, min = BLOCK, max = 1 << 28,
      help = "elements of the vector", because = "the first table scans whole blocks of 512" },
    pad = { default = 32, min = 8, max = BLOCK, help = "words after which a padded tree leaves one out" },
    count = { default = 1 << 22, emulator = 1 << 18, small = 10000, min = 1, max = 1 << 24, help = "elements to sort" },
  },
  buffers = {
    u = { type = "int", count = in_blocks, fill = function(p) return numbers(BLOCK_PERIOD):cycle(in_blocks(p)) end },
    parts = { type = "int", count = in_blocks },
    v = { type = "int", count = "n", fill = vector },
    out = { type = "int", count = "n" },
    between = { type = "int", count = "n" },
    sums1 = { type = "int", count = function(p) return divided(p.n, BLOCK) end },
    sums2 = { type = "int", count = function(p) return divided(p.n, BLOCK * BLOCK) end },
    sums3 = { type = "int", count = function(p) return divided(p.n, BLOCK * BLOCK * BLOCK) end },
    sums4 = { type = "int", count = 1 },
    tile_sums = { type = "int", count = tiles },
    prefixes = { type = "int", count = tiles },
    flags = { type = "int", count = tiles },
    words = { type = "unsigned long long", count = tiles },
    ticket = { type = "unsigned", count = 1 },
    kept = { type = "int", count = function(p) return kept_of(p.n) end },
    keys = { type = "unsigned", count = "count", fill = "random", seed = 41 },
    moved = { type = "unsigned", count = "count" },
    -- for the exercises
    numbers = { type = "int", count = size, fill = inputs.extremes("int", size) },
    around = { type = "int", count = size, fill = inputs.whole("int", size, -9999, 9999) },
    exclusive = { type = "int", count = size },
    inclusive = { type = "int", count = size },
    rows = { type = "int", count = function(p) return (THREADS + 1) * blocks(p) end, fill = 0 },
    block_sums = { type = "int", count = blocks },
    block_flags = { type = "int", count = blocks, fill = 0 },
    block_ticket = { type = "unsigned", count = 1, fill = 0 },
    counts = { type = "int", count = function(p) return DIGITS * divided(p.count, SORTED) end },
  },
  groups = {
    { id = "block", title = "512 elements per block", baseline = "hillis", share = "of first" },
    { id = "grid", title = "whole vector", baseline = "copy", share = "of copy" },
    { id = "uses", title = "uses", columns = { "rate", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over the length of the vector", y = "rate", y_log = true,
      claims = { "H07.scan.n65536", "H07.scan.n16777216" },
      x = { param = "n", values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26 },
        label = "elements", log = true },
      emulator_values = { 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20 }, steps = { "copy", "trees", "three", "packed" },
      text = [[
Short vectors do not fill the GPU, and each launch has a fixed cost: `packed` takes two, `three` three, and `trees`
three up to 2^18 elements and five above. For long vectors the words that are moved set the bound, but do not decide
alone: `trees` and `three` move the same four words per element, and on an H200 the trees are half as fast. For lengths
in between, the L2 cache holds the vector for the second read.]] },
    { id = "pad", title = "Wavefronts per shared load request, over the padding",
      y = "wavefronts", steps = { "padded" },
      x = { param = "pad", values = { 8, 16, 31, 32, 64, 128, 256, 512 }, label = "words before a gap", log = true },
      emulator_values = { 8, 16, 31, 32, 64, 128, 256, 512 }, with = { n = 1 << 14 }, claims = { "H07.scan.padding" },
      text = [[
Only a gap after every 32 words removes all conflicts on 32 banks. The plot has the mean of all requests; the worst ones
are in the middle levels. These have 2-way conflicts with gaps after 8 to 31 words, or after 64. Each further doubling
doubles them, up to 16-way at 512, which is no padding at all.]] },
  },
  exercises = exercises,
}
