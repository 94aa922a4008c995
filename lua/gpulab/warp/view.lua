-- The warp view as lines of text: source, the lanes with both sides of a branch, variables, memory. 80 x 24 upwards.
local highlight = require "gpulab.base.highlight"
local lists = require "gpulab.base.lists"
local rows = require "gpulab.warp.rows"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local view = {}

local function flat(line) return text.printable((line:gsub("\t", "    "))) end

-- Sides of a branch -------------------------------------------------------------------------------

local function where(line)
  return line > 0 and ("line %d"):format(line) or "the end"
end

local function lanes(side) return text.plural(rows.count(side.mask), "lane") end

local said <const> = {
  ["runs"] = function(side) return ("%s at %s"):format(lanes(side), where(side.line)) end,
  ["other branch"] = function(side)
    return ("%s at %s, rejoin at %s"):format(rows.count(side.mask), where(side.line),
      side.rejoin > 0 and side.rejoin or "the end")
  end,
  ["barrier"] = function(side) return ("%s at barrier %d, %s"):format(lanes(side), side.barrier, where(side.line)) end,
  ["sync"] = function(side) return ("%s wait for lanes, %s"):format(lanes(side), where(side.line)) end,
  ["returns"] = function(side) return ("%s return to %s"):format(lanes(side), where(side.line)) end,
}
local labels <const> = { ["runs"] = "runs", ["other branch"] = "waits", ["barrier"] = "barrier", ["sync"] = "sync",
  ["returns"] = "returns" }
local signs <const> = { ["runs"] = "#", ["other branch"] = "o", ["barrier"] = "b", ["sync"] = "s", ["returns"] = "r" }

---The rows of the lanes: those that run, wait, and have ended.
function view.sides(moment, color)
  local out, seen = {}, 0
  for _, side in ipairs(moment.sides) do
    local mask = side.mask & ~seen
    if said[side.state] and (mask ~= 0 and side.mask == mask) then
      local style = side.state == "runs" and "good" or "faint"
      out[#out + 1] = rows.mask(labels[side.state], side.mask, signs[side.state],
        side.mask == 0xffffffff and side.state == "runs" and "all lanes at " .. where(side.line)
          or said[side.state](side), style, color)
      seen = seen | side.mask
    end
  end
  local full = moment.lanes ~= 0 and moment.lanes or 0xffffffff
  local gone = full & ~moment.alive
  if gone ~= 0 and moment.alive ~= 0 then
    out[#out + 1] = rows.mask("ended", gone, "x", rows.lanes(gone) .. " have ended", "faint", color)
  end
  if moment.alive == 0 then
    out[#out + 1] = rows.mask("ended", full, "x", "all threads have ended", "faint", color)
  end
  return out
end

-- Source ------------------------------------------------------------------------------------------

-- Lines of a source, highlighted and cut to the width; comments are known from the beginning of the file.
local function colored(lines, from, to, width, color)
  local shown = {}
  for i = 1, to do shown[i] = i >= from - 200 and flat(lines[i]) or "" end
  return highlight.lines(shown, width, color)
end

---Lines of the source around the current one, or another one: "> 31  code", b at a stop.
---@param around integer? a line
function view.source(dbg, height, columns, color, around)
  local m = dbg.moment
  local frame = m.frames[1]
  local path = frame and frame.file or around and dbg.names.path
  local source = path and dbg.names:source(path)
  if not source then
    local code = m.instruction ~= "" and m.instruction or "no code"
    if m.alive == 0 then return { "  (no line: the warp has ended)" } end
    if (path or "") == "" then return { ("  (no source: %s)"):format(code) } end
    return text.wrap(("(%s is not in the kernel's folder, so its lines are not shown: %s)"):format(text.file_name(path),
      code), "  ", columns)
  end
  local out, stops = {}, {}
  for _, stop in ipairs(dbg.stops) do
    if stop.order.kind == "line" and path:sub(-#stop.order.name) == stop.order.name then
      stops[stop.order.line] = true
    end
  end
  local others = {}
  for _, side in ipairs(m.sides) do
    if side.state == "other branch" then others[side.line] = true end
  end
  local first = math.max(1, math.min((around or frame.line) - height // 2, #source.lines - height + 1))
  local last = math.min(#source.lines, first + height - 1)
  local code = colored(source.lines, first, last, columns - 9, color)
  for at = first, last do
    local here = frame and at == frame.line
    local sign = here and ">" or others[at] and "o" or " "
    local line = ("%s%s%4d  "):format(sign, stops[at] and "b" or " ", at)
    out[#out + 1] = here
      and tables.paint(line .. text.clip(flat(source.lines[at]), columns - 9), "strong", color) or line .. code[at]
  end
  return out
end

-- Variables ---------------------------------------------------------------------------------------

---Rows of variables; arrays and what is not known are named in one line at the end.
function view.variables(dbg, color, lane)
  local out, arrays, hidden = {}, {}, {}
  local function add(name, read)
    local line = rows.value(name, read, nil, color)
    if lane and read.lanes[lane] ~= nil and text.width(line) < 66 then
      line = line .. (rows.utf8 and " ▼ %s" or " v %s"):format(rows.number(read.lanes[lane], read.type))
    end
    out[#out + 1] = line
  end
  for _, source in ipairs(dbg.displayed) do
    local ok, read = pcall(dbg.evaluate, dbg, source)
    if ok then add(source, read) end
  end
  for _, v in ipairs(dbg:locals()) do
    if v.read and (next(v.read.lanes) or v.read.trouble == nil) then
      if v.value.element then arrays[#arrays + 1] = v.name .. "[]" else add(v.name, v.read) end
    elseif v.value then
      arrays[#arrays + 1] = v.name .. (v.value.dims
        and ("[%s]"):rep(#v.value.dims):format(table.unpack(v.value.dims)) or "{}")
    else
      hidden[#hidden + 1] = v.name
    end
  end
  return out, arrays, hidden
end

-- Names of what an access goes to, as in the source: of a parameter if a buffer is one.
local function access_name(dbg, access)
  local given = access.space == "global" and dbg:parameter_at(access.base)
  return given or access.name:match("^_Z") and "" or access.name
end

-- The access that faults from here to the next line: its lanes, or the first one of them.
local function faulting(dbg, color)
  local fault, m = dbg.moment.fault, dbg.moment
  if not fault or fault.access == "" or m.alive == 0 then return nil end
  local name = access_name(dbg, { space = fault.space, name = fault.buffer, base = fault.address - fault.offset })
  local _, _, first = dbg:place_of(fault.block, fault.thread)
  local all = fault.threads == rows.count(m.mask)
  local summary = all and "faults" or fault.threads == 1 and "faults in lane " .. first
    or ("faults in %d lanes from %d on"):format(fault.threads, first)
  return rows.line(("%s %s"):format(fault.access, name ~= "" and name or fault.space), function(lane)
    return (all and m.mask >> lane & 1 == 1 or lane == first) and "x" or rows.utf8 and "·" or "-"
  end, summary, "bad", color)
end

---Rows of memory: what the line accesses from here.
function view.memory(dbg, color, most)
  local out, legend = {}, {}
  for i, access in ipairs(dbg.moment.alive ~= 0 and dbg.moment.accesses or {}) do
    if i > most then
      out[#out + 1] = ("  and %s"):format(text.plural(#dbg.moment.accesses - most, "more access"))
      break
    end
    local line = rows.access(access, dbg.stepping.gpu, access_name(dbg, access), color)
    out[#out + 1] = line[1]
    if line[2] ~= "" then legend[line[2]] = true end
  end
  out[#out + 1] = faulting(dbg, color)
  local parts = {}
  parts[1] = legend.bank and "shared%s: the bank, 0 to v" or nil
  parts[#parts + 1] = legend.sector and "global%s: the sector" or nil
  parts[#parts + 1] = legend.word and "constant%s: the word" or nil
  local memory = #parts > 2 and "" or " memory" -- as wide as the screen, and no wider
  for i, part in ipairs(parts) do parts[i] = part:format(memory) end
  if #parts > 0 then out[#out + 1] = ("  %s(%s)"):format((" "):rep(12), table.concat(parts, "; ")) end
  return out
end

-- The whole ---------------------------------------------------------------------------------------

---What a moment is, in a line: after a move.
function view.headline(dbg)
  local m = dbg.moment
  local halted = {
    begin = "at the beginning of the block", ["warp ended"] = "the warp has ended",
      ["block ended"] = "the block has ended",
    fault = "the next access faults", time = "stopped at the time limit", interrupted = "interrupted" }
  if m.halt == "stop" and dbg.met then return ("stop %d: %s"):format(dbg.met.number, dbg.met.what) end
  return halted[m.halt]
end

function view.title(dbg, columns)
  local m = dbg.moment
  local frame = m.frames[1]
  local left = (" %s%s"):format(dbg.title, dbg.unoptimized and " -G" or "")
  if frame then left = ("%s · %s"):format(left, dbg:function_name(frame)) end
  local at = m.alive == 0 and ("%d instructions"):format(m.count) or ("instruction %d"):format(m.count + 1)
  local right = ("block %s · warp %d of %d · %s "):format(dbg:block_text(), m.warp, #m.warps, at)
  left = text.clip(left, columns - text.width(right) - 1)
  return left .. (" "):rep(columns - text.width(left) - text.width(right)) .. right
end

---@param options {columns: integer, rows: integer, color: boolean?, keys: string?, note: string?, ruler: boolean?}
---@return string[]
function view.screen(dbg, options)
  local columns, height = options.columns, options.rows
  local lane = options.ruler and dbg.lane or nil
  local lower = lists.joined(rows.ruler(lane), view.sides(dbg.moment, options.color))
  local memory = view.memory(dbg, options.color, 3)
  local variables, arrays, hidden = view.variables(dbg, options.color, lane)
  local least, spare = 5, 4 -- lines of source; title, note, keys
  local room = height - spare - least - #lower - #memory
  for i = 1, math.min(#variables, math.max(1, room)) do lower[#lower + 1] = variables[i] end
  room = room - #variables
  local rest = {}
  if #variables > 0 and room < 0 then rest[#rest + 1] = ("%d more variables"):format(-room) end
  if #arrays > 0 then rest[#rest + 1] = "arrays " .. table.concat(arrays, " ") end
  if #hidden > 0 then rest[#rest + 1] = "not shown " .. table.concat(hidden, " ") end
  if #rest > 0 and room > 0 then lower[#lower + 1] = "  " .. text.clip(table.concat(rest, " · "), columns - 4) end
  lists.append(lower, memory)
  local note = options.note or view.headline(dbg)
  local above = height - 1 - (note and 1 or 0)
  local out = lists.joined({ view.title(dbg, columns) },
    view.source(dbg, math.max(least, math.min(above - #lower - 2, 40)), columns, options.color), { "" }, lower)
  while #out > math.max(0, above) do table.remove(out) end
  while #out < above do out[#out + 1] = "" end
  if note then out[#out + 1] = "  " .. tables.paint(text.clip(note, columns - 3), "strong", options.color) end
  out[#out + 1] = "  " .. (options.keys or "")
  return out
end

---The same as plain text, as long as it is.
function view.text(dbg, color)
  local variables, arrays, hidden = view.variables(dbg, color)
  local out = lists.joined({ view.title(dbg, text.columns) }, view.source(dbg, 7, text.columns, color), { "" },
    rows.ruler(), view.sides(dbg.moment, color), variables, view.memory(dbg, color, 8))
  if #arrays > 0 then text.add(out, "arrays: " .. table.concat(arrays, ", ")) end
  if #hidden > 0 then text.add(out, "not shown (`debug -G` may keep them): " .. table.concat(hidden, ", ")) end
  return out
end

---The warps of the block: where each is, and which of them wait.
---@return string[]
function view.warps(dbg, columns)
  local m, out = dbg.moment, {}
  for i, w in ipairs(m.warps) do
    local state = ({ ready = "at line " .. w.line, barrier = ("waits at barrier %d, line %d"):format(w.barrier, w.line),
      sync = ("waits for its lanes, line %d"):format(w.line), ended = "has ended" })[w.state]
    out[#out + 1] = text.clip(("%s warp %2d  %2d of %2d lanes  %7d instructions  %s"):format(i - 1 == m.warp and ">"
      or " ",
      i - 1, rows.count(w.state == "ended" and 0 or w.mask), rows.count(w.lanes), w.instructions, state), columns
        or text.columns)
  end
  for _, b in ipairs(m.barriers) do
    out[#out + 1] = ("  barrier %d: %d of %d threads have arrived"):format(b.id, b.arrived, b.expected)
  end
  return out
end

return view
