-- The timeline of a pipeline as SVG: a row per stream, a box per operation with its chunk's number.
local markup = require "gpulab.base.markup"
local text = require "gpulab.base.text"

local timeline = {}

local tag, label = markup.tag, markup.text
local WIDTH <const>, LEFT <const>, ROW <const>, TOP <const>, BOTTOM <const> = 720, 70, 22, 24, 22
local DIGIT <const> = 8 -- width of a digit in a box

-- Also distinguished by their outlines: plain, filled, dashed.
local classes <const> = { ["to device"] = "model", kernel = "asked", ["from device"] = "lecture" }
local order <const> = { "to device", "kernel", "from device" }

local function box(class, x, y, width, height)
  return tag("rect", { class = class, x = x, y = y, width = width, height = height })
end

local function legend(out)
  for i, what in ipairs(order) do
    local x = LEFT + (i - 1) * 130
    out[#out + 1] = box(classes[what], x, 4, 14, 9)
    out[#out + 1] = label("text", { x = x + 20, y = 13 }, what)
  end
end

---@param t {spans: Span[], ms: number} @return string? svg nil where there is nothing to draw
function timeline.svg(t)
  if #t.spans == 0 or t.ms <= 0 then return nil end
  local out, streams, scale = {}, 0, (WIDTH - LEFT - 10) / t.ms
  legend(out)
  for _, s in ipairs(t.spans) do
    streams = math.max(streams, s.stream)
    local x, y = LEFT + s.start_ms * scale, TOP + (s.stream - 1) * ROW
    local width = math.max((s.end_ms - s.start_ms) * scale, 1)
    out[#out + 1] = box(classes[s.what], x, y + 3, width, ROW - 6)
    if width > DIGIT * (#tostring(s.chunk) + 1) then
      local at = { class = "tiny", x = x + width / 2, y = y + ROW / 2 + 3, ["text-anchor"] = "middle" }
      out[#out + 1] = label("text", at, tostring(s.chunk))
    end
  end
  for s = 1, streams do
    out[#out + 1] = label("text", { x = LEFT - 8, y = TOP + (s - 1) * ROW + ROW / 2 + 4, ["text-anchor"] = "end" },
      "stream " .. s)
  end
  local foot = TOP + streams * ROW + 14
  out[#out + 1] = label("text", { class = "soft", x = LEFT, y = foot }, "0")
  out[#out + 1] = label("text", { class = "soft", x = WIDTH - 10, y = foot, ["text-anchor"] = "end" },
    text.duration(t.ms))
  return markup.svg(WIDTH, TOP + streams * ROW + BOTTOM, "Operations in flight over time, by stream", out)
end

return timeline
