-- What the check of an exercise (exercise.lua) says, as text: the stages it passed, the one that it did not, and the
-- next thing to do. Nothing here runs a kernel.
local checkers = require "gpulab.run.checkers"
local lazy = require "gpulab.base.lazy"
local lists = require "gpulab.base.lists"
local quantities = lazy "gpulab.run.quantities"
local pictures = require "gpulab.base.pictures"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local stages = {}

---The stages of a check, in order; "passed" follows the last.
stages.order = { "compile", "result", "checkers", "accept" }

---"race at sum.cu:12: thread ..., which nothing orders", wrapped.
---@param issue Issue @param before string? words before it @return string
function stages.issue_text(issue, before)
  local at = checkers.place(issue.sites and issue.sites[1])
  local said = ("%s%s%s: %s"):format(before or "", checkers.names[issue.check] or issue.check,
    at and " at " .. at or "", issue.message)
  return table.concat(text.wrap(said, "", text.columns - 2), "\n") -- it is shown as far in as the stages below it
end

-- Where an excess is ------------------------------------------------------------------------------

-- The counter above each ratio's requests.
local ratios <const> = { shared_load = "wavefronts", shared_store = "wavefronts", global_load = "sectors",
  global_store = "sectors" }

local function by_count(lines, name)
  local sorted = lists.append({}, lines)
  table.sort(sorted, function(a, b)
    local more = (a.counters[name] or 0) - (b.counters[name] or 0)
    return more > 0 or more == 0 and a.line < b.line
  end)
  return sorted
end

-- What each line has more of than the solution's line of the same rank: of two lines the second may be the one that
-- should not be there.
local function add_beyond(excess, lines, name, solution)
  local own, others = by_count(lines, name), by_count(solution, name)
  for rank, line in ipairs(own) do
    local more = (line.counters[name] or 0) - (others[rank] and others[rank].counters[name] or 0)
    excess[line] = (excess[line] or 0) + math.max(more, 0)
  end
end

-- For a ratio with a bound: what each line has beyond that bound.
local function beyond_ratio(row, lines)
  local excess = {}
  for _, line in ipairs(lines) do
    excess[line] = (line.counters[row.name .. "_" .. ratios[row.name]] or 0)
      - row.want.at_most * (line.counters[row.name .. "_requests"] or 0)
  end
  return excess
end

local function excess_of(row, lines, solution)
  if ratios[row.name] and not row.lines then return beyond_ratio(row, lines) end
  local excess, beyond = {}, row.budget and quantities.of(row.name).beyond
  if beyond then
    for _, line in ipairs(lines) do excess[line] = beyond(line.counters) end
    return excess
  end
  for _, name in ipairs(row.lines or { row.name }) do add_beyond(excess, lines, name, solution) end
  return excess
end

-- The source line with the largest part of the excess, and whether that is most of it; nil without one.
local function worst_line(result, row)
  if row.budget and not row.lines then return nil end
  if not row.want.at_most or row.got <= row.want.at_most then return nil end
  local lines, best, most, all = result.report.lines or {}, nil, 0, 0
  local excess = excess_of(row, lines, result.solution_lines or {})
  for _, line in ipairs(lines) do
    if excess[line] > most then best, most = line, excess[line] end
    all = all + math.max(excess[line], 0)
  end
  return best, 2 * most > all
end

local function first_missed(result)
  return lists.find(result.accept, function(row) return not row.ok end)
end

---The line responsible for most of an excess over a bound of the acceptance check; nil without one.
---@param row table? of result.accept; the first that is not met
---@return {file: string, line: integer, why: string}?
function stages.place(result, row)
  row = row or first_missed(result)
  local line = row and worst_line(result, row)
  return line and { file = line.file, line = line.line, why = row.text .. "." } or nil
end

-- The next thing to do ----------------------------------------------------------------------------

-- The first bound that is not met, and the line responsible for most of the excess. Where the starter does not meet it
-- either, it is what the exercise is about.
local function accept_advice(result, hint)
  local row = first_missed(result)
  if not row then return (result.message or "the launch failed") .. "." end
  local ex = result.exercise
  local parts, line, is_most = { row.text .. "." }, worst_line(result, row)
  if ex.advice and result.starter_misses and result.starter_misses[row.name] then
    parts[2] = ("%s See %s."):format(ex.advice, hint)
  else
    local bound = (ex.accept or {})[row.name] -- its words are for the usual budget of that name, too
    parts[2] = type(bound) == "table" and bound.advice or row.cure or ("%s helps."):format(hint)
  end
  if line then
    parts[#parts + 1] = ("%s of it comes from %s: %s"):format(is_most and "Most" or "The largest part",
      checkers.place(line), text.together(text.trim(line.text or "")))
  end
  return table.concat(parts, " ")
end

-- Inputs of an exercise are filled: an element that nothing wrote is one that another thread or launch has to store.
local UNWRITTEN <const> = "nothing had stored this element: let the launch or thread that should do it do so first, "
  .. "or check the index"

-- "race at sum.cu:12: put __syncthreads() between the two."
local function issue_advice(f)
  local at = checkers.place(f.sites and f.sites[1])
  local said = (f.hint or f.message):gsub(": (%l)", "; %1", 1) -- one colon is enough
  if f.check == "init" and f.space == "global" then said = UNWRITTEN end
  return ("%s%s: %s%s"):format(checkers.names[f.check] or f.check, at and " at " .. at or "", said,
    said:find "%.$" and "" or ".")
end

-- The next thing to do, as a sentence. Commands of the prompt are for those who have one.
local function advice(result, lab)
  local id = result.exercise.id
  local hint = lab and ("`hint %s` of `gpulab %d`"):format(id, lab) or ("`hint %s`"):format(id)
  if result.lost or result.error and result.outcome ~= "compile" then
    return "The check could not finish: see the message above."
  elseif result.has_other_parameters then
    return "Give the kernel the parameters of the starter: the exercise passes those."
  elseif result.not_allowed then
    return "Remove it: the host code of a project may launch kernels, and allocate, clear, and free memory of the GPU."
  elseif result.stage == "compile" and (result.message or ""):find("there is no kernel", 1, true) then
    return "Give the kernel the name that the starter has: the exercise launches it by that name."
  elseif result.stage == "compile" then
    return "Fix the first compiler error; the others often disappear with it."
  elseif result.stage == "result" then
    if result.cause then return "First fix the likely cause, the " .. issue_advice(result.cause) end
    if result.outcome == "wrong" then
      if result.inputs then
        return "The result is right with the inputs of the task. It has to be right with those named above, too."
      end
      if result.mismatch and result.mismatch.unwritten then
        return "Some elements are never written. Make sure that one thread writes each element."
      end
      if result.as_given then return ("The task is to make the result right; %s helps."):format(hint) end
      if lab then return "Make the result right first: the differences are listed above." end
      return ("Make the result right first: `diff %s` shows what you changed, %s helps."):format(id, hint)
    elseif result.outcome == "timeout" then
      if (result.message or ""):find("never ends", 1, true) then
        return "The kernel never ends: see above where its warps wait, and for what. Let that happen, or wait "
          .. "for what does happen."
      end
      return "The kernel was stopped after many times the work of the reference solution: check how its loops end."
    elseif result.fault and result.fault.kind:find("barrier", 1, true) then
      return "The kernel stops early: let all threads of the block reach the same barrier."
    elseif result.fault and result.fault.access == "" then
      return "The kernel stops early, for the reason above."
    end
    return (result.inputs and "The kernel has to handle the inputs named above, too" or "The kernel stops early")
      .. ": fix the access reported above."
  elseif result.stage == "checkers" then
    return "Fix the " .. issue_advice(result.issues[1])
  end
  return accept_advice(result, hint)
end

local titles <const> = { compile = "compiles", result = "result", checkers = "checkers", accept = "acceptance check" }
local TITLE <const> = 18 -- columns of a title with the space after it

-- The bounds of the task in words, and how many conditions there are with the budgets. misses: what the starter does
-- not meet; a bound that it meets is not what the exercise is about.
local function conditions_text(rows, misses)
  if #rows == 0 then return "none" end
  local texts = {}
  for _, row in ipairs(rows) do
    if not row.budget and (not next(misses) or misses[row.name]) then texts[#texts + 1] = row.text end
  end
  texts[#texts + 1] = ("%s met"):format(text.plural(#rows, "condition"))
  return table.concat(texts, "; ")
end

local MOST_ROWS <const>, GAUGE <const> = 4, 10 -- conditions that are shown; columns of a gauge without its mark
local ROOM <const> = 56 -- columns that a row with a gauge has

local function gauge(row)
  local want = row.want
  local bound = row.bound or want.at_most and row.got > want.at_most and want.at_most or want.at_least
  return bound and pictures.gauge(row.got, bound, GAUGE) or ""
end

-- Of rows with ratios: what they are ratios of, and at a prompt how to see what a name means.
local function about_ratios(unmet, at_prompt)
  local row = lists.find(unmet, function(one) return one.budget and one.said:find("×", 1, true) end)
  if not row then return nil end
  local known = at_prompt and quantities.known(row.name) -- else it is a counter
  return "1.0× is the value of the reference solution."
    .. (known and (" `?%s` explains that row."):format(row.label or row.name:gsub("_", " ")) or "")
end

-- The conditions that are not met: each as a bar with a mark at its bound, and both in words.
local function gauges(unmet, options)
  local indent, width, rows, seen, more = (" "):rep(TITLE), options.width - TITLE, {}, {}, {}
  for _, row in ipairs(unmet) do
    local name = (row.label or row.name:gsub("_", " ")) .. (row.which and ", " .. row.which or "")
    if not seen[name] and #rows < MOST_ROWS then
      rows[#rows + 1] = { name, row.said, row.limits, width >= ROOM and gauge(row) or "" }
    end
    if not seen[name] and #rows == MOST_ROWS and rows[MOST_ROWS][1] ~= name then more[#more + 1] = name end
    seen[name] = true
  end
  local columns = { { header = {}, narrow = 10 }, { header = {}, right = true }, { header = {} }, { header = {} } }
  local lines = lists.map(tables.render(columns, rows, { width = width }), function(line) return indent .. line end)
  if #more > 0 then text.add(lines, ("and %d more: %s"):format(#more, table.concat(more, ", ")), indent .. "  ") end
  local about = about_ratios(unmet, not options.lab)
  if about then text.add(lines, about, indent, options.width) end
  return lines
end

local function unmet_of(rows) return lists.select(rows, function(row) return not row.ok end) end

local function passed_text(stage, result)
  if stage == "compile" then return "yes" end
  if stage == "result" then return "right" end
  if stage == "checkers" then return "no issues" end
  return conditions_text(result.accept or {}, result.starter_misses or {})
end

local not_passed <const> = { compile = "NO", wrong = "WRONG", fault = "FAULT", limit = "needs more than the GPU has",
  timeout = "DOES NOT END", setup = "cannot run", usage = "cannot run" }

local function failed_text(stage, result)
  if stage == "result" and result.outcome == "timeout" and not (result.message or ""):find("never ends", 1, true) then
    return "STOPPED, after too much work"
  end
  if result.error then return not_passed[result.outcome] or result.outcome end
  if result.not_allowed then return "not tried: something in it is not allowed" end
  if stage == "checkers" then
    local n, first = #result.issues, result.issues[1].check
    return ("%s: %s"):format(text.plural(n, "issue"):upper(), checkers.names[first] or first)
  elseif stage == "accept" and result.accept then
    return ("%d of %s not met:"):format(#unmet_of(result.accept), text.plural(#result.accept, "condition"))
  end
  return not_passed[result.outcome] or result.outcome
end

-- A stage and its result, which starts at the same column on every line.
local function stage_lines(stage, said, style, options)
  local indent = (" "):rep(2 + TITLE)
  local wrapped = text.wrap(said, indent, options.width)
  local first = (wrapped[1] or indent):sub(#indent + 1)
  wrapped[1] = "  " .. text.left(titles[stage], TITLE) .. tables.paint(first, style, options.color)
  for i = 2, #wrapped do wrapped[i] = indent .. tables.paint(wrapped[i]:sub(#indent + 1), style, options.color) end
  return wrapped
end

---The stages of a check as lines of text: what passed, what failed, the next thing to do.
---@param result table @param options {width: integer?, color: boolean?, lab: integer?} lab: its number, where the
---reader is not at its prompt
---@return string[]
function stages.lines(result, options)
  options = options or {}
  options = { width = options.width or text.columns, color = options.color or false, lab = options.lab }
  local lines = {}
  for _, stage in ipairs(stages.order) do
    if stage == result.stage then
      lists.append(lines, stage_lines(stage, failed_text(stage, result), "bad", options))
      if stage == "accept" and result.accept then lists.append(lines, gauges(unmet_of(result.accept), options)) end
      break
    end
    lists.append(lines, stage_lines(stage, passed_text(stage, result), "good", options))
  end
  if result.stage ~= "passed" then text.add(lines, "Next: " .. advice(result, options.lab), "  ", options.width) end
  return lines
end

---What standard error gets before the stages: the compiler's messages, a fault's report, mismatches, issues.
---@return string?
function stages.trouble(result)
  if result.stage == "passed" or result.stage == "accept" and result.outcome == "gate" then return nil end
  if result.error or result.stage ~= "checkers" then return result.message end
  local before = result.inputs and result.inputs .. ": "
  return table.concat(lists.map(result.issues, function(issue) return stages.issue_text(issue, before) end), "\n")
end

return stages
