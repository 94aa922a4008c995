-- A .ptx file is a module as it is: NVRTC's PTX of a file, read again, does what the file does.
local lu = require "luaunit"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local source = [[
template <int N> __global__ void scaled(float *y, const float *x) { y[threadIdx.x] = N * x[threadIdx.x]; }
__global__ void shifted(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] + 1; }
]]
local compiled = gpu.compile_text(source, { names = { "scaled<3>", "shifted" } })

local function file_of(text)
  local name = os.tmpname()
  os.remove(name)
  local file = assert(io.open(name .. ".ptx", "w"))
  file:write(text)
  file:close()
  return name .. ".ptx"
end

local path = file_of(compiled.ptx)
local module = gpu.compile(path)

-- Of 0, 1, 2, 3.
local function result(kernel)
  local x, y = gpu.buffer("float", 4, { fill = "iota" }), gpu.buffer("float", 4)
  kernel:launch({ grid = 1, block = 4 }, y, x)
  local out = y:download()
  return ("%g %g %g %g"):format(out[0], out[1], out[2], out[3])
end

TestPtx = {}

function TestPtx.test_kernels_have_their_names()
  local linked = compiled:kernel("scaled<3>").linked
  lu.assertItemsEquals(module.names, { linked, "shifted" })
  lu.assertEquals(result(module:kernel "shifted"), "1 2 3 4")
  lu.assertEquals(result(module:kernel(linked)), "0 3 6 9")
  lu.assertEquals(result(gpu.kernel(path, linked)), "0 3 6 9")
  lu.assertEquals(module.cc, compiled.cc)
end

function TestPtx.test_what_is_not_there()
  lu.assertErrorMsgContains([["scaled<3>" in ]], gpu.kernel, path, "scaled<3>")
  lu.assertErrorMsgContains("is PTX: nothing here makes SASS of it", function() return module:kernel("shifted"):cubin() end)
  local other = file_of("no PTX at all")
  lu.assertErrorMsgContains("this is no PTX", gpu.compile, other)
  os.remove(other)
end

-- Each is an offset from where the block's own memory begins; the toolkit counts on 288 bytes of zeros at _1.
function TestPtx.test_what_is_reserved_of_shared_memory()
  local reserved = gpu.compile_text([[
    extern "C" __global__ void look(unsigned *o) {
      __shared__ volatile int s[100];
      s[99] = 5;
      unsigned first, last;
      asm volatile("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(o[0]));
      asm volatile("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(o[1]));
      asm volatile("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(o[2]));
      asm volatile("mov.u32 %0, %%reserved_smem_offset_0;" : "=r"(o[3]));
      asm volatile("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(o[4]));
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(first) : "r"(o[4]));
      asm volatile("ld.shared.u32 %0, [%1 + 284];" : "=r"(last) : "r"(o[4]));
      asm volatile("st.shared.u32 [%0], %1;" :: "r"(o[1] - 4), "r"(7));
      o[5] = first | last;
      o[6] = s[99];
    }]]):kernel "look"
  local o = gpu.buffer("uint", 7)
  reserved:launch({ grid = 1, block = 1 }, o)
  local v = o:download()
  lu.assertEquals({ v[1] - v[0], v[2], v[5], v[6] }, { 1024, 1024, 0, 5 })
  if gpu.device.backend == "emu" then lu.assertTrue(v[0] >= 400) end
  lu.assertTrue(v[0] <= v[3] and v[3] < v[1])
  lu.assertTrue(v[0] <= v[4] and v[4] + 288 <= v[1])
end

local code = lu.LuaUnit.run("-o", "tap")
os.remove(path)
os.exit(code)
