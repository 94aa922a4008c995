-- Textures and surfaces against references computed here, and hostile arguments. On whatever device --device names: the same
-- numbers are expected of a GPU. Needs NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

-- A GPU blends and divides a little differently (tests/gpu/texture.lua says how much).
local BLEND <const> = gpu.device.backend == "emu" and 1e-6 or 1 / 256
local DIVISION <const> = gpu.device.backend == "emu" and 6e-8 or 1.2e-7

local SOURCE <const> = [[
__global__ void at1(float *out, cudaTextureObject_t tex, const float *x) {
	out[threadIdx.x] = tex1D<float>(tex, x[threadIdx.x]);
}
__global__ void at2(float *out, cudaTextureObject_t tex, const float *x, const float *y) {
	out[threadIdx.x] = tex2D<float>(tex, x[threadIdx.x], y[threadIdx.x]);
}
__global__ void at3(float *out, cudaTextureObject_t tex, const float *x, const float *y, float z) {
	out[threadIdx.x] = tex3D<float>(tex, x[threadIdx.x], y[threadIdx.x], z);
}
__global__ void level(float *out, cudaTextureObject_t tex, const float *x, const float *y) {
	out[threadIdx.x] = tex2DLod<float>(tex, x[threadIdx.x], y[threadIdx.x], 0)
		+ tex2DGrad<float>(tex, x[threadIdx.x], y[threadIdx.x], make_float2(0, 0), make_float2(0, 0));
}
__global__ void whole(float *out, cudaTextureObject_t tex, int first) {
	out[threadIdx.x] = tex1Dfetch<float>(tex, first + (int)threadIdx.x);
}
__global__ void bytes(int *out, cudaTextureObject_t tex, const float *x) {
	out[threadIdx.x] = tex1D<unsigned char>(tex, x[threadIdx.x]);
}
__global__ void shorts(int *out, cudaTextureObject_t tex, const float *x) {
	out[threadIdx.x] = tex1D<short>(tex, x[threadIdx.x]);
}
__global__ void four(float *out, cudaTextureObject_t tex, const float *x, const float *y) {
	float4 v = tex2D<float4>(tex, x[threadIdx.x], y[threadIdx.x]);
	out[threadIdx.x] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
}
__global__ void gather(float *out, cudaTextureObject_t tex, float x, float y) {
	float4 v = tex2Dgather<float4>(tex, x, y, 0);
	out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;
}
__global__ void rows(float *out, cudaTextureObject_t tex, const float *x, int layer) {
	out[threadIdx.x] = tex1DLayered<float>(tex, x[threadIdx.x], layer + (int)threadIdx.x % 2);
}
__global__ void images(float *out, cudaTextureObject_t tex, const float *x, const float *y, int layers) {
	out[threadIdx.x] = tex2DLayered<float>(tex, x[threadIdx.x], y[threadIdx.x], (int)threadIdx.x % layers);
}
__global__ void images_level(float *out, cudaTextureObject_t tex, const float *x, const float *y, int layers) {
	out[threadIdx.x] = tex2DLayeredLod<float>(tex, x[threadIdx.x], y[threadIdx.x], (int)threadIdx.x % layers, 0);
}
__global__ void shift_layers(cudaSurfaceObject_t to, cudaSurfaceObject_t from, int layers) {
	const int layer = blockIdx.x;
	float v = surf2DLayeredread<float>(from, threadIdx.x * 4, threadIdx.y, layer);
	surf2DLayeredwrite(v, to, threadIdx.x * 4, threadIdx.y, (layer + 1) % layers);
}
__global__ void shift_rows(cudaSurfaceObject_t s, int layer) {
	int v = surf1DLayeredread<int>(s, threadIdx.x * 4, layer);
	surf1DLayeredwrite(-v, s, threadIdx.x * 4, layer + 1, cudaBoundaryModeClamp);
}
__global__ void copy(cudaSurfaceObject_t to, cudaSurfaceObject_t from, int width, int height) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height) {
		float v = surf2Dread<float>(from, x * 4, y);
		surf2Dwrite(v + 1, to, x * 4, y);
	}
}
__global__ void edges(float *out, cudaSurfaceObject_t s, int x, int y) {
	out[0] = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeClamp);
	out[1] = surf2Dread<float>(s, x * 4, y, cudaBoundaryModeZero);
	surf2Dwrite(5.0f, s, x * 4, y, cudaBoundaryModeZero);
}
__global__ void corner(cudaSurfaceObject_t s, int x, int y) { surf2Dwrite(7.0f, s, x * 4, y, cudaBoundaryModeClamp); }
__global__ void trap(float *out, cudaSurfaceObject_t s, int x, int y) { out[0] = surf2Dread<float>(s, x, y); }
__global__ void pairs(cudaSurfaceObject_t s, int *out) {
	int2 v = surf1Dread<int2>(s, threadIdx.x * 8);
	out[threadIdx.x] = v.x + 1000 * v.y;
	surf1Dwrite(make_int2(v.y, v.x), s, threadIdx.x * 8);
}
]]

local module <const> = gpu.compile_text(SOURCE)
local KERNEL <const> = setmetatable({}, { __index = function(self, name)
  self[name] = module:kernel(name)
  return self[name]
end })

-- The programming guide's rules, in doubles and from scratch.
local function index(mode, i, n)
  if i >= 0 and i < n then return i end
  if mode == "clamp" then return i < 0 and 0 or n - 1 end
  if mode == "wrap" then return i % n end
  if mode == "mirror" then
    local period = i % (2 * n)
    return period < n and period or 2 * n - 1 - period
  end
  return nil -- border
end

local function nearest(mode, normalized, x, n)
  return index(mode, math.floor(normalized and x * n or x), n)
end

-- Lower texel, upper texel, weight of the upper one in 256ths.
local function between(mode, normalized, x, n)
  local at = (normalized and x * n or x) - 0.5
  local fixed = math.floor(at * 256 + 0.5)
  local low = fixed // 256
  return index(mode, low, n), index(mode, low + 1, n), (fixed % 256) / 256
end

local function run(kernel, texture, count, ...)
  local out <const> = gpu.buffer("float", count)
  KERNEL[kernel] { grid = 1, block = count } (out, texture, ...)
  return out:download()
end

local MODES <const> = { { "clamp", false }, { "border", false }, { "clamp", true }, { "border", true },
  { "wrap", true }, { "mirror", true } }

-- Coordinates that are exact in single precision and never fall between two texels' halves: sixteenths plus 1/64.
local function coordinates(n, normalized, seed)
  local list <const> = {}
  for i = 1, 64 do
    local texels = ((i * 37 + seed) % (5 * n * 16)) / 16 - 2 * n + 1 / 64
    list[i] = normalized and texels / n or texels
  end
  return list
end

TestTexture = {}

function TestTexture.test_one_dimension()
  local n <const> = 16
  local data <const> = gpu.array("float", n, "random", 3)
  local buffer <const> = gpu.buffer("float", n, { fill = data })
  for _, how in ipairs(MODES) do
    local mode <const>, normalized <const> = how[1], how[2]
    local xs <const> = coordinates(n, normalized, 5)
    local x <const> = gpu.buffer("float", 64, { fill = xs })
    local point <const> = gpu.texture(buffer, { address = mode, normalized = normalized })
    local got = run("at1", point, 64, x)
    for i = 1, 64 do
      local want = nearest(mode, normalized, xs[i], n)
      t.assertEquals(got[i - 1], want and data[want] or 0.0, mode .. " at " .. xs[i])
    end
    local linear <const> = gpu.texture(buffer, { address = mode, normalized = normalized, filter = "linear" })
    got = run("at1", linear, 64, x)
    for i = 1, 64 do
      local low, high, w = between(mode, normalized, xs[i], n)
      local want = (low and data[low] or 0) * (1 - w) + (high and data[high] or 0) * w
      t.assertAlmostEquals(got[i - 1], want, BLEND, mode .. ", linear, at " .. xs[i])
    end
  end
end

function TestTexture.test_two_dimensions()
  local w <const>, h <const> = 8, 4
  local data <const> = gpu.array("float", w * h, "random", 4)
  local buffer <const> = gpu.buffer("float", w * h, { fill = data })
  for _, how in ipairs(MODES) do
    local mode <const>, normalized <const> = how[1], how[2]
    local xs <const>, ys <const> = coordinates(w, normalized, 1), coordinates(h, normalized, 7)
    local x <const>, y <const> = gpu.buffer("float", 64, { fill = xs }), gpu.buffer("float", 64, { fill = ys })
    local options <const> = { width = w, height = h, address = mode, normalized = normalized }
    local got = run("at2", gpu.texture(buffer, options), 64, x, y)
    for i = 1, 64 do
      local ix, iy = nearest(mode, normalized, xs[i], w), nearest(mode, normalized, ys[i], h)
      t.assertEquals(got[i - 1], ix and iy and data[iy * w + ix] or 0.0, mode)
    end
    options.filter = "linear"
    local linear <const> = gpu.texture(buffer, options)
    got = run("at2", linear, 64, x, y)
    local level <const> = run("level", linear, 64, x, y)
    for i = 1, 64 do
      local x0, x1, a = between(mode, normalized, xs[i], w)
      local y0, y1, b = between(mode, normalized, ys[i], h)
      local function at(ix, iy) return ix and iy and data[iy * w + ix] or 0 end
      local both <const> = math.floor(a * b * 256 + 0.5) / 256 -- weights are 256ths, too
      local want = (1 - a - b + both) * at(x0, y0) + (a - both) * at(x1, y0) + (b - both) * at(x0, y1) + both * at(x1, y1)
      t.assertAlmostEquals(got[i - 1], want, 2 * BLEND, mode)
      t.assertAlmostEquals(level[i - 1], 2 * want, 4 * BLEND)
    end
  end
end

function TestTexture.test_a_mode_an_axis()
  local buffer <const> = gpu.buffer("float", 8, { fill = { 1, 2, 3, 4, 5, 6, 7, 8 } })
  local texture <const> = gpu.texture(buffer, { height = 2, address = { "wrap", "border" }, normalized = true })
  local x <const>, y <const> = gpu.buffer("float", 2, { fill = { 1.125, 0.125 } }),
    gpu.buffer("float", 2, { fill = { 0.75, 1.25 } })
  local got <const> = run("at2", texture, 2, x, y)
  t.assertEquals({ got[0], got[1] }, { 5.0, 0.0 })
end

function TestTexture.test_three_dimensions()
  local buffer <const> = gpu.buffer("float", 24, { fill = "iota" })
  local texture <const> = gpu.texture(buffer, { width = 2, height = 3, depth = 4 })
  local x <const>, y <const> = gpu.buffer("float", 2, { fill = { 0.5, 1.5 } }),
    gpu.buffer("float", 2, { fill = { 2.5, 1.5 } })
  local got = run("at3", texture, 2, x, y, 3.5)
  t.assertEquals({ got[0], got[1] }, { 22.0, 21.0 })
  local linear <const> = gpu.texture(buffer, { width = 2, height = 3, depth = 4, filter = "linear" })
  got = run("at3", linear, 2, gpu.buffer("float", 2, { fill = 1 }), gpu.buffer("float", 2, { fill = 1 }), 1)
  t.assertAlmostEquals(got[0], 0.5 + 2 * 0.5 + 6 * 0.5, 9 * BLEND)
end

-- A layer is a texture of its own: what is outside it, or between its edge and the next layer's, is none of the others.
function TestTexture.test_layers()
  local w <const>, h <const>, n <const> = 8, 4, 3
  local data <const> = gpu.array("float", w * h * n, "random", 6)
  local all <const> = gpu.buffer("float", w * h * n, { fill = data })
  for _, how in ipairs(MODES) do
    local x <const> = gpu.buffer("float", 64, { fill = coordinates(w, how[2], 2) })
    local y <const> = gpu.buffer("float", 64, { fill = coordinates(h, how[2], 3) })
    for _, filter in ipairs { "point", "linear" } do
      local options <const> = { width = w, height = h, address = how[1], normalized = how[2], filter = filter }
      local apart <const> = {}
      for layer = 0, n - 1 do
        local part <const> = {}
        for i = 0, w * h - 1 do part[i + 1] = data[layer * w * h + i] end
        apart[layer] = run("at2", gpu.texture(gpu.buffer("float", w * h, { fill = part }), options), 64, x, y)
      end
      options.layers = n
      local together <const> = gpu.texture(all, options)
      for _, kernel in ipairs { "images", "images_level" } do
        local got <const> = run(kernel, together, 64, x, y, n)
        for i = 0, 63 do t.assertEquals(got[i], apart[i % n][i]) end
      end
    end
  end
  local rows <const> = gpu.texture(gpu.buffer("float", 30, { fill = "iota" }), { layers = 3 })
  t.assertEquals({ rows.width, rows.height, rows.layers }, { 10, nil, 3 })
  t.assertEquals(tostring(rows), "texture float 10 x 3 layers")
  local got <const> = run("rows", rows, 4, gpu.buffer("float", 4, { fill = { 0.5, 1.5, 9.5, 99 } }), 1)
  t.assertEquals({ got[0], got[1], got[2], got[3] }, { 10.0, 21.0, 19.0, 29.0 })
  t.assertNil(rows:download():mismatch(gpu.array("float", 30, "iota")))
end

function TestTexture.test_fetch_from_linear_memory()
  local buffer <const> = gpu.buffer("float", 100, { fill = "iota" })
  local texture <const> = gpu.texture(buffer, { layout = "linear" })
  local got = run("whole", texture, 32, 50)
  for i = 0, 31 do t.assertEquals(got[i], 50.0 + i) end
  got = run("whole", texture, 32, 84)
  t.assertEquals({ got[15], got[16], got[31] }, { 99.0, 0.0, 0.0 })
  got = run("whole", texture, 32, -1)
  t.assertEquals({ got[0], got[1] }, { 0.0, 0.0 })
end

function TestTexture.test_integers()
  local x <const> = gpu.buffer("float", 4, { fill = { 0.5, 1.5, 2.5, 3.5 } })
  local bytes <const> = gpu.buffer("unsigned char", 4, { fill = { 0, 1, 128, 255 } })
  local out <const> = gpu.buffer("int", 4)
  KERNEL.bytes { grid = 1, block = 4 } (out, gpu.texture(bytes), x)
  t.assertEquals({ out[0], out[1], out[2], out[3] }, { 0, 1, 128, 255 })
  local shorts <const> = gpu.buffer("short", 4, { fill = { -32768, -1, 0, 32767 } })
  KERNEL.shorts { grid = 1, block = 4 } (out, gpu.texture(shorts), x)
  t.assertEquals({ out[0], out[1], out[2], out[3] }, { -32768, -1, 0, 32767 })
end

function TestTexture.test_integers_read_as_floats()
  local x <const> = gpu.buffer("float", 4, { fill = { 0.5, 1.5, 2.5, 3.5 } })
  local function read(type, values)
    local got <const> = run("at1", gpu.texture(gpu.buffer(type, 4, { fill = values }), { read = "float" }), 4, x)
    return { got[0], got[1], got[2], got[3] }
  end
  local function near(got, want)
    for i = 1, 4 do t.assertAlmostEquals(got[i], want[i], DIVISION) end
  end
  near(read("unsigned char", { 0, 1, 128, 255 }), { 0, 1 / 255, 128 / 255, 1 })
  near(read("char", { -128, -127, 0, 127 }), { -1, -1, 0, 1 })
  near(read("unsigned short", { 0, 1, 32768, 65535 }), { 0, 1 / 65535, 32768 / 65535, 1 })
  near(read("short", { -32768, -32767, 1, 32767 }), { -1, -1, 1 / 32767, 1 })
end

function TestTexture.test_half_and_four_channels()
  local x <const>, y <const> = gpu.buffer("float", 2, { fill = { 0.5, 1.5 } }), gpu.buffer("float", 2, { fill = 0.5 })
  local four <const> = gpu.buffer("float", 8, { fill = { 1, 2, 3, 4, 5, 6, 7, 8 } })
  local got = run("four", gpu.texture(four, { height = 1, channels = 4 }), 2, x, y)
  t.assertEquals({ got[0], got[1] }, { 4321.0, 8765.0 })
  local half <const> = gpu.buffer("half", 2, { fill = { 0.5, -2048 } })
  got = run("at1", gpu.texture(half), 2, x)
  t.assertEquals({ got[0], got[1] }, { 0.5, -2048.0 })
end

function TestTexture.test_gather()
  local buffer <const> = gpu.buffer("float", 6, { fill = { 1, 2, 3, 4, 5, 6 } })
  local out <const> = gpu.buffer("float", 4)
  KERNEL.gather { grid = 1, block = 1 } (out, gpu.texture(buffer, { height = 2 }), 2.0, 1.0)
  t.assertEquals({ out[0], out[1], out[2], out[3] }, { 5.0, 6.0, 3.0, 2.0 })
end

function TestTexture.test_it_is_a_copy()
  local buffer <const> = gpu.buffer("float", 2, { fill = 1 })
  local texture <const> = gpu.texture(buffer)
  local x <const> = gpu.buffer("float", 2, { fill = 0.5 })
  buffer:fill(2)
  t.assertEquals(run("at1", texture, 2, x)[0], 1.0)
  t.assertEquals(texture:download()[1], 1.0)
  texture:update()
  t.assertEquals(run("at1", texture, 2, x)[0], 2.0)
  t.assertFalse(texture.stale)
  t.assertEquals(tostring(texture), "texture float 2")
  t.assertEquals({ texture.width, texture.height, texture.channels, texture.type }, { 2, nil, 1, "float" })
end

TestSurface = {}

function TestSurface.test_read_and_write()
  local w <const>, h <const> = 20, 6
  local data <const> = gpu.array("float", w * h, "random", 8)
  local from <const> = gpu.surface(gpu.buffer("float", w * h, { fill = data }), { width = w, height = h })
  local to <const> = gpu.surface(gpu.buffer("float", w * h, { fill = 0 }), { width = w, height = h })
  KERNEL.copy { grid = { 3, 1 }, block = { 8, 8 } } (to, from, w, h)
  local got <const> = to:download()
  for i = 0, w * h - 1 do t.assertAlmostEquals(got[i], data[i] + 1, 1e-6) end
  t.assertEquals(from:download()[7], data[7])
  t.assertEquals(tostring(to), "surface float 20 x 6")
end

function TestSurface.test_pairs_in_one_dimension()
  local s <const> = gpu.surface(gpu.buffer("int", 8, { fill = "iota" }), { channels = 2 })
  local out <const> = gpu.buffer("int", 4)
  KERNEL.pairs { grid = 1, block = 4 } (s, out)
  t.assertEquals({ out[0], out[3] }, { 1000, 7006 })
  local now <const> = s:download()
  t.assertEquals({ now[0], now[1], now[6], now[7] }, { 1, 0, 7, 6 })
end

function TestSurface.test_layers()
  local data <const> = gpu.array("float", 4 * 2 * 5, "iota")
  local from <const> = gpu.surface(gpu.buffer("float", 40, { fill = data }), { height = 2, layers = 5 })
  local to <const> = gpu.surface(gpu.buffer("float", 40, { fill = 0 }), { height = 2, layers = 5 })
  KERNEL.shift_layers { grid = 5, block = { 4, 2 } } (to, from, 5)
  local got <const> = to:download()
  for i = 0, 39 do t.assertEquals(got[(i + 8) % 40], data[i]) end
  local rows <const> = gpu.surface(gpu.buffer("int", 12, { fill = "iota" }), { layers = 3 })
  KERNEL.shift_rows { grid = 1, block = 4 } (rows, 1)
  local now <const> = rows:download()
  t.assertEquals({ now[3], now[4], now[8], now[11] }, { 3, 4, -4, -7 })
end

function TestSurface.test_outside()
  local buffer <const> = gpu.buffer("float", 12, { fill = "iota" })
  local s <const> = gpu.surface(buffer, { width = 4, height = 3 })
  local out <const> = gpu.buffer("float", 2)
  for _, case in ipairs { { 9, 1, 7 }, { -3, 0, 0 }, { 2, 50, 10 }, { -1, -1, 0 } } do
    KERNEL.edges { grid = 1, block = 1 } (out, s, case[1], case[2])
    t.assertEquals({ out[0], out[1] }, { case[3] + 0.0, 0.0 })
  end
  t.assertNil(s:download():mismatch(buffer:download()))
  KERNEL.corner { grid = 1, block = 1 } (s, 100, 100)
  t.assertEquals(s:download()[11], 7.0)
end

function TestSurface.test_outside_is_a_fault_by_default()
  local s <const> = gpu.surface(gpu.buffer("float", 12, { name = "grid", fill = 0 }), { width = 4, height = 3 })
  local out <const> = gpu.buffer("float", 1)
  local o = KERNEL.trap:launch({ grid = 1, block = 1 }, out, s, 16, 0)
  t.assertEquals(o.status, "fault")
  t.assertEquals(o.fault.kind, "out of bounds")
  t.assertStrContains(o.report, "grid's surface")
  t.assertStrContains(o.report, "x counts bytes")
  o = KERNEL.trap:launch({ grid = 1, block = 1 }, out, s, 0, 3)
  t.assertEquals(o.status, "fault")
end

TestArguments = {}

function TestArguments.test_wrong_objects()
  if gpu.device.backend ~= "emu" then t.skip "what a GPU does with a wrong object is not defined" end
  local buffer <const> = gpu.buffer("float", 16, { fill = 0 })
  local x <const> = gpu.buffer("float", 1, { fill = 0.5 })
  local out <const> = gpu.buffer("float", 1)
  local function fault(kernel, ...)
    local o = KERNEL[kernel]:launch({ grid = 1, block = 1 }, ...)
    t.assertEquals(o.status, "fault")
    return o.message
  end
  t.assertStrContains(fault("at1", out, 12345, x), "is not a texture object")
  t.assertStrContains(fault("at1", out, gpu.surface(buffer), x), "is a surface object")
  t.assertStrContains(fault("at1", out, gpu.texture(buffer, { layout = "linear" }), x), "tex1Dfetch")
  t.assertStrContains(fault("whole", out, gpu.texture(buffer), 0), 'layout = "linear"')
  t.assertStrContains(fault("at2", out, gpu.texture(buffer), x, x), "2 coordinates")
  t.assertStrContains(fault("trap", out, gpu.surface(buffer, { height = 4 }), 2, 0), "multiple of 4")
  local layered <const> = gpu.texture(buffer, { height = 2, layers = 2 })
  t.assertStrContains(fault("at2", out, layered, x, x), "2 dimensions and layers")
  t.assertStrContains(fault("images", out, gpu.texture(buffer, { height = 2 }), x, x, 1), "2 coordinates and a layer")
  t.assertStrContains(fault("images", out, gpu.texture(buffer, { layers = 2 }), x, x, 1), "2 coordinates and a layer")
  t.assertStrContains(fault("rows", out, gpu.texture(buffer, { layers = 2 }), x, 2), "no layer 2")
  t.assertStrContains(fault("rows", out, gpu.texture(buffer, { layers = 2 }), x, -1), "no layer -1")
  t.assertStrContains(fault("shift_rows", gpu.surface(buffer, { layers = 2 }), 1), "no layer 2")
end

function TestArguments.test_hostile_options()
  local buffer <const> = gpu.buffer("float", 16, { name = "b", fill = 0 })
  local function no(pattern, options, other) refuses(pattern, gpu.texture, other or buffer, options) end
  no("has 16 elements", { width = 5 })
  no("has 16 elements", { width = 16, height = 2 })
  no("width: a whole number", { width = 0 })
  no("width: a whole number", { width = -1 })
  no("width: a whole number", { width = 1.5 })
  no("height: a whole number", { height = "many" })
  no("needs a height", { depth = 2 })
  no("not both", { height = 2, depth = 2, layers = 2 })
  no("has no layers", { layout = "linear", layers = 2 })
  no("layers: a whole number", { layers = 0 })
  no("layers is 4096", { layers = 4096 }, gpu.buffer("float", 4096))
  no("at most 32768", { layers = 1 }, gpu.buffer("float", 32769))
  no("1, 2 or 4", { channels = 3 })
  no("1, 2 or 4", { channels = 1 << 31 })
  no("did you mean 'height'", { hieght = 4 })
  no("address: unknown 'warp', did you mean 'wrap'?", { address = "warp" })
  no("address[2]: unknown 'warp'", { address = { "clamp", "warp" }, height = 4 })
  no('address: "wrap", "clamp", "mirror" or "border" expected, got number', { address = 1 })
  no('filter: "point" or "linear" expected, got \'cubic\'', { filter = "cubic" })
  no("normalized", { address = "wrap" })
  no("normalized", { address = { "clamp", "mirror" }, height = 4 })
  no("true or false", { normalized = 1 })
  no("one dimension", { layout = "linear", height = 4 })
  no("read as floats", { filter = "linear" }, gpu.buffer("int", 4))
  no("8 or 16 bits", { read = "float" }, gpu.buffer("int", 4))
  no("8 or 16 bits", { read = "float" })
  no("32 bits", {}, gpu.buffer("double", 4))
  no("at most 131072", {}, gpu.buffer("float", 131073))
  refuses("gpulab.buffer expected", gpu.texture, 5)
  refuses("table expected", gpu.texture, buffer, 5)
  refuses("unknown field", gpu.surface, buffer, { filter = "linear" })
  refuses("at most 32768", gpu.surface, gpu.buffer("float", 32769))
end

function TestArguments.test_as_kernel_arguments()
  local buffer <const> = gpu.buffer("float", 4, { fill = 1 })
  local texture <const> = gpu.texture(buffer)
  local config <const> = { grid = 1, block = 1 }
  refuses("a texture", function() KERNEL.at1(config)(texture, texture, buffer) end)
  refuses('got a buffer', function() KERNEL.at1(config)(buffer, buffer, buffer) end)
  texture:free()
  refuses("closed texture", function() KERNEL.at1(config)(buffer, texture, buffer) end)
  refuses("closed", texture.download, texture)
  texture:free()
  local source <const> = gpu.buffer("float", 4, { fill = 3 })
  local kept <const> = gpu.texture(source)
  source:free()
  t.assertEquals(kept:download()[2], 3.0)
  refuses("was freed", kept.update, kept)
end

function TestArguments.test_counting_and_checking()
  local w <const>, h <const> = 64, 32
  local texture <const> = gpu.texture(gpu.buffer("float", w * h, { fill = 1 }), { width = w, height = h })
  local xs <const>, ys <const> = {}, {}
  for i = 1, 32 do xs[i], ys[i] = i - 0.5, 0.5 end
  local x <const>, y <const> = gpu.buffer("float", 32, { fill = xs }), gpu.buffer("float", 32, { fill = ys })
  local out <const> = gpu.buffer("float", 32)
  local report = gpu.count(KERNEL.at2, { grid = 1, block = 32 }, { out, texture, x, y })
  t.assertEquals(report.counters.texture_requests, 1)
  t.assertEquals(report.counters.texture_sectors, 8) -- 4 texels of each of two rows a sector: half of it is used
  report = gpu.count(KERNEL.at2, { grid = 1, block = 32 }, { out, texture, y, x })
  t.assertEquals(report.counters.texture_sectors, 16) -- a column: two rows a sector
  t.assertEquals(#gpu.check(KERNEL.at2, { grid = 1, block = 32 }, { out, texture, x, y }).findings, 0)
end

function TestArguments.test_survives_a_worker_that_died()
  if gpu.device.backend ~= "emu" then t.skip "done by tests/gpu there" end
  local device <const> = gpu.open "worker:emu"
  local buffer <const> = device:buffer("float", 4, { fill = "iota" })
  local texture <const>, surface <const> = device:texture(buffer), device:surface(buffer, { width = 2, height = 2 })
  local m <const> = device:compile_text(SOURCE)
  local out <const>, x <const> = device:buffer("float", 4), device:buffer("float", 4, { fill = { 3.5, 2.5, 1.5, 0.5 } })
  m:kernel "at1" { grid = 1, block = 4 } (out, texture, x)
  t.assertEquals(out[0], 3.0)
  m:kernel "corner" { grid = 1, block = 1 } (surface, 0, 0)
  t.assertEquals(surface:download()[0], 7.0)
  t.assertEquals(gpu.count(m:kernel "at1", { grid = 1, block = 4 }, { out, texture, x }).counters.texture_requests, 1)
  local pid = io.popen("pgrep -P $PPID -n gpulab-worker"):read "n"
  if not pid then t.skip "pgrep is needed" end
  os.execute("kill -9 " .. pid)
  m:kernel "at1" { grid = 1, block = 4 } (out, texture, x)
  t.assertEquals({ out[0], out[3] }, { 3.0, 0.0 })
  t.assertTrue(surface.stale)
  refuses("lost its content", surface.download, surface)
  surface:update()
  t.assertEquals(surface:download()[3], 3.0)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
