-- What the compiler made of real kernels: the cubin, PTX always, SASS where a disassembler is.
local loops = require "gpulab.show.loops"
local lu = require "luaunit"
local machine_code = require "gpulab.show.machine_code"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local source = [[
template <int N> __global__ void product(float *c, const float *a, const float *b, int n)
{
	__shared__ float tile[N];
	float sum = 0;
	for (int i = 0; i < n; i++) {
		tile[threadIdx.x] = a[i];
		__syncthreads();
		#pragma unroll 1
		for (int k = 0; k < N; k++) sum += tile[k] * b[k];
		__syncthreads();
	}
	c[threadIdx.x] = sum;
}
extern "C" __global__ void plain(float *c) { c[threadIdx.x] = 1; }
]]
local module = gpu.compile_text(source, { names = { "product<32>", "plain" } })
local product, plain = module:kernel "product<32>", module:kernel "plain"

TestMachineCode = {}

function TestMachineCode.test_cubin_and_names()
  lu.assertEquals(product:cubin():sub(1, 4), "\127ELF")
  lu.assertEquals(product.linked, "_Z7productILi32EEvPfPKfS2_i")
  lu.assertEquals(plain.linked, "plain")
  lu.assertErrorMsgContains("gpulab.kernel expected", product.cubin, module)
end

-- An emulator needs none, so it is made when it is asked for: then its headers must be the same.
function TestMachineCode.test_cubin_of_what_has_changed()
  local folder = os.tmpname()
  os.remove(folder)
  os.execute("mkdir " .. folder)
  local function write(name, text)
    local file <close> = assert(io.open(folder .. "/" .. name, "w"))
    file:write(text)
  end
  write("k.cu", '#include "value.h"\n__global__ void k(int *p) { *p = VALUE; }\n')
  write("value.h", "#define VALUE 1\n")
  local kernel = gpu.kernel(folder .. "/k.cu", "k")
  write("value.h", "#define VALUE 2\n")
  if gpu.device.emulates then lu.assertErrorMsgContains("compile it again", kernel.cubin, kernel) end
  os.execute("rm -r " .. folder)
end

local function has(mix, kind) return mix[kind] and mix[kind].count or 0 end

local function check(code)
  local loop = loops.inner(code.instrs)
  lu.assertEquals(loop.depth, 2)
  lu.assertEquals(loop.count, 2)
  local inner = {}
  for i, at in ipairs(loop.list) do inner[i] = code.instrs[at] end
  local mix = machine_code.mix(inner)
  lu.assertEquals(has(mix, "shared memory"), 1)
  lu.assertEquals(has(mix, "global memory"), 1)
  lu.assertEquals(has(mix, "FP32"), 1)
  lu.assertEquals(has(machine_code.mix(code.instrs), "other"), 0)
  local lines = {}
  for _, instr in ipairs(code.instrs) do lines[instr.line or 0] = true end
  lu.assertTrue(lines[9] and lines[12])
end

function TestMachineCode.test_ptx()
  local code = machine_code.ptx(product)
  lu.assertEquals(code.kind, "ptx")
  lu.assertStrMatches(code.target, "sm_%d+")
  check(code)
  lu.assertNil(loops.inner(machine_code.ptx(plain).instrs))
end

function TestMachineCode.test_sass()
  local sass, why = machine_code.sass(product)
  if not machine_code.tool() then
    lu.assertNil(sass)
    lu.assertStrContains(why, "nvdisasm or cuobjdump")
    lu.skip "no nvdisasm and no cuobjdump here"
  end
  lu.assertEquals(why, nil)
  if sass.tool == "nvdisasm" then check(sass) end
  local code, missing = machine_code.sass(plain)
  lu.assertTrue(code ~= nil, missing)
  lu.assertTrue(#code.instrs >= 3)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
