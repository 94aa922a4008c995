-- Kernels that no constant of a model has seen: what is launched, and a few of its results worked out by hand.
--
--   name, title           the kernel in kernels.cu; what it is called
--   grid, block           its launch
--   buffers               { name, type, count, fill }: fill as in gpu.buffer, or a function(count) -> array
--   args(b)               its arguments
--   right(b)              a sentence about what is wrong, or nil; after one launch over fresh buffers
local heldout = {}

local N <const> = 1 << 22

local function near(got, want, what)
  if math.abs(got - want) <= 1e-4 * math.max(1, math.abs(want)) then return nil end
  return ("%s is %.9g, not %.9g"):format(what, got, want)
end

-- The same few places of every result: the ends and what lies between.
local function places(count)
  return { 1, count // 3, count // 2 + 7, count - 2 }
end

local function each(count, judge)
  for _, i in ipairs(places(count)) do
    local wrong = judge(i)
    if wrong then return wrong end
  end
end

local function wave(count) -- values that differ, small enough to be exact
  local period = gpu.array("float", 1024)
  for i = 0, 1023 do period[i] = (i * 37 % 101 - 50) / 64 end
  return period:cycle(count)
end

local function small(count)
  local period = gpu.array("int", 4096)
  for i = 0, 4095 do period[i] = i * 73 % 10007 end
  return period:cycle(count)
end

local function bytes(count)
  local period = gpu.array("unsigned char", 65536)
  for i = 0, 65535 do period[i] = (i * 2654435761 >> 13) & 255 end
  return period:cycle(count)
end

-- An index into `count` elements that jumps about: a multiplicative step modulo a power of two is a permutation.
local function jumps(count)
  local index, at = gpu.array("int", count), 0
  for i = 0, count - 1 do
    index[i] = at
    at = (at + 2654435) & (count - 1)
  end
  return index
end

local function fma(sum, a, b) return sum * a + b end

local plane <const> = 2048

heldout.list = {
  { name = "stencil", grid = { plane // 32, plane // 8 }, block = { 32, 8 },
    buffers = { { "out", "float", plane * plane, 0 }, { "in", "float", plane * plane, wave } },
    args = function(b) return { b.out, b["in"], plane } end,
    right = function(b)
      local v = b["in"]
      return each(plane - 2, function(y)
        local i = y * plane + 5
        return near(b.out[i], v[i] / 2 + (v[i - 1] + v[i + 1] + v[i - plane] + v[i + plane]) / 8, "out of row " .. y)
      end)
    end },
  { name = "histogram", grid = { 528 }, block = { 256 },
    buffers = { { "bins", "unsigned", 256, 0 }, { "in", "unsigned char", N, bytes } },
    args = function(b) return { b.bins, b["in"], N } end,
    right = function(b)
      local sum = 0
      for i = 0, 255 do sum = sum + b.bins[i] end
      return near(sum, N, "the sum of the bins")
    end },
  { name = "scan", grid = { N // 256 }, block = { 256 },
    buffers = { { "out", "int", N, 0 }, { "in", "int", N, small } },
    args = function(b) return { b.out, b["in"] } end,
    right = function(b)
      return each(N, function(i)
        local sum = 0
        for k = i // 256 * 256, i do sum = sum + b["in"][k] end
        return near(b.out[i], sum, "sum " .. i)
      end)
    end },
  { name = "saxpy", title = "saxpy, stride 1", grid = { N // 256 }, block = { 256 },
    buffers = { { "y", "float", N, 1 }, { "x", "float", N, wave } },
    args = function(b) return { b.y, b.x, 2.0, 1 } end,
    right = function(b) return each(N, function(i) return near(b.y[i], 1 + 2 * b.x[i], "y " .. i) end) end },
  { name = "saxpy", title = "saxpy, stride 8", grid = { N // 2048 }, block = { 256 },
    buffers = { { "y", "float", N, 1 }, { "x", "float", N, wave } },
    args = function(b) return { b.y, b.x, 2.0, 8 } end,
    right = function(b)
      return each(N // 8, function(i) return near(b.y[8 * i], 1 + 2 * b.x[8 * i], "y " .. 8 * i) end)
        or near(b.y[9], 1, "y 9")
    end },
  { name = "gather", grid = { N // 4 // 256 }, block = { 256 },
    buffers = { { "out", "float", N // 4, 0 }, { "in", "float", N // 4, wave }, { "index", "int", N // 4, jumps } },
    args = function(b) return { b.out, b["in"], b.index } end,
    right = function(b)
      return each(N // 4, function(i) return near(b.out[i], b["in"][b.index[i]], "out " .. i) end)
    end },
  { name = "aos", title = "particles, array of structs", grid = { N // 8 // 256 }, block = { 256 },
    buffers = { { "p", "float", N, 1 } },
    args = function(b) return { b.p, 0.5 } end,
    right = function(b)
      return near(b.p[8 * 999], 1.5, "x") or near(b.p[8 * 999 + 3], 1, "the mass")
    end },
  { name = "soa", title = "particles, struct of arrays", grid = { N // 8 // 256 }, block = { 256 },
    buffers = { { "p", "float", N, 1 } },
    args = function(b) return { b.p, 0.5, N // 8 } end,
    right = function(b) return near(b.p[999], 1.5, "x") or near(b.p[3 * (N // 8) + 999], 1, "the mass") end },
  { name = "dot", grid = { 528 }, block = { 256 },
    buffers = { { "sum", "float", 1, 0 }, { "a", "float", N, 1 }, { "b", "float", N, 0.5 } },
    args = function(b) return { b.sum, b.a, b.b, N } end,
    right = function(b) return near(b.sum[0], N / 2, "the sum") end },
  { name = "by_warp", title = "matrix × vector, one warp per row", grid = { 2048 // 8 }, block = { 256 },
    buffers = { { "y", "float", 2048, 0 }, { "A", "float", 2048 * 2048, 0.5 }, { "x", "float", 2048, 2 } },
    args = function(b) return { b.y, b.A, b.x, 2048 } end,
    right = function(b) return each(2048, function(i) return near(b.y[i], 2048, "y " .. i) end) end },
  { name = "by_thread", title = "matrix × vector, one thread per row", grid = { 2048 // 64 },
    block = { 64 },
    buffers = { { "y", "float", 2048, 0 }, { "A", "float", 2048 * 2048, 0.5 }, { "x", "float", 2048, 2 } },
    args = function(b) return { b.y, b.A, b.x, 2048 } end,
    right = function(b) return each(2048, function(i) return near(b.y[i], 2048, "y " .. i) end) end },
  { name = "convolution", grid = { N // 256 }, block = { 256 },
    buffers = { { "out", "float", N, 0 }, { "in", "float", N, wave }, { "weights", "float", 17, "iota" } },
    args = function(b) return { b.out, b["in"], b.weights, N } end,
    right = function(b)
      return each(N - 20, function(i)
        local sum, at = 0, i + 8
        for k = 0, 16 do sum = sum + k * b["in"][at + k - 8] end
        return near(b.out[at], sum, "out " .. at)
      end)
    end },
  { name = "bitonic", title = "bitonic step, distance 1024", grid = { N // 256 }, block = { 256 },
    buffers = { { "v", "int", N, small } },
    args = function(b) return { b.v, 1024, 2048 } end,
    right = function(b)
      return each(N, function(i)
        local low = i & ~1024
        local a, c = b.v[low], b.v[low + 1024]
        local sorted = a <= c
        if low & 2048 ~= 0 then sorted = a >= c end
        return not sorted and ("elements %d and %d are out of order"):format(low, low + 1024) or nil
      end)
    end },
  { name = "mandelbrot", grid = { 1024 // 32, 1024 // 8 }, block = { 32, 8 },
    buffers = { { "out", "int", 1024 * 1024, 0 } },
    args = function(b) return { b.out, 1024, 128 } end,
    right = function(b) return near(b.out[512 * 1024 + 800], 128, "the inside") or near(b.out[0], 1, "the corner") end },
  { name = "nbody", grid = { 4096 // 256 }, block = { 256 },
    buffers = { { "force", "float", 4 * 4096, 0 }, { "body", "float", 4 * 4096, wave } },
    args = function(b) return { b.force, b.body, 4096 } end,
    right = function(b)
      local v, x = b.body, 0
      local mx, my, mz = v[400], v[401], v[402]
      for k = 0, 4095 do
        local dx, dy, dz = v[4 * k] - mx, v[4 * k + 1] - my, v[4 * k + 2] - mz
        x = x + dx * v[4 * k + 3] / (dx * dx + dy * dy + dz * dz + 0.01) ^ 1.5
      end
      local got = b.force[400]
      if math.abs(got - x) <= 2e-3 * math.max(1, math.abs(x)) then return nil end
      return ("the pull is %.9g, not %.9g"):format(got, x)
    end },
  { name = "polynomial", grid = { N // 256 }, block = { 256 },
    buffers = { { "y", "float", N, 0 }, { "x", "float", N, wave } },
    args = function(b) return { b.y, b.x } end,
    right = function(b)
      return each(N, function(i)
        local sum = 1
        for k = 0, 63 do sum = fma(sum, b.x[i], k) end
        return near(b.y[i], sum, "y " .. i)
      end)
    end },
  { name = "waves", grid = { N // 256 }, block = { 256 },
    buffers = { { "y", "float", N, 0 }, { "x", "float", N, wave } },
    args = function(b) return { b.y, b.x } end,
    right = function(b)
      return each(N, function(i)
        local v = b.x[i]
        for _ = 1, 8 do v = math.sin(v) + math.exp(-v * v) + math.log(1 + v * v) end
        return math.abs(b.y[i] - v) > 1e-2 and ("y %d is %.9g, not %.9g"):format(i, b.y[i], v) or nil
      end)
    end },
  { name = "doubles", grid = { N // 4 // 256 }, block = { 256 },
    buffers = { { "z", "double", N // 2, 0 }, { "x", "double", N // 2, 3 }, { "y", "double", N // 2, 4 } },
    args = function(b) return { b.z, b.x, b.y, 0.5 } end,
    right = function(b) return each(N // 2, function(i) return near(b.z[i], 5.5, "z " .. i) end) end },
  { name = "rotate", title = "bytes rotated by 90 degrees", grid = { plane // 32, plane // 8 },
    block = { 32, 8 },
    buffers = { { "out", "unsigned char", plane * plane, 0 }, { "in", "unsigned char", plane * plane, bytes } },
    args = function(b) return { b.out, b["in"], plane } end,
    right = function(b)
      return each(plane, function(x)
        return near(b.out[x * plane + plane - 1 - 77], b["in"][77 * plane + x], "column " .. x)
      end)
    end },
}
for _, case in ipairs(heldout.list) do case.title = case.title or case.name end

---Fresh buffers of a case on a device, by name.
function heldout.buffers(case, device)
  local made = {}
  for _, row in ipairs(case.buffers) do
    local name, type, count, fill = table.unpack(row)
    local computed = _G.type(fill) == "function"
    made[name] = device:buffer(type, count, { name = name, fill = not computed and fill or nil })
    if computed then made[name]:upload(fill(count)) end
  end
  return made
end

return heldout
