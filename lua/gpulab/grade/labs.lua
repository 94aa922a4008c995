-- Labs by the word that names them on a command line, each loaded once.
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local labs = {}

local loaded, modules = {}, {} -- by the lab's path: the lab; its modules {name, value, path}, when another was entered
local entered
local loaded_before <const> = {}
for name in pairs(package.loaded) do loaded_before[name] = true end

-- The modules of the lab that was entered last, sorted by path.
local function modules_now()
  local list = {}
  for name, value in pairs(package.loaded) do
    local path = not loaded_before[name] and package.searchpath(name, package.path)
    if path then list[#list + 1] = { name = name, value = value, path = path } end
  end
  table.sort(list, function(a, b) return a.path < b.path end)
  return list
end

-- A lab finds its kernels and modules in its own folder, as it does at the prompt, and no modules of another lab.
local function enter(path)
  if path == entered then return end
  local folder = path:match("^(.*)/") or "."
  if entered then modules[entered] = modules_now() end
  for _, module in ipairs(modules[entered] or {}) do package.loaded[module.name] = nil end
  for _, module in ipairs(modules[path] or {}) do package.loaded[module.name] = module.value end
  where.enter(folder)
  entered = path
end

---The lab with this number, name, or path. Its kernels and modules are searched next to it from now on.
---@param word string @return Lab lab, string path
function labs.load(word)
  local path = targets.resolve(word)
  enter(path)
  loaded[path] = loaded[path] or dofile(path)
  if not require("gpulab.lab").is_lab(loaded[path]) then
    failure.usage(text.printable(path) .. " is not a lab", "a lab ends with return lab.define{...}")
  end
  return loaded[path], path
end

---The Lua files that the lab consists of that was loaded last.
---@return string[]
function labs.files()
  local list = { entered }
  for i, module in ipairs(modules_now()) do list[i + 1] = module.path end
  return list
end

---The exercise with this id or number; raises an error that lists them.
---@param lab Lab @param word string
function labs.exercise(lab, word)
  return exercise.find(lab, word) or lab:exercise(word)
end

---"03-row-sums": names an exercise among those of all labs, in folders and documents.
function labs.id(lab, ex) return ("%02d-%s"):format(lab.number, ex.id) end

return labs
