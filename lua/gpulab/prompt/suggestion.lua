-- What a line that is neither a command nor Lua was probably meant to be.
local chunk = require "gpulab.prompt.chunk"
local command_rows = require "gpulab.base.commands"
local lists = require "gpulab.base.lists"
local record_list = require "gpulab.record.list"

local suggestion = {}

-- Words from other programs, and their counterpart here.
local elsewhere <const> = {
  ls = "`steps` lists a lab's steps, os.execute \"ls\" lists files",
  dir = "`steps` lists a lab's steps",
  list = "`labs` lists the labs, `steps` the steps of an open lab",
  open = "`lab NAME` opens a lab, `edit STEP` a kernel",
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

local is_type <const> = lists.set "int unsigned float double char short long bool size_t const auto dim3 void half"

-- The same while a launch is stepped.
local stepping <const> = {
  up = "`list` shows the source, `focus` goes to another warp",
  down = "`list` shows the source, `focus` goes to another warp",
  prev = "`back` goes to the line before; `kill` ends stepping",
}

-- What to type instead of this word.
local function counterpart(commands, word)
  if commands:get "stepi" and stepping[word] then return stepping[word] end
  local of_steppers = command_rows.find("gpulab.warp.command", word) and not commands:get "steps" -- no lab is open
  return not of_steppers and elsewhere[word] or nil
end

-- The likely meaning of a line that begins with an unknown word.
local function likely(commands, line)
  local word = line:match("^%s*([%a_][%w_]*)")
  if word == "break" or word == "until" then return word end -- of Lua's keywords those that gdb has as commands
  if not word or chunk.is_keyword(word) or commands:get(word) or rawget(_G, word) ~= nil then return nil end
  return word, commands:nearest(word, line:match("^%s*[%w_]+%s*$") and chunk.global_names() or nil)
end

-- CUDA C++ instead of Lua: a launch, or a variable with a type.
local function of_cuda(line)
  local kernel, grid, block = line:match "([%a_][%w_%.]*)%s*<<<%s*([^,>]+),%s*([^,>]+)"
  if kernel then
    return gpu.error("usage", "a launch is written otherwise here",
      ("%s{ grid = %s, block = %s }(...)"):format(kernel:find("%.") and kernel or "k." .. kernel, grid, block))
  end
  local type, name = line:match "^%s*([%a_][%w_]*)[%s%*]+([%a_][%w_]*)%s*[=;%[(]"
  if type and (is_type[type] or type:match "_t$") and not chunk.compile(line) then
    return gpu.error("usage", ("there is no type %s here"):format(type),
      ("variables have none in Lua: %s = ..."):format(name))
  end
end

---Does a word that means something else to Lua mean a command, which only labs have?
---@param commands Commands @param word string
function suggestion.is_of_labs(commands, word)
  local taken = rawget(_G, word)
  return not commands:get(word) and (word == "check" and type(taken) ~= "function"
    or word == "next" and taken == next)
end

-- A command that an open lab has.
local function of_labs(commands, word)
  if commands:get(word) or not command_rows.find("gpulab.prompt.command.lab", word) then return nil end
  if command_rows.find("gpulab.warp.command", word) then
    return gpu.error("usage", ("%s is a command of labs, and of a launch that is stepped"):format(word),
      "`lab 3` opens a lab, `debug STEP` begins stepping")
  end
  return gpu.error("usage", ("%s is a command of labs"):format(word), word == "edit" and commands:get "kernels"
    and "change the file with any editor, then type `kernels`" or "`lab 3` opens a lab, `help` lists what works here")
end

---What to say of a line that is no command, and whose first word Lua does not know either.
---@param commands Commands @param line string @param problem any what Lua says of the line; nil: it is Lua
---@return any problem a better one, if there is one
function suggestion.of(commands, line, problem)
  if commands:get "stepi" and line:match "^%s*x%s*/" then
    return gpu.error("usage", "there is no command x", "`print tile` shows an array, `print tile[threadIdx.x]` an"
      .. " element per lane, `view` the warp")
  end
  local foreign = problem and of_cuda(line)
  if foreign then return foreign end
  local word, near = likely(commands, line)
  local command = word and line:match("^%s*[%a_][%w_-]*%s*$") or word and not chunk.compile(line)
    and line:match("^%s*[%a_][%w_-]*%s+[%w_]")
  local here = command and counterpart(commands, word)
  if here then return gpu.error("usage", ("there is no command %s"):format(word), here) end
  local first = line:match "^%s*([%a_][%w_]*)%s*$"
  local meant = command and word or first and suggestion.is_of_labs(commands, first) and first
  local lab = meant and of_labs(commands, meant)
  if lab then return lab end
  if command and command_rows.find("gpulab.warp.command", word) then
    return gpu.error("usage", ("%s works only while a launch is stepped"):format(word), "`debug STEP` begins stepping")
  end
  if near then return gpu.error("usage", ("there is no command %s"):format(word), ("did you mean %s?"):format(near)) end
  if command and problem then
    return gpu.error("usage", ("there is no command %s, and this is not Lua"):format(line:match("[%w_-]+")),
      "`help` lists the commands")
  end
  if type(problem) ~= "string" or problem:find "<eof>$" then return problem end -- else it is Lua that goes on
  return "this is neither a command nor Lua: " .. problem:gsub("^prompt:1: ", "")
end

---An error of Lua that has a better one: what is called is the name of a kernel.
---@param e any @return any
function suggestion.of_error(e)
  local name = type(e) == "string" and e:match "attempt to call a nil value %(global '([%w_]+)'%)"
  if not name or not lists.set(record_list.kernels())[name] then return e end
  return gpu.error("usage", ("there is no function %s"):format(name), ("k.%s{ grid = 1, block = 32 }(...) launches the "
    .. "kernel"):format(name))
end

return suggestion
