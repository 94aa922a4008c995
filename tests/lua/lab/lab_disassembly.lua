-- Reading what disassemblers print; loops; what instructions are for; how two inner loops differ.
package.preload["gpulab.source"] = function() return {} end
local double = require "lab_double"
local lists = require "gpulab.base.lists"
local lu = require "luaunit"
double.install {}
local disassembly = require "gpulab.show.disassembly"
local loops = require "gpulab.show.loops"
local machine_code = require "gpulab.show.machine_code"
local text = require "gpulab.base.text"

local NVDISASM <const> = [[
	.target	sm_90

//--------------------- .text._Z5otherPf --------------------------
	.section	.text._Z5otherPf,"ax",@progbits
.text._Z5otherPf:
        /*0000*/                   EXIT ;
//--------------------- .text._Z3sumPfi --------------------------
.text._Z3sumPfi:
_Z3sumPfi:
	//## File "/somewhere/sum.cu", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   ISETP.GE.AND P0, PT, R2, UR4, PT ;
        /*0020*/               @P0 BRA `(.L_x_1) ;
.L_x_2:
	//## File "/somewhere/sum.cu", line 5
        /*0030*/                   LDG.E R3, desc[UR4][R8.64] ;
        /*0040*/                   BRA.DIV UR6, `(.L_x_7) ;
.L_x_5:
        /*0050*/                   FFMA R0.reuse, R3, R4, R0 ;
        /*0060*/                   ISETP.NE.AND P1, PT, R2, RZ, PT ;
        /*0070*/              @!P1 BRA `(.L_x_2) ;
.L_x_1:
	//## File "/somewhere/sum.cu", line 7
        /*0080*/                   STG.E desc[UR4][R8.64], R0 ;
        /*0090*/                   EXIT ;
.L_x_7:
        /*00a0*/                   MOV R5, 0x1 ;
        /*00b0*/                   BRA `(.L_x_5) ;
.L_x_9:
        /*00c0*/                   BRA `(.L_x_9);
        /*00d0*/                   NOP;
        /*00e0*/                   NOP;
.L_x_10:
//--------------------- .text._Z4lastPf --------------------------
        /*0000*/                   BRA `(.L_x_2) ;
]]

local CUOBJDUMP <const> = [[
Fatbin elf code:
================
arch = sm_90

	code for sm_90
		Function : _Z3sumPfi
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                        /* 0x00000a00ff017b82 */
                                                                                 /* 0x000fe20000000800 */
        /*0010*/                   FADD R0, R0, R1 ;                             /* 0x00000a00ff017b82 */
        /*0020*/              @!P0 BRA 0x10 ;                                    /* 0x00000a00ff017b82 */
        /*0030*/                   EXIT ;                                        /* 0x00000a00ff017b82 */
        /*0040*/                   BRA 0x40;                                     /* 0x00000a00ff017b82 */
        /*0050*/                   NOP;                                          /* 0x00000a00ff017b82 */
		Function : _Z5otherPf
        /*0000*/                   EXIT ;
]]

local function ops(instrs)
  local list = {}
  for i, instr in ipairs(instrs) do list[i] = instr.op end
  return table.concat(list, " ")
end

TestReading = {}

function TestReading.test_nvdisasm()
  local instrs = machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi")
  lu.assertEquals(ops(instrs),
    "LDC ISETP.GE.AND BRA LDG.E BRA.DIV FFMA ISETP.NE.AND BRA STG.E EXIT MOV BRA")
  lu.assertEquals(instrs[1].line, 3)
  lu.assertEquals(instrs[4].file, "/somewhere/sum.cu")
  lu.assertEquals(instrs[4].line, 5)
  lu.assertEquals(instrs[3].text, "@P0 BRA .L_x_1")
  lu.assertEquals(instrs[3].to, 9)
  lu.assertEquals(instrs[8].to, 4)
  lu.assertNil(instrs[1].to)
  lu.assertEquals(#machine_code.read_nvdisasm(NVDISASM, "_Z4lastPf"), 1)
  lu.assertEquals(#machine_code.read_nvdisasm(NVDISASM, "_Z4nonePf"), 0)
end

function TestReading.test_cuobjdump()
  local instrs = machine_code.read_cuobjdump(CUOBJDUMP, "_Z3sumPfi")
  lu.assertEquals(ops(instrs), "LDC FADD BRA EXIT")
  lu.assertEquals(instrs[3].to, 2)
  lu.assertNil(instrs[1].line)
end

-- Both compilers write the bytes of letters beyond ASCII, quotes and backslashes as escapes.
function TestReading.test_paths_with_escapes()
  for written, path in pairs {
    ["/M\\305\\257j kurz/sum.cu"] = "/M\u{16f}j kurz/sum.cu", ["/\\\"a\\\" \\\\101\\t.cu"] = "/\"a\" \\101\t.cu",
    ["/\\0001\\777\\033\\n\\8.cu"] = "/\\0001\\777\\033\\n\\8.cu" } do
    local place = function() return written end
    local sass = NVDISASM:gsub("/somewhere/sum%.cu", place)
    lu.assertEquals(machine_code.read_nvdisasm(sass, "_Z3sumPfi")[4].file, path)
  end
end

function TestReading.test_what_is_no_code()
  for _, broken in ipairs { "", "\n\n", "nvdisasm fatal   : no such file", ("x"):rep(100000), "\0\1\2", "/*0000*/ ; ;",
    "//---- .text._Z3sumPfi ----\n /*0*/ BRA `(.L_x_99) ;\n", "Function : _Z3sumPfi\n /*0*/ BRA 0xfffffff ;",
    ".entry _Z3sumPfi(" } do
    for _, read in ipairs { machine_code.read_nvdisasm, machine_code.read_cuobjdump } do
      local instrs = read(broken, "_Z3sumPfi")
      lu.assertTrue(#instrs <= 1)
      lu.assertNil(loops.inner(instrs))
    end
  end
  -- every prefix of good output is read without an error
  for n = 1, #NVDISASM, 7 do loops.all(machine_code.read_nvdisasm(NVDISASM:sub(1, n), "_Z3sumPfi")) end
end

TestLoops = {}

-- "a b>1 c" : instruction b may branch to 1; "x" ends a way, "j>3" always jumps.
local function program(said)
  local instrs = {}
  for word in said:gmatch("%S+") do
    local name, to = word:match("^(%a+)>?(%d*)$")
    local op = name == "x" and "EXIT" or to ~= "" and "BRA" or "MOV"
    local conditional = name ~= "j" and to ~= "" and "@P0 " or ""
    instrs[#instrs + 1] = { op = op, text = conditional .. op, to = math.tointeger(to) }
  end
  return instrs
end

function TestLoops.test_innermost_of_nested()
  local inner = loops.inner(program "a b c d>3 e f>2 x")
  lu.assertEquals(inner.list, { 3, 4 })
  lu.assertEquals(inner.depth, 2)
  lu.assertEquals(inner.count, 2)
end

function TestLoops.test_longest_of_equal_depth()
  lu.assertEquals(loops.inner(program "a b>1 c d e>3 x").list, { 3, 4, 5 })
end

function TestLoops.test_two_ways_back_are_one_loop()
  local all = loops.all(program "a b>1 c d>1 x")
  lu.assertEquals(#all, 1)
  lu.assertEquals(all[1].list, { 1, 2, 3, 4 })
end

function TestLoops.test_code_behind_the_end_is_no_loop()
  local instrs = machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi")
  local all = loops.all(instrs)
  lu.assertEquals(#all, 1)
  lu.assertEquals(all[1].list, { 4, 5, 6, 7, 8, 11, 12 }) -- with what lies behind the end, and without what lies between
end

function TestLoops.test_none()
  lu.assertNil(loops.inner {})
  lu.assertNil(loops.inner(program "a b x"))
  lu.assertNil(loops.inner(program "j>3 x j>2")) -- back, but not to where every way leads through
  lu.assertNil(loops.inner(program "x a b>2")) -- nobody gets there
  lu.assertEquals(loops.inner(program "j>1").list, { 1 })
end

TestKinds = {}

function TestKinds.test_what_operations_are_for()
  for op, kind in pairs { ["LDG.E.128"] = "global memory", STS = "shared memory", ["FFMA.FTZ"] = "FP32",
    ["IMAD.WIDE.U32"] = "integers", ["MUFU.RCP"] = "special functions", ["BAR.SYNC"] = "control", LDC = "constants",
    ["ld.global.nc.v4.f32"] = "global memory", ["fma.rn.ftz.f32"] = "FP32", ["add.s32"] = "integers",
    ["add.f64"] = "FP64", ["setp.lt.f32"] = "FP32", ["setp.lt.s32"] = "integers", ["shfl.sync.down.b32"] = "between lanes",
    ["mul.wide.u32"] = "integers", ["HMMA.16816.F32"] = "FP16 and matrix", ["cvt.rn.f32.s32"] = "moves and conversions",
    ["div.rn.f32"] = "special functions", QUUX = "other", ["?"] = "other" } do
    lu.assertEquals(machine_code.kind_of(op), kind, op)
  end
end

function TestKinds.test_mix()
  local mix = machine_code.mix(machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi"))
  lu.assertEquals(mix.total, 12)
  lu.assertEquals(mix["control"], { count = 5, ops = { { "BRA", 4 }, { "EXIT", 1 } } })
  lu.assertEquals(mix["global memory"].count, 2)
end

TestShowing = {}

local function narrow(lines)
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  return table.concat(lines, "\n")
end

function TestShowing.test_listing_marks_the_loop_and_names_labels()
  local code = { kind = "sass", instrs = machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi") }
  local said = narrow(disassembly.lines(code, "/somewhere/sum.cu", {}))
  lu.assertStrContains(said, "   3  \n         LDC R1, c[0x0][0x28]")
  lu.assertStrContains(said, " | L1:\n | 5  \n |       LDG.E R3")
  lu.assertStrContains(said, " |       @!P1 BRA L1\n   L3:\n   7")
  said = narrow(disassembly.lines(code, "/elsewhere/other.cu", {}))
  lu.assertStrContains(said, "sum.cu:5")
end

function TestShowing.test_change_does_not_see_registers()
  local a = machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi")
  local b = machine_code.read_nvdisasm((NVDISASM:gsub("R3", "R33"):gsub("P1", "P2")), "_Z3sumPfi")
  lu.assertStrContains(narrow(disassembly.change_lines(a, b, {})), "identical")
  b = machine_code.read_nvdisasm((NVDISASM:gsub("LDG.E R3", "LDG.E.CONSTANT R7")), "_Z3sumPfi")
  local said = narrow(disassembly.change_lines(a, b, {}))
  lu.assertStrContains(said, "  - LDG.E R3, desc[UR4][R8.64]\n  + LDG.E.CONSTANT R7, desc")
end

-- Of two loads that look like one of the other kernel, the one from the same array is the same: the other has changed.
function TestShowing.test_a_changed_operand_is_seen()
  local function ptx(from)
    return lists.map({ "ld.shared.f32 %f20, [%rd4+" .. from .. "]", "ld.shared.f32 %f21, [%rd3+4]",
      "fma.rn.f32 %f22, %f21, %f20, %f17" }, function(said) return { text = said } end)
  end
  local said = narrow(disassembly.change_lines(ptx(128), ptx(4), {}))
  lu.assertStrContains(said, "  - ld.shared.f32 %f20, [%rd4+128]\n  + ld.shared.f32 %f20, [%rd4+4]\n    ld.shared.f32 %f21")
  lu.assertNotStrContains(said, "without a sign")
  said = narrow(disassembly.change_lines(ptx(128), { { text = "ld.shared.f32 %f1, [%rd7+4]" } }, {}))
  lu.assertStrContains(said, "Lines without a sign are the first one's")
end

function TestShowing.test_mix_of_two()
  local a = machine_code.mix(machine_code.read_nvdisasm(NVDISASM, "_Z3sumPfi"))
  local b = machine_code.mix(machine_code.read_cuobjdump(CUOBJDUMP, "_Z3sumPfi"))
  local said = narrow(disassembly.mix_lines(a, b, "tile", "padded", {}))
  lu.assertStrContains(said, "global memory")
  lu.assertStrMatches(said, ".*\n  FP32 +1 +1\n    FFMA +1 +0 +%-1\n    FADD +0 +1 +%+1\n.*")
  lu.assertStrMatches(said, ".*\n  all +12 +4 +%-8")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
