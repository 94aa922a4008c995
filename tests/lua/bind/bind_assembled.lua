-- Registers as the assembler gives them, for each GPU that a prediction is asked for.
local t = require "luaunit"

local SOURCE <const> = [[
// Unrolled, each thread loads 225 values, of which PTX keeps far more at a time than the assembler does.
extern "C" __global__ void convolution(const float *in, float *out, int width) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll
	for (int i = 0; i < 15; i++)
#pragma unroll
		for (int k = 0; k < 15; k++)
			sum += in[i * width + x + k] * in[(14 - i) * width + x + k];
	out[x] = sum;
}
extern "C" __global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
// More values at a time than __launch_bounds__ leaves room for: the assembler spills.
extern "C" __global__ void __launch_bounds__(1024, 2) spills(float *out, const float *in) {
	float v[64];
#pragma unroll
	for (int i = 0; i < 64; i++)
		v[i] = in[i * 1024 + threadIdx.x];
	for (int k = 0; k < 10; k++)
#pragma unroll
		for (int i = 0; i < 64; i++)
			v[i] = v[i] * v[(i + 17) % 64] + 1;
	float sum = 0;
#pragma unroll
	for (int i = 0; i < 64; i++)
		sum += v[i];
	out[threadIdx.x] = sum;
}
]]
local MODELS <const> = { "RTX 2080 Ti", "A100", "RTX 3090", "H200" }

local function opened(name)
  local device = gpu.open("emu:" .. name)
  return device:compile_text(SOURCE), device
end

TestAssembled = {}

function TestAssembled.test_registers_are_the_assemblers_where_there_is_one()
  for _, name in ipairs(MODELS) do
    local module = opened(name)
    local kernel = module:kernel "spills"
    local blocks = gpu.model(name).warps_per_sm // 32
    t.assertEquals({ kernel.registers, kernel.registers_estimated }, { 64 // math.min(blocks, 2), false }, name)
    t.assertEquals(kernel:occupancy { grid = 1, block = 1024 }.blocks_per_sm, math.min(blocks, 2), name)
    t.assertTrue(kernel.local_bytes > 0, name)
    t.assertEquals(module:kernel("copy").local_bytes, 0, name)
    t.assertStrContains(tostring(kernel), "kernel spills")
  end
  for _, name in ipairs { "GTX 280", "GTX 980" } do
    local module = opened(name)
    t.assertTrue(module:kernel("spills").registers_estimated, name)
    t.assertTrue(module:kernel("copy").registers > 0, name)
  end
end

-- One emulated GPU, the predictions of several: each has the occupancy that it has where it is the emulated one.
function TestAssembled.test_each_gpu_has_its_own_registers()
  local module, device = opened "H200"
  local buffer = device:buffer("float", 1 << 16, { fill = 1 })
  local config = { grid = 4, block = 576 }
  local counted = device:count(module:kernel "convolution", config, { buffer, buffer, 1024 }, { models = MODELS })
  for _, name in ipairs(MODELS) do
    local same = opened(name)
    local kernel = same:kernel "convolution"
    t.assertFalse(kernel.registers_estimated)
    local fits, occupancy = pcall(kernel.occupancy, kernel, config)
    t.assertEquals(counted.models[name].known, fits, name .. ": " .. counted.models[name].note)
    t.assertEquals(counted.models[name].blocks_per_sm, fits and occupancy.blocks_per_sm or 0, name)
  end
end

-- Where there is no assembler, nothing counts what a compiler would spill: as `resources`, a prediction refuses it.
function TestAssembled.test_more_registers_than_a_thread_can_have()
  local module, device = opened "H200"
  local buffer = device:buffer("float", 1 << 16, { fill = 1 })
  local models = device:count(module:kernel "spills", { grid = 1, block = 1024 }, { buffer, buffer },
    { models = { "GTX 480", "GTX 980" } }).models
  t.assertFalse(models["GTX 480"].known)
  t.assertStrMatches(models["GTX 480"].note, "refused: %d+ registers per thread asked, the GTX 480 allows 63")
  t.assertTrue(models["GTX 980"].known)
end

-- What is not assembled is PTX: nothing of a file that is PTX already is known but the estimate.
function TestAssembled.test_ptx_keeps_the_estimate()
  local module, device = opened "H200"
  local path = os.tmpname() .. ".ptx"
  local file <close> = assert(io.open(path, "w"))
  file:write(module.ptx)
  file:close()
  local kernel = device:kernel(path, "spills")
  t.assertTrue(kernel.registers_estimated)
  t.assertTrue(kernel.registers > 32)
  os.remove(path)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
