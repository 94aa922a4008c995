-- gpu.banks: the bank picture's numbers, and what is refused. Needs no NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

local function lanes(address)
  local out = {}
  for lane = 0, 31 do out[lane] = address(lane) end
  return out
end

TestBanks = {}

function TestBanks.test_a_row_is_free_of_conflicts()
  local r = gpu.banks("H200", lanes(function(i) return 4 * i end), 4)
  t.assertEquals({ r.requests, r.wavefronts, r.ideal, r.model }, { 1, 1, 1, "H200" })
  t.assertEquals({ r.banks[0], r.banks[31] }, { 0, 31 })
end

function TestBanks.test_a_column_of_32_words_conflicts()
  local column = lanes(function(i) return 4 * 32 * i end)
  t.assertEquals(gpu.banks("H200", column, 4).wavefronts, 32)
  local old = gpu.banks("GTX 280", column, 4)
  t.assertEquals({ old.requests, old.wavefronts }, { 2, 32 })
  t.assertEquals(gpu.banks("H200", lanes(function(i) return 4 * 33 * i end), 4).wavefronts, 1)
end

function TestBanks.test_the_devices_own_rules()
  t.assertEquals(gpu.banks("", { [0] = 0 }, 4).model, gpu.device.model)
  t.assertEquals(gpu.device:banks("", { [3] = 8 }, 4).banks[3], 2)
  t.assertEquals(gpu.banks("H200", {}, 4).wavefronts, 0)
end

function TestBanks.test_refuses_nonsense()
  refuses("lanes are numbered 0 to 31", gpu.banks, "", { [32] = 0 }, 4)
  refuses("lanes are numbered 0 to 31", gpu.banks, "", { [-1] = 0 }, 4)
  refuses("lanes are numbered 0 to 31", gpu.banks, "", { x = 0 }, 4)
  refuses("[1]: a byte address", gpu.banks, "", { -4 }, 4)
  refuses("[1]: a byte address", gpu.banks, "", { 0 / 0 }, 4)
  refuses("not 3", gpu.banks, "", {}, 3)
  refuses("not -4", gpu.banks, "", {}, -4)
  refuses("GTX 9999", gpu.banks, "GTX 9999", {}, 4)
  refuses("table expected", gpu.banks, "", 5, 4)
  refuses("string expected", gpu.banks)
  refuses("[0]: a byte address", gpu.banks, "H200", { [0] = math.maxinteger - 3 }, 4)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
