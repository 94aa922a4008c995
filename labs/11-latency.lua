-- Lab 11: what latency is, and how many threads or how much independent work it takes to hide it.
local lab = require "gpulab.lab"

local THREADS <const>, ITEMS <const>, WARPS <const> = 128, 16, 4 -- as in kernels/latency.cu; warps in a block
local TILE <const> = THREADS * ITEMS * 4 -- floats that a block copies by 16 bytes at a time
local FAR <const>, NEAR <const>, WORDS <const>, STRIDE <const> = 1 << 20, 1 << 12, 2048, 1056 -- of the chains

-- GPUs as data ------------------------------------------------------------------------------------

local function model_named(name)
  for _, model in ipairs(gpu.models()) do
    if model.name == name then return model end
  end
end

-- What launches depend on, of the GPU that a step is about to run on: its SMs, the shared memory of one, what each
-- block takes of it besides, and the most that a block can have.
local at_hand = { sms = 132, room = 228 << 10, kept = 1024, at_most = 227 << 10 }

local function look_at(device)
  local model = device and device.model and model_named(device.model)
  at_hand.sms = device and device.sms or at_hand.sms
  if not model then return end
  at_hand.room, at_hand.kept = model.shared_per_sm, math.max(model.shared_reserved, 512)
  at_hand.at_most = model.shared_per_block - (model.cc < 20 and 512 or 0)
end

-- Bytes of shared memory with which per_sm blocks fit on an SM, and no more.
local function share(p)
  return math.max(0, math.min(at_hand.at_most, at_hand.room // p.per_sm // 512 * 512 - at_hand.kept))
end

-- Called before every step, with the device it runs on.
local function with(more)
  return function(_, device)
    look_at(device)
    return more or {}
  end
end

local function threads(p) return at_hand.sms * p.per_sm * THREADS end

local function warps(p) return WARPS * p.per_sm end

local steps = {}

-- Waiting alone -----------------------------------------------------------------------------------

-- Nanoseconds and clocks that a link of the chain takes.
local function each(record, p)
  if not record.times then return nil end
  local model = record.report and model_named(record.report.rules)
  local ns = record.times.ms * 1e6 / p.links
  if record.times.kind == "predicted" and model then ns = ns - model.launch_us * 1e3 / p.links end
  local ghz = record.times.clock_ghz or model and model.shader_ghz
  return ghz and ("%.3g ns, %.0f clocks for each"):format(ns, ns * ghz) or ("%.3g ns for each"):format(ns)
end

local function links(p) return p.links end

local function chase(id, title, kernel, of)
  of.group, of.id, of.title = "alone", id, title
  of.kernel = { file = "latency.cu", name = kernel }
  of.grid, of.block, of.output = 1, of.block or 1, of.args[1]
  of.useful_ops, of.detail = links, each
  steps[#steps + 1] = of
end

local function end_of_chain(length)
  return function(p)
    local one = gpu.array("unsigned", 1)
    one[0] = p.links * STRIDE % length
    return one
  end
end

chase("far", "global memory", "chase", { args = { "last", "far", "links" }, reference = end_of_chain(FAR),
  claims = { "F10.latency.global", "O24.latency.clocks" },
  predict = { ask = "A single thread follows a chain through memory. How many clocks does each link take?",
    unit = "clocks", within = 30, of = function(record)
      local clocks = (each(record, record.params) or ""):match("(%d+) clocks")
      return tonumber(clocks)
    end },
  text = [[
One thread, and a chain through memory: each element says where the next one is. Nothing can be begun before it is
there, so that the time of a link is the latency of a load, all the way to the memory chips and back: every link
lies in a line of its own. The slides say hundreds of clocks, 400 to 600. That is what it was on the GTX 280, some
340 ns; on an H200 it is the same time, and more clocks, because they are shorter. Chips have become wider, not
quicker.]] })
chase("near", "L1 cache", "chase", { args = { "last", "near", "links" }, reference = end_of_chain(NEAR),
  claims = { "F10.latency.in_order" }, text = [[
The same in 16 KB, which the chain goes round many times. After the first round L1 has it, on GPUs that have one.
"Most kinds of memory have no cache" was 2010; "no or limited cache" is what the slide says now. An L1 hit still takes
thirty clocks and more, many times what a CPU takes. It is there to save bandwidth more than time.]] })
chase("shared", "shared memory", "chase_shared", { args = { "last", "near", "links" }, block = 32,
  reference = end_of_chain(WORDS), claims = { "F10.latency.near" }, text = [[
In shared memory: between twenty and thirty clocks for the load, and some more to make an address of what was
loaded.]] })
chase("sums", "multiply-adds", "chase_sums", { args = { "last_sum", 0.5, 1, "links" },
  reference = function() return gpu.array("float", 1, 2) end, tolerance = { relative = 1e-6 },
  claims = { "F10.latency.near" }, text = [[
And even a register that has just been written can not be read at once: 24 clocks later on the GTX 280, four today. Add
it up: a thread alone on an SM leaves nearly all of its units idle nearly all of the time.]] })

-- Bandwidth over warps ----------------------------------------------------------------------------

local function same(_, host) return host.from end
local function bytes(p) return 8 * p.n end

local function copy(group, id, title, kind, width, of)
  of.group, of.id, of.title = group, id, title
  of.kernel = { file = "latency.cu", name = ("copy<%s>"):format(kind) }
  of.grid, of.block = function(p) return p.n // (THREADS * ITEMS * width) end, THREADS
  of.shared, of.args, of.output, of.reference, of.useful_bytes = share, { "to", "from" }, "to", same, bytes
  of.with = with(of.with)
  steps[#steps + 1] = of
end

local function occupied(per_sm, text, predict)
  copy("occupancy", "warps" .. WARPS * per_sm, ("%d warps an SM"):format(WARPS * per_sm), "float, 1", 1,
    { with = { per_sm = per_sm }, text = text, predict = predict,
      claims = { "F10.latency.other_warps", "F10.latency.threads" } })
end

occupied(1, [[
A copy. Every thread loads an element and stores it, sixteen times, one after the other. Each block asks for so much
shared memory that an SM has room for one: four warps, one for each of its schedulers. While they wait, nothing
happens.]])
occupied(2, [[
Half the shared memory, twice the blocks. While one warp waits another one may run; nothing has to be saved or
restored, because every warp has its registers to itself all the time. So twice as many warps are twice the
bandwidth, as long as it is waiting that limits it.]],
  { ask = "Twice the warps of the row above. What part of the rate of 64 warps is that, in %?", of = "share",
    unit = "%", within = 25 })
occupied(4, [[
Sixteen warps: a quarter of what an H200 can hold, half of a GTX 280's.]])
occupied(8, [[
Thirty-two.]])
occupied(16, [[
Sixty-four, as many as the SM holds (on most GPUs; some have room for 48 or 32). These are 16 threads for each of
the 128 cores of an SM: the order of magnitude that the slide asks for. The lecture of 2024 says only "more threads
than cores". For memory 2010 had it right, and more so: on an H200 not even all the threads that fit are enough,
with one element of four bytes each.]])

-- Work side by side in a thread -------------------------------------------------------------------

local function together(id, title, kind, width, text, predict)
  copy("together", id, title, kind, width, { text = text, predict = predict, claims = { "O24.latency.ilp" } })
end

together("one", "1 load at a time", "float, 1", 1, [[
Few warps, `per_sm` blocks of four: eight warps an SM unless you set another number. One load at a time, as above.]])
together("two", "2 loads", "float, 2", 1, [[
Two loads, and then two stores. A GPU does not execute out of order, but it does not stop at a load either: a warp
goes on until an instruction needs what is not there yet. So two loads that stand one after the other wait together.
That is what the slide means by waiting for a load just before its data are needed; compilers place loads early for
that reason.]])
together("four", "4 loads", "float, 4", 1, [[
Four. It takes four registers to hold them, and an SM has 65536.]],
  { ask = "Four loads on their way instead of one: what part of the first row's rate, in %?", of = "share", unit = "%",
    within = 20 })
together("eight", "8 loads", "float, 8", 1, [[
Eight. The same bytes are on their way as with eight times the warps.]])
together("wide", "1 load of 16 bytes", "float4, 1", 4, [[
Or loads of 16 bytes: four times as much on its way, with one instruction instead of four.]])
together("both", "4 loads of 16 bytes", "float4, 4", 4, [[
And both. Eight warps an SM are enough. This is how libraries copy: few threads, each with much under way. More
warps or more work in each are two ways to the same thing, and what limits the one, registers and shared memory that
a thread needs, is what makes the other possible. "More occupancy" is no end in itself.]])

-- Arithmetic --------------------------------------------------------------------------------------

local function sums(group, id, title, chains, of)
  of.group, of.id, of.title = group, id, title
  of.kernel = { file = "loops.cu", name = ("chains<%d>"):format(chains) }
  of.grid, of.block, of.shared = function(p) return at_hand.sms * p.per_sm end, THREADS, share
  of.args, of.output = { "sums", 0.5, 1, "repeats" }, "sums"
  of.reference = function(p) return gpu.array("float", threads(p), 2 * chains) end
  of.tolerance = { relative = 1e-6 }
  of.useful_flops = function(p) return 2 * threads(p) * chains * p.repeats end
  of.with = with(of.with)
  steps[#steps + 1] = of
end

local function busy(per_sm, text)
  sums("arithmetic", "busy" .. WARPS * per_sm, ("%d warps an SM"):format(WARPS * per_sm), 1,
    { with = { per_sm = per_sm }, text = text, claims = { "F10.latency.near", "F10.latency.threads" } })
end

busy(1, [[
Multiply-adds, each of which needs the one before; no memory. With a warp for each scheduler a new one begins every
four clocks, the latency of the pipeline.]])
busy(2, [[
Twice the warps, twice the rate.]])
busy(4, [[
Four warps for each scheduler fill four clocks. What is still missing is the loop around it.]])
busy(8, [[
More does not help any more, not much at least. For arithmetic 4 threads a core are enough today. On the GTX 280 it was
24 clocks, and 24 threads a core: an order of magnitude, as the slide has it.]])

local function side_by_side(id, title, chains, text)
  sums("numbers", id, title, chains, { text = text, claims = { "O24.latency.ilp" } })
end

side_by_side("sums1", "1 number a thread", 1, [[
Again with `per_sm` blocks: eight warps unless you say otherwise.]])
side_by_side("sums2", "2 numbers", 2, [[
Two numbers in each thread, that have nothing to do with each other, are as good as twice the warps.]])
side_by_side("sums4", "4 numbers", 4, [[
Twice two warps would have been enough for four clocks; here are two warps of four.]])

-- Figures -----------------------------------------------------------------------------------------

local function count(x) return math.floor(x + 0.5) end

steps[#steps + 1] = { group = "figures", id = "little", title = "Little's law: memory",
  claims = { "F10.latency.threads", "O24.latency.clocks" }, text = [[
What is on its way at any time is what arrives in a second times the seconds that it takes: Little's law, true of shops
and motorways, too. To keep a memory of so many GB/s busy, so many bytes have to be under way. If each thread waits for
four of them, so many threads are needed, and so many for each core. Compare with what the GPU can hold.]],
  figure = function()
    local rows = {}
    for _, model in ipairs(gpu.models()) do
      if model.latency_dram > 0 and not model.base then
        local ns = model.latency_dram / model.shader_ghz
        local under_way = ns * model.dram_gbps
        local cores = model.sms * model.fp32_lanes
        rows[#rows + 1] = { model.name, count(model.latency_dram), count(ns), count(model.dram_gbps),
          count(under_way / 1000), ("%.0f"):format(under_way / 4 / cores),
          ("%.0f"):format(model.sms * model.warps_per_sm * 32 / cores) }
      end
    end
    return { columns = { "GPU", "clocks", "ns", "GB/s", "KB under\nway", "threads\na core", "it\nholds" }, rows = rows,
      note = "Latency of an idle memory and peak bandwidth, from the GPUs' data; under load the latency grows, and so "
        .. "does what is needed. Where more threads a core are needed than it holds, each has to have more than four "
        .. "bytes under way." }
  end }
steps[#steps + 1] = { group = "figures", id = "pipeline", title = "Little's law: arithmetic",
  claims = { "F10.latency.near", "F10.latency.threads" }, text = [[
The same for multiply-adds that need the one before: so many clocks, so many cores in an SM, so many threads of which
each has one under way. A core begins one each clock, so that the threads a core are the clocks.]],
  figure = function()
    local rows = {}
    for _, model in ipairs(gpu.models()) do
      if model.latency_alu > 0 and not model.base then
        local needed = model.latency_alu * model.fp32_lanes / 32
        rows[#rows + 1] = { model.name, count(model.latency_alu), model.fp32_lanes, count(needed),
          model.warps_per_sm, ("%.0f %%"):format(100 * needed / model.warps_per_sm) }
      end
    end
    return { columns = { "GPU", "clocks", "cores\nan SM", "warps\nneeded", "it\nholds", "part" }, rows = rows,
      note = "Kepler's 192 cores need 66 warps, more than it holds: there independent work in the threads was no "
        .. "luxury." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 1 << 16 -- elements of the exercises

local function exercise(of)
  local folder = ("11-%s/%s.cu"):format(of.id, of.kernel)
  of.starter, of.solution = "exercises/" .. folder, "solutions/" .. folder
  return of
end

-- Element i of every row of eight goes to place order(i).
local function reordered(_, host)
  local want = gpu.array("float", COUNT)
  for i = 0, COUNT - 1 do
    local row, k = i // 8 * 8, i % 8
    want[row + 7 - k] = 2 * host.rows[i]
  end
  return want
end

local exercises = {
  exercise {
    id = "by-fours", title = "More on the way", kernel = "scale", claims = { "O24.latency.ilp" },
    grid = COUNT // 1024, block = 256, args = { "scaled", "rows" }, output = "scaled",
    reference = function(_, host)
      local want = gpu.array("float", COUNT)
      for i = 0, COUNT - 1 do want[i] = 0.5 * host.rows[i] end
      return want
    end,
    gate = { global_load_requests = { at_most = COUNT // 128 * 1.05 },
      global_store_requests = { at_most = COUNT // 128 * 1.05 } },
    task = [[
Each thread scales four elements, one after the other: four round trips to memory. Fetch the four in one.]],
    hints = {
      "Which four elements does a thread have, and in what order? It need not be those.",
      "If they lie side by side, and begin at a multiple of 16 bytes, a load can take all four.",
      "float4 x = ((const float4 *)in)[i]; with i the thread's index in the grid; then the same for out.",
    },
    debrief = [[
One wait instead of four, a quarter of the instructions, and the same sectors. That the four elements of a thread are
neighbours now is no loss of coalescing: a warp's 512 bytes lie together. What it needs is alignment, and a length that
is a multiple of four, or some code for what is left over.]],
  },
  exercise {
    id = "shorter-chain", title = "A shorter chain", kernel = "follow", claims = { "F10.latency.global" },
    grid = COUNT // 256, block = 256, args = { "followed", "rows", "starts", COUNT }, output = "followed",
    reference = function(_, host)
      local want = gpu.array("float", COUNT)
      for i = 0, COUNT - 1 do want[i] = host.rows[(host.starts[host.starts[i]]) % COUNT] end
      return want
    end,
    gate = { global_load_requests = { at_most = COUNT // 32 * 1.05 } },
    task = [[
A thread looks up where it has to look up where its element is, and then fetches it: three loads, each of which
waits for the one before. The table holds nothing that could not be computed: starts[i] is (i + 97) modulo n. Do
with one load.]],
    hints = {
      "Which loads have to wait for which? What is at the end of the chain?",
      "What is starts[starts[i]], as a formula?",
      "out[i] = in[(i + 2 * 97) % n].",
    },
    debrief = [[
A chain of dependent loads is the one thing that neither more loads at a time nor a wider load shortens; only more
threads hide it. So tables of indices, lists and trees are what GPUs like least. Computing an address costs some
clocks, and fetching it hundreds. Where a table is needed, its entries can often be fetched long before: the index for
the next round while this one is computed.]],
  },
  exercise {
    id = "registers", title = "An array that is no register", kernel = "turned", claims = { "F10.latency.near" },
    grid = COUNT // 8 // 256, block = 256, args = { "scaled", "rows" }, output = "scaled", reference = reordered,
    gate = { local_load_requests = { at_most = 0 }, local_store_requests = { at_most = 0 } },
    task = [[
A thread takes eight elements into an array of its own and writes them back in the reverse order. The array is
indexed by a variable, and registers have no index: so it lies in local memory, which is global memory by another
name. Let the compiler keep it in registers.]],
    hints = {
      "When is the index x[i] known while the program is compiled?",
      "If a loop is unrolled wholly, its variable is a number in each copy of the body.",
      "Take away #pragma unroll 1 in both loops, or write #pragma unroll.",
    },
    debrief = [[
Local memory is cached, but every access is an instruction, and a wait. Arrays in registers need loops with a number of
rounds that is known, unrolled wholly, and no index that depends on data. `run` tells bytes of local memory of a kernel
that has some; `ptx` shows ld.local. Too many registers have the same effect: what does not fit is spilled there.]],
  },
}

return lab.define {
  number = 11,
  id = "latency",
  title = "Hiding latency",
  lecture = { "F10", "O24" },
  intro = [[
A load from memory takes hundreds of clocks. A CPU hides that by caches, and by looking for something else to do in
the same thread. A GPU has other threads: when a warp waits, another one runs, and changing over costs nothing. For
that there must be others. How many fit on an SM depends on what each takes of it, registers and shared memory, and
is called occupancy: resident warps as a part of those that there is room for.

The steps measure latency by a single thread, and then what of the bandwidth and of the arithmetic can be had with
how many warps, and with how much independent work in each. Shared memory that nobody uses sets the number of warps.
`plot occupancy` has the two together.]],
  params = {
    n = { default = 1 << 24, small = 1 << 15, min = TILE, max = 1 << 28, multiple = TILE,
      help = "elements that are copied", because = "blocks copy whole tiles of 8192" },
    per_sm = { default = 2, min = 1, max = 16, help = "blocks of four warps on an SM, where a step does not say" },
    links = { default = 4096, small = 64, min = 8, max = 1 << 20, help = "links of the chains" },
    repeats = { default = 4096, emulator = 2048, small = 256, min = 256, max = 1 << 20,
      help = "multiply-adds one after the other", because = "after 256 every number is as good as 2" },
  },
  buffers = {
    far = { type = "unsigned", count = FAR, fill = function()
      return gpu.array("unsigned", FAR, "iota"):gather(FAR, function(i) return (i + STRIDE) % FAR end)
    end },
    near = { type = "unsigned", count = NEAR, fill = function()
      return gpu.array("unsigned", NEAR, "iota"):gather(NEAR, function(i) return (i + STRIDE) % NEAR end)
    end },
    last = { type = "unsigned", count = 1 },
    last_sum = { type = "float", count = 1 },
    from = { type = "float", count = "n", fill = "random", seed = 11 },
    to = { type = "float", count = "n" },
    sums = { type = "float", count = threads },
    -- of the exercises
    rows = { type = "float", count = COUNT, fill = "random", seed = 12 },
    scaled = { type = "float", count = COUNT },
    followed = { type = "float", count = COUNT },
    starts = { type = "int", count = COUNT, fill = function()
      local table_of = gpu.array("int", COUNT)
      for i = 0, COUNT - 1 do table_of[i] = (i + 97) % COUNT end
      return table_of
    end },
  },
  groups = {
    { id = "alone", title = "one after the other", columns = { "ms", "verified" } },
    { id = "occupancy", title = "copy", baseline = "warps64", share = "of 64 warps",
      columns = { "rate", "share", "bound", "verified" } },
    { id = "together", title = "copy, few warps", baseline = "one", share = "of first",
      columns = { { header = { "warps", "an SM" }, of = function(_, p) return warps(p) end }, "rate", "share", "bound",
        "verified" } },
    { id = "arithmetic", title = "multiply-adds", baseline = "busy4", share = "of 4 warps",
      columns = { "rate", "share", "bound", "verified" } },
    { id = "numbers", title = "few warps", baseline = "sums1", share = "of first",
      columns = { { header = { "warps", "an SM" }, of = function(_, p) return warps(p) end }, "rate", "share",
        "verified" } },
    { id = "figures", title = "figures" },
  },
  steps = steps,
  plots = {
    { id = "occupancy", title = "Copying over warps and loads on the way",
      claims = { "F10.latency.other_warps", "F10.latency.threads", "O24.latency.ilp" },
      x = { param = "per_sm", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "blocks of 4 warps on an SM", log = true },
      emulator_values = { 1, 2, 4, 8, 16 }, steps = { "one", "two", "four", "both" }, y = "rate", y_label = "GB/s",
      text = [[
Each curve rises until it meets the same ceiling, the memory. The more loads a thread has on their way, the fewer warps
it takes.]] },
    { id = "arithmetic", title = "Multiply-adds over warps and numbers in a thread",
      claims = { "F10.latency.near", "O24.latency.ilp" },
      x = { param = "per_sm", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "blocks of 4 warps on an SM", log = true },
      emulator_values = { 1, 2, 4, 8, 16 }, steps = { "sums1", "sums2", "sums4" }, y = "rate", y_label = "GFLOPS",
      text = [[
Here the latency is four clocks and not hundreds, and the ceiling is met much earlier.]] },
  },
  exercises = exercises,
}
