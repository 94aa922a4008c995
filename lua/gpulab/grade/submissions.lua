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
local MOST_FILES <const>, DEEPEST <const> = 20000, 8

-- Trees: lists of {name = "ann/turn.cu", text = ...} or {name =, refused =} ------------------------

local function folder_into(tree, folder, prefix, depth)
  if depth > DEEPEST then
    tree[#tree + 1] = { name = prefix, refused = "its folders are too deep" }
    return
  end
  for _, entry in ipairs(host.list(folder)) do
    local name = entry:gsub("/$", "")
    local path, shown = folder .. "/" .. name, prefix .. name
    local kind = fs.kind(path)
    if #tree >= MOST_FILES then failure.raise("usage", folder .. " holds too many files") end
    if kind == "folder" then
      folder_into(tree, path, shown .. "/", depth + 1)
    elseif kind == "link" then
      tree[#tree + 1] = { name = shown, refused = "it is a link" }
    elseif name:match("%.cu$") or archive.named(name) then
      local content, reason = fs.read(path, archive.named(name) and MOST_ARCHIVE or MOST_KERNEL)
      tree[#tree + 1] = { name = shown, text = content, refused = reason }
    end
  end
end

-- Replaces archives in a tree by what is in them; archives in those are refused.
local function unpacked(tree, depth)
  local out = {}
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
        local base = entry.name:gsub("%.[^/]*$", "")
        for _, e in ipairs(unpacked(inner, depth - 1)) do
          out[#out + 1] = { name = base .. "/" .. e.name, text = e.text, refused = e.refused }
        end
      end
    else
      out[#out + 1] = entry
    end
  end
  return out
end

local function tree_of(path)
  local kind, tree = host.kind(path), {}
  if kind == "folder" then
    folder_into(tree, path, "", 1)
  elseif kind and archive.named(path) then
    local content, reason = fs.read(path, MOST_ARCHIVE)
    if not content then failure.raise("setup", ("cannot read %s: %s"):format(path, reason)) end
    tree = archive.read(content)
  elseif kind and path:match("%.cu$") then
    local content, reason = fs.read(path, MOST_KERNEL)
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

-- Folders of one submission: "03-turn" as handin makes them, "03-bank-conflicts" as copies lie there.
local function known_folders(items)
  local known = {}
  for _, item in ipairs(items) do
    known[item.id] = true
    known[("%02d-%s"):format(item.lab.number, item.lab.id)] = true
  end
  return known
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

-- An archive at the top that cannot be read is a submission too, of which nothing is taken.
local function add_stray(list, stray, items)
  for _, entry in ipairs(stray) do
    if entry.refused and archive.named(entry.name) then
      local name = entry.name:gsub("%.[^/]*$", "")
      list[#list + 1] = submission(text.printable(name), { entry }, items)
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
end

---The submissions in a folder or archive, sorted by name.
---@param path string @param items table[] of a scheme @param name? string: it is one submission, by this student
---@return table[] {name, files: table<string, {name, text, refused}>, notes: string[]}
function submissions.read(path, items, name)
  local tree = without_litter(unpacked(tree_of(path), 1))
  local own = text.printable((path:gsub("/+$", ""):match("[^/]+$") or path):gsub("%.[^./]*$", ""))
  if not name and not is_one(tree, items) then
    local inner, top = descended(tree)
    if top and not is_one(inner, items) then
      local deeper = select(2, descended(inner))
      if not deeper and #inner > 0 and inner[1].name:find("/") then tree = inner end
    elseif top then
      return { submission(text.printable(top), inner, items) }
    end
    local names, by_name, stray = divided(tree)
    local list = {}
    for i, each in ipairs(names) do list[i] = submission(text.printable(each), by_name[each], items) end
    add_stray(list, stray, items)
    return list
  end
  return { submission(name and text.printable(name) or own, tree, items) }
end

return submissions
