-- The lectures' numbers: every record is well formed, and a bad one is noticed.
local lecture = require "gpulab.lecture"
local lu = require "luaunit"

TestLecture = {}

function TestLecture.test_every_claim_is_well_formed()
  local all = lecture.all()
  lu.assertTrue(#all > 40)
  for _, claim in ipairs(all) do
    lu.assertNil(lecture.fault(claim))
    lu.assertEquals(lecture.find(claim.id), claim)
    lu.assertStrContains(lecture.cite(claim), claim.slide)
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
  lu.assertNil(lecture.fault(copy_with {}))
  lu.assertStrContains(lecture.fault(copy_with { id = "tile" }), "id is not")
  lu.assertStrContains(lecture.fault(copy_with { id = "O24.transpose.tile32" }), "begin with its source")
  lu.assertStrContains(lecture.fault(copy_with { value = 0 / 0 }), "value")
  lu.assertStrContains(lecture.fault(copy_with { value = "75.1" }), "value")
  lu.assertStrContains(lecture.fault(copy_with { unit = "MB/s" }), "unit")
  lu.assertStrContains(lecture.fault(copy_with { source = "X99" }), "source")
  lu.assertStrContains(lecture.fault(copy_with { slide = "" }), "slide")
  lu.assertStrContains(lecture.fault(copy_with { also = { "X99" } }), "X99")
  lu.assertStrContains(lecture.fault(copy_with { block = { 32 } }), "block")
  lu.assertStrContains(lecture.fault(copy_with { block = false }), "neither")
end

function TestLecture.test_a_claim_has_a_number_or_a_statement()
  local function said(change)
    local claim = { id = "F10.warp.serial", statement = "Parts of a warp that differ run one after the other.",
      source = "F10", slide = "Threads and warps" }
    for key, v in pairs(change or {}) do claim[key] = v end
    return claim
  end
  lu.assertNil(lecture.fault(said()))
  lu.assertStrContains(lecture.fault(said { statement = " " }), "statement is empty")
  lu.assertStrContains(lecture.fault(said { statement = 7 }), "statement is empty")
  lu.assertStrContains(lecture.fault(said { value = 3 }), "no value")
  lu.assertStrContains(lecture.fault(said { slide = 3 }), "slide")
  lu.assertStrContains(lecture.fault(said { id = 3 }), "id is not")
end

function TestLecture.test_each_record_has_a_lab()
  lu.assertEquals(lecture.find("F22.transpose.tile33").lab, 3)
  lu.assertEquals(lecture.find("F22.transpose.naive").lab, 4)
  lu.assertEquals(lecture.find("O24.reduce1.modulo").lab, 5)
  for _, claim in ipairs(lecture.all()) do lu.assertTrue(claim.lab >= 1 and claim.lab <= lecture.labs) end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
