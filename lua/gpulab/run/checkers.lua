-- Steps under checkers (--check LIST): the launch runs once more on the emulator with freshly filled buffers, and the
-- issues become part of the step's record. A step with a right result and an issue ends with the outcome "finding"
-- (exit code 6).

local declared = require "gpulab.base.declared"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local checkers = {}

---Where a site or a counted line is: "reduce.cu:14"; nil if unknown.
---@return string?
function checkers.place(site)
  if not site or not site.file or not site.line then return nil end
  return ("%s:%d"):format(text.file_name(site.file), site.line)
end

---What each checker finds, in the field's words.
checkers.names = { memory = "invalid memory access", init = "uninitialized read", sync = "barrier error", race = "race",
  unused = "launch without effect" }

-- "race at reduce.cu:14 and reduce.cu:17, 32 times"
local function title(issue)
  local first, second = checkers.place(issue.sites[1]), checkers.place(issue.sites[2])
  local where = first and " at " .. first or ""
  if second and second ~= first then where = where .. " and " .. second end
  local often = issue.count > 1 and (", %s times"):format(text.count(issue.count)) or ""
  local order = issue.schedule and (", in order %d of blocks and warps"):format(issue.schedule) or ""
  return (checkers.names[issue.check] or issue.check) .. where .. often .. order
end

-- The element of a shared array that an issue is about, where the source declares it.
local function shared_element(issue)
  local element = declared.element(issue, issue.sites[1] and issue.sites[1].file)
  return element and element:match "^(.*), inside it$"
end

---Names the element in an issue's message where its type is known: "As[1][56]", not a byte of it.
---@param issue Issue @param size integer? bytes of an element of the buffer; nil: of a shared array
function checkers.name_element(issue, size)
  if not issue.offset or not issue.buffer then return end
  local element = size and issue.offset % size == 0 and ("%s[%d]"):format(issue.buffer, issue.offset // size)
    or not size and shared_element(issue)
  local from, to = issue.message:find(("byte %d of %s"):format(issue.offset, issue.buffer), 1, true)
  if not from or not element then return end
  issue.message = issue.message:sub(1, from - 1) .. element .. issue.message:sub(to + 1)
end

---What print shows of an issue.
---@param issue Issue @return string
function checkers.text(issue)
  local said = title(issue) .. ": " .. issue.message
  return issue.hint and said .. "\n  " .. issue.hint or said
end

---The issues as lines of text, and the title of the first; nil if there are none.
---@param issues Issue[] @return string? all, string? first
function checkers.texts(issues)
  if not issues or #issues == 0 then return nil end
  return table.concat(lists.map(issues, checkers.text), "\n"), title(issues[1])
end

---A step that would have succeeded fails if a checker reports an issue.
function checkers.judge(record)
  local all, first = checkers.texts(record.issues)
  if not all or record.outcome ~= "ok" then return end
  record.outcome, record.brief, record.message = "finding", first, all
end

return checkers
