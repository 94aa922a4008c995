-- The command model: GPUs whose times are predicted in addition.
local lazy = require "gpulab.base.lazy"
local batch = lazy "gpulab.show.batch"
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local text = require "gpulab.base.text"

-- Of an open lab and of the launches at a prompt without one.
local function asked_of(prompt)
  return prompt.session and prompt.session.models or prompt.records.models
end

local function list(prompt)
  local names, also = {}, {}
  for i, model in ipairs(gpu.models()) do names[i] = text.together(model.name) end
  for i, name in ipairs(gpu.cards()) do also[i] = text.together(name) end
  local models = asked_of(prompt)
  local lines = text.wrap("Predicted in addition: " .. (#models > 0 and text.list(models) or "none"), "  ")
  text.add(lines, "GPUs with a model: " .. table.concat(names, ", "))
  text.add(lines, "By name also: " .. table.concat(also, ", "))
  pager.show(lines)
end

local function run(prompt, words)
  if #words == 0 then return list(prompt) end
  local session = prompt.session
  local wanted = table.concat(words, " ") -- names of GPUs contain blanks; quotes are optional
  if wanted == "off" then wanted = "none" end
  local models = wanted == "none" and {} or { table.unpack(asked_of(prompt)) }
  if wanted ~= "none" then models[#models + 1] = wanted end
  models = batch.asked(models) -- raises if there is no such model
  prompt.records:predict_for(models)
  if session then session.models = models end
  if session and session.run then batch.set_models(session.run, models) end
  local said = wanted == "all" and "all" or #models > 0 and text.list(lists.map(models, text.together)) or "none"
  if #models > 0 and not session and #prompt.records.launches > 0 then
    return text.say_wrapped(("Predicted in addition: %s. `why`, `launches`, and `compare` predict launches again whose"
      .. " inputs are kept."):format(said))
  end
  text.say_wrapped(("Predicted in addition, from the next run on: %s."):format(said))
end

local function names()
  local found = { "all", "none" }
  for _, model in ipairs(gpu.models()) do found[#found + 1] = model.name end
  for _, name in ipairs(gpu.cards()) do found[#found + 1] = name end
  return found
end

return { name = "model", usage = "model [NAME|all|none]", topic = "devices",
  summary = "also predict the time on another GPU",
  help = "Adds a GPU to the list of predictions, by its name or a unique prefix of it; all adds every GPU, none or off"
    .. " clears the list. Steps and launches that run from now on are predicted for it, and launches before that when"
    .. " they are looked at, if their inputs are kept.",
  complete = names,
  run = run }
