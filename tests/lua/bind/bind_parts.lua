-- What each resource takes alone, beside the time that is predicted for the whole; and by which names it is found.
local t = require "luaunit"

local SOURCE <const> = [[
// A small array that data index is in local memory, whose loads follow each other and hit in L1.
extern "C" __global__ void local_array(const unsigned char *in, unsigned char *out, int n) {
	unsigned char p[52];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	for (int k = 0; k < 52; k++)
		p[k] = in[i] + k * 3;
	unsigned char c = in[i];
	for (int k = 0; k < 200; k++) {
		int a = c % 52, b = k % 52;
		unsigned char t = p[a];
		p[a] = p[b], p[b] = t, c += t;
	}
	out[i] = c;
}
// Loads that follow each other, from all over a buffer.
extern "C" __global__ void chase(const unsigned *in, unsigned *out, int n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
	for (int k = 0; k < 64; k++)
		at = (in[at] + 2654435761u * at) % n;
	out[i] = at;
}
]]
local MODELS <const> = { "GTX 480", "GTX 980", "P100", "V100", "RTX 3090", "H200" }

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

TestParts = {}

local function check(name, threads, args)
  for _, block in ipairs { 64, 256 } do
    local config = { grid = threads // block, block = block }
    local models = device:count(module:kernel(name), config, args, { models = MODELS }).models
    for _, model in ipairs(MODELS) do
      local predicted = models[model]
      t.assertTrue(#predicted.limits > 0)
      for _, limit in ipairs(predicted.limits) do
        local told = ("%s, %s, %s: %g of %g ms"):format(name, model, limit.name, limit.ms, predicted.ms)
        t.assertTrue(limit.ms <= predicted.ms, told)
      end
    end
  end
end

function TestParts.test_no_part_takes_longer_than_the_whole()
  for _, threads in ipairs { 1024, 16384 } do
    local bytes, out = device:buffer("unsigned char", threads, { fill = 3 }), device:buffer("unsigned char", threads)
    check("local_array", threads, { bytes, out, threads })
    check("chase", threads, { device:buffer("unsigned", 1 << 18, { fill = 1 }), device:buffer("unsigned", threads), 1 << 18 })
  end
end

-- A load of local memory hits in L1, so that a wait for it is no wait for DRAM.
function TestParts.test_loads_of_local_memory_do_not_wait_for_dram()
  local n <const> = 16384
  local args = { device:buffer("unsigned char", n, { fill = 3 }), device:buffer("unsigned char", n), n }
  local counted = device:count(module:kernel "local_array", { grid = n // 256, block = 256 }, args, { models = { "H200" } })
  t.assertNotStrContains(counted.models.H200.bound, "DRAM")
  local loads <const> = 2 * 200 -- one after the other in each thread
  local h200 = gpu.model "H200"
  for _, limit in ipairs(counted.models.H200.limits) do
    local cycles = limit.ms * 1e6 * h200.shader_ghz
    if limit.name == "latency" then t.assertTrue(cycles < loads * h200.latency_dram / 2) end
  end
end

-- Whoever asks by another name of a GPU finds the answer by that name.
TestNames = {}
function TestNames.test_predictions_are_found_by_every_name_of_a_gpu()
  local words = device:buffer("unsigned", 1 << 10, { fill = 1 })
  local counted = device:count(module:kernel "chase", { grid = 1, block = 32 }, { words, words, 1 << 10 },
    { models = { "Tesla P100", "nvidia a6000" }, reach = true })
  for _, models in ipairs { counted.models, counted.items[1].models } do
    local names = {}
    for name in pairs(models) do names[#names + 1] = name end
    table.sort(names)
    t.assertEquals(names, { "P100", "RTX A6000" })
    t.assertEquals(models["Tesla P100"], models.P100)
    t.assertNotNil(models["A6000"])
    for _, none in ipairs { "H200", "Voodoo 2", 3, "" } do t.assertNil(models[none]) end
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
