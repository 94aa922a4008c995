-- The lectures' numbers: every record is well formed, and a bad one is noticed.
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local lu = require "luaunit"

TestLecture = {}

local function fault_of_number(claim)
  local number = claim.value
  if type(number) ~= "number" or number ~= number or number <= 0 then return "value is not positive" end
  if not lecture.units[claim.unit] then return "unknown unit " .. tostring(claim.unit) end
  local a_rate = claim.unit == "GB/s" or claim.unit == "GFLOPS"
  if a_rate and not (claim.computed or claim.block or claim.assumed) then return "neither block nor assumed" end
end

local function fault_of_statement(claim)
  if type(claim.statement) ~= "string" or claim.statement:match("^%s*$") then return "statement is empty" end
  if claim.value ~= nil or claim.unit ~= nil then return "a statement has no value and no unit" end
end

local function fault_of_source(claim)
  if not lecture.sources[claim.source] then return "unknown source " .. tostring(claim.source) end
  if claim.id:match("^%w+") ~= claim.source then return "id does not begin with its source" end
  local place = claim.slide or claim.place
  if type(place) ~= "string" or place == "" then return "no slide title and no place" end
  if claim.slide and claim.place then return "a slide and a place" end
  for _, short in ipairs(claim.also or {}) do
    if not lecture.sources[short] then return "unknown source " .. short end
  end
end

local function fault_of_block(claim)
  local block = claim.block
  if block and not (math.type(block[1]) == "integer" and math.type(block[2]) == "integer" and #block == 2) then
    return "block is not two integers"
  end
end

-- What is wrong with a record, as a sentence, or nil.
local function fault(claim)
  local reason
  if type(claim.id) ~= "string" or not claim.id:match("^%w+%.[%w_.]+$") then
    reason = "id is not SOURCE.topic.name"
  else
    local of_kind = claim.statement ~= nil and fault_of_statement or fault_of_number
    reason = fault_of_block(claim) or of_kind(claim) or fault_of_source(claim)
  end
  return reason and ("%s: %s"):format(tostring(claim.id), reason)
end

function TestLecture.test_every_claim_is_well_formed()
  local all = lecture.all()
  lu.assertTrue(#all > 40)
  for _, claim in ipairs(all) do
    lu.assertNil(fault(claim))
    lu.assertEquals(lecture.find(claim.id), claim)
    lu.assertStrContains(lecture.cite(claim), claim.slide or claim.place)
  end
end

function TestLecture.test_lab_3_has_its_three_numbers()
  lu.assertEquals(lecture.find("F22.transpose.copy_tile").value, 94.9)
  lu.assertEquals(lecture.find("F22.transpose.tile32").value, 75.1)
  lu.assertEquals(lecture.find("F22.transpose.tile33").value, 93.4)
  for _, id in ipairs { "F22.transpose.copy_tile", "F22.transpose.tile32", "F22.transpose.tile33" } do
    local claim = lecture.find(id)
    lu.assertEquals({ claim.gpu, claim.n, claim.block }, { "GTX 280", 4000, { 32, 8 } })
  end
end

function TestLecture.test_an_unknown_id_gets_a_guess()
  local claim, reason = lecture.find("F22.transpose.tile3")
  lu.assertNil(claim)
  lu.assertStrContains(reason, "did you mean")
  lu.assertNil((lecture.find("")))
end

function TestLecture.test_faults_are_found()
  local function copy_with(change)
    local claim = {}
    for key, v in pairs(lecture.find("F22.transpose.tile32")) do claim[key] = v end
    for key, v in pairs(change) do claim[key] = v end
    return claim
  end
  lu.assertNil(fault(copy_with {}))
  lu.assertStrContains(fault(copy_with { id = "tile" }), "id is not")
  lu.assertStrContains(fault(copy_with { id = "O24.transpose.tile32" }), "begin with its source")
  lu.assertStrContains(fault(copy_with { value = 0 / 0 }), "value")
  lu.assertStrContains(fault(copy_with { value = "75.1" }), "value")
  lu.assertStrContains(fault(copy_with { unit = "MB/s" }), "unit")
  lu.assertStrContains(fault(copy_with { source = "X99" }), "source")
  lu.assertStrContains(fault(copy_with { slide = "" }), "slide")
  lu.assertStrContains(fault(copy_with { place = "page 3" }), "a slide and a place")
  lu.assertStrContains(fault(copy_with { also = { "X99" } }), "X99")
  lu.assertStrContains(fault(copy_with { block = { 32 } }), "block")
  lu.assertStrContains(fault(copy_with { block = false }), "neither")
end

function TestLecture.test_a_claim_has_a_number_or_a_statement()
  local function said(change)
    local claim = { id = "F10.warp.serial", statement = "Parts of a warp that differ run one after the other.",
      source = "F10", slide = "Threads and warps" }
    for key, v in pairs(change or {}) do claim[key] = v end
    return claim
  end
  lu.assertNil(fault(said()))
  lu.assertStrContains(fault(said { statement = " " }), "statement is empty")
  lu.assertStrContains(fault(said { statement = 7 }), "statement is empty")
  lu.assertStrContains(fault(said { value = 3 }), "no value")
  lu.assertStrContains(fault(said { slide = 3 }), "slide")
  lu.assertStrContains(fault(said { id = 3 }), "id is not")
end

function TestLecture.test_each_record_has_a_lab()
  lu.assertEquals(lecture.find("F22.transpose.tile33").lab, 3)
  lu.assertEquals(lecture.find("F22.transpose.naive").lab, 4)
  lu.assertEquals(lecture.find("O24.reduce1.modulo").lab, 5)
  local with_claims = lists.set(lecture.labs)
  for _, claim in ipairs(lecture.all()) do lu.assertTrue(with_claims[claim.lab], claim.id) end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
