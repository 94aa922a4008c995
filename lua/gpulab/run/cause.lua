-- Why a result is likely to be wrong: what a checker sees in the very run that is wrong, else what its values, or the
-- places of the wrong elements, have in common. Steps and exercises ask here.
local check = require "gpulab.check"
local failure = require "gpulab.base.failure"
local launch_list = require "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local pattern = require "gpulab.run.pattern"
local stages = require "gpulab.run.stages"
local text = require "gpulab.base.text"

local cause = {}

-- What checkers find in the launches that items() prepares; up to a failure, if there is one. A thread that leaves
-- before a barrier also leaves shared memory unwritten, and others race with it: the barrier, or the mask, is what to
-- look at.
local function issue_in(device, items)
  local ok, found = failure.try(launch_list.check, device, items(), "all")
  if not ok then found = type(found) == "table" and found.findings or {} end
  return lists.find(found, "check", "sync") or found[1]
end

-- Were the elements that look as before the launch written after all? The launches run once more over other contents.
-- A NaN is such an element, too, if something was computed from memory that nothing wrote.
local OTHER <const> = { float = 12345.0, double = 12345.0 }
local function settle(at, step, mismatch, items, issue)
  for _, m in ipairs(issue and issue.check == "init" and mismatch.first or {}) do
    m.unwritten = m.unwritten or m.got ~= m.got
  end
  if not lists.any(mismatch.first, "unwritten") then return end
  local prepared, output = items(), at.buffers[step.output]
  local other = OTHER[mismatch.type] or 90
  output:fill(other)
  if launch_list.run(at.device, prepared).status ~= "ok" then return end
  local now = output:download()
  check.settle(mismatch, function(m) return now[m.index] ~= other end)
end

-- Of a vote or shuffle in a branch that few lanes take: each of its lanes sees the others as absent, although the mask
-- names all 32.
local FULL_MASK <const> = { "0[xX]ffffffff", "~0[uU]?", "FULL" }
local function lonely_vote(report)
  for _, line in ipairs(report.lines or {}) do
    local c, said = line.counters, line.text or ""
    local lanes = c.thread_instructions / math.max(c.warp_instructions, 1)
    local mask = said:match "__%a[%w_]*_sync%s*%((.-),"
    for _, full in ipairs(mask and lanes <= 16 and FULL_MASK or {}) do
      if mask:find(full) then
        return { check = "sync", sites = { { file = line.file, line = line.line } },
          message = "This instruction's mask names 32 lanes, but only " .. (lanes < 1.5
            and "1 lane of a warp executes it." or ("about %.0f lanes of a warp execute it."):format(lanes)),
          hint = "let all lanes of the warp reach it: move it out of the condition" }
      end
    end
  end
end

local function counted(at, items)
  local ok, report = failure.try(launch_list.count, at.device, items())
  return ok and report or {}
end

-- Integers that agree in their low bits with what they should be: something was kept in a type that is too small. If
-- all of them are zero, nothing may have been kept.
local function overflow(mismatch)
  for _, bits in ipairs { 8, 16, 32 } do
    local same = lists.any(mismatch.all, function(m) return m.got ~= 0 end)
    for _, m in ipairs(mismatch.all) do
      local small = math.type(m.got) == "integer" and math.type(m.want) == "integer"
        and m.got >= -(1 << bits - 1) and m.got < 1 << bits
      same = same and small and (m.got - m.want) % (1 << bits) == 0
    end
    if same then
      return ("overflow: the values are right in their low %d bits, as if a type of %s held them."):format(bits,
        text.plural(bits // 8, "byte"))
    end
  end
end

-- Where the wrong elements are, with a map unless that says no more.
local function places(mismatch, block)
  if not mismatch.cells then return nil end
  local words = pattern.words(mismatch, block)
  if words == "all elements" then return nil end
  local map = pattern.map(mismatch)
  local said = words and ("Wrong: %s."):format(words)
  if not table.concat(map):find "[.X]" then return said or "The wrong elements have no simple pattern." end
  local lines = { said }
  lines[#lines + 1] = ("Parts of the %s that are right (.), wrong (X), or both (+):"):format(
    mismatch.columns and mismatch.columns > 1 and "matrix" or "vector")
  for _, line in ipairs(map) do lines[#lines + 1] = "  " .. line end
  return table.concat(lines, "\n")
end

---Looks for the cause of a wrong result. Afterwards the mismatch says which elements were not written.
---@param at Context whose device emulates, with the inputs of the run @param step table
---@param mismatch table of check.compare @param items fun(): table[] the launches of the run, prepared again
---@return {issue: Issue?, before: string?, after: string?} what goes before and after the message of the mismatch
function cause.of(at, step, mismatch, items)
  local issue = issue_in(at.device, items)
  if mismatch.name and at.buffers[step.output] then settle(at, step, mismatch, items, issue) end
  issue = issue or lonely_vote(counted(at, items))
  if issue then return { issue = issue, before = stages.issue_text(issue, "Likely cause: ") } end
  local too_small = overflow(mismatch)
  if too_small then
    return { before = table.concat(text.wrap("Likely cause: " .. too_small, "", text.columns - 2), "\n") }
  end
  local first = items()[1]
  local block = first and first.config and first.config.block
  return { after = places(mismatch, block and block[1] * (block[2] or 1) * (block[3] or 1)) }
end

---A message with what was found.
---@param found table of cause.of @param message string @return string
function cause.said(found, message)
  return (found.before and found.before .. "\n" or "") .. message .. (found.after and "\n" .. found.after or "")
end

return cause
