-- The command schedules: a step in adversarial orders of its blocks and warps.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local runner = require "gpulab.run.runner"
local schedules = require "gpulab.show.schedules"
local text = require "gpulab.base.text"

-- The sizes of a small run, in words: the orders are tried at these sizes.
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
  if seed and seed >= 1 and seed <= schedules.LARGEST then return seed end
  failure.usage(("%q is not a seed"):format(word), "seeds are integers from 1 on")
end

local function run(session, words)
  local step = session:named_step(words)
  local seed = seed_of(words[2])
  local at = runner.context(session.lab, gpu.device, session.params, { small = true })
  at.source = session:current_run().context.source
  local ok, result = host.catch(schedules.search, at, step, { seed = seed })
  local params = at:at(step).params
  at:close()
  if not ok then error(result, 0) end
  text.say(schedules.lines(step, result, sizes(session.lab, params)))
end

return { name = "schedules", usage = "schedules [STEP] [SEED]", topic = "results",
  summary = "test whether the order of blocks and warps changes the result",
  help = "Runs the step on the emulator, at a small size, in adversarial orders of its blocks and warps. If an order"
    .. " changes the result, it prints both results, the two accesses that race, and the seed. With a seed it replays"
    .. " that order.",
  complete = function(session) return session:step_ids() end,
  run = run }
