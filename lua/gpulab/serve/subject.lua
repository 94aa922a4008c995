-- What a file of an editor is: a kernel file or an exercise of a lab, known by its folder, or any other CUDA file.
local files = require "gpulab.base.files"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local journal = require "gpulab.run.journal"
local lists = require "gpulab.base.lists"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local subject = {}

local function real(path)
  local ok, found = pcall(fs.real, path)
  return ok and found or path
end

-- The part of a path behind a folder; nil if it is elsewhere.
local function below(path, folder)
  folder = folder and real(folder) .. "/"
  return folder and path:sub(1, #folder) == folder and path:sub(#folder + 1) or nil
end

-- A lab that names the file; the open one, if it does.
local function naming(name, candidates, open)
  local found = lists.select(candidates, function(lab)
    local content = files.read(lab)
    return content and content:find('"' .. name .. '"', 1, true) and content:find("lab.define", 1, true)
  end)
  return lists.find(found, function(lab) return lab == open end) or found[1]
end

-- Labs in the file's own folder, and one above.
local function labs_near(path)
  local folder, found = path:match "^(.+)/[^/]*$", {}
  for _, at in ipairs { folder, folder and folder:match "^(.+)/[^/]*$" } do
    for _, name in ipairs(fs.stat(at) == "folder" and host.list(at) or {}) do
      if name:match "%.lua$" then found[#found + 1] = at .. "/" .. name end
    end
  end
  return found
end

---The lab that a file belongs to; nil: none.
---@param path string @param open string? the lab that is open @return string?
function subject.lab(path, open)
  path = real(path)
  local labs, copy = targets.labs(), below(path, journal.folder())
  if copy then
    return (lists.find(labs, "number", tonumber(copy:match "^(%d+)%-[^/]+/[^/]+$" or -1)) or {}).path
  end
  for _, folder in ipairs(where.folders "kernels") do
    local name = below(path, folder)
    if name then return naming(name, lists.map(labs, "path"), open) end
  end
  return naming(text.file_name(path), labs_near(path), open)
end

---The entry of a lab's copies (copies.lua) that a file is, by its name or as the student's copy or the original; nil:
---none.
---@param session table @param file string @return table?
function subject.entry(session, file)
  local book, path = session.book.copies, real(file)
  return lists.find(book.list, function(entry)
    if entry.name == file or entry.path and real(entry.path) == path then return true end
    local ok, _, original = pcall(book.original, book, entry)
    return ok and real(original) == path
  end)
end

---Calls f while a file is in place of an entry's; raises what it raises.
---@param entry table of copies.lua @param file string @param f fun(...): any
function subject.in_place(entry, file, f, ...)
  local path = entry.path
  entry.path = file
  local ok, result = host.catch(f, ...)
  entry.path = path
  if not ok then error(result, 0) end
  return result
end

return subject
