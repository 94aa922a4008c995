-- A kernel's source with its counters, line by line.
local fs = require "gpulab.fs"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local parts = require "gpulab.show.page.parts"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

local listing = {}

local tag, plain = markup.tag, markup.text

local NEAR <const> = 2 -- lines shown around those that ran

-- Lines of a file, or nil if it cannot be read (a kernel given as text has no file) or its counted lines have no text:
-- then it is not to be shown (gpulab.base.sources).
local function lines_of_file(path, counted)
  local _, line = next(counted)
  local content = line and line.text and fs.read(path)
  return content and text.lines(content) or nil
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

local function accesses_memory(line, columns)
  return lists.any(columns, function(column) return line and ratio(line, column.name) ~= "" end)
end

-- The lines of a file that ran and the lines around them; dots mark omitted lines. Of the lines that were shown
-- before, only those that access memory: their counters differ from step to step. Also where the busiest of the lines
-- that are shown again stands first.
local function listing_rows(known, source, total, columns, shown, whose)
  local rows, gap, new, first, most = {}, false, {}, nil, -1
  for at = math.max(1, known.first - NEAR), known.last + NEAR do
    local line = known.lines[at]
    local code, near = source and source[at] or line and line.text, is_near(known.lines, at)
    local before = near and shown[at]
    if before and line and (line.counters.warp_instructions or 0) > most then
      first, most = before, line.counters.warp_instructions or 0
    end
    if code and near and (not before or accesses_memory(line, columns)) then
      if gap and not before then rows[#rows + 1] = listing_row("⋮", "", nil, total, columns) end
      rows[#rows + 1] = listing_row(at, code, line, total, columns)
      new[at], gap = before or whose, false
    else
      gap = #rows > 0
    end
  end
  for at, its in pairs(new) do shown[at] = its end
  return rows, first
end

local function listing_head(path, columns, remark)
  local cells = { { header = { text.file_name(path) }, right = true }, { header = { "instr." }, right = true } }
  for _, column in ipairs(columns) do cells[#cells + 1] = { header = column.header, right = true } end
  for i, cell_of in ipairs(cells) do cells[i] = parts.header(cell_of) end
  cells[#cells + 1] = remark and tag("th", { class = "remark", scope = "col" }, remark)
    or tag("td", { class = "remark" }, "")
  return tag("thead", {}, tag("tr", {}, cells))
end

---The sources of counted lines with their heat. A line stands where it ran first; later only if it accesses memory.
---@param report CountReport? @param whose {id: string, title: string} the step or exercise
---@param listed table by file: whose the lines were that were shown; explained: what was said once
---@return string
function listing.html(report, whose, listed)
  local counted = report and report.lines
  if not counted or #counted == 0 then return "" end
  local files, order, total = by_file(counted)
  local columns, out = used_columns(counted), {}
  for _, path in ipairs(order) do
    listed[path] = listed[path] or {}
    local source = lines_of_file(path, files[path].lines)
    local rows, first = listing_rows(files[path], source, total, columns, listed[path], whose)
    local remark = first and "Lines that are listed under " .. plain("a", { href = "#" .. first.id }, first.title)
      .. " are left out, except memory accesses."
    out[#out + 1] = tag("div", { class = "scroll", tabindex = 0 }, tag("table", { class = "listing" },
      listing_head(path, columns, remark) .. tag("tbody", {}, rows)))
  end
  if not listed.explained.listing then
    listed.explained.listing = true
    out[#out + 1] = plain("p", { class = "remark" }, ("Share of the warp instructions; 32-byte sectors (global) and"
      .. " wavefronts (shared) per request, by the rules of the %s. A stronger color marks a larger share of the"
      .. " instructions."):format(report.rules))
  end
  return table.concat(out, "\n")
end

return listing
