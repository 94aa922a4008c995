-- What a record or the check of an exercise says of lines of the source, as data for an editor:
--
--   { file, line, column?, severity = "error"|"warning"|"info"|"hint", code, message,
--     related = { { file, line, message } } }
local checkers = require "gpulab.run.checkers"
local lists = require "gpulab.base.lists"
local stages = require "gpulab.run.stages"
local text = require "gpulab.base.text"

local findings = {}

local function finding(place, severity, code, message, related)
  return { file = place.file, line = place.line, column = place.column, severity = severity, code = code,
    message = text.printable(message), related = related or {} }
end

-- The compiler's messages: notes belong to the message before them.
local function of_compiler(diagnostics)
  local found = {}
  for _, d in ipairs(diagnostics) do
    local place = { file = d.file, line = d.line > 0 and d.line or 1, column = d.column > 0 and d.column or nil }
    local last = found[#found]
    if d.kind == "note" and last then
      if d.line > 0 then table.insert(last.related, { file = d.file, line = d.line, message = d.message }) end
    else
      found[#found + 1] = finding(place, d.kind == "error" and "error" or "warning", "compile", d.message)
    end
  end
  return found
end

-- A compiler's warnings, which are text: "scale.cu(3): warning #177-D: ...".
local function of_log(log)
  local found = {}
  for file, line, code, said in (log or ""):gmatch "([^\n]-)%((%d+)%): warning #?([%w-]*): ([^\n]*)" do
    found[#found + 1] = finding({ file = file, line = tonumber(line) }, "warning", code, said)
  end
  return found
end

-- An access of an issue as a related place: "store by thread (1,0,0) of block (0,0,0)".
local function related_of(site)
  local function triple(v) return ("(%s)"):format(table.concat(v, ",")) end
  local said = site.access and site.access ~= "" and site.access or "access"
  if site.thread and site.block then
    said = ("%s by thread %s of block %s"):format(said, triple(site.thread), triple(site.block))
  end
  return { file = site.file, line = site.line, message = said }
end

-- An issue at each of its places, with the others as related ones: both accesses of a race are underlined.
local function of_issue(issue)
  local sites = lists.select(issue.sites or {}, function(site) return site.file and (site.line or 0) > 0 end)
  local message = ("%s: %s%s"):format(checkers.names[issue.check] or issue.check, issue.message,
    issue.hint and "\n" .. issue.hint or "")
  local found = {}
  for _, site in ipairs(sites) do
    if not lists.any(found, function(one) return one.file == site.file and one.line == site.line end) then
      local others = lists.select(sites, function(other) return other ~= site end)
      found[#found + 1] = finding(site, issue.check == "unused" and "warning" or "error", issue.check, message,
        lists.map(others, related_of))
      found[#found].issue = issue
    end
  end
  return found
end

---Issues of checkers.
---@param issues Issue[]? @return table[]
function findings.of_issues(issues)
  local found = {}
  for _, issue in ipairs(issues or {}) do lists.append(found, of_issue(issue)) end
  return found
end

local quiet <const> = lists.set "ok absent gate finding" -- the issues of a finding say what it is

-- What has no place of its own is at the kernel's line.
local function of_outcome(result, whole)
  local fault, message = result.fault, result.message or result.brief or result.outcome
  if result.error and result.error.diagnostics then return of_compiler(result.error.diagnostics) end
  if quiet[result.outcome] then return {} end
  if not fault or (fault.line or 0) == 0 then return { finding(whole, "error", result.outcome, message) } end
  local said = fault.message ~= "" and fault.message or message
  return { finding(fault, "error", result.outcome, ("%s: %s"):format(fault.kind, said)) }
end

---Of a record: how its run ended, warnings of the compiler, and issues.
---@param record Record @param whole {file: string, line: integer} where its kernel begins @return table[]
function findings.of_record(record, whole)
  local found = of_outcome(record, whole)
  lists.append(found, of_log(record.warnings))
  if record.cause then lists.append(found, of_issue(record.cause)) end
  return lists.append(found, findings.of_issues(record.issues))
end

---Of the check of an exercise: as of a record, and the conditions that are not met, at the line with the most excess.
---@param result table of exercise.check @param whole {file: string, line: integer} @return table[]
function findings.of_check(result, whole)
  local found = findings.of_record(result, whole)
  for _, row in ipairs(result.accept or {}) do
    if not row.ok then
      local message = row.text .. "." .. (row.cure and " " .. row.cure or "")
      found[#found + 1] = finding(stages.place(result, row) or whole, "warning", row.name, message)
    end
  end
  return found
end

return findings
