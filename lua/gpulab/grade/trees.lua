-- Submissions as they come: a folder or an archive as a list of names and texts. Only kernels are taken. Links, special
-- files, paths that lead elsewhere and files that are too large are refused by name; nothing is unpacked onto a disk.
local archive = require "gpulab.archive"
local composed = require "gpulab.base.composed"
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local notebook = require "gpulab.grade.notebook"
local text = require "gpulab.base.text"

local trees = {}

local MOST_KERNEL <const>, MOST_ARCHIVE <const> = 256 << 10, 64 << 20 -- bytes
local MOST_FILES <const>, MOST_CONTENT <const>, DEEPEST <const> = 2000, 64 << 20, 8 -- of one student; as in archives
local MOST_ENTRIES <const> = 20000 -- of the folder of a class

---"j.smith.tar.gz" without ".tar.gz"
function trees.without_ending(name)
  local base = name:gsub("%.[^./]*$", "")
  return base:lower():match("%.tar$") and base:sub(1, -5) or base
end

-- What is in a folder: not litter, nor the folder of results (except, by its real path).
local function entries_of(folder, except)
  local list = {}
  for _, entry in ipairs(host.list(folder)) do
    local name = entry:gsub("/$", "")
    local path = folder .. "/" .. name
    local kind = fs.kind(path)
    if not archive.litter(name) and not (kind == "folder" and except and fs.real(path) == except) then
      list[#list + 1] = { name = name, path = path, kind = kind }
    end
  end
  return list
end

-- left: {files, bytes} of this student. Raises nothing for a student's sake: what is too much is refused as a whole.
local function entry_into(tree, entry, prefix, depth, left)
  local made, path, is_archive = { name = prefix .. entry.name }, entry.path, archive.named(entry.name)
  left.files = left.files - 1
  if left.files < 0 or left.bytes < 0 then return end
  if entry.kind == "folder" then made.name = made.name .. "/" end
  tree[#tree + 1] = made
  if entry.kind == "link" then
    made.refused = "it is a link"
  elseif entry.kind == "folder" and depth == DEEPEST then
    made.refused = "its folders are too deep"
  elseif entry.kind == "folder" then
    for _, each in ipairs(entries_of(path)) do entry_into(tree, each, made.name, depth + 1, left) end
  elseif archive.kernel(entry.name) or is_archive then
    made.text, made.refused = fs.read(path, is_archive and MOST_ARCHIVE or MOST_KERNEL, true)
    left.bytes = left.bytes - #(made.text or "")
  end
end

local function student_into(tree, entry, prefix)
  local from, left = #tree + 1, { files = MOST_FILES + 1, bytes = MOST_CONTENT } -- and the folder itself
  entry_into(tree, entry, prefix, 1, left)
  if left.files >= 0 and left.bytes >= 0 then return end
  for i = #tree, from, -1 do tree[i] = nil end
  local reason = left.files < 0 and ("it has more than %d files"):format(MOST_FILES)
    or ("its files have more than %d MB"):format(MOST_CONTENT >> 20)
  tree[from] = { name = ("%s%s/everything"):format(prefix, entry.name), refused = reason }
end

-- Folders with one folder in them, and nothing else, only lead to the students' ones.
local function class_into(tree, folder, except)
  local list, prefix = entries_of(folder, except), ""
  while #list == 1 and list[1].kind == "folder" and #prefix < 4000 do
    folder, prefix = list[1].path, prefix .. list[1].name .. "/"
    list = entries_of(folder, except)
  end
  if #list > MOST_ENTRIES then failure.usage(text.printable(folder) .. " holds too many files") end
  for _, entry in ipairs(list) do student_into(tree, entry, prefix) end
end

-- How systems call the file x.cu where students have no folders: Moodle "Ann Lee_12_assignsubmission_file_x.cu", Canvas
-- "leeann_LATE_12_345_x.cu", and "x-1.cu" for a second attempt. What comes before x.cu is the student's.
local students <const> = { "^.*_%d+_assignsubmission_file", "^[^/_]+_%d+_%d+", "^[^/_]+_LATE_%d+_%d+" }

---Whether a folder is called like a student's.
function trees.is_student(name)
  return lists.any(students, function(pattern) return name:find(pattern .. "$") end)
end

-- Gives such files a folder. forms: what each student's folder was, by its path, which begins with prefix.
local function sorted_by_student(tree, forms, prefix)
  for _, entry in ipairs(tree) do
    local folder, file = entry.name:match("^(.-)([^/]*)$")
    for _, pattern in ipairs(students) do
      local student, own = file:match("^(" .. pattern:sub(2) .. ")_(.+)$")
      if student and (archive.kernel(own) or archive.named(own)) then
        forms[prefix .. folder .. student] = archive.named(own) and "archive" or "loose file"
        entry.name = ("%s%s/%s"):format(folder, student, (own:gsub("%-%d+(%.%a+)$", "%1")))
        break
      end
    end
  end
  return tree
end

-- By what an archive's files are called: its name without the ending, or the whole name where another entry has that.
local function archive_names(tree)
  local times, folders = {}, {}
  for _, entry in ipairs(tree) do
    local base = archive.named(entry.name) and trees.without_ending(entry.name)
    if base then times[base] = (times[base] or 0) + 1 end
    for at in entry.name:gmatch("()/") do folders[entry.name:sub(1, at - 1)] = true end
  end
  return function(name)
    local base = trees.without_ending(name)
    return times[base] == 1 and not folders[base] and base or name
  end
end

-- What is in an archive or a notebook; or why it is refused.
local function opened(name, content)
  if notebook.named(name) then return notebook.read(content) end
  local ok, tree = host.catch(archive.read, content)
  if ok then return tree end
  if type(tree) ~= "table" or tree.kind ~= "usage" then error(tree, 0) end
  return nil, tree.message
end

-- The tree with archives replaced by what is in them; archives in those are refused.
local function unpacked(tree, forms, prefix)
  local out, name_of = {}, archive_names(sorted_by_student(tree, forms, prefix))
  for _, entry in ipairs(tree) do
    local is_archive = entry.text and archive.named(entry.name)
    if not is_archive then
      out[#out + 1] = entry
    elseif prefix ~= "" and not notebook.named(entry.name) then
      out[#out + 1] = { name = entry.name, refused = "it is an archive in an archive" }
    else
      local inner, reason = opened(entry.name, entry.text)
      local base = inner and name_of(entry.name) .. "/" or entry.name
      forms[base:gsub("/$", "")] = "archive"
      out[#out + 1] = { name = base, refused = reason }
      for _, e in ipairs(inner and unpacked(inner, forms, base) or {}) do
        out[#out + 1] = { name = base .. e.name, text = e.text, refused = e.refused }
      end
    end
  end
  return out
end

---What is in a folder or archive: {name = "ann/swizzle.cu", text = ...} is a kernel, {name =, refused = why} was not
---taken, others show that there is a folder. Sorted by name, in the composed form of UTF-8.
---@param path string @param except string? the real path of a folder that holds no submission
---@return table[] tree, table<string, string> forms "archive" or "loose file" by the path that it has there
function trees.read(path, except)
  local kind, tree, forms = host.kind(path), {}, {}
  if kind == "folder" then
    class_into(tree, path, except)
  elseif kind and archive.named(path) then
    local content, reason = fs.read(path, MOST_ARCHIVE, true)
    if content then tree, reason = opened(path, content) end
    if not tree or reason then failure.raise("setup", ("cannot read %s: %s"):format(text.printable(path), reason)) end
  elseif kind and archive.kernel(path) then
    local content, reason = fs.read(path, MOST_KERNEL, true)
    tree[1] = { name = text.file_name(path), text = content, refused = reason }
  else
    failure.raise("setup", kind and text.printable(path) .. " is neither a folder, an archive, nor a .cu file"
      or "there is no file or folder " .. text.printable(path))
  end
  for _, entry in ipairs(tree) do entry.name = composed(entry.name) end
  tree = unpacked(tree, forms, "")
  table.sort(tree, function(a, b) return a.name < b.name end)
  return tree, forms
end

return trees
