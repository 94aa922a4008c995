-- Lab 9: transfers between host and GPU: copies, host memory that kernels access directly, and copies that overlap with
-- kernels.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

local PERIOD <const> = 4099 -- the data repeat with this period in words, a prime: no two chunks are alike
local SIZES <const> = { 16 * 2048, 13 * 2048, 2048 } -- elements of the exercises

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

-- The words in the order in which the kernel `gather` reads them.
local function gathered(p, host) return host.data:transpose(p.n // p.stride, p.stride) end

-- All words after p.iterations iterations, computed for one period.
local function mixed(p)
  local once, words = gpu.array("unsigned", PERIOD), gpu.array("unsigned", PERIOD, "random", 9)
  for i = 0, PERIOD - 1 do
    local x = words[i]
    for _ = 1, p.iterations do x = shifted(x) end
    once[i] = x
  end
  return once:cycle(p.m)
end

-- Copies ------------------------------------------------------------------------------------------

-- The host's own bandwidth to such memory, where it was measured.
local function host_side(record)
  local t = record.times
  if not t or not t.host_write_gbps then return nil end
  return ("a plain loop on one host core writes it at %.1f GB/s and reads it at %.2f GB/s"):format(t.host_write_gbps,
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
    claims = { "F10.host.pcie", "F10.host.virtual" }, detail = host_side,
    text = [[
Memory from malloc is pageable: the operating system may move it or write it to disk at any time. On most systems the
GPU cannot read it (HMM and GH200 are exceptions), so cudaMemcpy copies twice: a CPU core copies chunks into a pinned
staging buffer of the driver, and the GPU fetches them from there. That copy limits the rate (the driver may be faster
than the plain loop below the row). The host's clock times the call; CUDA events would time only the DMA.]],
  },
  copy {
    id = "topinned", title = "to GPU, pinned", direction = "to device", memory = "pinned",
    claims = { "F10.host.locked_speed", "O24.host.locked", "F10.host.locked_cost", "F10.host.portable" },
    detail = host_side,
    text = [[
cudaHostAlloc (or cudaMallocHost) returns pinned (page-locked) memory: its pages stay in place. The GPU's copy engine
fetches them over the link without the CPU, at the rate of the link. The specified rate includes packet headers, so no
copy reaches it. Pinning takes far longer than allocating, and the system has less memory to page, so allocate such
buffers once and keep them.

Note on the slide: it wants cudaHostAllocPortable for other host threads. Now all threads of a process share one
context, and the memory is pinned for each of them.]],
  },
  copy {
    id = "towc", title = "to GPU, write-combined", direction = "to device", memory = "write-combined",
    claims = { "F10.host.locked_combining", "F10.host.uncached_slow", "F10.host.uncached_fast",
      "F10.host.uncached_clean" },
    detail = host_side,
    text = [[
Write-combined memory is pinned and bypasses the CPU's caches: the CPU collects writes into whole lines and sends them
to memory. Transfers do not snoop the caches, and cached data stay cached. The programming guide of the time promised
up to 40 % more transfer bandwidth. Uncached reads by the CPU, however, stall on every access, so use it for data the
host writes once, in order. The line below the row shows your host; on the recorded H200 system nothing differed from
pinned memory.]],
  },
  copy {
    id = "frompageable", title = "from GPU, pageable", direction = "from device", memory = "pageable",
    text = [[
The other direction, into pageable memory: the GPU stores into the driver's staging buffer, and the CPU copies from
there. The two directions need not be equally fast. For a CPU, reading data that the GPU has just written differs from
writing to new pages. Compare this row with the first.]],
  },
  copy {
    id = "frompinned", title = "from GPU, pinned", direction = "from device", memory = "pinned",
    text = [[
The GPU's copy engine stores into pinned host memory without the CPU. PCIe is full duplex: another copy to the GPU can
run at full speed at the same time. The last steps of this lab use that.]],
  },
  copy {
    id = "small", title = "to GPU, pinned, 16 KB", direction = "to device", memory = "pinned",
    with = { bytes = 16384 }, claims = { "O24.host.large" },
    text = [[
Each copy has a fixed cost of some microseconds before its first byte moves: the command has to reach the engine, and
the engine has to report completion. For a large copy that is negligible. 16 KB cross an H200's link in 0.3 µs, but
the copy takes 2.8 µs. So copy large blocks, and pack many small items together first. `plot size` shows from which
size on the bandwidth of the link dominates.]],
  },
}

-- Mapped memory -----------------------------------------------------------------------------------

local function mapped(step)
  return {
    group = "mapped", id = step.id, title = step.title, text = step.text, claims = step.claims,
    kernel = { file = "host.cu", name = step.kernel or "copy" },
    grid = function(p) return blocks_for(p.n) end, block = 256,
    args = { step.to, step.from, "n", step.kernel and "stride" }, output = step.to,
    reference = step.reference or same,
    useful_bytes = function(p) return 4 * p.n end,
    useful_of = (step.to == "out" and step.from == "data") and "global memory" or "the host",
    expect = step.expect, predict = step.predict,
  }
end

local coalesced = { ["1.x"] = 1, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = 4 }

for _, step in ipairs {
  { id = "resident", title = "device memory only", to = "out", from = "data",
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
A kernel copies words from one vector to another, both in the GPU's memory. The rate counts each word once. This is
what data that are already there cost, and a large GPU copies them dozens of times faster than its link does. So the
first advice is not to copy: a kernel finds what an earlier kernel left on the GPU. It may pay to do a part of the
work on the GPU even where the GPU is inefficient at it, only to save two copies.]] },
  { id = "fromhost", title = "reads host memory", to = "out", from = "host_data",
    claims = { "F10.host.locked_mapped", "F10.host.two_addresses", "F10.host.map_flag" },
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
The same kernel reads pinned host memory: each load of a warp becomes one or more transfers over the link (some GPUs
cache such data). No copy runs first, hence the name zero copy, and the first threads start at once. The rate depends on
how many transfers can be in flight; not every GPU reaches the rate of a copy.

Note on the slide: it gives such memory a second device address and requires a flag. With unified addressing, in
64-bit programs, both addresses are equal (except for write-combined and some registered memory:
cudaHostGetDevicePointer), and no flag is needed.]] },
  { id = "scattered", title = function(p) return ("reads, stride %d"):format(p.stride) end, kernel = "gather",
    to = "out", from = "host_data", reference = gathered,
    predict = { ask = "How many GB/s of useful data does it read now?", of = "rate", unit = "GB/s", within = 25 },
    text = [[
Each word is still read once, but neighboring threads read words with a stride (`set stride=8`). A load fetches
whole sectors of 32 bytes, most of them unused. In the GPU's own memory that can reduce the rate to an eighth, if no
cache helps. Over the link the number of transfers is the second limit: at the default stride each lane's word is in a
line of its own, each transfer pays a packet header, and only a limited number can be in flight. `plot stride` shows
both parts of the drop. In `debug scattered`, `until 19` and `view` show each lane in a sector of its own.]] },
  { id = "tohost", title = "writes host memory", to = "host_out", from = "data",
    expect = { global_load = coalesced, global_store = coalesced },
    text = [[
The kernel stores its results directly in host memory. A store needs no answer, so no thread waits, and full lines
reach nearly the rate of a copy. The host may read the results after it has synchronized with the end of the kernel.
To read them earlier, kernel and host need a system-scope fence (`__threadfence_system()`) and a flag.]] },
  { id = "bothways", title = "reads and writes", to = "host_out", from = "host_data",
    text = [[
Both at once: the kernel reads from host memory and writes to host memory, and nothing stays on the GPU. The link is
full duplex, so this takes only about a quarter longer than the slower direction alone on the recorded H200 system.
For data that are needed once, this is the least a program can do. Copies only match it if they are cut into chunks
and overlapped, as in the steps below.]] },
} do steps[#steps + 1] = mapped(step) end

-- Overlap -----------------------------------------------------------------------------------------

local function overlapped(step)
  return {
    group = "overlap", id = step.id, title = step.title, text = step.text, claims = step.claims,
    overlap = { kernel = { file = "host.cu", name = "mix" },
      grid = function(_, count) return blocks_for(count) end, block = 256,
      args = function(first, count) return { "mixed", "words", first, count, "iterations" } end,
      input = "words", output = "mixed", chunks = step.chunks, streams = step.streams, memory = step.memory,
      order = step.order },
    reference = mixed,
    useful_bytes = function(p) return 8 * p.m end, useful_of = "the host",
  }
end

for _, step in ipairs {
  { id = "onechunk", title = "1 chunk, 1 stream", chunks = 1, streams = 1,
    text = [[
The baseline: copy a vector to the GPU, run a kernel on it, copy the results back. Each operation waits for the one
before. The rate counts the vector twice, once per direction. While the kernel runs the link is idle; while a copy
runs the SMs are idle, and so is the other direction of the link. Look for these gaps in the timeline below the
tables.]] },
  { id = "onestream", title = "8 chunks, 1 stream", chunks = 8, streams = 1, claims = { "F10.host.async" },
    text = [[
The vector is cut into eight chunks: copy in, kernel, copy out for each, with cudaMemcpyAsync. It returns before the
copy is done, so the CPU is free for other work. That alone does not shorten the time: the operations of one stream
execute in order, one at a time. Each additional copy and launch adds its overhead instead. Compare with the row
above.]] },
  { id = "streams", title = function(p) return ("%d chunks, 4 streams"):format(p.chunks) end,
    chunks = "chunks", streams = 4, claims = { "F10.host.locked_overlap", "O24.host.overlap" },
    text = [[
The same chunks, distributed over four streams in turn. Operations in different streams are not ordered: while a
kernel works on one chunk, the next chunk arrives and the previous one leaves. Look for the overlap in the timeline:
the total is little more than the longest of the three activities, plus the first chunk's copy in and the last chunk's
copy out. More chunks shorten those two, but add launch and copy overhead: try `set chunks=32`, or `plot chunks`.]] },
  { id = "breadth", title = "8 chunks, breadth-first", chunks = 8, streams = 4, order = "breadth",
    text = [[
Order matters on GPUs with one copy engine. So far chunk after chunk was issued. The engine executes copies in issue
order: the copy out of chunk 1 waits for its kernel and blocks the copy in of chunk 2. Breadth-first issue (four
copies in, their kernels, copies out) restores the overlap. With two copy engines and several queues (cc 3.5 on)
either order overlaps. On Fermi, with one queue, kernels issued back to back delay the copies out (not in our model).
Try `model Tesla C1060`, `run streams breadth`.]] },
  { id = "pageable", title = "8 chunks, pageable", chunks = 8, streams = 4, memory = "pageable",
    text = [[
The same calls with pageable memory. cudaMemcpyAsync accepts it silently but is asynchronous only in name: from the
GPU it returns when the copy is done, and to the GPU when the data are in the staging buffer. So nothing overlaps. If
streams bring you no speedup, check how the memory was allocated.]] },
} do steps[#steps + 1] = overlapped(step) end

-- Links -------------------------------------------------------------------------------------------

steps[#steps + 1] = {
  id = "links", title = "links and arithmetic",
  claims = { "O24.host.enough_work", "O24.host.choice", "O24.host.fewer" },
  text = [[
From the models' data: the bandwidth of each GPU's link, and how many operations the GPU can do in the time one float
takes to cross it. From the GTX 280 to the H200 the link became nine times faster, the arithmetic a hundred times. Now
a program needs thousands of operations per transferred float, or data that stay on the GPU. Bandwidth depends on the
host too; the pageable values are estimates (`sources` of gpu.models()).

Note on the slide: enough work per transfer is its last condition. The code must also be critical for the application
(profile it on real data), large enough, and parallelizable.]],
  figure = function(_, device)
    local rows = {}
    for i, m in ipairs(lab.gpus(device)) do
      local flops = 2 * m.sms * m.fp32_lanes * m.shader_ghz
      rows[i] = { m.name, m.link, m.to_device_gbps, m.pageable_to_gbps, m.copy_engines,
        math.floor(flops / (m.to_device_gbps / 4) + 0.5) }
    end
    return { columns = { "GPU", "link", "GB/s", "pageable", "engines", "FLOP per float" }, rows = rows,
      note = "GB/s: from pinned memory to the GPU. Engines: copies that can run concurrently with a kernel." }
  end,
}

-- Exercises ---------------------------------------------------------------------------------------

-- One per n words.
local function per(n)
  return function(p) return p.size // n end
end

-- The maximum of each 256 words, and every word's distance to it.
local function distances(p, host)
  local words, result = host.samples, gpu.array("unsigned", p.size)
  for first = 0, p.size - 1, 256 do
    local most = 0
    for i = first, first + 255 do most = math.max(most, words[i]) end
    for i = first, first + 255 do result[i] = most - words[i] end
  end
  return result
end

-- Sums of eight neighboring words, modulo 2^32.
local function eights(p, host)
  local words, result = host.samples, gpu.array("unsigned", p.size // 8)
  for i = 0, #result - 1 do
    local sum = 0
    for k = 8 * i, 8 * i + 7 do sum = sum + words[k] end
    result[i] = sum & 0xffffffff
  end
  return result
end

local function ramp(p, host)
  local words, result = host.ramp, gpu.array("unsigned", p.size)
  for i = 0, p.size - 1 do result[i] = words[i] * i & 0xffffffff end
  return result
end

local ALIGNED <const> = 17001 -- the size whose chunks are whole blocks

local function ramp_launches(p)
  local list, chunk = {}, p.size == ALIGNED and 8192 or 7003
  for first = 0, p.size - 1, chunk do
    local count = math.min(chunk, p.size - first)
    list[#list + 1] = { kernel = "ramp", grid = blocks_for(count), block = 256,
      args = { "ramped", "ramp", first, count } }
  end
  return list
end

-- The last block has no even word, the one before it no other.
local function resident(p, seed)
  local words = inputs.extremes("unsigned", per(1))(p, seed)
  for i = math.max(0, p.size - 2048), p.size - 1 do
    words[i] = i < p.size - 1024 and words[i] & ~1 or words[i] | 1
  end
  return words
end

local function even_count(p, host)
  local words, counts = host.resident, gpu.array("unsigned", p.size // 1024)
  for block = 0, #counts - 1 do
    local n = 0
    for i = 1024 * block, 1024 * block + 1023 do n = n + (words[i] % 2 == 0 and 1 or 0) end
    counts[block] = n
  end
  return counts
end

local exercises = {
  {
    id = "read-once", title = "One read per word over the link",
    task = [[
`samples` is mapped host memory, and the kernel reads it directly. For each block of 256 words it finds the maximum,
and writes every word's distance to it. It reads each word many times, and each time over the link. Make it read every
word once, and find each maximum by a reduction: all warps that read words take part, with at most one atomic each.]],
    starter = "exercises/09-read-once/read_once.cu", solution = "solutions/09-read-once/read_once.cu",
    kernel = "distance",
    grid = per(256), sizes = SIZES, block = 256, args = { "distances", "samples" }, output = "distances", columns = 256,
    reference = distances,
    claims = { "O24.host.fewer" },
    accept = { combining_warps = { at_least = 0.5 }, shuffles = { at_most = 10 }, shared_updates = { at_most = 1 } },
    hints = {
      "The GPU's own memories are far closer than host memory. Which of them lasts as long as a block?",
      "All 256 threads need all 256 words, but each thread can load one for all of them.",
      [[Each thread loads its word into a register and stores it in a shared array; after __syncthreads() the block
finds the maximum there. The distance needs only the register.]],
    },
    debrief = [[
Reading a word of the GPU's own memory again is cheap, because the caches keep it. For mapped host memory the CUDA
guides advise: read it once, and coalesced. A cache may help by chance, but the link is too slow to rely on it. Bring
data you need several times into shared memory, registers, or with a copy into global memory.]],
  },
  {
    id = "coalesced", title = "Coalesced reads over the link",
    task = [[
`samples` is mapped host memory again. Each thread sums eight neighboring words, one after the other. The threads of a
warp access words with a stride of 32 bytes, so every request fetches 32 sectors and uses one word of each. Make every
request one of four sectors, with the same sums.]],
    starter = "exercises/09-coalesced/coalesced.cu", solution = "solutions/09-coalesced/coalesced.cu",
    kernel = "eights", grid = per(2048), sizes = SIZES, block = 256, args = { "eights", "samples" }, output = "eights",
    reference = eights,
    accept = { bank_conflicts = 4, wavefronts = 2.5 }, -- the link is the subject
    hints = {
      "A warp should load 32 neighboring words at a time, no matter which thread will need them.",
      "A block has 2048 words to load and 256 threads: eight loads of 256 neighboring words, into shared memory.",
      [[s[k * 256 + tid] = in[first + k * 256 + tid] for k = 0..7; then thread tid sums s[8 * tid .. 8 * tid + 7].
With a stride of 8 words threads t and t + 4 use the same bank (an 8-way conflict): pad each row of eight to nine words,
s[9 * (i / 8) + i % 8].]],
    },
    debrief = [[
The same words now cross the link in an eighth of the transfers: each load of a warp touches one 128-byte line instead
of eight. Without a cache, an eighth of the bytes cross as well. In the GPU's own memory the
caches would hide most of the difference: the sectors of the first load hold the words of the next seven. From host
memory each transfer is a round trip over the link. Two uint4 loads per thread would need fewer instructions, but the
threads would access with a stride of 32 bytes again.]],
  },
  {
    id = "chunks", title = "Kernel for one chunk",
    task = [[
A pipeline launches the kernel once per chunk of the vector: `first` is the chunk's first element, `count` its number
of elements. ramped[i] must be i times ramp[i], with i counted over the whole vector. The kernel was written for the
whole vector. Make it correct for chunks, and let no thread work outside its chunk.]],
    starter = "exercises/09-chunks/chunks.cu", solution = "solutions/09-chunks/chunks.cu",
    launches = ramp_launches, output = "ramped", reference = ramp,
    sizes = { 30011, ALIGNED, 7004, 100 },
    accept = { store_bytes = 1, loaded_words = 1 },
    claims = { "O24.host.overlap" },
    hints = {
      "What is the first value of blockIdx.x in the second launch?",
      "The thread's index in the launch and the element's index in the vector are two different things now.",
      "int k = the thread's global index; if (k < count) { int i = first + k; out[i] = in[i] * i; }",
    },
    debrief = [[
To overlap work with copies you cut it into chunks, and then the kernel has to know where its chunk starts. The last
chunk is shorter than the others, and its last block has threads with nothing to do. The bound is the chunk's, not the
vector's; otherwise a kernel writes into a chunk before its input has arrived. The checkers report nothing if
the chunks share a stream, because a stream orders its launches. Only the comparison with the reference shows the
error.]],
  },
  {
    id = "one-store", title = "One store per block to the host",
    task = [[
The kernel counts the even words of each 1024 and leaves the counts in mapped host memory, `counts`. It adds each even
word with its own atomic operation, which crosses the link and is serialized with the others. Let each block send a
single store to the host, also of a zero, and read nothing from there.]],
    starter = "exercises/09-one-store/one_store.cu", solution = "solutions/09-one-store/one_store.cu", kernel = "even",
    grid = per(1024), sizes = SIZES, block = 256, args = { "counts", "resident" }, output = "counts",
    reference = even_count,
    accept = { global_atomics = { at_most = 0 },
      global_store_requests = { at_least = SIZES[1] // 1024, at_most = SIZES[1] // 1024 } },
    hints = {
      "How many numbers does the host need from a block, and where can the block sum them before?",
      "__syncthreads_count(p) returns to every thread of a block how many threads have a true p.",
      [[Each thread counts the even ones of its four words; sum the threads' counts in shared memory, or call
__syncthreads_count four times; then thread 0 stores.]],
    },
    debrief = [[
Atomic operations on host memory cross the link one by one. The CUDA guides do not promise that they are atomic with
respect to the CPU or other GPUs, except for the _system variants (atomicAdd_system) on systems whose link supports
native host atomics (hostNativeAtomicSupported). Compute results on the GPU and send them once. For this exercise the
counts start at zero, because the starter needs that; your kernel does not.]],
  },
}

return lab.define {
  number = 9,
  id = "host-and-device",
  title = "Host and device",
  lecture = { "F10", "O24" },
  intro = [[
A GPU has its own memory, and its data have to come from somewhere: from host memory, over a link, nearly always PCI
Express. The link is far slower than either memory, so for many programs it decides whether using the GPU pays off.

The first steps copy in both directions, with pageable, pinned (page-locked) and write-combined memory. The next ones
let kernels access host memory directly. The last ones cut the work into chunks, so that copies and kernels overlap,
and draw a timeline.

On a GPU all of this is measured. On the emulator it is predicted from the link's data; the pageable values are
estimates, because they depend on the host (`run links`, and docs/reference/transfers.md).]],
  params = {
    bytes = { default = 1 << 26, min = 1, max = 1 << 30, help = "bytes per copy",
      because = "pinned memory is taken from the whole system: 1 GB is enough" },
    n = { default = 1 << 24, emulator = 1 << 20, small = 1 << 15, min = 1 << 15, max = 1 << 28, multiple = 1 << 15,
      help = "words for the kernels that use mapped memory", because = "they are read with strides of up to 1024" },
    stride = { default = 32, min = 1, max = 1024, help = "words between neighboring threads in step scattered" },
    m = { default = 1 << 24, emulator = 1 << 20, small = 20011, min = 4096, max = 1 << 27,
      help = "words of the vector in the pipeline" },
    iterations = { default = 200, emulator = 48, small = 3, min = 0, max = 10000, help = "loop iterations per word" },
    chunks = { default = 8, min = 1, max = 256, help = "chunks in step streams",
      because = "a pipeline has at most 256" },
  },
  buffers = {
    data = { type = "unsigned", count = "n", fill = function(p) return data(p.n) end },
    out = { type = "unsigned", count = "n" },
    host_data = { type = "unsigned", count = "n", memory = "mapped", fill = function(p) return data(p.n) end },
    host_out = { type = "unsigned", count = "n", memory = "mapped" },
    words = { type = "unsigned", count = "m", fill = function(p) return data(p.m) end },
    mixed = { type = "unsigned", count = "m" },
    samples = { type = "unsigned", count = per(1), memory = "mapped", fill = inputs.extremes("unsigned", per(1)) },
    resident = { type = "unsigned", count = per(1), fill = resident },
    distances = { type = "unsigned", count = per(1) },
    eights = { type = "unsigned", count = per(8) },
    ramp = { type = "unsigned", count = function(p) return p.size end, fill = "random", seed = 29 },
    ramped = { type = "unsigned", count = function(p) return p.size end },
    counts = { type = "unsigned", count = per(1024), memory = "mapped", fill = 0 },
  },
  groups = {
    { id = "copies", title = "copy", baseline = "topinned", share = "of pinned",
      columns = { "model", "rate", "share", "bound" } },
    { id = "mapped", title = "kernel",
      columns = { "sectors", "model", "rate", "verified", "bound" } },
    { id = "overlap", title = "pipeline", baseline = "onechunk", share = "of 1 chunk",
      columns = { "model", "rate", "share", "ms", "verified" } },
  },
  steps = steps,
  plots = {
    { id = "size", title = "Bandwidth over the size of a copy", y = "rate",
      x = { param = "bytes", log = true, label = "bytes",
        values = { 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28 } },
      steps = { "topageable", "topinned", "frompageable", "frompinned" }, claims = { "O24.host.large" },
      text = [[
On the left the fixed cost of a copy dominates, and the bandwidth grows with the size. Where a curve has reached half
its height, half of the time is spent on the bytes. On the right the link, or the host, is the only limit.]] },
    { id = "stride", title = "Reading host memory with a stride", y = "rate",
      x = { param = "stride", log = true, label = "words between neighboring threads",
        values = { 1, 2, 4, 8, 16, 32, 64 } },
      steps = { "scattered" },
      text = [[
Up to a stride of eight words every sector holds fewer useful words. From there to 32 the sectors of a request spread
over more lines, each of which is a separate transfer over the link.]] },
    { id = "chunks", title = "Time over the number of chunks", y = "ms",
      x = { param = "chunks", log = true, label = "chunks, on four streams", values = { 1, 2, 4, 8, 16, 32, 64 } },
      steps = { "streams" }, claims = { "O24.host.overlap" },
      text = [[
Few chunks overlap little: the first copy in and the last copy out overlap with nothing. Many chunks pay per-copy
overhead. Your program has to find the optimum in between, as this plot does.]] },
  },
  exercises = exercises,
}
