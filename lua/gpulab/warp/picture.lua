-- A frozen warp view as SVG: the lines of the view in a fixed grid, a cell for each lane that runs or waits.
local markup = require "gpulab.base.markup"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local picture = {}

local COLUMNS <const>, ROWS <const> = 96, 32
local WIDE <const>, HIGH <const> = 7.3, 16 -- a character's cell, in units of the picture

-- The last empty lines, and the line of keys, say nothing in a picture.
local function lines_of(dbg)
  local lines = view.screen(dbg, { columns = COLUMNS, rows = ROWS, ruler = true })
  lines[#lines] = nil
  while #lines > 1 and not lines[#lines]:find "%S" do lines[#lines] = nil end
  return lines
end

-- Neighboring characters of the same kind together: {first column, text, class}.
local function runs_of(line)
  local runs = {}
  local column = 0
  for _, code in utf8.codes(line) do
    local c = utf8.char(code)
    local class = code >= 0x2581 and code <= 0x2588 and "bar" or "word"
    local last = runs[#runs]
    if last and last.class == class then
      last.text, last.count = last.text .. c, last.count + 1
    else
      runs[#runs + 1] = { column = column, text = c, class = class, count = 1 }
    end
    column = column + 1
  end
  return runs
end

-- Bars of eight heights as rectangles: fonts draw the characters differently.
local function bars(out, run, y)
  local column = run.column
  for _, code in utf8.codes(run.text) do
    local height = (code - 0x2580) * (HIGH - 3) / 8
    out[#out + 1] = markup.tag("rect", { class = "here", x = column * WIDE, y = y + 3 - height, width = WIDE - 1,
      height = height })
    column = column + 1
  end
end

local function draw_line(out, line, y)
  if line:find "^>" then
    out[#out + 1] = markup.tag("rect", { class = "asked", x = 0, y = y - HIGH + 5, width = COLUMNS * WIDE,
      height = HIGH })
  end
  for _, run in ipairs(runs_of(line)) do
    if run.class == "bar" then
      bars(out, run, y)
    elseif run.text:find "%S" then
      out[#out + 1] = markup.text("text", { class = "fixed", x = run.column * WIDE, y = y, ["xml:space"] = "preserve",
        textLength = run.count * WIDE, lengthAdjust = "spacingAndGlyphs" }, run.text)
    end
  end
end

-- A page has its own style sheet, a file of its own needs one.
local own_style <const> = "svg { background: #fff; }"
  .. " text { font: 12px 'DejaVu Sans Mono', monospace; white-space: pre; }"
  .. " .here { fill: #2563a8; } .asked { fill: #2563a8; fill-opacity: .25; }"

---The view at this moment.
---@param dbg Debugger @param alone boolean? as a file of its own @return string
function picture.svg(dbg, alone)
  local lines, out = lines_of(dbg), { alone and markup.tag("style", {}, own_style) or nil }
  for i, line in ipairs(lines) do draw_line(out, text.printable(line), i * HIGH) end
  return markup.svg(math.ceil(COLUMNS * WIDE), #lines * HIGH + 8, view.title(dbg, COLUMNS):gsub("%s+", " "), out)
end

return picture
