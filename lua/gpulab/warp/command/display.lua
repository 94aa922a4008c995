-- The commands display and undisplay: values in the view and after each move.
local failure = require "gpulab.base.failure"
local moves = require "gpulab.warp.moves"

local function display(s, words, rest)
  if not words[1] then failure.usage("display takes an expression", "for example: display tile[threadIdx.x][0]") end
  s.dbg:display(rest)
  moves.show_displayed(s, #s.dbg.displayed)
end

local function undisplay(s, words)
  local n = words[1] and math.tointeger(tonumber(words[1]))
  if words[1] and not s.dbg.displayed[n or 0] then
    if #s.dbg.displayed == 0 then failure.usage "there are no displays" end
    failure.usage(("there is no display %s"):format(words[1]),
      ("they are numbered from 1 to %d"):format(#s.dbg.displayed))
  end
  s.dbg:undisplay(n)
end

return {
  { name = "display", usage = "display EXPRESSION", aliases = "disp",
    summary = "show this value in the view and after each move", run = display },
  { name = "undisplay", usage = "undisplay [N]", most = 1, summary = "no longer show one of these values, or all",
    run = undisplay },
}
