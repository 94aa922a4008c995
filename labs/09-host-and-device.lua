-- Lab 9: the way between host and GPU: copies, memory of the host that kernels use themselves, and copies that go on
-- beside a kernel.
local lab = require "gpulab.lab"

local PERIOD <const> = 4099 -- the data repeat after so many words, a prime: no chunk is like another
local SAMPLES <const> = 1 << 15 -- elements of the exercises

local function blocks_for(count) return (count + 255) // 256 end

-- Data and references -----------------------------------------------------------------------------

local function shifted(x)
  x = x ~ (x << 13) & 0xffffffff
  x = x ~ (x >> 17)
  return x ~ (x << 5) & 0xffffffff
end

local function data(count)
  return gpu.array("unsigned", PERIOD, "random", 9):cycle(count)
end

local function same(_, host) return host.data end

-- The words in the order in which `gather` reads them.
local function gathered(p, host) return host.data:transpose(p.n // p.apart, p.apart) end

-- All words after p.rounds rounds; worked out for one period.
local function mixed(p)
  local once, words = gpu.array("unsigned", PERIOD), gpu.array("unsigned", PERIOD, "random", 9)
  for i = 0, PERIOD - 1 do
    local x = words[i]
    for _ = 1, p.rounds do x = shifted(x) end
    once[i] = x
  end
  return once:cycle(p.m)
end

-- Copies ------------------------------------------------------------------------------------------

-- What the host makes of such memory, where that was measured.
local function host_side(record)
  local t = record.times
  if not t or not t.host_write_gbps then return nil end
  return ("one core of the host writes it at %.1f GB/s and reads it at %.2f GB/s"):format(t.host_write_gbps,
    t.host_read_gbps)
end

local function copy(step)
  step.group = "copies"
  step.useful_bytes = function(p) return p.bytes end
  step.useful_of = "the host"
  step.transfer = { direction = step.direction, memory = step.memory, bytes = "bytes" }
  step.direction, step.memory = nil, nil
  return step
end

local steps = {
  copy {
    id = "topageable", title = "to GPU, pageable", direction = "to device", memory = "pageable",
    claims = { "F10.host.pcie" }, detail = host_side,
    text = [[
Memory as malloc gives it may be moved or written to disk by the operating system at any time, so that the GPU must not
reach for it by itself. cudaMemcpy therefore copies twice: the CPU brings piece after piece into a page-locked buffer of
the driver's own, and from there the GPU fetches it. One core of the CPU sets the pace, and it is busy all the while.
This copy is timed by the clock of the host, from the call to its end: two events on the GPU would see its last leg
only.]],
  },
  copy {
    id = "topinned", title = "to GPU, page-locked", direction = "to device", memory = "pinned",
    claims = { "F10.host.locked_speed", "O24.host.locked", "F10.host.locked_cost", "F10.host.portable" },
    detail = host_side,
    text = [[
cudaHostAlloc gives memory whose pages stay where they are: page-locked, or pinned. The GPU's copy engine fetches them
over the link without the CPU, at what the link can carry. The link's specification counts the headers of its packets as
well, of 24 bytes or so for every 128 or 256 of data, so that nobody sees all of it. To lock pages takes long, far
longer than to allocate them, and the pages are missed by everybody else: one allocates such buffers once and keeps
them. The slide wants cudaHostAllocPortable for other threads of the program; today they all share one context, and it
is page-locked for each of them anyhow.]],
  },
  copy {
    id = "towc", title = "to GPU, write-combined", direction = "to device", memory = "write-combined",
    claims = { "F10.host.locked_combining", "F10.host.uncached_slow", "F10.host.uncached_fast",
      "F10.host.uncached_clean" },
    detail = host_side,
    text = [[
Write-combined memory is page-locked and not in the CPU's caches: the CPU gathers what it writes into whole lines and
sends them straight to memory, so that a copy need not ask the caches, and what was in them stays. That was worth some
per cent when the slide was made. Copies of today hardly differ. What should differ is the other side: reading memory
that is in no cache the CPU waits for every access, and takes many times as long. It is for data that the host writes in
order, once, and never looks at again. On a GPU the remark below the row tells what your host does; on that of an H200
nothing of it was seen, all three kinds of memory were read alike.]],
  },
  copy {
    id = "frompageable", title = "from GPU, pageable", direction = "from device", memory = "pageable",
    text = [[
The other way, into memory as malloc gives it. Again the CPU copies what the GPU has stored in the driver's buffer. The
two directions need not be equally fast: reading what the GPU has just written and writing to new memory are different
work for a CPU.]],
  },
  copy {
    id = "frompinned", title = "from GPU, page-locked", direction = "from device", memory = "pinned",
    text = [[
The GPU stores its data in the host's memory by itself. The link has lanes of its own for either direction: while these
data come, others can go, at full speed. The last steps of this lab make use of that.]],
  },
  copy {
    id = "small", title = "page-locked, 16 KB", direction = "to device", memory = "pinned",
    with = { bytes = 16384 }, claims = { "O24.host.large" },
    text = [[
A copy costs some microseconds before its first byte moves: the command has to reach the engine, and the engine has to
tell that it is done. For a large copy that is nothing. 16 KB would be over the link in less time than that. So one
copies large blocks at once, and where there are many small things, one packs them together first. `plot size` shows
from which size on the link is what counts.]],
  },
}

-- Mapped memory -----------------------------------------------------------------------------------

local function mapped(step)
  return {
    group = "mapped", id = step.id, title = step.title, text = step.text, claims = step.claims,
    kernel = { file = "host.cu", name = step.kernel or "carry" },
    grid = function(p) return blocks_for(p.n) end, block = 256,
    args = { step.to, step.from, "n", step.kernel and "apart" }, output = step.to,
    reference = step.reference or same,
    useful_bytes = function(p) return 4 * p.n end,
    useful_of = (step.to == "out" and step.from == "data") and "global memory" or "the host",
    expect = step.expect, predict = step.predict,
  }
end

local coalesced = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = 4 }

for _, step in ipairs {
  { id = "resident", title = "own memory", to = "out", from = "data",
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
A kernel that carries words from one vector to another, both in the GPU's own memory. The rate counts each word once.
This is what data that are there already cost, and a large GPU does it dozens of times as fast as its link: the first
advice is not to copy at all. What one kernel leaves on the GPU the next one finds there, and it may pay to do a part
of the work on the GPU, although the GPU is bad at it, only to save two copies.]] },
  { id = "fromhost", title = "reads the host's", to = "out", from = "host_data",
    claims = { "F10.host.locked_mapped", "F10.host.two_addresses", "F10.host.map_flag" },
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
The same kernel, with a pointer into page-locked memory of the host: every load of a warp becomes a request over the
link. No copy is made before, hence the name zero copy, and the first threads begin at once. The slide says that such
memory has a second address for the device, and wants a flag set before all other calls. That was so before unified
addressing: in a 64-bit program of today the address is the same on both sides, and no flag is needed. Whether it is
fast depends on how many requests can be on their way: a kernel's loads do not reach the rate of a copy everywhere.]] },
  { id = "scattered", title = function(p) return ("%d words apart"):format(p.apart) end, kernel = "gather",
    to = "out", from = "host_data", reference = gathered,
    predict = { ask = "How many GB/s of words come over the link now?", of = "rate", unit = "GB/s", within = 25 },
    text = [[
Each word is still read once, but neighbouring threads read words that lie apart (`set apart=8`). A request fetches
whole sectors of 32 bytes, most of which nobody wants. In the GPU's own memory the rate drops to an eighth, if the cache
does not help. Over the link the number of requests is short as well: every lane of the warp makes one, each carries 32
bytes besides a header of 24, and the GPU can only wait for so many answers. `plot apart` shows both parts of the
drop.]] },
  { id = "tohost", title = "writes the host's", to = "host_out", from = "data",
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
Results written straight into the host's memory. A store needs no answer, so that nobody waits, and whole lines go at
nearly the rate of a copy. The host finds them when the kernel has ended and that was waited for: not before.]] },
  { id = "bothways", title = "reads and writes", to = "host_out", from = "host_data",
    text = [[
Both at once, in either direction: read from the host, written to the host, nothing is kept on the GPU. The two ways of
the link work at the same time, and it takes not much longer than the slower of the two alone, a quarter on an H200. For
data that are needed once this is the least a program can do, and it is hard to beat with copies: those have to be cut
into chunks and overlapped, as below, to come to the same time.]] },
} do steps[#steps + 1] = mapped(step) end

-- Overlap -----------------------------------------------------------------------------------------

local function overlapped(step)
  return {
    group = "overlap", id = step.id, title = step.title, text = step.text, claims = step.claims,
    overlap = { kernel = { file = "host.cu", name = "mix" },
      grid = function(_, count) return blocks_for(count) end, block = 256,
      args = function(first, count) return { "mixed", "words", first, count, "rounds" } end,
      input = "words", output = "mixed", chunks = step.chunks, streams = step.streams, memory = step.memory,
      order = step.order },
    reference = mixed,
    useful_bytes = function(p) return 8 * p.m end, useful_of = "the host",
  }
end

for _, step in ipairs {
  { id = "atonce", title = "in one piece", chunks = 1, streams = 1,
    text = [[
A vector goes to the GPU, a kernel works on it, the results come back: three operations, each of which waits for the one
before. The rate counts the vector twice, once for each way. While the kernel runs the link rests, while a copy runs the
kernel's processors rest, and no matter which way data go, the other way is idle.]] },
  { id = "onestream", title = "8 chunks, one stream", chunks = 8, streams = 1, claims = { "F10.host.async" },
    text = [[
The vector cut into eight chunks: copy in, kernel, copy out for each, with cudaMemcpyAsync, which returns before the
copy is done, so that the CPU is free for other work. That alone makes nothing faster. Operations of a stream are done
in order, one at a time, and this is one stream; there is only more to be paid for, every copy and every launch has its
microseconds.]] },
  { id = "streams", title = function(p) return ("%d chunks, 4 streams"):format(p.chunks) end,
    chunks = "chunks", streams = 4, claims = { "F10.host.locked_overlap", "O24.host.overlap" },
    text = [[
The same chunks, dealt out to four streams in turn. Between streams there is no order: while a kernel works on one
chunk, the next one comes and the last one goes. Look at the timeline below the table: in the middle all three go on
side by side, and the whole takes little more than the longest of the three plus the first chunk's way in and the last
one's way out. More chunks make those shorter, and cost more beginnings: try `set chunks=32`, or `plot chunks`.]] },
  { id = "breadth", title = "8, breadth-first", chunks = 8, streams = 4, order = "breadth",
    text = [[
The order in which operations are issued, for GPUs with one copy engine. So far all three of a chunk were issued before
those of the next chunk. An engine takes copies in the order of issue: there the copy out of chunk 1, which has to wait
for its kernel, holds up the copy in of chunk 2, and nothing overlaps. Issued breadth-first, all copies in of four
chunks, then their kernels, then the copies out, it does. With an engine for each direction the first order is as good
or better. Compare `model Tesla C1060` (one engine) with `model Tesla C2050` (two), then `run streams breadth`.]] },
  { id = "notlocked", title = "8, pageable memory", chunks = 8, streams = 4, memory = "pageable",
    text = [[
The same calls with memory from malloc. cudaMemcpyAsync takes it without a word, but then it is asynchronous by name
only: from the GPU it returns when the copy is done, and to the GPU when the driver has taken the data over, so that
there is nothing to overlap with. If streams bring nothing, look at where the memory comes from.]] },
} do steps[#steps + 1] = overlapped(step) end

-- Links -------------------------------------------------------------------------------------------

steps[#steps + 1] = {
  id = "links", title = "GPUs and their links", claims = { "O24.host.enough_work", "O24.host.fewer" },
  text = [[
From the data the models use: what the link of each GPU carries, and how many operations the GPU could do in the time in
which one float comes over it. From the GTX 280 to the H200 the link became nine times as fast, and the arithmetic a
hundred times. Today it takes thousands of operations on every float before the link no longer matters, or data that
stay. Figures of the link depend on the host as well, and those for pageable memory are estimates: the field sources of
gpu.models() says where each is from.]],
  figure = function()
    local rows = {}
    for _, m in ipairs(gpu.models()) do
      if not m.base then
        local flops = 2 * m.sms * m.fp32_lanes * m.shader_ghz
        rows[#rows + 1] = { m.name, m.link, m.to_device_gbps, m.pageable_to_gbps, m.copy_engines,
          math.floor(flops / (m.to_device_gbps / 4) + 0.5) }
      end
    end
    return { columns = { "GPU", "link", "GB/s", "pageable", "engines", "flops a float" }, rows = rows,
      note = "GB/s: page-locked memory, to the GPU. Engines: copies that run beside a kernel." }
  end,
}

-- Exercises ---------------------------------------------------------------------------------------

-- The largest of each 256 words, and every word's distance to it.
local function distances()
  local words, result = gpu.array("unsigned", SAMPLES, "random", 19), gpu.array("unsigned", SAMPLES)
  for first = 0, SAMPLES - 1, 256 do
    local most = 0
    for i = first, first + 255 do most = math.max(most, words[i]) end
    for i = first, first + 255 do result[i] = most - words[i] end
  end
  return result
end

-- Sums of eight neighbours, modulo 2^32.
local function eights()
  local words, result = gpu.array("unsigned", SAMPLES, "random", 19), gpu.array("unsigned", SAMPLES // 8)
  for i = 0, SAMPLES // 8 - 1 do
    local sum = 0
    for k = 8 * i, 8 * i + 7 do sum = sum + words[k] end
    result[i] = sum & 0xffffffff
  end
  return result
end

local RAMP <const> = 30011 -- elements of the exercise about chunks: no multiple of anything

local function ramp()
  local words, result = gpu.array("unsigned", RAMP, "random", 29), gpu.array("unsigned", RAMP)
  for i = 0, RAMP - 1 do result[i] = words[i] * i & 0xffffffff end
  return result
end

local CHUNK <const> = 8192

local function ramp_launches()
  local list = {}
  for first = 0, RAMP - 1, CHUNK do
    local count = math.min(CHUNK, RAMP - first)
    list[#list + 1] = { kernel = "ramp", grid = blocks_for(count), block = 256,
      args = { "ramped", "ramp", first, count } }
  end
  return list
end

local function even_count()
  local words, counts = gpu.array("unsigned", SAMPLES, "random", 19), gpu.array("unsigned", SAMPLES // 1024)
  for block = 0, SAMPLES // 1024 - 1 do
    local n = 0
    for i = 1024 * block, 1024 * block + 1023 do n = n + (words[i] % 2 == 0 and 1 or 0) end
    counts[block] = n
  end
  return counts
end

local exercises = {
  {
    id = "once", title = "Over the link only once",
    task = [[
`samples` lies in the memory of the host, mapped, and the kernel reads it there: for each block of 256 words it finds
the largest, and writes every word's distance to it. It looks at the words twice, and each time they come over the link.
Read every word once.]],
    starter = "exercises/09-once/distance.cu", solution = "solutions/09-once/distance.cu", kernel = "distance",
    grid = SAMPLES // 256, block = 256, args = { "distances", "samples" }, output = "distances", columns = 256,
    reference = distances,
    gate = { global_load = { at_most = 4.1 }, global_load_sectors = { at_most = SAMPLES // 8 * 1.02 } },
    claims = { "O24.host.fewer" },
    hints = {
      "The GPU's own memories are hundreds of times nearer than the host's. Which of them lasts as long as a block?",
      "All 256 threads need all 256 words, but each thread can fetch one, for everybody.",
      [[Each thread loads its word into a register and stores it in a shared array; after __syncthreads() the largest is
found there. The second pass needs only the register.]],
    },
    debrief = [[
A word that lies in the GPU's own memory may be read again at little cost, since the caches keep it. For the host's
memory the CUDA guides say: read it once, and coalesced. A cache may help by chance, but the link is too slow to depend
on that. What is needed several times is brought into shared memory, registers, or by a copy into global memory.]],
  },
  {
    id = "lines", title = "Whole lines over the link",
    task = [[
`samples` is mapped memory of the host again. Each thread adds up eight neighbouring words, and takes them one after the
other, so that the threads of a warp are 32 bytes apart and every request fetches 32 sectors to use a word of each. Make
every request one of four sectors, and the sums still right.]],
    starter = "exercises/09-lines/eights.cu", solution = "solutions/09-lines/eights.cu", kernel = "eights",
    grid = SAMPLES // 2048, block = 256, args = { "eights", "samples" }, output = "eights", reference = eights,
    gate = { global_load = { at_most = 4.1 }, shared_load = { at_most = 2.1 } },
    hints = {
      "A warp should ask for 32 neighbouring words at a time, whoever will need them.",
      "A block has 2048 words to fetch and 256 threads: eight rounds of 256 neighbours, into shared memory.",
      [[s[k * 256 + tid] = in[first + k * 256 + tid] for k = 0..7; then thread tid adds up s[8 * tid .. 8 * tid + 7].
Words 8 apart share banks: give every row of eight a ninth word that nobody uses, s[9 * (i / 8) + i % 8].]],
    },
    debrief = [[
The same bytes cross the link, in an eighth of the requests, each of them a full line. In the GPU's own memory the
caches would have hidden most of the difference: the sectors of the first load hold the words of the next seven. From
the host each request is a round trip of a microsecond or more. Two loads of uint4 by each thread would take fewer
instructions, but the threads would be 32 bytes apart again.]],
  },
  {
    id = "chunks", title = "A kernel for chunks",
    task = [[
A pipeline launches the kernel once for each chunk of the vector: `first` is the chunk's first element, `count` how many
it has. ramped[i] has to be i times ramp[i], i counted over the whole vector. The kernel was written for a vector in one
piece. Make it right for chunks, without threads that work on what is not theirs.]],
    starter = "exercises/09-chunks/ramp.cu", solution = "solutions/09-chunks/ramp.cu",
    launches = ramp_launches, output = "ramped", reference = ramp,
    gate = { launches = { at_least = 4, at_most = 4 }, global_store_requests = { at_most = RAMP // 32 + 12 } },
    claims = { "O24.host.overlap" },
    hints = {
      "What does blockIdx.x begin with in the second launch?",
      "The thread's number in the launch and the element's number in the vector are two different things now.",
      "int k = the thread's number; if (k < count) { int i = first + k; out[i] = in[i] * i; }",
    },
    debrief = [[
Work that is to be overlapped with copies has to be cut, and a kernel that is cut has to know where its piece lies. The
last chunk is shorter than the others, and its last block has threads with nothing to do: the bound is the chunk's, not
the vector's, or a chunk is written before its input has come. The checkers see none of that as long as all is in one
stream; the answer of the pipeline does.]],
  },
  {
    id = "answers", title = "Answers for the host",
    task = [[
The kernel counts the even words of each 1024 and leaves the counts in the memory of the host, `counts`, mapped. Every
even word is added there by an atomic operation of its own: each crosses the link, and waits for its turn. Let only one
store a block go to the host.]],
    starter = "exercises/09-answers/even.cu", solution = "solutions/09-answers/even.cu", kernel = "even",
    grid = SAMPLES // 1024, block = 256, args = { "counts", "resident" }, output = "counts", reference = even_count,
    gate = { atomics = { at_most = 0 }, global_store_requests = { at_most = SAMPLES // 1024 } },
    hints = {
      "How many numbers does the host want from a block, and where could they be added up before?",
      "__syncthreads_count(p) tells every thread of a block how many threads have p.",
      [[Each thread counts the even ones of its four words; add up the threads' counts in shared memory, or count with
__syncthreads_count four times; then thread 0 stores.]],
    },
    debrief = [[
Atomic operations on the host's memory go over the link one by one, and the CUDA guides do not promise that they are
atomic for anyone but this GPU: the CPU may come in between. Results are made on the GPU, and travel once. For this
exercise the counts begin with zero, as the starter needs it; your kernel need not care.]],
  },
}

return lab.define {
  number = 9,
  id = "host-and-device",
  title = "Host and device",
  lecture = { "F10", "O24" },
  intro = [[
A GPU has its own memory, and what is in it has to come from somewhere: from the memory of the host, over a link, PCI
Express nearly always. The link is far slower than either memory, so that for many a program it decides whether the GPU
is worth its while.

The first steps copy, in both directions, from and to pageable, page-locked and write-combined memory. The next ones let
kernels read and write the host's memory by themselves. The last cut the work into chunks, so that copies and kernels go
on at the same time, and draw a timeline.

On a GPU all of this is measured. On the emulator it is predicted from figures of the link; those of pageable memory are
estimates, because they depend on the host (`run links`, and docs/transfers.md).]],
  params = {
    bytes = { default = 1 << 26, min = 1, max = 1 << 30, help = "bytes of the copies",
      because = "page-locked memory is taken from the whole machine: 1 GB is enough" },
    n = { default = 1 << 24, emulator = 1 << 20, small = 1 << 15, min = 1 << 15, max = 1 << 28, multiple = 1 << 15,
      help = "words for the kernels that use mapped memory", because = "they are dealt out in strides of up to 1024" },
    apart = { default = 32, min = 1, max = 1024, help = "words between neighbouring threads in the step scattered" },
    m = { default = 1 << 24, emulator = 1 << 20, small = 20011, min = 4096, max = 1 << 27,
      help = "words of the vector that goes through the pipeline" },
    rounds = { default = 200, emulator = 48, small = 3, min = 0, max = 10000, help = "rounds for each of these words" },
    chunks = { default = 8, min = 1, max = 256, help = "chunks in the step streams",
      because = "a pipeline has at most 256" },
  },
  buffers = {
    data = { type = "unsigned", count = "n", fill = function(p) return data(p.n) end },
    out = { type = "unsigned", count = "n" },
    host_data = { type = "unsigned", count = "n", memory = "mapped", fill = function(p) return data(p.n) end },
    host_out = { type = "unsigned", count = "n", memory = "mapped" },
    words = { type = "unsigned", count = "m", fill = function(p) return data(p.m) end },
    mixed = { type = "unsigned", count = "m" },
    samples = { type = "unsigned", count = SAMPLES, memory = "mapped", fill = "random", seed = 19 },
    resident = { type = "unsigned", count = SAMPLES, fill = "random", seed = 19 },
    distances = { type = "unsigned", count = SAMPLES },
    eights = { type = "unsigned", count = SAMPLES // 8 },
    ramp = { type = "unsigned", count = RAMP, fill = "random", seed = 29 },
    ramped = { type = "unsigned", count = RAMP },
    counts = { type = "unsigned", count = SAMPLES // 1024, memory = "mapped", fill = 0 },
  },
  groups = {
    { id = "copies", title = "copy", baseline = "topinned", share = "of locked",
      columns = { "model", "rate", "share", "bound" } },
    { id = "mapped", title = "kernel",
      columns = { "sectors", "model", "rate", "verified", "bound" } },
    { id = "overlap", title = "pipeline", baseline = "atonce", share = "of the first",
      columns = { "model", "rate", "share", "ms", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Rate over the size of a copy", y = "rate",
      x = { param = "bytes", log = true, label = "bytes",
        values = { 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28 } },
      steps = { "topageable", "topinned", "frompageable", "frompinned" }, claims = { "O24.host.large" },
      text = [[
On the left the cost of a copy is all there is: the curve rises with the size. Where it has come to half its height,
half of the time is for the bytes. Far to the right it is the link, or the host, and nothing else.]] },
    { id = "apart", title = "Reading host memory, words apart", y = "rate",
      x = { param = "apart", log = true, label = "words between neighbouring threads",
        values = { 1, 2, 4, 8, 16, 32, 64 } },
      steps = { "scattered" },
      text = [[
Up to eight words apart every sector holds fewer of the words that are wanted; from there on, up to 32, the sectors of a
request lie in more and more lines, each of which is a request of its own over the link.]] },
    { id = "chunks", title = "Time over the number of chunks", y = "ms",
      x = { param = "chunks", log = true, label = "chunks, on four streams", values = { 1, 2, 4, 8, 16, 32, 64 } },
      steps = { "streams" }, claims = { "O24.host.overlap" },
      text = [[
Few chunks overlap little: what comes in first and goes out last is alone. Many chunks pay for their beginnings. In
between lies a number that a program has to find, as this one does.]] },
  },
  exercises = exercises,
}
