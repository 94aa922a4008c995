-- What the command line says about compiling: -I, -D and -std. It is for the file that the command line names, and for
-- the steps of a lab. Exercises are compiled as they are: a verdict depends on the file alone.
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"
local lists = require "gpulab.base.lists"

local given = {}

local include, defines, options = {}, {}, {}

---Takes over the options.
---@param from {include: string[], defines: string[], standard: string?}
function given.take(from)
  include, defines, options = from.include, {}, {}
  for _, macro in ipairs(from.defines) do
    local name, value = macro:match "^([^=]*)=(.*)$"
    defines[name or macro] = value or true
  end
  if from.standard then options[1] = "--std=" .. from.standard end
end

---Raises if there are such options where nothing is compiled with them.
---@param from table the options @param what string what they were given for @param hint string
function given.refuse(from, what, hint)
  local option = #from.include > 0 and "-I" or #from.defines > 0 and "-D" or from.standard and "-std"
  if option then failure.usage(("%s says nothing to %s"):format(option, what), hint) end
end

---Options for gpu.compile: those given, and a program's own, which win. Such a file may include from parent folders,
---and a part of it that does not compile costs nothing else.
---@param own? {names: string[]?, defines: table?, include: string[]?, options: string[]?}
---@return table
function given.with(own)
  own = own or {}
  local macros = {}
  for _, each in ipairs { defines, own.defines or {} } do
    for name, value in pairs(each) do macros[name] = value end
  end
  return { names = own.names, defines = macros, include = lists.joined(own.include or {}, include),
    options = lists.joined(options, own.options or {}), parents = true, partial = true }
end

---The same as words for nvcc, not quoted.
---@param anywhere boolean? folders as they are called in any working folder @return string[]
function given.words(anywhere)
  local words = {}
  for _, folder in ipairs(include) do words[#words + 1] = "-I" .. (anywhere and fs.real(folder) or folder) end
  for name, value in pairs(defines) do
    words[#words + 1] = value == true and "-D" .. name or ("-D%s=%s"):format(name, value)
  end
  table.sort(words)
  return lists.joined(words, options)
end

return given
