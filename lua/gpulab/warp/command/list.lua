-- The command list: source around a line.
local failure = require "gpulab.base.failure"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

-- list, list 40, list 40,60, list FUNCTION.
local function list(s, _, rest)
  local from, to = rest:match("^(%d+)%s*,%s*(%d+)$")
  from, to = tonumber(from or rest:match("^%d+$")), tonumber(to)
  if rest ~= "" and not from then
    from = s.dbg:line_of(rest) or failure.usage("list takes a line, two lines with a comma, or a function",
      "for example: list 40,60")
  end
  local height = to and math.max(1, math.min(200, to - from + 1)) or 15
  text.say(view.source(s.dbg, height, text.columns, s.color, from and (to and from + height // 2 or from)))
end

return { name = "list", usage = "list [LINE | FROM,TO | FUNCTION]", aliases = "l",
  summary = "the source around the line", run = list }
