-- The commands info and backtrace, which look at a stepped launch and move nothing.
local lazy = require "gpulab.base.lazy"
local debugger = lazy "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local info = {}

function info.lanes(s)
  local d = s.dbg
  text.say(rows.ruler())
  text.say(view.sides(d.moment, s.color))
  for _, v in ipairs(d:locals()) do
    if v.read and not v.value.element and next(v.read.lanes) then text.say(rows.table(v.name, v.read)) end
  end
end

function info.warps(s) text.say(view.warps(s.dbg)) end

function info.locals(s)
  local d = s.dbg
  local list = d:locals()
  if #list == 0 then text.say "  No variables are in scope." end
  local removed = false
  for _, v in ipairs(list) do
    if v.read then
      text.say(rows.value(v.name, v.read, nil, s.color))
    elseif v.value and v.value.dims then
      text.say(("  %s%s %s"):format(text.left(v.name, 12), v.type,
        ("[%d]"):rep(#v.value.dims):format(table.unpack(v.value.dims))))
    elseif v.value then
      text.say(text.clip(("  %s%s {%s}"):format(text.left(v.name, 12), v.type,
        table.concat(v.value.record.names, ", ")), text.columns))
    else
      removed = removed or v.why:match("removed")
      text.say(("  %s%s"):format(text.left(v.name, 12), v.why))
    end
  end
  if removed and not d.unoptimized then
    text.say_wrapped(("`%s` compiles without optimization: every variable then has a value."):format(
      d.kernel.module.program and "nvcc -G" or "debug -G"))
  end
end

function info.breakpoints(s)
  local d = s.dbg
  if #d.stops == 0 then text.say "  No stops." end
  for _, stop in ipairs(d.stops) do
    text.say(("  %2d  %s%s%s"):format(stop.number, stop.what, stop.temporary and ", once" or "",
      stop.hits > 0 and (", met %s"):format(text.plural(stop.hits, "time")) or ""))
  end
end

function info.registers(s)
  local d = s.dbg
  local seen = {}
  local frame = lists.find(d.moment.frames, function(one) return not one.inlined end)
  local fn = frame and d.names.text:code(frame.name)
  for _, row in ipairs(fn and fn.rows or {}) do
    for _, register in ipairs(row.writes) do
      local read = not seen[register] and d:evaluate(register)
      seen[register] = true
      if read and next(read.lanes) then text.say(rows.value(register, read, nil, s.color)) end
    end
  end
  text.say(("  next: %s"):format(d.moment.instruction))
end

function info.frame(s)
  local d = s.dbg
  for i, frame in ipairs(d.moment.frames) do
    text.say(text.clip(("  #%d  %s at %s:%d%s"):format(i - 1, d:function_name(frame),
      debugger.file_name(frame.file), frame.line, frame.inlined and " (inlined)" or ""), text.columns))
  end
end

function info.memory(s)
  local lines = view.memory(s.dbg, s.color, 32)
  text.say(rows.ruler())
  text.say(#lines > 0 and lines or "  This line accesses no memory.")
end

function info.source(s) text.say("  " .. text.printable(s.dbg.names.path)) end

local function issue_text(i, issue)
  local sites = lists.map(lists.select(issue.sites, "line"), function(site) return ("line %d"):format(site.line) end)
  return text.clip(("  %2d  %s, %s: %s"):format(i, issue.check, table.concat(sites, " and "), issue.message),
    text.columns)
end

function info.issues(s)
  local list = s.dbg:issues()
  if #list == 0 then text.say "  The checkers report nothing." end
  for i, issue in ipairs(list) do text.say(issue_text(i, issue)) end
end

local short <const> = { b = "breakpoints", stops = "breakpoints", variables = "locals", threads = "warps",
  stack = "frame", all = "registers" }

local function show_info(s, words)
  local name = words[1] and (short[words[1]] or words[1]) or ""
  local known = lists.keys(info)
  local found = info[name] and name or name ~= ""
    and lists.find(known, function(key) return key:sub(1, #name) == name end)
  if not found then failure.usage("info takes " .. text.list(known, "or")) end
  info[found](s)
end

return {
  { name = "info", usage = "info lanes|locals|warps|breakpoints|...", aliases = "i", most = 1,
    summary = "values by lane, variables, the block's warps, stops, memory", run = show_info },
  { name = "backtrace", usage = "backtrace", aliases = "bt where", most = 0,
    summary = "the calls that led here, inlined ones too", run = info.frame },
}
