-- A kernel's source with its counters, line by line.
local markup = require "gpulab.base.markup"
local parts = require "gpulab.show.page.parts"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

local listing = {}

local tag, plain = markup.tag, markup.text

local NEAR <const> = 2 -- lines shown around those that ran

-- Lines of a file, or nil if it cannot be read (a kernel given as text has no file).
local function lines_of_file(path)
  local file = io.open(path, "r")
  if not file then return nil end
  local lines = {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

local ratio_columns <const> = {
  { name = "global_load", header = { "global", "load" } }, { name = "global_store", header = { "global", "store" } },
  { name = "shared_load", header = { "shared", "load" } }, { name = "shared_store", header = { "shared", "store" } },
}

local function ratio(line, name)
  local r = line and runner.ratio(line.counters, name)
  return r and parts.number(r) or ""
end

-- Counted lines by file, in the order of the files' first lines, and the sum of their warp instructions.
local function by_file(lines)
  local files, order, total = {}, {}, 0
  for _, line in ipairs(lines) do
    local known = files[line.file]
    if not known then
      known = { lines = {}, first = line.line, last = line.line }
      files[line.file], order[#order + 1] = known, line.file
    end
    known.lines[line.line] = line
    known.first, known.last = math.min(known.first, line.line), math.max(known.last, line.line)
    total = total + (line.counters.warp_instructions or 0)
  end
  return files, order, total
end

-- Only the ratios that some line has.
local function used_columns(lines)
  local used = {}
  for _, column in ipairs(ratio_columns) do
    for _, line in ipairs(lines) do
      if runner.ratio(line.counters, column.name) then
        used[#used + 1] = column
        break
      end
    end
  end
  return used
end

local function listing_row(at, code, line, total, columns)
  local share = line and total > 0 and (line.counters.warp_instructions or 0) / total
  local cells = { plain("td", { class = "at" }, at),
    plain("td", { class = "number", ["data-of"] = "instr." }, share and ("%.1f %%"):format(100 * share) or "") }
  for _, column in ipairs(columns) do
    cells[#cells + 1] = plain("td", { class = "number", ["data-of"] = table.concat(column.header, " ") },
      ratio(line, column.name))
  end
  local heat = share and ("background: rgba(var(--heat), %.2f)"):format(math.min(0.75, 0.06 + share))
  cells[#cells + 1] = plain("td", { class = line and "code" or "code cold", style = heat }, (code:gsub("\t", "    ")))
  return tag("tr", {}, cells)
end

local function is_near(lines, at)
  for i = at - NEAR, at + NEAR do
    if lines[i] then return true end
  end
  return false
end

-- The lines of a file that ran and the lines around them; dots mark omitted lines.
local function listing_rows(known, source, total, columns)
  local rows, left_out = {}, false
  for at = math.max(1, known.first - NEAR), known.last + NEAR do
    local line = known.lines[at]
    local code = source and source[at] or line and line.text
    if code and is_near(known.lines, at) then
      if left_out then rows[#rows + 1] = listing_row("⋮", "", nil, total, columns) end
      rows[#rows + 1] = listing_row(at, code, line, total, columns)
    end
    left_out = not is_near(known.lines, at)
  end
  return rows
end

-- Of a source that stands in full above: the lines that access memory.
local function access_rows(known, source, total, columns)
  local rows = {}
  for at = known.first, known.last do
    local line, accesses = known.lines[at], false
    for _, column in ipairs(columns) do accesses = accesses or ratio(line, column.name) ~= "" end
    if line and accesses then
      rows[#rows + 1] = listing_row(at, source and source[at] or line.text or "", line, total, columns)
    end
  end
  return rows
end

local function listing_head(path, columns)
  local cells = { { header = { text.file_name(path) }, right = true }, { header = { "instr." }, right = true } }
  for _, column in ipairs(columns) do cells[#cells + 1] = { header = column.header, right = true } end
  cells[#cells + 1] = { header = { "" } }
  for i, cell_of in ipairs(cells) do cells[i] = parts.header(cell_of) end
  return tag("thead", {}, tag("tr", {}, cells))
end

---The sources of counted lines with their heat. A source stands in full where it comes first; later the lines that
---access memory.
---@param report CountReport? @param whose {id: string, title: string} the step or exercise
---@param listed table<string, table> where a source stands in full, by file and lines
---@return string
function listing.html(report, whose, listed)
  local counted = report and report.lines
  if not counted or #counted == 0 then return "" end
  local files, order, total = by_file(counted)
  local columns, out = used_columns(counted), {}
  for _, path in ipairs(order) do
    local known, source = files[path], lines_of_file(path)
    local place = ("%s:%d-%d"):format(path, known.first, known.last)
    local earlier = listed[place]
    local rows = (earlier and access_rows or listing_rows)(known, source, total, columns)
    if earlier then
      out[#out + 1] = tag("p", { class = "remark" }, "The lines that access memory; the whole source is under "
        .. plain("a", { href = "#" .. earlier.id }, earlier.title) .. ".")
    end
    listed[place] = earlier or whose
    out[#out + 1] = tag("div", { class = "scroll" }, tag("table", { class = "listing" },
      listing_head(path, columns) .. tag("tbody", {}, rows)))
  end
  if not listed.explained then
    listed.explained = true
    out[#out + 1] = plain("p", { class = "remark" }, ("Share of the warp instructions; 32-byte sectors (global) and"
      .. " wavefronts (shared) per request, by the rules of the %s. A stronger color marks a larger share of the"
      .. " instructions."):format(report.rules))
  end
  return table.concat(out, "\n")
end

return listing
