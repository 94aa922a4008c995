-- Explains a record: what limits its time, then at most three facts behind it (divergence, atomics, the most expensive
-- access with its lanes and banks), and the limiter on other GPUs.
local access = require "gpulab.show.access"
local divergence = require "gpulab.show.divergence"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local why = {}

-- Why there is nothing to explain, and what the launch reported; nil if there is.
local function nothing(record)
  if record.shown then return record.shown.text end
  if not record.report and record.outcome == "ok" then return "It runs no kernel, so there are no counters." end
  if not record.report or not record.report.lines then
    return ("It %s, so nothing was counted."):format(failure.ended(record.outcome)), record.message
  end
end

-- How long lanes wait for each other at the same address.
local function atomics(record)
  local c = record.report.counters
  if not c or (c.atomics or 0) == 0 then return {} end
  local where = {}
  for _, space in ipairs { "global", "shared" } do
    local n = c[space .. "_atomics"] or 0
    if n > 0 then where[#where + 1] = ("%s in %s memory"):format(text.plural(n, "warp instruction"), space) end
  end
  local waiting, prediction = c.atomic_conflicts or 0, limiter.prediction(record)
  local most = prediction and prediction.most_updates or 0
  local words = waiting == 0 and "No two lanes of a warp update one word at the same time."
    or ("%s lanes update a word that another lane of their warp updates, too."):format(text.count(waiting))
  local longest = most > 1 and (" One word gets %s updates, one after the other."):format(text.count(most)) or ""
  return text.wrap(("Atomics: %s. %s%s"):format(text.list(where), words, longest), "  ")
end

-- The limiter and the time on the other GPUs that were asked for.
local function elsewhere(record)
  local _, here = limiter.prediction(record)
  local parts, seen = {}, { [here or false] = true }
  for _, row in ipairs(record.models or {}) do
    if row.known and row.bound and row.bound ~= "" and not seen[row.gpu] then
      parts[#parts + 1] = text.together(("%s: %s, %s"):format(row.gpu, row.bound, text.duration(row.ms)))
      seen[row.gpu] = true
    end
  end
  local lines, missing, advice = {}, record:unpredicted()
  if #parts > 0 then text.add(lines, "Limiter on other GPUs, by model: " .. table.concat(parts, " · ")) end
  if #missing > 0 then text.add(lines, ("No prediction for the %s: %s."):format(text.list(missing), advice)) end
  return lines
end

---The explanation of a record as lines that fit the terminal.
---@param record Record @return string[]
function why.explain(record)
  record = record:counted()
  local rules = record.report and record.report.rules
  local counted = rules and ", counted by the rules of the " .. rules or ""
  local lines = text.wrap(("%s (%s)%s"):format(record.title, record.id, counted))
  local none, reported = nothing(record)
  if record.verified == false and not none then
    text.add(lines, ("Its result is wrong%s: what follows explains the time of a kernel that computes something else.")
      :format(record.changed and ", from your copy of the kernel" or ""))
  end
  if none then
    lines[#lines + 1] = ""
    text.add_lines(lines, none)
    text.add_lines(lines, show.folded({ kind = record.outcome }, show.at_home(reported or "")))
    return lines
  end
  local line = access.line(record)
  local accesses = line and access.explain(line, rules, limiter.name(record) == "shared wavefronts", record)
    or { "  The kernel accesses neither shared nor global memory." }
  for _, part in ipairs { limiter.lines(record), divergence.lines(record), atomics(record), accesses,
    elsewhere(record) } do
    text.add_part(lines, part)
  end
  return lines
end

return why
