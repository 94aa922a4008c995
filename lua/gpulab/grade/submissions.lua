-- Submissions as they come: a folder with a folder or an archive for each student, an archive of such folders, or one
-- submission. Only .cu files are taken. Links, special files, paths that lead elsewhere and files that are too large
-- are refused by name; nothing is unpacked onto a disk.
local archive = require "gpulab.archive"
local failure = require "gpulab.base.failure"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local text = require "gpulab.base.text"

local submissions = {}

local MOST_KERNEL <const>, MOST_ARCHIVE <const> = 256 << 10, 64 << 20 -- bytes
local MOST_FILES <const>, MOST_CONTENT <const>, DEEPEST <const> = 2000, 64 << 20, 8 -- of one student; as in archives
local MOST_ENTRIES <const> = 20000 -- of the folder of a class

-- Trees: lists of {name = "ann/swizzle.cu", text = ...}, {name =, refused =}, or {name =, other = true}: a file that is
-- not taken, which shows that there is a submission.

-- "j.smith.tar.gz" without ".tar.gz"
local function without_ending(name)
  local base = name:gsub("%.[^./]*$", "")
  return base:lower():match("%.tar$") and base:sub(1, -5) or base
end

local function file_into(tree, path, shown, left)
  local name = shown:match("[^/]+$")
  if not (name:match("%.cu$") or archive.named(name)) then
    tree[#tree + 1] = { name = shown, other = true }
    return
  end
  local content, reason = fs.read(path, archive.named(name) and MOST_ARCHIVE or MOST_KERNEL, true)
  left.bytes = left.bytes - #(content or "")
  tree[#tree + 1] = { name = shown, text = content, refused = reason }
end

-- left: {files, bytes} of this student. Raises nothing for a student's sake: what is too much is refused as a whole.
local function folder_into(tree, folder, prefix, depth, left)
  if depth > DEEPEST then
    tree[#tree + 1] = { name = prefix, refused = "its folders are too deep" }
    return
  end
  for _, entry in ipairs(host.list(folder)) do
    local name = entry:gsub("/$", "")
    local path, shown = folder .. "/" .. name, prefix .. name
    local kind = fs.kind(path)
    left.files = left.files - 1
    if left.files < 0 or left.bytes < 0 then return end
    if kind == "folder" then
      folder_into(tree, path, shown .. "/", depth + 1, left)
    elseif kind == "link" then
      tree[#tree + 1] = { name = shown, refused = "it is a link" }
    else
      file_into(tree, path, shown, left)
    end
  end
end

local function student_into(tree, folder, prefix)
  local from, left = #tree + 1, { files = MOST_FILES, bytes = MOST_CONTENT }
  folder_into(tree, folder, prefix, 2, left)
  tree[#tree + 1] = { name = prefix, other = true }
  if left.files >= 0 and left.bytes >= 0 then return end
  for i = #tree, from, -1 do tree[i] = nil end
  local reason = left.files < 0 and ("it has more than %d files"):format(MOST_FILES)
    or ("its files have more than %d MB"):format(MOST_CONTENT >> 20)
  tree[from] = { name = prefix .. "everything", refused = reason }
end

-- The folder that holds the students' ones: folders with one folder in them, and nothing else, only lead there.
local function entered(folder)
  local prefix = ""
  while true do
    local list = {}
    for _, entry in ipairs(host.list(folder)) do
      if not entry:match("^%.") then list[#list + 1] = entry end
    end
    local name = #list == 1 and list[1]:match("^([^.].*)/$")
    if not name or fs.kind(folder .. "/" .. name) ~= "folder" or #prefix > 4000 then return folder, prefix end
    folder, prefix = folder .. "/" .. name, prefix .. name .. "/"
  end
end

-- except: a folder that holds no submission, by its real path.
local function class_into(tree, folder, except)
  local prefix
  folder, prefix = entered(folder)
  local entries = host.list(folder)
  if #entries > MOST_ENTRIES then failure.usage(text.printable(folder) .. " holds too many files") end
  for _, entry in ipairs(entries) do
    local name = entry:gsub("/$", "")
    local path = folder .. "/" .. name
    local kind = fs.kind(path)
    if kind == "link" then
      tree[#tree + 1] = { name = prefix .. name, refused = "it is a link" }
    elseif kind ~= "folder" then
      file_into(tree, path, prefix .. name, { bytes = 0 })
    elseif fs.real(path) ~= except then
      student_into(tree, path, prefix .. name .. "/")
    end
  end
end

-- By what an archive's files are called: its name without the ending, or the whole name where another entry has that.
local function archive_names(tree)
  local names, times = {}, {}
  for _, entry in ipairs(tree) do
    local is_archive = archive.named(entry.name)
    local base = is_archive and without_ending(entry.name) or entry.name
    names[entry] = base
    if is_archive then times[base] = (times[base] or 0) + 1 end
  end
  for _, entry in ipairs(tree) do
    if not archive.named(entry.name) then
      local folder = ""
      for part in entry.name:gmatch("([^/]+)/") do
        folder = folder .. part
        if times[folder] then times[folder] = 2 end
        folder = folder .. "/"
      end
    end
  end
  return function(entry) return times[names[entry]] == 1 and names[entry] or entry.name end
end

-- Replaces archives in a tree by what is in them; archives in those are refused.
local function unpacked(tree, depth)
  local out, name_of = {}, archive_names(tree)
  for _, entry in ipairs(tree) do
    if entry.text and archive.named(entry.name) then
      local ok, inner = pcall(archive.read, entry.text)
      if not ok and type(inner) == "table" and inner.kind == "interrupted" then error(inner, 0) end
      if not ok and type(inner) == "table" and inner.kind == "setup" then error(inner, 0) end
      if not ok then
        out[#out + 1] = { name = entry.name, refused = type(inner) == "table" and inner.message or tostring(inner) }
      elseif depth == 0 then
        out[#out + 1] = { name = entry.name, refused = "it is an archive in an archive in an archive" }
      else
        local base = name_of(entry)
        out[#out + 1] = { name = base .. "/", other = true }
        for _, e in ipairs(unpacked(inner, depth - 1)) do
          out[#out + 1] = { name = base .. "/" .. e.name, text = e.text, refused = e.refused, other = e.other }
        end
      end
    else
      out[#out + 1] = entry
    end
  end
  return out
end

local function tree_of(path, except)
  local kind, tree = host.kind(path), {}
  if kind == "folder" then
    class_into(tree, path, except)
  elseif kind and archive.named(path) then
    local content, reason = fs.read(path, MOST_ARCHIVE, true)
    if not content then failure.raise("setup", ("cannot read %s: %s"):format(path, reason)) end
    tree = archive.read(content)
  elseif kind and path:match("%.cu$") then
    local content, reason = fs.read(path, MOST_KERNEL, true)
    tree[1] = { name = path:match("[^/]+$"), text = content, refused = reason }
  else
    failure.raise("setup", kind and text.printable(path) .. " is neither a folder, an archive, nor a .cu file"
      or "there is no file or folder " .. text.printable(path))
  end
  table.sort(tree, function(a, b) return a.name < b.name end)
  return tree
end

-- What a system or an editor leaves: no student meant to hand it in.
local function is_litter(name)
  return name:find("^__MACOSX/") or name:find("/__MACOSX/") or name:find("^%.[^.]") or name:find("/%.[^.]")
    or name:find("~$")
end

local function without_litter(tree)
  local out = {}
  for _, entry in ipairs(tree) do
    if not is_litter(entry.name) then out[#out + 1] = entry end
  end
  return out
end

-- One submission or many ---------------------------------------------------------------------------

-- Folders of one submission: "03-swizzle" as handin makes them, "03-bank-conflicts" as copies lie there.
local function known_folders(items)
  local known = {}
  for _, item in ipairs(items) do
    known[item.id] = true
    known[("%02d-%s"):format(item.lab.number, item.lab.id)] = true
  end
  return known
end

-- The files that are taken or refused, and the others.
local function sorted_out(tree)
  local kernels, others = {}, {}
  for _, entry in ipairs(tree) do table.insert(entry.other and others or kernels, entry) end
  return kernels, others
end

-- A tree is one submission if kernels are at its top or in a folder of an exercise.
local function is_one(tree, items)
  local known = known_folders(items)
  for _, entry in ipairs(tree) do
    local top = entry.name:match("^([^/]+)/")
    if entry.text and entry.name:match("%.cu$") and (not top or known[top]) then return true end
  end
  return false
end

-- The only folder at the top of a tree is not a student's if what is in it is one submission or has students' folders.
local function descended(tree)
  local top
  for _, entry in ipairs(tree) do
    local first = entry.name:match("^([^/]+)/.")
    if not first or top and first ~= top then return tree end
    top = first
  end
  if not top then return tree end
  local out = {}
  for i, entry in ipairs(tree) do
    out[i] = { name = entry.name:sub(#top + 2), text = entry.text, refused = entry.refused }
  end
  return out, top
end

-- Which file is meant for an exercise: the more a path says, the better.
local function rank(name, item, unique)
  local starter = item.exercise.starter:match("[^/]+$")
  local file = name:match("[^/]+$")
  local lab_folder = ("%02d-%s"):format(item.lab.number, item.lab.id)
  local folder = name:match("([^/]+)/[^/]+$")
  if folder == item.id and file == starter then return 1 end
  if file == item.id .. ".cu" then return 2 end
  if folder == item.id then return 3 end
  if folder == lab_folder and (file == starter or file == item.exercise.id .. ".cu") then return 4 end
  if file == item.exercise.id .. ".cu" or file == "exercise-" .. item.exercise.id .. ".cu" then return 5 end
  if file == starter and unique[starter] == 1 then return 6 end
end

-- The best file for the exercise, or why there is none.
local function file_for(tree, item, unique)
  local best, least, others = nil, math.huge, {}
  for _, entry in ipairs(tree) do
    local r = rank(entry.name, item, unique)
    if r and r < least then
      best, least, others = entry, r, {}
    elseif r and r == least then
      others[#others + 1] = entry.name
    end
  end
  if #others > 0 then
    return { refused = ("%s and %s are both for this exercise"):format(best.name, table.concat(others, ", ")) }
  end
  return best
end

local function unique_names(items)
  local unique = {}
  for _, item in ipairs(items) do
    local name = item.exercise.starter:match("[^/]+$")
    unique[name] = (unique[name] or 0) + 1
  end
  return unique
end

local function submission(name, tree, items)
  local unique, made = unique_names(items), { name = name, files = {}, notes = {} }
  local used = {}
  for _, item in ipairs(items) do
    local entry = file_for(tree, item, unique)
    if entry then
      local binary = entry.text and entry.text:find("\0", 1, true)
      local refused = binary and "it holds a NUL byte, so it is no CUDA C++ text" or entry.refused
      made.files[item.id] = { name = entry.name and text.printable(entry.name), text = not binary and entry.text or nil,
        refused = refused and text.printable(refused) }
      used[entry] = true
    end
  end
  for _, entry in ipairs(tree) do
    if entry.refused and not used[entry] then
      made.notes[#made.notes + 1] = ("%s was refused: %s"):format(text.printable(entry.name),
        text.printable(entry.refused))
    elseif not used[entry] and entry.name:match("%.cu$") then
      made.notes[#made.notes + 1] = text.printable(entry.name) .. " is for no exercise that is graded"
    end
  end
  return made
end

-- The trees of many submissions by their names: the first part of each path, without an archive's ending.
local function divided(tree)
  local by_name, names, stray = {}, {}, {}
  for _, entry in ipairs(tree) do
    local name, rest = entry.name:match("^([^/]+)/(.+)$")
    if not name then
      stray[#stray + 1] = entry
    else
      if not by_name[name] then by_name[name], names[#names + 1] = {}, name end
      table.insert(by_name[name], { name = rest, text = entry.text, refused = entry.refused })
    end
  end
  table.sort(names)
  return names, by_name, stray
end

-- Folders and archives without a kernel are submissions too. prefix: where the students' folders are.
local function add_empty(names, by_name, others, prefix)
  for _, entry in ipairs(others) do
    local name = entry.name:sub(1, #prefix) == prefix and entry.name:sub(#prefix + 1):match("^([^/]+)/")
    if name and not by_name[name] then by_name[name], names[#names + 1] = {}, name end
  end
  table.sort(names)
end

local function has_elsewhere(others, top)
  for _, entry in ipairs(others) do
    local first = entry.name:match("^([^/]+)/")
    if first and first ~= top then return true end
  end
  return false
end

-- An archive at the top that cannot be read is a submission too, of which nothing is taken.
local function add_stray(list, stray, items)
  for _, entry in ipairs(stray) do
    if entry.refused and archive.named(entry.name) then
      local name = without_ending(entry.name)
      list[#list + 1] = submission(text.printable(name), { entry }, items)
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
end

local function own_name(path)
  local name = path:gsub("/+$", ""):match("[^/]+$") or path
  return (archive.named(name) or name:match("%.cu$")) and without_ending(name) or name
end

---The submissions in a folder or archive, sorted by name.
---@param path string @param items table[] of a scheme @param name? string: it is one submission, by this student
---@param except? string the real path of a folder that holds no submission
---@return table[] {name, files: table<string, {name, text, refused}>, notes: string[]}
function submissions.read(path, items, name, except)
  local tree, others = sorted_out(without_litter(unpacked(tree_of(path, except), 1)))
  if name or is_one(tree, items) then
    return { submission(text.printable(name or own_name(path)), tree, items) }
  end
  local inner, top = descended(tree)
  local prefix = ""
  if top and is_one(inner, items) then
    if not has_elsewhere(others, top) then return { submission(text.printable(top), inner, items) } end
  elseif top then
    local deeper = select(2, descended(inner))
    if not deeper and #inner > 0 and inner[1].name:find("/") then tree, prefix = inner, top .. "/" end
  end
  local names, by_name, stray = divided(tree)
  add_empty(names, by_name, others, prefix)
  local list = {}
  for i, each in ipairs(names) do
    list[i] = submission(text.printable(each), by_name[each], items)
    if #by_name[each] == 0 then list[i].notes[1] = "it has no .cu file" end
  end
  add_stray(list, stray, items)
  return list
end

return submissions
