-- Texts that are not saved: an editor's buffer, a cell of a notebook. The compiler reads files, so each is one in a
-- folder of this process; what is said of it names the file that it stands for.
local copies = require "gpulab.prompt.copies"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local journal = require "gpulab.run.journal"
local text = require "gpulab.base.text"

local texts = {}

---@class Texts
---@field folder string? @field files table<string, string> the file with the text, by the path that it stands for
local Texts = {}
Texts.__index = Texts

---@return Texts
function texts.new() return setmetatable({ files = {}, made = 0 }, Texts) end

local function folder_of(self)
  if not self.folder then
    local home = journal.folder() or os.getenv "TMPDIR" or "/tmp"
    self.folder = ("%s/.serve-%s"):format(home, host.process())
    fs.make_folder(self.folder)
  end
  return self.folder
end

---Keeps a text for a path; nil removes it. Texts of the same file name are in folders of their own.
---@param path string @param content string? @return string? file
function Texts:put(path, content)
  local file = self.files[path]
  if not content then
    if file then os.remove(file) end
    self.files[path] = nil
    return nil
  end
  if not file then
    self.made = self.made + 1
    local own = ("%s/%d"):format(folder_of(self), self.made)
    fs.make_folder(own)
    file = own .. "/" .. text.file_name(path)
    self.files[path] = file
  end
  fs.write(file, content)
  return file
end

---The file that is compiled for a path.
---@param path string @return string
function Texts:file(path) return self.files[path] or path end

---A text for the reader: the files that stand for others have the names of those.
---@param said string @return string
function Texts:named(said)
  for path, file in pairs(self.files) do
    for _, name in ipairs { file, copies.shown(file) } do
      said = said:gsub(name:gsub("%p", "%%%0"), (path:gsub("%%", "%%%%")))
    end
  end
  return said
end

---Removes all of it.
function Texts:close()
  for path, file in pairs(self.files) do
    self:put(path, nil)
    pcall(fs.remove_folder, (file:match "^(.*)/"))
  end
  if self.folder then pcall(fs.remove_folder, self.folder) end
end

return texts
