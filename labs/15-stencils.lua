-- Lab 15: stencils and convolution. A filter in two dimensions, a star of 25 points in three, and time steps: what is
-- loaded more than once, and where it can be kept instead.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"

-- A filter over an image --------------------------------------------------------------------------

local MOST <const> = 15 -- the largest radius, as in kernels/convolution.cu

local function width(p) return 2 * p.radius + 1 end
local function pixels(p) return p.n * p.n end

-- The weights of one row: 1, 2 ... radius + 1 ... 2, 1. Those of the filter are their products.
local function taps(p)
  local made = gpu.array("float", 2 * MOST + 1, 0)
  for i = 0, 2 * p.radius do made[i] = p.radius + 1 - math.abs(i - p.radius) end
  return made
end

local function weights(p)
  local made, row, count = gpu.array("float", (2 * MOST + 1) ^ 2 // 1, 0), taps(p), width(p)
  for i = 0, count * count - 1 do made[i] = row[i // count] * row[i % count] end
  return made
end

-- The filter along each row. Its weights are those of a sum of r + 1 pixels, twice: running sums, whatever the radius.
local function along_rows(image, n, r)
  local out, row, sums = gpu.array("float", n * n), {}, {}
  for x = -r - 1, n + r do row[x] = 0 end
  for first = 0, n * n - n, n do
    for x = 0, n - 1 do row[x] = image[first + x] end
    local sum = 0
    for x = 0, n + r - 1 do
      sum = sum + row[x] - row[x - r - 1]
      sums[x] = sum
    end
    sum = 0
    for x = 0, r - 1 do sum = sum + sums[x] end
    for x = 0, n - 1 do
      sum = sum + sums[x + r] - (x > 0 and sums[x - 1] or 0)
      out[first + x] = sum
    end
  end
  return out
end

local function filtered(p, host)
  local rows = along_rows(host.image, p.n, p.radius)
  return along_rows(rows:transpose(p.n, p.n), p.n, p.radius):transpose(p.n, p.n)
end

-- Radii are small: a tile and its halo fit in shared memory.
local function tile_bytes(columns, rows)
  return function(p) return 4 * (columns + 2 * p.radius) * (rows + 2 * p.radius) end
end

local function of_radius(name)
  return { file = "convolution.cu", name = function(p) return ("%s<%d>"):format(name, p.radius) end }
end

local CONFLICT_FREE <const> = { shared_load = { ["1.x"] = false, ["else"] = 1 } } -- cc 1.x counts half-warps

local steps = {}

local function filter(step)
  step.group, step.output, step.columns, step.reference = "filter", "out", "n", filtered
  step.useful_ops, step.ops_unit = pixels, "Gpixel/s"
  if not step.launches then
    step.grid, step.block = step.grid or function(p) return { p.n // 32, p.n // 8 } end, { 32, 8 }
  end
  steps[#steps + 1] = step
end

-- Loads from global memory per element of the result, by all threads.
local function loads_per(count)
  return function(record)
    return record.report and record.report.counters.global_load_bytes / 4 / count(record.params)
  end
end

filter {
  id = "naive", title = "weights in global memory", kernel = { file = "convolution.cu", name = "naive" },
  args = { "out", "image", "table", "n", "radius" }, claims = { "W07.filter.products" },
  predict = { ask = "By hand: with radius r a pixel takes (2r + 1)² FMAs, of two operations each, and at best 8 bytes "
    .. "move. How many operations per byte at r = {radius}?", unit = "flop/B",
    of = function(record) return 2 * width(record.params) ^ 2 / 8 end },
  text = [[
Each pixel becomes the weighted sum of its neighborhood of radius r (`set` shows it): (2r + 1)² FMAs. At best the
image is read once and written once, 8 bytes per pixel. Divide: that is the arithmetic intensity. An H200 has a peak
of 67 000 GFLOPS and 4800 GB/s, so above 14 operations per byte its limit is arithmetic. This kernel makes two loads
per FMA, one of them a weight, and tests each pixel against the edges. Look for what limits it: `why naive`.]],
}
filter {
  id = "constant", title = "weights in constant memory", kernel = { file = "convolution.cu", name = "constant" },
  args = { "out", "image", "n", "radius" }, symbols = { weights = "table" }, claims = { "W07.filter.constant" },
  text = [[
All threads use the same weight at a time, as constant memory is made for: one access delivers the word to the whole
warp (`diff naive constant`).

On an H200 that helps up to r = 4; the model sees no gain. From r = 5 on the row is three to seven times slower than the
first: warps at different weights evict each other's words from the small cache of uniform loads (SASS: ULDC). The next
two rows use another kind of load (LDC) and are not slowed.]],
}
filter {
  id = "tile", title = "tile with halo", kernel = { file = "convolution.cu", name = "tiled" },
  grid = function(p) return { p.n // 32, p.n // 32 } end, shared = tile_bytes(32, 32),
  args = { "out", "image", "n", "radius" }, symbols = { weights = "table" }, expect = CONFLICT_FREE,
  claims = { "W07.filter.apron", "W07.filter.bytes" },
  predict = { ask = "A block computes 32 × 32 pixels and loads a halo of r on each side. How many loads from global "
    .. "memory are that per pixel at r = {radius}? (Zeros outside the image are not loaded.)",
    unit = "loads", within = 15, of = loads_per(pixels) },
  text = [[
A block of 32 × 8 threads loads the input of 32 × 32 pixels into shared memory, with a halo of r pixels on each side
(the paper says apron). The test against the edges happens once per load, not once per weight. A larger tile has less
halo per pixel, but fewer blocks are resident. Look at the loads per pixel, then at what limits the kernel now. On the
emulator, n = 448 gives 196 blocks for 132 SMs: `set n=1024` before you compare.]],
}
filter {
  id = "unrolled", title = "tile, radius known", kernel = of_radius "unrolled",
  grid = function(p) return { p.n // 32, p.n // 32 } end, shared = tile_bytes(32, 32),
  args = { "out", "image", "n" }, symbols = { weights = "table" },
  expect = CONFLICT_FREE, claims = { "W07.filter.unrolled" },
  text = [[
The radius is a template parameter, so the compiler unrolls the loop over a row of weights. Loop counters, branches, and
address arithmetic disappear: elements and weights are at constant offsets. What remains per weight is a load of the
weight, a load from shared memory, and an FMA. The white paper of 2007 gained more than a factor of two. Measured on an
H200, the gain is small. By the model, load and store units limit it: the loads from shared memory remain (`why
unrolled`).]],
}
filter {
  id = "registers", title = "4 pixels per thread", kernel = of_radius "four",
  grid = function(p) return { p.n // 32, p.n // 32 } end, shared = tile_bytes(32, 32),
  args = { "out", "image", "n" }, symbols = { weights = "table" }, expect = CONFLICT_FREE,
  text = [[
A load from shared memory per FMA is too many (lab 7). Here a thread computes four pixels of a column. A word that it
loads for one of them is in a register for the other three, which use it with other weights: 2r + 4 loads for 4 (2r + 1)
FMAs of a column of the filter. The work of a block is the same, and so is the tile. Look at the rate, and at
shared_load_requests in `counters unrolled` and `counters registers`.]],
}
filter {
  id = "separable", title = "rows, then columns",
  launches = function(p)
    local grid = { p.n // 32, p.n // 8 }
    return {
      { kernel = { file = "convolution.cu", name = "rows" }, grid = grid, block = { 32, 8 },
        args = { "between", "image", "n", "radius" } },
      { kernel = { file = "convolution.cu", name = "columns" }, grid = grid, block = { 32, 8 },
        args = { "out", "between", "n", "radius" } },
    }
  end,
  symbols = { taps = "row" }, claims = { "W07.filter.separable", "W07.filter.columns" },
  predict = { ask = "Two launches take 2 (2r + 1) FMAs per pixel, and the image between them is written and "
    .. "read as well: 16 bytes. How many operations per byte at r = {radius}?", unit = "flop/B",
    of = function(record) return 4 * width(record.params) / 16 end },
  text = [[
The weight of row i and column j is a product of two numbers, so the filter is separable: first the rows, then the
columns of the result. That is 2 (2r + 1) FMAs per pixel instead of (2r + 1)², at the price of an image in between. In
the column launch a warp still reads 32 neighbors of a row, so accesses are coalesced. There is no tile. On the
emulator, `set n=1024` and `set radius=8` before you compare its rate with the best one so far.]],
}
filter {
  id = "separable-tiles", title = "rows, then columns, tiles",
  launches = function(p)
    return {
      { kernel = of_radius "rows_tiled", grid = { (p.n + 95) // 96, p.n // 8 }, block = { 32, 8 },
        shared = 4 * 8 * (96 + 2 * p.radius), args = { "between", "image", "n" } },
      { kernel = of_radius "columns_tiled", grid = { p.n // 32, (p.n + 95) // 96 }, block = { 32, 8 },
        shared = 4 * 32 * (96 + 2 * p.radius), args = { "out", "between", "n" } },
    }
  end,
  symbols = { taps = "row" }, claims = { "W07.filter.halo", "W07.filter.separable" },
  text = [[
Both launches with tiles and a known radius. A tile for rows needs a halo only left and right, one for columns only
above and below, so it can be long: 96 pixels and a halo of r at both ends. Little of it is loaded twice. What limits it
now (`why` merges the two launches), and how far is the rate from the bound by hand (`run bounds`)?

Measured on an H200 with r = 8, this row is nearly twice as fast as any other.]],
}

-- A star in three dimensions ----------------------------------------------------------------------

local R <const>, PAD <const>, BY <const> = 4, 32, 16 -- as in kernels/star.cu
local PERIOD <const> = 1009 -- the points repeat with this period, and so does the result

local function points(p) return p.cube ^ 3 // 1 end
local function pitch(p) return p.cube + PAD end
local function area(p) return pitch(p) * (p.cube + 2 * R) end

local function star_at(p, host, i)
  local sum = host.coefficients[0] * host.field[i]
  for d = 1, R do
    local around = 0
    for _, stride in ipairs { d, d * pitch(p), d * area(p) } do
      around = around + host.field[i - stride] + host.field[i + stride]
    end
    sum = sum + host.coefficients[d] * around
  end
  return sum
end

local function star_of(p, host)
  local n <const>, want, period, first = p.cube, gpu.array("float", points(p)), {}, R * area(p) + R * pitch(p) + PAD
  for i = first, first + PERIOD - 1 do period[i % PERIOD] = star_at(p, host, i) end
  for z = 0, n - 1 do
    for y = 0, n - 1 do
      local row, from = (z * n + y) * n, first + z * area(p) + y * pitch(p)
      for x = 0, n - 1 do want[row + x] = period[(from + x) % PERIOD] end
    end
  end
  return want
end

local STAR_FLOPS <const> = 1 + R * 7 -- per distance five additions and an FMA

local function star(step)
  step.group, step.kernel = "star", { file = "star.cu", name = step.kernel }
  step.block, step.args = { 32, BY }, { "stars", "field", "cube", step.queue and "depth" or nil }
  local along = step.queue and function(p) return (p.cube + p.depth - 1) // p.depth end
    or function(p) return p.cube end
  step.grid = function(p) return { p.cube // 32, p.cube // BY * along(p) } end
  step.symbols, step.output, step.columns, step.reference = { coefficients = "coefficients" }, "stars", "cube", star_of
  step.expect = step.id ~= "points" and CONFLICT_FREE or nil
  step.useful_flops = function(p) return STAR_FLOPS * points(p) end
  step.queue = nil
  steps[#steps + 1] = step
end

star {
  id = "points", title = "25 loads per point", kernel = "points",
  predict = { ask = "By hand: for each of four distances 5 additions and an FMA (two operations), and one "
    .. "multiplication for the point itself. At best 8 bytes move. How many operations per byte?", unit = "flop/B",
    of = function(record) return STAR_FLOPS * points(record.params) / (8 * points(record.params)) end },
  text = [[
A finite difference of order 8 in three dimensions, as in simulations of waves: a point, and four neighbors in each
direction, 25 in all. The arithmetic intensity is low: below 14 operations per byte an H200 is limited by memory. By
hand: 4800 GB/s and 8 bytes per point allow 600 Gpoint/s at most, or 17 400 GFLOPS at 29 operations per point. This
kernel relies on the caches for 24 of its 25 loads. Compare its rate with the bound.]],
}
star {
  id = "plane", title = "plane in shared memory", kernel = "tiled",
  predict = { ask = "A block has 32 × 16 points of a plane, and loads a halo of 4 on each side, without corners. The 8 "
    .. "neighbors along z come from global memory. How many loads per point?", unit = "loads",
    of = loads_per(points) },
  text = [[
Neighbors in the plane come from a tile in shared memory with a halo of four: 32 · 16 points, and 8 · 16 + 8 · 32 for
the halo. Each thread loads its eight neighbors along z. That is fewer loads from global memory, but a barrier, and 16
from shared memory per point. On an H200 this row is 12 % slower than the one above: L1 caches hold repeated loads, too.
On a GPU without caches the tile pays: `model GTX 280`, then `run points plane`.

In `debug plane`, `until 47` and `view` show the lanes of a warp that load the halo.]],
}
star {
  id = "queue", title = "register queue along z", kernel = "queued", queue = true,
  text = [[
A block now moves along z, plane by plane. Nine points of a thread's column form a queue in registers: each iteration
loads one new point, and all others move up by one. The plane in the middle goes to shared memory for its neighbors.
P. Micikevicius described this scheme (3D Finite Difference Computation on GPUs using CUDA, 2009). Each point is
loaded once, plus the halo, plus eight planes per block. Change `depth`, the planes per block: a small one makes many
blocks, a large one few loads.]],
}
star {
  id = "shuffle", title = "queue, shuffles along x", kernel = "shuffled", queue = true,
  text = [[
A row of the tile is a warp, so neighbors along x are in registers of other lanes: a shuffle moves them. The first and
last four lanes load the eight words beyond the ends of the warp. Each lane offers its point, or its word of the halo.
An SM shuffles as many words per cycle as it loads from shared memory, 32, and selecting the word takes more
instructions. Measured on an H200, this row is the slowest. Compare `counters queue` with `counters shuffle`:
shared_load_requests and warp_instructions.]],
}

-- Time steps --------------------------------------------------------------------------------------

local TIME <const> = 6    -- steps of each row of the table; sums stay exact in floats
local REPEAT <const> = 12 -- rows of the plate repeat; tiles have 32, so a wrong tile is noticed

local function cells(p) return p.plate * p.plate end

local function mean_of_neighbors(from, n)
  local to, count = {}, n * REPEAT
  for y = 0, count - n, n do
    local above, below = (y - n) % count, (y + n) % count
    for x = 0, n - 1 do
      to[y + x] = 0.25 * (from[y + (x - 1) % n] + from[y + (x + 1) % n] + from[above + x] + from[below + x])
    end
  end
  return to
end

local function after_time(p, host)
  local now = host.heat
  for _ = 1, TIME do now = mean_of_neighbors(now, p.plate) end
  local period = gpu.array("float", p.plate * REPEAT)
  for i = 0, #period - 1 do period[i] = now[i] end
  return period:cycle(cells(p))
end

local function time(step)
  local each = step.each
  step.group, step.each = "time", nil
  step.launches = function(p)
    local list, from = {}, "heat"
    for left = TIME // each - 1, 0, -1 do
      local to = left % 2 == 0 and "after" or "before"
      local name = each == 1 and "one_step" or ("blocked<%d>"):format(each)
      list[#list + 1] = { kernel = { file = "jacobi.cu", name = name },
        grid = { p.plate // 32, p.plate // (each == 1 and 8 or 32) }, block = { 32, 8 }, args = { to, from, "plate" } }
      from = to
    end
    return list
  end
  step.output, step.columns, step.reference = "after", "plate", after_time
  step.useful_flops = function(p) return 4 * TIME * cells(p) end
  steps[#steps + 1] = step
end

-- Loads per cell and time step.
local loads_per_step = loads_per(function(p) return TIME * cells(p) end)

time {
  id = "one", title = "1 time step per launch", each = 1,
  text = [[
Six time steps on a plate: each cell becomes the mean of its four neighbors. (At an edge, the neighbor is at the
opposite edge.) That is 4 operations per cell and time step, and at best 8 bytes: half an operation per byte. No tile
can change that within one time step. Each launch reads the whole plate and writes it; if the plate does not fit in the
L2 cache, both go to DRAM. The table gives GFLOPS of all six launches together.]],
}
time {
  id = "two", title = "2 time steps per launch", each = 2,
  text = [[
Temporal blocking: a block loads its cells with a halo of two, computes the first time step for its cells and a halo of
one, which stays in shared memory, and from that the second. Neighboring blocks compute the same cells of the halo
instead of exchanging them. Half as many launches read and write the plate: about one operation per byte. Look at the
loads per cell and time step.]],
}
time {
  id = "three", title = "3 time steps per launch", each = 3,
  predict = { ask = "A block loads 38 × 38 cells and computes three time steps of 32 × 32 cells. How many loads from "
    .. "global memory are that per cell and time step?", unit = "loads", within = 5, of = loads_per_step },
  text = [[
The halo is three cells wide now, and shrinks by one with each time step. A third of the launches, but a larger share
of what a block loads and computes is halo: in the first of three time steps 36 × 36 cells for 32 × 32. Step `bounds`
has the operations per byte by hand. `why three` says what limits it now.]],
}
time {
  id = "six", title = "6 time steps per launch", each = 6,
  text = [[
The plate is read and written once, but the tile has 44 × 44 cells, nearly twice what the block keeps, and the first
time steps compute most of them. Banks conflict because a request's cells are not consecutive: they continue in the next
row, and lanes may be in different iterations of the unrolled loop. There is a best number of steps per launch: beyond
it, the work added costs more than the traffic saved. On the emulator, `set plate=4032` and run all; `generations three`
compares six with three.]],
}

-- Bounds ------------------------------------------------------------------------------------------

-- Three digits, or more before the point.
local function digits(x) return (x >= 1000 and "%.0f" or "%.3g"):format(x) end

-- Results per second, 10⁹, of `flops` and `bytes` per result, by the datasheet.
local function bound(model, flops, bytes)
  local arithmetic = model.sms * model.fp32_lanes * 2 * model.shader_ghz / flops
  local memory = model.dram_gbps / bytes
  return ("%s %s"):format(digits(math.min(arithmetic, memory)), arithmetic < memory and "arithmetic" or "memory")
end

steps[#steps + 1] = {
  id = "bounds", title = "bounds by hand, 10⁹ results/s",
  figure = function(p, device)
    local models, columns, rows = {}, { "per result", "flop", "bytes", "flop/B" }, {}
    for _, name in ipairs { "GTX 280", "H200", device and device.model } do
      local known = gpu.model(name)
      if known.fp32_lanes > 0 and not (models[1] == known.name or models[2] == known.name) then
        models[#models + 1], columns[#columns + 1] = known.name, known.name
      end
    end
    local function row(what, flops, bytes)
      local cells_of = { what, ("%d"):format(flops), digits(bytes), digits(flops / bytes) }
      for _, name in ipairs(models) do cells_of[#cells_of + 1] = bound(gpu.model(name), flops, bytes) end
      rows[#rows + 1] = cells_of
    end
    row(("filter, radius %d"):format(p.radius), 2 * width(p) ^ 2, 8)
    row("rows, then columns", 4 * width(p), 16)
    row("star of 25 points", STAR_FLOPS, 8)
    row("time step", 4, 8)
    row("time step, 3 per launch", 4, 8 / 3)
    return { columns = columns, rows = rows, note = "Peak: SMs × FP32 lanes × clock × 2 operations per FMA, without "
      .. "the GTX 280's extra MUL. Bandwidth: the datasheet's. A result is a pixel, a point, or a cell after one time "
      .. "step." }
  end,
  text = [[
The roofline by hand: the operations of a result over the peak rate, its bytes over the bandwidth; the longer time is
the bound. The bytes are the fewest possible, each input read once. Compare with the rates of the tables: a kernel far
below its bound loads more than once, or is limited by something that the bound leaves out, such as shared memory or
instructions that are not arithmetic. `roofline points plane queue` draws the picture with the bytes of the model.]],
}

-- Exercises ---------------------------------------------------------------------------------------

local function size(p) return p.size end
local function square(p) return p.size * p.size end

-- Height and width need not be equal, nor multiples of a tile.
local function height(p) return p.size * 3 // 5 + 7 end
local function picture(p) return p.size * height(p) end

local function covering(columns, rows)
  return function(p) return { (p.size + columns - 1) // columns, (height(p) + rows - 1) // rows } end
end

-- Sums of the neighborhood of each pixel of a picture; offsets are {x, y, weight}, outside are zeros.
local function neighborhoods(p, from, offsets)
  local columns <const>, rows <const> = p.size, height(p)
  local want = gpu.array("float", picture(p), 0)
  for _, offset in ipairs(offsets) do
    local dx, dy, weight = offset[1], offset[2], offset[3]
    for y = math.max(0, -dy), math.min(rows, rows - dy) - 1 do
      for x = math.max(0, -dx), math.min(columns, columns - dx) - 1 do
        local i = y * columns + x
        want[i] = want[i] + weight * from[i + dy * columns + dx]
      end
    end
  end
  return want
end

local function box(p, host)
  local offsets = {}
  for i = 0, 8 do offsets[#offsets + 1] = { i % 3 - 1, i // 3 - 1, 1 } end
  return neighborhoods(p, host.picture, offsets)
end

local function down_columns(p, host)
  local offsets = {}
  for i = 0, 8 do offsets[#offsets + 1] = { 0, i - 4, host.nine[i] } end
  return neighborhoods(p, host.picture, offsets)
end

local function cube_with_halo(p) return (p.size + 2) ^ 3 // 1 end

local function laplacian(p, host)
  local n <const>, from <const> = p.size, host.cubes
  local pitch_of <const>, area_of <const> = n + 2, (n + 2) * (n + 2)
  local want = gpu.array("float", n * n * n)
  for z = 0, n - 1 do
    for y = 0, n - 1 do
      for x = 0, n - 1 do
        local i = (z + 1) * area_of + (y + 1) * pitch_of + x + 1
        want[(z * n + y) * n + x] = from[i - 1] + from[i + 1] + from[i - pitch_of] + from[i + pitch_of]
          + from[i - area_of] + from[i + area_of] - 6 * from[i]
      end
    end
  end
  return want
end

local function twice(p, host)
  local n <const>, now = p.size, host.torus
  for _ = 1, 2 do
    local next_one = gpu.array("float", n * n)
    for y = 0, n - 1 do
      local above, below = (y - 1) % n * n, (y + 1) % n * n
      for x = 0, n - 1 do
        next_one[y * n + x] = 0.25 * (now[y * n + (x - 1) % n] + now[y * n + (x + 1) % n] + now[above + x]
          + now[below + x])
      end
    end
    now = next_one
  end
  return now
end

local exercises = {
  {
    id = "halo", title = "A halo for any image", claims = { "W07.filter.apron" },
    task = [[
Each pixel becomes the sum of its 3 × 3 neighborhood; outside the image there are zeros. The kernel loads a tile with a
halo, but it is correct only in the middle of an image: at the edges it reads what is not there. Make it correct for any
width and height; this image has 200 × 127 pixels. Keep the tile in shared memory, and load each pixel of it once.]],
    starter = "exercises/15-halo/halo.cu", solution = "solutions/15-halo/halo.cu", kernel = "halo",
    grid = covering(32, 8), sizes = { 200, 131, 64, 55, 33, 10, 1 },
    block = { 32, 8 }, args = { "boxes", "picture", size, height },
    output = "boxes", columns = size, reference = box,
    -- the words of a tile may be loaded by one index, so that a request covers two rows; those outside may be left out
    accept = { staged = 0.5, tile_words = 0.35, busiest_words = 2, scattered_sectors = false,
      global_store_sectors = 1.2 },
    hints = {
      "Which words does the first block read for the left column of its tile? Which does the last block read?",
      "Both accesses to global memory need a condition on x and y, and a tile's word outside the image a value.",
      "tile[i][j] = inside ? in[y * width + x] : 0, with x = left + j and y = top + i; and store only if x < width and "
        .. "y < height. The barrier stays outside of any condition.",
    },
    debrief = [[
The identity element again (lab 5): a zero adds nothing to the sum, so the inner loop needs no condition. Other edges
need another value: clamp the coordinates to repeat the nearest pixel, or wrap them. All threads must reach the barrier,
so a thread without a pixel cannot return early; it may even have to load a word of the halo.]],
  },
  {
    id = "columns", title = "The columns of a separable filter", claims = { "W07.filter.columns" },
    task = [[
The second launch of a separable filter with nine weights per column. The lanes of a warp compute pixels of one
column, so each request touches 32 sectors. Make loads and stores coalesced. Load the pixels of a block, and its halo
above and below, only once into shared memory, and avoid bank conflicts.]],
    starter = "exercises/15-columns/columns.cu", solution = "solutions/15-columns/columns.cu", kernel = "columns",
    grid = covering(32, 32), sizes = { 192, 149, 130, 65, 17, 1 },
    block = { 32, 8 }, args = { "boxes", "picture", size, height },
    symbols = { taps = "nine" }, output = "boxes", columns = size, reference = down_columns,
    accept = { load_sectors = 1.15, staged = 0.6, tile_words = 0.4, busiest_words = 2.6, bank_conflicts = 1 },
    hints = {
      "Lane is threadIdx.x. Which coordinate should it be, so that the words of a warp are neighbors?",
      "A block needs 32 columns, and 32 rows with four more above and below: 40 rows of 32 words, each loaded by one "
        .. "warp.",
      "__shared__ float tile[40][32]; row i of it is row top - 4 + i of the image, or zeros. After the barrier, pixel "
        .. "(threadIdx.x, k) is the sum of taps[i] * tile[k + i][threadIdx.x].",
    },
    debrief = [[
A filter along columns does not need warps along columns: lanes are neighbors in a row in both launches of a separable
filter, and each thread reads down its column. The halo costs 8 of 40 rows. A taller tile has less of it: the paper uses
tiles as thin as a coalesced read, and as tall as shared memory allows.]],
  },
  {
    id = "seven-points", title = "A register queue",
    task = [[
A star of seven points. A thread computes a column of points along z and loads seven words for each. Two of these it has
loaded before, as the point above and as the current one: keep them in registers and load only five words per point. Do
it without shared memory and without shuffles.]],
    starter = "exercises/15-seven-points/seven_points.cu",
    solution = "solutions/15-seven-points/seven_points.cu", kernel = "seven_points",
    grid = function(p) return { (p.size + 31) // 32, (p.size + 7) // 8 } end, sizes = { 48, 33, 41, 32, 5, 1 },
    block = { 32, 8 }, args = { "stars_of_seven", "cubes", size }, output = "stars_of_seven", columns = size,
    reference = laplacian,
    accept = { loaded_words = 1.05, local_load_requests = { at_most = 0 }, shared_load_requests = { at_most = 0 },
      shared_store_requests = { at_most = 0 }, shuffles = { at_most = 0 } },
    hints = {
      "At z + 1, which of the seven words were loaded at z?",
      "Three variables are enough: the points below, at, and above the current plane.",
      "Before the loop, below = p[-area] and now = p[0]. In it, load above = p[area], compute, then below = now and "
        .. "now = above.",
    },
    debrief = [[
Five loads instead of seven. The thread loaded each of its points three times, in three iterations. A cache serves two
of these loads only if it still has the point, after all that the threads loaded in between. The assignments cost
little, because the compiler can unroll the loop and rename registers. The lab's queue is nine long. With an array, all
indices must be known after unrolling, or it goes to local memory.]],
  },
  {
    id = "two-steps", title = "Two time steps in one launch",
    task = [[
One launch computes two time steps: in each, a cell becomes the mean of its four neighbors. The kernel is correct, but
it computes the first time step again for each neighbor of each cell, from 16 loads. Load the cells of a block and their
halo once, and compute the first time step once per cell, in shared memory.]],
    starter = "exercises/15-two-steps/two_steps.cu", solution = "solutions/15-two-steps/two_steps.cu",
    kernel = "two_steps", grid = function(p) return { p.size // 32, p.size // 32 } end, sizes = { 256, 96, 224, 32 },
    block = { 32, 8 }, args = { "torus_after", "torus", size }, output = "torus_after", columns = size,
    reference = twice,
    accept = { block_words = 1.25, float_operations = 1.2, staged = 0.7, busiest_words = 2.2,
      bank_conflicts = 2 }, -- rows of 34 and 36 words, by one index or two
    hints = {
      "How many cells beyond its own does a block need for the second time step, and how many for the first?",
      "36 × 36 cells are loaded, 34 × 34 get the first time step, 32 × 32 the second. A barrier separates each from "
        .. "the next.",
      "Loop over i = t; i < 36 * 36; i += 256 with t the thread's index in the block; x is i % 36 and y is i / 36. "
        .. "Write the first time step to a second array of 34 × 34.",
    },
    debrief = [[
1296 loads for 1024 cells and two time steps, where two launches load at least 2048. The first time step of the halo
is computed by up to four blocks: redundant work that replaces an exchange between blocks, which would need a barrier
for the whole grid (lab 10). With more time steps per launch the halo grows; the lab's last table shows how many of
them pay on your GPU.]],
  },
}

return lab.define {
  number = 15,
  id = "stencils",
  title = "Stencils and convolution",
  lecture = { "W07" },
  intro = [[
In a stencil each result depends on a neighborhood of its point, always of the same shape: image filters, finite
differences, cellular automata. Neighboring results share most of their inputs, so a word is used many times, and the
question is where it stays in the meantime: in a cache, in shared memory, in registers.

The first table is a filter, after NVIDIA's white paper on separable convolution: its limit is arithmetic until an
algorithm removes most of it. The second is a star of 25 points in three dimensions, limited by memory. The third
computes several time steps in one launch, to use each byte for more of them. Estimate before you run: operations per
byte, and loads per result.

All inputs are small integers, and all results are exact in floats, so every version must give the same ones.]],
  params = {
    n = { default = 2048, emulator = 448, small = 64, min = 32, max = 8192, multiple = 32,
      help = "rows and columns of the image", because = "blocks cover 32 × 32 pixels" },
    radius = { default = 8, emulator = 4, small = 3, min = 1, max = MOST,
      help = "radius of the filter: it has 2 · radius + 1 rows and columns",
      because = "the kernel's constant arrays have room for 31 × 31 weights" },
    cube = { default = 256, emulator = 128, small = 32, min = 32, max = 512, multiple = 32,
      help = "points along each edge of the cube", because = "blocks cover 32 × 16 points of a plane" },
    depth = { default = 64, emulator = 16, small = 8, min = 1, max = 512, help = "planes for a block of the queue" },
    plate = { default = 4032, emulator = 768, small = 96, min = 96, max = 16320, multiple = 96,
      help = "rows and columns of the plate",
      because = "blocks cover 32 × 32 cells, and the cells repeat every 12 rows" },
  },
  buffers = {
    image = { type = "float", count = pixels, fill = inputs.whole("float", pixels, 0, 63), seed = 15 },
    table = { type = "float", count = (2 * MOST + 1) * (2 * MOST + 1), fill = weights },
    row = { type = "float", count = 2 * MOST + 1, fill = taps },
    between = { type = "float", count = pixels },
    out = { type = "float", count = pixels },
    field = { type = "float", count = function(p) return area(p) * (p.cube + 2 * R) + PAD end,
      fill = function(p, seed)
        return inputs.whole("float", PERIOD, 0, 255)(p, seed):cycle(area(p) * (p.cube + 2 * R) + PAD)
      end, seed = 16 },
    coefficients = { type = "float", count = R + 1, fill = { 12, -7, 5, -3, 2 } },
    stars = { type = "float", count = points },
    heat = { type = "float", count = cells,
      fill = function(p, seed)
        return inputs.whole("float", p.plate * REPEAT, 0, 255)(p, seed):cycle(cells(p))
      end, seed = 17 },
    before = { type = "float", count = cells },
    after = { type = "float", count = cells },
    picture = { type = "float", count = picture, fill = inputs.whole("float", picture, -50, 50), seed = 18 },
    nine = { type = "float", count = 9, fill = inputs.whole("float", 9, -9, 9), seed = 19 },
    boxes = { type = "float", count = picture },
    cubes = { type = "float", count = cube_with_halo, fill = inputs.whole("float", cube_with_halo, -50, 50),
      seed = 20 },
    stars_of_seven = { type = "float", count = function(p) return p.size ^ 3 // 1 end },
    torus = { type = "float", count = square, fill = inputs.whole("float", square, 0, 4000), seed = 21 },
    torus_after = { type = "float", count = square },
  },
  groups = {
    { id = "filter", title = "filter, n × n pixels", baseline = "naive", share = "vs. naive",
      columns = { { header = { "loads", "per pixel" }, of = loads_per(pixels) }, "bound", "rate", "share",
        "verified" } },
    { id = "star", title = "star, cube³ points", baseline = "points", share = "of first",
      columns = { { header = { "loads", "per point" }, of = loads_per(points) }, "bound", "rate", "share",
        "verified" } },
    { id = "time", title = "six time steps, plate × plate", baseline = "one", share = "of first",
      columns = { { header = { "loads per", "cell, step" }, of = loads_per_step }, "bound", "rate", "share",
        "verified" } },
  },
  steps = steps,
  plots = {
    { id = "radius", title = "Rate of the filter over its radius", steps = { "unrolled", "separable-tiles" },
      x = { param = "radius", from = 1, to = 15, step = 2, label = "radius" }, emulator_values = { 1, 2, 4, 8 },
      y = "rate", y_label = "Gpixel/s", y_log = true, claims = { "W07.filter.separable" }, text = [[
The work of one curve grows with the square of the radius, that of the other one linearly. While the radius is small,
latency and memory limit the rates more than this work. Two launches move twice as many bytes, so at a small radius one
launch may be faster.]] },
  },
  exercises = exercises,
}
