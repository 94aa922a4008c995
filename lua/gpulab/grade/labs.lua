-- Labs by the word that names them on a command line, each loaded once.
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local labs = {}

local loaded, modules = {}, {}

-- A lab finds its modules in its own folder, as it does at the prompt.
local function find_beside(folder)
  local own = ("%s/?.lua;%s/?/init.lua;"):format(folder, folder)
  if package.path:sub(1, #own) ~= own then package.path = own .. package.path end
  where.enter_lab(folder)
end

-- The files of the modules that loading a lab has loaded, sorted.
local function loaded_since(before)
  local paths = {}
  for name in pairs(package.loaded) do
    local path = not before[name] and package.searchpath(name, package.path)
    if path then paths[#paths + 1] = path end
  end
  table.sort(paths)
  return paths
end

---The lab with this number, name, or path. Its kernels and modules are looked up next to it from now on.
---@param word string @return Lab lab, string path
function labs.load(word)
  local path = targets.resolve(word)
  find_beside(path:match("^(.*)/") or ".")
  if not loaded[path] then
    local before = {}
    for name in pairs(package.loaded) do before[name] = true end
    local value = dofile(path)
    if not require("gpulab.lab").is_lab(value) then
      failure.usage(text.printable(path) .. " is not a lab",
        "a lab ends with return lab.define{...}")
    end
    loaded[path], modules[path] = value, loaded_since(before)
  end
  return loaded[path], path
end

---The Lua files that a lab consists of.
---@param path string as labs.load returns it @return string[]
function labs.files(path)
  return { path, table.unpack(modules[path] or {}) }
end

---The exercise with this id or number; raises an error that lists them.
---@param lab Lab @param word string
function labs.exercise(lab, word)
  return exercise.find(lab, word) or lab:exercise(word)
end

---"03-row-sums": names an exercise among those of all labs, in folders and documents.
function labs.id(lab, ex) return ("%02d-%s"):format(lab.number, ex.id) end

return labs
