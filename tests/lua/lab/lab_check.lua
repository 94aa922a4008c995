-- Verification: what is told about a wrong result.
local check = require "gpulab.check"
local double = require "lab_double"
local lu = require "luaunit"

TestCheck = {}

function TestCheck.test_equal_is_nil()
  lu.assertNil(check.compare(double.array("float", 9, "iota"), double.array("float", 9, "iota"), {}))
end

function TestCheck.test_first_mismatches_by_row_and_column()
  local got = double.array("float", 16, "iota")
  local wrong = check.compare(got, got:transpose(4, 4), { columns = 4, name = "odata" })
  lu.assertEquals(wrong.count, 12)
  lu.assertEquals(wrong.message, table.concat({
    "12 of 16 elements of `odata` differ from the reference:",
    "  row 0, column 1: got 1, expected 4",
    "  row 0, column 2: got 2, expected 8",
    "  row 0, column 3: got 3, expected 12",
    "  row 1, column 0: got 4, expected 1",
    "  and 8 more",
  }, "\n"))
  lu.assertFalse(wrong.unwritten)
end

function TestCheck.test_poison_means_never_written()
  for _, type_name in ipairs { "float", "int", "unsigned" } do
    local wrong = check.compare(double.array(type_name, 3, "sentinel"), double.array(type_name, 3, "iota"))
    lu.assertTrue(wrong.unwritten)
    lu.assertStrContains(wrong.message, "element 0: got an element that was never written, expected 0")
  end
end

function TestCheck.test_nan_equals_nothing()
  local got, want = double.array("float", 2, 1), double.array("float", 2, 1)
  got[1], want[1] = 0 / 0, 0 / 0
  local wrong = check.compare(got, want)
  lu.assertEquals(wrong.count, 1)
  lu.assertStrContains(wrong.message, "element 1: got nan, expected nan")
end

function TestCheck.test_tolerance()
  local got, want = double.array("float", 2, 1.001), double.array("float", 2, 1)
  lu.assertNotNil(check.compare(got, want))
  lu.assertNil(check.compare(got, want, { relative = 0.01 }))
  lu.assertNil(check.compare(got, want, { absolute = 0.01 }))
end

function TestCheck.test_lengths_that_differ()
  local wrong = check.compare(double.array("int", 3), double.array("int", 4), { name = "out" })
  lu.assertEquals(wrong.message, "out has 3 elements, its reference has 4")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
