-- gpu.models and gpu.model: the GPUs known as data, and those derived of them. Needs no NVRTC.
local lab = require "gpulab.lab"
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

local function column(words)
  local out = {}
  for lane = 0, 31 do out[lane] = 4 * words * lane end
  return out
end

TestModels = {}

function TestModels.test_rows_have_every_figure()
  for _, row in ipairs(gpu.models()) do
    for _, field in ipairs { "sms", "shader_ghz", "registers_per_thread", "shared_unit", "warp_unit", "partitions",
      "memory_ghz", "partition_bytes", "register_unit" } do
      t.assertIsNumber(row[field], row.name .. " " .. field)
    end
    t.assertEquals({ #row.max_grid, #row.max_block }, { 3, 3 })
    if row.base then t.assertStrContains(row.sources, "in the " .. row.base) end
  end
  t.assertEquals(gpu.model("gtx 280").banks, 16)
  t.assertEquals(gpu.model("GTX 280").register_unit_per_block, true)
end

function TestModels.test_further_gpus_are_known_by_name()
  local cards = gpu.cards()
  t.assertTrue(#cards >= 60)
  for _, name in ipairs(cards) do t.assertEquals(gpu.model(name).name, name) end
  t.assertEquals(gpu.model("NVIDIA GeForce RTX 3060").sms, 28)
  for _, row in ipairs(gpu.models()) do t.assertNotEquals(row.name, "RTX 3060") end
  local device <close> = gpu.open "emu:rtx3060"
  t.assertEquals(device.model, "RTX 3060")
end

function TestModels.test_the_gpu_at_hand_is_in_its_place()
  local known = lab.gpus()
  t.assertEquals(#lab.gpus { model = "H200" }, #known)
  local names = {}
  for i, model in ipairs(lab.gpus { model = "T4" }) do names[i] = model.name end
  t.assertEquals(#names, #known + 1)
  t.assertStrContains(table.concat(names, ", "), "V100, RTX 2080 Ti, T4, A100")
end

function TestModels.test_a_derived_gpu_goes_wherever_a_name_goes()
  local wide = gpu.model { base = "GTX 280", banks = 32, name = "GTX 280 with 32 banks" }
  t.assertEquals({ wide.name, wide.base, wide.banks, wide.sms }, { "GTX 280 with 32 banks", "GTX 280", 32, 30 })
  t.assertStrContains(wide.sources, "banks: changed, 16 in the GTX 280")
  t.assertEquals(gpu.banks("GTX 280", column(16), 4).wavefronts, 32)
  t.assertEquals(gpu.banks(wide.name, column(16), 4).wavefronts, 16)
  local device <close> = gpu.open("emu:" .. wide.name)
  t.assertEquals({ device.model, device.sms, device.name }, { wide.name, 30, "emu:" .. wide.name })
  t.assertEquals(device:banks("", column(32), 4).wavefronts, 32)
  local models = gpu.models()
  t.assertEquals(models[#models].name, wide.name)
  for _, d in ipairs(gpu.devices()) do t.assertNotEquals(d.name, device.name) end
end

function TestModels.test_what_a_compute_capability_settles_is_in_the_record()
  for _, model in ipairs(gpu.models()) do
    t.assertEquals(model.tesla_isa, model.cc // 10 == 1, model.name)
    t.assertEquals(model.specific_code, model.cc >= 90, model.name)
  end
end

function TestModels.test_default_names_and_what_follows()
  local m = gpu.model { base = "GTX 280", dram_gbps = 283.392 }
  t.assertEquals(m.name, "GTX 280 with dram_gbps=283.392")
  t.assertAlmostEquals(m.memory_ghz, 2.214, 1e-6)
  t.assertEquals(gpu.model { base = "H200", banks = 64 }.shared_bytes_per_clock, 256)
  t.assertEquals(gpu.model { base = m.name, sms = 15, name = "half" }.dram_gbps, m.dram_gbps)
end

function TestModels.test_refuses_nonsense()
  refuses("did you mean 'banks'", gpu.model, { base = "GTX 280", bank = 32 })
  refuses("unknown field 'price'", gpu.model, { base = "GTX 280", price = 649 })
  refuses("unknown field 'sources'", gpu.model, { base = "GTX 280", sources = "x" })
  refuses("base: the name of a GPU expected", gpu.model, { banks = 32 })
  refuses("base: string expected", gpu.model, { base = 280, banks = 32 })
  refuses("banks: number expected, got string", gpu.model, { base = "GTX 280", banks = "32" })
  refuses("name: string expected", gpu.model, { base = "GTX 280", banks = 32, name = {} })
  refuses("zero byte", gpu.model, { base = "GTX 280\0", banks = 32 })
  refuses("nothing of the GTX 280 is changed", gpu.model, { base = "GTX 280" })
  refuses("no GPU is called", gpu.model, { base = "Voodoo 2", banks = 32 })
  refuses("no GPU is called", gpu.model, "Voodoo 2")
  refuses("makes no GPU", gpu.model, { base = "GTX 280", banks = 0 / 0 })
  refuses("makes no GPU", gpu.model, { base = "GTX 280", sms = math.maxinteger })
  refuses("makes no GPU", gpu.model, { base = "GTX 280", shader_ghz = math.huge })
  refuses("fields have names", gpu.model, { "GTX 280" })
  refuses("table expected", gpu.model, nil)
  refuses("the name of a real GPU", gpu.model, { base = "GTX 280", banks = 32, name = "h200" })
  t.assertEquals(refuses("cannot be changed", gpu.model, { base = "H200", warp_unit = 1 }).kind, "usage")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
