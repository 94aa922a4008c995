-- One block as a timeline: which warp is at which line, in the order in which the emulator runs them. Times are
-- operations of the emulator, not cycles of a GPU.
local json = require "gpulab.base.json"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"

local trace = {}

local SIGNS <const> = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZacdefghijklmnopqrstuvwxyz"

-- By warp its events with the time at which each ends: the warp's next one, or the end of the block.
local function spans(events, last)
  local by_warp, order = {}, {}
  for _, e in ipairs(events) do
    local list = by_warp[e.warp]
    if not list then
      list = {}
      by_warp[e.warp] = list
      order[#order + 1] = e.warp
    end
    if #list > 0 then list[#list].to = e.time end
    list[#list + 1] = { event = e, from = e.time, to = last }
  end
  table.sort(order)
  return by_warp, order
end

---A row per warp, a character per part of the time: the line the warp was at last, b where it waits at a barrier.
---@param dbg Debugger @param columns integer
---@return string[]
function trace.lines(dbg, columns)
  local events, last = dbg:trace()
  local by_warp, order = spans(events, last)
  local width = columns - 12
  local signs, known = {}, {}
  for _, e in ipairs(events) do
    if not signs[e.line] then
      known[#known + 1] = e.line
      signs[e.line] = true
    end
  end
  table.sort(known)
  for i, line in ipairs(known) do signs[line] = SIGNS:sub((i - 1) % #SIGNS + 1, (i - 1) % #SIGNS + 1) end
  local out = {}
  for _, warp in ipairs(order) do
    local cells, at = {}, 1
    local list = by_warp[warp]
    for column = 0, width - 1 do
      local time = (column + 1) * last / width
      while at < #list and list[at].to < time do at = at + 1 end
      local span = list[at]
      cells[#cells + 1] = time < span.from and " " or span.event.barrier and "b" or signs[span.event.line]
    end
    out[#out + 1] = ("  warp %2d  %s"):format(warp, table.concat(cells))
  end
  local source = dbg.names:source(dbg.names.path)
  for _, line in ipairs(known) do
    local code = source and source.lines[line] or ""
    out[#out + 1] = text.clip(("  %s  %4d  %s"):format(signs[line], line, (code:gsub("^%s+", ""):gsub("\t", "    "))),
      columns)
  end
  out[#out + 1] = "  b  waits at a barrier; the order is the emulator's, not a GPU's"
  return out
end

---The block in the trace format of Chrome and Perfetto: a row per warp, a box per line.
---@param dbg Debugger @return string
function trace.json(dbg)
  local events, last = dbg:trace()
  local by_warp, order = spans(events, last)
  local list = {}
  for _, warp in ipairs(order) do
    list[#list + 1] = { name = "thread_name", ph = "M", pid = 0, tid = warp,
      args = { name = ("warp %d"):format(warp) } }
    for _, span in ipairs(by_warp[warp]) do
      local e = span.event
      list[#list + 1] = { name = e.barrier and ("line %d, barrier"):format(e.line) or ("line %d"):format(e.line),
        ph = "X",
        ts = span.from, dur = span.to - span.from, pid = 0, tid = warp, args = { lanes = rows.count(e.mask) } }
    end
  end
  return json.encode { traceEvents = list, otherData = { kernel = dbg.kernel.name, block = dbg:block_text(),
    time = "operations of the emulator" } } .. "\n"
end

---The same as text: time, warp, line, lanes.
---@param dbg Debugger @return string
function trace.text(dbg)
  local out = { ("# %s, block %s: time in operations of the emulator, warp, line, lanes"):format(dbg.kernel.name,
    dbg:block_text()) }
  for _, e in ipairs((dbg:trace())) do
    out[#out + 1] = ("%d %d %d %08x%s"):format(e.time, e.warp, e.line, e.mask, e.barrier and " barrier" or "")
  end
  return table.concat(out, "\n") .. "\n"
end

return trace
