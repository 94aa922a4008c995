-- The student's editor, as a process that has the terminal until it ends.
local copies = require "gpulab.copies"
local failure = require "gpulab.failure"
local show = require "gpulab.show"

local editor = {}

local KNOWN <const> = { "nano", "vim", "vi" }

local function in_path(name)
  for folder in (os.getenv("PATH") or ""):gmatch("[^:]+") do
    if require("gpulab.desk").stat(folder .. "/" .. name) == "file" then return true end
  end
end

---The command line of the editor: VISUAL, EDITOR, else one that is there; nil if none is.
function editor.command()
  for _, variable in ipairs { "VISUAL", "EDITOR" } do
    local command = os.getenv(variable)
    if command and command:match("%S") then return command end
  end
  for _, name in ipairs(KNOWN) do
    if in_path(name) then return name end
  end
end

---One word of a shell's command line, whatever is in it.
function editor.quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- What a killed editor may have left switched on: the other screen, a hidden cursor, colours, its mouse and paste
-- modes.
local PLAIN_SCREEN <const> = "\27[?47l\27[?25h\27[0m\27[?1l\27>\27[?1000l\27[?2004l\r"

---Opens the file and waits for the editor's end. Returns nil, or what to say of an editor that did not end well.
---@param path string @return string?
function editor.open(path)
  local command = editor.command()
  if not command then
    failure.raise("setup", "no editor was found", nil,
      ("set VISUAL or EDITOR to yours, or open %s in any editor: saving runs the step"):format(copies.shown(path)))
  end
  -- The shell must not be gone before the editor because Ctrl-C was pressed there; a trap is not inherited.
  local line = ("trap : INT QUIT; %s %s"):format(command, editor.quoted(path))
  local how, code, name = require("gpulab.desk").foreground(line)
  local shown = show.printable(command)
  if how == "signal" then
    local term = os.getenv("TERM")
    if term and term ~= "dumb" then io.stdout:write(PLAIN_SCREEN) end
    return ("The editor %s was ended by a signal (%s)."):format(shown, name)
  elseif code == 127 or code == 126 then
    return ("The editor %s cannot be started: set VISUAL or EDITOR to another."):format(shown)
  elseif code ~= 0 then
    return ("The editor %s ended with status %d."):format(shown, code)
  end
end

return editor
