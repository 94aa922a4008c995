-- What a line that is neither a command nor Lua was probably meant to be.
local chunk = require "gpulab.prompt.chunk"
local command_rows = require "gpulab.base.commands"

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

-- The same while a launch is stepped.
local stepping <const> = {
  up = "`list` shows the source, `focus` goes to another warp",
  down = "`list` shows the source, `focus` goes to another warp",
  prev = "`back` goes to the line before; `kill` ends stepping",
}

-- What to type instead of this word.
local function counterpart(commands, word)
  return commands:get("stepi") and stepping[word] or elsewhere[word]
end

-- The likely meaning of a line that begins with an unknown word.
local function likely(commands, line)
  local word = line:match("^%s*([%a_][%w_]*)")
  if word == "break" or word == "until" then return word end -- of Lua's keywords those that gdb has as commands
  if not word or chunk.is_keyword(word) or commands:get(word) or rawget(_G, word) ~= nil then return nil end
  return word, commands:nearest(word, line:match("^%s*[%w_]+%s*$") and chunk.global_names() or nil)
end

---What to say of a line that is no command, and whose first word Lua does not know either.
---@param commands Commands @param line string @param problem any what Lua says of the line; nil: it is Lua
---@return any problem a better one, if there is one
function suggestion.of(commands, line, problem)
  if commands:get "stepi" and line:match "^%s*x%s*/" then
    return gpu.error("usage", "there is no command x", "`print tile` shows an array, `print tile[threadIdx.x]` an"
      .. " element per lane, `view` the warp")
  end
  local word, near = likely(commands, line)
  local command = word and line:match("^%s*[%a_][%w_-]*%s*$") or word and not chunk.compile(line)
    and line:match("^%s*[%a_][%w_-]*%s+[%w_]")
  local here = command and counterpart(commands, word)
  if here then return gpu.error("usage", ("there is no command %s"):format(word), here) end
  if command and command_rows.find("gpulab.warp.command", word) then
    return gpu.error("usage", ("%s works only while a launch is stepped"):format(word), "`debug STEP` begins stepping")
  end
  if near then return gpu.error("usage", ("there is no command %s"):format(word), ("did you mean %s?"):format(near)) end
  if command and problem then
    return gpu.error("usage", ("there is no command %s, and this is not Lua"):format(line:match("[%w_-]+")),
      "`help` lists the commands")
  end
  return problem
end

return suggestion
