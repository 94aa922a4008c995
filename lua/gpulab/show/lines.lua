-- Instructions and memory traffic of a record per source line.
local limiter = require "gpulab.show.limiter"
local nondeterminism = require "gpulab.show.nondeterminism"
local runner = require "gpulab.run.runner"
local stalls = require "gpulab.show.stalls"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local lines = {}

-- Counts per request where the table has such a column.
local function line_cells(line, prediction)
  local c = line.counters
  local function per(name)
    local ratio = runner.ratio(c, name)
    return ratio and text.number(ratio) or ""
  end
  return { tostring(line.line), text.count(c.warp_instructions or 0), per "global_load", per "global_store",
    per "shared_load", per "shared_store", prediction and stalls.on_line(prediction, line.line) or "" }
end

-- Removes empty columns, which leaves more room for the source text.
local function drop_empty(columns, rows)
  for c = #columns, 1, -1 do
    local used = #rows == 0
    for _, row in ipairs(rows) do used = used or row[c] ~= "" end
    if not used then
      table.remove(columns, c)
      for _, row in ipairs(rows) do table.remove(row, c) end
    end
  end
end

---@param record Record @param options table of table.render @return string[]
function lines.of(record, options)
  record = record:with_counters()
  local report = record.report
  local columns = { { header = { "line" }, right = true }, { header = { "warp", "instr." }, right = true },
    { header = { "global", "load" }, right = true }, { header = { "global", "store" }, right = true },
    { header = { "shared", "load" }, right = true }, { header = { "shared", "store" }, right = true },
    { header = { "warps'", "cycles" } } }
  local rows, prediction = {}, limiter.prediction(record)
  for i, line in ipairs(report.lines) do
    rows[i] = line_cells(line, prediction)
    rows[i].note = text.trim(line.text or "") -- whole: below its numbers if it does not fit next to them
  end
  drop_empty(columns, rows)
  local out = tables.render(columns, rows, options)
  text.add(out, ("Sectors of 32 bytes (global) and wavefronts (shared) per request, by the rules of the %s."):format(
    report.rules))
  local printed = nondeterminism.of_printf(report.counters)
  if printed then text.add(out, printed .. ".") end
  for _, entry in ipairs(report.nondeterminism or {}) do text.add(out, nondeterminism.line(entry)) end
  return out
end

return lines
