-- The words that name a lab or a script on the command line, and the files they mean.
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local where = require "gpulab.base.where"

local targets = {}

---All labs that can be named, {number, name, path}, the most specific folder first.
---@return table[] labs
function targets.labs()
  local labs, seen = {}, {}
  for _, folder in ipairs(where.folders("labs")) do
    for _, file in ipairs(host.list(folder)) do
      local number, name = file:match("^(%d+)%-(.+)%.lua$")
      if number and not seen[file] then
        seen[file] = true
        labs[#labs + 1] = { number = tonumber(number), name = name, path = folder .. "/" .. file }
      end
    end
  end
  table.sort(labs, function(a, b) return a.number < b.number end)
  return labs
end

-- A file by its ending, or something in a folder: no lab is called so.
local function no_file(target)
  local folder, name = target:match "^(.*/)([^/]*)$"
  local near = host.nearest(name or target, host.list(folder or "."))
  gpu.raise("setup", ("there is no file %s"):format(target), near and ("did you mean %s%s?"):format(folder or "", near)
    or "a path is taken from the working folder")
end

local function no_target(target, labs)
  if target:find "%.%a+$" or target:find "/" then no_file(target) end
  local names = {}
  for _, entry in ipairs(labs) do names[#names + 1] = entry.name end
  local near = host.nearest(target, names)
  gpu.raise("setup", ("there is no lab or script %s"):format(target),
    near and ("did you mean %s?"):format(near) or "gpulab --list lists the labs")
end

-- The lab that a word means: by its number, its name or the name of its file. A path is none of these.
local function named_lab(word, labs)
  local number = math.tointeger(tonumber(word:match("^%d+$")))
  return lists.find(labs, function(entry) return entry.number == number or entry.name == word end)
end

---The file a target means: a lab's number or name, wherever gpulab is started; else a path. ./3 is a file named 3.
---@param target string @return string path
function targets.resolve(target)
  local labs = targets.labs()
  local entry, kind = named_lab(target, labs), host.kind(target)
  if entry then return entry.path end
  if target:match("^%d+$") then
    gpu.raise("setup", ("there is no lab %s"):format(target), kind == "file" and
      ("a number means a lab: for the file of that name write ./%s"):format(target) or "gpulab --list lists the labs")
  end
  if kind == "file" then return target end
  for _, known in ipairs(labs) do
    if known.path:match("[^/]+$") == target:match("[^/]+$") then return known.path end
  end
  if kind == "folder" then gpu.raise("usage", target .. " is a folder", "name a lab or a script in it") end
  return no_target(target, labs)
end

---A chunk from a file or (path nil) standard input. What does not compile is an error of that kind.
---@param path string? @return function
function targets.load(path)
  local chunk, problem = loadfile(path, "t")
  if chunk then return chunk end
  if problem:match("^cannot") then gpu.raise("setup", problem) end
  error(problem, 0)
end

return targets
