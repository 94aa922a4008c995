-- The commands that move a stepped launch: steps forward and back, stops, the focus.
local moves = require "gpulab.warp.moves"
local text = require "gpulab.base.text"

local say <const>, usage <const> = moves.say, moves.usage
local go <const>, count_of <const>, show_place <const> = moves.go, moves.count_of, moves.show_place

-- Focus -------------------------------------------------------------------------------------------

-- block (x,y,z) warp N lane N, block N, thread (x,y,z).
local function parse_focus(d, rest)
  local block, number, lane = d.block, d.warp, d.lane
  local function numbers(list)
    local out = {}
    for n in list:gsub("[()]", " "):gmatch("[^,%s]+") do
      out[#out + 1] = math.tointeger(tonumber(n)) or usage(("%q is not a number"):format(n))
    end
    return { out[1] or 0, out[2] or 0, out[3] or 0 }
  end
  local found = false
  local taken = rest:gsub("block%s*%b()", ""):gsub("thread%s*%b()", ""):gsub("%a+%s+[%d,]+", "")
  if taken:find "%S" then usage(("focus does not understand %q"):format(taken:match("^%s*(.-)%s*$"))) end
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
        usage(("the block has no thread (%d,%d,%d)"):format(at[1], at[2], at[3]))
      end
    end
    local linear = at[1] + d.threads[1] * (at[2] + d.threads[2] * at[3])
    number, lane, found = linear // 32, linear % 32, true
  end
  local w, l = rest:match("warp%s+(%d+)"), rest:match("lane%s+(%d+)")
  if w then
    number, found = math.tointeger(tonumber(w)), true
    if not number or number >= #d.moment.warps then
      usage(("the block has no warp %s: it has %d"):format(w, #d.moment.warps))
    end
  end
  if l then
    lane, found = math.tointeger(tonumber(l)), true
    if not lane or lane > 31 then usage "a warp has the lanes 0 to 31" end
  end
  if not found then
    usage("focus takes block (x,y,z), warp N, lane N, or thread (x,y,z)", "for example: focus block (1,0) warp 2")
  end
  return block, number, lane
end

-- The commands ------------------------------------------------------------------------------------

local verbs = {}

local function break_as(name, said, temporary)
  return function(s, _, rest)
    local where, condition = rest:match("^(.-)%s*%f[%w_]if%f[^%w_]%s*(.-)$")
    where = where or rest
    if where == "" and not condition and s.dbg.moment.line > 0 then where = tostring(s.dbg.moment.line) end
    if not where:find "^%S+$" or condition == "" then
      usage(name .. " takes FILE:LINE, LINE or a function, optionally with `if EXPRESSION`",
        ("for example: %s 31 if i == 5"):format(name))
    end
    local stop = s.dbg:stop_at(where, condition, temporary)
    say(("  %s %d at %s."):format(said, stop.number, stop.what))
    if stop.without then
      say(text.wrap(("Not in all code of the line: in a part of it, %s."):format(stop.without), "  "))
    end
  end
end
verbs["break"] = break_as("break", "Stop")
verbs.tbreak = break_as("tbreak", "Temporary stop", true)

function verbs.delete(s, words)
  if not words[1] then return s.dbg:delete() end
  for _, word in ipairs(words) do
    local n = math.tointeger(tonumber(word))
    if not n and word ~= "breakpoints" then
      usage("delete takes the numbers of stops", "`info breakpoints` lists them")
    end
    if n or not words[2] then s.dbg:delete(n) end
  end
end

function verbs.watch(s, words, rest)
  if not words[1] then usage("watch takes an expression", "for example: watch sum") end
  local stop = s.dbg:watch(rest)
  say(("  Stop %d: %s."):format(stop.number, stop.what))
  if stop.unknown then
    say(text.wrap(("The compiler does not say where it is in lines %s: a change there is seen after them."):format(
      stop.unknown), "  "))
  end
end

local function watch_access(stores)
  return function(s, words, rest)
    if not words[1] then usage("an expression in memory is missing", "for example: awatch tile[0][0]") end
    local stop = s.dbg:watch_access(rest, stores)
    say(("  Stop %d: %s."):format(stop.number, stop.what))
  end
end
verbs.awatch = watch_access(false)

function verbs.step(s, words) go(s, "line", { count = count_of(words) }) end
function verbs.next(s, words) go(s, "over", { count = count_of(words) }) end
function verbs.stepi(s, words) go(s, "instruction", { count = count_of(words) }) end
function verbs.finish(s) go(s, "out") end
verbs["continue"] = function(s) go(s, "on") end
function verbs.back(s, words) go(s, "line", { back = true, count = count_of(words) }) end
verbs["reverse-next"] = function(s, words) go(s, "over", { back = true, count = count_of(words) }) end
verbs["reverse-stepi"] = function(s, words) go(s, "instruction", { back = true, count = count_of(words) }) end
verbs["reverse-finish"] = function(s) go(s, "out", { back = true }) end
verbs["reverse-continue"] = function(s) go(s, "on", { back = true }) end

verbs["until"] = function(s, words, rest)
  if words[1] == "barrier" then return go(s, "barrier") end
  if not words[1] then return go(s, "over") end
  s.dbg:stop_at(rest, nil, true)
  go(s, "on")
end

function verbs.run(s, words)
  if words and words[1] then
    usage("a launch is being stepped: run alone goes back to the beginning of the block",
      ("`kill` ends stepping; then run %s"):format(words[1]))
  end
  local before = s.dbg.moment
  s.dbg:restart()
  show_place(s, before)
end

function verbs.focus(s, _, rest)
  local d = s.dbg
  local before = d.moment
  local block, number, lane = parse_focus(d, rest)
  if block ~= d.block or number ~= d.warp then d:focus(block, number) end
  d.lane = lane
  show_place(s, before)
end

return verbs
