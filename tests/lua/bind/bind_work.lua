-- Works from Lua, on the emulator: several launches run, timed, counted and checked as one; what a library routine says here.
local lu = require "luaunit"

local source = [[
__global__ void add(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = in[i] + 1;
}
__global__ void wild(float *out, int n)
{
	out[n + threadIdx.x] = 1;
}
__global__ void say(int what)
{
	printf("%d\n", what);
}
__global__ void race(float *out)
{
	__shared__ float s;
	if (threadIdx.x == 0) s = out[0];
	out[threadIdx.x] = s;
}
__global__ void endless(float *out, volatile int *go)
{
	out[0] = threadIdx.x;
	while (*go == 0);
}
]]

local N <const> = 4096
local module = gpu.compile_text(source)
local add, wild, race = module:kernel "add", module:kernel "wild", module:kernel "race"
local config = { grid = N // 256, block = 256 }

local function buffers()
  return gpu.buffer("float", N, { fill = "iota", name = "a" }), gpu.buffer("float", N, { name = "b" })
end

local function there_and_back(a, b)
  return { { kernel = add, config = config, args = { b, a, N } }, { kernel = add, config = config, args = { a, b, N } } }
end

TestWork = {}

function TestWork.test_items_run_in_order()
  local a, b = buffers()
  local outcome = gpu.run(there_and_back(a, b))
  lu.assertEquals(outcome.status, "ok")
  lu.assertEquals(a[7], 9)
  lu.assertEquals(b[7], 8)
  lu.assertEquals(gpu.device:run { kernel = add, config = config, args = { b, a, N } }.status, "ok")
  lu.assertEquals(b[7], 10)
end

function TestWork.test_what_they_print_is_one_text()
  local say = module:kernel "say"
  local items = {}
  for i = 1, 3 do items[i] = { kernel = say, config = { grid = 1, block = 1 }, args = { i } } end
  lu.assertEquals(gpu.count(items).outcome.output, "1\n2\n3\n")
end

function TestWork.test_the_first_that_fails_is_told_and_the_rest_is_left_out()
  local a, b = buffers()
  local items = there_and_back(a, b)
  table.insert(items, 2, { kernel = wild, config = { grid = 1, block = 32 }, args = { b, N } })
  local outcome = gpu.run(items)
  lu.assertEquals(outcome.status, "fault")
  lu.assertEquals(outcome.fault.kernel, "wild")
  lu.assertEquals(outcome.fault.buffer, "b")
  lu.assertEquals(a[7], 7)
  for _, f in ipairs { gpu.time, gpu.count } do
    local ok, e = pcall(f, items)
    lu.assertFalse(ok)
    lu.assertEquals(e.kind, "fault")
  end
end

function TestWork.test_predictions_add_up()
  local a, b = buffers()
  local items = there_and_back(a, b)
  local one = gpu.time(add, config, { b, a, N })
  local two = gpu.time(items)
  lu.assertEquals(two.kind, "predicted")
  lu.assertAlmostEquals(two.ms, one.ms + gpu.time(items[2]).ms, 1e-9)
  lu.assertEquals(two.bound, one.bound)
  lu.assertTrue(gpu.time(items, { min_bytes = 1e12 }).impossible)
  items[3] = { kernel = add, config = { grid = 1, block = 64 }, args = { b, a, N } }
  lu.assertEquals(gpu.time(items).bound, gpu.time(items[1]).ms > gpu.time(items[3]).ms and one.bound
    or gpu.time(items[3]).bound)
end

function TestWork.test_counts_add_up_by_line()
  local a, b = buffers()
  local items = there_and_back(a, b)
  local one = gpu.count(add, config, { b, a, N }, { models = { "GTX 280", "H200" } })
  local two = gpu.count(items, { models = { "GTX 280", "H200" } })
  lu.assertEquals(one.launches, 1)
  lu.assertEquals(two.launches, 2)
  lu.assertTrue(one.counters.global_load_requests > 0)
  for name, value in pairs(one.counters) do lu.assertEquals(two.counters[name], 2 * value, name) end
  lu.assertEquals(#two.lines, #one.lines)
  for i, line in ipairs(one.lines) do
    lu.assertEquals(two.lines[i].line, line.line)
    lu.assertEquals(two.lines[i].text, line.text)
    lu.assertEquals(two.lines[i].counters.warp_instructions, 2 * line.counters.warp_instructions)
  end
  for name, model in pairs(one.models) do
    lu.assertAlmostEquals(two.models[name].ms, 2 * model.ms, model.ms * 0.02)
    lu.assertEquals(two.models[name].known, true)
  end
end

function TestWork.test_works_are_compared()
  local a, b = buffers()
  local items = there_and_back(a, b)
  local c = gpu.compare(items, items[1])
  lu.assertEquals(c.verdict, "faster")
  lu.assertAlmostEquals(c.ratio, 0.5, 0.02)
  lu.assertEquals(gpu.compare(add, config, { b, a, N }, items).verdict, "slower")
  lu.assertEquals(gpu.compare(items, add, config, { b, a, N }, { wall = 0.1 }).verdict, "faster")
end

function TestWork.test_a_finding_names_its_launch()
  local a, b = buffers()
  local items = there_and_back(a, b)
  lu.assertEquals(#gpu.check(items).findings, 0)
  lu.assertTrue(gpu.check(items).shadow_bytes > 0)
  items[3] = { kernel = race, config = { grid = 1, block = 64 }, args = { b } }
  local found = gpu.check(items, "race").findings
  lu.assertTrue(#found >= 1)
  lu.assertEquals(found[1].check, "race")
  lu.assertEquals(found[1].launch, 3)
  lu.assertNil(gpu.check(race, { grid = 1, block = 64 }, { b }, "race").findings[1].launch)
end

-- What was found before the time ran out is not all there is to say.
function TestWork.test_a_launch_without_an_end_is_no_finding()
  local a, b = buffers()
  local go = gpu.buffer("int", 1, { fill = 0 })
  local endless = { kernel = module:kernel "endless", config = { grid = 1, block = 64, timeout = 200 }, args = { b, go } }
  local ok, e = pcall(gpu.check, endless, "race")
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "timeout")
  lu.assertEquals(e.outcome.status, "timeout")
  lu.assertTrue(#e.findings >= 1)
  lu.assertEquals(e.findings[1].sites[1].line, 22)
  lu.assertStrContains(e.hint, "Before that, the race checker found: ")
  lu.assertStrContains(e.hint, e.findings[1].message)
  -- A fault that no checker tells of, after a launch with a finding, is a finding all the same.
  local items = { { kernel = race, config = { grid = 1, block = 64 }, args = { a } },
    { kernel = wild, config = { grid = 1, block = 32 }, args = { b, N } } }
  lu.assertEquals(gpu.check(items, "race").status, "fault")
  items[2].config = { grid = 1, block = 2048 }
  ok, e = pcall(gpu.check, items, "race")
  lu.assertFalse(ok)
  lu.assertEquals(e.findings[1].check, "race")
  go:fill(1)
  lu.assertEquals(gpu.check(endless, "race").status, "ok")
end

function TestWork.test_library_routines_are_missing_here()
  local a, b = buffers()
  for _, name in ipairs { "sgemm", "gemmex", "sgeam", "memcpy" } do
    local there, why = gpu.library(name)
    lu.assertNil(there)
    lu.assertStrContains(why, (name == "memcpy" and "memcpy" or "cuBLAS") .. " needs a GPU")
  end
  local routines = { { library = "sgemm", args = { b, a, a, 64 } }, { library = "sgeam", args = { b, a, 64, 64 } },
    { library = "memcpy", args = { b, a } } }
  for _, routine in ipairs(routines) do
    for _, f in ipairs { gpu.run, gpu.time, gpu.count, gpu.check } do
      for _, work in ipairs { routine, { { kernel = add, config = config, args = { a, a, N } }, routine } } do
        local ok, e = pcall(f, work)
        lu.assertFalse(ok)
        lu.assertEquals(e.kind, "setup")
        lu.assertStrContains(e.message, "needs a GPU")
      end
    end
  end
  lu.assertEquals(a[7], 7) -- nothing ran
end

function TestWork.test_what_makes_no_sense()
  local a, b = buffers()
  local function refused(text, ...)
    lu.assertErrorMsgContains(text, gpu.run, ...)
    lu.assertErrorMsgContains(text, gpu.time, ...)
    lu.assertErrorMsgContains(text, gpu.count, ...)
  end
  refused("1 to 1000 items", {})
  refused("item 1: {kernel=, config=, args=}", { 7 })
  refused("item 1: kernel: a kernel expected, got string", { { kernel = "add", config = config, args = {} } })
  refused("item 2: config: {grid=, block=} expected, got nil",
    { { kernel = add, config = config, args = { b, a, N } }, { kernel = add } })
  refused("item 1: config.grid: a whole number", { { kernel = add, config = { grid = 0, block = 1 }, args = {} } })
  refused("item 1: config.block: a number or a table", { { kernel = add, config = { grid = 1 }, args = {} } })
  refused("item 1: args: a table of add's arguments", { { kernel = add, config = config } })
  refused("add(float*, float*, int) takes 3", { { kernel = add, config = config, args = { b } } })
  refused("did you mean 'kernel'", { { kernal = add, kernel = add, config = config, args = { b, a, N } } })
  refused("did you mean sgemm", { library = "sgem", args = {} })
  refused("library: a routine's name", { library = add, args = {} })
  refused("{C, A, B, n} expected for sgemm", { library = "sgemm", args = { a, b } })
  refused("a buffer expected in memcpy {to, from}, got number", { library = "memcpy", args = { a, 7 } })
  refused("a whole number from 1", { library = "sgeam", args = { b, a, 1.5, 4 } })
  local huge = {}
  for i = 1, 1001 do huge[i] = { kernel = add, config = config, args = { b, a, N } } end
  refused("1 to 1000 items", huge)
  lu.assertErrorMsgContains("there is no library routine", gpu.library, "fft")
  lu.assertErrorMsgContains("string expected", gpu.library, {})
  b:free()
  refused("is closed", { library = "memcpy", args = { a, b } })
end

function TestWork.test_devices_are_not_mixed()
  local other <close> = gpu.open "emu:GTX 280"
  local a, b = buffers()
  local there = other:buffer("float", N)
  lu.assertErrorMsgContains("one device", gpu.run,
    { { kernel = add, config = config, args = { b, a, N } }, { library = "memcpy", args = { there, there } } })
end

-- A table that closes the device as soon as one of its fields is asked for.
local function closing(device, fields)
  return setmetatable({}, { __index = function(_, key)
    device:close()
    return fields[key]
  end })
end

function TestWork.test_a_device_closed_while_options_are_read()
  local function refused(call)
    local device = gpu.open "emu"
    local a, b = device:buffer("float", N), device:buffer("float", N)
    local kernel = device:compile_text(source):kernel "add"
    local ok, err = pcall(call, device, kernel, { b, a, N }, a)
    lu.assertFalse(ok)
    lu.assertStrContains(tostring(err), "closed")
    device:close()
  end
  refused(function(d, k, args) gpu.run(k, closing(d, config), args) end)
  refused(function(d, k, args) gpu.run { { kernel = k, config = config, args = args }, closing(d, { kernel = k }) } end)
  refused(function(d, k, args) gpu.count(k, config, args, closing(d, { models = { "H200" } })) end)
  refused(function(d, k, args) gpu.time(k, config, args, closing(d, { wall = 1 })) end)
  refused(function(d, k, args) gpu.compare(k, config, args, k, config, args, closing(d, { wall = 1 })) end)
  refused(function(d, k) k:occupancy(closing(d, config)) end)
  refused(function(d, k, args) k:launch(closing(d, config), table.unpack(args)) end)
  refused(function(d) d:buffer("float", N, closing(d, { name = "late" })) end)
  refused(function(d) d:compile_text(source, closing(d, {})) end)
  refused(function(d, _, _, a) d:texture(a, closing(d, { width = N })) end)
  refused(function(d, _, _, a) d:surface(a, closing(d, { width = N })) end)
  refused(function(d, _, _, a) a:mismatch(a:download(), closing(d, {})) end)
  refused(function(d) d:transfer(closing(d, { direction = "to device", bytes = 100 })) end)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
