-- A Jupyter notebook as a submission: each cell that begins with %%gpulab check EXERCISE is a file for that exercise,
-- without this line. Of several for one exercise the last counts.
local json = require "gpulab.base.json"

local notebook = {}

local MOST_KERNEL <const> = 256 << 10 -- bytes, as of a file

---@param name string
function notebook.named(name) return name:lower():find("%.ipynb$") ~= nil end

-- A cell's source is a text or a list of lines.
local function source_of(cell)
  local source = type(cell) == "table" and cell.cell_type == "code" and cell.source
  if type(source) == "table" then
    for _, line in ipairs(source) do
      if type(line) ~= "string" then return nil end
    end
    source = table.concat(source)
  end
  return type(source) == "string" and source:gsub("^%s+", "") or nil
end

-- The number of the lab that a line opens: %gpulab 3, %gpulab open 3, %gpulab --device emu 3.
local function opened(source)
  local number
  for line in source:gmatch "[^\n]+" do
    local words = line:match "^%s*%%gpulab%s+(.*)$"
    number = words and (words:match "^(%d+)%s*$" or words:match "^open%s+(%d+)%s*$" or words:match "^%-.*%s(%d+)%s*$")
      or number
  end
  return tonumber(number)
end

local function exercises_of(cells, lab, take)
  for _, cell in ipairs(cells) do
    local source = source_of(cell) or ""
    lab = opened(source) or lab
    local name, code = source:match "^%%%%gpulab%s+check%s+([%w_-]+)[^\n]*\n(.*)$"
    if name then take(name:match "^%d%d%-" and name or lab and ("%02d-%s"):format(lab, name) or name, code) end
  end
end

---The cells of a notebook as files, as archive.read returns those of an archive; nil and why it has none.
---@param content string @return table[]? tree, string? reason
function notebook.read(content)
  local ok, document = pcall(json.decode, content)
  if not ok or type(document) ~= "table" or type(document.cells) ~= "table" then return nil, "it is no notebook" end
  local tree, at = {}, {}
  local own = type(document.metadata) == "table" and document.metadata.gpulab
  local lab = type(own) == "table" and math.tointeger(own.lab) or nil
  exercises_of(document.cells, lab, function(name, code)
    at[name] = at[name] or #tree + 1
    local entry = { name = name .. ".cu" }
    if #code > MOST_KERNEL then entry.refused = "it is too large" else entry.text = code end
    tree[at[name]] = entry
  end)
  return tree
end

return notebook
