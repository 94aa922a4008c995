-- The command focus: which block, warp and lane the commands are about.
local failure = require "gpulab.base.failure"
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

-- block (x,y,z) warp N lane N, block N, thread (x,y,z).
local function parse_focus(d, rest)
  local block, number, lane = d.block, d.warp, d.lane
  local function numbers(list)
    local out = {}
    for n in list:gsub("[()]", " "):gmatch("[^,%s]+") do
      out[#out + 1] = math.tointeger(tonumber(n)) or failure.usage(("%q is not a number"):format(n))
    end
    return { out[1] or 0, out[2] or 0, out[3] or 0 }
  end
  local found = false
  local taken = rest:gsub("block%s*%b()", ""):gsub("thread%s*%b()", ""):gsub("%a+%s+[%d,]+", "")
  if taken:find "%S" then failure.usage(("focus does not understand %q"):format(text.trim(taken))) end
  local b = rest:match("block%s*(%b())") or rest:match("block%s+([%d,]+)")
  if b then
    local at = numbers(b)
    block, number, lane, found = d:block_number(at[1], at[2], at[3]), 0, 0, true
  end
  local t = rest:match("thread%s*(%b())") or rest:match("thread%s+([%d,]+)")
  if t then
    local at = numbers(t)
    for i = 1, 3 do
      if at[i] < 0 or at[i] >= d.threads[i] then
        failure.usage(("the block has no thread (%d,%d,%d)"):format(at[1], at[2], at[3]))
      end
    end
    local linear = at[1] + d.threads[1] * (at[2] + d.threads[2] * at[3])
    number, lane, found = linear // 32, linear % 32, true
  end
  local w, l = rest:match("warp%s+(%d+)"), rest:match("lane%s+(%d+)")
  if w then
    number, found = math.tointeger(tonumber(w)), true
    if not number or number >= #d.moment.warps then
      failure.usage(("the block has no warp %s: it has %d"):format(w, #d.moment.warps))
    end
  end
  if l then
    lane, found = math.tointeger(tonumber(l)), true
    if not lane or lane > 31 then failure.usage "a warp has the lanes 0 to 31" end
  end
  if not found then
    failure.usage("focus takes block (x,y,z), warp N, lane N, or thread (x,y,z)",
      "for example: focus block (1,0) warp 2")
  end
  return block, number, lane
end

local function focus(s, _, rest)
  local d = s.dbg
  local before = d.moment
  local block, number, lane = parse_focus(d, rest)
  if block ~= d.block or number ~= d.warp then d:focus(block, number) end
  d.lane = lane
  moves.show_place(s, before)
end

return { name = "focus", usage = "focus block (x,y,z) warp N lane N",
  summary = "step another block or warp; also thread (x,y,z)", run = focus }
