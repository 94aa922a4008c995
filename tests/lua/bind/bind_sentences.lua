-- Every exercise says which condition checks which sentence of its task (tests/exercises/sentences.lua).
local lu = require "luaunit"
local verify_labs = require "gpulab.author.verify_labs"

local sentences = dofile((arg[0]:match "^(.*)/lua/bind/[^/]*$") .. "/exercises/sentences.lua")

local GENERAL <const> = { result = true, checkers = true, launch = true, usual = true, starter = true, file = true, rate = true }
local PAIRS <const> = { shared_load_requests = "shared_store_requests",
  local_store_requests = "local_load_requests", shared_store_requests = "local_load_requests", stores_per_thread = "loads_per_thread" }

TestSentences = {}

local function exercises()
  local found = {}
  for _, lab in ipairs((verify_labs.load())) do
    for _, ex in ipairs(lab.exercises) do found[("%02d-%s"):format(lab.number, ex.id)] = ex end
  end
  return found
end

function TestSentences.test_each_names_its_check()
  local all = exercises()
  for id, ex in pairs(all) do lu.assertNotNil(sentences[id], id .. " has no entry for " .. ex.title) end
  for id, of in pairs(sentences) do
    lu.assertNotNil(all[id], id .. " is no exercise")
    for piece, check in pairs(of) do
      local task = all[id].task:gsub("%s+", " ")
      lu.assertNotNil(task:find(piece, 1, true), ("%s: its task does not say %q"):format(id, piece))
      local given = all[id].accept and all[id].accept[check]
      lu.assertTrue(GENERAL[check] or given ~= nil and given ~= false, ("%s: nothing checks %q: %s"):format(id, piece, check))
    end
  end
end

-- A condition that the author gave is there for a sentence, or makes a usual budget wider.
function TestSentences.test_conditions_of_the_task_have_a_sentence()
  local quantities = require "gpulab.run.quantities"
  for id, ex in pairs(exercises()) do
    local used = {}
    for _, check in pairs(sentences[id]) do used[check] = true end
    for name, bound in pairs(ex.accept or {}) do
      local asked = type(bound) == "table" or quantities.known(name) and quantities.of(name).asked
      local other = PAIRS[name] -- one sentence for both
      lu.assertTrue(not asked or used[name] or used[other] or false, ("%s: no sentence asks for %s"):format(id, name))
    end
  end
end

-- "numbers between 1 and 2": also for seeds that no lab shows.
function TestSentences.test_the_numbers_of_cancellation()
  for _, lab in ipairs((verify_labs.load())) do
    for _, name in ipairs(lab.number == 8 and { "a", "b", "c", "d" } or {}) do
      for seed = 0, 3 do
        local made = lab.buffers[name].fill({ size = 4096 }, seed)
        for i = 0, #made - 1 do lu.assertTrue(made[i] >= 1 and made[i] <= 2) end
      end
    end
  end
end

-- Runs of 256 numbers of one sign, of zeros, and with the least and the largest number; the same of "int" and "unsigned".
function TestSentences.test_extreme_inputs()
  local inputs = require "gpulab.inputs"
  local signed, unsigned = inputs.extremes("int", 8 * 256)({}, 3), inputs.extremes("unsigned", 8 * 256)({}, 3)
  local negative, zero, all = 0, 0, {}
  for run = 0, 7 do
    local least, most = math.maxinteger, math.mininteger
    for i = 256 * run, 256 * run + 255 do
      lu.assertEquals(unsigned[i], signed[i] & 0xffffffff)
      least, most, all[signed[i]] = math.min(least, signed[i]), math.max(most, signed[i]), true
    end
    negative, zero = negative + (most < 0 and 1 or 0), zero + (least == 0 and most == 0 and 1 or 0)
  end
  lu.assertEquals({ negative, zero, all[-1 << 31], all[(1 << 31) - 1] }, { 2, 1, true, true })
  local floats, sign = inputs.signed(512)({}, 3), {}
  for i = 0, 511 do
    lu.assertTrue(floats[i] >= -1 and floats[i] <= 1)
    sign[floats[i] < 0 and "negative" or floats[i] > 0 and "positive" or "zero"] = true
  end
  lu.assertTrue(sign.negative and sign.positive and sign.zero)
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
