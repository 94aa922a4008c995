-- Instructions and memory traffic of a record per source line.
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
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
    per "shared_load", per "shared_store", prediction and stalls.on_line(prediction, line.line, line.file) or "" }
end

-- Removes empty columns, which leaves more room for the source text.
local function drop_empty(columns, rows)
  for c = #columns, 1, -1 do
    if #rows > 0 and not lists.any(rows, function(row) return row[c] ~= "" end) then
      table.remove(columns, c)
      for _, row in ipairs(rows) do table.remove(row, c) end
    end
  end
end

-- The source lines, without the indentation that all of them have.
local function sources(list)
  local found, least = {}, math.huge
  for i, line in ipairs(list) do
    found[i] = text.printable(((line.text or ""):gsub("\t", "    "):gsub("%s+$", "")))
    if found[i] ~= "" then least = math.min(least, #found[i]:match "^ *") end
  end
  for i, source in ipairs(found) do found[i] = source:sub(math.min(least, #source) + 1) end
  return found
end

-- The table's lines with the source: behind the numbers if all of it fits there, else each line above its numbers. The
-- lines of several files have the file's name above them.
local function with_code(rendered, code, list, width)
  local count, in_files = #list, stalls.in_files(list)
  local head, widest, longest = #rendered - count, 0, 0
  for i, source in ipairs(code) do
    rendered[head + i] = rendered[head + i]:gsub("%s+$", "")
    widest, longest = math.max(widest, text.width(rendered[head + i])), math.max(longest, text.width(source))
  end
  local out, beside = table.move(rendered, 1, head, 1, {}), widest + 2 + longest <= width
  for i, source in ipairs(code) do
    local numbers, file = rendered[head + i], list[i].file
    if in_files and (i == 1 or list[i - 1].file ~= file) then out[#out + 1] = "  " .. text.file_name(file) .. ":" end
    local number, rest = numbers:match "^(%s*%d+)(.*)$"
    if beside then
      out[#out + 1] = (text.left(numbers, widest) .. "  " .. source):gsub("%s+$", "")
    else
      local indent = source:match "^ *"
      local wrapped = text.wrap(source:sub(#indent + 1), (" "):rep(#number + 6) .. indent, width)
      wrapped[1] = number .. "  " .. indent .. (wrapped[1] or ""):sub(#number + 7 + #indent)
      table.move(wrapped, 1, #wrapped, #out + 1, out)
      if rest:match "%S" then out[#out + 1] = (" "):rep(#number) .. rest end
    end
  end
  return out
end

---@param record Record @param options table of table.render @return string[]
function lines.of(record, options)
  record = record:with_counters()
  local report = record.report
  local columns = tables.columns { ">line", ">warp|instr.", ">global|load", ">global|store", ">shared|load",
    ">shared|store", "warps'|cycles" }
  local prediction = limiter.prediction(record)
  local rows = lists.map(report.lines, function(line) return line_cells(line, prediction) end)
  local waits = table.concat(lists.map(rows, function(row) return row[#row] end), " ")
  drop_empty(columns, rows)
  local out = with_code(tables.render(columns, rows, options), sources(report.lines), report.lines,
    options.width or text.columns)
  text.add(out, ("Sectors of 32 bytes (global) and wavefronts (shared) per request, by the rules of the %s.%s"):format(
    report.rules, stalls.at_lines(waits)))
  local printed = nondeterminism.of_printf(report.counters)
  if printed then text.add(out, printed .. ".") end
  for _, entry in ipairs(report.nondeterminism or {}) do text.add(out, nondeterminism.line(entry)) end
  return out
end

return lines
