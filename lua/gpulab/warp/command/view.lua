-- The command view: the warp, or elements of an array, on the whole screen; as text without a terminal.
local lazy = require "gpulab.base.lazy"
local moves = require "gpulab.warp.moves"
local screen = lazy "gpulab.warp.screen"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"
local window_screen = lazy "gpulab.warp.window_screen"

-- view EXPRESSION [INDEX]: "y 4096", but not "y + 1" or "tile[1]".
local function view_elements(s, rest)
  local source, index = rest:match("^(.*[%w_%])])%s+(%d+)$")
  local options = { color = s.color, index = tonumber(index) }
  source = source or rest
  if not s.stepper:at_terminal() then return text.say(window_screen.text(s.dbg, source, options)) end
  window_screen.run(s.dbg, source, options)
  moves.show_place(s)
end

local function run(s, words, rest)
  if words[1] then return view_elements(s, rest) end
  if s.stepper:at_terminal() then
    screen.run(s.dbg, { color = s.color })
    moves.show_place(s)
    if not s.viewed then
      text.say_wrapped(("Still stepping %s: `kill` ends it, `back` steps back."):format(s.dbg.title))
    end
    s.viewed = true
    return
  end
  text.say(view.text(s.dbg, s.color))
end

return { name = "view", usage = "view [ARRAY [INDEX]]", aliases = "v",
  summary = "the warp, or the elements around those it accesses, on the whole screen; as text without a terminal",
  help = "The characters below the source are the lanes 0 to 31. A variable's row shows small values low and large"
    .. " ones high, `=` where all are equal, a mark at lanes that differ from nearly all. view y shows the array y, or"
    .. " what y points to, around the elements that the lanes access: `*` marks these, `<` the one of the lane in"
    .. " focus; view y 5000 shows the elements around that one.",
  run = run }
