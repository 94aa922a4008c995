-- gpu.check: what it finds, how it tells, what it refuses.
local t = require "luaunit"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/../lua/bind/refuses.lua")

local source = [[
extern "C" __global__ void reverse(int *out, const int *in)
{
	__shared__ int s[64];
	s[threadIdx.x] = in[threadIdx.x];
	out[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void stop() { __trap(); }
]]
if not gpu.device.nvrtc then
  print("1..0 # SKIP there is no NVRTC")
  os.exit(0, true)
end
local module = gpu.compile_text(source)
local reverse, stop = module:kernel("reverse"), module:kernel("stop")
local shape = { grid = 1, block = 64 }

local function buffers(fill)
  return { gpu.buffer("int", 64), gpu.buffer("int", 64, { fill = fill, name = "given" }) }
end

TestCheck = {}

function TestCheck.test_a_race_has_two_sites()
  local report = gpu.check(reverse, shape, buffers("iota"), "race")
  t.assertEquals(#report.findings, 1)
  local f = report.findings[1]
  t.assertEquals({ f.check, f.count, f.space, f.buffer }, { "race", 64, "shared", "s" })
  t.assertEquals({ f.sites[1].line, f.sites[2].line }, { 4, 5 })
  t.assertEquals({ f.sites[1].access, f.sites[2].access }, { "store", "load" })
  t.assertEquals(f.sites[1].block, { 0, 0, 0 })
  t.assertEquals(f.sites[1].thread[1] + f.sites[2].thread[1], 63)
end

function TestCheck.test_print_shows_what_is_wrong_and_where()
  local report = gpu.check(reverse, shape, buffers("iota"), "race")
  local f = report.findings[1]
  t.assertStrMatches(tostring(f), "race at [^:]*:4 and [^:]*:5, 64 times: .* s .*")
  t.assertStrMatches(tostring(report), "ok, [^\n]*s\nrace at .*")
  t.assertStrMatches(tostring(gpu.check(reverse, shape, buffers("iota"), "unused")), "ok, [^\n]*")
  f.sites, f.count = 5, {}
  t.assertStrContains(tostring(f), "other fields")
  t.assertStrContains(tostring(setmetatable({}, getmetatable(f))), "other fields")
end

function TestCheck.test_fresh_buffers_are_unwritten()
  local args = buffers("sentinel")
  local f = gpu.check(reverse, shape, args, { "init" }).findings
  t.assertEquals({ f[1].buffer, f[1].count, f[1].sites[1].line }, { "given", 64, 4 })
  args[2]:upload { 1, 2, 3, 4 }
  f = gpu.check(reverse, shape, args, { "init" }).findings
  t.assertEquals(f[1].buffer == "given" and f[1].count or 0, 60)
  args[2]:fill(7)
  f = gpu.check(reverse, shape, args, { "init" }).findings
  t.assertEquals(f[1].buffer, "s") -- nothing but the tile, half of which is read too early
end

function TestCheck.test_what_was_uploaded_before_the_first_check_is_written()
  local function unwritten(...)
    local args = buffers("sentinel")
    for _, part in ipairs { ... } do args[2]:upload(part, part.first) end
    local f = gpu.check(reverse, shape, args, { "init" }).findings[1]
    return f and f.buffer == "given" and f.count or 0
  end
  t.assertEquals(unwritten { 1, 2, 3, 4 }, 60)
  t.assertEquals(unwritten({ 1, 2, first = 10 }, { 1, 2, first = 12 }, { 1, first = 40 }), 59)
  local whole = {}
  for i = 1, 64 do whole[i] = i end
  t.assertEquals(unwritten({ 1, 2, first = 10 }, whole), 0)
end

function TestCheck.test_what_a_launch_wrote_is_written()
  local args = buffers("sentinel")
  reverse(shape)(args[2], gpu.buffer("int", 64, { fill = "iota" }))
  local f = gpu.check(reverse, shape, args, { "init" }).findings
  t.assertEquals({ #f, f[1].buffer }, { 1, "s" })
end

function TestCheck.test_a_fault_is_a_finding()
  local f = gpu.check(reverse, { grid = 1, block = 96 }, buffers("iota"), "memory").findings
  -- The launch goes on: each of the four accesses of the last warp is bad, on two lines.
  t.assertEquals({ #f, f[1].check, f[1].sites[1].line, f[4].sites[1].line }, { 4, "memory", 4, 5 })
end

function TestCheck.test_what_comes_after_a_bad_atomic_is_found_too()
  local k = gpu.compile_text([[
__global__ void tally(int *out, int *old, int *seen)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	old[t] = atomicAdd(&out[t + 100], 1);
	atomicMax(&out[t + 120], 1);
	s[t] = t;
	atomicAdd(&old[t], atomicCAS(&s[4 * t + 1000], 0, 1));
	seen[t] = s[t ^ 64];
}]]):kernel("tally")
  local out, old = gpu.buffer("int", 128, { fill = 0 }), gpu.buffer("int", 128, { fill = 0 })
  local report = gpu.check(k, { grid = 1, block = 128 }, { out, old, gpu.buffer("int", 128) })
  local found = {}
  for i, f in ipairs(report.findings) do found[i] = f.check .. " " .. f.sites[1].line .. " x" .. f.count end
  table.sort(found)
  t.assertEquals(report.status, "fault")
  t.assertEquals(found, { "init 9 x64", "memory 5 x100", "memory 6 x120", "memory 8 x128", "race 7 x128" })
  -- A bad atomic gives ones: here 0 + -1, and there -1 + -1.
  if gpu.device.backend == "emu" then t.assertEquals({ old[0], old[127], out[100], out[127] }, { -1, -2, 1, 1 }) end
end

function TestCheck.test_what_comes_after_a_bad_access_is_found_too()
  local k = gpu.compile_text([[
__global__ void several(int *out, const int *in)
{
	__shared__ int s[64];
	int v = in[threadIdx.x + 1];
	if (v == -1)
		v = 0;
	s[threadIdx.x] = v;
	out[threadIdx.x] = s[63 - threadIdx.x];
	out[threadIdx.x + 1] = v;
}]]):kernel("several")
  local report = gpu.check(k, shape, buffers("iota"))
  local found = {}
  for i, f in ipairs(report.findings) do found[i] = f.check .. " " .. f.sites[1].line end
  table.sort(found)
  t.assertEquals(report.status, "fault")
  for _, one in ipairs { "memory 4", "memory 9", "race 7", "init 8" } do t.assertTableContains(found, one) end
end

function TestCheck.test_what_no_checker_tells_of_is_raised()
  refuses("trap", gpu.check, stop, shape, {}, "race")
end

-- Words beyond the 65536th, which no GPU has that was built.
function TestCheck.test_much_shared_memory()
  local big = gpu.model { base = "H200", shared_per_sm = 1 << 20, shared_per_block = 1 << 19, name = "much shared memory" }
  local device <close> = gpu.open("emu:" .. big.name)
  local turn = device:compile_text([[
extern "C" __global__ void turn(int *out, int from)
{
	extern __shared__ int s[];
	int t = threadIdx.x;
	s[from + t] = t;
	__syncthreads();
	int v = s[from + (t ^ 32)];
	s[t] = v;
	out[t] = v;
}]]):kernel "turn"
  for _, from in ipairs { 1024, 65536 } do
    local out = device:buffer("int", 64)
    t.assertEquals(#device:check(turn, { grid = 1, block = 64, shared = 400000 }, { out, from }, "race").findings, 0)
  end
end

function TestCheck.test_all_is_the_default()
  local seen = {}
  for _, f in ipairs(gpu.check(reverse, shape, buffers("iota")).findings) do seen[f.check] = true end
  t.assertEquals(seen, { race = true, init = true })
end

-- A step of a sort finds its pairs in order; a limit that no value reaches is still an error.
function TestCheck.test_a_launch_that_rightly_writes_nothing()
  local sorts = gpu.compile_text([[
extern "C" __global__ void order(int *a)
{
	int i = 2 * threadIdx.x;
	if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }
}
extern "C" __global__ void cut(int *a)
{
	if (a[threadIdx.x] > 1000) a[threadIdx.x] = 1000;
}]])
  for name, found in pairs { order = 0, cut = 1 } do
    local a = gpu.buffer("int", 64, { fill = "iota" })
    local issues = gpu.check(sorts:kernel(name), { grid = 1, block = 32 }, { a }, "unused").findings
    t.assertEquals(#issues, found)
    for _, issue in ipairs(issues) do t.assertStrContains(issue.hint, "depends on loaded values") end
  end
end

function TestCheck.test_refuses()
  local args = buffers("iota")
  refuses("did you mean race?", gpu.check, reverse, shape, args, "rice")
  refuses("1 to 16 names", gpu.check, reverse, shape, args, {})
  refuses("[1]: the name of a check expected, got number", gpu.check, reverse, shape, args, { 1 })
  refuses("table expected", gpu.check, reverse, shape, args, 7)
  refuses("kernel", gpu.check, 7, shape, args)
  refuses("takes 2 arguments", gpu.check, reverse, shape, { args[1] })
  args[1]:free()
  refuses("closed", gpu.check, reverse, shape, args)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
