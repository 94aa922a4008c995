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
