-- malloc in kernels: the heap's limit, how a launch sets it, and that freed objects serve again. Needs NVRTC.
local t = require "luaunit"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
// How many objects of so many bytes there are: each thread takes until malloc returns NULL.
__global__ void take(int *out, int bytes) {
	while (malloc(bytes)) atomicAdd(out, 1);
}
__global__ void turn(int *out, int rounds) {
	int ok = 0;
	for (int i = 0; i < rounds; i++) {
		void *p = malloc(1 << 20);
		ok += p != nullptr;
		free(p);
	}
	out[threadIdx.x] = ok;
}
]]

-- What lives in the heap lives as long as its device: each test has one of its own.
local function open(name)
  local device <const> = gpu.open "emu"
  return device:compile_text(SOURCE):kernel(name), device:buffer("int", 4, { fill = 0 })
end

TestHeap = {}

local function taken(heap, bytes)
  local kernel <const>, out <const> = open "take"
  kernel { grid = 1, block = 32, heap = heap } (out, bytes)
  return out[0]
end

function TestHeap.test_eight_mebibytes_unless_set()
  t.assertEquals(taken(nil, 1 << 20), 7)
  t.assertEquals(taken(32 << 20, 1 << 20), 31)
  t.assertEquals(taken(1 << 16, 1 << 20), 0)
  t.assertEquals(taken(nil, 9 << 20), 0)
end

function TestHeap.test_what_is_freed_serves_again()
  local kernel <const>, out <const> = open "turn"
  kernel { grid = 1, block = 4 } (out, 1000)
  for i = 0, 3 do t.assertEquals(out[i], 1000) end
end

function TestHeap.test_it_only_grows_while_objects_live_in_it()
  local kernel <const>, out <const> = open "take"
  kernel { grid = 1, block = 1 } (out, 3 << 20)
  t.assertEquals(out[0], 2)
  local o <const> = kernel:launch({ grid = 1, block = 1, heap = 1 << 20 }, out, 1)
  t.assertEquals(o.status, "limit")
  t.assertStrContains(o.message, "can only grow")
  kernel { grid = 1, block = 1, heap = 16 << 20 } (out, 3 << 20)
  t.assertEquals(out[0], 5)
end

function TestHeap.test_the_limit_is_the_size_where_no_launch_sets_one()
  gpu.limits { heap = "32M" }
  local first <const> = taken(nil, 1 << 20)
  gpu.limits { heap = false }
  t.assertEquals(first, 31)
  t.assertEquals(taken(nil, 1 << 20), 7)
end

TestLimits = {}

function TestLimits.test_all_are_returned_and_false_restores()
  local before <const> = gpu.limits()
  t.assertEquals(before.compile_memory, 1 << 32)
  t.assertEquals(before.gpu_time, 10)
  t.assertEquals(gpu.limits { compile_time = 2.5, emulator_memory = "512M", lua_memory = 1 << 29 }.lua_memory, 1 << 29)
  t.assertEquals(gpu.limits().compile_time, 2.5)
  t.assertEquals(gpu.limits().emulator_memory, 1 << 29)
  t.assertEquals(gpu.limits { compile_time = false, emulator_memory = false, lua_memory = false }, before)
end

function TestLimits.test_nonsense_is_a_mistake_of_usage()
  for _, wrong in ipairs { { compile_memry = 1 }, { compile_time = "much" }, { compile_memory = 5 }, { heap = {} }, { 7 } } do
    local ok, e = pcall(gpu.limits, wrong)
    t.assertFalse(ok)
    if type(e) == "table" then t.assertEquals(e.kind, "usage") end
  end
  local _, e <const> = pcall(gpu.limits, { compile_memry = 1 })
  t.assertStrContains(e.hint, "did you mean compile_memory?")
end

function TestLimits.test_a_launch_that_loops_names_the_limit()
  local device <const> = gpu.open "emu"
  local kernel <const> = device:compile_text("__global__ void loop(int *p) { for (;;) ++*p; }"):kernel "loop"
  local p <const> = device:buffer("int", 1, { fill = 0 })
  gpu.limits { emulator_time = 0.3 }
  local o <const> = kernel:launch({ grid = 1, block = 1 }, p)
  gpu.limits { emulator_time = false }
  t.assertEquals(o.status, "timeout")
  t.assertStrContains(o.message, "300 ms")
  t.assertStrContains(o.message, "--limit emulator_time=300")
end

function TestHeap.test_a_size_that_is_none()
  local kernel <const>, out <const> = open "turn"
  for _, wrong in ipairs { -1, 0.5, "much", 1 << 40 } do
    local ok, e = pcall(kernel.launch, kernel, { grid = 1, block = 1, heap = wrong }, out, 1)
    t.assertFalse(ok)
    t.assertStrContains(tostring(e), "heap: a whole number from 0")
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
