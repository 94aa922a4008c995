-- Surface reductions (sured), which CUDA C++ has in inline PTX only, against sums computed here. Needs NVRTC.
local t = require "luaunit"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local WIDTH <const>, HEIGHT <const>, DEPTH <const> = 8, 3, 2

-- One thread per change: coordinates at[4 * i ...], operand v[i].
local KERNEL <const> = [[
__global__ void reduce(cudaSurfaceObject_t s, const int *at, const long long *v, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) asm volatile("%s [%%0, %s], %%4;" :: "l"(s), "r"(at[4 * i]), "r"(at[4 * i + 1]), "r"(at[4 * i + 2]),
		"%s"(%sv[i]) : "memory");
}
]]
local PLACES <const> = { ["1d"] = "{%1}", ["2d"] = "{%1, %2}", ["3d"] = "{%1, %2, %3, %3}" }

local function kernel(form)
  local geometry <const> = form:match "%.([123]d)%."
  local wide <const> = form:find "64"
  return gpu.compile_text(KERNEL:format(form, PLACES[geometry], wide and "l" or "r", wide and "" or "(int)")):kernel "reduce"
end

local function surface(type, geometry, data, channels)
  local shape <const> = { width = WIDTH, channels = channels }
  if geometry ~= "1d" then shape.height = HEIGHT end
  if geometry == "3d" then shape.depth = DEPTH end
  return gpu.surface(gpu.buffer(type, #data, { name = "image", fill = data }), shape)
end

local function launch(form, s, places, values)
  local flat <const> = {}
  for _, p in ipairs(places) do
    for k = 1, 4 do flat[#flat + 1] = p[k] or 0 end
  end
  return kernel(form):launch({ grid = #places, block = 1 }, s, gpu.buffer("int", #flat, { fill = flat }),
    gpu.buffer("long long", #values, { fill = values }), #places)
end

local function signed(v, bits) return (v << (64 - bits)) // (1 << (64 - bits)) end
local function unsigned(v, bits) return bits == 64 and v or v & ((1 << bits) - 1) end

local OPS <const> = {
  add = function(a, b) return a + b end,
  min = function(a, b, less) return less(b, a) and b or a end,
  max = function(a, b, less) return less(a, b) and b or a end,
  ["and"] = function(a, b) return a & b end,
  ["or"] = function(a, b) return a | b end,
}

-- Eight words of 32 bits or four of 64 in the row y = 1, z = depth - 1; two threads change each.
local function expect(form, type, samples)
  local op <const>, geometry <const>, kind <const>, bits = form:match "sured%.%a%.(%a+)%.(%dd)%.(%a)(%d+)"
  bits = tonumber(bits)
  local is_signed <const> = kind == "s" or samples and type == "int"
  local n <const>, words <const> = WIDTH * 32 // bits, bits // 32
  local lines <const> = geometry == "1d" and 1 or geometry == "2d" and HEIGHT or HEIGHT * DEPTH
  local data <const>, places <const>, values <const>, want <const> = {}, {}, {}, {}
  for i = 1, WIDTH * lines do data[i] = (i * 2654435761 + 12345) & 0xffffffff end
  local first <const> = geometry == "1d" and 0 or geometry == "2d" and WIDTH or WIDTH * (HEIGHT + 1)
  for i = 1, #data do want[i] = data[i] end
  local function less(a, b)
    if is_signed then return signed(a, bits) < signed(b, bits) end
    return math.ult(unsigned(a, bits), unsigned(b, bits))
  end
  for i = 0, 2 * n - 1 do
    local x = i % n
    local v <const> = (i * 0x1234567887654321 + 0x7fffffff) ~ (i << 63)
    places[i + 1] = { samples and x or x * bits // 8, 1, DEPTH - 1 }
    values[i + 1] = v
    local at <const> = first + x * words + 1
    local old = want[at] | (words == 2 and want[at + 1] << 32 or 0)
    local new = OPS[op](old, v, less)
    want[at] = new & 0xffffffff
    if words == 2 then want[at + 1] = new >> 32 & 0xffffffff end
  end
  if type == "int" then
    for i = 1, #data do data[i], want[i] = signed(data[i], 32), signed(want[i], 32) end
  end
  local s <const> = samples and bits == 64 and gpu.surface(gpu.buffer(type, #data, { fill = data }),
    { width = WIDTH // 2, height = geometry ~= "1d" and HEIGHT or nil, depth = geometry == "3d" and DEPTH or nil, channels = 2 })
    or surface(type, geometry, data)
  t.assertEquals(launch(form, s, places, values).status, "ok", form)
  local got <const> = s:download()
  for i = 1, #data do t.assertEquals(got[i - 1], want[i], form .. " of " .. type .. ", word " .. i) end
end

TestSured = {}

function TestSured.test_bytes()
  for _, mode in ipairs { "trap", "clamp", "zero" } do
    for _, geometry in ipairs { "1d", "2d", "3d" } do expect(("sured.b.add.%s.u32.%s"):format(geometry, mode), "unsigned") end
  end
  for _, type in ipairs { "s32", "u64" } do expect("sured.b.add.2d." .. type .. ".trap", "unsigned") end
  for _, op in ipairs { "min", "max" } do
    for _, type in ipairs { "u32", "s32", "u64", "s64" } do expect(("sured.b.%s.2d.%s.trap"):format(op, type), "unsigned") end
  end
  expect("sured.b.and.3d.b32.clamp", "unsigned")
  expect("sured.b.or.1d.b32.zero", "unsigned")
end

function TestSured.test_samples_take_the_sign_of_the_format()
  for _, type in ipairs { "int", "unsigned" } do
    for _, op in ipairs { "add", "min", "max", "and", "or" } do expect(("sured.p.%s.2d.b32.trap"):format(op), type, true) end
    for _, op in ipairs { "min", "max" } do expect(("sured.p.%s.1d.b64.clamp"):format(op), type, true) end
  end
end

function TestSured.test_outside()
  local zero <const> = {}
  for i = 1, WIDTH * HEIGHT do zero[i] = 0 end
  local s <const> = surface("int", "2d", zero)
  local places <const> = { { -4, 0 }, { 100, 0 }, { 8, -1 }, { 8, 7 }, { 1 << 30, 1 << 30 } }
  t.assertEquals(launch("sured.b.add.2d.u32.zero", s, places, { 1, 2, 4, 8, 16 }).status, "ok")
  t.assertNil(s:download():mismatch(gpu.array("int", #zero, 0)))
  t.assertEquals(launch("sured.b.add.2d.u32.clamp", s, places, { 1, 2, 4, 8, 16 }).status, "ok")
  local got <const> = s:download()
  t.assertEquals({ got[0], got[7], got[2], got[2 + 16], got[7 + 16] }, { 1, 2, 4, 8, 16 })
end

function TestSured.test_faults()
  if gpu.device.backend ~= "emu" then t.skip "a GPU does not say why" end
  local zero <const> = {}
  for i = 1, WIDTH * HEIGHT do zero[i] = 0 end
  local s <const> = surface("int", "2d", zero)
  local function fault(kind, pattern, form, at, other)
    local o <const> = launch(form, other or s, { at }, { 1 })
    t.assertEquals(o.status, "fault")
    t.assertEquals(o.fault.kind, kind)
    t.assertStrContains(o.message, pattern)
  end
  local add <const> = "sured.b.add.2d.u32.trap"
  fault("out of bounds", "updates 4 bytes of the surface \"image's surface\" at x = 32 bytes, y = 0", add, { 32, 0 })
  fault("out of bounds", "x counts bytes", add, { 0, 3 })
  fault("out of bounds", "x = 8 texels", "sured.p.add.2d.b32.trap", { 8, 0 })
  fault("misaligned address", "multiple of 4", add, { 2, 0 })
  fault("misaligned address", "multiple of 8", "sured.b.max.2d.s64.clamp", { 4, 0 })
  fault("instruction not executed", "2 coordinates", add, { 0, 0 }, surface("int", "3d", gpu.array("int", WIDTH * HEIGHT * DEPTH)))
  fault("instruction not executed", "texels of one 32-bit integer; those of", "sured.p.add.2d.b32.trap", { 0, 0 },
    surface("float", "2d", gpu.array("float", WIDTH * HEIGHT)))
  fault("out of bounds", "is not a surface object", add, { 0, 0 }, 12345)
end

-- It is a write for the unused checker and for what a step of the emulator undoes, and a request of its own.
function TestSured.test_observers()
  if gpu.device.backend ~= "emu" then t.skip "the emulator's" end
  local zero <const> = {}
  for i = 1, WIDTH * HEIGHT do zero[i] = 0 end
  local s <const>, k <const> = surface("unsigned", "2d", zero), kernel "sured.b.add.2d.u32.trap"
  local at <const> = gpu.buffer("int", 8, { fill = { 0, 0, 0, 0, 4, 0, 0, 0 } })
  local args <const> = { s, at, gpu.buffer("long long", 2, { fill = 5 }), 2 }
  t.assertEquals(#gpu.check(k, { grid = 1, block = 2 }, args).findings, 0)
  local counters <const> = gpu.count(k, { grid = 1, block = 2 }, args).counters
  t.assertEquals({ counters.surface_requests, counters.surface_sectors }, { 1, 1 })
  local fresh <const> = surface("unsigned", "2d", zero)
  args[1] = fresh
  t.assertEquals(#gpu.check(k, { grid = 1, block = 2 }, args, "race", 4).findings, 0)
  t.assertEquals({ fresh:download()[0], fresh:download()[1] }, { 5, 5 }) -- the orders leave nothing
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
