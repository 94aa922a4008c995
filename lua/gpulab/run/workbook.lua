-- The student's folder, with the journal, copies of kernels, and calibrations: GPULAB_HOME, by default ~/gpulab-work.
-- It was ~/gpulab in earlier versions. `git clone` puts gpulab itself there, and deleting the clone deleted the
-- student's work, so what is found there is moved.
local host = require "gpulab.host"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local workbook = {}

local NAME <const>, EARLIER <const> = "gpulab-work", "gpulab"

-- Of a folder that is also a clone. The database is last: a move that was interrupted goes on at the next start.
local function belongings(folder)
  local names = {}
  for _, name in ipairs(host.list(folder)) do
    local is_own = name:match "^journal%.db." or name == "calibration/" or name:match "^%d%d%-.*/$"
    if is_own then names[#names + 1] = name:match "^[^/]+" end
  end
  if host.kind(folder .. "/journal.db") == "file" then names[#names + 1] = "journal.db" end
  return names
end

-- How many were moved; nil: one could not be.
local function move_each(from, to, names)
  local moved = 0
  require("gpulab.fs").make_folder(to)
  for _, name in ipairs(names) do
    if not host.kind(to .. "/" .. name) then
      if not os.rename(from .. "/" .. name, to .. "/" .. name) then return nil end
      moved = moved + 1
    end
  end
  return moved
end

-- False: it could not be moved, and stays in use where it is.
local function move(from, to)
  local names, moved = belongings(from), 1
  if #names == 0 then return true end
  if host.kind(from .. "/bootstrap") == "file" or host.kind(to) then
    moved = move_each(from, to, names)
  elseif not os.rename(from, to) then
    moved = nil
  end
  if moved and moved > 0 then
    local said = ("gpulab: your journal and copies of kernels were moved from %s to %s"):format(
      show.printable(from), show.printable(to))
    io.stderr:write(table.concat(text.wrap(said), "\n"), "\n")
  end
  return moved ~= nil
end

---The folder; nil (and why) if there is none.
---@return string?, string?
function workbook.folder()
  local home = os.getenv("GPULAB_HOME")
  if home == "" then return nil, "GPULAB_HOME is empty" end
  if home then return home end
  home = os.getenv("HOME")
  if not (home and home:match("^/")) then return nil, "neither GPULAB_HOME nor HOME is set to a folder" end
  local own, earlier = home .. "/" .. NAME, home .. "/" .. EARLIER
  if host.kind(own .. "/journal.db") or move(earlier, own) then return own end
  return earlier
end

return workbook
