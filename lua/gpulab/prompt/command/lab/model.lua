-- The command model: GPUs whose times are predicted in addition.
local batch = require "gpulab.show.batch"
local text = require "gpulab.base.text"

local function list(session)
  local names, also = {}, {}
  for i, model in ipairs(gpu.models()) do names[i] = text.together(model.name) end
  for i, name in ipairs(gpu.cards()) do also[i] = text.together(name) end
  local asked = #session.models > 0 and text.list(session.models) or "none"
  local lines = text.wrap("Predicted in addition to the lecture's GPU: " .. asked, "  ")
  text.add(lines, "GPUs with a model: " .. table.concat(names, ", "))
  text.add(lines, "By name also: " .. table.concat(also, ", "))
  text.say(lines)
end

local function run(session, words)
  if #words == 0 then return list(session) end
  local wanted = table.concat(words, " ") -- names of GPUs contain blanks; quotes are optional
  local models = wanted == "none" and {} or { table.unpack(session.models) }
  if wanted ~= "none" then models[#models + 1] = wanted end
  batch.models(session.lab, models) -- raises if there is no such model
  session.models = models
  if session.run then batch.set_models(session.run, models) end
end

local function names()
  local found = { "all", "none" }
  for _, model in ipairs(gpu.models()) do found[#found + 1] = model.name end
  for _, name in ipairs(gpu.cards()) do found[#found + 1] = name end
  return found
end

return { name = "model", usage = "model [NAME|all|none]", topic = "devices",
  summary = "also predict the time on another GPU",
  help = "Adds a GPU to the list of predictions, by its name or a unique prefix of it; all adds every GPU, none clears"
    .. " the list.",
  complete = names,
  run = run }
