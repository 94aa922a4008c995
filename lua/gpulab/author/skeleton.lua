-- gpulab new-lab FILE.cu: a lab with one step per kernel of the file, which loads as it is and whose gaps are marked.
local chunk = require "gpulab.prompt.chunk"
local cuda_file = require "gpulab.prompt.cuda_file"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local progress = require "gpulab.base.progress"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local code = require "gpulab.source"
local subcommand = require "gpulab.base.subcommand"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local skeleton = {}

local LONGEST <const> = 40 -- columns of a title
local PATIENCE <const> = 3000 -- ms of processor time, for each step that is tried
local ADDRESS <const> = "unsigned long long"

-- What cannot be a parameter's name: "unsigned int" has none.
local BUILT_IN <const> = lists.set "int long short char unsigned float double bool"

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

local ELEMENTS <const> = lists.set { "float", "double", "int", "unsigned", "unsigned int", "long long",
  "unsigned long long", "short", "unsigned short", "char", "unsigned char", "uint", "half", "__half", "size_t",
  "int32_t", "uint32_t", "int64_t", "uint64_t", "uint8_t", "int8_t", "bool" }
local WIDE <const> = lists.set { "double", "long long", "unsigned long long", "size_t", "int64_t", "uint64_t" }
local FLOATING <const> = lists.set "float double half __half __nv_bfloat16"
local IN_VECTORS <const> = lists.set [[char uchar short ushort int uint long ulong longlong ulonglong float double half
  __half __nv_bfloat16]]

-- "float" of "float4".
local function component(type)
  local of = type:match "^(.-)[234]$"
  return IN_VECTORS[of] and of
end

local function element(type) return (ELEMENTS[type] or FLOATING[type] or component(type)) and type or "float" end

-- What a buffer holds before the launch, so that any kernel finds something to read: elements that are read and written
-- are sums or changed in place, and integers that are only read may be indices.
local function fill_of(p)
  if not p.uses:find "reads" or p.type == ADDRESS then return nil end
  if FLOATING[component(p.type) or p.type] then return '"random"' end
  return p.uses == "reads" and '"iota"' or "0"
end

-- The buffer of a parameter. Kernels share it if their parameters have the same name, type and contents.
local function buffer_of(lab, kernel, p)
  local field = ('type = %q, count = "size"'):format(element(p.type))
  local fill = fill_of(p)
  if fill then field = ("%s, fill = %s"):format(field, fill) end
  local name = (chunk.is_keyword(p.name) or p.name == "size") and p.name .. "_" or p.name
  if lab.contents[name] and lab.contents[name] ~= field then
    name = ("%s_%s"):format(kernel.label:gsub("%W", "_"), p.name)
  end
  if not lab.contents[name] then lab.buffers[#lab.buffers + 1] = ("    %s = { %s },"):format(name, field) end
  lab.contents[name] = field
  return name
end

-- An argument of a step, and the buffer that it is.
local function argument(lab, kernel, p)
  if p.pointer then
    local name = buffer_of(lab, kernel, p)
    return ("%q"):format(name), name
  end
  if FLOATING[p.type] then return "1.0" end
  if p.type == "bool" then return "true" end
  if ELEMENTS[p.type] or p.type:find("%f[%w]int%f[%W]") or p.type:find("%f[%w]long%f[%W]") then return '"size"' end
  local article = p.type:match("^[AEIOaeio]") and "an" or "a"
  return ("function(p) error(\"TODO: %s, %s %s\") end"):format(p.name, article, p.type)
end

-- The arguments of a kernel as text, the buffer that it writes, and the bytes per element of all its buffers.
local function arguments(lab, kernel)
  local args, output, bytes = {}, nil, 0
  for i, p in ipairs(kernel.parsed) do
    local value, name = argument(lab, kernel, p)
    args[i] = value
    if p.uses:find "writes" then output = output or name end
    local _, moved = p.uses:gsub("%a+s%f[%A]", "")
    bytes = bytes + moved * (WIDE[p.type] and 8 or 4)
  end
  return table.concat(args, ", "), output, bytes
end

-- What the command line says about compiling, as a field of a step's kernel.
local function options_text()
  local words = lists.map(given.words(true), function(word) return ("%q"):format(word) end)
  return #words > 0 and (", options = { %s }"):format(table.concat(words, ", ")) or ""
end

local BLOCK <const> = 256 -- threads, where the kernel allows as many

-- Grid and block, and bytes for an array whose size the launch gives.
local function shape(kernel)
  local fields = ("grid = function(p) return (p.size + %d) // %d end, block = %d,"):format(kernel.block - 1,
    kernel.block, kernel.block)
  return kernel.dynamic and ("%s shared = %d, -- TODO: bytes of its dynamic shared array"):format(fields,
    8 * kernel.block) or fields
end

local function step_text(lab, kernel)
  local args, output, bytes = arguments(lab, kernel)
  kernel.args, kernel.output = args, output
  return table.concat({
    "    {",
    ("      id = %q, title = %q, group = %q,"):format(kernel.id, text.clip(kernel.label, LONGEST), kernel.group),
    "      text = \"TODO: what changes, why it matters, what to look for.\",",
    ("      -- %s"):format(kernel.text),
    ("      kernel = { file = %q, name = %q%s },"):format(lab.file, kernel.name, options_text()),
    "      " .. shape(kernel),
    ("      args = { %s },"):format(args),
    "      -- TODO: a host array of what the kernel must compute; host.NAME has what a buffer holds before. Until then",
    "      -- the result is not checked.",
    ("      -- output = %q, reference = function(p, host) return gpu.array(\"float\", p.size) end,"):format(
      output or "?"),
    ("      useful_bytes = function(p) return %d * p.size end, -- TODO: the bytes that the task must move"):format(
      bytes),
    "    },",
  }, "\n")
end

-- The exercise that students would get of a kernel, as a comment: it needs two files and a reference.
local function exercise(lab, kernel)
  local folder = ("%d-%s"):format(lab.number, kernel.id)
  return ([[
  -- An exercise: students change the starter until it is right and as good as the solution. Both files are CUDA files
  -- of your own in folders next to this lab. Remove the dashes, and see docs/guide/lab-authors.md.
  -- exercises = { {
  --   id = "fix-%s", title = "TODO", task = "TODO: what to do, and what not.",
  --   starter = "exercises/%s/%s", solution = "solutions/%s/%s", kernel = "%s",
  --   %s
  --   args = { %s }, output = "%s",
  --   sizes = { 1 << 16, 1000, 1 }, -- students see the first; the others find a kernel without a bounds check
  --   reference = function(p, host) return gpu.array("float", p.size) end,
  --   hints = { "TODO: vague", "TODO: closer", "TODO: nearly there" }, debrief = "TODO: why it is faster.",
  -- } },]]):format(kernel.id, folder, lab.file, folder, lab.file, kernel.name, shape(kernel),
    kernel.args, kernel.output or "?")
end

-- Kernels that share a name are numbered: "add", "add_2". Those of one signature are a group, which the first begins.
local function label(kernels)
  local times, groups = {}, {}
  for _, kernel in ipairs(kernels) do
    local key = kernel.plain:gsub("%W", "-"):gsub("(%w)%-+$", "%1"):lower()
    times[key] = (times[key] or 0) + 1
    kernel.label = times[key] == 1 and kernel.plain or ("%s_%d"):format(kernel.plain, times[key])
    kernel.id = kernel.label:gsub("%W", "-"):gsub("(%w)%-+$", "%1"):lower()
    local signature = table.concat(lists.map(kernel.parsed, function(p)
      return ("%s%s%s"):format(p.type, p.pointer and "*" or "", p.const and "const" or "")
    end), ",")
    local group = groups[signature] or { first = kernel, size = 0 }
    if not groups[signature] then groups[signature], groups[#groups + 1] = group, group end
    group.size, kernel.group = group.size + 1, group.first.id
  end
  return groups
end

local function group_text(group)
  local baseline = group.size > 1 and (", baseline = %q"):format(group.first.id) or ""
  return ("    { id = %q, title = %q%s },"):format(group.first.id, text.clip(group.first.label, LONGEST),
    baseline)
end

---The text of a lab for these kernels.
---@param path string @param kernels table[] as module.kernels, with text; those that are no templates with uses, by
---parameter
function skeleton.text(path, kernels)
  local name = path:match("([^/]+)%.cu$") or "lab"
  local lab = { number = 90, file = path:match("[^/]+$"), buffers = {}, contents = {} }
  local plain, steps = {}, {}
  for _, kernel in ipairs(kernels) do
    if kernel.template then
      steps[#steps + 1] = ("    -- TODO: %s is a template: name an instance of it in a step."):format(kernel.text)
    elseif kernel.error then
      steps[#steps + 1] = ("    -- TODO: %s does not compile."):format(kernel.text)
    else
      kernel.parsed = parameters(kernel.parameters)
      for i, p in ipairs(kernel.parsed) do
        p.uses = p.pointer and p.const and "reads" or kernel.uses[i] or "" -- what is not followed counts as both
      end
      plain[#plain + 1] = kernel
    end
  end
  local groups = lists.map(label(plain), group_text)
  for _, kernel in ipairs(plain) do steps[#steps + 1] = step_text(lab, kernel) end
  local parts = {
    "return lab.define {",
    ("  number = %d, id = %q, title = %q, intro = \"TODO: one paragraph.\","):format(lab.number,
      name:gsub("[^%w_-]", "-"):lower(), name),
    "  params = { size = { default = 1 << 16, min = 1, help = \"elements\" } },",
    "  buffers = {", table.concat(lab.buffers, "\n"), "  },",
    "  groups = {", table.concat(groups, "\n"), "  },",
    "  steps = {", table.concat(steps, "\n"), "  },",
  }
  if plain[1] then parts[#parts + 1] = exercise(lab, plain[1]) end
  parts[#parts + 1] = "}\n"
  return table.concat(parts, "\n")
end

-- The parameters of a template with the arguments of an instance in the place of its own.
local function of_instance(kernel, values)
  local declared, i = kernel.parameters, 0
  for own in (kernel.template .. ","):gmatch "([^,]*)," do
    i = i + 1
    local name, value = own:gsub("=.*$", ""):match "([%a_][%w_]*)%s*$", values[i]
    if name and value then
      declared = declared:gsub("%f[%w_]" .. name .. "%f[^%w_]", function() return value end)
    end
  end
  return declared
end

-- The kernels with each template's explicit instances, which the compiler made, in its place.
local function with_instances(kernels, module)
  local found, list = {}, {}
  for _, linked in ipairs(module.names) do
    local written = linked:find "^_Z" and module:kernel(linked).written or linked
    local name = written:match "^([^<]+)<"
    if name then found[name] = lists.append(found[name] or {}, { { linked = linked, name = written } }) end
  end
  for _, kernel in ipairs(kernels) do
    local instances = kernel.template and found[kernel.name] or {}
    for _, one in ipairs(instances) do
      local declared = of_instance(kernel, code.arguments(one.linked))
      list[#list + 1] = { name = one.name, plain = one.name, linked = one.linked, parameters = declared,
        text = ("%s(%s)"):format(one.name, declared) }
    end
    if #instances == 0 then list[#list + 1] = kernel end
  end
  return list
end

-- What each kernel needs, as it was compiled.
local function look_at(module, kernel)
  if kernel.template or kernel.error then return end
  local compiled = module:kernel(kernel.linked or kernel.name)
  kernel.uses, kernel.block = compiled.uses, math.min(BLOCK, compiled.max_threads)
  local body = module.ptx:match("%.entry " .. compiled.linked .. "%(.-\n}") or ""
  for array in module.ptx:gmatch "%.extern %.shared[^;]-([%w_$]+)%[%]" do
    kernel.dynamic = kernel.dynamic or body:find(array, 1, true) ~= nil
  end
end

-- Runs each step once: only that shows whether what was assumed fits.
local function try(target, options)
  where.enter(target:match "^(.*)/" or ".")
  local lab <const>, device <close> = targets.load(target)(), gpu.open "emu"
  local at = runner.context(lab, device, lab:parameters(nil, { emulated = true }), { timeout = PATIENCE })
  local _ <close> = setmetatable({}, { __close = function() at:close() end })
  return progress.parts(options.quiet, function(begins)
    return lists.map(lab.steps, function(step, i)
      begins(i, #lab.steps, "trying " .. step.id)
      local record = runner.run(at, step)
      failure.pass_interrupt(record)
      return { id = step.id, problem = not failure.is_well(record.outcome) and report.summary(record) }
    end)
  end)
end

-- A template is no kernel yet: no step is of it unless the file names an instance.
local function say_templates(kernels)
  for _, kernel in ipairs(kernels) do
    local said = ("Left out: %s is a template. Write kernel = { file = ..., name = \"%s<...>\" } in a step, or an"
      .. " explicit instance in the file (template __global__ void %s<...>(...);)."):format(kernel.name, kernel.name,
      kernel.name)
    if kernel.template then text.say_wrapped(text.printable(said)) end
  end
end

-- A lab has a step: without one there is nothing to write.
local function check_steps(path, kernels)
  local first = kernels[1]
  if not first then gpu.raise("usage", path .. " has no kernel", "a kernel is a function declared __global__") end
  if lists.any(kernels, function(kernel) return not kernel.template and not kernel.error end) then return end
  local broken = lists.find(kernels, function(kernel) return kernel.error end)
  if broken then gpu.raise("compile", broken.error) end
  gpu.raise("usage", path .. " has only templates, and a lab needs a step", ("write an explicit instance in the file: "
    .. "template __global__ void %s<...>(...);"):format(first.name))
end

local function say(target, tried)
  local failed = lists.select(tried, function(step) return step.problem end)
  print(text.printable(("%s: a lab with %s: gpulab %s"):format(target, text.plural(#tried, "step"),
    target:find("/", 1, true) and target or "./" .. target)))
  for _, step in ipairs(failed) do text.say_wrapped(text.printable(("%s: %s"):format(step.id, step.problem))) end
  if #failed == 0 then return text.say_wrapped "Each step runs as it is. Fill in what is marked TODO." end
  text.say_wrapped(("%d of %s %s not run yet: correct what gpulab assumed, grid, block, shared and args above all; "
    .. "then fill in what is marked TODO."):format(#failed, text.plural(#tried, "step"),
    #failed == 1 and "does" or "do"))
end

local spec <const> = { name = "new-lab", usage = "gpulab [options] new-lab FILE.cu", least = 1, most = 1, flags = {},
  summary = "Writes a lab with a step for each kernel of the file.",
  help = "The lab loads as it is; what only its author knows is marked. -I, -D, and -std before new-lab are for the "
    .. "compiler." }

---@param words string[] the .cu file @return integer status
function skeleton.run(global, words)
  local options, files_given = subcommand.parse(spec, words)
  if not options then return 0 end
  local path = files_given[1]
  if not path:match("%.cu$") then gpu.raise("usage", "new-lab expects a .cu file", "as in gpulab new-lab saxpy.cu") end
  where.check_link(path)
  if host.kind(path) ~= "file" then gpu.raise("setup", "there is no file " .. path) end
  local module = gpu.compile(path, given.with())
  local kernels = with_instances(cuda_file.kernels(module), module)
  check_steps(path, kernels)
  for _, kernel in ipairs(kernels) do look_at(module, kernel) end
  local target = path:gsub("%.cu$", ".lua")
  if host.kind(target) then gpu.raise("usage", target .. " exists already", "remove it first, or rename it") end
  files.write(target, skeleton.text(path, kernels))
  say(target, try(target, global))
  say_templates(kernels)
  return 0
end

return skeleton
