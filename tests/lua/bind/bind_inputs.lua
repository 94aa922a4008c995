-- gpu.inputs: what a launch was given comes back, whatever happened to its buffers, and so does what was there then.
local lu = require "luaunit"

local SOURCE <const> = [[
__device__ int calls;
__constant__ int step[2];
__global__ void add(int *out, const int *in) { out[threadIdx.x] += in[threadIdx.x] + step[0]; }
__global__ void call(int *out) { out[threadIdx.x] = calls; if (threadIdx.x == 0) calls++; }
__global__ void deep(int **rows) { rows[0][threadIdx.x] += 1; }
__global__ void at(unsigned long long a, int *out) { out[threadIdx.x] = (*(int **)a)[threadIdx.x]++; }
__global__ void sample(int *out, cudaTextureObject_t t) { out[threadIdx.x] = tex1D<int>(t, threadIdx.x + 0.5f); }
]]

local CONFIG <const> = { grid = 1, block = 32 }

TestInputs = {}

function TestInputs:setUp()
  self.module = gpu.compile_text(SOURCE)
  self.out, self.input = gpu.buffer("int", 32, { fill = 1 }), gpu.buffer("int", 32, { fill = "iota" })
end

function TestInputs:kept(name, ...)
  local kernel, args = self.module:kernel(name), { ... }
  local inputs = gpu.inputs(kernel, CONFIG, args)
  local function launch() lu.assertEquals(kernel:launch(CONFIG, table.unpack(args)).report, "") end
  launch()
  return inputs, launch
end

-- The values of buffers then; they are back afterwards.
local function with(inputs, f)
  inputs:restore()
  f()
  inputs:put_back()
end

function TestInputs:test_written_and_overwritten()
  local inputs, again = self:kept("add", self.out, self.input)
  self.input:fill(100)
  self.out[3] = -5
  with(inputs, function()
    lu.assertEquals({ self.out[3], self.input[3] }, { 1, 3 })
    again()
    lu.assertEquals(self.out[3], 4)
  end)
  lu.assertEquals({ self.out[2], self.out[3], self.input[3] }, { 3, -5, 100 })
end

function TestInputs:test_each_launch_has_its_own()
  local kept = {}
  for i = 1, 5 do kept[i] = self:kept("add", self.out, self.input) end
  for i = 5, 1, -1 do
    with(kept[i], function() lu.assertEquals(self.out[2], 1 + 2 * (i - 1)) end)
  end
  lu.assertEquals(self.out[2], 11)
end

function TestInputs:test_one_within_the_other()
  local first, second = self:kept("add", self.out, self.input), self:kept("add", self.out, self.input)
  with(first, function()
    with(second, function() lu.assertEquals(self.out[2], 3) end)
    lu.assertEquals(self.out[2], 1)
  end)
  lu.assertEquals(self.out[2], 5)
end

function TestInputs:test_variables()
  self.module:symbol "step":upload({ 7, 0 }, "int")
  local inputs = self:kept("call", self.out)
  local added = self:kept("add", self.out, self.input)
  self.module:symbol "step":upload({ 9, 0 }, "int")
  local _, again = self:kept("call", self.out)
  again()
  lu.assertEquals(self.out[0], 2)
  with(inputs, function() lu.assertEquals(self.module:symbol "calls":download()[0], 0) end)
  with(added, function() lu.assertEquals(self.module:symbol "step":download("int")[0], 7) end)
  lu.assertEquals(self.module:symbol "step":download("int")[0], 9)
  again()
  lu.assertEquals(self.out[0], 3)
end

function TestInputs.test_a_variable_that_is_too_large()
  local kernel = gpu.compile_text [[
__device__ int table[2 << 20];
__global__ void fill() { table[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
]]:kernel "fill"
  local inputs = gpu.inputs(kernel, CONFIG, {})
  inputs:restore()
  inputs:put_back()
  kernel:launch(CONFIG)
  lu.assertErrorMsgContains('the variable "table" of 8388608 bytes', inputs.restore, inputs)
end

function TestInputs:test_what_tables_and_textures_refer_to()
  local rows = gpu.buffer("unsigned long long", 1)
  rows:upload { self.out }
  local inputs, again = self:kept("deep", rows)
  self.out:fill(50)
  with(inputs, function()
    lu.assertEquals(self.out[1], 1)
    again()
    lu.assertEquals(self.out[1], 2)
  end)
  again()
  lu.assertEquals(self.out[1], 51)
  local texture = gpu.texture(self.input, { width = 32 })
  local sampled, sample = self:kept("sample", self.out, texture)
  self.input:fill(8)
  texture:update()
  with(sampled, function()
    sample()
    lu.assertEquals(self.out[5], 5)
  end)
  sample()
  lu.assertEquals(self.out[5], 8)
end

function TestInputs:test_what_is_gone()
  local large = gpu.buffer("int", (4 << 20) // 4 + 1, { fill = 0 })
  local inputs = self:kept("add", large, self.input) -- as defined: no copy is needed
  with(inputs, function() lu.assertEquals(large[2], 0) end)
  lu.assertEquals(large[2], 2)
  local lost = self:kept("add", large, self.input)
  lu.assertErrorMsgContains("has changed since the launch", lost.restore, lost)
  lu.assertEquals(large[2], 4)
  self.out:free()
  local freed = self:kept("add", self.input, large)
  large:free()
  lu.assertErrorMsgContains("freed", freed.restore, freed)
  freed:close()
  lu.assertErrorMsgContains("closed", freed.restore, freed)
  freed:close()
end

function TestInputs.test_what_is_refused()
  lu.assertError(gpu.inputs)
  lu.assertError(gpu.inputs, 1, 2, 3)
  lu.assertErrorMsgContains("a buffer of int expected, got 5", gpu.inputs, gpu.compile_text(SOURCE):kernel "call", CONFIG, { 5 })
end

function TestInputs.test_its_module_lives_as_long()
  local inputs
  do
    local module = gpu.compile_text(SOURCE)
    local out = gpu.buffer("int", 32, { fill = 0 })
    inputs = gpu.inputs(module:kernel "call", CONFIG, { out })
    module:kernel "call" (CONFIG)(out)
  end
  collectgarbage()
  collectgarbage()
  inputs:restore()
  inputs:put_back()
end

function TestInputs.test_a_device_that_is_closed()
  local device = gpu.open "emu"
  local out = device:buffer("int", 32, { fill = 0 })
  local inputs = gpu.inputs(device:compile_text(SOURCE):kernel "call", CONFIG, { out })
  device:close()
  lu.assertErrorMsgContains("closed", inputs.restore, inputs)
  inputs:close()
end

-- Buffers at addresses of their own are reached by these, in memory and as numbers: a launch may use all of them.
function TestInputs:test_addresses()
  local ROW <const>, TABLE <const> = 0x10000400000, 0x20000001000
  local device <close> = gpu.open "emu"
  local row = device:buffer("int", 32, { fill = "iota", address = ROW })
  local rows = device:buffer("long long", 1, { address = TABLE })
  rows[0] = ROW
  local kernel, out = device:compile_text(SOURCE):kernel "at", device:buffer("int", 32)
  local inputs = gpu.inputs(kernel, CONFIG, { TABLE, out })
  for _ = 1, 2 do lu.assertEquals(kernel:launch(CONFIG, TABLE, out).report, "") end
  lu.assertEquals({ out[31], row[31] }, { 32, 33 })
  with(inputs, function() lu.assertEquals(row[31], 31) end)
  lu.assertEquals(row[31], 33)
  lu.assertEquals(device:orders(kernel, CONFIG, { TABLE, out }, 2).status, "ok")
  lu.assertEquals(row[31], 33)
  local stepping <close> = device:step(kernel, CONFIG, { TABLE, out })
  lu.assertEquals(stepping:go({ way = "time", count = 1 << 40 }).halt, "block ended")
  lu.assertEquals(row[31], 33)
  lu.assertErrorMsgContains("is taken", device.buffer, device, "int", 32, { address = ROW + 64 })
end

os.exit(lu.LuaUnit.run("-o", "tap"))
