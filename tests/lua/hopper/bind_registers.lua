-- setmaxnreg: warps move registers between them, wait for what is not there yet, and say so if it never comes.
local t = require "luaunit"

local SOURCE <const> = [[
template <int MORE> __global__ void __launch_bounds__(384, 1) move(float *a)
{
	if (threadIdx.x < 128) {
		__nanosleep(1000);
		asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
	} else {
		asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MORE));
	}
	__syncthreads();
	a[threadIdx.x] = MORE;
}
template __global__ void move<240>(float *);
template __global__ void move<256>(float *);
extern "C" __global__ void ignored(float *a)
{
	asm volatile("setmaxnreg.inc.sync.aligned.u32 256;");
	a[threadIdx.x] = 1;
}
extern "C" __global__ void __launch_bounds__(384, 1) half(float *a)
{
	if (threadIdx.x % 32 < 16) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
	a[threadIdx.x] = 1;
}
]]

local device = gpu.open "emu:H100"
local module = device:compile_text(SOURCE, { names = { "move<240>", "move<256>", "ignored", "half" } })
local a = device:buffer("float", 384)

TestRegisters = {}

-- What only a later GPU has is compiled for it (sm_100a), and named when a launch gets there.
function TestRegisters.test_a_later_gpu()
  local later <const> = gpu.open "emu:B200"
  local out <const> = later:buffer("unsigned", 32)
  local take <const> = later:compile_text([[
__global__ void take(unsigned *out) {
	__shared__ alignas(16) unsigned columns;
	asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;"
		:: "r"((unsigned)__cvta_generic_to_shared(&columns)) : "memory");
	out[threadIdx.x] = columns;
}]]):kernel "take"
  local outcome <const> = take:launch({ grid = 1, block = 32 }, out)
  t.assertEquals(outcome.status, "fault")
  t.assertStrContains(outcome.message, "does not execute this instruction yet: tcgen05.alloc.cta_group::1")
end

function TestRegisters.test_moved()
  local kernel = module:kernel "move<240>"
  t.assertEquals(kernel.registers, 168) -- as ptxas says: 65536 / 384, in steps of 8
  kernel { grid = 3, block = 384 }(a)
  t.assertEquals(a:download()[383], 240)
end

function TestRegisters.test_too_many()
  t.assertErrorMsgContains("setmaxnreg.inc asks for 256", function()
    module:kernel "move<256>" { grid = 1, block = 384 }(a)
  end)
end

function TestRegisters.test_ignored_without_a_limit()
  module:kernel "ignored" { grid = 1, block = 384 }(a)
  t.assertEquals(a:download()[0], 1)
end

function TestRegisters.test_part_of_a_warp()
  t.assertErrorMsgContains("16 of 32", function() module:kernel "half" { grid = 1, block = 384 }(a) end)
end

os.exit(t.LuaUnit.run("-o", "tap"))
