-- What a record or the check of an exercise says of lines of the source, as data for an editor:
--
--   { file, line, column?, severity = "error"|"warning"|"hint", code, message, related = { { file, line, message } },
--     issue? of a checker, worst? the worst access that was counted }
local access = require "gpulab.show.access"
local checkers = require "gpulab.run.checkers"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local resources = require "gpulab.show.resources"
local runner = require "gpulab.run.runner"
local stages = require "gpulab.run.stages"
local text = require "gpulab.base.text"

local marks = {}

local function mark(place, severity, code, message, related)
  return { file = place.file, line = place.line, column = place.column, severity = severity, code = code,
    message = text.printable(message), related = related or {} }
end

-- Outcomes and issues -----------------------------------------------------------------------------

-- The compiler's messages: notes belong to the message before them.
local function of_compiler(diagnostics)
  local found = {}
  for _, d in ipairs(diagnostics) do
    local place = { file = d.file, line = math.max(d.line, 1), column = d.column > 0 and d.column or nil }
    local last = found[#found]
    if d.kind ~= "note" or not last then
      found[#found + 1] = mark(place, d.kind == "error" and "error" or "warning", "compile", d.message)
    elseif d.line > 0 then
      table.insert(last.related, { file = d.file, line = d.line, message = d.message })
    end
  end
  return found
end

-- A compiler's warnings, which are text: "scale.cu(3): warning #177-D: ...".
local function of_log(log)
  local found = {}
  for file, line, code, said in (log or ""):gmatch "([^\n]-)%((%d+)%): warning #?([%w-]*): ([^\n]*)" do
    found[#found + 1] = mark({ file = file, line = tonumber(line) }, "warning", code, said)
  end
  return found
end

-- An access of an issue as a related place: "store by thread (1,0,0) of block (0,0,0)".
local function related_of(site)
  local said = site.access and site.access ~= "" and site.access or "access"
  if site.thread and site.block then
    said = ("%s by thread (%s) of block (%s)"):format(said, table.concat(site.thread, ","),
      table.concat(site.block, ","))
  end
  return { file = site.file, line = site.line, message = said }
end

---Issues of checkers, at each of their places, with the others as related ones: both accesses of a race are underlined.
---@param issues Issue[]? @return table[]
function marks.of_issues(issues)
  local found = {}
  for _, issue in ipairs(issues or {}) do
    local sites = lists.select(issue.sites, function(site) return site.file and (site.line or 0) > 0 end)
    local message = ("%s: %s%s"):format(checkers.names[issue.check] or issue.check, issue.message,
      issue.hint and "\n" .. issue.hint or "")
    for _, site in ipairs(sites) do
      local known = lists.any(found, function(one)
        return one.issue == issue and one.line == site.line and one.file == site.file
      end)
      if not known then
        local others = lists.select(sites, function(other) return other ~= site end)
        found[#found + 1] = mark(site, issue.check == "unused" and "warning" or "error", issue.check, message,
          lists.map(others, related_of))
        found[#found].issue = issue
      end
    end
  end
  return found
end

local quiet <const> = lists.set "ok absent gate finding" -- the issues of a finding say what it is

-- What has no place of its own is at the kernel's line.
local function of_outcome(result, kernel)
  local fault, message = result.fault, result.message or result.brief or result.outcome
  if result.error and result.error.diagnostics then return of_compiler(result.error.diagnostics) end
  if quiet[result.outcome] then return {} end
  if not fault or (fault.line or 0) == 0 then return { mark(kernel, "error", result.outcome, message) } end
  local said = fault.message ~= "" and fault.message or message
  return { mark(fault, "error", result.outcome, ("%s: %s"):format(fault.kind, said)) }
end

---Of a record: how its run ended, warnings of the compiler, and issues. Of an exercise's check also the conditions that
---are not met, at the line with the most excess.
---@param result Record|table of exercise.check @param kernel {file: string, line: integer} where it begins
---@return table[]
function marks.of_outcome(result, kernel)
  local found = lists.joined(of_outcome(result, kernel), of_log(result.warnings), marks.of_issues { result.cause },
    marks.of_issues(result.issues))
  for _, row in ipairs(result.accept or {}) do
    if not row.ok then
      local message = row.text .. "." .. (row.cure and " " .. row.cure or "")
      found[#found + 1] = mark(stages.place(result, row) or kernel, "warning", row.name, message)
    end
  end
  return found
end

-- Counters ----------------------------------------------------------------------------------------

local LANES <const>, FEW <const> = 32, 0.9 -- of the lanes: more are no divergence to speak of
local SHARE <const> = 0.1                  -- of the warps' cycles: less is not said

local units <const> = { shared = "wavefront", global = "sector" }

-- "32 wavefronts per load (ideal 1)", where the line's worst access exceeds its ideal.
local function of_access(line)
  local worst = line.worst
  local unit = worst and units[worst.space]
  if not unit or not worst.ideal or worst.cost <= worst.ideal then return nil end
  local mean = worst.access ~= "atomic" and runner.ratio(line.counters, worst.space .. "_" .. worst.access)
  local cost = mean or worst.cost
  return ("%s %ss per %s (ideal %d)"):format(cost == math.floor(cost) and text.count(cost) or text.number(cost), unit,
    worst.access, worst.ideal)
end

local function of_lanes(line)
  local c = line.counters
  local active = (c.warp_instructions or 0) > 0 and c.thread_instructions / c.warp_instructions
  return active and active < FEW * LANES and ("%.1f of %d lanes active"):format(active, LANES) or nil
end

local function of_stalls(prediction, line)
  local one = lists.find(prediction and prediction.stalled, function(place)
    return place.line == line.line and place.file == line.file
  end)
  return one and one.share >= SHARE and ("%.0f %% of the cycles: %s"):format(100 * one.share, one.why) or nil
end

local function lines_of(record) return record and record.report and record.report.lines or {} end

---The hints of a record's lines, each with the line's worst access.
---@param record Record? @return table[]
function marks.of_counters(record)
  local prediction, found = record and limiter.prediction(record), {}
  for _, line in ipairs(lines_of(record)) do
    local parts = lists.select({ of_access(line) or "", of_lanes(line) or "", of_stalls(prediction, line) or "" },
      function(part) return part ~= "" end)
    if #parts > 0 then
      found[#found + 1] = mark(line, "hint", "counters", table.concat(parts, " · "))
      found[#found].worst = line.worst
    end
  end
  return found
end

---The hint at a kernel's line: its registers.
---@param record Record @param kernel {file: string, line: integer} where it begins @return table[]
function marks.of_kernel(record, kernel)
  local ok, list = failure.try(resources.of, record)
  local first = ok and list[1]
  return first and { mark(kernel, "hint", "counters",
    text.plural(first.registers, "register") .. (first.registers_estimated and " (estimated)" or "")) } or {}
end

---A line in full: its counters, and its worst access with lanes and banks, or sectors; nil: nothing was counted of it.
---@param record Record? @param number integer @param file string? or its name
---@return string? said, table? line of the report
function marks.in_full(record, number, file)
  local line = lists.find(lines_of(record), function(one)
    return one.line == number and (not file or one.file == file or text.file_name(one.file) == file)
  end)
  if not line then return nil end
  local lines = text.wrap(("%s, counted by the rules of the %s"):format(record.title, record.report.rules))
  local prediction, name = limiter.prediction(record)
  if prediction and prediction.known then
    text.add(lines, ("Predicted for the %s: %s, limited by %s."):format(name, text.duration(prediction.ms),
      prediction.bound))
  end
  local stalled, lanes = of_stalls(prediction, line), of_lanes(line)
  text.add(lines, ("%s warp instructions%s%s"):format(text.count(line.counters.warp_instructions or 0),
    stalled and "; " .. stalled or "", lanes and "; " .. lanes or ""))
  if line.worst then text.add_part(lines, access.explain(line, record.report.rules, true, record)) end
  return table.concat(lines, "\n"), line
end

-- Fixes -------------------------------------------------------------------------------------------

-- Each is one edit of one line: { title, line, new }, with its new text.

-- One padding word per row of the two-dimensional array in shared memory that a line accesses with conflicts. What
-- changes is its declaration, "__shared__ float tile[32][32];".
local function pad(lines, number)
  for name in (lines[number] or ""):gmatch "([%a_][%w_]*)%s*%b[]%s*%b[]" do
    for at = number, 1, -1 do
      local new, n = lines[at]:gsub("(%f[%w_]" .. name .. "%s*%b[]%s*)%[%s*([^%]]-)%s*%]", function(before, pitch)
        return ("%s[%s]"):format(before, pitch:match "^%d+$" and tonumber(pitch) + 1 or pitch .. " + 1")
      end, 1)
      if n == 1 and lines[at]:find("__shared__", 1, true) then
        return { title = ("Pad each row of %s by one word"):format(name), line = at, new = new }
      end
    end
  end
end

local function depth(line) return #line:match "^%s*":gsub("\t", "    ") end

-- The first of the outermost lines behind one line, up to another: no loop or branch is open there that was not before.
local function outermost(lines, first, last)
  local best
  for at = first + 1, last do
    if lines[at]:match "%S" and (not best or depth(lines[at]) < depth(lines[best])) then best = at end
  end
  if best and lines[best]:match "^%s*}%s*$" and best < last then best = best + 1 end
  return best and not lines[best]:match "^%s*}?%s*else" and best or nil
end

-- The barrier that a race's hint asks for, between its two lines.
local function barrier(lines, issue)
  local call = (issue.hint or ""):match "put (__sync%a+%(%)) between"
  if issue.check ~= "race" or not call then return nil end
  local first, last = math.huge, 0
  for _, site in ipairs(issue.sites or {}) do
    first, last = math.min(first, site.line or 0), math.max(last, site.line or 0)
  end
  local at = first >= 1 and first < last and lines[last] and outermost(lines, first, last)
  if not at then return nil end
  return { title = ("Insert %s before line %d"):format(call, at), line = at,
    new = ("%s%s;\n%s"):format(lines[at]:match "^%s*", call, lines[at]) }
end

-- The full mask, where the mask of a warp function does not name the lanes that take part.
local function mask(lines, issue)
  local site = issue.sites and issue.sites[1]
  if issue.check ~= "sync" or not issue.message:find("mask", 1, true) or not site then return nil end
  local old = lines[site.line or 0]
  local new, n = (old or ""):gsub("(%f[%w_]__%w+_sync%s*%(%s*)0[xX]%x+[uU]?%s*,", "%10xffffffff,", 1)
  if n == 0 or new == old then return nil end
  return { title = "Name all lanes in the mask", line = site.line, new = new }
end

---The fix of a finding or a hint of a file: padding for accesses that conflict, and what an issue asks for; nil: none.
---@param one table @param found Found
function marks.fix(one, found)
  local issue, worst = one.issue, one.worst
  if one.file ~= found.file then return nil end
  if issue then return barrier(found.lines, issue) or mask(found.lines, issue) end
  return worst and worst.space == "shared" and worst.cost > worst.ideal and pad(found.lines, one.line) or nil
end

return marks
