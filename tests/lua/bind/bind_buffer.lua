-- Buffers and devices: elements, uploads and downloads, closed handles, hostile arguments. Needs no NVRTC.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

local function values(a)
  local out = {}
  for i = 0, #a - 1 do out[i + 1] = a[i] end
  return out
end

TestBuffer = {}

function TestBuffer.test_has_name_type_and_length()
  local b = gpu.buffer("float", 1000, { name = "idata", fill = "iota" })
  t.assertEquals({ b.name, b.type, b.bytes, #b, b.stale }, { "idata", "float", 4000, 1000, false })
  t.assertEquals(tostring(b), 'buffer "idata" float[1000]')
  t.assertEquals(tostring(gpu.buffer("int", 2)), "buffer int[2]")
  t.assertEquals({ b[0], b[999] }, { 0.0, 999.0 })
  t.assertNil(b.nothing)
end

function TestBuffer.test_elements_are_read_and_written()
  for _, type in ipairs { "float", "double", "int", "unsigned", "long long", "short", "unsigned char", "half" } do
    local b = gpu.buffer(type, 5, { fill = 3 })
    b[2] = 7
    t.assertEquals(values(b), { 3, 3, 7, 3, 3 })
    t.assertEquals(math.type(b[2]), (type == "float" or type == "double" or type == "half") and "float" or "integer")
  end
end

-- Contents that were found right are known again by their digest, and only those. Where the prompt can look at them itself there is none.
function TestBuffer.test_digests()
  local check = require "gpulab.check"
  local count <const>, known = 300000, {}
  local device <const> = gpu.device
  if not device:buffer("float", count):digest() then t.skip "contents are compared where they are" end
  local b, want = device:buffer("float", count, { fill = "iota" }), gpu.array("float", count, "iota")
  local function compare(options)
    options.known = known
    return check.compare(b, want, options)
  end
  t.assertNil(device:buffer("float", 10):digest())
  t.assertEquals(b:digest(want), b:digest())
  t.assertNotEquals(b:digest(gpu.array("float", count, 1)), b:digest())
  t.assertErrorMsgContains("an array of 300000 float expected", b.digest, b, gpu.array("int", count, 1))
  t.assertNil(compare {})
  t.assertTrue(known[b:digest()])
  t.assertNil(compare {})
  b[count - 1] = -5
  t.assertEquals(compare({}).count, 1)
  t.assertNil(known[b:digest()])
  b[count - 1] = 0 / 0
  t.assertEquals(compare({}).count, 1)
  t.assertNil(known[b:digest()])
  b[count - 1] = count - 1
  t.assertTrue(known[b:digest()])
  want[7] = 0.5 -- a known content is not looked at again
  t.assertNil(compare {})
  b[8] = 8.25
  t.assertEquals(compare({}).count, 2)
  t.assertNil(compare { absolute = 10 }) -- and what is right is remembered, whatever the bytes
  t.assertTrue(known[b:digest()])
end

function TestBuffer.test_fills_are_those_of_arrays()
  for _, fill in ipairs { "iota", "random" } do
    for _, type in ipairs { "float", "double", "int", "long long", "half", "char" } do
      local b = gpu.buffer(type, 300, { fill = fill, seed = 5 })
      t.assertNil(b:download():mismatch(gpu.array(type, 300, fill, 5)))
    end
  end
  t.assertEquals(gpu.buffer("int", 3)[1], -1) -- sentinel
  t.assertEquals(values(gpu.buffer("int", 3, { fill = { 4, 5, 6 } })), { 4, 5, 6 })
  t.assertEquals(gpu.buffer("long long", 2, { fill = math.maxinteger })[1], math.maxinteger)
end

function TestBuffer.test_filled_again()
  local b = gpu.buffer("int", 4, { fill = 0 })
  b:fill("iota")
  t.assertEquals(values(b), { 0, 1, 2, 3 })
  b:fill(9)
  t.assertEquals(values(b), { 9, 9, 9, 9 })
  b:fill { 1, 2, 3, 4 }
  t.assertEquals(values(b), { 1, 2, 3, 4 })
  b:fill(gpu.array("int", 4, 8))
  t.assertEquals(b:download():sum(), 32)
  refuses("a table of 4 numbers expected", b.fill, b, { 1 })
  refuses("4 int expected", b.fill, b, gpu.array("int", 5))
  refuses("value expected", b.fill, b)
end

function TestBuffer.test_upload_and_download_of_parts()
  local b = gpu.buffer("int", 6, { fill = 0 })
  b:upload({ 1, 2 }, 3)
  t.assertEquals(values(b:download()), { 0, 0, 0, 1, 2, 0 })
  t.assertEquals(values(b:download(3, 2)), { 1, 2 })
  t.assertEquals(values(b:download(4)), { 2, 0 })
  t.assertEquals(#b:download(6), 0)
  b:upload({}, 6)
  b:upload(gpu.array("int", 6, "iota"))
  t.assertEquals(b:download():sum(), 15)
end

function TestBuffer.test_refuses_ranges_outside()
  local b = gpu.buffer("int", 6, { name = "six" })
  refuses("first element 7 is outside 0..6", b.download, b, 7)
  refuses("first element -1", b.download, b, -1)
  refuses("4 elements from 3 on, but there are only 3", b.download, b, 3, 4)
  refuses("-1 elements from 0 on", b.download, b, 0, -1)
  refuses("only 6", b.download, b, 0, math.maxinteger)
  refuses("3 elements do not fit the buffer \"six\"", b.upload, b, { 1, 2, 3 }, 4)
  refuses("table expected", b.upload, b, 3)
  refuses("float", b.upload, b, gpu.array("float", 6))
  refuses("[2]: number expected", b.upload, b, { 1, "x" })
  refuses('index 6 is outside the buffer "six": its elements are 0..5', function() return b[6] end)
  refuses("index -1", function() b[-1] = 0 end)
  refuses("no integer representation", function() return b[0 / 0] end)
  refuses("1.5 does not fit int", function() b[0] = 1.5 end)
end

function TestBuffer.test_refuses_hostile_arguments()
  refuses("#2", gpu.buffer, "int", 0)
  refuses("#2", gpu.buffer, "int", -5)
  refuses("#2", gpu.buffer, "int", 0 / 0)
  refuses("#2", gpu.buffer, "int", "many")
  refuses("more than any memory holds", gpu.buffer, "double", math.maxinteger)
  refuses("did you mean 'fill'?", gpu.buffer, "int", 1, { fil = 0 })
  refuses("name: a string expected, got table", gpu.buffer, "int", 1, { name = {} })
  refuses("seed: a whole number expected", gpu.buffer, "int", 1, { seed = 1.5 })
  refuses("table expected, got string", gpu.buffer, "int", 1, "name")
  refuses("unknown fill", gpu.buffer, "int", 1, { fill = "nothing at all" })
  refuses("did you mean 'sentinel'?", gpu.buffer, "int", 1, { fill = "poison" })
  refuses("#3", gpu.buffer, "int", 1, { fill = print })
  t.assertEquals(#gpu.buffer("int", 1, { name = ("long name "):rep(1000) }).name, 63)
  t.assertEquals(gpu.buffer("int", 1, { name = "" }).name, "")
end

function TestBuffer.test_more_memory_than_there_is_is_an_error_of_kind_setup()
  local e = refuses("", gpu.buffer, "double", 1 << 55)
  t.assertEquals(type(e), "table")
  t.assertEquals(e.kind, "setup")
  t.assertEquals(gpu.buffer("int", 1, { fill = 5 })[0], 5)
end

function TestBuffer.test_a_freed_one_is_closed_and_never_crashes()
  local b = gpu.buffer("int", 4, { name = "gone", fill = 0 })
  b:free()
  b:free()
  for _, use in ipairs { function() return b[0] end, function() b[0] = 1 end, function() b:download() end,
    function() b:upload { 1 } end, function() b:fill(0) end } do
    refuses('the buffer "gone" is closed', use)
  end
  t.assertEquals({ #b, b.name, b.type, b.stale }, { 4, "gone", "int", true })
  t.assertStrContains(tostring(b), "closed")
end

function TestBuffer.test_closes_at_the_end_of_its_scope()
  local kept
  do
    local b <close> = gpu.buffer("int", 4, { name = "scoped" })
    kept = b
  end
  refuses("closed", function() return kept[0] end)
end

function TestBuffer.test_metamethods_survive_wrong_values()
  local b = gpu.buffer("int", 1)
  t.assertFalse(getmetatable(b))
  for _, wrong in ipairs { 1, "x", {}, io.stdout } do refuses("gpulab.buffer expected", b.download, wrong) end
end

TestDevice = {}

function TestDevice.test_says_what_it_is()
  local d = gpu.device
  t.assertEquals(d, gpu.device)
  t.assertEquals(d.backend, d.name:match("^%a+"))
  t.assertEquals(d.driver == "", d.backend == "emu")
  t.assertEquals({ math.type(d.cc), math.type(d.sms), math.type(d.memory_bytes) }, { "integer", "integer", "integer" })
  t.assertStrContains(tostring(d), "device " .. d.name)
end

function TestDevice.test_others_are_opened_by_name()
  local d <close> = gpu.open("emu:GTX 280")
  t.assertEquals({ d.cc, d.sms, d.model, d.backend }, { 13, 30, "GTX 280", "emu" })
  local b = d:buffer("int", 2, { fill = 4 })
  t.assertEquals(b[1], 4)
  t.assertEquals(refuses("GTX 28", gpu.open, "emu:GTX 28x").kind, "setup")
  refuses("", gpu.open, "")
  refuses("", gpu.open, ("x"):rep(5000))
  refuses("string expected", gpu.open)
end

function TestDevice.test_closing_it_closes_what_is_on_it()
  local d = gpu.open "emu"
  local b = d:buffer("int", 2, { name = "left", fill = 4 })
  d:close()
  d:close()
  refuses("the buffer \"left\" is closed with its device", function() return b[0] end)
  refuses("the device is closed", d.buffer, d, "int", 1)
  refuses("the device is closed", function() return d.cc end)
  b:free()
  t.assertEquals(tostring(d), "device (closed)")
end

function TestDevice.test_lives_as_long_as_its_buffers()
  local b
  do b = gpu.open("emu"):buffer("int", 3, { fill = 6 }) end
  collectgarbage()
  collectgarbage()
  t.assertEquals(b[2], 6)
end

function TestDevice.test_gpu_device_can_be_set()
  local before = gpu.device
  gpu.device = gpu.open "emu:GTX 280"
  t.assertEquals(gpu.device.cc, 13)
  gpu.device:close()
  refuses("gpu.device is closed", gpu.buffer, "int", 1)
  gpu.device = before
  t.assertEquals(gpu.buffer("int", 1, { fill = 2 })[0], 2)
  refuses("a device expected", function() gpu.device = "emu" end)
  refuses("a device expected", function() gpu.device = nil end)
end

function TestDevice.test_lists()
  t.assertTrue(#gpu.devices() >= 1)
  local models = gpu.models()
  local by_name = {}
  for _, m in ipairs(models) do by_name[m.name] = m end
  t.assertEquals({ by_name["GTX 280"].cc, by_name["GTX 280"].banks, by_name["GTX 280"].sms }, { 13, 16, 30 })
  t.assertTrue(models[1].cc < models[#models].cc)
end

TestErrors = {}

function TestErrors.test_are_objects_that_say_all()
  local e = refuses("", gpu.raise, "wrong", "the sum is off", "look at line 3", "f.cu:3")
  t.assertEquals({ e.kind, e.message, e.hint, e.where }, { "wrong", "the sum is off", "look at line 3", "f.cu:3" })
  local long = tostring(gpu.error("setup", "what", ("äöü words "):rep(40)))
  t.assertEquals(#long:gsub("%s", ""), 4 + 40 * #"äöüwords")
  for line in long:gmatch("[^\n]+") do t.assertTrue(utf8.len(line) <= 80, line) end
  t.assertEquals(tostring(e), "f.cu:3: the sum is off\n  look at line 3")
  t.assertEquals(tostring(gpu.error("gate", "x")), "x")
  refuses("no kind of error", gpu.raise, "odd", "x")
  refuses("#2", gpu.raise, "wrong")
  local broken = gpu.error("wrong", "x")
  broken.message, broken.where = {}, 5
  t.assertEquals(tostring(broken), "an error without a message")
end

function TestErrors.test_every_function_has_help()
  for name, value in pairs(gpu) do
    if type(value) == "function" then
      t.assertNotNil(gpu.help["gpu." .. name], name)
      t.assertStrContains(gpu.help["gpu." .. name].usage, name)
    end
  end
  for _, class in ipairs { "device", "buffer", "array", "module", "kernel", "symbol", "texture", "surface", "stepping" } do
    t.assertNotNil(gpu.help[class], class)
    for _, members in ipairs { require("gpulab.host").class_members(class) } do
      for name in pairs(members) do t.assertNotNil(gpu.help[class .. ":" .. name], class .. ":" .. name) end
    end
  end
  for name, said in pairs(gpu.help) do
    t.assertTrue(#said.usage > 0 and #said.usage <= 80 and #said.help > 0, name)
  end
end

function TestBuffer.test_mismatch_compares_what_the_device_holds()
  local n = (1 << 20) + 3 -- more than one piece
  local b, want = gpu.buffer("float", n, { fill = "iota" }), gpu.array("float", n, "iota")
  t.assertNil(b:mismatch(want))
  b[5], b[n - 1] = -1, -2
  local found = b:mismatch(want, { columns = 10, most = 3 })
  t.assertEquals(found.count, 2)
  t.assertEquals(found.first, { { index = 5, row = 0, column = 5, got = -1.0, want = 5.0 },
    { index = n - 1, row = (n - 1) // 10, column = (n - 1) % 10, got = -2.0, want = n - 1.0 } })
  t.assertEquals(#b:mismatch(want, { most = 1 }).first, 1)
  t.assertNil(b:mismatch(want, { absolute = 2 * n }))
  t.assertErrorMsgContains("float expected", function() b:mismatch(gpu.array("float", 7)) end)
  t.assertErrorMsgContains("most", function() b:mismatch(want, { most = -1 }) end)
  t.assertErrorMsgContains("did you mean", function() b:mismatch(want, { absolut = 1 }) end)
end

-- Telling of differences makes tables, and the collector may run a finalizer then. Here it closes the device, halfway through,
-- and the piece that is compared lies in memory that goes with it.
function TestBuffer.test_mismatch_outlives_its_device()
  local function collections(close_at)
    local device <close> = gpu.open "worker:emu"
    local b, want = device:buffer("int", 1000, { fill = 7 }), gpu.array("int", 1000, 8)
    local n, done = 0, false
    local function watch()
      setmetatable({}, { __gc = function()
        if done then return end
        n = n + 1
        if n == close_at then device:close() end
        watch()
      end })
    end
    collectgarbage("incremental", 10, 1000, 4)
    collectgarbage() -- from here on at that pace
    watch()
    local found = b:mismatch(want, { most = 1000 })
    done = true
    collectgarbage("incremental", 200, 100, 13)
    t.assertEquals({ found.count, #found.first, found.first[1000].got }, { 1000, 1000, 7 })
    return n
  end
  local all = collections()
  t.assertTrue(all > 10)
  t.assertTrue(collections(all // 2) >= all // 2) -- it was closed in the middle
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
