-- The commands timeline and trace: the block from its beginning to its end.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"
local timeline = lazy "gpulab.warp.timeline"
local timeline_screen = lazy "gpulab.warp.timeline_screen"
local trace = lazy "gpulab.warp.trace"

-- Full-screen at a terminal, as view is.
local function show(s, words)
  local cycles = words[1] == "cycles"
  if words[1] and not cycles or words[2] then failure.usage("timeline takes the word cycles, or nothing") end
  if s.stepper:at_terminal() then
    timeline_screen.run(s.dbg, { color = s.color, cycles = cycles })
    return moves.show_place(s)
  end
  text.say(timeline.lines(cycles and timeline.of_cycles(s.dbg) or timeline.of_operations(s.dbg), s.dbg, text.columns))
end

local function write(s, words)
  local cycles = words[2] == "cycles"
  if not words[1] or words[3] or words[2] and not cycles then
    failure.usage("trace takes a file, optionally followed by the word cycles", "for example: trace block.json cycles")
  end
  local as_json = words[1]:match("%.json$")
  if cycles and not as_json then
    failure.usage("a trace as text has no cycles", "for example: trace block.json cycles")
  end
  local list = { as_json and timeline.of_operations(s.dbg), cycles and timeline.of_cycles(s.dbg) or nil }
  files.write(words[1], as_json and trace.json(list, s.dbg.kernel.name) or trace.text(s.dbg))
  text.say(("  Written: %s"):format(words[1]))
end

return {
  { name = "timeline", usage = "timeline [cycles]", most = 1,
    summary = "the block's warps over time; cycles: by the model, with waits for memory",
    help = "Each row is a warp; a character is the line that the warp is at. Arrow keys move through the block, Enter"
      .. " goes to the moment. timeline cycles has the cycles that the model of the GPU replays: there a warp also"
      .. " waits for global or generic memory (m), for shared memory or special functions (s). Without a"
      .. " terminal it is printed.",
    run = show },
  { name = "trace", usage = "trace FILE [cycles]", most = 2,
    summary = "write the timeline for Chrome or Perfetto (FILE.json), or as text", run = write },
}
