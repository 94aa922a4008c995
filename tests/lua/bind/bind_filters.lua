-- Linear filtering and cube maps, bit for bit as an NVIDIA H100 (driver 580.159) computed them: digests of its results for the same
-- texels and coordinates. Needs NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local H100 <const> = {
  ["cube 1 point clamp"] = 0x98c8dd758b8ab097,
  ["cube 1 linear clamp"] = 0x98c8dd758b8ab097,
  ["cube 1 linear border"] = 0xdea7d0250ab033f3,
  ["cube 1 linear wrap"] = 0x98c8dd758b8ab097,
  ["cube 1 linear seamless"] = 0x765ee20b21711d50,
  ["cube 3 point clamp"] = 0x8e9e9478530f054f,
  ["cube 3 linear clamp"] = 0xdc0c0541f44dbcfa,
  ["cube 3 linear border"] = 0xcbe0a9965266c8e5,
  ["cube 3 linear wrap"] = 0xeab300a4602a417d,
  ["cube 3 linear seamless"] = 0xa5b16daf38ce2ebb,
  ["cube 4 point clamp"] = 0x94699ac4f132caa6,
  ["cube 4 linear clamp"] = 0x7f7dc32f5ee8c3eb,
  ["cube 4 linear border"] = 0xc8047a63aff6cb71,
  ["cube 4 linear wrap"] = 0x70faed9c8d741ba4,
  ["cube 4 linear seamless"] = 0x3895551991a2d04e,
  ["cube 5 point clamp"] = 0x112612bb649b71ce,
  ["cube 5 linear clamp"] = 0x1c2a7c283feaa24d,
  ["cube 5 linear border"] = 0xa967c694d53a765c,
  ["cube 5 linear wrap"] = 0xbd55192b1bdb2932,
  ["cube 5 linear seamless"] = 0x6260dfd29b9d1cda,
  ["cube 64 point clamp"] = 0x7d0a011ed924efdf,
  ["cube 64 linear clamp"] = 0x30e8b42d618ac478,
  ["cube 64 linear border"] = 0x3c8681ed65998b55,
  ["cube 64 linear wrap"] = 0x8540f1e82e2b11b5,
  ["cube 64 linear seamless"] = 0x264a08357696ff80,
  ["gather 4 clamp"] = 0x347dc5f1306637d8,
  ["gather 4 seamless"] = 0x8240420bed935098,
  ["grad 4 seamless"] = 0x1bfe694149bb8099,
  ["bytes 4 seamless"] = 0x1462768e895084f9,
  ["layered 4 seamless"] = 0xeb7781c8b10f94b4,
  ["one clamp texels"] = 0x9c19ee47f42d960b,
  ["one clamp normalized"] = 0xfa06545a63836e43,
  ["one wrap normalized"] = 0x3f685e6cd62f181c,
  ["one mirror normalized"] = 0x58de94587b3ca2b1,
  ["two clamp texels"] = 0xbda9a4c68163c607,
  ["two border texels"] = 0x5be7da79194d08ab,
  ["two wrap normalized"] = 0xfbb415495941f3fc,
  ["two mirror normalized"] = 0xbfd5aa710b197ef1,
  ["two border normalized"] = 0x5be7da79194d08ab,
  ["three clamp texels"] = 0x56648a769b46bb06,
  ["three border texels"] = 0x9325d703cc96b4a2,
  ["three wrap normalized"] = 0x9df5b9a43557819b,
  ["three mirror normalized"] = 0x13a2c917dde3c72d,
}

local SOURCE <const> = [[
#define KERNEL(name, n, fetch) \
	__global__ void name(unsigned *out, cudaTextureObject_t tex, const float *d, int count) { \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		const float *x = d + n * i; \
		if (i < count) out[i] = __float_as_uint(fetch); \
	}
KERNEL(cube, 3, texCubemap<float>(tex, x[0], x[1], x[2]))
KERNEL(level, 3, texCubemapLod<float>(tex, x[0], x[1], x[2], 0))
KERNEL(grad, 3, texCubemapGrad<float>(tex, x[0], x[1], x[2], make_float4(0, 0, 0, 0), make_float4(0, 0, 0, 0)))
KERNEL(one, 1, tex1D<float>(tex, x[0]))
KERNEL(two, 2, (tex2D<float>(tex, x[0], x[1])))
KERNEL(three, 3, (tex3D<float>(tex, x[0], x[1], x[2])))
KERNEL(layered, 4, (x[3] < 0 ? 0 : texCubemapLayered<float>(tex, x[0], x[1], x[2], (int)x[3])))
__device__ void put(unsigned *out, int i, float4 v) {
	out[4 * i] = __float_as_uint(v.x);
	out[4 * i + 1] = __float_as_uint(v.y);
	out[4 * i + 2] = __float_as_uint(v.z);
	out[4 * i + 3] = __float_as_uint(v.w);
}
__global__ void four(unsigned *out, cudaTextureObject_t tex, const float *d, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) put(out, i, texCubemap<float4>(tex, d[3 * i], d[3 * i + 1], d[3 * i + 2]));
}
__global__ void gather(unsigned *out, cudaTextureObject_t tex, const float *d, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v;
	if (i >= n) return;
	asm("tld4.r.cube.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
		: "l"(tex), "f"(d[3 * i]), "f"(d[3 * i + 1]), "f"(d[3 * i + 2]));
	put(out, i, v);
}
__global__ void faces(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
	float v = surfCubemapread<float>(from, threadIdx.x * 4, threadIdx.y, blockIdx.x);
	surfCubemapwrite(v + 100 * blockIdx.x, to, threadIdx.x * 4, threadIdx.y, (blockIdx.x + 1) % 6);
}
__global__ void last(cudaSurfaceObject_t s, int face) { surfCubemapLayeredwrite(1000.0f, s, threadIdx.x * 4, 0, face); }
__global__ void images(float *out, cudaTextureObject_t tex) { out[0] = tex2DLayered<float>(tex, 0, 0, 0); }
]]
local module <const> = gpu.compile_text(SOURCE)

-- --- the same inputs as on the GPU: all numbers are hashes ---

local function hash(x)
  x = (x ~ x >> 30) * 0xbf58476d1ce4e5b9
  x = (x ~ x >> 27) * 0x94d049bb133111eb
  return (x ~ x >> 31) & 0xffffffff
end
local function unit(i) return (hash(i) >> 8) / 16777216 end
local function both(i) return ((hash(i) >> 8) - 8388608) / 8388608 end
local function single(x) return (string.unpack("f", string.pack("f", x))) end

local function randoms(n, seed)
  local list <const> = {}
  for i = 1, n do list[i] = unit(i - 1 + seed * 100000) end
  return list
end

-- Directions: zeros, infinities and NaN; a grid on each face, with edges and corners; at random.
local function directions()
  local special <const> = { 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, math.huge, -(0 / 0), 1e-40, 3e38 }
  local list <const>, numbers <const> = {}, {}
  local function add(i, x, y, z)
    numbers[#numbers + 1] = i
    list[#list + 1], list[#list + 2], list[#list + 3] = x, y, z
  end
  for i = 0, 999 do add(i, special[i % 10 + 1], special[i // 10 % 10 + 1], special[i // 100 + 1]) end
  local n = 1000
  for face = 0, 5 do
    for u = -16, 16 do
      for v = -16, 16 do
        local d <const>, axis <const> = {}, face // 2
        d[axis], d[(axis + 1) % 3], d[(axis + 2) % 3] = face % 2 == 0 and 1 or -1, u / 16, v / 16
        add(n, d[0], d[1], d[2])
        n = n + 1
      end
    end
  end
  for i = 0, 16384 - 11630 - 1 do
    local at <const> = 1000000 + 3 * i
    add(11630 + i, both(at), both(at + 1), both(at + 2))
  end
  return list, numbers
end

local function digest(words)
  local h = 0xcbf29ce484222325
  for i = 0, #words - 1 do h = (h ~ words[i]) * 0x100000001b3 end
  return h
end

local list <const>, numbers <const> = directions()
local COUNT <const> = #numbers
local towards <const> = gpu.buffer("float", #list, { fill = list })

local function run(kernel, texture, at, count, each)
  local out <const> = gpu.buffer("unsigned", count * (each or 1))
  module:kernel(kernel) { grid = (count + 255) // 256, block = 256 } (out, texture, at, count)
  return out:download()
end

local function same(name, words) t.assertEquals(("%016x"):format(digest(words)), ("%016x"):format(H100[name]), name) end

local function texture(texels, options, type)
  return gpu.texture(gpu.buffer(type or "float", #texels, { fill = texels }), options)
end

-- "linear wrap", "point clamp", "linear seamless"
local function cube_of(n, how, texels)
  local filter <const>, mode <const> = how:match "(%a+) (%a+)"
  local seamless <const> = mode == "seamless"
  return texture(texels, { cube = true, width = n, filter = filter, seamless = seamless, address = not seamless and mode or nil })
end

TestCube = {}

function TestCube.test_filters_and_modes()
  for _, n in ipairs { 1, 3, 4, 5, 64 } do
    local texels <const> = randoms(6 * n * n, n)
    for _, how in ipairs { "point clamp", "linear clamp", "linear border", "linear wrap", "linear seamless" } do
      same(("cube %d %s"):format(n, how), run("cube", cube_of(n, how, texels), towards, COUNT))
    end
  end
end

function TestCube.test_levels_and_gradients()
  local t4 <const> = cube_of(4, "linear seamless", randoms(96, 77))
  same("grad 4 seamless", run("grad", t4, towards, COUNT))
  same("grad 4 seamless", run("level", t4, towards, COUNT))
end

function TestCube.test_gather()
  for _, how in ipairs { "clamp", "seamless" } do
    same("gather 4 " .. how, run("gather", cube_of(4, "linear " .. how, randoms(96, 77)), towards, COUNT, 4))
  end
end

function TestCube.test_small_integers_are_blended_in_16_bits()
  local texels <const> = {}
  for i = 1, 4 * 96 do texels[i] = hash(i - 1 + 5) & 255 end
  same("bytes 4 seamless", run("four", texture(texels, { cube = true, channels = 4, filter = "linear", read = "float",
    seamless = true }, "unsigned char"), towards, COUNT, 4))
end

function TestCube.test_layers()
  local at <const> = {}
  for i, number in ipairs(numbers) do
    local layer <const> = number % 6 - 1
    table.move(list, 3 * i - 2, 3 * i, 4 * i - 3, at)
    at[4 * i] = layer <= 3 and layer or -1
  end
  local layers <const> = texture(randoms(4 * 96, 77), { cube = true, layers = 4, filter = "linear", seamless = true })
  t.assertEquals({ layers.width, layers.height, layers.layers, layers.cube }, { 4, 4, 4, true })
  t.assertEquals(tostring(layers), "texture float 4 x 4 x 6 faces x 4 layers")
  same("layered 4 seamless", run("layered", layers, gpu.buffer("float", #at, { fill = at }), COUNT))
end

TestFilter = {}

local function coordinates(n, seed, span, by, first)
  local x <const> = {}
  for i = 1, n do
    local k <const> = i - 1
    local v <const> = first and k < 16384 and 1 + k / 16384 or single(single(unit(k + seed) * span) - 1)
    x[i] = v / by
  end
  return gpu.buffer("float", n, { fill = x })
end

local SHAPES <const> = {
  one = { texels = { 64, 3 }, shape = {}, x = { 32768, 0, 6, 4, true }, count = 32768 },
  two = { texels = { 64, 3 }, shape = { height = 8 }, x = { 32768, 31, 10, 8 }, count = 16384 },
  three = { texels = { 64, 4 }, shape = { height = 4, depth = 4 }, x = { 49152, 37, 6, 4 }, count = 16384 },
}

function TestFilter.test_one_to_three_dimensions()
  for name in pairs(H100) do
    local kernel <const>, mode <const>, kind <const> = name:match "^(%a+) (%a+) (%a+)$"
    local how <const> = SHAPES[kernel]
    if how then
      local n <const>, seed <const>, span <const>, by <const>, first <const> = table.unpack(how.x)
      local options <const> = { filter = "linear", address = mode, normalized = kind == "normalized" }
      for key, value in pairs(how.shape) do options[key] = value end
      local by_n <const> = kernel == "one" and 4 or by
      local x <const> = coordinates(n, seed, span, options.normalized and by_n or 1, first)
      same(name, run(kernel, texture(randoms(table.unpack(how.texels)), options), x, how.count))
    end
  end
end

TestSurface = {}

function TestSurface.test_faces()
  local texels <const> = randoms(6 * 16, 5)
  local from <const> = gpu.surface(gpu.buffer("float", 96, { fill = texels }), { cube = true })
  local to <const> = gpu.surface(gpu.buffer("float", 96, { fill = 0 }), { cube = true, width = 4 })
  module:kernel "faces" { grid = 6, block = { 4, 4 } } (to, from)
  local got <const> = to:download()
  for i = 0, 95 do t.assertAlmostEquals(got[(i + 16) % 96], texels[i + 1] + 100 * (i // 16), 1e-4) end
  local cubes <const> = gpu.surface(gpu.buffer("float", 192, { fill = 0 }), { cube = true, layers = 2 })
  module:kernel "last" { grid = 1, block = 4 } (cubes, 11)
  t.assertEquals({ cubes:download()[16 * 11], cubes:download()[16 * 11 - 1] }, { 1000.0, 0.0 })
end

TestArguments = {}

function TestArguments.test_hostile_options()
  local buffer <const> = gpu.buffer("float", 96)
  local function no(pattern, options, other) refuses(pattern, gpu.texture, other or buffer, options) end
  no("squares, not 4 by 3", { cube = true, width = 4, height = 3 })
  no("squares, not 8 by 2", { cube = true, width = 8, height = 2 })
  no("has no depth", { cube = true, depth = 6 })
  no("has no cube maps", { cube = true, layout = "linear" })
  no("has 96 elements", { cube = true, width = 5 })
  no("has 97 elements", { cube = true }, gpu.buffer("float", 97))
  no("has 96 elements", { cube = true, layers = 2 })
  no("layers is 342; at most 341", { cube = true, width = 1, layers = 342 }, gpu.buffer("float", 6 * 342))
  for _, most in ipairs { 1 << 31, (1 << 32) - 1 } do no("layers is", { cube = true, width = 1, layers = most }) end
  no("at least 1 texel wide", { cube = true }, gpu.buffer("float", 5))
  no("at most 32768", { cube = true, width = 32769 })
  no("true or false", { cube = 6 })
  no("for cube maps", { seamless = true })
  no("did you mean 'seamless'", { cube = true, seemless = true })
  refuses("squares", gpu.surface, buffer, { cube = true, height = 2 })
  refuses("unknown field", gpu.surface, buffer, { cube = true, seamless = true })
end

function TestArguments.test_wrong_objects()
  if gpu.device.backend ~= "emu" then t.skip "what a GPU does with a wrong object is not defined" end
  local out <const>, buffer <const> = gpu.buffer("unsigned", 1), gpu.buffer("float", 96, { fill = 0 })
  local at <const> = gpu.buffer("float", 4, { fill = { 1, 0, 0, 1 } })
  local function fault(pattern, kernel, ...)
    local o <const> = module:kernel(kernel):launch({ grid = 1, block = 1 }, ...)
    t.assertEquals(o.status, "fault")
    t.assertStrContains(o.message, pattern)
  end
  local cube <const> = gpu.texture(buffer, { cube = true })
  fault('takes a direction; "', "cube", out, gpu.texture(buffer), at, 1)
  fault("has 2 dimensions and layers", "cube", out, gpu.texture(buffer, { height = 4, layers = 6 }), at, 1)
  fault("takes 2 coordinates", "two", out, cube, at, 1)
  fault("is a cube map", "images", gpu.buffer("float", 1), cube)
  fault("takes a direction and a layer", "layered", out, cube, at, 1)
  fault("is a cube map with layers", "cube", out, gpu.texture(gpu.buffer("float", 12, { fill = 0 }), { cube = true, layers = 2 }),
    at, 1)
  fault("no layer 1", "layered", out, gpu.texture(buffer, { cube = true, layers = 1 }), at, 1)
  fault("no layer 6", "last", gpu.surface(buffer, { cube = true }), 6)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
