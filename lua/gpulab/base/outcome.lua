-- The report of a launch that did not end well: what happened, to which element of which buffer, by which thread of
-- which kernel, at which line of the source, and whether it is a fact or what a replay found. Lines have at most 80
-- columns.
local declared = require "gpulab.base.declared"
local text = require "gpulab.base.text"

local outcome = {}

local COLUMNS <const>, MARGIN <const>, LABEL <const> = 80, 2, 10

-- A labeled fact, continued below itself. A word that is longer than a line, such as a path, stays whole.
local function add(lines, label, s)
  local head = (" "):rep(MARGIN) .. (label ~= "" and text.left(label, LABEL) or "")
  local wrapped = text.wrap(s, (" "):rep(#head), COLUMNS)
  for i, line in ipairs(#wrapped > 0 and wrapped or { head }) do
    lines[#lines + 1] = i == 1 and head .. line:sub(#head + 1) or line
  end
end

-- Blanks that belong to a number or to an expression do not end a line.
local function kept(words) return text.together(words) end

local function many(n, one) return ("%s %s"):format(kept(text.count(n)), one .. (n == 1 and "" or "s")) end

local function element(fault)
  local of_array = declared.element(fault, fault.file)
  if of_array then return of_array end
  if not fault.element then return ("byte %d of '%s', which has %d"):format(fault.offset, fault.buffer, fault.bytes) end
  local s = ("%s[%d] (%s)"):format(fault.buffer, fault.element, fault.type)
  if fault.element >= 0 and fault.element < fault.elements then return s .. ", inside it" end
  if fault.elements == 0 then return s end
  return ("%s: it has %s, %s"):format(s, many(fault.elements, "element"),
    kept(("%s[0] to %s[%d]"):format(fault.buffer, fault.buffer, fault.elements - 1)))
end

local function access(fault)
  local width = fault.width > 0 and " of " .. many(fault.width, "byte") or ""
  return ("%s%s, %s memory"):format(fault.access, width, fault.space)
end

local function thread(fault)
  local t, b = fault.thread, fault.block
  local s = ("(%d,%d,%d) of block (%d,%d,%d)"):format(t.x, t.y, t.z, b.x, b.y, b.z)
  return fault.threads > 1 and ("%s; %d lanes of this warp did the same"):format(s, fault.threads) or s
end

-- Where what is said of a GPU's fault comes from; nil where the emulator saw it, or its process died.
local function evidence(fault)
  if fault.kind == "none" then return nil end
  if fault.replayed then return "by replaying the launch on the emulator; the GPU does not report the thread" end
  return not fault.located and "from the GPU, which does not report the thread" or nil
end

---One line: "ok, 12.3 µs"; "ok, emulated in 39 ms; predicted H200 3.2 µs (± 23 %)", or two if it is too long. An
---emulator's own time says nothing of a GPU's. Of a check also its issues.
---@param o Outcome @return string
function outcome.brief(o)
  local said = ("%s, %s%s"):format(o.status, o.emulated and "emulated in " or "", text.duration(tonumber(o.ms) or 0))
  if o.predicted then
    local fits = text.width(said) + 2 + text.width(tostring(o.predicted)) <= text.columns
    said = said .. (fits and "; " or ";\n  ") .. tostring(o.predicted)
  end
  if (o.message or "") ~= "" then said = said .. ": " .. tostring(o.message) end
  for _, issue in ipairs(o.findings or {}) do said = said .. "\n" .. tostring(issue) end
  return said
end

---The report of an outcome that is not "ok".
---@param o Outcome @return string
function outcome.describe(o)
  local fault = o.fault
  local lines = { fault and fault.kind ~= "none" and ("%s: %s"):format(o.status, fault.kind) or o.status }
  local message = o.message ~= "" and o.message or fault and fault.message or ""
  if message ~= "" then
    for line in (message:gsub("\n$", "") .. "\n"):gmatch("([^\n]*)\n") do add(lines, "", line) end
  end
  if fault then
    if fault.buffer then add(lines, "element", element(fault)) end
    if fault.access ~= "" then add(lines, "access", access(fault)) end
    if fault.located then add(lines, "thread", thread(fault)) end
    if fault.kernel ~= "" then add(lines, "kernel", fault.kernel) end
    if (fault.line or 0) > 0 then lines[#lines + 1] = ("  source    %s:%d"):format(fault.file, fault.line) end
    if evidence(fault) then add(lines, "known", evidence(fault)) end
  end
  return table.concat(lines, "\n")
end

return outcome
