-- Host arrays: elements, fills, transposes, sums, comparisons, and what is refused.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

local ALL <const> = { "float", "double", "int", "unsigned", "long long", "unsigned long long", "short", "unsigned short",
  "char", "unsigned char", "half" }
local function values(a)
  local out = {}
  for i = 0, #a - 1 do out[i + 1] = a[i] end
  return out
end

TestArray = {}

function TestArray.test_every_type_holds_small_integers()
  for _, type in ipairs(ALL) do
    local a = gpu.array(type, 4, "iota")
    t.assertEquals(values(a), { 0, 1, 2, 3 })
    t.assertEquals(a[3], 3)
    t.assertEquals(a.type, type)
    t.assertEquals(#a, 4)
    t.assertEquals(a:sum(), 6)
  end
end

function TestArray.test_is_zero_unless_filled()
  t.assertEquals(values(gpu.array("int", 3)), { 0, 0, 0 })
  t.assertEquals(#gpu.array("int", 0), 0)
  t.assertEquals(gpu.array("int", 0):sum(), 0)
end

function TestArray.test_fills()
  t.assertEquals(values(gpu.array("float", 3, 0.5)), { 0.5, 0.5, 0.5 })
  t.assertEquals(values(gpu.array("short", 3, { 7, -8, 9 })), { 7, -8, 9 })
  local sentinel = gpu.array("float", 2, "sentinel")
  t.assertNotEquals(sentinel[0], sentinel[0]) -- NaN
  t.assertEquals(gpu.array("int", 1, "sentinel")[0], -1)
  local a = gpu.array("int", 2, { 1, 2 })
  local b = gpu.array("int", 2, a)
  b[0] = 5
  t.assertEquals(values(a), { 1, 2 })
end

function TestArray.test_random_comes_from_its_seed()
  local a, b, c = gpu.array("float", 1000, "random", 1), gpu.array("float", 1000, "random", 1),
    gpu.array("float", 1000, "random", 2)
  t.assertNil(a:mismatch(b))
  t.assertTrue(a:mismatch(c).count > 900)
  local low, high = 1, 0
  for i = 0, 999 do low, high = math.min(low, a[i]), math.max(high, a[i]) end
  t.assertTrue(low >= 0 and low < 0.1 and high > 0.9 and high < 1)
  for _, type in ipairs(ALL) do
    t.assertNil(gpu.array(type, 50, "random", 3):mismatch(gpu.array(type, 50, "random", 3)))
  end
end

function TestArray.test_64_bits_are_exact()
  local a = gpu.array("long long", 3, { math.maxinteger, math.mininteger, 2 ^ 53 | 1 })
  t.assertEquals(a[0], math.maxinteger)
  t.assertEquals(a[1], math.mininteger)
  t.assertEquals(gpu.array("long long", 2, math.maxinteger - 1)[1], math.maxinteger - 1)
  t.assertEquals(gpu.array("long long", 2, { math.maxinteger, -1 }):sum(), math.maxinteger - 1)
  t.assertNil(a:mismatch(a:copy()))
  local b = a:copy()
  b[0] = b[0] - 1
  t.assertEquals(a:mismatch(b).count, 1)
end

function TestArray.test_relative_error_is_of_the_norms()
  local want = gpu.array("float", 2, { 3, 4 })
  t.assertAlmostEquals(gpu.array("float", 2, { 3, 4.5 }):relative_error(want), 0.1, 1e-12)
  t.assertEquals(want:relative_error(want:copy()), 0)
  t.assertEquals(gpu.array("float", 2, { 0, 0 }):relative_error(gpu.array("float", 2, { 0, 0 })), 0)
  t.assertIsNaN(gpu.array("float", 1, "sentinel"):relative_error(gpu.array("float", 1, 1)))
  t.assertErrorMsgContains("an array of 2 float expected", want.relative_error, want, gpu.array("float", 3))
end

function TestArray.test_sum_of_floats_is_in_double_precision()
  local n = 1 << 20
  t.assertEquals(gpu.array("float", n, 0.5):sum(), n / 2)
  local a = gpu.array("float", n + 1, 1)
  a[0] = 2 ^ 24
  t.assertEquals(a:sum(), 2 ^ 24 + n)
end

function TestArray.test_half_rounds_to_nearest_even()
  local a = gpu.array("half", 4, { 1 / 3, 65504, 2 ^ -24, 2049 })
  t.assertEquals(values(a), { 0.333251953125, 65504.0, 2 ^ -24, 2048.0 })
  refuses("does not fit half", function() a[0] = 65520 end)
  a[0] = 1 / 0
  t.assertEquals(a[0], math.huge)
end

function TestArray.test_transpose()
  local a = gpu.array("int", 6, "iota") -- 0 1 2 / 3 4 5
  t.assertEquals(values(a:transpose(2, 3)), { 0, 3, 1, 4, 2, 5 })
  local rows, cols = 70, 45
  for _, type in ipairs { "char", "half", "float", "double" } do
    local m = gpu.array(type, rows * cols, "random", 9)
    local turned = m:transpose(rows, cols)
    for r = 0, rows - 1, 13 do
      for c = 0, cols - 1, 11 do t.assertEquals(turned[c * rows + r], m[r * cols + c]) end
    end
    t.assertNil(turned:transpose(cols, rows):mismatch(m))
  end
  refuses("2 x 4 is not the array's 6 elements", a.transpose, a, 2, 4)
  refuses("negative", a.transpose, a, -2, -3)
  refuses("not the array's 6", a.transpose, a, math.maxinteger, math.maxinteger)
end

function TestArray.test_cycle()
  local a = gpu.array("int", 3, "iota")
  t.assertEquals(values(a:cycle(7)), { 0, 1, 2, 0, 1, 2, 0 })
  t.assertEquals(values(a:cycle(2)), { 0, 1 })
  t.assertEquals(#a:cycle(0), 0)
  refuses("empty", gpu.array("int", 0).cycle, gpu.array("int", 0), 1)
  refuses("number expected", a.cycle, a)
  refuses("", a.cycle, a, -1)
  refuses("", a.cycle, a, 1 << 62)
end

function TestArray.test_slice()
  local a = gpu.array("int", 5, "iota")
  t.assertEquals(values(a:slice(1, 3)), { 1, 2, 3 })
  t.assertEquals(values(a:slice(4)), { 4 })
  t.assertEquals(values(a:slice()), { 0, 1, 2, 3, 4 })
  t.assertEquals(#a:slice(5, 0), 0)
  refuses("", a.slice, a, 3, 3)
  refuses("", a.slice, a, -1, 1)
end

function TestArray.test_gather()
  local a = gpu.array("int", 4, "iota")
  t.assertEquals(values(a:gather(5, function(i) return 3 - i % 4 end)), { 3, 2, 1, 0, 3 })
  refuses("index(1) is 4, outside 0..3", a.gather, a, 2, function(i) return i * 4 end)
  refuses("outside", a.gather, a, 1, function() return "x" end)
  refuses("outside", a.gather, a, 1, function() return 0 / 0 end)
  refuses("function expected", a.gather, a, 1)
end

function TestArray.test_mismatch_tells_where()
  local want = gpu.array("float", 12, "iota")
  local got = want:copy()
  got[5], got[11] = 50, 0 / 0
  local m = got:mismatch(want, { columns = 4 })
  t.assertEquals(m.count, 2)
  t.assertEquals(m.first[1], { index = 5, row = 1, column = 1, got = 50.0, want = 5.0 })
  t.assertEquals(m.first[2].index, 11)
  t.assertNil(got:mismatch(want, {}).first[1].row)
  t.assertEquals(#got:mismatch(want, { most = 1 }).first, 1)
  t.assertEquals(#got:mismatch(want, { most = 0 }).first, 0)
end

function TestArray.test_mismatch_tolerates_what_it_is_told()
  local want, got = gpu.array("float", 2, { 100, 0 }), gpu.array("float", 2, { 101, 0.5 })
  t.assertEquals(got:mismatch(want, { relative = 0.02 }).count, 1)
  t.assertNil(got:mismatch(want, { relative = 0.02, absolute = 0.5 }))
  local nan, inf = gpu.array("float", 1, 0 / 0), gpu.array("float", 1, 1 / 0)
  t.assertEquals(nan:mismatch(nan, { absolute = 1e30, relative = 1e30 }).count, 1)
  t.assertEquals(inf:mismatch(gpu.array("float", 1, 5), { relative = 1e9 }).count, 1)
  t.assertEquals(gpu.array("float", 1, 5):mismatch(inf, { relative = 1e9, absolute = 1e9 }).count, 1)
  t.assertNil(inf:mismatch(inf))
  t.assertNil(gpu.array("double", 3, "iota"):mismatch(gpu.array("double", 3, "iota")))
end

function TestArray.test_refuses_what_cannot_be_compared()
  local a = gpu.array("float", 2)
  refuses("2 float expected", a.mismatch, a, gpu.array("float", 3))
  refuses("2 float expected", a.mismatch, a, gpu.array("int", 2))
  refuses("did you mean 'relative'?", a.mismatch, a, a, { relativ = 1 })
  refuses("relative", a.mismatch, a, a, { relative = -1 })
  refuses("absolute", a.mismatch, a, a, { absolute = 0 / 0 })
  refuses("columns", a.mismatch, a, a, { columns = 1.5 })
  refuses("fields have names", a.mismatch, a, a, { 3 })
end

function TestArray.test_refuses_hostile_sizes_and_types()
  refuses("#2", gpu.array, "int", -1)
  refuses("#2", gpu.array, "int", 0 / 0)
  refuses("#2", gpu.array, "int", 1e308)
  refuses("#2", gpu.array, "int", 1.5)
  refuses("more than any memory holds", gpu.array, "double", math.maxinteger)
  refuses("no memory", gpu.array, "double", 1 << 59)
  refuses("did you mean 'float'?", gpu.array, "flaot", 1)
  refuses("unknown element type", gpu.array, "tensor", 1)
  refuses("#1", gpu.array, nil, 1)
  refuses("did you mean 'random'?", gpu.array, "int", 1, "randon")
  refuses("a table of 2 numbers expected", gpu.array, "int", 2, { 1 })
  refuses("[2]: number expected, got string", gpu.array, "int", 2, { 1, "2" })
  refuses("1.5 does not fit int", gpu.array, "int", 2, 1.5)
  refuses("300 does not fit unsigned char", gpu.array, "unsigned char", 1, 300)
  refuses("-1 does not fit unsigned", gpu.array, "unsigned", 1, -1)
  refuses("4294967296 does not fit int", gpu.array, "int", 1, 1 << 32)
  refuses("does not fit float", gpu.array, "float", 1, 1e39)
  refuses("expected, got boolean", gpu.array, "int", 1, true)
  refuses("2 int expected", gpu.array, "int", 2, gpu.array("float", 2))
end

function TestArray.test_refuses_indices_outside()
  local a = gpu.array("int", 3)
  refuses("index 3 is outside the array: its elements are 0..2", function() return a[3] end)
  refuses("index -1 is outside", function() return a[-1] end)
  refuses("outside", function() a[math.maxinteger] = 1 end)
  refuses("no integer representation", function() return a[0.5] end)
  refuses("the array is empty", function() return gpu.array("int", 0)[0] end)
  refuses("number expected, got nil", function() a[0] = nil end)
  t.assertEquals(a[2.0], 0)
  t.assertNil(a.nothing)
  refuses("number expected", function() return a[{}] end)
end

function TestArray.test_methods_check_what_they_are_called_on()
  for _, wrong in ipairs { 1, "x", {}, io.stdout } do
    refuses("gpulab.array expected", gpu.array("int", 1).sum, wrong)
  end
  t.assertFalse(getmetatable(gpu.array("int", 1)))
end

function TestArray.test_is_shown_with_its_first_elements()
  t.assertEquals(tostring(gpu.array("int", 3, "iota")), "array int[3] 0 1 2")
  t.assertEquals(tostring(gpu.array("float", 9, 0.25)):sub(-4), " ...")
end

function TestArray.test_memory_comes_back()
  for _ = 1, 200 do gpu.array("float", 4 << 20) end -- 3.2 GB in all
  collectgarbage()
  for line in io.lines("/proc/self/status") do
    local kb = line:match("^VmHWM:%s*(%d+)")
    if kb then t.assertTrue(tonumber(kb) < 1 << 20, "the peak was " .. kb .. " kB") end
  end
end

function TestArray.test_differs_compares_bytes()
  local a, b = gpu.array("float", 5, "iota"), gpu.array("float", 5, "iota")
  t.assertNil(a:differs(b))
  b[3] = 7
  t.assertEquals(a:differs(b), 3)
  local nan = gpu.array("float", 5, "sentinel")
  t.assertNil(nan:differs(nan:copy()))
  t.assertNil(gpu.array("int", 0):differs(gpu.array("int", 0)))
  t.assertErrorMsgContains("5 float expected", function() a:differs(gpu.array("int", 5)) end)
  t.assertErrorMsgContains("5 float expected", function() a:differs(gpu.array("float", 4)) end)
end

TestMap = {}

-- How many elements differ in each of 64 parts of a vector, or in 8 x 8 parts of a matrix.
function TestMap.test_parts()
  local want, got = gpu.array("int", 640, "iota"), gpu.array("int", 640, "iota")
  for _, i in ipairs { 0, 5, 639 } do got[i] = -1 end
  local cells = got:mismatch(want, { cells = true }).cells
  t.assertEquals({ #cells, cells[1], cells[2], cells[64] }, { 64, 2, 0, 1 })
  cells = got:mismatch(want, { cells = true, columns = 40 }).cells -- 16 rows
  t.assertEquals({ cells[1], cells[2], cells[8], cells[64] }, { 1, 1, 0, 1 })
  t.assertNil(got:mismatch(want).cells)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
