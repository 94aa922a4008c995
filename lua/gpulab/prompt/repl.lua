-- The prompt: reads a line, runs it as a command or as Lua, shows the result. Reading and history are in C
-- (gpulab.line); this file interprets the lines.
local chunk = require "gpulab.prompt.chunk"
local commands = require "gpulab.base.commands"
local completion = require "gpulab.prompt.completion"
local failure = require "gpulab.base.failure"
local help = require "gpulab.prompt.help"
local host = require "gpulab.host"
local record_list = require "gpulab.record.list"
local show = require "gpulab.base.show"
local source = require "gpulab.prompt.source"
local stepper = require "gpulab.warp.stepper"
local suggestion = require "gpulab.prompt.suggestion"
local text = require "gpulab.base.text"

local repl = {}

---@class Prompt
---@field options table @field commands Commands @field records RecordList @field stepper Stepper
---@field session table? the open lab
---@field ended boolean?
local Prompt = {}
Prompt.__index = Prompt

local CONTINUE <const> = ">> "

---A prompt with the commands of every prompt. A lab adds its own.
---@param options table color @return Prompt
function repl.new(options)
  local self = setmetatable({ options = options, commands = commands.new(), records = options.records }, Prompt)
  self.records = self.records or record_list.new()
  self.records.typed = true
  self.records:watch()
  self.stepper = stepper.new(self.commands)
  self.commands:add(commands.of "gpulab.prompt.command", self)
  self.commands:add(commands.of "gpulab.prompt.command.record", self)
  return self
end

---Makes the commands functions in Lua too: under their own names where Lua has no other use for them, and all of them
---in `command`.
function Prompt:offer_functions()
  local meta = getmetatable(_G) or {}
  local others = meta.__index
  meta.__index = function(globals, name)
    local value = others and others(globals, name)
    if value ~= nil or type(name) ~= "string" then return value end
    if name == "command" then return self.commands.functions end
    return self.commands:as_function(name)
  end
  setmetatable(_G, meta)
end

-- One line ------------------------------------------------------------------------------------------

-- The first value is kept as ans.
local function echo(...)
  if select("#", ...) > 0 and (...) ~= nil then rawset(_G, "ans", (...)) end
  for i = 1, select("#", ...) do print(show.value((select(i, ...)))) end
end

-- No variable has the name. A script may have given the globals a metatable that raises: then the line raises, too.
local function is_missing(name)
  local known, value = pcall(function() return _G[name] end)
  return known and value == nil
end

local function finish(ok, ...)
  if not ok then return false, ... end
  return host.protect(echo, ...)
end

---Runs a complete line. true, or false and what was raised.
---@param line string
function Prompt:run(line)
  local name = line:match("^%s*%?%?%s*(%S+)%s*$")
  if name then return host.protect(source.show, name, self.session) end
  self.records:next_line()
  name = line:match("^%s*%?%s*(%S*)%s*$")
  if name then return host.protect(help.show, self.commands, name) end
  if self.commands:parse(line) then return host.protect(self.commands.dispatch, self.commands, line) end
  local compiled, problem = chunk.compile(line)
  if not compiled then return false, suggestion.of(self.commands, line, problem) end
  local single = line:match("^%s*([%a_][%w_]*)%s*$")
  if single and not chunk.is_keyword(single) and is_missing(single) then
    local suggested = suggestion.of(self.commands, line, nil)
    if suggested then return false, suggested end
    return false, gpu.error("usage", ("there is no command or variable %s"):format(single),
      "`help` lists the commands")
  end
  return finish(host.protect(compiled))
end

-- The loop ------------------------------------------------------------------------------------------

local function prompt_text(self)
  return tostring(self.commands.prompt) .. "> "
end

-- Lines of standard input, as the reader of a terminal gives them.
local piped <const> = { read = function() return (io.read "l") end }

-- A statement of one or several lines; nil at the end of input, false if it was abandoned.
local function read_statement(self, reader)
  local line = reader.read(prompt_text(self))
  if not line then return line end
  while true do
    if line:match("^%s*%?") or self.commands:parse(line) or line:match("^%s*$") then return line end
    local _, _, unfinished = chunk.compile(line)
    if not unfinished then return line end
    local more = reader.read(CONTINUE)
    if more == nil and reader == piped then return line end -- which says what is missing
    if not more then
      if more == nil then io.stdout:write("\n") end
      return false
    end
    line = line .. "\n" .. more
  end
end

-- The command that was typed where a question was open, else the next statement.
local function next_line(self, reader)
  local line = self.commands.typed_ahead
  self.commands.typed_ahead = nil
  if not line then return read_statement(self, reader) end
  if reader ~= piped then print(prompt_text(self) .. line) end
  return line
end

local function run_and_remember(self, line, reader)
  local color = self.options.color
  local problem = reader.remember(line)
  if problem then show.error(problem .. "; the history lasts for this session only", color) end
  local ok, e = self:run(line)
  if not ok then show.error(e, color, true) end
  io.stdout:flush()
end

---Reads and runs standard input that is no terminal: without a prompt, an echo, or a history. An error does not end it,
---as at a prompt.
---@return any problem the first error; nil: there was none
function Prompt:read_pipe()
  local problem
  self.ended = false
  while not self.ended do
    local line = next_line(self, piped)
    if line == nil then break end
    if line and not line:match "^%s*$" then
      local ok, e = self:run(line)
      io.stdout:flush()
      if not ok then
        show.error(e, self.options.color_stderr)
        problem = problem or e
        if failure.kind(e) == "interrupted" then break end
      end
    end
  end
  return problem
end

---Ends the prompt after the current command.
function Prompt:stop() self.ended = true end

---Reads and runs until the end of input, `quit` or `exit`.
function Prompt:loop()
  local reader = require "gpulab.line"
  local problem = reader.open(function(before, word) return completion.of(self.commands, before, word) end)
  if problem then show.error(problem, self.options.color) end
  if self.session then self.session.book:attach(reader) end
  self.ended = false
  host.turns(function(e)
    if e then show.error(e, self.options.color) end
    local line = next_line(self, reader)
    text.follow(host.columns())
    if line == nil then
      io.stdout:write("\n")
      return false
    end
    if line and not line:match("^%s*$") then run_and_remember(self, line, reader) end
    return not self.ended
  end)
end

return repl
