-- The command lines: instructions and memory traffic per source line.
local nondeterminism = require "gpulab.show.nondeterminism"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local pager = require "gpulab.base.pager"
local runner = require "gpulab.run.runner"
local stalls = require "gpulab.show.stalls"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

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

local function count(session, words)
  local step = session:visit(session:target(words))
  local record = session:record(step)
  if not record.report or not record.report.lines then
    local why_not = failure.is_well(record.outcome) and "launches no kernel" or "did not complete"
    failure.usage(("%s %s, so there are no counters"):format(step.id, why_not))
  end
  local columns = { { header = { "line" }, right = true }, { header = { "warp", "instr." }, right = true },
    { header = { "global", "load" }, right = true }, { header = { "global", "store" }, right = true },
    { header = { "shared", "load" }, right = true }, { header = { "shared", "store" }, right = true },
    { header = { "warps'", "cycles" } } }
  local rows, prediction = {}, limiter.prediction(record)
  for i, line in ipairs(record.report.lines) do
    rows[i] = line_cells(line, prediction)
    rows[i].note = text.trim(line.text or "") -- whole: below its numbers if it does not fit next to them
  end
  drop_empty(columns, rows)
  local lines = tables.render(columns, rows, session:table_options())
  for _, line in ipairs(text.wrap(("Sectors of 32 bytes (global) and wavefronts (shared) per request, by the rules of"
    .. " the %s."):format(record.report.rules), "  ")) do
    lines[#lines + 1] = line
  end
  local printed = nondeterminism.of_printf(record.report.counters)
  if printed then text.add(lines, printed .. ".", "  ") end
  for _, entry in ipairs(record.report.nondeterminism or {}) do
    text.add(lines, nondeterminism.line(entry), "  ")
  end
  pager.show(lines)
end

return { name = "lines", usage = "lines [STEP]", topic = "results",
  summary = "show instructions and memory traffic per source line",
  help = "Shows warp instructions, and sectors and wavefronts per request, for each source line.",
  complete = function(session) return session:target_ids() end,
  run = count }
