-- The command debug, and the commands there are while a launch is stepped: gdb's names where gdb has the thing.
local chart = require "gpulab.show.chart"
local commands = require "gpulab.base.commands"
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local going = require "gpulab.warp.going"
local host = require "gpulab.host"
local info = require "gpulab.warp.info"
local issues = require "gpulab.warp.issues"
local moves = require "gpulab.warp.moves"
local open = require "gpulab.warp.open"
local picture = require "gpulab.warp.picture"
local rows = require "gpulab.warp.rows"
local screen = require "gpulab.warp.screen"
local text = require "gpulab.base.text"
local timeline = require "gpulab.warp.timeline"
local timeline_screen = require "gpulab.warp.timeline_screen"
local trace = require "gpulab.warp.trace"
local view = require "gpulab.warp.view"
local origin = require "gpulab.warp.origin"
local window_screen = require "gpulab.warp.window_screen"

local warp = {}

local say <const>, usage <const>, show_place <const> = moves.say, moves.usage, moves.show_place

local kept = {} -- views for the report: {title, svg, text}
local current -- the Stepped launch

local verbs = { print = info.print, info = info.info, backtrace = info.backtrace, show = issues.show,
  other = issues.other, stop = issues.stop, origin = origin }
for name, verb in pairs(going) do verbs[name] = verb end

-- list, list 40, list 40,60, list FUNCTION.
function verbs.list(s, _, rest)
  local from, to = rest:match("^(%d+)%s*,%s*(%d+)$")
  from, to = tonumber(from or rest:match("^%d+$")), tonumber(to)
  if rest ~= "" and not from then
    from = s.dbg:line_of(rest) or usage("list takes a line, two lines with a comma, or a function",
      "for example: list 40,60")
  end
  local height = to and math.max(1, math.min(200, to - from + 1)) or 15
  say(view.source(s.dbg, height, text.columns, s.color, from and (to and from + height // 2 or from)))
end

-- display EXPRESSION: a row of its own in the view and after each move.
function verbs.display(s, words, rest)
  if not words[1] then usage("display takes an expression", "for example: display tile[threadIdx.x][0]") end
  s.dbg:display(rest)
  moves.show_displayed(s, #s.dbg.displayed)
end

function verbs.undisplay(s, words)
  local n = words[1] and math.tointeger(tonumber(words[1]))
  if words[1] and not s.dbg.displayed[n or 0] then
    if #s.dbg.displayed == 0 then usage "there are no displays" end
    usage(("there is no display %s"):format(words[1]), ("they are numbered from 1 to %d"):format(#s.dbg.displayed))
  end
  s.dbg:undisplay(n)
end

local function at_terminal()
  local term = os.getenv "TERM"
  return host.isatty(0) and host.isatty(1) and term and term ~= "dumb" and not commands.called
end

-- view EXPRESSION [INDEX]: "y 4096", but not "y + 1" or "tile[1]".
local function view_elements(s, rest)
  local source, index = rest:match("^(.*[%w_%])])%s+(%d+)$")
  local options = { color = s.color, index = tonumber(index) }
  source = source or rest
  if not at_terminal() then return say(window_screen.text(s.dbg, source, options)) end
  window_screen.run(s.dbg, source, options)
  show_place(s)
end

function verbs.view(s, words, rest)
  if words[1] then return view_elements(s, rest) end
  if at_terminal() then
    screen.run(s.dbg, { color = s.color })
    show_place(s)
    return
  end
  say(view.text(s.dbg, s.color))
end

-- Full-screen at a terminal, as view is.
function verbs.timeline(s, words)
  local cycles = words[1] == "cycles"
  if words[1] and not cycles or words[2] then usage("timeline takes the word cycles, or nothing") end
  if at_terminal() then
    timeline_screen.run(s.dbg, { color = s.color, cycles = cycles })
    return show_place(s)
  end
  say(timeline.lines(cycles and timeline.of_cycles(s.dbg) or timeline.of_operations(s.dbg), s.dbg, text.columns))
end

function verbs.trace(s, words)
  local cycles = words[2] == "cycles"
  if not words[1] or words[3] or words[2] and not cycles then
    usage("trace takes a file, optionally followed by the word cycles", "for example: trace block.json cycles")
  end
  local as_json = words[1]:match("%.json$")
  if cycles and not as_json then usage("a trace as text has no cycles", "for example: trace block.json cycles") end
  local list = { as_json and timeline.of_operations(s.dbg), cycles and timeline.of_cycles(s.dbg) or nil }
  files.write(words[1], as_json and trace.json(list, s.dbg.kernel.name) or trace.text(s.dbg))
  say(("  Written: %s"):format(words[1]))
end

function verbs.keep(s, _, rest)
  local d = s.dbg
  local title = rest:match("%S.*") or d.title
  if title:match("%.svg$") then
    files.write(title, picture.svg(d, true) .. "\n")
    return say(("  Written: %s"):format(title))
  end
  kept[#kept + 1] = { title = title, svg = picture.svg(d),
    text = ("Block %s, warp %d of %s."):format(d:block_text(), d.moment.warp, d.kernel.name) }
  say("  The view will be in the report.")
end

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
  { "until", "until [barrier|WHERE]", "until the warp waits at a barrier, or gets to a line", "u advance" },
  { "back", "back [N]", "to the line before: everything is as it was there", "reverse-step rs" },
  { "reverse-next", "reverse-next [N]", "to the line before, over calls", "rn" },
  { "reverse-stepi", "reverse-stepi [N]", "one PTX instruction back", "rsi" },
  { "reverse-finish", "reverse-finish", "back to the call of this function" },
  { "reverse-continue", "reverse-continue", "back to the last stop", "rc" },
  { "break", "break WHERE [if EXPRESSION]", "stop when a warp of the block gets to FILE:LINE, LINE or a function",
    "b" },
  { "tbreak", "tbreak WHERE [if EXPRESSION]", "the same, once", "tb" },
  { "watch", "watch EXPRESSION", "stop when the value changes, for a lane of the warp" },
  { "awatch", "awatch EXPRESSION", "stop before a thread of the block accesses this place in memory" },
  { "delete", "delete [N]", "remove a stop, or all", "d" },
  { "focus", "focus block (x,y,z) warp N lane N", "step another block or warp; also thread (x,y,z)" },
  { "info", "info lanes|locals|warps|breakpoints|...", "values by lane, variables, the block's warps, stops, memory",
    "i" },
  { "print", "print EXPRESSION", "a value for each lane; arrays as a grid", "p" },
  { "show", "show it [N]", "run the checkers; go to the access that an issue is about" },
  { "other", "other", "the other access of that issue" },
  { "origin", "origin [EXPRESSION | N]", "back to the store to this place in memory; then to the loads that fed it" },
  { "stop", "stop at race|init|memory|sync|fault|barrier",
    "go to the first issue of a checker, a fault, or a barrier" },
  { "display", "display EXPRESSION", "show this value in the view and after each move", "disp" },
  { "undisplay", "undisplay [N]", "no longer show one of these values, or all" },
  { "list", "list [LINE | FROM,TO | FUNCTION]", "the source around the line", "l" },
  { "backtrace", "backtrace", "the calls that led here, inlined ones too", "bt where" },
  { "view", "view [ARRAY [INDEX]]",
    "the warp, or the elements around those it accesses, on the whole screen; as text without a terminal", "v" },
  { "timeline", "timeline [cycles]", "the block's warps over time; cycles: by the model, with waits for memory" },
  { "trace", "trace FILE [cycles]", "write the timeline for Chrome or Perfetto (FILE.json), or as text" },
  { "keep", "keep [TITLE | FILE.svg]", "keep the warp view for the report, or write it as a picture" },
  { "run", "run", "back to the beginning of the block" },
  { "kill", "kill", "end stepping" } }

local long <const> = {
  print = "The expression is C: names of the source, threadIdx and the like, registers (%r5), arrays and pointers"
    .. " with an"
    .. " index, operators, casts. It is computed for each lane.",
  back = "Steps back exactly: the launch runs again from its beginning to the line before.",
  origin = "origin y[5] goes back to the last store to y[5], in another block if this one has not stored to it. origin"
    .. " alone goes on: from a store to the load that fed it, from a load to the store before it. Where several loads"
    .. " fed a store, origin N goes to another one.",
  timeline = "Each row is a warp; a character is the line that the warp is at. Arrow keys move through the block, Enter"
    .. " goes to the moment. timeline cycles has the cycles that the model of the GPU replays: there a warp also waits"
    .. " for global or generic memory (m), for shared memory or a special unit (s). Without a terminal it is printed.",
  ["break"] = "The condition is an expression as for print; it holds if it is not 0 for one of the lanes that run.",
  view = "The characters below the source are the lanes 0 to 31. A variable's row shows small values low and large"
    .. " ones high,"
    .. " `=` where all are equal, a mark at lanes that differ from nearly all. view y shows the array y, or what y"
    .. " points to, around the elements that the lanes access: `*` marks these, `<` the one of the lane in focus;"
    .. " view y 5000 shows the elements around that one." }

-- How many words a command takes; others take text.
local takes <const> = { step = 1, next = 1, stepi = 1, finish = 0, continue = 0, back = 1, ["reverse-next"] = 1,
  ["reverse-stepi"] = 1, ["reverse-finish"] = 0, ["reverse-continue"] = 0, ["until"] = 1, info = 1, show = 2, other = 0,
  stop = 2, undisplay = 1, backtrace = 0, timeline = 1, trace = 2, kill = 0 } -- run has a sentence of its own

-- The words after a command; a quote that is not closed is a character like others.
local function words_of(row, words, rest)
  if not words[1] then
    for word in rest:gmatch "%S+" do words[#words + 1] = word end
  end
  local most = takes[row[1]]
  if most and #words > most then
    usage(("%s takes %s: %s is not expected"):format(row[1], most == 0 and "no words"
      or ("at most %s"):format(text.plural(most, "word")), text.printable(words[most + 1])), "usage: " .. row[2])
  end
  return words
end

local function layer()
  local list = {}
  for _, row in ipairs(help) do
    local name = row[1]
    local function run(words, rest)
      rest = rest or ""
      local ok, e = host.catch(verbs[name], current, words_of(row, words, rest), rest)
      if not ok and type(e) == "table" and tostring(e.message):match("^the worker process") then
        local message = e.message
        warp.leave()
        failure.raise("fault", message, nil, "stepping has ended; `debug` begins again")
      end
      if not ok then error(e, 0) end
    end
    local main = { name = name, usage = row[2], summary = row[3], help = long[name], raw = true, run = run,
      abbreviated = true }
    list[#list + 1] = main
    local others = {}
    for alias in (row[4] or ""):gmatch("%S+") do
      others[#others + 1] = alias
      list[#list + 1] = { name = alias, usage = row[2], summary = row[3], help = long[name], raw = true,
        alias = name, run = run, abbreviated = true }
    end
    if #others > 0 then main.summary = ("%s; also %s"):format(row[3], text.list(others, "or")) end
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
  show_place(current)
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
    local ok, d = host.catch(debugger.open, call.kernel, call.config, call.args, call.kernel.name)
    if not ok then -- what the launch itself would say of its arguments
      local said = tostring(d):match("bad argument #%d+ to '[^']*' %((.*)%)")
      if type(d) == "string" and said then usage((said:gsub("^%[%d+%]: ", ""))) end
      error(d, 0)
    end
    return warp.enter(d, { color = options.color })
  end
  if not session then usage("debug takes a launch", "for example: debug k{grid=1, block=32}(out, 5)") end
  local number = words[2] and math.tointeger(tonumber(words[2]))
  if words[2] and not number then usage(("%q is not the number of a launch"):format(words[2])) end
  local step = session:visit(session:target { words[1] })
  warp.leave()
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

---Goes to what a step's last result is about: the access of an issue, else the store of a wrong element, else the
---line that keeps an exercise from being accepted. Stepping goes on from there.
---@param session table @param step table @param which string? the number of an issue, or a checker
---@param found {mismatch: table?, place: {file: string, line: integer, why: string}?}?
function warp.show_it(session, step, which, found)
  local mismatch = not which and found and found.mismatch
  if mismatch and not mismatch.first[1] then mismatch = nil end
  open_for(session, step, mismatch ~= nil and mismatch ~= false)
  if not which and #current.dbg:issues() == 0 then
    if mismatch then return issues.element(current, step, mismatch) end
    if found and found.place then return issues.line(current, found.place) end
  end
  issues.show(current, { "it", which })
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
