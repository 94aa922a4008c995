-- The command run.
local background = require "gpulab.prompt.background"
local remote = require "gpulab.prompt.remote"

local function run(session, words)
  local rest, later = background.words(words)
  local names, elsewhere = remote.words(rest)
  local steps = {}
  if #names == 1 and names[1] == "all" then names = {} end
  for i, name in ipairs(names) do steps[i] = session.lab:step(name) end
  local all = #steps > 0 and steps or session.lab.steps
  if later then return session.background:run(all, "run " .. table.concat(rest, " "), elsewhere) end
  if elsewhere then return remote.run(session, all) end
  if #steps == 1 then return session:show_and_run(names[1]) end
  session:run_and_judge(all)
end

return { name = "run", usage = "run [--remote] [STEP...|all] [&]", topic = "steps",
  summary = "run steps; without arguments, all of them",
  help = "Runs the named steps, or all of them, verifies each result and prints a table. A single step shows its text"
    .. " first. A step's number or a unique prefix of its id is enough. --remote runs them on the remote GPU that the"
    .. " site file names; your own device does not change. With & at the end you can go on typing while gpulab waits"
    .. " for a remote GPU; the table appears when it is available. See ?jobs.",
  complete = function(session) return table.move({ "all" }, 1, 1, #session:step_ids() + 1, session:step_ids()) end,
  run = run }
