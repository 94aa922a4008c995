-- Labs by the word that names them on a command line, each loaded once.
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"

local labs = {}

local loaded = {}

---The lab with this number, name, or path. Its kernels are looked up next to it from now on.
---@param word string @return Lab lab, string path
function labs.load(word)
  local path = targets.resolve(word)
  local folder = path:match("^(.*)/") or "."
  host.lab_folder(folder)
  if not loaded[path] then
    local value = dofile(path)
    if not require("gpulab.lab").is_lab(value) then
      failure.raise("usage", text.printable(path) .. " is not a lab", nil,
        "a lab ends with return lab.define{...}")
    end
    loaded[path] = value
  end
  return loaded[path], path
end

---The exercise with this id or number; raises an error that lists them.
---@param lab Lab @param word string
function labs.exercise(lab, word)
  return exercise.find(lab, word) or lab:exercise(word)
end

---"03-row-sums": names an exercise among those of all labs, in folders and documents.
function labs.id(lab, ex) return ("%02d-%s"):format(lab.number, ex.id) end

return labs
