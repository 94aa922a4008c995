-- The student's copies of a lab's kernel files: GPULAB_HOME/NN-name/FILE.cu. The lab's steps compile a copy instead of
-- the original. Nothing of the student's is lost: files are renamed, never overwritten.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local show = require "gpulab.base.show"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local copies = {}

local Copies = {}
Copies.__index = Copies

local LONGEST <const> = 4 << 20 -- bytes; a kernel source is smaller

-- Written in C; the plain Lua of the unit tests has a double.
local function fs() return require "gpulab.fs" end

---The kernel files a step compiles, the main one first; none for a step that compiles nothing.
---@param step table @param params table
---@return string[]
function copies.files(step, params)
  if step.exercise then return { step.kernel.file } end -- its launches may depend on sizes that only its check sets
  local ok, files = pcall(steps.files, step, params)
  return ok and files or {}
end

---The file that `edit` opens; nil where there is none.
function copies.file(step, params)
  return copies.files(step, params)[1]
end

-- The name of a starter's copy: its own, unless a step's copy has it or another exercise's.
local function starter_name(ex, taken)
  for _, name in ipairs { text.file_name(ex.starter), ex.id .. ".cu" } do
    if not taken[name] then return name end
  end
  return "exercise-" .. ex.id .. ".cu"
end

-- One entry for each kernel file of the lab. Two files of the same name in different folders keep the folders' names.
-- Then one for each exercise's starter, which never changes the name of a step's copy.
local function entries_of(lab)
  local entries, list, times = {}, {}, {}
  local params = lab:parameters()
  for _, step in ipairs(lab.steps) do
    for _, file in ipairs(copies.files(step, params)) do
      if not entries[file] then
        entries[file] = { file = file, name = text.file_name(file) }
        list[#list + 1] = entries[file]
        times[entries[file].name] = (times[entries[file].name] or 0) + 1
      end
    end
  end
  local taken = {}
  for _, entry in ipairs(list) do
    if times[entry.name] > 1 then entry.name = entry.file:gsub("/", "_") end
    taken[entry.name] = true
  end
  for _, ex in ipairs(lab.exercises or {}) do
    if not entries[ex.starter] then
      local entry = { file = ex.starter, name = starter_name(ex, taken), exercise = ex }
      entries[ex.starter], list[#list + 1], taken[entry.name] = entry, entry, true
    end
  end
  return entries, list
end

---@param lab Lab @param beside? string the lab's own folder, where its kernels may be
function copies.new(lab, beside)
  local home, reason = journal.folder()
  if home and home:find('["\r\n]') then
    home, reason = nil, "the compiler cannot record a path with a quotation mark or a line break: "
      .. show.printable(home:gsub("[\r\n]", "?"))
  end
  if home and home:sub(1, 1) ~= "/" then home = "./" .. home end
  local folder = home and ("%s/%02d-%s"):format(home, lab.number, lab.id)
  local self = setmetatable({ lab = lab, folder = folder, reason = reason, beside = beside }, Copies)
  self.entries, self.list = entries_of(lab)
  for _, entry in ipairs(self.list) do entry.path = self:path_of(entry) end
  return self
end

---Where the student's copy of a file is, or would be; nil: nowhere.
function Copies:path_of(entry) return self.folder and self.folder .. "/" .. entry.name end

---A path as a person reads it: the home folder as ~.
function copies.shown(path)
  local home = os.getenv("HOME")
  if home and #home > 1 and path:sub(1, #home + 1) == home .. "/" then path = "~" .. path:sub(#home + 1) end
  return show.printable(path)
end

---The copy's stamp (a new one after every save); nil and what is in its place, if anything.
function copies.stamp(entry)
  if not entry.path then return nil end
  local kind, size, stamp = fs().stat(entry.path)
  if kind == "file" and size <= LONGEST then return stamp end
  if kind == "file" then return nil, "too large for a kernel source" end
  return nil, kind and "not a regular file"
end

local function read(path)
  local content, reason = fs().read(path, LONGEST)
  if not content then failure.raise("setup", ("cannot read %s: %s"):format(copies.shown(path), reason)) end
  return content
end

---Is there a copy of the file? Raises if something other than source text has its name.
---@param file string as the lab names it
function Copies:find(file)
  local entry = self.entries[file]
  local stamp, odd = copies.stamp(entry)
  if odd then
    failure.raise("setup", ("%s is %s"):format(copies.shown(entry.path), odd), nil,
      "move it elsewhere: your copy of " .. show.printable(entry.name) .. " belongs there")
  end
  return stamp and entry or nil
end

-- The possible paths of an original, most likely first.
local function candidates(self, file)
  local paths = {}
  if file:sub(1, 1) ~= "/" then
    if self.beside then paths[1] = self.beside .. "/" .. file end
    for _, folder in ipairs(where.folders("kernels")) do paths[#paths + 1] = folder .. "/" .. file end
  end
  return paths
end

-- The original's path. In the folder of the copies a copy is what the name means first: then it is looked for
-- elsewhere.
local function original(self, entry)
  local found = where.find(entry.file, "kernels")
  local _, _, copy = fs().stat(entry.path or "/")
  local function is_copy(path) return copy ~= nil and select(3, fs().stat(path)) == copy end
  if not is_copy(found) then return found end
  for _, path in ipairs(candidates(self, entry.file)) do
    if fs().stat(path) == "file" and not is_copy(path) then return path end
  end
  failure.raise("setup", ("the original of %s was not found, only the copy"):format(show.printable(entry.name)), nil,
    "start gpulab from another folder")
end

---@return string text, string path
function Copies:original(entry)
  local path = original(self, entry)
  return read(path), path
end

---What a step of this file compiles: the copy's text, else the original's.
function Copies:text(entry)
  if copies.stamp(entry) then return read(entry.path) end
  return (self:original(entry))
end

---What the runner needs to compile the copy of a file; nil without a copy.
---@return {path: string, include: string[]?, changed: boolean}?
function Copies:source(file)
  local entry = self:find(file)
  if not entry then return nil end
  local found, content, path = pcall(self.original, self, entry)
  return { path = entry.path, include = found and { path:match("^(.*)/") or "." } or nil,
    changed = not found or content ~= read(entry.path) }
end

local function explained(self, f, ...)
  local ok, e = pcall(f, ...)
  if ok then return e end
  if type(e) == "table" and e.kind == "setup" then
    failure.raise("setup", show.printable(e.message), nil,
      ("your copies are stored in %s; set GPULAB_HOME=FOLDER to store them elsewhere"):format(copies.shown(
        self.folder)))
  end
  error(e, 0)
end

---The student's folder of the lab, made if it does not exist.
function Copies:make_folder()
  if not self.folder then
    failure.raise("setup", "there is no folder for your files: " .. self.reason, nil,
      "set GPULAB_HOME to a folder, or leave it unset for ~/gpulab-work")
  end
  explained(self, fs().make_folder, self.folder)
  return self.folder
end

---Makes the copy if it does not exist; true if it was made now.
function Copies:make(file)
  if not self.folder then
    failure.raise("setup", "there is no folder for a copy of the kernel: " .. self.reason, nil,
      "set GPULAB_HOME to a folder, or leave it unset for ~/gpulab-work")
  end
  if self:find(file) then return self.entries[file], false end
  local entry = self.entries[file]
  local content = self:original(entry)
  self:make_folder()
  explained(self, fs().write, entry.path, content)
  return entry, true
end

---Moves the copy away, so that steps use the original again. Returns its new path; nil if it did not differ.
---@return string? backup
function Copies:reset(entry)
  local ok, content = pcall(function() return (self:original(entry)) end)
  if ok and content == read(entry.path) then return explained(self, fs().remove, entry.path) end
  for number = 1, math.maxinteger do
    local backup = ("%s.~%d~"):format(entry.path, number)
    if explained(self, fs().keep, entry.path, backup) then return backup end
  end
end

return copies
