-- The commands of the prompt: one table that dispatches, completes and explains them.
--
--   commands.define{ name = "why", usage = "why STEP", summary = "explain a step's bottleneck", help = "...",
--                    complete = function(prefix, words) return { ... } end,
--                    run = function(args, rest) ... end }
--
-- A line is a command if it begins with a command's name and the rest is not Lua: `run tile` is one, `run = 3`,
-- `run(3)` and `run.x` are not.
local host = require "gpulab.host"

local commands = {}

---@class Command
---@field name string
---@field usage string "why STEP"
---@field summary string one line for the overview
---@field help string? paragraphs for ?name
---@field alias string? another command's name, for words that mean the same
---@field complete (fun(prefix: string, words: string[]): string[])?
---@field raw boolean? what follows the name is text, in which a quote need not be closed
---@field abbreviated boolean? the beginning of its name will do, where only one command has it
---@field run fun(args: string[], rest: string)

local rows = {} -- by name
local order = {} -- names as they were defined

---Shown before "> ": the lab's number, "" without one.
commands.prompt = ""

---A command that was typed where a question was open; the prompt runs it next. nil: none.
---@type string?
commands.typed_ahead = nil

---@param row Command
function commands.define(row)
  assert(type(row.name) == "string" and row.name:match("^%a[%w_-]*$"), "a command's name is one word")
  assert(type(row.run) == "function", "a command needs something to run")
  if not rows[row.name] then order[#order + 1] = row.name end
  rows[row.name] = row
end

---Commands that are there, in place of others of their names, until the returned function is called.
---@param list Command[] @return fun()
function commands.layer(list)
  local before, names = {}, {}
  for _, row in ipairs(list) do
    names[#names + 1] = row.name
    before[row.name] = rows[row.name] or false
    commands.define(row)
  end
  return function()
    for _, name in ipairs(names) do
      rows[name] = before[name] or nil
      if not before[name] then
        for i = #order, 1, -1 do
          if order[i] == name then table.remove(order, i) end
        end
      end
    end
  end
end

---@param name string @return Command?
function commands.get(name) return rows[name] end

---@return string[] in the order they were defined
function commands.names() return { table.unpack(order) } end

local escapes = { n = "\n", t = "\t" }

---Words of a line; "..." and '...' keep blanks together. nil if a quote is left open.
---@param text string @return string[]?
function commands.words(text)
  local words, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then return words end
    local word = {}
    while at <= #text do
      local c = text:sub(at, at)
      if c:match("%s") then break end
      if c == '"' or c == "'" then
        local close = text:find(c, at + 1, true)
        if not close then return nil end
        word[#word + 1] = text:sub(at + 1, close - 1)
        at = close + 1
      elseif c == "\\" and at < #text then
        word[#word + 1] = escapes[text:sub(at + 1, at + 1)] or text:sub(at + 1, at + 1)
        at = at + 2
      else
        word[#word + 1] = c
        at = at + 1
      end
    end
    words[#words + 1] = table.concat(word)
  end
end

-- What may follow a name in Lua but not in a command: a call, an index, an assignment, a list, a comparison.
local function is_lua(rest)
  if rest:match("^[(%[.:,]") or rest:match("^[=~<>]=") or rest:match("^=") then return true end
  return rest:match("^[-+*/%%^<>&|] ") ~= nil or rest:match("^%.%.") ~= nil
end

-- The only command that may be abbreviated to this; nil also if it is a variable of Lua.
local function beginning_with(name)
  local found
  for full, row in pairs(rows) do
    if row.abbreviated and full:sub(1, #name) == name then
      if found and found.run ~= row.run then return nil end
      found = row
    end
  end
  return rawget(_G, name) == nil and found or nil
end

---The command a line calls, and what follows its name; nil if the line is Lua.
---@param line string @return Command?, string?
function commands.parse(line)
  local full, after = line:match("^%s*(%a[%w_-]*)(.*)$")
  local name, rest = full, after
  if not rows[name] then name, rest = line:match("^%s*(%a[%w_]*)(.*)$") end
  local row = name and rows[name]
  if full and not row then row, rest = beginning_with(full), after end
  if not row or rest:match("^%S") or rest:find("\n") then return nil end
  rest = rest:match("^%s*(.-)%s*$")
  if is_lua(rest) and not (row.raw and not rest:match("^=[^=]")) then return nil end -- a note may begin with anything
  return row, rest
end

---Runs the line if it is a command. What the command raises, this raises.
---@param line string @return boolean handled
function commands.dispatch(line)
  local row, rest = commands.parse(line)
  if not row then return false end
  local words = commands.words(rest)
  if not words and not row.raw then error(gpu.error("usage", "the closing quote is missing: " .. rest), 0) end
  row.run(words or {}, rest)
  return true
end

---Candidates for the word being typed after a command; nil: no command, or it has nothing to offer.
---@param before string the line up to the word @param prefix string @return string[]?
function commands.complete(before, prefix)
  local name, rest = before:match("^%s*(%a[%w_-]*)%s+(.*)$")
  local row = name and rows[name]
  if not row then return nil end
  return row.complete and row.complete(prefix, commands.words(rest) or {}) or {}
end

-- An argument of a command called as a function: set{n = 64} is set("n=64").
local function add_argument(words, v)
  if type(v) ~= "table" or getmetatable(v) then
    words[#words + 1] = tostring(v)
    return
  end
  local names = {}
  for name in pairs(v) do names[#names + 1] = tostring(name) end
  table.sort(names)
  for _, name in ipairs(names) do words[#words + 1] = ("%s=%s"):format(name, tostring(v[name])) end
end

---Is a command being called as a function? Then a program runs it, and no question is asked.
commands.called = false

local function ended(ok, ...)
  commands.called = false
  if not ok then error((...), 0) end
end

---A command as a Lua function, which prints what the command prints; nil if there is none of this name.
---@param name string @return function?
function commands.as_function(name)
  if not rows[name] then return nil end
  return function(...)
    local words = {}
    for i = 1, select("#", ...) do add_argument(words, (select(i, ...))) end
    commands.called = true
    ended(host.catch(rows[name].run, words, table.concat(words, " ")))
  end
end

---All commands as functions: command.next(), whose name is taken in Lua itself.
commands.functions = setmetatable({}, { __index = function(_, name) return commands.as_function(name) end,
  __name = "commands as functions" })

---"did you mean" among commands and further words.
---@param word string @param further? string[] @return string?
function commands.nearest(word, further)
  local candidates = commands.names()
  for _, other in ipairs(further or {}) do candidates[#candidates + 1] = other end
  return host.nearest(word, candidates)
end

return commands
