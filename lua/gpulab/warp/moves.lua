-- What the prompt prints after a move of a stepped launch, and the move itself.
local lazy = require "gpulab.base.lazy"
local debugger = lazy "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local rows = require "gpulab.warp.rows"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local moves = {}

---@class Stepped
---@field dbg Debugger @field color boolean? @field step table? of the lab @field output Buffer? of the step
---@field issue Issue? that `show it` showed @field site integer?
---@field chain table? where `origin` came to: {time, at, loads}
---@field leave fun() @field prompt string @field close fun()?
---@field stepper Stepper whose launch it is

local function flat(line) return text.printable((line:gsub("\t", "    "))) end

---The line as gdb shows it; above it the function if it is another one; below it the lanes if not all run.
---@param s Stepped @param before StepMoment?
function moves.show_place(s, before)
  local d, m = s.dbg, s.dbg.moment
  local head = view.headline(d)
  if m.halt == "fault" then
    text.say_wrapped(("Fault: %s"):format(m.message))
  elseif head then
    local ways = m.alive == 0 and " `kill` ends stepping, `back` steps back." or ""
    text.say(text.clip("  " .. head:sub(1, 1):upper() .. head:sub(2) .. "." .. ways, text.columns))
  end
  local frame = m.frames[1]
  if not frame then return end
  if not before or not before.frames[1] or before.frames[1].name ~= frame.name or before.warp ~= m.warp
    or table.concat(before.block, ",") ~= table.concat(m.block, ",") then
    text.say(text.clip(("  %s at %s, block %s, warp %d"):format(d:function_name(frame), debugger.file_name(frame.file),
      d:block_text(), m.warp), text.columns))
  end
  local line = d:source_line(frame.file, frame.line)
  text.say(tables.paint(text.clip(("%d  %s"):format(frame.line, flat(line or m.instruction)), text.columns), "strong",
    s.color))
  if m.mask ~= m.lanes then
    for _, row in ipairs(view.sides(m, s.color)) do text.say(row) end
  end
  if d.met and d.met.expression then
    local ok, read = pcall(d.evaluate, d, d.met.expression)
    if ok then text.say(rows.value(d.met.expression, read, nil, s.color)) end
  end
  moves.show_displayed(s)
end

---The values of `display`, or the numbered one; those that mean nothing here are left out.
---@param s Stepped @param number integer?
function moves.show_displayed(s, number)
  for i = number or 1, number or #s.dbg.displayed do
    local source = s.dbg.displayed[i]
    local ok, read = pcall(s.dbg.evaluate, s.dbg, source)
    if ok then text.say(rows.value(("%d: %s"):format(i, source), read, nil, s.color)) end
  end
end

---@param s Stepped @param way string @param options table?
function moves.go(s, way, options)
  local before = s.dbg.moment
  local ok, e = host.catch(s.dbg.go, s.dbg, way, options)
  if ok or s.dbg.moment ~= before then
    local printed = s.dbg:printed_since(before)
    for line in (printed or ""):gmatch "[^\n]+" do text.say(text.printable(line)) end
    moves.show_place(s, before)
  end
  if not ok then error(e, 0) end
end

---A number of times, from the words after a command.
function moves.count_of(words)
  if not words[1] then return 1 end
  local n = words[1]:match "^%d+$" and math.tointeger(tonumber(words[1]))
  if not n or n < 1 then
    failure.usage(("%s is not a number of steps"):format(text.printable(words[1])), "for example: 5")
  end
  return n
end

return moves
