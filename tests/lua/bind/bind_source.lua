-- gpulab.source: what the readers of C say of PTX and of names.
local machine_code = require "gpulab.show.machine_code"
local lu = require "luaunit"
local ptx = require "gpulab.warp.source.ptx"
local source = require "gpulab.source"

local PTX <const> = [[
.version 9.0
.target sm_90
.address_size 64
	.file	1 "/somewhere/sum.cu"
.visible .entry _Z5otherPf(
	.param .u64 _Z5otherPf_param_0
)
{
	ret;
}
.visible .entry _Z3sumPfi(
	.param .u64 _Z3sumPfi_param_0,
	.param .u32 _Z3sumPfi_param_1
)
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<3>;
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<3>;
	.shared .align 4 .b8 _ZZ3sumPfiE4tile[64];
	.loc	1 3 0
	ld.param.u64 	%rd1, [_Z3sumPfi_param_0];
	mov.u64 	%rd2, _ZZ3sumPfiE4tile; // the array
$L__BB0_1:
	.loc	1 5 3
	ld.global.f32 	%f1, [%rd1];
	fma.rn.f32 	%f2, %f1, %f1, %f2;
	setp.lt.s32 	%p1, %r1, 5;
	@%p1 bra 	$L__BB0_1;
	ret;
}
]]

TestPtx = {}

function TestPtx.test_instructions()
  local code = source.ptx(PTX):code "_Z3sumPfi"
  local instrs, list = machine_code.of_ptx(code, "_Z3sumPfi"), {}
  for i, instr in ipairs(instrs) do list[i] = instr.op end
  lu.assertEquals(table.concat(list, " "), "ld.param.u64 mov.u64 ld.global.f32 fma.rn.f32 setp.lt.s32 bra ret")
  lu.assertEquals(instrs[1].text, "ld.param.u64 %rd1, [param_0]")
  lu.assertEquals(instrs[2].text, "mov.u64 %rd2, tile")
  lu.assertEquals({ instrs[3].file, instrs[3].line, instrs[6].to }, { "/somewhere/sum.cu", 5, 3 })
  lu.assertEquals({ code.entry, code.target, code.params[2].offset }, { true, "sm_90", 8 })
end

function TestPtx.test_registers_and_operands()
  local text = ptx.read(PTX)
  local code = text:code "_Z3sumPfi"
  lu.assertIs(code, text:code "_Z3sumPfi")
  lu.assertEquals({ code.rows[4].writes, code.rows[4].reads }, { { "%f2" }, { "%f1", "%f1", "%f2" } })
  lu.assertEquals({ code.rows[6].guarded, code.rows[6].reads }, { true, {} })
  lu.assertIs(code.by_line[code.lines["$L__BB0_1"]], code.rows[3])
  lu.assertEquals({ code.rows[3].operands, code.rows[3].address }, { { { "%f1" }, { "%rd1" } }, 2 })
  lu.assertEquals({ code.rows[5].operands[3], code.rows[1].symbol }, { 5, "_Z3sumPfi_param_0" })
  lu.assertEquals(text:variables "_Z3sumPfi", { { name = "_ZZ3sumPfiE4tile", space = "shared", bytes = 64, offset = 0 } })
end

function TestPtx.test_paths_with_escapes()
  for written, path in pairs { ["/M\\305\\257j kurz/sum.cu"] = "/M\u{16f}j kurz/sum.cu", ["/\\\"a\\\" \\\\101.cu"] = "/\"a\" \\101.cu" } do
    local module = source.ptx((PTX:gsub("/somewhere/sum%.cu", function() return written end)))
    lu.assertEquals(module:code("_Z3sumPfi").rows[3].file, path)
  end
end

function TestPtx.test_recursion()
  local text = ptx.read(".version 9.0\n.target sm_90\n.address_size 64\n.func a();\n.func b() { call a, (); ret; }\n"
    .. ".func a() { call b, (); ret; }\n.entry k() { call a, (); ret; }\n")
  lu.assertEquals({ text:recursive "a", text:recursive "b", text:recursive "k" }, { true, true, false })
end

function TestPtx.test_what_is_not_there()
  local module = source.ptx(PTX)
  lu.assertNil(module:code "_Z3su")
  lu.assertNil(module:debug "debug_info")
  for n = 1, #PTX, 7 do pcall(source.ptx, PTX:sub(1, n)) end -- what it says does not matter
  lu.assertErrorMsgContains("PTX line 2", source.ptx, ".version 9.0\n.target")
end

TestNames = {}

function TestNames.test_linked_names()
  lu.assertEquals(source.arguments "_Z4tileILi33EfEvPfPKfi", { "33", "float" })
  lu.assertEquals(source.arguments "tile", {})
  lu.assertEquals(source.variable "_ZZ4tilePfE5cache_0", "cache")
end

-- warp/source reads a kernel's file, and what is typed, by source.code.
TestCode = {}

function TestCode.test_tokens_of_a_line()
  local said, lines = {}, {}
  local content = "#define N 4\nx->y[0] += -1.5e-3f * .5 // no\n  >> 'a' 0x1p-3 \"b c\" ' d"
  for i, token in ipairs(source.code(content)) do
    said[i], lines[i] = ("%s:%s"):format(token.kind:sub(1, 1), token.text), token.line
  end
  lu.assertEquals(table.concat(said, " "), "w:x s:-> w:y s:[ n:0 s:] s:+= s:- n:1.5e-3f s:* n:.5 "
    .. "s:> s:> s:'a' n:0x1p-3 s:\"b c\" s:' w:d")
  lu.assertEquals({ lines[1], lines[#lines] }, { 2, 3 })
end

-- run/allowed.lua reads a project's file by source.tokens.
TestAllowed = {}

local function problem(text)
  local said, line = require("gpulab.run.allowed").problem(text)
  return said and ("%d: %s"):format(line, said) or nil
end

function TestAllowed.test_what_a_project_needs()
  for _, text in ipairs { '#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n#include <cooperative_groups/reduce.h>',
    'cudaMalloc(&p, 4); cudaMemsetAsync(p, 0, 4, stream); cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, n);',
    'f<<<grid, block, 0, stream>>>(p);',
    '// exit(0) and "cudaMemcpy"\n/* system("ls")\n asm */ int n;', 'printf("exit(0) \\" system(");', "char c = '\"'; int m = 1'000;",
    'a[[&] { return 0; }()] = 1;', '[[maybe_unused]] int i; #pragma unroll 4', 'int read = 1; tile.open = read;',
    '#pragma unroll\n#define N 4\n#if N > 3\n#endif', '#include <numeric>\n#include <tuple>\n#include <memory>',
    'struct A { int open, kill; __device__ int read(int i) const { return open + i; } };\nint i = a.read(1) + b->read(2);',
    'template <class T> struct __align__(16) B final : A { int main; T read(T i); };\nint B::read(int i) { return i; }',
    'int cudaHostileName, cudaImpossible, cudaPeers, cudaGraphite;', "int a = 0xfe'ff, b = u8'\"', c = L'x', d = 1e5;",
    'case \'"\': f();', 'using namespace std; std::min(a, b);' } do
    lu.assertNil(problem(text), text)
  end
end

function TestAllowed.test_what_it_may_not()
  local refused = { ['int a;\nexit(0);'] = "2: exit", ['ex\\\nit(0);'] = "1: exit", ['#include "/etc/passwd"'] = "#include /etc/passwd",
    ['#include <fstream>'] = "fstream", ['#define X <fstream>\n#include X'] = "of a macro", ['#include <cub/../../x.h>'] = "cub/../",
    ['#import "a.h"'] = "#import", ['#define A(a, b) a##b'] = "##", ['%:include <fstream>'] = "digraph", ['R"(x)"'] = "raw string",
    ['\\u0065xit(0);'] = "backslash", ['extern int x;'] = "extern", ['asm("x");'] = "asm", ['__asm__("x");'] = "__asm__",
    ['__attribute__((constructor)) void f();'] = "__attribute__", ['[[gnu::constructor]] void f();'] = "constructor",
    ['[[\ngnu::used]] int x;'] = "1: the attribute gnu::used", ['int a;\nvoid *operator\nnew(size_t);'] = "2: replacing new",
    ['namespace\nstd { }'] = "namespace std",
    ['namespace std { }'] = "namespace std", ['void *operator new(size_t);'] = "new", ['std::thread t;'] = "thread",
    ['cudaMemcpyAsync(a, b, 4, cudaMemcpyDefault, s);'] = "cudaMemcpyAsync", ['auto f = cudaMallocHost;'] = "cudaMallocHost",
    ['cudaMallocManaged(&p, 4);'] = "cudaMallocManaged", ['__managed__ int x;'] = "__managed__", ['cuMemAlloc(&p, 4);'] = "cuMemAlloc",
    ['cudaLaunchHostFunc(s, f, p);'] = "cudaLaunchHostFunc", ['write (1, p, 4);'] = "write", ['pthread_create(a);'] = "pthread_create",
    ['"a" exit(0);'] = "exit", ["'\\'' ; exit(0);"] = "exit", ['/* */ exit(0);'] = "exit", ['int main() { }'] = "main" }
  for text, said in pairs(refused) do lu.assertStrContains(problem(text) or "nothing", said, false, text) end
end

function TestAllowed.test_a_rate_that_no_memory_has()
  local impossible = require("gpulab.record.project").impossible
  lu.assertNil(impossible(1 << 30, 4800))
  lu.assertStrContains(impossible(1 << 30, 4801), "impossible: the H200's memory moves at most 4800 GB/s")
  lu.assertNil(impossible(1 << 20, 9000))
  lu.assertStrContains(impossible(1 << 20, 20000), "impossible: the H200's L2 cache")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
