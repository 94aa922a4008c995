-- One submission or a class: a folder with a folder, an archive or loose files for each student, an archive of these,
-- or what one student submitted. Which it is, the names of its files say.
local archive = require "gpulab.archive"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local matching = require "gpulab.grade.matching"
local text = require "gpulab.base.text"
local trees = require "gpulab.grade.trees"

local submissions = {}

-- Files that are taken or refused; folders and other files; and what lies outside of every folder of the tree.
local function sorted_out(tree)
  local files, others, outside = {}, {}, {}
  for _, entry in ipairs(tree) do
    local first = entry.name:match("^[^/]*")
    local leads_out = entry.refused and (first == "" or first == ".." or first:match("^%a:$"))
    table.insert(leads_out and outside or (entry.text or entry.refused) and files or others, entry)
  end
  return files, others, outside
end

-- What one student submitted has kernels at the top, or in folders of exercises. A class has them in other folders.
local function is_one(files, items)
  local known, other, folders, named, at_top = matching.folders(items), {}, 0, false, 0
  for _, entry in ipairs(files) do
    local top = entry.name:match("^([^/]+)/")
    local meant = next(matching.ranks(entry.name, items)) ~= nil
    if not top then
      at_top, named = at_top + (archive.kernel(entry.name) and 1 or 0), named or meant
    elseif known[top:lower()] then
      named = true
    elseif meant or trees.is_student(top) then
      return false
    elseif archive.kernel(entry.name) and not other[top] then
      folders, other[top] = folders + 1, true
    end
  end
  return folders < 2 and named or folders == 0 and at_top == 1
end

-- The only folder at the top; nil: there is none, or something next to it.
local function only_folder(files, others, prefix)
  local only
  for _, entry in ipairs(files) do
    local top = entry.name:match("^([^/]+)/.")
    if not top or only and only ~= top then return nil end
    only = top
  end
  for _, entry in ipairs(others) do
    local top = entry.name:sub(1, #prefix) == prefix and entry.name:sub(#prefix + 1):match("^([^/]+)/")
    if only and top and top ~= only then return nil end
  end
  return only
end

local function has_kernel(files)
  return lists.any(files, function(entry) return archive.kernel(entry.name) end)
end

-- Goes down, and shortens names, while one folder holds all the rest. The folders passed; whether it is one submission.
local function descend(files, others, items)
  local prefix, may = "", has_kernel(files)
  while not is_one(files, items) do
    local top = may and only_folder(files, others, prefix)
    if not top then return prefix, false end
    for _, entry in ipairs(files) do entry.name = entry.name:sub(#top + 2) end
    prefix = prefix .. top .. "/"
  end
  return prefix, true
end

-- "j.smith", whose submission is at j.smith.zip
local function own_name(path)
  local name = text.file_name(path:gsub("/+$", ""))
  if name:match("^%.*$") then name = text.file_name(fs.real(path)) end
  return (archive.named(name) or archive.kernel(name)) and trees.without_ending(name) or name
end

-- A file's student, what it is called in the submission, and what a file without a folder is taken for.
local function owner(entry, items)
  local student, rest = entry.name:match("^([^/]+)/(.+)$")
  if student then return student, rest end
  if archive.named(entry.name) then return trees.without_ending(entry.name), entry.name, "archive" end
  if not archive.kernel(entry.name) then return entry.name, entry.name, "link" end
  student, rest = matching.loose(entry.name, items)
  return student, rest, "loose file"
end

local function class(files, others, prefix, items, forms)
  local of, names, own_forms = {}, {}, {}
  local function add(name, entry)
    if not of[name] then of[name], names[#names + 1] = {}, name end
    table.insert(of[name], entry)
  end
  for _, entry in ipairs(files) do
    local name, rest, form = owner(entry, items)
    own_forms[name] = own_forms[name] or form
    add(name, { name = rest, text = entry.text, refused = entry.refused })
  end
  for _, entry in ipairs(others) do
    local name = entry.name:sub(1, #prefix) == prefix and entry.name:sub(#prefix + 1):match("^([^/]+)/")
    if name then add(name) end
  end
  table.sort(names)
  local list = {}
  for i, name in ipairs(names) do
    list[i] = matching.submission(name, of[name], items, own_forms[name] or forms[prefix .. name] or "folder")
  end
  return list
end

---The submissions in a folder or archive, sorted by name, and what was refused and is in no submission.
---@param path string @param items table[] of a scheme @param name? string it is one submission, by this student
---@param except? string the real path of a folder that holds no submission
---@return table[] submissions of matching.submission, table[] outside {name, refused}
function submissions.read(path, items, name, except)
  local tree, forms = trees.read(path, except)
  local files, others, outside = sorted_out(tree)
  local prefix, one = ""
  if not name then
    prefix, one = descend(files, others, items)
    if not one then return class(files, others, prefix, items, forms), outside end
    local whole = own_name(path)
    name = prefix:gsub("^" .. whole:gsub("%p", "%%%0") .. "/", ""):match("^[^/]+") or whole
  end
  table.move(outside, 1, #outside, #files + 1, files)
  local form = forms[prefix:gsub("/$", "")] or host.kind(path) == "folder" and "folder"
  return { matching.submission(name, files, items, form or archive.named(path) and "archive" or "loose file") }, {}
end

return submissions
