-- Lab 2: how the 32 accesses of a warp become transfers of global memory, through the generations.
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local BLOCK <const>, PERIOD <const> = 256, 4096 -- what buffers hold repeats after PERIOD elements

local function blocks(p) return (p.n + BLOCK - 1) // BLOCK end

-- An array of count elements, value(i) for element i, where that repeats after PERIOD.
local function periodic(count, value)
  local one = gpu.array("float", PERIOD)
  for i = 0, PERIOD - 1 do one[i] = value(i) end
  return one:cycle(count)
end

local function counting(i) return i % PERIOD end

local function expected(value)
  return function(p) return periodic(p.n, function(i) return value(i, p) end) end
end

-- What a GPU of the past would have made of it: a column of its own for each of them.
local function past(name)
  return { header = { "model", name, "GB/s" }, of = function(record)
    for _, row in ipairs(record.models) do
      if row.gpu == name and row.rate then return row.rate.number end
    end
  end }
end

local COLUMNS <const> = { "sectors", past "8800 GTX", past "GTX 280", "rate", "share", "verified" }

-- Sectors by today's rule; older GPUs count segments and lines.
local function sectors(count)
  if not count then return nil end
  return { global_load = { ["1.x"] = false, ["2.x"] = false, ["3.x"] = false, ["5.x"] = false, ["else"] = count } }
end

local steps = {}

local function step(made)
  made.kernel = { file = made.file or "coalesce.cu", name = made.kernel }
  made.file = nil
  made.grid, made.block, made.output = blocks, BLOCK, "out"
  made.expect, made.sectors = sectors(made.sectors), nil
  made.useful_bytes = made.useful_bytes or function(p) return 8 * p.n end
  steps[#steps + 1] = made
end

-- Offset ------------------------------------------------------------------------------------------

local function offset(k, more)
  more.id, more.group, more.kernel = more.id or "offset" .. k, "offset", "offset"
  more.title = more.title or ("x[i + %d]"):format(k)
  more.args = { "out", "x", type(k) == "number" and k or "offset", "n" }
  more.reference = expected(function(i, p) return counting(i + (type(k) == "number" and k or p.offset)) end)
  step(more)
end

offset(0, { claims = { "O24.coalesce.aligned" }, sectors = 4, text = [[
A copy: thread i reads x[i]. The 32 threads of a warp read 128 bytes that begin at a multiple of 128. Memory hands
out sectors of 32 bytes, four of them here, and all that comes is used. On GPUs of compute capability 1.x half a
warp was a request of its own, and its 64 bytes came in one transfer. This is what coalesced means: the hardware
joins the accesses of neighbouring threads.]] })
offset(1, { claim = "O24.coalesce.unaligned_old", claims = { "O24.cache.fermi" }, text = [[
One element further on. On the 8800 GTX the rule was strict: thread k reads word k of an aligned segment, or each
of the 16 threads gets a transfer of its own, 32 bytes for 4. That is an eighth of the performance for the
reading, as the slide says; of this copy, whose writing is not touched, two ninths are left. The GTX 280 takes two
transfers where the piece lies across a boundary. Today it is five sectors instead of four, and the fifth is the
first of the next warp, which finds it in the cache: next to nothing is lost.]],
  predict = { ask = "A warp reads 128 bytes that begin 4 bytes after a boundary. How many sectors does it touch?",
    of = "global_load", unit = "sectors" } })
offset(8, { claim = "O24.coalesce.unaligned", sectors = 4, text = [[
Eight elements are 32 bytes: a sector begins here, and four sectors are enough again. For the GTX 280 it is still
off its segments of 64 and 128 bytes.]] })
offset(16, { claims = { "O24.coalesce.aligned" }, sectors = 4, text = [[
Sixteen elements are 64 bytes, one half-warp's share: even the 8800 GTX has nothing against it.]] })
offset("own", { id = "shifted", claims = { "O24.coalesce.unaligned" },
  title = function(p) return ("x[i + %d], yours"):format(p.offset) end, text = [[
An offset of your own, `set offset=5`. `plot offset` draws all of them from 0 to 16, the figure that is missing
from the slides; with `model "8800 GTX"` for the GPU of its lower curve.]] })

-- Stride ------------------------------------------------------------------------------------------

-- No more threads than this: the buffer has 32 elements for each.
local function fewer(p) return { n = math.min(p.n, 1 << 21) } end

local function stride(k, more)
  more.id, more.group, more.kernel, more.with = more.id or "stride" .. k, "stride", "stride", fewer
  more.title = more.title or ("x[i * %d]"):format(k)
  more.args = { "out", "far", type(k) == "number" and k or "stride", "n" }
  more.reference = expected(function(i, p) return counting(i * (type(k) == "number" and k or p.stride)) end)
  step(more)
end

stride(1, { sectors = 4, claims = { "O24.coalesce.strided" }, text = [[
Every element: the copy again, with two million threads at the most, because the next steps skip elements and the
buffer should fit any GPU.]] })
stride(2, { sectors = 8, claim = "O24.coalesce.strided", text = [[
Every second element. Eight sectors come, half of each is thrown away. A cache does not help: nobody wants the other
half. The GTX 280 loses a third: 12 bytes are moved where the copy moves 8. A large GPU of today loses less, a tenth
on an H200, but not by being clever: it has two million threads behind it in seven microseconds, much of which is
starting and ending, and is not short of bandwidth yet.]] })
stride(8, { sectors = 32, claims = { "O24.coalesce.strided" }, text = [[
Every eighth element: one from each sector, 4 bytes of 32. Now an H200 feels it, too: two fifths of the copy's rate.
From here on it cannot get worse by sectors. It does get worse by other measures, pages of the memory and of the
address translation.]],
  predict = { ask = "A warp reads every eighth float. How many sectors of 32 bytes?", of = "global_load",
    unit = "sectors" } })
stride("own", { id = "strided", claims = { "O24.coalesce.strided" },
  title = function(p) return ("x[i * %d], yours"):format(p.stride) end, text = [[
A stride of your own, `set stride=18`; `plot stride` draws 1 to 18, like the slide's figure. Where data are needed
like this, they can be stored in another order (below), or be brought in by whole rows and picked from shared
memory.]] })

-- Order -------------------------------------------------------------------------------------------

local function flip(bits, id, title, more)
  more.id, more.group, more.kernel, more.title, more.sectors = id, "order", "flip", title, 4
  more.args = { "out", "x", bits, "n" }
  more.reference = expected(function(i) return counting(i ~ bits) end)
  more.claims = { "O24.coalesce.permuted" }
  step(more)
end

flip(0, "ordered", "in order", { text = [[
Thread k of a warp reads word k: the mark for this table.]] })
flip(1, "swapped", "pairs swapped", { text = [[
Each two neighbours read each other's word. The same four sectors. The 8800 GTX wanted thread k at word k, and
falls back to a transfer for each thread; from compute capability 1.2 on the hardware looks only at which pieces
of memory are wanted, not by whom.]] })
flip(31, "reversed", "backwards", { text = [[
From the last word to the first. It costs nothing today, and never will again.]] })
flip(21, "mixed", "mixed up", { text = [[
Any order within the 128 bytes: bits 0, 2 and 4 of the index are flipped. The sectors are the same, and so is the
speed.]] })

-- Structures --------------------------------------------------------------------------------------

local function structure(more)
  more.group, more.file = "structures", "structures.cu"
  more.claims = { "O24.coalesce.structures" }
  step(more)
end

local function all_three(p) return 16 * p.n end -- three words read, one written
local function x_of(i) return counting(i) end
local function y_of(i) return counting(2 * i + 1) end
local function z_of(i) return counting(3 * i + 2) end

structure {
  id = "structures", title = "structs, x y z", kernel = "structures", args = { "out", "points", "n" },
  sectors = 12, useful_bytes = all_three,
  reference = expected(function(i) return counting(3 * i) + counting(3 * i + 1) + counting(3 * i + 2) end),
  predict = { ask = "A warp reads x of 32 points of 12 bytes each. How many sectors of 32 bytes?", of = "global_load",
    unit = "sectors" },
  text = [[
Points with three components, one after the other in memory, as one would write it in C. Reading points[i].x, the
threads of a warp are 12 bytes apart: 384 bytes, twelve sectors, for 128 bytes. Then the same twelve for y and for
z. On the GTX 280 each of the three pays in full. Where there is a cache, the second and third find their sectors
there, and it costs only the additional passes through the cache.]],
}
structure {
  id = "arrays", title = "arrays, x y z", kernel = "arrays", args = { "out", "xs", "ys", "zs", "n" },
  sectors = 4, useful_bytes = all_three,
  reference = expected(function(i) return x_of(i) + y_of(i) + z_of(i) end),
  text = [[
The same points as three arrays, one for each component: every access is a copy's. On the GTX 280
that is twice as fast, on the 8800 GTX six times. Where there is a cache it gains next to nothing as long as all three
components are wanted at once, as here: on an H200 both ways are the same within a few per cent.]],
}
structure {
  id = "structures-one", title = "structs, only y", kernel = "structures_one", args = { "out", "points", "n" },
  sectors = 12, reference = expected(function(i) return counting(3 * i + 1) end),
  text = [[
And if only one component is wanted? From structures all three are fetched, and two thirds thrown away; no cache
can mend that. By the bytes that are moved, 16 for 8, half of the next row's rate would be left. An H200 keeps seven
tenths.]],
}
structure {
  id = "arrays-one", title = "arrays, only y", kernel = "arrays_one", args = { "out", "ys", "n" }, sectors = 4,
  reference = expected(y_of),
  text = [[
From arrays only what is wanted is read. This is where they help on every GPU there ever was; but the change has to
be made where the data are made.]],
}
structure {
  id = "wide", title = "16-byte structs", kernel = "wide_structures", args = { "out", "quads", "n" },
  sectors = 16, useful_bytes = all_three,
  reference = expected(function(i) return counting(4 * i) + counting(4 * i + 1) + counting(4 * i + 2) end),
  text = [[
If it has to be structures: with a fourth word they have 16 bytes and are aligned to that, and a thread reads one
in a single access. A quarter of what comes is padding, but there is one request instead of three. The rate counts
the three words that are wanted.]],
}

-- Caches ------------------------------------------------------------------------------------------

local function three(id, title, kernel, claims, text)
  step { id = id, group = "cache", title = title, kernel = kernel, claims = claims, text = text,
    args = { "out", "x", "n" },
    reference = expected(function(i) return counting(i) + counting(i + 1) + counting(i + 2) end) }
end

three("plain", "plain loads", "three", { "O24.cache.volta", "O24.cache.fermi" }, [[
x[i] + x[i + 1] + x[i + 2]: each element is wanted by three threads. Without a cache it is read three times, and
two of the three accesses are not aligned: see the models of the old GPUs. Since Fermi there are two levels of
cache. Whether a plain load goes through the first depends on the generation (the step `caches`); on Volta and
later it does, and L1 is the same memory as shared memory. The slide says that it is for read-only buffers; that
was so on Maxwell. Since Volta L1 keeps what is written, too, while passing it on at once. The rate counts each
element once read and once written.]])
three("restrict", "const __restrict__", "three_restrict", { "O24.cache.read_only" }, [[
With const and __restrict__ on the parameters the compiler knows that nobody writes to x while the kernel runs,
and may use the path for data that do not change (`ld.global.nc` in the PTX). On cc 3.5 to 6.x that was the way to
have a global load cached close to the processors at all. Since Volta it is the same cache either way, and little
is gained, but the promise still lets the compiler keep values in registers and move loads ahead of stores.]])
three("ldg", "__ldg()", "three_ldg", { "O24.cache.read_only" }, [[
The same asked for at each access, where the compiler cannot know that the data do not change, but you do.]])
three("second", "past L1, __ldcg()", "three_cg", { "O24.cache.kepler" }, [[
As it was on Kepler 3.0, where global loads went to L2 only: the second and third read of an element leave the SM.
Between L2 and SM there is less bandwidth than in L1, but more than from memory; how much is lost shows how good
L2 is.]])

-- Figures -----------------------------------------------------------------------------------------

-- The board whose figures give the slide's number, or come closest to it: TFLOPS of FP32 multiply-adds, GB/s.
local BOARDS <const> = {
  { "GT200", "Tesla C1060", 2 * 240 * 1.296e-3, 102.4 },
  { "GF100", "GTX 480", 2 * 480 * 1.401e-3, 177.4 },
  { "GK110", "GTX Titan, base clock", 2 * 2688 * 0.837e-3, 288.4 },
  { "GM200", "GTX Titan X, base clock", 2 * 3072 * 1.000e-3, 336.5 },
  { "GP100", "P100, base clock", 2 * 3584 * 1.328e-3, 720 },
  { "GV100", "V100, as announced", 15.0, 900 },
  { "TU102", "RTX 2080 Ti, base clock", 2 * 4352 * 1.350e-3, 616 },
  { "GA100", "A100 40 GB", 19.5, 1555 },
  { "AD102", "RTX 4090, base clock", 2 * 16384 * 2.235e-3, 1008 },
  { "GH100", "H100 SXM", 66.9, 3350 },
  { "GH100_tensor", "H100 SXM, TF32, sparse", 989, 3350 },
}

local FLOPS_NOTE <const> = [[
Operations for each float of 4 bytes that comes from memory: peak TFLOPS over a quarter of the bandwidth. Where
the column “per float” gives the slide's number again, it follows from that board's datasheet. The last three do
not: they are operations for each byte, a quarter of what they should be, and 295 besides counts the tensor cores
at sparse matrices, which have half of the work left out. As flops per float they would be about 290, 80 and, for
dense matrices, 590. The first one is the Tesla C1060's; a GTX 280 comes to 18.]]

local function number(value) return tonumber(("%.3g"):format(value)) end

-- The row of the device at hand, if it is among the GPUs that are known as data.
local function own_row(device)
  for _, model in ipairs(gpu.models()) do
    if model.name == device.model then
      local tflops = 2 * model.sms * model.fp32_lanes * model.shader_ghz / 1000
      return { "yours", model.name, number(tflops), math.tointeger(model.dram_gbps) or model.dram_gbps, false,
        number(tflops * 4000 / model.dram_gbps), number(tflops * 1000 / model.dram_gbps) }
    end
  end
end

local flops_claims = {}
for i, board in ipairs(BOARDS) do flops_claims[i] = "O24.flops." .. board[1] end

steps[#steps + 1] = {
  id = "flops", group = "figures", title = "operations per float transferred", claims = flops_claims,
  text = [[
How much has to be computed with each float that is read, so that memory is not what sets the speed? The slide
gives a number for each chip, to show that it grew, and that memory is what a program runs into first. The table
computes it again from the datasheets, for the board that fits best, and for your GPU.]],
  figure = function(_, device)
    local rows = {}
    for i, board in ipairs(BOARDS) do
      local chip, name, tflops, gbps = table.unpack(board)
      rows[i] = { (chip:gsub("_", ", ")), name, number(tflops), gbps, lecture.find(flops_claims[i]).value,
        number(tflops * 4000 / gbps), number(tflops * 1000 / gbps) }
    end
    rows[#rows + 1] = own_row(device)
    return { columns = { "chip", "board", "TFLOPS", "GB/s", "slide", "per\nfloat", "per\nbyte" }, rows = rows,
      note = FLOPS_NOTE }
  end,
}

-- First-level cache of global loads by generation.
local CACHES <const> = {
  { "1.x", "GTX 280", "none", "none" },
  { "2.x", "GTX 480", "L1, 16 or 48 KB", "lines of 128" },
  { "3.0", "GTX 680", "none (L1 for local memory only)", "sectors of 32" },
  { "3.5", "Tesla K40", "read-only data, 48 KB", "sectors of 32" },
  { "5.x", "GTX 980", "read-only data, with textures", "sectors of 32" },
  { "6.0", "P100", "L1, with textures, 24 KB", "sectors of 32" },
  { "7.0", "V100", "L1, with shared memory, 128 KB", "sectors of 32" },
  { "8.0", "A100", "L1, with shared memory, 192 KB", "sectors of 32" },
  { "9.0", "H200", "L1, with shared memory, 256 KB", "sectors of 32" },
}

local CACHES_NOTE <const> = [[
The slide on Fermi has lines of 256 bytes in L1; the lecture of 2010 has 128, which is right, and a load that
misses there fetches all of it. Of compute capability 3.5 it says that local memory has no L1 either; that came
with Maxwell, 5.0. From 6.0 on lines have 128 bytes, too, but come in by sectors: only what is asked for is
fetched.]]

local function size_of_l2(name)
  for _, model in ipairs(gpu.models()) do
    if model.name == name then
      if model.l2_bytes == 0 then return "none" end
      return model.l2_bytes < 1 << 20 and ("%d KB"):format(model.l2_bytes >> 10)
        or ("%.4g MB"):format(model.l2_bytes / (1 << 20))
    end
  end
  return "?"
end

steps[#steps + 1] = {
  id = "caches", group = "figures", title = "caches of global memory by generation",
  claims = { "O24.cache.fermi_l1", "F10.cache.fermi_l1", "O24.cache.fermi_l2", "O24.cache.kepler",
    "O24.cache.read_only", "O24.cache.volta" },
  text = [[
What became of the caches between an SM and memory. Compute capability 1.x had none for global memory; each
generation since has arranged them in another way, which is why advice about them ages quickly.]],
  figure = function()
    local rows = {}
    for i, row in ipairs(CACHES) do
      rows[i] = { row[1], row[2], row[3], row[4], size_of_l2(row[2]) }
    end
    return { columns = { "cc", "GPU", "close to the SM", "bytes fetched", "L2" }, rows = rows, note = CACHES_NOTE }
  end,
}

-- Exercises ---------------------------------------------------------------------------------------

local SIDE <const>, BYTES <const>, POINTS <const> = 512, 1 << 18, 1 << 14

local exercises = {
  {
    id = "order", title = "Which index is x?", claims = { "O24.coalesce.aligned" },
    task = [[
Each thread halves an element of a matrix, and the threads of a warp are in 32 rows. Four sectors a request are
enough.]],
    starter = "exercises/02-order/damp.cu", solution = "solutions/02-order/damp.cu", kernel = "damp",
    grid = { SIDE // 32, SIDE // 8 }, block = { 32, 8 }, args = { "damped", "field", SIDE }, output = "damped",
    columns = SIDE,
    reference = function()
      return gpu.array("float", PERIOD, "iota"):gather(SIDE * SIDE, function(i) return i % PERIOD end)
    end,
    gate = { global_load = { at_most = 4.05 }, global_store = { at_most = 4.05 } },
    hints = {
      "Threads with neighbouring threadIdx.x are in one warp. Where do their elements lie in memory?",
      "Elements of one row are neighbours in memory. So which of row and column should go along with threadIdx.x?",
      "Let column be made of blockIdx.x and threadIdx.x, and row of blockIdx.y and threadIdx.y.",
    },
    debrief = [[
The result is the same, the number of threads is the same, and on a GPU without caches it is eight times as fast.
In C the last index is the one that runs along memory; in CUDA it is x that runs along the warp. Putting the two
together is the first thing to look at in any kernel.]],
  },
  {
    id = "bytes", title = "Large words", claims = { "O24.coalesce.aligned" },
    task = [[
The negative of a picture of bytes. A thread takes four bytes one by one, so that each warp makes four requests
for the same 128 bytes, and four more to write them. One of each will do.]],
    starter = "exercises/02-bytes/negative.cu", solution = "solutions/02-bytes/negative.cu", kernel = "negative",
    grid = BYTES // 4 // BLOCK, block = BLOCK, args = { "inverted", "photo" }, output = "inverted",
    reference = function(_, host)
      local want = gpu.array("unsigned char", BYTES)
      for i = 0, BYTES - 1 do want[i] = 255 - host.photo[i] end
      return want
    end,
    gate = { global_load_requests = { at_most = BYTES // 128 * 1.05 },
      global_store_requests = { at_most = BYTES // 128 * 1.05 }, global_load = { at_most = 4.05 } },
    hints = {
      "The bytes that a thread takes are neighbours. Which types of CUDA have four bytes?",
      "uchar4 has four bytes x, y, z and w. The pointers can be turned into pointers to it.",
      "uchar4 b = ((const uchar4 *)in)[i]; and the same on the other side, with make_uchar4(255 - b.x, ...).",
    },
    debrief = [[
A request costs an instruction and its place in the queues, whatever it moves; few large ones are better than many
small ones. It needs alignment: the address of a uchar4 has to be a multiple of 4, that of a float4 of 16, or the
kernel faults. 255 - b for all four at once is ~word, by the way, on an unsigned.]],
  },
  {
    id = "points", title = "Structures by way of shared memory", claims = { "O24.coalesce.structures" },
    task = [[
The points are stored as x, y, z, x, y, z, and must stay so. Bring them in by whole rows all the same: four
sectors a request, and no conflicts in shared memory.]],
    starter = "exercises/02-points/lengths.cu", solution = "solutions/02-points/lengths.cu", kernel = "lengths",
    grid = POINTS // BLOCK, block = BLOCK, args = { "squares", "cloud" }, output = "squares",
    reference = function(_, host)
      local want = gpu.array("float", POINTS)
      for i = 0, POINTS - 1 do
        local x, y, z = host.cloud[3 * i], host.cloud[3 * i + 1], host.cloud[3 * i + 2]
        want[i] = x * x + y * y + z * z
      end
      return want
    end,
    tolerance = { relative = 1e-6 },
    gate = { global_load = { at_most = 4.05 }, global_store = { at_most = 4.05 }, shared_load = { at_most = 1.05 },
      shared_store = { at_most = 1.05 } },
    hints = {
      "A block's 256 points are 768 floats that follow each other. Forget what they mean while you fetch them.",
      "Three rounds: in each, thread t brings the float t, t + 256, t + 512 of the block into shared memory. Then a "
        .. "barrier.",
      "__shared__ float block[768]; filled by block[k] = points[768 * blockIdx.x + k] for k = threadIdx.x, + 256, "
        .. "+ 512; after __syncthreads() the thread's point begins at block[3 * threadIdx.x].",
    },
    debrief = [[
Shared memory minds no distance but banks, and three is odd. This is the pattern behind the tiles of lab 4, too:
move in the order that memory likes, and pick in the order that you like. On a GPU with an L1 cache the gain is
smaller, because the cache does something similar by itself.]],
  },
}

return lab.define {
  number = 2,
  id = "coalescing",
  title = "Coalesced access to global memory",
  lecture = { "O24", "F10" },
  intro = [[
The threads of a warp ask for memory together, and memory hands it out in pieces: sectors of 32 bytes today,
segments of 32, 64 or 128 bytes on the GPUs of 2008. What a warp pays for is the pieces that it touches, and not
the bytes that it wants. All kernels here do next to nothing but copy; only where they read from differs.

Each table has what the same access cost on a GPU of 2006 and one of 2008 beside your GPU. Much of the dread of
those days is gone: caches forgive what is out of order or a little beside. What is not forgiven is to fetch what
nobody wants.]],
  params = {
    n = { default = 1 << 23, emulator = 1 << 20, small = 1 << 13, min = 1024, max = 1 << 27, multiple = 1024,
      help = "threads, and elements copied", because = "the steps on order move whole warps" },
    offset = { default = 3, min = 0, max = 32, help = "elements that the step shifted begins after a boundary" },
    stride = { default = 3, min = 1, max = 32, help = "distance of the elements in the step strided" },
  },
  buffers = {
    x = { type = "float", count = function(p) return p.n + 32 end,
      fill = function(p) return periodic(p.n + 32, counting) end },
    far = { type = "float", count = function(p) return p.n * 32 end,
      fill = function(p) return periodic(p.n * 32, counting) end },
    points = { type = "float", count = function(p) return p.n * 3 end,
      fill = function(p) return periodic(p.n * 3, counting) end },
    quads = { type = "float", count = function(p) return p.n * 4 end,
      fill = function(p) return periodic(p.n * 4, counting) end },
    xs = { type = "float", count = "n", fill = function(p) return periodic(p.n, x_of) end },
    ys = { type = "float", count = "n", fill = function(p) return periodic(p.n, y_of) end },
    zs = { type = "float", count = "n", fill = function(p) return periodic(p.n, z_of) end },
    out = { type = "float", count = "n" },
    -- of the exercises
    field = { type = "float", count = SIDE * SIDE, fill = function() return periodic(SIDE * SIDE,
      function(i) return 2 * i end) end },
    damped = { type = "float", count = SIDE * SIDE },
    photo = { type = "unsigned char", count = BYTES, fill = "random", seed = 2 },
    inverted = { type = "unsigned char", count = BYTES },
    cloud = { type = "float", count = 3 * POINTS, fill = "random", seed = 2 },
    squares = { type = "float", count = POINTS },
  },
  groups = {
    { id = "offset", title = "offset", baseline = "offset0", share = "of x[i]", columns = COLUMNS },
    { id = "stride", title = "stride", baseline = "stride1", share = "of x[i]", columns = COLUMNS },
    { id = "order", title = "order in a warp", baseline = "ordered", share = "of first", columns = COLUMNS },
    { id = "structures", title = "points", baseline = "arrays", share = "of arrays", columns = COLUMNS },
    { id = "cache", title = "three reads", baseline = "plain", share = "of plain", columns = COLUMNS },
    { id = "figures", title = "figures" },
  },
  steps = steps,
  plots = {
    { id = "offset", title = "Copying from an offset",
      claims = { "O24.coalesce.unaligned", "O24.coalesce.unaligned_old", "O24.cache.fermi" },
      x = { param = "offset", from = 0, to = 16, step = 1, label = "offset in elements" }, steps = { "shifted" },
      y = "rate", y_label = "GB/s", y_log = true, text = [[
The slide's two curves: GPUs below compute capability 1.2 are at the bottom everywhere but at 0 and 16, those from
1.2 on lose a little. On GPUs with caches the line is nearly flat.]] },
    { id = "stride", title = "Copying every k-th element", claims = { "O24.coalesce.strided" },
      x = { param = "stride", from = 1, to = 18, step = 1, label = "stride in elements" }, steps = { "strided" },
      y = "rate", y_label = "GB/s", y_log = true, text = [[
The bigger the distance, the less of what comes is wanted, until each element has a piece to itself.]] },
  },
  exercises = exercises,
}
