-- The stops of a stepped launch: at a place, at a value that changes, at an access to memory.
local failure = require "gpulab.base.failure"
local text = require "gpulab.base.text"

local function break_as(name, said, temporary)
  return function(s, _, rest)
    local where, condition = rest:match("^(.-)%s*%f[%w_]if%f[^%w_]%s*(.-)$")
    where = where or rest
    if where == "" and not condition and s.dbg.moment.line > 0 then where = tostring(s.dbg.moment.line) end
    if not where:find "^%S+$" or condition == "" then
      failure.usage(name .. " takes FILE:LINE, LINE or a function, optionally with `if EXPRESSION`",
        ("for example: %s 31 if i == 5"):format(name))
    end
    local stop = s.dbg:stop_at(where, condition, temporary)
    text.say(("  %s %d at %s."):format(said, stop.number, stop.what))
    if stop.without then
      text.say_wrapped(("Not in all code of the line: in a part of it, %s."):format(stop.without))
    end
  end
end
local function delete(s, words)
  if not words[1] then return s.dbg:delete() end
  for _, word in ipairs(words) do
    local n = math.tointeger(tonumber(word))
    if not n and word ~= "breakpoints" then
      failure.usage("delete takes the numbers of stops", "`info breakpoints` lists them")
    end
    if n or not words[2] then s.dbg:delete(n) end
  end
end

local function watch(s, words, rest)
  if not words[1] then failure.usage("watch takes an expression", "for example: watch sum") end
  local stop = s.dbg:watch(rest)
  text.say(("  Stop %d: %s."):format(stop.number, stop.what))
  if stop.unknown then
    text.say_wrapped(("The compiler does not say where it is in lines %s: a change there is seen after them."):format(
      stop.unknown))
  end
end

local function awatch(s, words, rest)
  if not words[1] then failure.usage("an expression in memory is missing", "for example: awatch tile[0][0]") end
  local stop = s.dbg:watch_access(rest)
  text.say(("  Stop %d: %s."):format(stop.number, stop.what))
end

return {
  { name = "break", usage = "break WHERE [if EXPRESSION]", aliases = "b",
    summary = "stop when a warp of the block gets to FILE:LINE, LINE or a function",
    help = "The condition is an expression as for print; it holds if it is not 0 for one of the lanes that run.",
    run = break_as("break", "Stop") },
  { name = "tbreak", usage = "tbreak WHERE [if EXPRESSION]", aliases = "tb", summary = "the same, once",
    run = break_as("tbreak", "Temporary stop", true) },
  { name = "watch", usage = "watch EXPRESSION", summary = "stop when the value changes, for a lane of the warp",
    run = watch },
  { name = "awatch", usage = "awatch EXPRESSION",
    summary = "stop before a thread of the block accesses this place in memory", run = awatch },
  { name = "delete", usage = "delete [N]", aliases = "d", summary = "remove a stop, or all", run = delete },
}
