-- Which file of a submission is meant for which exercise: the more its path says, the better.
local archive = require "gpulab.archive"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local matching = {}

local PLACED <const>, UNCLEAR <const>, ONLY <const> = 4, 7, 8 -- up to PLACED a path says which exercise it is for

local function lab_folder(item) return ("%02d-%s"):format(item.lab.number, item.lab.id):lower() end

---Folders of one submission: "03-swizzle" as handin makes them, "03-bank-conflicts" as copies are stored.
---@param items table[] @return table<string, boolean>
function matching.folders(items)
  local known = {}
  for _, item in ipairs(items) do known[item.id:lower()], known[lab_folder(item)] = true, true end
  return known
end

-- How exactly a path names an exercise, 1 the most; nil: it does not.
local function rank(path, item)
  local folder, file = path:match("([^/]+)/[^/]+$"), path:match("[^/]+$")
  local own, id = item.id:lower(), item.exercise.id:lower()
  local is_starter = file == text.file_name(item.exercise.starter):lower()
  if folder == own and is_starter then return 1 end
  if file == own .. ".cu" then return 2 end
  if folder == own then return 3 end
  local by_name = (file == id .. ".cu" or file == "exercise-" .. id .. ".cu") and 5 or is_starter and 6 or nil
  return by_name and folder == lab_folder(item) and PLACED or by_name
end

---How exactly a path names the exercises that it may be for, 1 the most. A name that means two of them decides nothing.
---@param path string @param items table[] @return table<table, integer> ranks by item; empty: it is for none
function matching.ranks(path, items)
  local ranks, n, placed = {}, 0, false
  for _, item in ipairs(archive.kernel(path) and items or {}) do
    local r = rank(path:lower(), item)
    if r then ranks[item], n, placed = r, n + 1, placed or r <= PLACED end
  end
  for item, r in pairs(ranks) do
    if r > PLACED and n > 1 then ranks[item] = not placed and UNCLEAR or nil end
  end
  return ranks
end

---"ann_row_sums.cu" as "ann" and "row_sums.cu", the name of a file for an exercise; other names without their ending
---and whole.
---@param file string @param items table[] @return string student, string file
function matching.loose(file, items)
  for at in file:gmatch("()[_ .-]") do
    local rest = file:sub(at + 1)
    if at > 1 and next(matching.ranks(rest, items)) then return file:sub(1, at - 1), rest end
  end
  return (file:gsub("%.%w+$", "")), file
end

-- The best files for each exercise: {rank, file...} by item.
local function best_of(tree, items)
  local best, kernels = {}, {}
  for _, entry in ipairs(tree) do
    if archive.kernel(entry.name) then kernels[#kernels + 1] = entry end
    for item, r in pairs(matching.ranks(entry.name, items)) do
      if not best[item] or r < best[item].rank then best[item] = { rank = r } end
      if r == best[item].rank then table.insert(best[item], entry) end
    end
  end
  if #items == 1 and #kernels == 1 and not best[items[1]] then best[items[1]] = { rank = ONLY, kernels[1] } end
  return best
end

-- What is checked for an exercise: {name, text}, {name, refused}, or {refused}.
local function taken(best, items)
  local entry = best[1]
  local shown = text.printable(entry.name)
  if #best > 1 then
    local names = lists.map(best, function(each) return text.printable(each.name) end)
    return { refused = table.concat(names, " and ") .. " are both for this exercise" }
  end
  local meant = lists.select(best.rank == UNCLEAR and items or {},
    function(item) return matching.ranks(entry.name, items)[item] end)
  if #meant > 0 then
    return { refused = ("%s may be for %s: put it into a folder of that name"):format(shown,
      table.concat(lists.map(meant, "id"), " or ")) }
  end
  local refused = entry.refused or entry.text:find("\0", 1, true) and "it holds a NUL byte, so it is no CUDA C++ text"
  return { name = shown, text = not refused and entry.text or nil, refused = refused and text.printable(refused) }
end

---@param name string @param tree table[] as trees.read returns it, from this student's folder on @param items table[]
---@param form string what it was taken for
---@return table submission {name, form, files: table<string, {name, text, refused}>, notes: string[]}
function matching.submission(name, tree, items, form)
  local made, used = { name = text.printable(name), form = form, files = {}, notes = {} }, {}
  for item, each in pairs(best_of(tree, items)) do
    made.files[item.id] = taken(each, items)
    for _, entry in ipairs(each) do used[entry] = true end
  end
  for _, entry in ipairs(tree) do
    local why = entry.refused and "was refused: " .. text.printable(entry.refused)
      or entry.text and "is for no exercise that is graded"
    if why and not used[entry] then made.notes[#made.notes + 1] = text.printable(entry.name) .. " " .. why end
  end
  if #made.notes == 0 and not next(made.files) then made.notes[1] = "it has no .cu file" end
  return made
end

return matching
