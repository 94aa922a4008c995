-- The command debug, and the commands there are while a launch is stepped: gdb's names where gdb has the thing.
local chart = require "gpulab.show.chart"
local commands = require "gpulab.base.commands"
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local open = require "gpulab.warp.open"
local picture = require "gpulab.warp.picture"
local rows = require "gpulab.warp.rows"
local screen = require "gpulab.warp.screen"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local trace = require "gpulab.warp.trace"
local view = require "gpulab.warp.view"

local warp = {}

local kept = {} -- views for the report: {title, svg, text}
local current -- {dbg, leave, color}: the launch that is stepped

local function say(lines)
  io.stdout:write(table.concat(type(lines) == "table" and lines or { lines }, "\n"), "\n")
end

local function usage(message, hint)
  failure.raise("usage", message, nil, hint)
end

local function dbg() return current.dbg end

-- What is said after a move -----------------------------------------------------------------------

local function flat(line) return (line:gsub("\t", "    ")) end

-- The line as gdb shows it; above it the function if it is another one; below it the lanes if not all run.
local function show_place(before)
  local d, m = dbg(), dbg().moment
  local head = view.headline(d)
  if m.halt == "fault" then
    say(text.wrap(("Fault: %s"):format(m.message), "  "))
  elseif head then
    say(text.clip("  " .. head:sub(1, 1):upper() .. head:sub(2) .. ".", text.columns))
  end
  local frame = m.frames[1]
  if not frame then return end
  if not before or not before.frames[1] or before.frames[1].name ~= frame.name or before.warp ~= m.warp then
    say(text.clip(("  %s at %s, block %s, warp %d"):format(d:function_name(frame), text.file_name(frame.file),
      d:block_text(), m.warp), text.columns))
  end
  local line = d:source_line(frame.file, frame.line)
  say(tables.paint(text.clip(("%d  %s"):format(frame.line, flat(line or m.instruction)), text.columns), "strong",
    current.color))
  if m.mask ~= m.lanes then
    for _, row in ipairs(view.sides(m, current.color)) do say(row) end
  end
  if d.met and d.met.expression then
    local ok, read = pcall(d.evaluate, d, d.met.expression)
    if ok then say(rows.value(d.met.expression, read, nil, current.color)) end
  end
end

local function go(way, options)
  local before = dbg().moment
  dbg():go(way, options)
  show_place(before)
end

-- A number of times, from the words after a command.
local function count_of(words)
  if not words[1] then return 1 end
  local n = math.tointeger(tonumber(words[1]))
  if not n or n < 1 then usage(("%q is not a number of steps"):format(words[1])) end
  return n
end

-- Values ------------------------------------------------------------------------------------------

local function grid_of(d, name, value)
  local found, total = d:elements(value, 4096)
  local of = value.element.value
  local width = #value.dims > 1 and value.dims[#value.dims] or math.min(total, 16)
  local widest = 1
  for n = 0, total - 1 do widest = math.max(widest, #rows.number(found[n], of)) end
  local per = math.max(1, math.min(width, (text.columns - 10) // (widest + 1)))
  local out = { ("  %s: %s %s"):format(name, text.plural(total, "element"), of) }
  for from = 0, total - 1, width do
    local cells = {}
    for k = 0, math.min(per, total - from) - 1 do
      cells[#cells + 1] = text.right(rows.number(found[from + k], of), widest)
    end
    local more = per < width and " …" or ""
    out[#out + 1] = ("  %5s %s%s"):format(#value.dims > 1 and ("[%d]"):format(from // width) or from,
      table.concat(cells, " "),
      more)
    if #out > 40 then
      out[#out + 1] = "  …"
      break
    end
  end
  return out
end

local function print_value(d, what)
  local value = d:compile(what)
  if value.dims and value.element then return say(grid_of(d, what, value)) end
  local read = d:evaluate(what)
  if read.trouble then usage(("%s: %s"):format(what, read.trouble)) end
  if not next(read.lanes) then
    usage(("%s has no value yet: the lanes have not got to the line that assigns to it"):format(what))
  end
  say(rows.value(what, read, nil, current.color))
  local first, same
  for lane = 0, 31 do
    local v = read.lanes[lane]
    if v ~= nil then
      if first == nil then first, same = v, true end
      same = same and v == first
    end
  end
  if not same then say(rows.table("", read)) end
end

-- info --------------------------------------------------------------------------------------------

local info = {}

function info.lanes(d)
  say(rows.ruler())
  say(view.sides(d.moment, current.color))
  for _, v in ipairs(d:locals()) do
    if v.read and not v.value.element and next(v.read.lanes) then say(rows.table(v.name, v.read)) end
  end
end

function info.warps(d) say(view.warps(d)) end

function info.locals(d)
  local list = d:locals()
  if #list == 0 then say "  No variables are in scope." end
  local removed = false
  for _, v in ipairs(list) do
    if v.read then
      say(rows.value(v.name, v.read, nil, current.color))
    elseif v.value then
      say(("  %s%s %s"):format(text.left(v.name, 12), v.type,
        ("[%d]"):rep(#v.value.dims):format(table.unpack(v.value.dims))))
    else
      removed = removed or v.why:match("removed")
      say(("  %s%s"):format(text.left(v.name, 12), v.why))
    end
  end
  if removed and not d.unoptimized then
    say(text.wrap("`debug -G` compiles without optimization: every variable then has a value.", "  "))
  end
end

function info.breakpoints(d)
  if #d.stops == 0 then say "  No stops." end
  for _, stop in ipairs(d.stops) do
    say(("  %2d  %s%s"):format(stop.number, stop.what, stop.hits > 0 and (", met %s"):format(text.plural(stop.hits,
      "time")) or ""))
  end
end

function info.registers(d)
  local names, seen = {}, {}
  local fn
  for _, frame in ipairs(d.moment.frames) do
    if not frame.inlined then fn = fn or d.names.text.functions[frame.name] end
  end
  for _, row in ipairs(fn and fn.rows or {}) do
    for _, register in ipairs(row.writes) do
      if not seen[register] then names[#names + 1], seen[register] = register, true end
    end
  end
  for _, register in ipairs(names) do
    local read = d:evaluate(register)
    if next(read.lanes) then say(rows.value(register, read, nil, current.color)) end
  end
  say(("  next: %s"):format(d.moment.instruction))
end

function info.frame(d)
  for i, frame in ipairs(d.moment.frames) do
    say(text.clip(("  #%d  %s at %s:%d%s"):format(i - 1, d:function_name(frame), text.file_name(frame.file), frame.line,
      frame.inlined and " (inlined)" or ""), text.columns))
  end
end

function info.memory(d)
  local lines = view.memory(d, current.color, 32)
  if #lines == 0 then lines = { "  This line accesses no memory." } end
  say(rows.ruler())
  say(lines)
end

function info.source(d) say("  " .. d.names.path) end

local short <const> = { b = "breakpoints", stops = "breakpoints", variables = "locals", threads = "warps",
  stack = "frame", all = "registers" }

-- Focus -------------------------------------------------------------------------------------------

-- block (x,y,z) warp N lane N, block N, thread (x,y,z).
local function parse_focus(d, rest)
  local block, number, lane = d.block, d.warp, d.lane
  local function numbers(list)
    local out = {}
    for n in list:gmatch("%d+") do out[#out + 1] = math.tointeger(tonumber(n)) end
    return { out[1] or 0, out[2] or 0, out[3] or 0 }
  end
  local found = false
  local b = rest:match("block%s*(%b())") or rest:match("block%s+([%d,]+)")
  if b then
    local at = numbers(b)
    block, number, lane, found = d:block_number(at[1], at[2], at[3]), 0, 0, true
  end
  local t = rest:match("thread%s*(%b())") or rest:match("thread%s+([%d,]+)")
  if t then
    local at = numbers(t)
    for i = 1, 3 do
      if at[i] >= d.threads[i] then usage(("the block has no thread (%d,%d,%d)"):format(at[1], at[2], at[3])) end
    end
    local linear = at[1] + d.threads[1] * (at[2] + d.threads[2] * at[3])
    number, lane, found = linear // 32, linear % 32, true
  end
  local w, l = rest:match("warp%s+(%d+)"), rest:match("lane%s+(%d+)")
  if w then number, found = tonumber(w), true end
  if l then
    lane, found = math.tointeger(tonumber(l)), true
    if lane > 31 then usage "a warp has the lanes 0 to 31" end
  end
  if not found then
    usage("focus takes block (x,y,z), warp N, lane N, or thread (x,y,z)", "for example: focus block (1,0) warp 2")
  end
  return block, number, lane
end

-- The commands ------------------------------------------------------------------------------------

local verbs = {}

verbs["break"] = function(_, rest)
  local where, condition = rest:match("^(%S+)%s+if%s+(.+)$")
  where = where or rest:match("^(%S+)$")
  if not where then
    usage("break takes FILE:LINE, LINE or a function, and perhaps `if EXPRESSION`", "for example: break 31 if i == 5")
  end
  local stop = dbg():stop_at(where, condition)
  say(("  Stop %d at %s."):format(stop.number, stop.what))
end

function verbs.tbreak(_, rest)
  local stop = dbg():stop_at(rest, nil, true)
  say(("  Temporary stop %d at %s."):format(stop.number, stop.what))
end

function verbs.delete(words)
  local n = words[1] and math.tointeger(tonumber(words[1]))
  if words[1] and not n then usage("delete takes the number of a stop", "`info breakpoints` lists them") end
  dbg():delete(n)
end

function verbs.watch(words, rest)
  if not words[1] then usage("watch takes an expression", "for example: watch sum") end
  local stop = dbg():watch(rest)
  say(("  Stop %d: %s."):format(stop.number, stop.what))
end

local function watch_access(stores)
  return function(words, rest)
    if not words[1] then usage("an expression in memory is missing", "for example: awatch tile[0][0]") end
    local stop = dbg():watch_access(rest, stores)
    say(("  Stop %d: %s."):format(stop.number, stop.what))
  end
end
verbs.awatch = watch_access(false)

function verbs.step(words) go("line", { count = count_of(words) }) end
function verbs.next(words) go("over", { count = count_of(words) }) end
function verbs.stepi(words) go("instruction", { count = count_of(words) }) end
function verbs.finish() go "out" end
verbs["continue"] = function() go "on" end
function verbs.back(words) go("line", { back = true, count = count_of(words) }) end
verbs["reverse-next"] = function(words) go("over", { back = true, count = count_of(words) }) end
verbs["reverse-stepi"] = function(words) go("instruction", { back = true, count = count_of(words) }) end
verbs["reverse-finish"] = function() go("out", { back = true }) end
verbs["reverse-continue"] = function() go("on", { back = true }) end

verbs["until"] = function(words, rest)
  if words[1] == "barrier" then return go "barrier" end
  if not words[1] then return go "over" end
  dbg():stop_at(rest, nil, true)
  go "on"
end

function verbs.run()
  local before = dbg().moment
  dbg():restart()
  show_place(before)
end

function verbs.focus(_, rest)
  local d = dbg()
  local before = d.moment
  local block, number, lane = parse_focus(d, rest)
  if block ~= d.block or number ~= d.warp then d:focus(block, number) end
  d.lane = lane
  show_place(before)
end

function verbs.info(words)
  local name = words[1] and (short[words[1]] or words[1]) or ""
  local known = {}
  for key in pairs(info) do known[#known + 1] = key end
  table.sort(known)
  local found
  for _, key in ipairs(known) do
    if key == name then found = key end
  end
  for _, key in ipairs(known) do
    if not found and name ~= "" and key:sub(1, #name) == name then found = key end
  end
  if not found then usage("info takes " .. text.list(known, "or")) end
  info[found](dbg())
end

function verbs.print(words, rest)
  if not words[1] then usage("print takes an expression", "for example: print tile[threadIdx.x][0]") end
  print_value(dbg(), rest)
end

-- Issues ------------------------------------------------------------------------------------------

local function issue_text(i, issue)
  local sites = {}
  for _, site in ipairs(issue.sites) do
    if site.line then sites[#sites + 1] = ("line %d"):format(site.line) end
  end
  return text.clip(("  %2d  %s, %s: %s"):format(i, issue.check, table.concat(sites, " and "), issue.message),
    text.columns)
end

function info.issues(d)
  local list = d:issues()
  if #list == 0 then say "  The checkers report nothing." end
  for i, issue in ipairs(list) do say(issue_text(i, issue)) end
end

local function show_site(issue, number)
  local d = dbg()
  local before = d.moment
  current.issue, current.site = issue, number
  say(text.wrap(("%s: %s"):format(issue.check:gsub("^%l", string.upper), issue.message), "  "))
  d:show(issue, number)
  show_place(before)
  if #issue.sites > 1 then
    say(text.wrap(("`other` shows the other access, at line %d."):format(issue.sites[3 - number].line), "  "))
  end
end

-- The first issue of a checker, or the numbered one.
local function find_issue(which)
  local list = dbg():issues()
  if #list == 0 then usage("the checkers report nothing about this launch") end
  local n = math.tointeger(tonumber(which))
  if n then return list[n] or usage(("there is no issue %d"):format(n), "`info issues` lists them") end
  for _, issue in ipairs(list) do
    if not which and issue.sites[1] and issue.sites[1].line or issue.check == which then return issue end
  end
  return usage(which and ("no issue of the %s checker"):format(which) or "no issue has a place in the code",
    "`info issues` lists them")
end

function verbs.show(words)
  if words[1] ~= "it" then usage("show it [N] shows the access an issue is about",
    "`kill` ends stepping; then show STEP") end
  show_site(find_issue(words[2]), 1)
end

function verbs.other()
  if not current.issue or #current.issue.sites < 2 then
    usage("there is no other access", "`show it` shows one first")
  end
  show_site(current.issue, 3 - current.site)
end

function verbs.whence(words, rest)
  if not words[1] then usage("whence takes an expression in memory", "for example: whence tile[3][0]") end
  local d, before = dbg(), dbg().moment
  if not d:whence(rest) then
    usage(("no thread of this block has written %s before this moment"):format(rest),
      "another block may have; `focus block (x,y,z)` looks at it")
  end
  say(("  Written by lane %d of warp %d:"):format(d.lane, d.moment.warp))
  show_place(before)
end

verbs["stop"] = function(words)
  local what = words[1] == "at" and words[2]
  if what == "barrier" then return go "barrier" end
  if what == "fault" then return go "on" end
  if what ~= "race" and what ~= "init" and what ~= "memory" and what ~= "sync" then
    usage("stop at takes race, init, memory, sync, fault or barrier")
  end
  show_site(find_issue(what), 1)
end

function verbs.list()
  say(view.source(dbg(), 15, text.columns, current.color))
end

function verbs.view()
  local term = os.getenv "TERM"
  if host.isatty(0) and host.isatty(1) and term and term ~= "dumb" and not commands.called then
    screen.run(dbg(), { color = current.color })
    show_place()
    return
  end
  say(view.text(dbg(), current.color))
end

function verbs.timeline() say(trace.lines(dbg(), text.columns)) end

function verbs.trace(words)
  if not words[1] or words[2] then usage("trace takes a file", "for example: trace block.json") end
  files.write(words[1], words[1]:match("%.json$") and trace.json(dbg()) or trace.text(dbg()))
  say(("  Written: %s"):format(words[1]))
end

function verbs.keep(_, rest)
  local d = dbg()
  local title = rest:match("%S.*") or d.title
  if title:match("%.svg$") then
    files.write(title, picture.svg(d, true) .. "\n")
    return say(("  Written: %s"):format(title))
  end
  kept[#kept + 1] = { title = title, svg = picture.svg(d),
    text = ("Block %s, warp %d of %s."):format(d:block_text(), d.moment.warp, d.kernel.name) }
  say("  The view will be in the report.")
end

function verbs.backtrace() info.frame(dbg()) end

function verbs.kill()
  warp.leave()
  say "  The stepped launch has ended; the buffers are as they were."
end

local help <const> = {
  { "step", "step [N]", "to the next line of the warp, N times", "s" },
  { "next", "next [N]", "to the next line, over calls", "n" },
  { "stepi", "stepi [N]", "one PTX instruction", "si" },
  { "finish", "finish", "until the function returns" },
  { "continue", "continue", "on to the next stop", "c" },
  { "until", "until [barrier|WHERE]", "until the warp waits at a barrier, or gets to a line", "u" },
  { "back", "back [N]", "to the line before: everything is as it was there", "reverse-step" },
  { "reverse-next", "reverse-next [N]", "to the line before, over calls", "rn" },
  { "reverse-stepi", "reverse-stepi [N]", "one PTX instruction back", "rsi" },
  { "reverse-finish", "reverse-finish", "back to the call of this function" },
  { "reverse-continue", "reverse-continue", "back to the last stop", "rc" },
  { "break", "break WHERE [if EXPRESSION]", "stop when a warp of the block gets to FILE:LINE, LINE or a function",
    "b" },
  { "tbreak", "tbreak WHERE", "the same, once" },
  { "watch", "watch EXPRESSION", "stop when the value changes, for a lane of the warp" },
  { "awatch", "awatch EXPRESSION", "stop before a thread of the block accesses this place in memory" },
  { "delete", "delete [N]", "remove a stop, or all", "d" },
  { "focus", "focus block (x,y,z) warp N lane N", "step another block or warp; also thread (x,y,z)" },
  { "info", "info lanes|locals|warps|breakpoints|...", "values by lane, variables, the block's warps, stops, memory",
    "i" },
  { "print", "print EXPRESSION", "a value for each lane; arrays as a grid", "p" },
  { "show", "show it [N]", "run the checkers; go to the access that an issue is about" },
  { "other", "other", "the other access of that issue" },
  { "whence", "whence EXPRESSION", "back to the last store to this place in memory" },
  { "stop", "stop at race|init|memory|sync|fault|barrier",
    "go to the first issue of a checker, a fault, or a barrier" },
  { "list", "list", "the source around the line", "l" },
  { "backtrace", "backtrace", "the calls that led here, inlined ones too", "bt" },
  { "view", "view", "the warp view on the whole screen, with keys; as text without a terminal", "v" },
  { "timeline", "timeline", "the lines that the warps of the block get to, in their order" },
  { "trace", "trace FILE", "write the timeline for Chrome or Perfetto (FILE.json), or as text" },
  { "keep", "keep [TITLE | FILE.svg]", "keep the warp view for the report, or write it as a picture" },
  { "run", "run", "back to the beginning of the block" },
  { "kill", "kill", "end stepping" } }

local long <const> = {
  print = "The expression is C: names of the source, threadIdx and the like, registers (%r5), arrays and pointers"
    .. " with an"
    .. " index, operators, casts. It is computed for each lane.",
  back = "Steps back exactly: the launch runs again from its beginning to the line before.",
  ["break"] = "The condition is an expression as for print; it holds if it is not 0 for one of the lanes that run.",
  view = "The characters below the source are the lanes 0 to 31. A variable's row shows small values low and large"
    .. " ones high,"
    .. " `=` where all are equal, a mark at lanes that differ from nearly all." }

local function layer()
  local list = {}
  for _, row in ipairs(help) do
    local name = row[1]
    local function run(words, rest)
      local ok, e = host.catch(verbs[name], words, rest or "")
      if not ok and type(e) == "table" and tostring(e.message):match("^the worker process") then
        local message = e.message
        warp.leave()
        failure.raise("fault", message, nil, "stepping has ended; `debug` begins again")
      end
      if not ok then error(e, 0) end
    end
    list[#list + 1] = { name = name, usage = row[2], summary = row[3], help = long[name], raw = true, run = run }
    if row[4] then
      list[#list + 1] = { name = row[4], usage = row[2], summary = row[3], help = long[name], raw = true,
        alias = name, run = run }
    end
  end
  return commands.layer(list)
end

---The views that `keep` kept: {title, svg, text}.
---@return table[]
function warp.kept() return kept end

---Ends stepping, if a launch is stepped.
function warp.leave()
  if not current then return end
  local was = current
  current = nil
  was.leave()
  commands.prompt = was.prompt
  pcall(was.dbg.close, was.dbg)
  if was.close then was.close() end
end

---Steps a launch at the prompt from now on.
---@param d Debugger @param options {color: boolean?, close: fun()?}
function warp.enter(d, options)
  warp.leave()
  rows.utf8 = chart.is_utf8()
  current = { dbg = d, color = options.color, prompt = commands.prompt, leave = layer(), close = options.close }
  commands.prompt = (current.prompt ~= "" and current.prompt or "gpulab") .. " debug"
  say(text.wrap(("%s: grid %s, block %s, %s"):format(d.kernel.name, table.concat(d.grid, " x "),
    table.concat(d.threads, " x "),
    d.unoptimized and "compiled without optimization" or "as compiled for the run"), "  "))
  show_place()
  say(text.wrap("`step`, `back`, `view`; `kill` ends stepping.", "  "))
end

-- debug -------------------------------------------------------------------------------------------

local function run_debug(session, options, words, rest)
  local plain = false
  if words[1] == "-G" or words[1] == "-O0" then
    plain = true
    table.remove(words, 1)
    rest = rest:gsub("^%S+%s*", "")
  end
  if rest:match("[%w_%]%)]%s*{") then
    local call = open.recorded(rest)
    local d = debugger.open(call.kernel, call.config, call.args, call.kernel.name)
    return warp.enter(d, { color = options.color })
  end
  if not session then usage("debug takes a launch", "for example: debug k{grid=1, block=32}(out, 5)") end
  warp.leave()
  local step = session:visit(session:target { words[1] })
  local number = words[2] and math.tointeger(tonumber(words[2]))
  if words[2] and not number then usage(("%q is not the number of a launch"):format(words[2])) end
  local d, close = open.step(session, step, { number = number, plain = plain })
  warp.enter(d, { color = options.color, close = close })
  current.step = step
end

-- Opens a step for `show it`, unless it is the one that is stepped.
local function open_for(session, step, writes)
  if current and current.step == step and (current.output or not writes) then return end
  local d, close, output = open.step(session, step, { writes = writes })
  warp.enter(d, { color = session.options.color, close = close })
  current.step, current.output = step, output
end

-- To the store that left a wrong element in the output.
local function show_element(step, mismatch)
  local index, before = mismatch.first[1].index, dbg().moment
  say(text.wrap(("%s[%d] is wrong; looking for the thread that stored it."):format(step.output, index), "  "))
  if not dbg():writer(current.output, index) then
    return say(text.wrap("No thread of this launch changes it: the element is as it was before.", "  "))
  end
  say(("  Stored by lane %d of warp %d in block %s:"):format(dbg().lane, dbg().moment.warp, dbg():block_text()))
  show_place(before)
end

-- To the line that an acceptance check complains about.
local function show_line(place)
  local before = dbg().moment
  say(text.wrap(("%s Most of it comes from this line:"):format(place.why), "  "))
  dbg():stop_at(("%s:%d"):format(text.file_name(place.file), place.line), nil, true)
  dbg():go "on"
  show_place(before)
end

---Goes to what a step's last result is about: the access of an issue, else the store of a wrong element, else the
---line that keeps an exercise from being accepted. Stepping goes on from there.
---@param session table @param step table @param which string? the number of an issue, or a checker
---@param found {mismatch: table?, place: {file: string, line: integer, why: string}?}?
function warp.show_it(session, step, which, found)
  local mismatch = not which and found and found.mismatch
  if mismatch and not mismatch.first[1] then mismatch = nil end
  open_for(session, step, mismatch ~= nil and mismatch ~= false)
  if not which and #dbg():issues() == 0 then
    if mismatch then return show_element(step, mismatch) end
    if found and found.place then return show_line(found.place) end
  end
  verbs.show { "it", which }
end

---Defines the command debug.
---@param session table? the open lab @param options {color: boolean?}
function warp.command(session, options)
  warp.leave()
  kept = {}
  commands.define { name = "debug", usage = "debug [-G] [STEP [LAUNCH]]", raw = true,
    summary = "step through a kernel, look at the lanes of a warp, go back",
    help = "Stops at the beginning of the step's first launch, or the numbered one, on an emulator of its own: the"
      .. " step's"
      .. " buffers stay as they are. Then step, next, finish, continue, back, break, watch, print, info and focus"
        .. " work as"
      .. " in gdb, and view shows the warp. -G compiles the kernel without optimization, so that every variable has a"
      .. " value. debug k{grid=1, block=32}(out, 5) steps a launch from Lua.",
    complete = session and function(prefix) return session.lab:step_ids(prefix) end or nil,
    run = function(words, rest) run_debug(session, options or {}, words, rest or "") end }
end

return warp
