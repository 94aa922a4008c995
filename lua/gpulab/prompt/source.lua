-- ??name: the source of a step's or exercise's kernel, or of a Lua function.
local copies = require "gpulab.prompt.copies"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local pager = require "gpulab.base.pager"
local show = require "gpulab.base.show"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local source = {}

---The line where a kernel's definition begins; nil if it is not found.
---@param lines string[] @param name string "tile<32>" @return integer?
function source.line(lines, name)
  local plain = name:match("^[%a_][%w_]*")
  for at, line in ipairs(lines) do
    if plain and line:match("__global__.*%f[%w_]" .. plain .. "%s*%(") then return at end
  end
end

---The lines of a kernel in its file, from the comment above it to its closing brace; the whole file if it is not found.
---@param lines string[] @param name string "tile<32>"
---@return integer first, integer last
function source.part(lines, name)
  local at = source.line(lines, name)
  if not at then return 1, #lines end
  local first, last = at, at
  while first > 1 and (lines[first - 1]:match("^//") or lines[first - 1]:match("^template")) do first = first - 1 end
  while last < #lines and not lines[last]:match("^}") do last = last + 1 end
  return first, last
end

-- The name of the first kernel of a step or exercise, "" without one.
local function kernel_name(target, params)
  local sizes = target.exercise and target.exercise.sizes
  if sizes then params = setmetatable({ size = sizes[1] }, { __index = params }) end -- its launches may depend on it
  local item = steps.items(target, params)[1]
  local name = item and item.kernel and item.kernel.name or ""
  return type(name) == "function" and name(params) or name
end

---The line of a target's kernel in the text of its file; nil if it is not found.
---@param target table a step, or an exercise as one @param content string @return integer?
function source.line_of(target, params, content)
  return source.line(text.lines(content), kernel_name(target, params))
end

---Lines as a terminal shows them: printable, four columns a tab.
---@param lines string[] @param first integer @param last integer @return string[]
function source.printable(lines, first, last)
  local out = {}
  for at = first, math.min(last, #lines) do out[#out + 1] = show.printable((lines[at]:gsub("\t", "    "))) end
  return out
end

-- With their numbers; a terminal has them cut at its width, as `view` has.
local function numbered(lines, first, last)
  local out, most = source.printable(lines, first, last), host.isatty(1) and text.columns or math.huge
  for i, line in ipairs(out) do out[i] = text.clip(("%4d  %s"):format(first + i - 1, line), most) end
  return out
end

---The source of a target's kernel: the student's copy if there is one, else the lab's file. nil for a target without.
---@param target table a step, or an exercise as one
---@return {path: string, lines: string[], first: integer, last: integer}? @ first, last: the kernel's own lines
function source.kernel(session, target)
  local files = copies.files(target, session.params)
  local book = session.book.copies
  local entry = files[1] and book.entries[files[1]]
  if not entry then return nil end
  local content, path = book:original(entry)
  if copies.stamp(entry) then content, path = book:text(entry), entry.path end
  local lines = text.lines(content)
  local first, last = source.part(lines, kernel_name(target, session.params))
  return { path = path, lines = lines, first = first, last = last }
end

local function of_kernel(session, target)
  local found = source.kernel(session, target)
  if not found then gpu.raise("usage", target.id .. " has no kernel of its own") end
  local first, last = found.first, found.last
  if target.exercise then first, last = 1, #found.lines end -- the whole file, with its task and constants
  local out = numbered(found.lines, first, last)
  table.insert(out, 1, copies.shown(found.path))
  return out
end

-- The value a.b.c names; nothing is called.
local function value_of(path)
  local value = _G
  for name in path:gmatch("[^.:]+") do
    if type(value) ~= "table" then return nil end
    value = rawget(value, name)
  end
  return value
end

local function of_function(name, f)
  local info = debug.getinfo(f, "S")
  if info.what == "C" then
    gpu.raise("usage", name .. " is written in C", ("?%s explains it"):format(name))
  end
  local content = info.source:sub(1, 1) == "@" and fs.read(info.source:sub(2))
  if not content then gpu.raise("usage", ("the source of %s is not available; it was defined at %s:%d"):format(name,
    info.short_src, info.linedefined)) end
  local out = numbered(text.lines(content), info.linedefined, info.lastlinedefined)
  table.insert(out, 1, show.printable(info.short_src))
  return out
end

---Prints the source of what a name means.
---@param name string @param session table? the open lab
function source.show(name, session)
  local target = session and (session.lab:numbered_step(name) or session:known_target(name))
  if target then return pager.show(of_kernel(session, target)) end
  local value = value_of(name)
  if type(value) == "function" then return pager.show(of_function(name, value)) end
  gpu.raise("usage", ("there is no source for %s"):format(show.printable(name)),
    session and "??STEP shows a step's kernel, ??FUNCTION a Lua function's source"
    or "??FUNCTION shows a Lua function's source; in a lab ??STEP shows a step's kernel")
end

return source
