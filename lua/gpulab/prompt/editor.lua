-- The student's editor, a process that owns the terminal until it ends.
local copies = require "gpulab.prompt.copies"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local lists = require "gpulab.base.lists"
local show = require "gpulab.base.show"

local editor = {}

local KNOWN <const> = { "nano", "vim", "vi" }

local function in_path(name)
  for folder in (os.getenv("PATH") or ""):gmatch("[^:]+") do
    if require("gpulab.fs").stat(folder .. "/" .. name) == "file" then return true end
  end
end

---The command line of the editor: VISUAL, EDITOR, in VS Code's terminal VS Code, else one that is there; nil if none.
function editor.command()
  for _, variable in ipairs { "VISUAL", "EDITOR" } do
    local command = os.getenv(variable)
    if command and command:match("%S") then return command end
  end
  if os.getenv("TERM_PROGRAM") == "vscode" and in_path("code") then return "code" end
  return lists.find(KNOWN, function(name) return in_path(name) end)
end

-- How an editor takes the line to open at, by its name: a word before the path, or the path with the line.
local plus <const> = lists.set "vi vim nvim gvim view nano pico emacs emacsclient"
local goto_line <const> = lists.set "code code-insiders codium"

---The words of the shell that open the file at the line, as far as the editor is known.
---@param command string @param path string @param line integer? @return string
function editor.arguments(command, path, line)
  local name = (command:match("^%s*(%S+)") or ""):match("[^/]+$") or ""
  if line and plus[name] then return ("+%d %s"):format(line, files.quoted(path)) end
  if line and goto_line[name] then return "-g " .. files.quoted(("%s:%d"):format(path, line)) end
  return files.quoted(path)
end

-- Undoes what a killed editor leaves behind: the alternate screen, a hidden cursor, colors, its mouse and paste modes.
local PLAIN_SCREEN <const> = "\27[?47l\27[?25h\27[0m\27[?1l\27>\27[?1000l\27[?2004l\r"

---Opens the file, at the line if the editor is known, and waits for the editor. Returns nil, or a message about an
---editor that failed.
---@param path string @param at integer? a line @return string?
function editor.open(path, at)
  local command = editor.command()
  if not command then
    failure.raise("setup", "no editor found", nil,
      ("set VISUAL or EDITOR to your editor, or open %s in any editor; saving it runs the step"):format(copies.shown(
        path)))
  end
  -- The shell must not be gone before the editor because Ctrl-C was pressed there; a trap is not inherited.
  local line = ("trap : INT QUIT; %s %s"):format(command, editor.arguments(command, path, at))
  local how, code, name = require("gpulab.fs").foreground(line)
  local shown = show.printable(command)
  if how == "signal" then
    local term = os.getenv("TERM")
    if term and term ~= "dumb" then io.stdout:write(PLAIN_SCREEN) end
    return ("A signal ended the editor %s (%s)."):format(shown, name)
  elseif code == 127 or code == 126 then
    return ("The editor %s cannot be started. Set VISUAL or EDITOR to another one."):format(shown)
  elseif code ~= 0 then
    return ("The editor %s exited with status %d."):format(shown, code)
  end
end

return editor
