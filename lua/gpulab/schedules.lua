-- Does the answer of a step depend on the order in which blocks and warps run? The step runs on the emulator in the
-- ordinary order and then in adversarial ones, each from the same beginning. Where two orders give different answers
-- the kernel is wrong, whichever of them is the one expected: the seed of the order replays it.
local checkers = require "gpulab.checkers"
local commands = require "gpulab.commands"
local failure = require "gpulab.failure"
local runner = require "gpulab.runner"
local text = require "gpulab.text"
local works = require "gpulab.works"

local schedules = {}

local TRIES <const> = 24
local LARGEST <const> = 2147483647 -- the seeds that a launch takes

-- The step's work from its beginning, in the order of a seed; 0 is the ordinary order.
local function work_of(at, step, seed)
  local items = runner.prepare(at, step).items
  if works.has_library(items) then
    failure.raise("usage", ("%s calls a library, whose order nobody can change"):format(step.id), nil,
      "name a step that launches a kernel")
  end
  for _, item in ipairs(items) do item.config.schedule = seed end
  return items
end

-- What every buffer holds after it ran; or the launch that did not end well.
local function answer(at, step, seed)
  local outcome = works.run(at.device, work_of(at, step, seed))
  if outcome.status ~= "ok" then return { seed = seed, outcome = outcome } end
  local contents = {}
  for name, buffer in pairs(at.buffers) do contents[name] = buffer:download() end
  return { seed = seed, contents = contents }
end

-- The first place where two answers differ; the output's first of all.
local function difference(step, a, b)
  if a.outcome or b.outcome then
    if (a.outcome and a.outcome.status) == (b.outcome and b.outcome.status) then return nil end
    return { outcomes = { a.outcome and a.outcome.message, b.outcome and b.outcome.message } }
  end
  local names = {}
  for name in pairs(a.contents) do names[#names + 1] = name end
  table.sort(names, function(x, y)
    if (x == step.output) ~= (y == step.output) then return x == step.output end
    return x < y
  end)
  for _, name in ipairs(names) do
    local index = a.contents[name]:differs(b.contents[name])
    if index then
      return { buffer = name, index = index, values = { a.contents[name][index], b.contents[name][index] },
        type = a.contents[name].type }
    end
  end
end

---Looks for an order that changes the answer.
---@param at Context on any device: the orders are the emulator's @param step table
---@param options? {tries: integer?, seed: integer?} seed: only this order
---@return {tried: integer, seed: integer?, difference: table?, findings: Finding[]?} seed: of the order that does;
---findings: the race checker's, listening to it
function schedules.search(at, step, options)
  options = options or {}
  at = at:at(step):emulated()
  local ordinary = answer(at, step, 0)
  local first = options.seed or 1
  local last = options.seed or options.tries or TRIES
  for seed = first, last do
    local found = difference(step, ordinary, answer(at, step, seed))
    if found then
      local ok, findings = pcall(works.check, at.device, work_of(at, step, seed), "race") -- it may end in a fault
      if not ok then
        if failure.kind(findings) == "interrupted" then error(findings, 0) end
        findings = type(findings) == "table" and findings.findings or {}
      end
      return { tried = seed - first + 1, seed = seed, difference = found, findings = findings }
    end
  end
  return { tried = last - first + 1 }
end

-- Telling -----------------------------------------------------------------------------------------

local function show(x)
  if math.type(x) == "integer" then return ("%d"):format(x) end
  return x ~= x and "nan" or ("%.9g"):format(x)
end

local function tell_difference(result)
  local d = result.difference
  if d.outcomes then
    return { ("in the ordinary order   %s"):format(d.outcomes[1] or "ends well"),
      ("in order %-14d %s"):format(result.seed, d.outcomes[2] or "ends well") }
  end
  return { ("%s[%d] in the ordinary order  %s"):format(d.buffer, d.index, show(d.values[1])),
    ("%s[%d] in order %-12d %s"):format(d.buffer, d.index, result.seed, show(d.values[2])) }
end

local function is_float(d)
  return d.type == "float" or d.type == "double" or d.type == "half"
end

---What was found, for people.
---@param step table @param result table of schedules.search @param size string "n = 256"
---@return string[]
function schedules.lines(step, result, size)
  local at = size ~= "" and " at " .. size or ""
  if not result.seed then
    local orders = result.tried == 1 and "this order" or result.tried .. " orders of blocks and warps"
    return text.wrap(("%s gives the same answer in %s%s, bit for bit. That is no proof: the race checker looks for"
      .. " what no order shows, too."):format(step.id, orders, at), "  ")
  end
  local lines = text.wrap(("%s depends on the order in which blocks and warps run%s:"):format(step.id, at), "  ")
  for _, line in ipairs(tell_difference(result)) do lines[#lines + 1] = "    " .. line end
  if result.difference.outcomes and #result.findings == 0 then
    lines[#lines + 1] = ("  Replay it: schedules %s %d"):format(step.id, result.seed)
    return lines
  end
  local why = checkers.texts(result.findings) or (is_float(result.difference)
    and "No two accesses race: what differs is the order of atomic additions, which round."
    or "The race checker finds no pair: the order is decided by atomics.")
  for paragraph in why:gmatch("[^\n]+") do
    for _, line in ipairs(text.wrap(paragraph, "  ")) do lines[#lines + 1] = line end
  end
  lines[#lines + 1] = ("  Replay it: schedules %s %d"):format(step.id, result.seed)
  return lines
end

-- The sizes of a small run, in words: those are what the orders are tried at.
local function sizes(lab, params)
  local changed = {}
  for name, spec in pairs(lab.params) do
    if spec.small ~= nil then changed[#changed + 1] = ("%s = %s"):format(name, tostring(params[name])) end
  end
  table.sort(changed)
  return table.concat(changed, ", ")
end

local function seed_of(word)
  if not word then return nil end
  local seed = math.tointeger(tonumber(word))
  if seed and seed >= 1 and seed <= LARGEST then return seed end
  failure.raise("usage", ("%q is no order's seed"):format(word), nil, "seeds are whole numbers from 1 on")
end

---The command `schedules`.
---@param session table
function schedules.command(session)
  commands.define { name = "schedules", usage = "schedules [STEP] [SEED]",
    summary = "try whether the order of blocks and warps changes the answer",
    help = "Runs the step on the emulator, at a small size, in adversarial orders of its blocks and warps, and says"
      .. " whether one changes the answer: both answers, the two accesses that race, and the seed. With a seed it"
      .. " replays that order.",
    complete = function(prefix) return session.lab:step_ids(prefix) end,
    run = function(args)
      local step = session:named_step(args or {})
      local seed = seed_of(args and args[2])
      local at = runner.context(session.lab, gpu.device, session.params, { small = true })
      local source = session:current_run().context.source
      at.source = source
      local ok, result = pcall(schedules.search, at, step, { seed = seed })
      local params = at:at(step).params
      at:close()
      if not ok then error(result, 0) end
      io.stdout:write(table.concat(schedules.lines(step, result, sizes(session.lab, params)), "\n"), "\n")
    end }
end

return schedules
