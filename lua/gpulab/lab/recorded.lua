-- Results that were recorded on a GPU, for those who have none: the tables in docs/records/results, which
-- tests/gpu/record writes. GPU.tsv has a row per step of the labs; lectures.tsv what the models predict for the
-- lectures' numbers. Anyone may have changed such a file, so every cell is checked.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local recorded = {}

local MOST <const> = 1 << 20 -- bytes of a file

-- What a cell may hold: its value, or nil. An empty cell is allowed where the column has a question mark.
local kinds <const> = {}

function kinds.text(cell) return text.printable(cell) == cell and cell or nil end

function kinds.number(cell)
  local x = cell:find "^%-?%d[%d.e+-]*$" and tonumber(cell)
  return x and x - x == 0 and x or nil
end

-- "n=4096 blocks=64"
function kinds.params(cell)
  local params = {}
  for word in cell:gmatch "[^ ]+" do
    local name, value = word:match "^([%a_][%w_]*)=(.*)$"
    local x = name and not params[name] and kinds.number(value)
    if not x then return nil end
    params[name] = x
  end
  return params
end

---The columns of a table of results, in order. The rate is in `unit`: median, quartiles, and of how many samples. ms is
---the median time in milliseconds, cold that of one launch with flushed caches where ms is of launches in a batch. The
---result is verified, seen, shown, or an outcome.
recorded.results = { "gpu text", "date text", "driver text", "lab number", "step text", "params params", "result text",
  "rate number?", "unit text?", "q1 number?", "q3 number?", "samples number?", "ms number?", "cold number?",
  "detail text?" }

---Those of a table of predictions; error is in percent of the lecture's number.
recorded.predictions = { "claim text", "gpu text", "value number", "unit text", "error number", "bound text" }

local function cells_of(line)
  local cells = {}
  for cell in (line .. "\t"):gmatch "([^\t]*)\t" do cells[#cells + 1] = cell end
  return cells
end

-- A row by column; nil and what is wrong.
local function row_of(line, columns)
  local cells, row = cells_of(line), {}
  if #cells ~= #columns then return nil, ("%d cells instead of %d"):format(#cells, #columns) end
  for i, column in ipairs(columns) do
    local name, kind, optional = column:match "^(%w+) (%w+)(%??)$"
    if cells[i] ~= "" or kind == "params" then
      row[name] = kinds[kind](cells[i])
      if row[name] == nil then return nil, ("its %s is not %s"):format(name, kind) end
    elseif optional == "" then
      return nil, ("it has no %s"):format(name)
    end
  end
  if row.rate and not row.unit then return nil, "its rate has no unit" end
  return row
end

---The rows of a table; nil and what is wrong with which line.
---@param content string @param columns string[] @return table[]? rows, string? reason
function recorded.rows(content, columns)
  if #content > MOST then return nil, "it has more than a megabyte" end
  local rows, number = {}, 0
  local head = lists.map(columns, function(column) return column:match "^%w+" end)
  for line in content:gmatch "([^\n]*)\n" do
    number = number + 1
    if number > 1 then
      local row, reason = row_of(line, columns)
      if not row then return nil, ("line %d: %s"):format(number, reason) end
      rows[#rows + 1] = row
    elseif line ~= table.concat(head, "\t") then
      return nil, "line 1 does not name the columns " .. table.concat(head, ", ")
    end
  end
  if number == 0 or content:sub(-1) ~= "\n" then return nil, "it does not end with a whole line" end
  return rows
end

---The rows of a file; raises where it is not such a table.
---@param path string @param columns string[]
function recorded.read(path, columns)
  local content, reason = files.read(path)
  local rows
  if content then rows, reason = recorded.rows(content, columns) end
  if not rows then failure.raise("setup", ("cannot use %s: %s"):format(path, reason)) end
  return rows
end

---The rows of a table that comes with gpulab, none where it is not installed; raises where it is not such a table.
---@param name string "h200", "lectures" @param columns string[]
function recorded.open(name, columns)
  for _, folder in ipairs(where.folders "docs") do
    local path = ("%s/records/results/%s.tsv"):format(folder, name)
    if host.kind(path) == "file" then return recorded.read(path, columns) end
  end
  return {}
end

---The rows of a GPU's results by lab and step.
---@param gpu string "h200" @return table<integer, table<string, table>>
function recorded.by_lab(gpu)
  local by_lab = {}
  for _, row in ipairs(recorded.open(gpu, recorded.results)) do
    by_lab[row.lab] = by_lab[row.lab] or {}
    by_lab[row.lab][row.step] = row
  end
  return by_lab
end

local ORDERED <const> = 1.1 -- ratio of two measured rates from which their order counts

---Which rows of tables were measured in another order: each row is compared with the row before it in its table.
---@param rows {step: string, group: string?, rate: number, unit: string}[] @param measured table<string, table> by step
---@return string[] "`a` is slower than `b`"
function recorded.other_order(rows, measured)
  local said, before = {}, {}
  for _, row in ipairs(rows) do
    local mine, group = measured[row.step], row.group or ""
    local last = before[group]
    if mine and mine.rate and mine.unit == row.unit then
      before[group] = { step = row.step, rate = row.rate, measured = mine.rate, unit = row.unit }
      local real = last and last.unit == row.unit and mine.rate / last.measured
      if real and real >= ORDERED and row.rate < last.rate then
        said[#said + 1] = ("`%s` is faster than `%s`"):format(row.step, last.step)
      elseif real and real <= 1 / ORDERED and row.rate > last.rate then
        said[#said + 1] = ("`%s` is slower than `%s`"):format(row.step, last.step)
      end
    end
  end
  return said
end

return recorded
