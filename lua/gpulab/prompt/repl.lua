-- The prompt: reads a line, runs it as a command or as Lua, shows the result. Reading and history are in C
-- (gpulab.line); this file interprets the lines.
local commands = require "gpulab.base.commands"
local help = require "gpulab.prompt.help"
local host = require "gpulab.host"
local show = require "gpulab.base.show"
local text_format = require "gpulab.base.text"

local repl = {}

local CONTINUE <const> = ">> "

-- Lua ---------------------------------------------------------------------------------------------

---The chunk for a text: an expression if possible, else statements. nil and the message if it is neither; the third
---value is true if it is only incomplete.
---@param text string
function repl.compile(text)
  local chunk = load("return " .. text, "=prompt", "t")
  if chunk then return chunk end
  local problem
  chunk, problem = load(text, "=prompt", "t")
  if chunk then return chunk end
  return nil, problem, problem:sub(-5) == "<eof>"
end

local keywords = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
  "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }
local is_keyword = {}
for _, word in ipairs(keywords) do is_keyword[word] = true end

local function global_names()
  local names = { "lab", "check" }
  for name in next, _G do
    if type(name) == "string" then names[#names + 1] = name end
  end
  return names
end

-- Words from other programs, and their counterpart here.
local elsewhere <const> = {
  ls = "`steps` lists a lab's steps, os.execute \"ls\" lists files",
  dir = "`steps` lists a lab's steps",
  list = "`steps` lists a lab's steps, gpulab --list lists the labs",
  labs = "gpulab --list lists the labs",
  clear = "Ctrl-L clears the screen",
  cls = "Ctrl-L clears the screen",
  cd = "gpulab stays in the folder it was started in",
  pwd = "os.getenv \"PWD\" names the folder",
  q = "`quit` or Ctrl-D quits gpulab",
  bye = "`quit` or Ctrl-D quits gpulab",
  man = "`help` or ? explains a name",
  h = "`help` or ? explains a name",
  start = "`run` runs a lab's steps",
  exec = "`run` runs a lab's steps",
  make = "there is nothing to build: `run` compiles the kernels",
  nvcc = "there is nothing to build: `run` compiles the kernels",
  vim = "`edit STEP` opens your editor",
  vi = "`edit STEP` opens your editor",
  nano = "`edit STEP` opens your editor",
  emacs = "`edit STEP` opens your editor",
  cat = "`show STEP` shows a step, ??STEP its source",
  less = "`show STEP` shows a step, ??STEP its source",
  undo = "`reset STEP` restores the original kernel",
  back = "`prev` goes to the previous step",
  b = "`prev` goes to the previous step",
  n = "`next` goes to the next step",
  s = "`debug STEP` steps through a kernel",
  where = "`steps` marks the current step",
  explain = "`why STEP` explains a step; `hint` helps with an exercise",
  debrief = "`check EXERCISE` shows the debrief once the exercise is passed",
  test = "`check EXERCISE` tests an exercise",
  verify = "`check EXERCISE` tests an exercise",
  submit = "`handin` writes your exercises to one file",
  profile = "`lines STEP` counts by source line, `why STEP` explains a step",
}

-- The same while a launch is stepped.
local stepping <const> = {
  q = "`kill` ends stepping; `quit` quits gpulab",
  up = "`list` shows the source, `focus` goes to another warp",
  down = "`list` shows the source, `focus` goes to another warp",
  prev = "`back` goes to the line before; `kill` ends stepping",
}

-- What to type instead of this word.
local function counterpart(word)
  return commands.get("kill") and commands.get("stepi") and stepping[word] or elsewhere[word]
end

-- The likely meaning of a line that begins with an unknown word.
local function suggestion(line)
  local word = line:match("^%s*([%a_][%w_]*)")
  if not word or is_keyword[word] or commands.get(word) or rawget(_G, word) ~= nil then return nil end
  return word, commands.nearest(word, line:match("^%s*[%w_]+%s*$") and global_names() or nil)
end

local function unknown(line, problem)
  local word, near = suggestion(line)
  local command = word and line:match("^%s*[%a_][%w_-]*%s*$") or word and not repl.compile(line)
    and line:match("^%s*[%a_][%w_-]*%s+[%w_]")
  local here = command and counterpart(word)
  if here then return gpu.error("usage", ("there is no command %s"):format(word), here) end
  if near then return gpu.error("usage", ("there is no command %s"):format(word), ("did you mean %s?"):format(near)) end
  if command and problem then
    return gpu.error("usage", ("there is no command %s, and this is not Lua"):format(line:match("[%w_-]+")),
      "`help` lists the commands")
  end
  return problem
end

-- One line ------------------------------------------------------------------------------------------

-- The first value is kept as ans.
local function echo(...)
  if select("#", ...) > 0 and (...) ~= nil then rawset(_G, "ans", (...)) end
  for i = 1, select("#", ...) do print(show.value((select(i, ...)))) end
end

local function finish(ok, ...)
  if not ok then return false, ... end
  return host.protect(echo, ...)
end

---Runs a complete line. true, or false and what was raised.
---@param line string @param session table? the open lab
function repl.run(line, session)
  local name = line:match("^%s*%?%?%s*(%S+)%s*$")
  if name then return host.protect(function() require("gpulab.prompt.source").show(name, session) end) end
  name = line:match("^%s*%?%s*(%S*)%s*$")
  if name then return host.protect(help.show, name) end
  if commands.parse(line) then return host.protect(commands.dispatch, line) end
  local chunk, problem = repl.compile(line)
  if not chunk then return false, unknown(line, problem) end
  local single = line:match("^%s*([%a_][%w_]*)%s*$")
  if single and not is_keyword[single] and _G[single] == nil then
    local suggested = unknown(line, nil)
    if suggested then return false, suggested end
    return false, gpu.error("usage", ("there is no command or variable %s"):format(single),
      "`help` lists the commands")
  end
  return finish(host.protect(chunk))
end

-- Completion ----------------------------------------------------------------------------------------

local function starts(word, prefix) return word:sub(1, #prefix) == prefix end

-- The names below a value, and whether each is a function. Nothing is called and no device is opened.
local function members(value, class)
  local names = {}
  local function add(t)
    for key, v in next, t or {} do
      if type(key) == "string" and key:match("^[%a_][%w_]*$") then
        names[key] = type(v) == "function"
      end
    end
  end
  if class then
    local methods, fields = host.class_members(class)
    add(fields)
    add(methods)
  elseif type(value) == "table" then
    local meta = debug.getmetatable(value)
    local index = type(meta) == "table" and rawget(meta, "__index")
    if type(index) == "table" then add(index) end
    add(value)
    if value == gpu then names.device = false end
  elseif type(value) == "userdata" then
    local methods, fields = host.members(value)
    add(fields)
    add(methods)
  elseif type(value) == "string" then
    add(string)
  end
  return names
end

-- The value that a.b.c names, by raw access only; for gpu.device its class.
local function resolve(path)
  if path == "gpu.device" then return nil, "device" end
  local value = _G
  for name in path:gmatch("[^.]+") do
    if type(value) ~= "table" then return nil end
    value = rawget(value, name)
    if value == nil and (name == "lab" or name == "check") then value = package.loaded["gpulab." .. name] end
  end
  return value
end

local function complete_member(path, separator, prefix)
  local value, class = resolve(path)
  local found, append = {}, ""
  for name, callable in pairs(members(value, class)) do
    if starts(name, prefix) and (separator == "." or callable) then
      found[#found + 1] = path .. separator .. name
      append = callable and "(" or ""
    end
  end
  return found, append
end

local function complete_word(prefix, first)
  local found, append = {}, ""
  local function add(name, after)
    if starts(name, prefix) then found[#found + 1], append = name, after end
  end
  for _, name in ipairs(global_names()) do add(name, type(rawget(_G, name)) == "function" and "(" or "") end
  for _, word in ipairs(keywords) do add(word, " ") end
  if first then
    for _, name in ipairs(commands.names()) do add(name, " ") end
  end
  return found, append
end

-- Is the end of the text inside a string?
local function in_string(text)
  local quote
  local at = 1
  while at <= #text do
    local c = text:sub(at, at)
    if quote and c == "\\" then at = at + 1
    elseif c == quote then quote = nil
    elseif not quote and (c == '"' or c == "'") then quote = c end
    at = at + 1
  end
  return quote ~= nil
end

---Candidates for the word after `before`, and what to append to a single one; nil: file names.
---@param before string @param word string
function repl.complete(before, word)
  if before:match("^%s*%?%?%s*$") then
    local found = {}
    local steps = commands.get("show") and commands.complete("show ", word) or {}
    for _, name in ipairs(steps) do found[#found + 1] = name end
    return found, ""
  end
  if before:match("^%s*%?%s*$") then
    local found = {}
    for _, name in ipairs(help.names()) do
      if starts(name, word) then found[#found + 1] = name end
    end
    return found, ""
  end
  local candidates = commands.complete(before, word)
  if candidates then
    local found = {}
    for _, name in ipairs(candidates) do
      if starts(name, word) then found[#found + 1] = name end
    end
    return #found > 0 and found or nil, #found > 0 and found[1]:sub(-1) == "=" and "" or " "
  end
  if in_string(before) then return nil end
  local path, separator, prefix = word:match("^([%a_][%w_.]*)([.:])([%w_]*)$")
  if path then return complete_member(path, separator, prefix) end
  return complete_word(word, before:match("^%s*$") ~= nil)
end

-- The loop ------------------------------------------------------------------------------------------

local function prompt_text()
  return tostring(commands.prompt) .. "> "
end

-- A statement of one or several lines; nil at the end of input, false if it was abandoned.
local function read_statement(line_module)
  local line = line_module.read(prompt_text())
  if not line then return line end
  while true do
    if line:match("^%s*%?") or commands.parse(line) or line:match("^%s*$") then return line end
    local _, _, unfinished = repl.compile(line)
    if not unfinished then return line end
    local more = line_module.read(CONTINUE)
    if not more then
      if more == nil then io.stdout:write("\n") end
      return false
    end
    line = line .. "\n" .. more
  end
end

local ended = false

---Ends the prompt after the current command.
function repl.stop() ended = true end

---Reads and runs until the end of input, `quit` or `exit`.
---@param options table color @param session table? the open lab
function repl.loop(options, session)
  local line_module = require "gpulab.line"
  local problem = line_module.open(repl.complete)
  if problem then show.error(problem, options.color) end
  if session then session.book:attach(line_module) end
  ended = false
  host.turns(function(failure)
    if failure then show.error(failure, options.color) end
    local line = commands.typed_ahead
    commands.typed_ahead = nil
    if line then print(prompt_text() .. line) else line = read_statement(line_module) end
    text_format.follow(host.columns())
    if line == nil then
      io.stdout:write("\n")
      return false
    end
    if line and not line:match("^%s*$") then
      problem = line_module.remember(line)
      if problem then show.error(problem .. "; the history lasts for this session only", options.color) end
      local ok, e = repl.run(line, session)
      if not ok then show.error(e, options.color, true) end
      io.stdout:flush()
    end
    return not ended
  end)
end

-- Commands of every prompt -------------------------------------------------------------------------

commands.define { name = "help", usage = "help [NAME]", summary = "explain a command or a function; ? is the same",
  help = "help buffer and ?buffer explain a name; help alone prints an overview.",
  complete = function() return help.names() end,
  run = function(args) help.show(args[1] or "") end }
require "gpulab.prompt.devices" -- defines its command
require("gpulab.warp.commands").command(nil, {}) -- a lab defines its own
commands.define { name = "quit", usage = "quit", summary = "quit gpulab; exit and Ctrl-D do the same", run = repl.stop }
commands.define { name = "exit", usage = "exit", summary = "the same as quit", run = repl.stop }

return repl
