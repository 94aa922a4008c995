-- Where labs and kernels are. C asks it, too, for whoever compiles a file.
local fs = require "gpulab.fs"
local gpu = require "gpulab.gpu"
local host = require "gpulab.host"

local where = {}

local MOST <const> = 200 -- bytes of a path that an error shows

local lab_folder -- of the lab that runs; nil: none

local entered = "" -- what package.path begins with because of it

---A lab or script finds its modules and kernels in its own folder, wherever gpulab was started, and none of the folder
---that was entered before.
---@param folder string
function where.enter(folder)
  local path = package.path
  if path:sub(1, #entered) == entered then path = path:sub(#entered + 1) end
  entered = ("%s/?.lua;%s/?/init.lua;"):format(folder, folder)
  package.path, lab_folder = entered .. path, folder
end

-- DIR/../share/gpulab for a program DIR/gpulab: an installed one finds its data wherever it was moved to.
local function beside_program()
  local known, program = pcall(fs.real, "/proc/self/exe")
  local up = known and program:match "^(.*)/[^/]*/[^/]*$"
  return up and up .. "/share/gpulab"
end

---The folder of the user's configuration, which need not exist; nil where there is no home.
---@return string?
function where.config_folder()
  local folder, home = os.getenv("XDG_CONFIG_HOME"), os.getenv("HOME")
  if not (folder and folder:match("^/")) then folder = home and home:match("^/") and home .. "/.config" end
  return folder and folder .. "/gpulab"
end

---The folders of a kind ("kernels", "labs"), most specific first, each once.
---@param kind string @return string[]
function where.folders(kind)
  local own, beside, found, known = os.getenv("GPULAB_" .. kind:upper()), beside_program(), {}, {}
  local function add(folder)
    local is, _, stamp = fs.stat(folder)
    if is ~= "folder" or known[stamp] then return end
    known[stamp] = true
    found[#found + 1] = folder
  end
  if own and own ~= "" then add(own) end
  if beside then add(beside .. "/" .. kind) end
  for _, folder in ipairs { host.source_root, host.data_folder } do
    if folder ~= "" then add(folder .. "/" .. kind) end -- a program that can be moved has none
  end
  return found
end

-- A path that says by itself where it begins: it means one file and no other.
local function says_where(path) return path:find "^/" or path:find "^%./" or path:find "^%.%./" end

-- Names of the folder's files that end as wanted does, for "did you mean".
local function add_names(names, folder, wanted)
  local ending = wanted:match "%.[^.]*$" or ""
  for _, name in ipairs(host.list(folder)) do
    name = name:gsub("/$", "")
    if not name:find "^%." and (ending == "" or name:sub(-#ending) == ending) then names[#names + 1] = name end
  end
end

---Raises if a name is a link that leads out of its folder: whoever made the link may have chosen a file that is not
---meant to be read, and a diagnostic would show a line of it.
function where.check_link(path)
  if path == "" then gpu.raise("usage", "the name of the file is empty") end
  if fs.kind(path) ~= "link" then return end
  local folder, target = fs.real(path:match("^(.*/)[^/]*$") or "."):gsub("/$", "") .. "/", fs.real(path)
  if target:sub(1, #folder) ~= folder then
    gpu.raise("setup", path:sub(1, MOST) .. " is a link that leads out of its folder",
      "copy the file there, or name the file itself")
  end
end

local function not_found(path, places)
  local names, looked = {}, {}
  for _, place in ipairs(places) do
    looked[#looked + 1] = place.called or place.folder
    add_names(names, place.folder, path)
  end
  local near, list = host.nearest(path, names), table.concat(looked, ", ")
  local hint = #looked > 0 and "looked in " .. list or ""
  if near then hint = ("did you mean %s? Looked in %s"):format(near, list) end
  gpu.raise("setup", "there is no file " .. path:sub(1, MOST), hint)
end

---A file that is named: next to the running lab or script, in the working folder if that is wanted, else in a folder of
---its kind; ./NAME is in the working folder and nowhere else.
---@param path string @param kind string @param in_working_folder? boolean @return string
function where.find(path, kind, in_working_folder)
  if path == "" then gpu.raise("usage", "a file name expected, got an empty text") end
  local places, alone = {}, says_where(path)
  if lab_folder and not alone then places[1] = { folder = lab_folder } end
  if in_working_folder or path:find "^/" then places[#places + 1] = { folder = ".", called = "the working folder" } end
  for _, folder in ipairs(alone and {} or where.folders(kind)) do places[#places + 1] = { folder = folder } end
  for _, place in ipairs(places) do
    local candidate = place.called and path or place.folder .. "/" .. path
    local is = fs.stat(candidate)
    if is and is ~= "folder" then return candidate end
    if is and place.called then gpu.raise("usage", path:sub(1, MOST) .. " is a folder, a file is needed") end
  end
  return not_found(path, places)
end

return where
