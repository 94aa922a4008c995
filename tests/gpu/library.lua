-- Library routines on a GPU: right, timed alone and beside a kernel, and the measure of gpulab's own copy. Speaks TAP.
local done, failed = 0, false

local function check(good, what, more)
  done, failed = done + 1, failed or not good
  print(("%s %d - %s"):format(good and "ok" or "not ok", done, what))
  if more then print("# " .. tostring(more):gsub("\n", "\n# ")) end
end

if gpu.device.backend ~= "cuda" then
  print "1..0 # SKIP a GPU is needed"
  os.exit(0)
end

local function filled(name, count, value)
  local t = {}
  for i = 0, count - 1 do t[i + 1] = value(i) end
  return gpu.buffer("float", count, { name = name, fill = t })
end

local function product_of(a, b, n)
  local c = {}
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      local sum = 0
      for k = 0, n - 1 do sum = sum + a[i * n + k] * b[k * n + j] end
      c[i * n + j + 1] = sum
    end
  end
  return gpu.array("float", n * n, c)
end

local function same(buffer, want)
  local wrong = buffer:download(0, #want):mismatch(want)
  return not wrong, wrong and ("%d differ, the first at %d: %g, not %g"):format(wrong.count, wrong.first[1].index,
    wrong.first[1].got, wrong.first[1].want)
end

-- cuBLAS ------------------------------------------------------------------------------------------------------------

local there, why = gpu.library "sgemm"
if there then
  local n = 48
  local a = filled("a", n * n, function(i) return i * 7 % 11 end)
  local b = filled("b", n * n, function(i) return i * 5 % 13 end)
  local c = gpu.buffer("float", n * n, { name = "c" })
  check(gpu.run({ library = "sgemm", args = { c, a, b, n } }).status == "ok", "sgemm runs")
  local right, wrong = same(c, product_of(a:download(), b:download(), n))
  check(right, "C = A B, by rows", wrong)
  -- 12 bits and more: TF32 has 11
  local fine = filled("fine", n * n, function(i) return 4097 + 2 * i end)
  local turned = filled("turned", n * n, function(i) return i // n == n - 1 - i % n and 1 or 0 end)
  gpu.run { library = "sgemm", args = { c, fine, turned, n } }
  right, wrong = same(c, fine:download():gather(n * n, function(i) return i // n * n + n - 1 - i % n end))
  check(right, "FP32 keeps every digit", wrong)
  local rows, columns = 100, 37
  local from = gpu.buffer("float", rows * columns, { fill = "iota" })
  local to = gpu.buffer("float", rows * columns)
  gpu.run { library = "sgeam", args = { to, from, rows, columns } }
  right, wrong = same(to, from:download():transpose(rows, columns))
  check(right, "sgeam transposes what is no square", wrong)
  local short = gpu.time { library = "sgemm", args = { c, a, b, n } }
  check(short.ms > 0 and short.ms < 0.1, "a small sgemm is timed", ("%.4g us, %s"):format(short.ms * 1e3, short.note))
  local big = 4096
  local x, y = gpu.buffer("float", big * big, { fill = 1 }), gpu.buffer("float", big * big, { fill = 2 })
  local z = gpu.buffer("float", big * big)
  local m = gpu.time { library = "sgemm", args = { z, x, y, big } }
  local gflops = 2 * big ^ 3 / m.ms / 1e6
  check(gflops > 1000, "a large sgemm is timed", ("n = %d: %.4g ms, %.0f GFLOPS"):format(big, m.ms, gflops))
  local turn = gpu.time { library = "sgeam", args = { z, x, big, big } }
  check(turn.ms > 0, "a large sgeam is timed", ("%.4g ms, %.0f GB/s"):format(turn.ms, 8 * big ^ 2 / turn.ms / 1e6))
  local both = gpu.time { { library = "sgemm", args = { z, x, y, big } }, { library = "sgeam", args = { x, z, big, big } } }
  check(both.ms > m.ms and both.ms < 1.2 * (m.ms + turn.ms), "two in a row take about their sum",
    ("%.4g ms"):format(both.ms))
  for _, buffer in ipairs { x, y, z } do buffer:free() end
  local list = {}
  for i = 0, n * n - 1 do list[i + 1] = i * 7 % 11 end
  local short_a = gpu.buffer("bfloat16", n * n, { fill = list })
  gpu.run { library = "gemmex", args = { c, short_a, short_a, n } }
  right, wrong = same(c, product_of(short_a:download(), short_a:download(), n))
  check(right, "C = A B of BF16, by rows", wrong)
else
  for _, what in ipairs { "sgemm", "sgeam", "gemmex" } do
    done = done + 1
    print(("ok %d - %s # SKIP %s"):format(done, what, why))
  end
end

-- A kernel, then a copy of what it wrote: both in one work, and as a graph.
local module = gpu.compile("peaks.cu", { defines = { ITERATIONS = 16 }, names = { "copy" } })
local copy = module:kernel "copy"
local few = 4096
local p, q, r = gpu.buffer("float", few, { fill = "iota" }), gpu.buffer("float", few), gpu.buffer("float", few)
local work = { { kernel = copy, config = { grid = few // 1024, block = 256 }, args = { q, p, few // 4 } },
  { library = "memcpy", args = { r, q } } }
check(gpu.run(work).status == "ok" and same(r, p:download()), "a kernel and a copy of its result")
local function batch_of(list)
  local m = gpu.time(list)
  return m.batch, ("%.4g us, batches of %d; %s"):format((m.cold or m.ms) * 1e3, m.batch, m.note or "")
end
local function check_batch(list, is_right, what)
  local batch, shown = batch_of(list)
  check(is_right(batch), what, shown)
end
check_batch({ work[1] }, function(batch) return batch > 1 end, "a launch shorter than 5 us is timed in batches")
check_batch({ work[1], work[2], work[1], work[2] }, function(batch) return batch == 1 end,
  "a launch list longer than 5 us is not")

-- gpulab's own copy against the driver's, in turn -----------------------------------------------------------------

local count = 8192 * 8192
local input, output = gpu.buffer("float", count, { fill = 0 }), gpu.buffer("float", count)
local elements = count // 4
local ours = { kernel = copy, config = { grid = (elements + 255) // 256, block = 256 }, args = { output, input, elements } }
local c = gpu.compare({ library = "memcpy", args = { output, input } }, ours)
check(c.ratio <= 1 / 0.98, "a float4 copy of 8192 x 8192 reaches 0.98 of cudaMemcpy",
  ("%.4f of its time (%.4f to %.4f): %.0f and %.0f GB/s"):format(c.ratio, c.low, c.high, 8 * count / c.b_ms / 1e6,
    8 * count / c.a_ms / 1e6))

print("1.." .. done)
if failed then error("library routines are not as they should be", 0) end
