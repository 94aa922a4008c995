-- The prompt: reads a line, runs it as a command or as Lua, shows the result. Reading and history are in C
-- (gpulab.line); this file interprets the lines.
local chunk = require "gpulab.prompt.chunk"
local commands = require "gpulab.base.commands"
local completion = require "gpulab.prompt.completion"
local failure = require "gpulab.base.failure"
local help = require "gpulab.prompt.help"
local host = require "gpulab.host"
local pager = require "gpulab.base.pager"
local progress = require "gpulab.base.progress"
local record_list = require "gpulab.record.list"
local show = require "gpulab.base.show"
local source = require "gpulab.prompt.source"
local stepper = require "gpulab.warp.stepper"
local suggestion = require "gpulab.prompt.suggestion"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local repl = {}

---@class Prompt
---@field options table @field commands Commands @field records RecordList @field stepper Stepper
---@field session table? the open lab
---@field ended boolean?
---@field remark fun()? is called before a line that launches
---@field pasted string[] lines that came with the last one, the next one last
---@field reader table? of a terminal
---@field open_session fun(lab: Lab, options: table, prompt: Prompt) set by the program, which knows what a session is
local Prompt = {}
Prompt.__index = Prompt

local CONTINUE <const> = ">> "
local MOST_PASTED <const> = 1000 -- lines that run one by one

-- What --check found in a launch; that it found nothing is said of a line's first one alone.
local function say_issues(records, launch)
  local all = require("gpulab.run.checkers").texts(launch.issues)
  records.issues = records.issues or all ~= nil
  if all or records.in_line == 1 then text.say_wrapped(text.printable(all or "no issues")) end
end

---A prompt with the commands of every prompt. A lab adds its own.
---@param options table color; check: --check of launches @return Prompt
function repl.new(options)
  local self = setmetatable({ options = options, commands = commands.new(), records = options.records,
    pasted = {} }, Prompt)
  self.records = self.records or record_list.new()
  self.records.typed = true
  self.records.checks = options.check
  self.records.checked = function(launch) say_issues(self.records, launch) end
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
  if not ok then return false, suggestion.of_error((...)) end
  return host.protect(echo, ...)
end

-- Where a line's first `;` outside of quotes and brackets is, if there is one.
local function semicolon(line)
  local depth, quote = 0, nil
  for at = 1, #line do
    local c = line:sub(at, at)
    if quote then
      if c == quote then quote = nil end
    elseif c:match "[\"']" then quote = c
    elseif c:match "[%[({]" then depth = depth + 1
    elseif c:match "[%])}]" then depth = depth - 1
    elseif c == ";" and depth == 0 then return at end
  end
end

-- A line of several statements of which one is a command: the first, and the rest. nil where it is one statement, or
-- Lua, which has semicolons of its own.
local function parts(self, line)
  local at = not line:find "\n" and semicolon(line)
  if not at then return nil end
  local first, rest = line:sub(1, at - 1), line:sub(at + 1)
  local row = self.commands:parse(first)
  if row and not row.raw then return first, rest end
  if not row and self.commands:parse(rest) and not chunk.compile(line) then return first, rest end
end

---Runs a complete line. true, or false and what was raised.
---@param line string
function Prompt:run(line)
  local first, rest = parts(self, line)
  if not first then return self:run_statement(line) end
  local ok, e = self:run_statement(first)
  if not ok or rest:match "^%s*$" then return ok, e end
  return self:run(rest)
end

---Opens another lab, whose commands replace those of the one that is open.
---@param path string of its file
function Prompt:open_lab(path)
  local folder = path:match "^(.*)/" or "."
  where.enter(folder)
  local definition = targets.load(path)()
  if type(definition) ~= "table" or not require("gpulab.lab").is_lab(definition) then
    gpu.raise("usage", path .. " is no lab", "`labs` lists the labs")
  end
  if self.session then self.session:close() end
  self.options.target, self.options.set, self.options.step = path, nil, nil
  self.open_session(definition, self.options, self)
  if self.reader then self.session.book:attach(self.reader) end
end

-- Lua that begins with a launch has a line about it if it takes longer than a moment.
local function run_lua(self, compiled, line)
  host.name_buffers(chunk.buffer_names(line))
  local _ <close> = setmetatable({}, { __close = function() host.name_buffers() end })
  if not record_list.begins_with_launch(line) then return finish(host.protect(compiled)) end
  if self.remark then self.remark() end
  local shown = progress.new(self.options.quiet)
  shown:step(1, 1, text.printable(text.trim(line)))
  local results = table.pack(host.protect(compiled))
  shown:clear()
  return finish(table.unpack(results, 1, results.n))
end

---Runs one statement: a command, a question, or Lua.
---@param line string
function Prompt:run_statement(line)
  local name = line:match("^%s*%?%?%s*(%S+)%s*$")
  if name then return host.protect(source.show, name, self.session) end
  self.records:next_line()
  name = line:match("^%s*%?%s*([^?%s].*)$") or line:match("^%s*%?%s*$") and ""
  if name then return host.protect(help.show, self.commands, text.trim(name), self.session) end
  if self.commands:parse(line) then return host.protect(self.commands.dispatch, self.commands, line) end
  local compiled, problem = chunk.compile(line)
  if not compiled then return false, suggestion.of(self.commands, line, problem) end
  local single = line:match("^%s*([%a_][%w_]*)%s*$")
  local of_labs = single and not self.session and suggestion.is_of_labs(self.commands, single)
  if single and not chunk.is_keyword(single) and (of_labs or is_missing(single)) then
    local suggested = suggestion.of(self.commands, line, nil)
    if suggested then return false, suggested end
    return false, gpu.error("usage", ("there is no command or variable %s"):format(single),
      "`help` lists the commands")
  end
  return run_lua(self, compiled, line)
end

-- The loop ------------------------------------------------------------------------------------------

local function prompt_text(self)
  return tostring(self.commands.prompt) .. "> "
end

-- Lines of standard input, as the reader of a terminal gives them. A silent reader shows no prompt and no echo.
local piped <const> = { silent = true, read = function() return (io.read "l") end }

-- A line of what was pasted, else the next one of the reader. Several lines that come at once, as a paste does, are one
-- statement if they are Lua; else the first of them is the line, and the others follow.
local function read_line(self, reader, prompt)
  local line = table.remove(self.pasted)
  if line then
    if not reader.silent and prompt ~= CONTINUE then print(prompt .. line) end
    return line
  end
  line = reader.read(prompt)
  if not line or not line:find "\n" or chunk.compile(line) then return line end
  local lines = text.lines(line)
  if #lines > MOST_PASTED then return line end -- each attempt at a longer statement would read all of it again
  for i = #lines, 1, -1 do self.pasted[#self.pasted + 1] = lines[i] end -- the last one is the next
  return table.remove(self.pasted)
end

-- A command at the beginning of a line ends the Lua before it, unless it is Lua as well.
local function begins_command(self, line)
  return not line:match "^%s" and self.commands:parse(line) ~= nil and not load(line, "=prompt", "t")
end

-- A statement of one or several lines; nil at the end of input, false if it was abandoned.
local function read_statement(self, reader)
  local line = read_line(self, reader, prompt_text(self))
  if not line then return line end
  while true do
    if line:match("^%s*%?") or self.commands:parse(line) or line:match("^%s*$") then return line end
    local _, _, unfinished = chunk.compile(line)
    if not unfinished then return line end
    local more = read_line(self, reader, CONTINUE)
    if more and begins_command(self, more) then
      self.pasted[#self.pasted + 1] = more
      return line
    end
    if more == nil and reader.silent then return line end -- which says what is missing
    if not more then
      if more == nil then io.stdout:write("\n") end
      return false
    end
    line = line .. "\n" .. more
  end
end

---The statements of a text, as of so many lines in a pipe: a command is one line, Lua has several.
---@param said string @return string[]
function Prompt:statements(said)
  local lines, found = text.lines(said), {}
  local reader = { silent = true, read = function() return table.remove(lines, 1) end }
  for statement in function() return read_statement(self, reader) end do
    if statement:find "%S" then found[#found + 1] = statement end
  end
  return found
end

-- The command that was typed where a question was open, else the next statement.
local function next_line(self, reader)
  local line = self.commands.typed_ahead
  self.commands.typed_ahead = nil
  if not line then return read_statement(self, reader) end
  if not reader.silent then print(prompt_text(self) .. line) end
  return line
end

local function run_and_remember(self, line, reader)
  local color = self.options.color
  local problem = reader.remember(line)
  if problem then show.error(problem .. "; the history lasts for this session only", color) end
  local ok, e = self:run(line)
  if not ok then show.error(e, color, true) end
  if not ok and failure.kind(e) == "interrupted" then self.pasted = {} end
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
  self.reader = reader
  pager.reader = { read = reader.read, ahead = function(line) self.commands.typed_ahead = line end }
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
