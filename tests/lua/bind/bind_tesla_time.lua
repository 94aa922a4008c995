-- What the model of cc 1.x makes of single kernels, one rule each.
local t = require "luaunit"

local MODEL <const> = "GTX 280"
local SOURCE <const> = [[
// The lanes from `first` on, of 16 or 32, read shared memory with a stride.
extern "C" __global__ void columns(float *to, int first, int end, int stride) {
	extern __shared__ volatile float words[];
	float sum = 0;
	if (threadIdx.x >= first && threadIdx.x < end)
		for (int k = 0; k < 1024; k++)
			sum += words[threadIdx.x * stride];
	to[threadIdx.x] = sum;
}
]]

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

TestTesla = {}

function TestTesla:setUp()
  self.to = device:buffer("float", 1 << 16, { fill = 0 })
end

local function predicted(name, config, args)
  return device:count(module:kernel(name), config, args, { rules = MODEL, models = { MODEL } }).models[MODEL].ms
end

-- Shared memory serves one half of a warp at a time, but an instruction is repeated for the whole warp.
function TestTesla:test_a_conflict_in_one_half_takes_the_whole_warp()
  local function ms(first, last, stride)
    return predicted("columns", { grid = 30, block = 32, shared = 4 * 32 * 16 }, { self.to, first, last, stride })
  end
  for _, stride in ipairs { 2, 4, 8, 16 } do
    local first, second, both = ms(0, 16, stride), ms(16, 32, stride), ms(0, 32, stride)
    t.assertAlmostEquals(first / both, 1, 1e-3, stride)
    t.assertAlmostEquals(second / both, 1, 1e-3, stride)
    t.assertTrue(both > ms(0, 32, stride // 2), stride)
  end
  t.assertAlmostEquals(ms(0, 16, 1) / ms(0, 32, 1), 1, 1e-3)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
