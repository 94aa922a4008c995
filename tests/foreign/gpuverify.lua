-- GPUVerify's test suite for CUDA under gpulab's checkers. By hand:
--
--     gpulab --device emu tests/foreign/gpuverify.lua FOLDER [NAME] < LIST
--
-- FOLDER is testsuite/CUDA in a checkout of mc-imperial/gpuverify. LIST names its kernels' files, one per line:
--
--     find FOLDER -name kernel.cu | sort
--
-- The first lines of a file say whether GPUVerify verifies the kernel (pass) or not (xfail), and its launch. A verifier reasons
-- about all arguments at once, and gpulab runs a kernel: ARGUMENTS has values where ordinary ones would not show the defect,
-- and REASONS why a verdict differs. Prints one line per kernel; exit code 3 if a difference has no reason.
local folder, only = arg[1] or error("the folder of the test suite expected"), arg[2] or ""
local ELEMENTS <const>, STRUCTURES <const> = 1 << 20, 1 << 17 -- of a buffer; no kernel of the suite accesses more

-- GPUVerify's annotations. What they say about one run is checked; what they say about all threads, or about the accesses up
-- to now (__read, __write, __uniform_int ...), holds here.
local ANNOTATIONS <const> = [[
#define __implies(a, b) (!(a) || (b))
#define __assert(e) ((e) ? (void)0 : __trap())
#define __assume(e) ((e) ? (void)0 : __trap())
#define __requires(e) ((e) ? (void)0 : __trap())
#define __invariant(e) ((e) ? (void)0 : __trap())
#define __global_invariant(e) ((void)0)
#define __global_assert(e) ((void)0)
#define __ensures(e) ((void)0)
#define __requires_fresh_array(p) ((void)0)
#define __axiom(e) static_assert(true, "")
#define __enabled() true
#define __uniform_int(x) true
#define __uniform_bool(x) true
#define __distinct_int(x) true
#define __other_int(x) ((x) + 1)
#define __read(p) false
#define __write(p) false
#define __no_read(p) true
#define __no_write(p) true
#define __read_implies(p, e) true
#define __write_implies(p, e) true
#define __read_offset_bytes(p) 0
#define __write_offset_bytes(p) 0
#define __ptr_offset_bytes(p) 0
#define __mod_pow2(a, b) ((a) & ((b) - 1))
#define uint unsigned
#define NULL nullptr
#define __builtin_memcpy memcpy
#define __builtin_memset memset
#define synchronize(group) (group).sync()
]]

-- What a kernel gets in place of 1 for numbers and a buffer for pointers, by the folder's name. args(buffers, new, address)
-- returns the arguments: buffers are the ordinary ones, new(type) is a further one, address is the value of the variable
-- `chosen` of `more`, which is appended to the source. prepare(module) runs before the launch.
local function one_struct(type)
  return { args = function(_, new) return { { new(type) } } end }
end

local function array_of_pointers(_, new)
  local pointers, to = {}, new "float"
  for i = 1, 42 do pointers[i] = to end
  return { { pointers } }
end

local function function_pointer(name, more_args)
  return { more = ("__device__ funcType chosen = %s;"):format(name),
    args = function(args, _, address) return { args[1], address, table.unpack(more_args or { 1024 }) } end }
end

-- The state's last field points to the generator's parameters; the two before it are 32-bit numbers, and 1024 precede them.
local mtgp32 <const> = { args = function(args, new)
  local state = new "unsigned long long"
  state:upload({ new "int" }, 513)
  return { state, args[2] }
end }

local UNDEFINED <const> = { bar = "__device__ void bar(s x) { }", number = "__device__ void bar(int i) { }",
  -- Loops of the callers end: most values are 0.
  nondet = "__device__ unsigned state; __device__ %s nondet() { return atomicAdd(&state, 1) %% 3 == 0; }" }

local ARGUMENTS <const> = {
  ["fresh_arrays/fail/array"] = { args = array_of_pointers }, ["fresh_arrays/pass/array"] = { args = array_of_pointers },
  ["fresh_arrays/fail/inherit"] = one_struct "float", ["fresh_arrays/pass/inherit"] = one_struct "float",
  ["fresh_arrays/fail/struct_char"] = one_struct "char", ["fresh_arrays/pass/struct_char"] = one_struct "char",
  ["fresh_arrays/fail/struct_float"] = one_struct "float", ["fresh_arrays/pass/struct_float"] = one_struct "float",
  ["fresh_arrays/fail/struct_nested"] = { args = function(_, new) return { { { new "float" } } } end },
  ["pointers_in_structs/test2"] = one_struct "int", ["store_in_byval_function"] = one_struct "int",
  ["pointers_in_structs/test3"] = one_struct "int",
  ["pointers_in_structs/test4"] = { args = function(_, new) return { { new "int", new "int" } } end },
  ["memcpy/unhandled_varlen"] = { args = function(args) return { args[1], args[2], 8 } end },
  ["inheritance_struct_simplify/direct"] = { args = function() return { "\0\0\0\0", "\0\0\0\0" } end },
  ["inheritance_struct_simplify/indirect"] = { args = function() return { "\0\0\0\0", "\0\0\0\0" } end },
  ["memcpy_simplification/i8_element_parameter_passed_to_call"] = { more = UNDEFINED.bar, args = function() return { 1 } end },
  ["memcpy_simplification/parameter_passed_to_call"] = { more = UNDEFINED.bar, args = function() return { { 1 } } end },
  ["memcpy_simplification/array_element_passed_to_call1"] = { more = UNDEFINED.bar },
  ["memcpy_simplification/array_element_passed_to_call2"] = { more = UNDEFINED.bar },
  ["memcpy_simplification/i8_element_global_passed_to_call1"] = { more = UNDEFINED.bar },
  ["memcpy_simplification/i8_element_global_passed_to_call2"] = { more = UNDEFINED.bar },
  ["memcpy_simplification/shared_element_passed_to_call"] = { more = UNDEFINED.bar },
  ["misc/pass/misc4"] = { more = UNDEFINED.number, args = function() return { 100, 0 } end },
  ["misc/pass/misc5"] = { more = UNDEFINED.nondet:format "int" }, ["misc/pass/misc6"] = { more = UNDEFINED.nondet:format "char" },
  ["predication/test1"] = { more = UNDEFINED.nondet:format "char" },
  ["predication/test2"] = { more = UNDEFINED.nondet:format "char" },
  ["memset/unhandled_varlen"] = { more = "__device__ int bar() { return 16; }" },
  ["memset/unhandled_varval"] = { more = "__device__ int bar() { return 16; }" },
  ["function_pointers/basic_argument_pass"] = function_pointer "divideByTwo",
  ["function_pointers/basic_argument_fail"] = { args = function(args) return { args[1], 0, 1024 } end },
  ["function_pointers/basic_assignment_fail"] = { args = function(args) return { args[1], 1024, 3 } end },
  ["function_pointers/pass_struct/call"] = { args = function(args) return { args[1], 0, 1024 } end },
  ["function_pointers/pass_struct/requires"] = function_pointer "multiplyByTwo",
  ["function_pointers/pass_struct/requires_call"] = function_pointer "multiplyByTwo",
  ["function_pointers/funcptr_to_ptr"] = function_pointer("divideByTwo", { 1024, 1 }),
  ["function_pointers/funcptr_to_ptr_add"] = function_pointer("divideByTwo", { 1024, 0 }),
  ["function_pointers/funcptr_lt"] = { more = "__device__ funcType chosen[2] = { divideByTwo, multiplyByTwo };",
    args = function(args, _, address, second) return { args[1], address, second, 1024 } end },
  ["globalarray/fail"] = { prepare = function(module) module:symbol("A"):upload({ 1, 1, 1, 1, 1, 1, 1, 1 }, "int") end },
  ["curand_tests/fail/curand_mtgp32_block_race"] = mtgp32, ["curand_tests/fail/curand_mtgp32_race"] = mtgp32,
  ["curand_tests/pass/curand_mtgp32"] = mtgp32,
  ["misc/pass/misc1"] = { args = function() return { 143 } end },
  ["misc/fail/miscfail2"] = { args = function(args) args[6], args[7] = 13, 143 return args end },
  ["misc/fail/miscfail8"] = { args = function() return { { 1, 1 } } end },
  ["param_values/value_causing_race"] = { args = function(args) return { args[1], 185 } end },
  ["param_values/value_in_assert"] = { args = function() return { 12, 36, 48 } end },
  ["reduced_strength_with_requires"] = { args = function(args) return { args[1], 1024 } end },
}

local SAME <const> = "the threads store the same value, which gpulab does not call a race"
local REFERENCE <const> = "texture references, which CUDA 12 removed"
local NO_KERNEL <const> = "a wrong annotation; the file has no kernel"
local TRANSLATOR <const> = "the kernel is right; GPUVerify's translator does not know "
local REASONS <const> = {
  ["annotation_tests/test_axiom"] = "an axiom says that block (16,16) is the only one; the launch has others",
  ["argument_promotion"] = REFERENCE, ["memcpy_simplification/global_passed_to_call"] = REFERENCE,
  ["annotation_tests/test_all"] = "votes without a mask, which NVRTC no longer compiles",
  ["curand_tests/fail/init_race"] = SAME, ["loop_unwind"] = SAME, ["memcpy/fail_overstep"] = SAME, ["memcpy/lentoobig"] = SAME,
  ["memcpy/notexactdiv"] = SAME, ["memcpy/unhandled_varlen"] = SAME,
  ["memcpy/fail_arrayofstruct"] = "the threads store a struct that was never written: no values that could differ",
  ["function_pointers/unknown_function"] = TRANSLATOR .. "a pointer to cos",
  ["memset/unhandled_varlen"] = TRANSLATOR .. "memset of a variable length",
  ["memset/unhandled_varval"] = TRANSLATOR .. "memset of a variable value",
  ["return_val/char"] = NO_KERNEL, ["return_val/longlong"] = NO_KERNEL,
  ["misc/fail/miscfail2"] = "the kernel is right; the proof lacks an invariant, on purpose",
  ["misc/fail/miscfail7"] = "the kernel is right for a pointer that is not null",
}

-- Errors that NVRTC finds, as GPUVerify's compiler does.
local COMPILER <const> = { ["misc/fail/miscfail1"] = true, ["misc/fail/miscfail6"] = true }

local ELEMENT <const> = { float = "float", double = "double", int = "int", ["unsigned int"] = "unsigned", uint = "unsigned",
  unsigned = "unsigned", char = "char", ["unsigned char"] = "unsigned char", ["unsigned long long int"] = "unsigned long long" }

-- {expected, grid, block, defines, lockstep} of a file's first lines.
local function directives(text)
  local first, second = text:match("//([^\n]*)\n//([^\n]*)")
  local function shape(name)
    local list, numbers = second:match(name .. "=%[?([%d,]+)"), {}
    for number in list:gmatch("%d+") do numbers[#numbers + 1] = math.tointeger(number) end
    return numbers
  end
  local block = shape("blockDim")
  local size = 1
  for i, n in ipairs(block) do -- the suite's blocks may be larger than a GPU's
    block[i] = math.max(math.min(n, 1024 // size), 1)
    size = size * block[i]
  end
  local defines = {}
  for name, value in second:gmatch("%-D(%w+)=(%w+)") do defines[name] = value end
  return { expected = first:lower():match("^%a+"), grid = shape("gridDim"), block = block, defines = defines,
    -- groups of 16 are no warps: a kernel that is racy in them is run without lockstep
    lockstep = second:find(first:find("pass") and "warp-sync" or "warp-sync=32", 1, true) ~= nil }
end

local function source_of(path, name)
  local file = assert(io.open(path))
  local text = file:read("a")
  file:close()
  local body = text:gsub("#include *[<\"]cuda%.h[>\"]", "")
  local headers = text:find("cooperative_groups") and "#include <cooperative_groups.h>\n"
    or text:find("curand") and "#include <curand_kernel.h>\n#include <curand_mtgp32_kernel.h>\n" or ""
  local more = ARGUMENTS[name] and ARGUMENTS[name].more or ""
  return text, ('%s%s#line 1 "%s.cu"\n%s\n%s\n'):format(headers, ANNOTATIONS, name, body, more)
end

-- Of numbers 0, 1, 2 ..., or of structures with something in all their bytes.
local function buffer_of(device, module, type)
  local made, new = pcall(module.buffer, module, type, STRUCTURES)
  if ELEMENT[type] or not made then return device:buffer(ELEMENT[type] or "int", ELEMENTS, { fill = "iota" }) end
  local bytes = {}
  for i = 1, new.bytes do bytes[i] = string.char(i % 251) end
  new:upload(table.concat(bytes))
  return new
end

local function arguments(device, text, name, module)
  local special = ARGUMENTS[name]
  local parameters = text:match("__global__[^{;]-(%b())"):sub(2, -2)
  local args, buffers = {}, {}
  for parameter in parameters:gmatch("[^,]+") do
    local pointed = parameter:match("^%s*(.-)%s*%*")
    if pointed then
      local plain = pointed:gsub("volatile ", ""):gsub("const ", "")
      buffers[#buffers + 1] = buffer_of(device, module, plain)
      args[#args + 1] = buffers[#buffers]
    else
      args[#args + 1] = 1
    end
  end
  if special and special.args then
    local addresses = special.more and special.more:find("chosen", 1, true)
      and module:symbol("chosen"):download("unsigned long long") or {}
    args = special.args(args, function(type)
      buffers[#buffers + 1] = device:buffer(type, ELEMENTS, { fill = 0 })
      return buffers[#buffers]
    end, addresses[0], #addresses > 1 and addresses[1] or nil)
  end
  return args, buffers
end

local function first_line(problem)
  local message = type(problem) == "table" and problem.message or tostring(problem)
  return message:match("error: ([^\n]*)") or message:match("[^\n]*")
end

-- What the checkers make of the kernel: "clean", or what is wrong.
local function run(device, path, name, options)
  local text, source = source_of(path, name)
  local launch, special = directives(text), ARGUMENTS[name] or {}
  local compiled, module = pcall(function()
    return device:compile_text(source, { defines = launch.defines, options = options })
  end)
  if not compiled then
    assert(COMPILER[name] or REASONS[name], module)
    return "does not compile: " .. first_line(module)
  end
  if #module.names == 0 then return "no kernel" end
  local args, buffers = arguments(device, text, name, module)
  if special.prepare then special.prepare(module) end
  local ran, result = pcall(function()
    local config = { grid = launch.grid, block = launch.block, work_limit = 1000000,
      cooperative = source:find("grid_group", 1, true) ~= nil or nil }
    return gpu.check(module:kernel(module.names[1]), config, args, { "memory", "race", "sync" }, 4)
  end)
  for _, buffer in ipairs(buffers) do buffer:free() end
  local findings = type(result) == "table" and result.findings or {}
  if findings[1] then return findings[1].check .. ": " .. first_line(findings[1]) end
  if ran then return "clean" end
  assert(type(result) == "table" and (result.kind == "fault" or result.kind == "timeout"), result)
  return result.kind == "timeout" and "does not end" or first_line(result)
end

-- Stores that nothing reads exist only in code that is not optimized.
local function verdict(device, path, name, expected)
  local said = run(device, path, name, { "-default-device" })
  if said == "clean" and expected == "xfail" then
    said = run(device, path, name, { "-default-device", "-G" })
    if said ~= "clean" then said = "with -G, " .. said end
  end
  return said
end

local devices = { [true] = gpu.open("emu:GTX 1080"), [false] = gpu.device }
local totals, unexplained = {}, 0
local function count(what) totals[what] = (totals[what] or 0) + 1 end

for path in io.lines() do
  local name = path:sub(#folder + 2):match("^(.*)/kernel%.cu$")
  if name and name:find(only, 1, true) then
    local file = assert(io.open(path))
    local launch = directives(file:read("a"))
    file:close()
    local expected = launch.expected
    local ok, said = pcall(verdict, devices[launch.lockstep], path, name, expected)
    if not ok then said = "TROUBLE: " .. first_line(said) end
    local as_expected = ok and (said == "clean") == (expected == "pass") and not REASONS[name]
    local reason = REASONS[name]
    local class = as_expected and (expected == "pass" and "clean" or "found") or ok and reason and "explained" or "DIFFERS"
    count(expected .. " " .. class)
    if class == "DIFFERS" then unexplained = unexplained + 1 end
    print(("%-9s %-5s %-52s %s"):format(class, expected, name, as_expected and said or reason or said))
  end
end

local names = {}
for name in pairs(totals) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do print(("%4d %s"):format(totals[name], name)) end
if unexplained > 0 then os.exit(3, true) end
