-- One block, or several, in files: the trace format of Chrome and Perfetto, and text.
local json = require "gpulab.base.json"
local rows = require "gpulab.warp.rows"

local trace = {}

local function name_of(span, made)
  local waits = made.waits and made.waits[span.state]
  if span.state == "barrier" then return ("line %d, barrier"):format(span.line) end
  return waits and ("line %d, waits for %s"):format(span.line, waits) or ("line %d"):format(span.line)
end

-- A process per block and unit, a row per warp, a box per span.
local function add(list, made, process, what, only)
  list[#list + 1] = { name = "process_name", ph = "M", pid = process, args = { name = what } }
  for row, warp in ipairs(made.order) do
    local wanted = not only or warp == only
    list[#list + 1] = wanted and { name = "thread_name", ph = "M", pid = process, tid = warp,
      args = { name = ("warp %d"):format(warp) } } or nil
    for _, span in ipairs(wanted and made.warps[row] or {}) do
      list[#list + 1] = { name = name_of(span, made), ph = "X", ts = span.from,
        dur = span.to - span.from, pid = process, tid = warp, args = { lanes = span.mask and rows.count(span.mask) } }
    end
  end
end

---The timelines of blocks as a text of JSON.
---@param list Timeline[] @param kernel string @param warp integer? only this one
function trace.json(list, kernel, warp)
  local events = {}
  for i, made in ipairs(list) do
    add(events, made, i - 1, made.unit == "cycles" and ("block %s, cycles by the model of the %s"):format(made.block,
      made.gpu) or ("block %s, operations of the emulator"):format(made.block), warp)
  end
  return json.encode { traceEvents = events, otherData = { kernel = kernel,
    time = "operations of the emulator, or cycles where a process says so" } } .. "\n"
end

---A block as text: time, warp, line, lanes; of one warp only, if one is named.
---@param dbg Debugger @param warp integer?
function trace.text(dbg, warp)
  local out = { ("# %s, block %s: time in operations of the emulator, warp, line, lanes"):format(dbg.kernel.name,
    dbg:block_text()) }
  for _, e in ipairs((dbg:trace())) do
    if not warp or e.warp == warp then
      out[#out + 1] = ("%d %d %d %08x%s"):format(e.time, e.warp, e.line, e.mask, e.barrier and " barrier" or "")
    end
  end
  return table.concat(out, "\n") .. "\n"
end

return trace
