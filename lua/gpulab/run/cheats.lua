-- Kernels that compute an exercise's result the wrong way, made from its starter, its solution and, where there is
-- one, a description of one element of the result: what an acceptance check has to refuse. And mutants: the solution
-- with one change.
local lists = require "gpulab.base.lists"
local cheats = {}

-- Reading kernels ---------------------------------------------------------------------------------

local function strip_comments(content)
  return (content:gsub("/%*.-%*/", " "):gsub("//[^\n]*", ""))
end

-- "const float *in" -> its text and its name; one is made up where there is none.
local function parameters_of(list)
  local params = {}
  for text in list:gmatch("[^,]+") do
    text = text:match("^%s*(.-)%s*$"):gsub("%s+", " ")
    local name = text:match("[%s%*&]([%a_][%w_]*)$")
    if not name or name == "__restrict__" then
      name = "unused" .. #params
      text = text .. " " .. name
    end
    local type = text:sub(1, -#name - 1):gsub("__restrict__", ""):match("^%s*(.-)%s*$")
    params[#params + 1] = { text = text, name = name, type = type }
  end
  return params
end

local function texts_of(params)
  return table.concat(lists.map(params, "text"), ", "), table.concat(lists.map(params, "name"), ", ")
end

---A kernel taken apart: its parameters, and the file with the kernel as a device function `body` whose first
---parameters are the block's and the thread's indices; nil if there is no such kernel.
---@param content string a .cu file @param name string
function cheats.read(content, name)
  local plain = strip_comments(content)
  local first, last, list = plain:find("__global__%s+void%s+" .. name .. "%s*(%b())")
  if not first then return nil end
  local params = parameters_of(list:sub(2, -2))
  local declared = texts_of(params)
  local as_device = plain:sub(1, first - 1)
    .. "__device__ void body(uint3 blockIdx, uint3 threadIdx, " .. declared .. ")" .. plain:sub(last + 1)
  return { params = params, as_device = as_device, text = plain,
    alone = not plain:find "_sync" and not plain:find "__shared__" }
end

-- Of the solution and the starter -----------------------------------------------------------------

local EVERY_BLOCK <const> = [[
	for (b.z = 0; b.z < gridDim.z; b.z++)
		for (b.y = 0; b.y < gridDim.y; b.y++)
			for (b.x = 0; b.x < gridDim.x; b.x++) {
				CALL
				__syncthreads();
			}
]]
local EVERY_THREAD <const> = [[
	for (t.z = 0; t.z < blockDim.z; t.z++)
		for (t.y = 0; t.y < blockDim.y; t.y++)
			for (t.x = 0; t.x < blockDim.x; t.x++)
				CALL
]]

local function wrapped(kernel, name, before, around)
  local declared, names = texts_of(kernel.params)
  local code = around:gsub("CALL", ("body(b, t, %s);"):format(names))
  return ("%s\n__global__ void %s(%s)\n{\n\tuint3 b = blockIdx, t = threadIdx;\n%s%s}\n"):format(kernel.as_device, name,
    declared, before, code)
end

local FLAT <const> = [[
	unsigned flat = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
]]

local function of_solution(add, kernel, name, path, blocks)
  local function make(id, what, before, around) add(id, what, wrapped(kernel, name, before, around)) end
  if blocks > 1 then
    make("one-block", "one block of the grid does everything",
      "\tif (blockIdx.x || blockIdx.y || blockIdx.z)\n\t\treturn;\n", EVERY_BLOCK)
    make("every-block", "every block does everything", "", EVERY_BLOCK)
    make("early-return", "only the first block works", "\tif (blockIdx.x)\n\t\treturn;\n", "\tCALL\n")
  end
  make("four-times", "everything is done four times", "",
    "\tfor (int r = 0; r < 4; r++) {\n\t\tCALL\n\t\t__syncthreads();\n\t}\n")
  if kernel.alone then
    make("one-thread", "one thread of the grid does everything",
      FLAT .. "\tif (flat || blockIdx.x || blockIdx.y || blockIdx.z)\n\t\treturn;\n",
      EVERY_BLOCK:gsub("__syncthreads%(%);", ""):gsub("CALL", function() return EVERY_THREAD end))
    make("thread-per-block", "one thread per block does the block's work", FLAT .. "\tif (flat)\n\t\treturn;\n",
      EVERY_THREAD)
    make("lane-per-warp", "one lane per warp does the warp's work", FLAT .. "\tif (flat % 32)\n\t\treturn;\n", [[
	for (unsigned k = flat; k < flat + 32 && k < blockDim.x * blockDim.y * blockDim.z; k++) {
		t.x = k % blockDim.x, t.y = k / blockDim.x % blockDim.y, t.z = k / blockDim.x / blockDim.y;
		CALL
	}
]])
  end
  add("include", "the shipped solution by #include", ('#include "%s"\n'):format(path))
end

local function of_starter(add, kernel, name)
  local input = lists.find(kernel.params, function(p) return p.type:find "const" and p.type:find "%*" end)
  add("starter-token", "the starter with a token use of a shuffle, a vote and shared memory", wrapped(kernel, name, [[
	__shared__ volatile float token[32];
	__shared__ float4 token4;
]] .. FLAT .. [[
	if (flat == 0)
		token4 = make_float4(1, 2, 3, 4);
	token[flat % 32] = 1;
	__syncwarp();
	if (__popc(__ballot_sync(__activemask(), flat > 0)) + __shfl_sync(__activemask(), flat, 0) > 4096)
		token[flat % 32] = token[(flat + 1) % 32];
]], "\tCALL\n"))
  add("starter-diluted", "the starter with many good accesses beside the bad ones", wrapped(kernel, name, [[
	__shared__ volatile unsigned token[1024];
]] .. FLAT .. [[
	for (int k = 0; k < 64; k++) {
		token[flat] = k;
		unsigned seen = token[flat];
		if (seen > 64)
			token[flat] = 0;
]] .. (input and ("\t\t(void)((volatile const char *)%s)[flat %% 32];\n"):format(input.name) or "") .. "\t}\n",
    "\tCALL\n"))
end

-- Of one element ----------------------------------------------------------------------------------

local PLAIN <const> = "#define LOAD(p, i) ((p)[i])\n"
local ATOMIC <const> = "#define LOAD(p, i) atomicAdd((decltype(zero_of(p)) *)&(p)[i], (decltype(zero_of(p)))0)\n"
  .. "template <typename T> __device__ T zero_of(const T *) { return T(0); }\n"
-- A load of a type in inline assembly: its PTX type, its register's constraint.
local function asm_load(type, ptx, constraint)
  local register = type == "unsigned char" and "unsigned" or type
  return ('__device__ %s asm_load(const %s *p)\n{\n\t%s x;\n\tasm volatile("ld.global.%s %%0, [%%1];" '
    .. ': "=%s"(x) : "l"(p));' .. "\n\treturn x;\n}\n"):format(type, type, register, ptx, constraint)
end
local ASM <const> = asm_load("float", "f32", "f") .. asm_load("int", "s32", "r") .. asm_load("unsigned", "u32", "r")
  .. asm_load("double", "f64", "d") .. asm_load("unsigned char", "u8", "r") .. "#define LOAD(p, i) asm_load(&(p)[i])\n"
local BITS <const> = [[
__device__ unsigned long long bits(unsigned long long seed, unsigned long long i)
{
	unsigned long long z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}
#define LOAD(p, i) made_##p(i)
]]

-- What a known fill puts at i, as a function for each input; nil where one of them is not known.
local function closed_inputs(params, fills)
  local texts = { BITS }
  for i, p in ipairs(params) do
    local fill = fills and fills[i]
    if p.type:find "const" and p.type:find "%*" then
      local type = p.type:gsub("const", ""):gsub("%*", ""):match("^%s*(.-)%s*$")
      local value
      if not fill then return nil end
      if fill.fill == "iota" then value = "i" end
      if fill.fill == "random" then
        value = ("bits(%dull, i)"):format(fill.seed or 0)
        if type == "float" then value = ("(%s >> 40) * 0x1p-24f"):format(value) end
        if type == "double" then value = ("(%s >> 11) * 0x1p-53"):format(value) end
      end
      if not value then return nil end
      texts[#texts + 1] = ("__device__ %s made_%s(long long i) { return %s; }\n"):format(type, p.name, value)
    end
  end
  return table.concat(texts)
end

local LOOPS <const> = {
  { "one-thread", "one thread of the grid does everything",
    "if (block == 0 && t == 0) for (int i = 0; i < n_elements; i++) DO" },
  { "thread-per-block", "one thread per block does the block's work",
    "if (t == 0) for (int i = block; i < n_elements; i += blocks) DO" },
  { "lane-per-warp", "one lane per warp does the warp's work",
    "if (t % 32 == 0) for (int i = (block * threads + t) / 32; i < n_elements; i += blocks * threads / 32) DO" },
  { "one-block", "one block of the grid does everything, the others return early",
    "if (block > 0) return; for (int i = t; i < n_elements; i += threads) DO" },
  { "token", "the naive kernel with a token use of shared memory, a barrier, a vote and a shuffle", [[
	__shared__ unsigned token[32];
	token[t % 32] = t % 32;
	__syncthreads();
	unsigned vote = __ballot_sync(__activemask(), token[t % 32] < 32), from = __shfl_sync(__activemask(), vote, 0);
	for (int i = block * threads + t; i < n_elements && from; i += blocks * threads) DO]] },
  { "repeated", "every thread does the work of four and keeps its own", [[
	for (int i = block * threads + t; i < n_elements; i += blocks * threads)
		for (int r = 3; r >= 0; r--) {
			asm volatile("" ::: "memory");
			DO
		}]] },
  { "strided", "eight neighboring elements per thread: accesses are not coalesced", [[
	for (int c = 8 * (block * threads + t); c < n_elements; c += 8 * blocks * threads)
		for (int i = c; i < c + 8 && i < n_elements; i++) DO]] },
}
local NAIVE <const> = "for (int i = block * threads + t; i < n_elements; i += blocks * threads) DO"

local function of_element(add, element, name, fills)
  local params = parameters_of(element.params)
  local declared, names = texts_of(params)
  local out = element.out or params[1].name
  local type = params[1].type:gsub("%*", ""):match("^%s*(.-)%s*$")
  local except = element.except or {}
  local function make(id, what, loads, loop)
    if except[id] then return end
    local act = element.act and ("act(%s, i);"):format(names) or ("%s[i] = element(%s, i);"):format(out, names)
    add("element-" .. id, what, table.concat {
      "#define TOTAL (int)(gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z)\n", loads,
      element.before or "", "\n",
      element.act and ("__device__ void act(%s, int i) { %s }\n"):format(declared, element.act)
      or ("__device__ %s element(%s, int i) { %s }\n"):format(type, declared, element.of),
      ("__global__ void %s(%s)\n{\n"):format(name, declared), [[
	int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	int threads = blockDim.x * blockDim.y * blockDim.z, blocks = gridDim.x * gridDim.y * gridDim.z;
]], "\tint n_elements = ", element.n, ";\n\t", (loop:gsub("DO", function() return act end)), "\n}\n" })
  end
  for _, of in ipairs(LOOPS) do make(of[1], of[2], PLAIN, of[3]) end
  make("asm", "naive, with loads in inline assembly", ASM, NAIVE)
  if not element.params:find "char" then make("atomics", "naive, with atomics for loads", ATOMIC, NAIVE) end
  local closed = closed_inputs(params, fills)
  if closed then
    make("closed", "the inputs are computed from the seed that is shown, and never read", closed, NAIVE)
  end
end

---Kernels to be refused: {name, what, text}.
---@param of {kernel: string, solution: string?, solution_path: string?, starter: string?, element: table?,
--- fills: table?, blocks: integer?} blocks: of the grid; of a single one no other is like all
---@return {name: string, what: string, text: string}[]
function cheats.all(of)
  local list = {}
  local function add(name, what, content) list[#list + 1] = { name = name, what = what, text = content } end
  local solution, starter = cheats.read(of.solution or "", of.kernel), cheats.read(of.starter or "", of.kernel)
  if solution then of_solution(add, solution, of.kernel, of.solution_path, of.blocks or 2) end
  if starter then of_starter(add, starter, of.kernel) end
  if of.element then of_element(add, of.element, of.kernel, of.fills) end
  return list
end

-- Mutants -----------------------------------------------------------------------------------------

-- What is changed, into what, and how often in one kernel.
local CHANGES <const> = {
  { "barrier removed", "__syncthreads%(%);", ";", 4 },
  { "barrier removed", "__syncwarp%(%);", ";", 2 },
  { "fence weakened", "__threadfence%(%)", "__threadfence_block()", 1 },
  { "fence removed", "__threadfence%(%);", ";", 1 },
  { "padding dropped", "(__shared__[^\n]*%[[%w_]+) %+ %d+%]", "%1]", 2 },
  { "padding dropped", "(constexpr int ROW = %w+) %+ 1;", "%1;", 1 },
  { "condition flipped", " == ", " != ", 2 },
  { "condition flipped", "%f[%w]if %(([%w_%.]+) < ", "if (%1 > ", 2 },
  { "guard removed", "%f[%w]if %([%w_%.]+ < [%w_]+%)", "if (true)", 2 },
  { "index off by one", "%[tid%]", "[tid + 1]", 2 },
  { "index off by one", "%f[%w]i / 32", "i / 32 + 1", 1 },
  { "index off by one", "%[i%]", "[i + 1]", 2 },
  { "index off by one", "%* blockDim%.x %+ threadIdx%.x;", "* blockDim.x + threadIdx.x + 1;", 1 },
  { "loop one short", "for %((%w+ %w+ = [^;]*); (%w+) < (%w+); (%w+%+%+)", "for (%1; %2 < %3 - 1; %4", 2 },
  { "loop one more", "(for %([^;]*; %w+) < (%w+; %w+%+%+)", "%1 <= %2", 2 },
  { "loop ends early", "d > 0", "d > 1", 2 },
  { "sum replaced", " %+= ", " = ", 2 },
  { "lane missing from the mask", "0xffffffff", "0x7fffffff", 1 },
  { "type narrowed", "%f[%w]unsigned (sum)", "unsigned char %1", 1 },
  { "type narrowed", "%f[%w]int (sum)", "signed char %1", 1 },
  { "type narrowed", "%f[%w]float (sum)%f[%W]", "short %1", 1 },
  { "operator changed", " %^ ", " | ", 2 },
  { "operator changed", "max%(", "min(", 1 },
}

local function occurrences(content, pattern)
  local found, at = {}, 1
  while true do
    local first, last = content:find(pattern, at)
    if not first then return found end
    found[#found + 1] = { first, last }
    at = last + 1
  end
end

---The solution with one change each: {name, what, text}.
---@param content string the solution
---@return {name: string, what: string, text: string}[]
function cheats.mutants(content)
  local list, plain = {}, strip_comments(content)
  for _, change in ipairs(CHANGES) do
    local what, pattern, to, most = table.unpack(change)
    for k, at in ipairs(occurrences(plain, pattern)) do
      if k > most then break end
      local text = plain:sub(1, at[1] - 1) .. plain:sub(at[1], at[2]):gsub(pattern, to, 1) .. plain:sub(at[2] + 1)
      local _, line = plain:sub(1, at[1]):gsub("\n", "")
      list[#list + 1] = { name = ("%s %d"):format(what:gsub(" ", "-"), #list + 1), line = line + 1,
        what = ("%s, line %d"):format(what, line + 1), text = text }
    end
  end
  return list
end

return cheats
