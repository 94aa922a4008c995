-- The commands that move a stepped launch, forward and back: gdb's names.
local failure = require "gpulab.base.failure"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

-- A move that may be repeated: step 5.
local function repeated(way, back)
  return function(s, words) moves.go(s, way, { back = back, count = moves.count_of(words) }) end
end

-- A move that goes to one place.
local function once(way, back)
  return function(s) moves.go(s, way, { back = back }) end
end

local function go_until(s, words, rest)
  if words[1] == "barrier" then return moves.go(s, "barrier") end
  if not words[1] then return moves.go(s, "over") end
  local before = s.dbg.moment
  s.dbg:stop_at(rest, nil, true)
  moves.go(s, "on")
  local m = s.dbg.moment
  if m.halt == "stop" and m.warp ~= before.warp then
    text.say(("  Warp %d is the next to get there."):format(m.warp))
  end
end

local function run(s, words)
  if words[1] then
    failure.usage("a launch is being stepped: run alone goes back to the beginning of the block",
      ("`kill` ends stepping; then run %s"):format(words[1]))
  end
  local before = s.dbg.moment
  s.dbg:restart()
  moves.show_place(s, before)
end

return {
  { name = "step", usage = "step [N]", aliases = "s", most = 1,
    summary = "to the next line of the warp, N times", run = repeated "line" },
  { name = "next", usage = "next [N]", aliases = "n", most = 1,
    summary = "to the next line, over calls", run = repeated "over" },
  { name = "stepi", usage = "stepi [N]", aliases = "si", most = 1,
    summary = "one PTX instruction", run = repeated "instruction" },
  { name = "finish", usage = "finish", most = 0,
    summary = "until the function returns", run = once "out" },
  { name = "continue", usage = "continue", aliases = "c", most = 0,
    summary = "on to the next stop", run = once "on" },
  { name = "until", usage = "until [barrier|WHERE]", aliases = "u advance", most = 1,
    summary = "until the warp waits at a barrier, or gets to a line", run = go_until },
  { name = "back", usage = "back [N]", aliases = "reverse-step rs", most = 1,
    summary = "to the line before: everything is as it was there",
    help = "Steps back exactly: the launch runs again from its beginning to the line before.",
    run = repeated("line", true) },
  { name = "reverse-next", usage = "reverse-next [N]", aliases = "rn", most = 1,
    summary = "to the line before, over calls", run = repeated("over", true) },
  { name = "reverse-stepi", usage = "reverse-stepi [N]", aliases = "rsi", most = 1,
    summary = "one PTX instruction back", run = repeated("instruction", true) },
  { name = "reverse-finish", usage = "reverse-finish", most = 0,
    summary = "back to the call of this function", run = once("out", true) },
  { name = "reverse-continue", usage = "reverse-continue", aliases = "rc", most = 0,
    summary = "back to the last stop", run = once("on", true) },
  { name = "run", usage = "run", summary = "back to the beginning of the block", run = run },
}
