-- gpulab FILE.cu: the kernels of a file as it is, host code and all, ready to launch.
--
--   k.saxpy{ grid = 4, block = 256 }(y, x, 2.5, 1024)     k["reduce<256>"] is an instance of a template
local given = require "gpulab.base.given"
local commands = require "gpulab.base.commands"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local cuda_file = {}

---@class CudaFile
---@field path string @field module Module? @field text string? what was compiled, as it is in the file
local CudaFile = {}
CudaFile.__index = CudaFile

-- A name in capitals that nothing declares is a macro that the file's own build sets.
local function add_hint(e)
  local macro = type(e) == "table" and e.kind == "compile" and e.hint == ""
    and tostring(e.message):match 'identifier "(%u[%u%d_]+)" is undefined'
  if macro then e.hint = ("if %s is a macro that its build sets: gpulab -D %s=VALUE FILE.cu"):format(macro, macro) end
  return e
end

local function compile(file, names)
  local compiled, module = pcall(gpu.compile, file.path, given.with { names = names })
  if not compiled then error(add_hint(module), 0) end
  return module
end

-- "saxpy(float *y, const float *x)"; of a template "reduce<int N>(float *)"; where several share a name, the one that
-- launches it comes behind.
local function signature(kernel)
  local head = kernel.template and ("%s<%s>"):format(kernel.name, kernel.template) or kernel.plain
  local declared = ("%s(%s)"):format(head, kernel.parameters)
  return kernel.plain == kernel.name and declared or ("%s: k[%q]"):format(declared, kernel.name)
end

---The kernels that the compiler found in the file and its headers, and the templates.
---@return table[] {name, line, file, template, parameters, text}
function cuda_file.kernels(module)
  local list = module.kernels
  for _, kernel in ipairs(list) do kernel.text = signature(kernel) end
  return list
end

local function heading(file, count)
  return ("%s: %s"):format(text.printable(file.path), count == 1 and "1 kernel" or ("%d kernels"):format(count))
end

-- Why a kernel was left out, filled to the width.
local function reason(kernel) return table.concat(text.wrap(kernel.error), "\n") end

-- Why kernels are left out, each reason once. True if there is one.
local function print_errors(kernels)
  local said = {}
  io.stdout:flush()
  for _, kernel in ipairs(kernels) do
    if kernel.error and not said[kernel.error] then
      said[kernel.error] = true
      io.stderr:write(reason(kernel), "\n")
    end
  end
  return next(said) ~= nil
end

---Plain text: a listing that a program can read has one kernel per line. What does not compile is said behind it.
---@param kernels table[] @return boolean broken some kernel does not compile
function CudaFile:print(kernels)
  print(heading(self, #kernels))
  for _, kernel in ipairs(kernels) do
    local header = kernel.file and (" (%s:%d)"):format(kernel.file:match("[^/]*$"), kernel.line) or ""
    local said = kernel.text .. header .. (kernel.error and ": does not compile" or "")
    print(("  %5s  %s"):format(not kernel.file and kernel.line or "", text.printable(said)))
  end
  return print_errors(kernels)
end

local LAUNCH <const> = "Launch a kernel: %s{ grid = 1, block = 32 }(...).\nA buffer: gpu.buffer(\"float\", 1024)."

-- How to launch one of them, a plain one if there is one.
local function example(kernels)
  local first = kernels[1]
  if not first then return "A kernel is a function declared __global__." end
  local plain = lists.find(kernels, function(kernel)
    return not kernel.template and not kernel.error and kernel.name:match("^[%a_][%w_]*$")
  end)
  if plain then return LAUNCH:format("k." .. plain.name) end
  return LAUNCH:format(("k[\"%s%s\"]"):format(first.name, first.template and "<...>" or ""))
end

-- A kernel that was left out says why; a template, and a name that several kernels share, how they are launched.
local function check_kernel(module, name)
  local template, sharing, found = nil, {}, false
  for _, kernel in ipairs(module.kernels) do
    if kernel.error and kernel.name == name:match "^[^<]*" then gpu.raise("compile", reason(kernel)) end
    if kernel.template then template = kernel.name == name and kernel or template
    elseif kernel.name == name then found = true
    elseif kernel.plain == name then sharing[#sharing + 1] = ("k[%q]"):format(kernel.name) end
  end
  if found then return end
  if #sharing > 0 then
    gpu.raise("usage", ("%d kernels are named %s"):format(#sharing, name), "launch one by its linked name: "
      .. text.list(sharing, "or"))
  elseif template then
    gpu.raise("usage", ("%s<%s> is a template"):format(name, template.template),
      ("launch an instance of it: k[\"%s<...>\"]"):format(name))
  end
end

-- What to do about a name that is no kernel's: the module's own hint is about compiling.
local function no_kernel(file, name, e)
  if type(e) ~= "table" or e.kind ~= "usage" then return e end
  local names = lists.map(file.module and file.module.kernels, "name")
  local near = lists.find(names, function(each) return each:match "::([%w_]+)$" == name end)
    or text.nearest(name, names)
  e.hint = near and ("did you mean %q?"):format(near) or #names > 0 and "`kernels` lists the kernels"
    or file.path .. " has no kernel: a kernel is a function declared __global__"
  return e
end

-- Kernels that can be launched by their names.
local function names_of(file)
  return lists.map(lists.select(file.module and file.module.kernels,
    function(kernel) return not kernel.error and not kernel.template end), "name")
end

-- k: a kernel by name, compiled when it is first named where it is an instance of a template.
local function kernel_table(file)
  return setmetatable({}, {
    __index = function(t, name)
      if type(name) ~= "string" then gpu.raise("usage", "k takes the name of a kernel, got a " .. type(name)) end
      if file.module then check_kernel(file.module, name) end
      local module = name:find("<", 1, true) and compile(file, { name }) or file.module
      if not module then gpu.raise("usage", file.path .. " did not compile", "correct it and type kernels") end
      local known, kernel = pcall(module.kernel, module, name)
      if not known then error(no_kernel(file, name, kernel), 0) end
      rawset(t, name, kernel)
      return kernel
    end,
    __pairs = function(t)
      local names, i = names_of(file), 0
      return function()
        i = i + 1
        if names[i] then return names[i], t[names[i]] end
      end
    end,
    __completes = function() return names_of(file) end,
  })
end

local function text_of(path)
  local read, said = pcall(files.read, path)
  return read and said or nil
end

-- Once for each change: launches run what was compiled.
function CudaFile:remark()
  local now = text_of(self.path)
  if now == self.text or now == self.told then return end
  self.told = now
  text.say_wrapped(("%s has changed since it was compiled: `kernels` compiles it again."):format(
    text.printable(self.path)))
end

---Compiles the file and makes k.
---@return table[] kernels
function CudaFile:load()
  self.module, self.text = nil, text_of(self.path)
  rawset(_G, "k", kernel_table(self))
  self.module = compile(self)
  return cuda_file.kernels(self.module)
end

-- Without a terminal: the list; after a chunk nothing is listed that was not asked for.
local function list(file, options)
  local kernels = file:load()
  return #options.execute == 0 and file:print(kernels) and host.codes.compile or 0, false
end

---Without a prompt: prints the list. Else returns what opens the file at the prompt.
---@param path string @param options table @param wants_prompt boolean
---@return integer status @return boolean wants_prompt @return fun(_: any, options: table, prompt: Prompt)? open
function cuda_file.run(path, options, wants_prompt)
  where.check_link(path)
  local file = setmetatable({ path = path }, CudaFile)
  if not wants_prompt then return list(file, options) end
  return 0, true, function(_, _, prompt)
    local ok, kernels = pcall(cuda_file.open, prompt, path)
    if not ok and options.piped then error(kernels, 0) end
    if not ok then return show.error(kernels, options.color_stderr) end
    if options.piped or #options.execute > 0 then return end -- answers alone
    file:print(kernels)
    print(example(kernels))
  end
end

---Opens the file at a prompt: its kernels are in k, and `kernels` lists them.
---@param prompt Prompt @param path string @return table[] kernels, Module
function cuda_file.open(prompt, path)
  local file = setmetatable({ path = path }, CudaFile)
  prompt.commands:add(commands.of "gpulab.prompt.command.file", file)
  prompt.remark = function() file:remark() end
  return file:load(), file.module
end

return cuda_file
