-- The command schedules: a step or launch in adversarial orders of its blocks and warps.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local progress = require "gpulab.base.progress"
local schedules = lazy "gpulab.show.schedules"
local view = require "gpulab.prompt.view"

local function seed_of(word)
  if not word then return nil end
  local seed = math.tointeger(tonumber(word))
  if seed and seed >= 1 and seed <= schedules.LARGEST then return seed end
  failure.usage(("%q is not a seed"):format(word), "seeds are integers from 1 on")
end

return view.command { name = "schedules", usage = "schedules [STEP|LAUNCH] [SEED]",
  summary = "test whether the order of blocks and warps changes the result",
  help = "Runs it on the emulator, a step at a small size, in adversarial orders of its blocks and warps. If an order"
    .. " changes the result, it prints both results, the two accesses that race, and the seed. With a seed it replays"
    .. " that order.",
  is_option = function(_, _, i) return i > 1 end,
  run = function(record, words, _, prompt)
    if #words > 1 then
      failure.usage(("%q is not expected"):format(words[2]), "usage: schedules [STEP|LAUNCH] [SEED]")
    end
    return schedules.lines(record, progress.during("orders of " .. record.title, prompt.options.quiet,
      schedules.search, record, { seed = seed_of(words[1]) }))
  end }
