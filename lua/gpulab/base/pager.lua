-- On a terminal, output much longer than the screen is shown page by page; other output is printed directly. PAGER may
-- name a program for it. At the prompt the pages are our own: each ends with a question, and a command that is typed
-- there runs.
local host = require "gpulab.host"
local text = require "gpulab.base.text"

local pager = {}

local FEW <const> = 1 / 6 -- of the screen: so many lines too many are no reason to stop
local LONG <const> = 6 -- lines of a paragraph that does not fit on one page
local MORE <const> = "  Enter: more, q: back to the prompt> "
local ERASED <const> = "\27[A\r\27[K" -- the line above

---The prompt's reader of lines, {read, ahead}; nil where no prompt is open. ahead(line) is called with a line that was
---typed instead of an answer.
---@type table?
pager.reader = nil

-- Does the terminal show pages, and by which program? PAGER=cat and PAGER= turn them off.
local function chosen()
  local term, program = os.getenv "TERM", os.getenv "PAGER"
  local pages = term and term ~= "dumb" and host.rows and host.isatty(0) and host.isatty(1)
  return pages and program ~= "" and program ~= "cat", program
end

local function write(lines, first, last) text.out():write(table.concat(lines, "\n", first, last), "\n") end

-- Does the next line continue the paragraph of this one? Its first word had no room here.
local function is_continued(lines, at)
  local word = (lines[at + 1] or ""):match "^%s*(%S+)"
  return word and lines[at]:match "^%s*" == lines[at + 1]:match "^%s*"
    and text.width(lines[at]) + 1 + text.width(word) > text.columns
end

-- A page does not end within a paragraph, unless that is long.
local function end_of_page(lines, first, last)
  for at = last, math.max(first, last - LONG), -1 do
    if not is_continued(lines, at) then return at end
  end
  return last
end

-- The lines by pages that leave room for the question, and on the first one for what is above it.
local function by_pages(lines, rows, above)
  local first, room = 1, math.max(LONG, rows - 2 - above)
  repeat
    local last = first + room - 1
    local few = above > 0 and 0 or FEW * rows
    last = #lines - last <= few and #lines or end_of_page(lines, first, last)
    above, room = 0, rows - 2
    write(lines, first, last)
    if last == #lines then return end
    io.stdout:flush()
    local said = pager.reader.read(MORE)
    if not said or said:match "^%s*q%s*$" then return end
    if said:match "%S" then return pager.reader.ahead(said) end
    io.stdout:write(ERASED)
    first = last + 1
  until false
end

local function by_program(program, lines)
  local fs = require "gpulab.fs"
  local path = os.tmpname()
  local ok, how, code = pcall(function()
    fs.write(path, table.concat(lines, "\n") .. "\n")
    return fs.foreground(("%s < '%s'"):format(program, path))
  end)
  os.remove(path)
  if not ok or how ~= "exit" or code ~= 0 then write(lines) end -- no such pager, or it failed
end

---Prints lines, by pages if they are many more than the screen has.
---@param lines string[] @param above integer? so many lines before them have to stay on the screen
function pager.show(lines, above)
  above = above or 0
  local pages, program = chosen()
  local rows = pages and host.rows()
  local most = rows and (above > 0 and rows - 2 - above or rows + FEW * rows)
  if not rows or #lines <= most or not program and not pager.reader then return write(lines) end
  if program then return by_program(program, lines) end
  by_pages(lines, rows, above)
end

return pager
