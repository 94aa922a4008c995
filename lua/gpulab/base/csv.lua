-- Tables in text files as other programs export them: the cells with their places, so that one cell can change while
-- every other byte stays.
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local csv = {}

csv.trimmed = text.trim

---A file's text. Raises for what is no text in UTF-8, such as UTF-16 of a spreadsheet.
---@param path string @return string
function csv.read(path)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  if content:find("\0", 1, true) then
    failure.usage(text.printable(path) .. " is not UTF-8 text", "export it as UTF-8 CSV")
  end
  return content
end

---The rows of a text: lists of cells {value, from, to, quoted}, where text:sub(from, to) is the cell with its quotes;
---open: the row with a quote that is not closed.
---@param s string @param delimiter string one character @return table[] rows
function csv.rows(s, delimiter)
  local rows, row, at = {}, {}, s:sub(1, 3) == "\xEF\xBB\xBF" and 4 or 1
  while at <= #s do
    local from, value = at, nil
    if s:sub(at, at) == '"' then
      local stop = at
      repeat stop = s:find('"', stop + 1, true) or #s + 1
        local doubled = s:sub(stop + 1, stop + 1) == '"'
        if doubled then stop = stop + 1 end
      until not doubled
      if stop > #s then rows.open = #rows + 1 end
      value = s:sub(at + 1, stop - 1):gsub('""', '"')
      at = stop + 1
    end
    local stop = s:find("[" .. delimiter .. "\r\n]", at) or #s + 1
    value = value or s:sub(from, stop - 1)
    row[#row + 1] = { value = value, from = from, to = stop - 1, quoted = s:sub(from, from) == '"' }
    at = stop
    if s:sub(at, at) == delimiter then
      at = at + 1
      if at > #s then row[#row + 1] = { value = "", from = at, to = at - 1 } end
    else
      at = s:find("[^\r\n]", at) or #s + 1
      rows[#rows + 1], row = row, {}
    end
  end
  if #row > 0 then rows[#rows + 1] = row end
  return rows
end

csv.delimiters = { ",", ";", "\t", ":" }

---The delimiter that divides the first line into the most cells.
---@param s string @return string
function csv.delimiter(s)
  local best, most = ",", 0
  for _, delimiter in ipairs(csv.delimiters) do
    local n = #(csv.rows((s:match("^[^\r\n]*")), delimiter)[1] or {})
    if n > most then best, most = delimiter, n end
  end
  return best
end

---A cell's text, quoted where needed, and never a formula.
---@param field any @return string
function csv.cell(field)
  if field == nil then return "" end
  local s = text.printable(tostring(field))
  if type(field) == "string" and s:find("^[=+@\t\r-]") then s = "'" .. s end -- a spreadsheet would run it
  return s:find('[,;"\r\n\t]') and '"' .. s:gsub('"', '""') .. '"' or s
end

---@param rows any[][] @return string lines that end with \n
function csv.document(rows)
  return table.concat(lists.map(rows, function(row)
    local cells = {}
    for k = 1, row.n or #row do cells[k] = csv.cell(row[k]) end
    return table.concat(cells, ",")
  end), "\n") .. "\n"
end

return csv
