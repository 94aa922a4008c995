-- Textures of a GPU against the emulator's, over coordinates at random and on edges. TAP; comments give the largest differences,
-- and which rule for the fractions of linear filtering comes nearest (docs/reference/exactness.md).
if gpu.device.backend ~= "cuda" then
  print("1..0 # SKIP a GPU is needed")
  os.exit(0)
end

local SOURCE <const> = [[
__global__ void one(float *out, cudaTextureObject_t tex, const float *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex1D<float>(tex, x[i]);
}
__global__ void two(float *out, cudaTextureObject_t tex, const float *x, const float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex2D<float>(tex, x[i], y[i]);
}
__global__ void cube(float *out, cudaTextureObject_t tex, const float *x, const float *y, const float *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = texCubemap<float>(tex, x[i], y[i], z[i]);
}
__global__ void cubes(float *out, cudaTextureObject_t tex, const float *x, const float *y, const float *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = texCubemapLayered<float>(tex, x[i], y[i], z[i], i % 2);
}
__global__ void layers(float *out, cudaTextureObject_t tex, const float *x, const float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex2DLayered<float>(tex, x[i], y[i], i % 5);
}
]]

local COUNT <const> = 1 << 16
local WIDTH <const>, HEIGHT <const> = 64, 16
local emulator <const> = gpu.open("emu")
local checks = 0

local function check(ok, what)
  checks = checks + 1
  print(("%s %d - %s"):format(ok and "ok" or "not ok", checks, what))
end

-- Coordinates of `n` texels: at random over five times the extent, then edges, middles and quarters of texels.
local function coordinates(n, normalized, seed)
  local x <const> = gpu.array("float", COUNT, "random", seed)
  for i = 0, COUNT - 1 do
    local at = (x[i] * 5 - 2) * n
    if i % 8 == 0 then at = math.floor(at * 4) / 4 end
    x[i] = normalized and at / n or at
  end
  return x
end

local function run(device, kernel, texels, options, list)
  local buffer <const> = device:buffer(texels.type, #texels, { fill = texels })
  local texture <const> = device:texture(buffer, options)
  local out <const> = device:buffer("float", COUNT)
  local args = { out, texture }
  for _, x in ipairs(list) do args[#args + 1] = device:buffer("float", COUNT, { fill = x }) end
  args[#args + 1] = COUNT
  device:compile_text(SOURCE):kernel(kernel) { grid = COUNT // 256, block = 256 } (table.unpack(args))
  return out:download()
end

-- How far a coordinate is from the nearest edge of a texel, in texels.
local function from_edge(x, n, normalized)
  local at = normalized and x * n or x
  return math.abs(at - math.floor(at + 0.5))
end

local MODES <const> = { { "clamp", false }, { "border", false }, { "clamp", true }, { "border", true },
  { "wrap", true }, { "mirror", true } }

local function name(how, what)
  return ("%s, %s%s"):format(what, how[1], how[2] and ", normalised" or "")
end

local function point(how, kernel, texels, options, list, extents)
  local got, want = run(gpu.device, kernel, texels, options, list), run(emulator, kernel, texels, options, list)
  local differ, far = 0, 0
  for i = 0, COUNT - 1 do
    if got[i] ~= want[i] then
      local near = math.huge
      for k, x in ipairs(list) do near = math.min(near, from_edge(x[i], extents[k], how[2])) end
      differ = differ + 1
      if near > 1 / 512 then far = far + 1 end
    end
  end
  print(("# %s: %d of %d differ, %d of them away from the edge of a texel"):format(name(how, kernel), differ, COUNT, far))
  check(far == 0, name(how, kernel .. ", nearest texel"))
end

local function linear(how, kernel, texels, options, list, allowed)
  local got, want = run(gpu.device, kernel, texels, options, list), run(emulator, kernel, texels, options, list)
  local largest, same = 0, 0
  for i = 0, COUNT - 1 do
    largest = math.max(largest, math.abs(got[i] - want[i]))
    if got[i] == want[i] then same = same + 1 end
  end
  print(("# %s, linear: largest difference %.3g (%.3f of 1/256), %d of %d bit for bit"):format(name(how, kernel), largest,
    largest * 256, same, COUNT))
  check(largest <= allowed, name(how, kernel .. ", linear"))
end

local row <const> = gpu.array("float", WIDTH, "random", 1)
local image <const> = gpu.array("float", WIDTH * HEIGHT, "random", 2)
local images <const> = gpu.array("float", WIDTH * HEIGHT * 5, "random", 5)
for _, how in ipairs(MODES) do
  local x <const>, y <const> = coordinates(WIDTH, how[2], 3), coordinates(HEIGHT, how[2], 4)
  local options = { address = how[1], normalized = how[2] }
  point(how, "one", row, options, { x }, { WIDTH })
  options.filter = "linear"
  linear(how, "one", row, options, { x }, 1 / 256 + 1e-5)
  options = { address = how[1], normalized = how[2], height = HEIGHT }
  point(how, "two", image, options, { x, y }, { WIDTH, HEIGHT })
  options.filter = "linear"
  linear(how, "two", image, options, { x, y }, 2 / 256 + 1e-5)
  options = { address = how[1], normalized = how[2], height = HEIGHT, layers = 5 }
  point(how, "layers", images, options, { x, y }, { WIDTH, HEIGHT })
  options.filter = "linear"
  linear(how, "layers", images, options, { x, y }, 2 / 256 + 1e-5)
end

-- Cube maps: everything bit for bit, but for what is exactly between two texels or faces.
do
  local n <const> = 16
  local texels <const> = gpu.array("float", 6 * n * n, "random", 7)
  local cubes <const> = gpu.array("float", 6 * n * n * 2, "random", 8)
  local list <const> = {}
  for k = 1, 3 do list[k] = gpu.array("float", COUNT, "random", 8 + k) end
  for i = 0, COUNT - 1 do
    for k = 1, 3 do list[k][i] = i % 8 == k and 1 or list[k][i] * 2 - 1 end
  end
  for _, filter in ipairs { "point", "linear" } do
    for _, seamless in ipairs { false, true } do
      for kernel, data in pairs { cube = texels, cubes = cubes } do
        local options <const> = { cube = true, filter = filter, seamless = seamless, layers = kernel == "cubes" and 2 or nil }
        local got, want = run(gpu.device, kernel, data, options, list), run(emulator, kernel, data, options, list)
        local same, largest = 0, 0
        for i = 0, COUNT - 1 do
          if got[i] == want[i] then same = same + 1 end
          largest = math.max(largest, math.abs(got[i] - want[i]))
        end
        local what <const> = ("%s, %s%s"):format(kernel, filter, seamless and ", seamless" or "")
        print(("# %s: %d of %d bit for bit, largest difference %.3g"):format(what, same, COUNT, largest))
        check(same >= COUNT - COUNT // 1000, what)
      end
    end
  end
end

-- A texture 0, 1 blended from one to the other: what comes out is the fraction itself.
do
  local x <const> = gpu.array("float", COUNT)
  for i = 0, COUNT - 1 do x[i] = 0.5 + i / COUNT end
  local ramp <const> = gpu.array("float", 2, { 0, 1 })
  local got <const> = run(gpu.device, "one", ramp, { filter = "linear" }, { x })
  local nearest, down, steps, last = 0, 0, 0, nil
  for i = 0, COUNT - 1 do
    local fraction = x[i] - 0.5
    nearest = math.max(nearest, math.abs(got[i] - math.floor(fraction * 256 + 0.5) / 256))
    down = math.max(down, math.abs(got[i] - math.floor(fraction * 256) / 256))
    if got[i] ~= last then steps, last = steps + 1, got[i] end
  end
  print(("# fractions: %d different ones; rounded to nearest they are off by %.3g, rounded down by %.3g"):format(steps,
    nearest, down))
  check(math.min(nearest, down) <= 1 / 256, "fractions of linear filtering have 8 bits")
end

for _, case in ipairs { { "unsigned char", 255 }, { "unsigned short", 65535 }, { "char", 127 }, { "short", 32767 } } do
  local n <const> = case[2] > 255 and 65536 or 256
  local texels <const> = gpu.array(case[1], n, "iota")
  local list <const> = gpu.array("float", COUNT)
  for i = 0, COUNT - 1 do list[i] = i % n + 0.5 end
  local got, want = run(gpu.device, "one", texels, { read = "float" }, { list }), run(emulator, "one", texels,
    { read = "float" }, { list })
  local largest, differ = 0, 0
  for i = 0, COUNT - 1 do
    largest = math.max(largest, math.abs(got[i] - want[i]))
    if got[i] ~= want[i] then differ = differ + 1 end
  end
  print(("# %s read as float: %d of %d differ, by at most %.3g"):format(case[1], differ, COUNT, largest))
  check(largest <= 1.2e-7, case[1] .. " read as float")
end

print(("1..%d"):format(checks))
