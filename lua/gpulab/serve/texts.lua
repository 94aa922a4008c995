-- Texts that are not saved: an editor's buffer, a cell of a notebook. The compiler reads files, so each is one in a
-- folder of this process; what is said of it names the file that it stands for.
local copies = require "gpulab.prompt.copies"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local journal = require "gpulab.run.journal"
local text = require "gpulab.base.text"

local texts = {}

---@class Texts
---@field files table<string, string> the file that is compiled, by the path that it stands for
---@field made integer folders
local Texts = {}
Texts.__index = Texts

---A text as an editor counts its lines: without a byte order mark and carriage returns.
function texts.plain(said) return (said:gsub("^\xEF\xBB\xBF", ""):gsub("\r\n", "\n")) end

---@return Texts
function texts.new() return setmetatable({ files = {}, made = 0 }, Texts) end

---Keeps a text for a path; nil removes it. Each is in a folder of its own, with the file name of the path.
---@param path string @param content string? @return string? file
function Texts:put(path, content)
  local file = self.files[path]
  if content and not file then
    self.made = self.made + 1
    local home = journal.folder() or os.getenv "TMPDIR" or "/tmp"
    local folder = ("%s/.serve-%s-%d"):format(home, host.process(), self.made)
    fs.make_folder(folder)
    file = folder .. "/" .. text.file_name(path)
  elseif file and not content then
    os.remove(file)
    pcall(fs.remove_folder, (file:match "^(.*)/"))
  end
  self.files[path] = content and file
  if content then fs.write(file, content) end
  return self.files[path]
end

local function in_json(said) return json.encode(said):sub(2, -2) end

---A message for the client, as JSON: the files that stand for others have the names of those.
---@param said string @return string
function Texts:named(said)
  for path, file in pairs(self.files) do
    for _, name in ipairs { in_json(file), in_json(copies.shown(file)) } do
      if said:find(name, 1, true) then said = said:gsub(name:gsub("%p", "%%%0"), (in_json(path):gsub("%%", "%%%%"))) end
    end
  end
  return said
end

---Removes all of it.
function Texts:close()
  for path in pairs(self.files) do self:put(path, nil) end
end

return texts
