-- What a kernel printed in one run: its first lines, and how many more there were. A kernel prints a line per thread
-- easily, so a record keeps only the beginning.
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local printed = {}

local KEPT_LINES <const>, KEPT_BYTES <const> = 40, 400 -- of a record, and of each line
local SHOWN <const> = 8                                -- lines under a table
local MOST <const> = 1 << 20                           -- bytes of an outcome's output (bind/gpu/launch_list.c)

-- Harmless on a terminal and in documents: one line, without control characters.
local function harmless(line)
  if #line <= KEPT_BYTES then return text.printable(line) end
  return text.printable(line:sub(1, KEPT_BYTES)) .. "…"
end

---@class KernelOutput
---@field lines string[] the first ones, printable @field more integer further lines
---@field cut boolean? there were more than that: only a part of the output was kept

---The output of a run; nil if the kernel printed nothing.
---@param output string? of an outcome @return KernelOutput?
function printed.of(output)
  if not output or output == "" then return nil end
  local lines, more = {}, 0
  for line in (output:gsub("\n$", "") .. "\n"):gmatch("([^\n]*)\n") do
    if #lines < KEPT_LINES then lines[#lines + 1] = harmless(line) else more = more + 1 end
  end
  return { lines = lines, more = more, cut = #output >= MOST or nil }
end

local function rest_of(output, shown)
  local more = #output.lines - shown + output.more
  if more == 0 and not output.cut then return nil end
  return ("... and %s%s"):format(output.cut and "more than " or "", text.plural(more, "more line"))
end

---The lines as text: a heading that says whose they are, then each behind a mark, so that none is taken for gpulab's.
---@param output KernelOutput @param name string of the step or exercise
---@param options {color: boolean?, width: integer?, most: integer?} most: lines, else the first few
---@return string[]
function printed.lines(output, name, options)
  local shown = math.min(#output.lines, options.most or SHOWN)
  local room = (options.width or text.columns) - 4
  local out = text.wrap(("%s: the kernel printed"):format(name), "  ", options.width)
  for i = 1, shown do
    out[#out + 1] = "  " .. tables.paint("| ", "faint", options.color) .. text.clip(output.lines[i], room)
  end
  local rest = rest_of(output, shown)
  if rest then out[#out + 1] = "  " .. tables.paint(rest, "faint", options.color) end
  return out
end

---All lines that were kept, and how many more there are, as one text.
---@param output KernelOutput? @return string?
function printed.text(output)
  if not output then return nil end
  return table.concat(output.lines, "\n") .. "\n" .. (rest_of(output, #output.lines) or ""):gsub(".$", "%0\n")
end

return printed
