-- gpulab new-lab FILE.cu: a lab with one step per kernel of the file, which loads as it is and whose gaps are marked.
local cuda_file = require "gpulab.prompt.cuda_file"
local files = require "gpulab.base.files"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local printable = require "gpulab.base.text".printable
local where = require "gpulab.base.where"

local skeleton = {}

local ADDRESS <const> = "unsigned long long"

-- What cannot be a parameter's name: "unsigned int" has none.
local BUILT_IN <const> = { int = true, long = true, short = true, char = true, unsigned = true, float = true,
  double = true, bool = true }

-- "const float *a = nullptr" is { type = "float", pointer = true, const = true, name = "a" }. A pointer to
-- pointers is one to addresses.
local function parameter(source, number)
  local declared = source:gsub("%s*=.*$", ""):gsub("__restrict__", " "):gsub("[%w_:]*volatile", " ")
  local const = declared:match("%f[%w_]const%f[^%w_]") ~= nil
  local plain = declared:gsub("%f[%w_]const%f[^%w_]", " "):gsub("%f[%w_]__grid_constant__%f[^%w_]", " ")
  local _, stars = plain:gsub("[*%[]", "")
  local head, name = plain:gsub("%[.*$", ""):match("^(.-)([%a_][%w_]*)%s*$")
  if not head or not head:match("%w") or BUILT_IN[name] then head, name = plain, "argument" .. number end
  local type = head:gsub("[*&]", " "):gsub("%s+", " "):match("^%s*(.-)%s*$")
  return { type = stars > 1 and ADDRESS or type, pointer = stars > 0, const = const, name = name }
end

local function parameters(source)
  local list = {}
  local depth, from = 0, 1
  for at = 1, #source + 1 do
    local c = source:sub(at, at)
    if c:match("[<(]") then depth = depth + 1 elseif c:match("[>)]") then depth = depth - 1 end
    if (c == "," and depth == 0) or c == "" then
      local one = source:sub(from, at - 1)
      if one:match("%S") and one ~= "void" then list[#list + 1] = parameter(one, #list + 1) end
      from = at + 1
    end
  end
  return list
end

local ELEMENTS <const> = { ["float"] = true, ["double"] = true, ["int"] = true, ["unsigned"] = true,
  ["unsigned int"] = true, ["long long"] = true, ["unsigned long long"] = true, ["short"] = true,
  ["unsigned short"] = true, ["char"] = true,
  ["unsigned char"] = true, ["uint"] = true, ["half"] = true, ["__half"] = true, ["size_t"] = true, ["int32_t"] = true,
  ["uint32_t"] = true, ["int64_t"] = true, ["uint64_t"] = true, ["uint8_t"] = true, ["int8_t"] = true, ["bool"] = true }

local WIDE <const> = { ["double"] = true, ["long long"] = true, ["unsigned long long"] = true, ["size_t"] = true,
  ["int64_t"] = true, ["uint64_t"] = true }
local FLOATING <const> = { ["float"] = true, ["double"] = true, ["half"] = true, ["__half"] = true }

local function element(type) return ELEMENTS[type] and type or "float" end

-- One argument of a step; the buffer it needs is added.
local function argument(kernel, p, buffers)
  if p.pointer then
    local name = ("%s_%s"):format(kernel.label:gsub("%W", "_"), p.name)
    buffers[#buffers + 1] = ("    %s = { type = %q, count = \"n\"%s },"):format(name, element(p.type),
      p.const and p.type ~= ADDRESS and ", fill = \"random\"" or "")
    return ("%q"):format(name), not p.const and name or nil
  end
  if FLOATING[p.type] then return "1.0" end
  if p.type == "bool" then return "true" end
  if ELEMENTS[p.type] or p.type:find("%f[%w]int%f[%W]") or p.type:find("%f[%w]long%f[%W]") then return "\"n\"" end
  local article = p.type:match("^[AEIOaeio]") and "an" or "a"
  return ("function(p) error(\"TODO: %s, %s %s\") end"):format(p.name, article, p.type)
end

local function step(file, kernel, buffers)
  local args, output, bytes = {}, nil, 0
  for i, p in ipairs(parameters(kernel.parameters)) do
    local text, written = argument(kernel, p, buffers)
    args[i] = text
    output = output or written
    if p.pointer then bytes = bytes + (WIDE[p.type] and 8 or 4) end
  end
  return table.concat({
    "    {",
    ("      id = %q, title = %q,"):format(kernel.label:gsub("[^%w]", "-"):lower(), kernel.plain),
    "      text = \"TODO: what changes, why it matters, what to look for.\",",
    ("      -- %s"):format(kernel.text),
    ("      kernel = { file = %q, name = %q },"):format(file:match("[^/]+$"), kernel.name),
    "      grid = function(p) return (p.n + 255) // 256 end, block = 256,",
    ("      args = { %s }, output = %q,"):format(table.concat(args, ", "), output or "TODO"),
    "      -- A host array of what the kernel must compute; host.NAME has what a buffer holds before.",
    ("      reference = function(p, host) error(\"TODO: the reference of %s\") end,"):format(kernel.plain),
    ("      useful_bytes = function(p) return %d * p.n end, -- TODO: the bytes that the task must move"):format(bytes),
    "    },",
  }, "\n")
end

-- Kernels that share a name are numbered: "add", "add_2".
local function label(kernels)
  local times = {}
  for _, kernel in ipairs(kernels) do
    local key = kernel.plain:gsub("%W", "-"):lower()
    times[key] = (times[key] or 0) + 1
    kernel.label = times[key] == 1 and kernel.plain or ("%s_%d"):format(kernel.plain, times[key])
  end
end

---The text of a lab for these kernels.
---@param path string @param kernels table[] as module.kernels, with text
function skeleton.text(path, kernels)
  local name = path:match("([^/]+)%.cu$") or "lab"
  local id = name:gsub("[^%w_-]", "-"):lower()
  local buffers, steps = {}, {}
  label(kernels)
  for _, kernel in ipairs(kernels) do
    if kernel.template then
      steps[#steps + 1] = ("    -- TODO: %s is a template: name an instance of it in a step."):format(kernel.text)
    else
      steps[#steps + 1] = step(path, kernel, buffers)
    end
  end
  return table.concat({
    "return lab.define {",
    ("  number = 90, id = %q, title = %q, intro = \"TODO: one paragraph.\","):format(id, name),
    "  params = { n = { default = 1 << 16, min = 1, help = \"elements\" } },",
    "  buffers = {", table.concat(buffers, "\n"), "  },",
    "  steps = {", table.concat(steps, "\n"), "  },",
    "}", "",
  }, "\n")
end

---@param words string[] the .cu file @return integer status
function skeleton.run(_, words)
  local path = words[1]
  if not path or not path:match("%.cu$") then
    gpu.raise("usage", "new-lab expects a .cu file", "as in gpulab new-lab saxpy.cu")
  end
  where.check_link(path)
  if host.kind(path) ~= "file" then gpu.raise("setup", "there is no file " .. path) end
  local module = gpu.compile(path, given.with())
  local kernels = cuda_file.kernels(module)
  if #kernels == 0 then gpu.raise("usage", path .. " has no kernel", "a kernel is a function declared __global__") end
  local target = path:gsub("%.cu$", ".lua")
  if host.kind(target) then gpu.raise("usage", target .. " exists already", "remove it first, or rename it") end
  files.write(target, skeleton.text(path, kernels))
  print(printable(("%s: a lab with %d kernel%s. Fill in what is marked TODO, then run it: gpulab %s"):format(target,
    #kernels, #kernels == 1 and "" or "s", target:find("/", 1, true) and target or "./" .. target)))
  return 0
end

return skeleton
