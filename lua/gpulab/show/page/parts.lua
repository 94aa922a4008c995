-- Pieces of the report's page: tables, figures, lists, numbers.
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local printed = require "gpulab.run.printed"
local style = require "gpulab.show.page.style"
local text = require "gpulab.base.text"

local parts = {}

local tag, plain = markup.tag, markup.text

local function cell(content, column)
  local s = type(content) == "table" and content.text or content or ""
  local class = column and column.right and "number" or ""
  if type(content) == "table" and content.style then class = class .. " " .. content.style end
  local small = type(content) == "table" and content.small and plain("small", {}, content.small) or ""
  return tag("td", class ~= "" and { class = class } or nil, markup.escape(s) .. small)
end

---@param column {header: string[], right: boolean?} the lines of its header @return string
function parts.header(column)
  local words = lists.map(column.header, function(line, i)
    return i == 1 and markup.escape(line) or plain("small", {}, line)
  end)
  return tag("th", column.right and { class = "number", scope = "col" } or { scope = "col" }, words)
end

---columns: {header, right}; rows: cells, and a note on its own line. A cell is a string or {text, style, small}.
function parts.table(columns, rows)
  local body = {}
  for _, row in ipairs(rows) do
    body[#body + 1] = tag("tr", {}, lists.map(columns, function(column, i) return cell(row[i], column) end))
    local note = row.note and (type(row.note) == "table" and row.note or { text = row.note })
    if note then
      body[#body + 1] = tag("tr", {}, plain("td", { colspan = #columns, class = "remark " .. (note.style or "") },
        note.text))
    end
  end
  local content = tag("thead", {}, tag("tr", {}, lists.map(columns, parts.header))) .. tag("tbody", {}, body)
  return tag("div", { class = "scroll", tabindex = 0 }, tag("table", {}, content))
end

---A table whose first column alone is text.
function parts.simple_table(names, rows)
  return parts.table(lists.map(names, function(name, i) return { header = { name }, right = i > 1 } end), rows)
end

function parts.figure(svg, caption)
  return tag("figure", { tabindex = 0 }, svg .. tag("figcaption", {}, markup.inline(caption)))
end

---Rows {name, value}; one without a value is left out.
function parts.pairs(rows)
  local out = {}
  for _, row in ipairs(rows) do
    if row[2] and row[2] ~= "" then out[#out + 1] = plain("dt", {}, row[1]) .. plain("dd", {}, row[2]) end
  end
  return tag("dl", {}, out)
end

---What a kernel printed; "" if it printed nothing.
---@param output KernelOutput? @return string
function parts.output(output)
  if not output then return "" end
  return plain("p", { class = "remark" }, "The kernel printed:") .. plain("pre", {}, printed.text(output))
end

function parts.number(x)
  if not x then return "–" end
  return x == math.floor(x) and text.count(x) or text.number(x)
end

---The whole page.
---@param title string @param body string[] @param data table that the page carries as JSON @return string
function parts.document(title, body, data)
  local carried = tag("script", { type = "application/json", id = "gpulab" },
    (json.encode(data):gsub("<", "\\u003c")))
  return table.concat({ "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">', plain("title", {}, title),
    -- An empty icon, so that no browser requests one.
    '<link rel="icon" href="data:,">', "<style>", style .. "</style>", "</head>", "<body>", "<main>",
    table.concat(body, "\n"), "</main>", carried, "</body>", "</html>", "" }, "\n")
end

return parts
