-- What a file of an editor is: a kernel file or an exercise of a lab, known by its folder, or any other CUDA file. The
-- head of that can say how it is launched, as docs/guide/editors.md describes.
local failure = require "gpulab.base.failure"
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

-- Launches ----------------------------------------------------------------------------------------

local MOST <const> = 4096 -- bytes of the file that may have it
local EXAMPLE <const> = "for example: // gpulab: scale<<<64, 256>>>(random float n, out float n, 2.5)"
local fill_of <const> = { random = "random", iota = "iota", zero = 0, out = "sentinel" }

local function fail(what) failure.usage("the comment // gpulab: " .. text.printable(what), EXAMPLE) end

-- The values of sums and products of integers and n, and of lists of them in brackets, which are tables.
local function values(said, n)
  local list = said:gsub("dim3", ""):gsub("(%d%.?)f", "%1"):gsub("%b()", function(inside)
    return inside:find "," and "{" .. inside:sub(2, -2) .. "}" or inside
  end)
  list = list:find "[.eE]" and list or list:gsub("/", "//")
  local chunk = list:match "^[%dn%s+*/(){}.,eE-]+$" and load("local n = ... return " .. list, "=head", "t", {})
  local found = table.pack(pcall(chunk, n))
  if not found[1] or not found[2] then fail(("has %q, which is no number"):format(said)) end
  return table.move(found, 2, found.n, 1, {})
end

local function whole(number)
  return math.tointeger(number) or fail "has a size or a count that is no integer"
end

-- An array, or a number.
local function argument(said, n, seed)
  local fill = fill_of[said:match "^%a+"]
  local kind, count = (fill and said:gsub("^%a+%s*", "") or said):match "^(%a[%w_ ]-)%s+([%dn(][%dn%s+*/()-]*)$"
  if not kind and fill then fail(("has %q, which is no array: random float n"):format(said)) end
  if not kind then return values(said, n)[1] end
  local ok, made = pcall(gpu.buffer, kind, whole(values(count, n)[1]), { fill = fill or "random", seed = seed })
  return ok and made or fail(("has an array that cannot be made: %s"):format(failure.of_argument(text.said(made))))
end

---The launch that a file asks for, and the line that does; nil without the comment.
---@param source string @return string? said, integer? line
function subject.head(source)
  for number, line in ipairs(text.lines(source:sub(1, MOST))) do
    local said = line:match "^%s*//%s*gpulab:%s*(.-)%s*$"
    if said then return said, number end
  end
end

---Launches a kernel of k. What is wrong with the launch is the mistake of whoever asked for it.
---@param kernel string @param config table @param arguments any[]
function subject.launch(kernel, config, arguments)
  local ok, e = failure.try(function() _G.k[kernel](config)(table.unpack(arguments)) end)
  if not ok then error(type(e) == "string" and failure.new("usage", failure.of_argument(e)) or e, 0) end
end

---Launches what a file asks for with kernels in k; raises if it cannot be read.
---@param said string of subject.head @return string kernel
function subject.run(said)
  local kernel, config, list = said:match "^([%a_][%w_:<>, ]-)%s*<<<(.-)>>>%s*%((.*)%)%s*;?$"
  if not kernel then fail("is not KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)") end
  local shape, n, arguments = values(config), 1, {}
  if #shape < 2 or #shape > 3 then fail("needs a grid and a block between <<< and >>>") end
  for i = 1, 2 do
    shape[i] = lists.map(type(shape[i]) == "table" and shape[i] or { shape[i] }, whole)
    for _, size in ipairs(shape[i]) do n = n * size end
  end
  for part in list:gmatch "[^,]+" do
    arguments[#arguments + 1] = argument(text.trim(part), n, #arguments + 1)
  end
  subject.launch(kernel, { grid = shape[1], block = shape[2], shared = shape[3] and whole(shape[3]) }, arguments)
  return kernel
end

return subject
