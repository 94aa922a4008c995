-- The commands of a prompt: one table that dispatches, completes and explains them.
--
-- A command is a row in a module of its own. The modules of a folder are found by commands.of, so a new command is one
-- new file:
--
--   return { name = "why", usage = "why [STEP]", topic = "results", summary = "explain what limits a step",
--     help = "Shows the resource that limits the step's time ...",
--     complete = function(session, words) return { ... } end,
--     run = function(session, words, rest) ... end }
--
-- Commands that belong together may be a list of rows. The first argument of `complete` and `run` is what the commands
-- of the folder act on: the prompt, an open lab, a stepped launch, or a CUDA file.
--
-- A line is a command if it begins with a command's name and the rest is not Lua: `run tile` is one, `run = 3`,
-- `run(3)` and `run.x` are not.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local modules = require "gpulab.base.modules"
local text = require "gpulab.base.text"

local commands = {}

---@class Command
---@field name string
---@field usage string "why STEP"
---@field topic string one of commands.topics
---@field summary string one line for the overview
---@field help string? paragraphs for ?name
---@field aliases string? further names: "step" is also "s"
---@field alias string? set for a further name: the name it means
---@field raw boolean? what follows the name is text, in which a quote need not be closed
---@field abbreviated boolean? the beginning of its name is enough, if no other command begins so
---@field call (fun(owner: table, ...): false?)? as a Lua function of values that are no words; false: they are words
---@field looks number? with up to so many words it shows what is known, also while a question is open
---@field most integer? the number of words it takes; nil: it checks them itself
---@field complete (fun(owner: table, words: string[]): string[])? what can come after the words
---@field run fun(owner: table, words: string[], rest: string)

---The topics of the overview and of docs/reference/commands.md, in their order.
commands.topics = {
  { id = "general", title = "Commands" },
  { id = "steps", title = "Steps" },
  { id = "results", title = "Results" },
  { id = "kernels", title = "Kernels" },
  { id = "exercises", title = "Exercises" },
  { id = "notes", title = "Notes and reports" },
  { id = "devices", title = "Devices and parameters" },
  { id = "stepping", title = "While a launch is stepped" },
}

---The rows of all modules in a folder, by the names of the modules.
---@param folder string "gpulab.prompt.command" @return Command[]
function commands.of(folder)
  local rows = {}
  for _, name in ipairs(lists.keys(modules(folder))) do
    local found = require(name)
    lists.append(rows, found.name and { found } or found)
  end
  return rows
end

---The row in a folder with a name or a further name.
---@param folder string @param name string @return Command?
function commands.find(folder, name)
  return lists.find(commands.of(folder), function(row)
    return row.name == name or (" %s "):format(row.aliases or ""):find((" %s "):format(name), 1, true)
  end)
end

---@class Commands
---@field rows table<string, Command> by name
---@field order string[] the names as they were added
---@field prompt string shown before "> ": the lab's number, "" without one
---@field typed_ahead string? a command that was typed where a question was open; the prompt runs it next
---@field called boolean is a command being called as a function? Then a program runs it, and no question is asked
---@field functions table<string, function> all commands as functions: functions.next(), whose name Lua uses
local Commands = {}
Commands.__index = Commands

---@return Commands
function commands.new()
  local self = setmetatable({ rows = {}, order = {}, prompt = "", called = false }, Commands)
  self.functions = setmetatable({}, { __index = function(_, name) return self:as_function(name) end,
    __name = "commands as functions" })
  return self
end

-- Adding ------------------------------------------------------------------------------------------

local function put(self, row)
  if not self.rows[row.name] then self.order[#self.order + 1] = row.name end
  self.rows[row.name] = row
end

-- The row with what its owner adds.
local function owned(row, owner, settings)
  local copy = {}
  for key, value in pairs(settings or {}) do copy[key] = value end
  for key, value in pairs(row) do copy[key] = value end
  copy.owner = owner
  assert(type(copy.name) == "string" and copy.name:match("^%a[%w_-]*$"), "a command's name is one word")
  assert(type(copy.run) == "function", "a command needs something to run")
  assert(lists.find(commands.topics, "id", copy.topic), copy.name .. " has no topic of commands.topics")
  return copy
end

---Adds commands; those of the same names are replaced.
---@param rows Command[]
---@param owner table what they act on
---@param settings? table fields that all of these rows have; `after` is called with the owner and the error, if any
function Commands:add(rows, owner, settings)
  for _, row in ipairs(rows) do
    local main = owned(row, owner, settings)
    put(self, main)
    local others = {}
    for alias in (row.aliases or ""):gmatch("%S+") do
      others[#others + 1] = alias
      local other = owned(row, owner, settings)
      other.name, other.alias = alias, row.name
      put(self, other)
    end
    if #others > 0 then main.summary = ("%s; also %s"):format(row.summary, text.list(others, "or")) end
  end
end

---Adds commands until the returned function is called; then those that they replaced are back.
---@param rows Command[] @param owner table @param settings? table @return fun()
function Commands:layer(rows, owner, settings)
  local before, order = self.rows, self.order
  local added = commands.new()
  added:add(rows, owner, settings)
  self.rows, self.order = {}, {}
  for _, name in ipairs(order) do
    if not added.rows[name] then put(self, before[name]) end
  end
  for _, name in ipairs(added.order) do put(self, added.rows[name]) end
  return function() self.rows, self.order = before, order end
end

---@param name string @return Command?
function Commands:get(name) return self.rows[name] end

---@return string[] in the order they were added
function Commands:names() return { table.unpack(self.order) } end

-- Parsing -----------------------------------------------------------------------------------------

local escapes = { n = "\n", t = "\t" }

local MOST_NAME <const> = 1000 -- bytes of a template's arguments

-- The arguments of a template that begin here, behind its name, if they have blanks: "<256, float>".
local function template_arguments(line, at)
  if not line:find("^[%w_>]<", at - 1) then return nil end
  local span = line:sub(at, at + MOST_NAME):match "^%b<>"
  return span and span:find "%s" and span
end

---Words of a line; "..." and '...' keep blanks together, and so does reduce<256, float>. nil if a quote is left open.
---@param line string @return string[]?
function commands.words(line)
  local words, at = {}, 1
  while true do
    at = line:find("%S", at)
    if not at then return words end
    local word = {}
    while at <= #line do
      local c = line:sub(at, at)
      if c:match("%s") then break end
      local arguments = c == "<" and #word > 0 and template_arguments(line, at)
      if arguments then
        word[#word + 1] = arguments
        at = at + #arguments
      elseif c == '"' or c == "'" then
        local close = line:find(c, at + 1, true)
        if not close then return nil end
        word[#word + 1] = line:sub(at + 1, close - 1)
        at = close + 1
      elseif c == "\\" and at < #line then
        word[#word + 1] = escapes[line:sub(at + 1, at + 1)] or line:sub(at + 1, at + 1)
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
local function beginning_with(self, name)
  local found
  for full, row in pairs(self.rows) do
    if row.abbreviated and full:sub(1, #name) == name then
      if found and found.run ~= row.run then return nil end
      found = row
    end
  end
  return rawget(_G, name) == nil and found or nil
end

---The command a line calls, and what follows its name; nil if the line is Lua.
---@param line string @return Command?, string?
function Commands:parse(line)
  local full, after = line:match("^%s*(%a[%w_-]*)(.*)$")
  local name, rest = full, after
  if not self.rows[name] then name, rest = line:match("^%s*(%a[%w_]*)(.*)$") end
  local row = name and self.rows[name]
  if full and not row then row, rest = beginning_with(self, full), after end
  if not row or rest:match("^%S") or rest:find("\n") then return nil end
  rest = text.trim(rest)
  if is_lua(rest) and not (row.raw and not rest:match("^=[^=]")) then return nil end -- a note may begin with anything
  return row, rest
end

-- The words of a line; in text a quote that is not closed is a character like others.
local function words_of(row, rest)
  local words = commands.words(rest)
  if words or not row.raw then
    return words or failure.usage("the closing quote is missing: " .. rest)
  end
  words = {}
  for word in rest:gmatch("%S+") do words[#words + 1] = word end
  return words
end

-- Running -----------------------------------------------------------------------------------------

local function run(row, words, rest)
  if row.most and #words > row.most then
    local takes = row.most == 0 and "no words" or ("at most %s"):format(text.plural(row.most, "word"))
    failure.usage(("%s takes %s: %s is not expected"):format(row.alias or row.name, takes,
      text.printable(words[row.most + 1])), "usage: " .. row.usage)
  end
  if not row.after then return row.run(row.owner, words, rest) end
  local ok, e = host.catch(row.run, row.owner, words, rest)
  row.after(row.owner, not ok and e or nil)
  if not ok then error(e, 0) end
end

---Runs the line if it is a command. What the command raises, this raises.
---@param line string @return boolean handled
function Commands:dispatch(line)
  local row, rest = self:parse(line)
  if not row then return false end
  run(row, words_of(row, rest), rest)
  return true
end

-- The rest of a name with blanks of which the end of the line is the beginning: "float>" of reduce<256, float>.
local function rest_of(name, line, word)
  for length = name:find " " and #name - 1 or 0, #word + 1, -1 do
    local begins = #line - length
    if line:sub(begins + 1) == name:sub(1, length) and line:find("^[%s\"']", begins) then
      return name:sub(length - #word + 1)
    end
  end
end

-- Those that the last word of the line begins; of one with blanks it may be a part.
local function starting(names, line, word)
  local found = {}
  for _, name in ipairs(names) do
    local begins = name:sub(1, #word):lower() == word:lower()
    found[#found + 1] = begins and name or rest_of(name, line, word)
  end
  return found
end

---Candidates for the word being typed after a command; nil: no command, or it has nothing to offer.
---@param before string the line up to the word @param prefix string @return string[]?
function Commands:complete(before, prefix)
  local name, rest = before:match("^%s*(%a[%w_-]*)%s+(.*)$")
  local row = name and self.rows[name]
  if not row then return nil end
  return row.complete and starting(row.complete(row.owner, commands.words(rest) or {}), before .. prefix, prefix) or {}
end

-- An argument of a command called as a function: set{n = 64} is set("n=64").
local function add_argument(words, v)
  if type(v) ~= "table" or getmetatable(v) then
    words[#words + 1] = tostring(v)
    return
  end
  for _, name in ipairs(lists.keys(v)) do words[#words + 1] = ("%s=%s"):format(name, tostring(v[name])) end
end

---A command as a Lua function, which prints what the command prints; nil if there is none of this name.
---@param name string @return function?
function Commands:as_function(name)
  if not self.rows[name] then return nil end
  return function(...)
    local row, words = self.rows[name], {}
    if row.call and row.call(row.owner, ...) ~= false then return end
    for i = 1, select("#", ...) do add_argument(words, (select(i, ...))) end
    self.called = true
    local ok, e = host.catch(run, row, words, table.concat(words, " "))
    self.called = false
    if not ok then error(e, 0) end
  end
end

---"did you mean" among commands and further words.
---@param word string @param further? string[] @return string?
function Commands:nearest(word, further)
  return host.nearest(word, lists.append(self:names(), further or {}))
end

return commands
