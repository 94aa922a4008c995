-- Steps under checkers (--check LIST): the launch runs once more on the emulator with freshly filled buffers, and what
-- was found becomes part of the step's record. A step whose result is right and that has a finding ends as "finding"
-- (exit code 6).

local text = require "gpulab.text"

local checkers = {}

---Where a site or a counted line is: "reduce.cu:14"; nil if that is not known.
---@return string?
function checkers.place(site)
  if not site or not site.file or not site.line then return nil end
  return ("%s:%d"):format(text.file_name(site.file), site.line)
end

-- "race at reduce.cu:14 and reduce.cu:17, 32 times"
local function title(finding)
  local first, second = checkers.place(finding.sites[1]), checkers.place(finding.sites[2])
  local where = first and " at " .. first or ""
  if second and second ~= first then where = where .. " and " .. second end
  local often = finding.count > 1 and (", %d times"):format(finding.count) or ""
  return finding.check .. where .. often
end

local function full(finding)
  local said = title(finding) .. ": " .. finding.message
  return finding.hint and said .. "\n  " .. finding.hint or said
end

---What was found as lines of text, the first in short; nil if nothing was.
---@param findings Finding[] @return string? all, string? first
function checkers.texts(findings)
  if not findings or #findings == 0 then return nil end
  local texts = {}
  for i, finding in ipairs(findings) do texts[i] = full(finding) end
  return table.concat(texts, "\n"), title(findings[1])
end

---A step that would have ended well does not where something was found.
---@param record table
function checkers.judge(record)
  local all, first = checkers.texts(record.findings)
  if not all or record.outcome ~= "ok" then return end
  record.outcome, record.brief, record.message = "finding", first, all
end

return checkers
