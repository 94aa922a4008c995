-- The commands of an open lab: their names, usage, help and completion. What they do is in session.lua.
local commands = require "gpulab.base.commands"
local exercise = require "gpulab.run.exercise"
local host = require "gpulab.host"
local place = require "gpulab.prompt.place"
local schema = require "gpulab.lab.schema"

local session_commands = {}

local function step_ids(self)
  return function(prefix) return self.lab:step_ids(prefix) end
end

---Completes a step or an exercise.
function session_commands.target_ids(self)
  return function(prefix)
    local ids = self.lab:step_ids(prefix)
    for _, id in ipairs(exercise.ids(self.lab)) do
      if id:sub(1, #prefix) == prefix then ids[#ids + 1] = id end
    end
    return ids
  end
end

local function among(list)
  return function(prefix)
    local found = {}
    for _, name in ipairs(list()) do
      if name:lower():sub(1, #prefix) == prefix:lower() then found[#found + 1] = name end
    end
    return found
  end
end

local function model_names()
  local names = { "all", "none" }
  for _, model in ipairs(gpu.models()) do names[#names + 1] = model.name end
  for _, name in ipairs(gpu.cards()) do names[#names + 1] = name end
  return names
end

local function device_names()
  local names = {}
  for i, device in ipairs(gpu.devices()) do names[i] = device.name end
  return names
end

local function parameter_names(self)
  return function()
    local names = schema.sorted_keys(self.lab.params)
    for i, name in ipairs(names) do names[i] = name .. "=" end
    return names
  end
end

local function command_rows(self)
  local steps, targets = step_ids(self), session_commands.target_ids(self)
  return {
    { name = "run", usage = "run [--remote] [STEP...] [&]", summary = "run steps; without arguments, all of them",
      complete = steps, help = "Runs the named steps, or all of them, verifies each result and prints a table. A single"
        .. " step shows its text first. A step's number or a unique prefix of its id is enough. --remote runs them on"
        .. " the remote GPU that the site file names; your own device does not change. With & at the end you can go on"
        .. " typing while gpulab waits for a remote GPU; the table appears when it is available. See ?jobs." },
    { name = "steps", usage = "steps", summary = "list the steps of this lab",
      help = "Lists the steps with their numbers; > marks the current one." },
    { name = "why", usage = "why [STEP]", summary = "explain what limits a step and what would change that",
      complete = targets,
      help = "Shows the resource that limits the step's time and what would shorten it; then what its warps wait for,"
        .. " divergence, atomics, and the access that exceeds its ideal cost the most, for shared memory with the bank"
        .. " that each lane accesses." },
    { name = "next", usage = "next [STEP]", summary = "show and run the next step", complete = steps,
      help = "Shows the next step's text and runs it. next 2 and next tile continue at that step." },
    { name = "prev", usage = "prev [STEP]", summary = "show and run the previous step", complete = steps,
      help = "Shows the previous step's text and runs it. prev 2 and prev tile go back to that step." },
    { name = "show", usage = "show [STEP]", summary = "show a step's text again", complete = targets,
      help = "Shows the text of a step or the task of an exercise, by default of the current step." },
    { name = "text", usage = "text [STEP]", summary = "the same as show", complete = steps, verb = "show",
      help = "Shows the text of a step, by default of the current one." },
    { name = "lines", usage = "lines [STEP]", summary = "show instructions and memory traffic per source line",
      complete = targets,
      help = "Shows warp instructions, and sectors and wavefronts per request, for each source line." },
    { name = "compare", usage = "compare STEP STEP", summary = "test whether the second step is faster than the first",
      complete = steps, help = "Samples both steps alternately and answers faster, slower or cannot tell, with a"
        .. " confidence interval for the ratio of their times. On the emulator it compares predictions." },
    { name = "resources", usage = "resources [STEP]",
      summary = "show a kernel's registers, shared memory and occupancy",
      complete = steps, help = "Shows registers, shared and local memory, how many blocks fit on an SM, and what"
        .. " limits their number." },
    { name = "plot", usage = "plot [ID [FILE.svg]]", summary = "draw a plot of this lab, or write it as SVG",
      complete = function(prefix)
        local ids = {}
        for _, plot in ipairs(self.lab.plots) do
          if plot.id:sub(1, #prefix) == prefix then ids[#ids + 1] = plot.id end
        end
        return ids
      end,
      help = "Runs the plot's steps for each value on its x axis and draws the result; alone draws the lab's only plot,"
        .. " or lists the plots. With a file name that ends in .svg it writes the plot there. `model` adds curves of"
        .. " other GPUs." },
    { name = "predict", usage = "predict [STEP [NUMBER]|on|off]", summary = "predict a step's number before it runs",
      complete = function(prefix)
        local ids = {}
        for _, id in ipairs(self.predictions:asking()) do
          if id:sub(1, #prefix) == prefix then ids[#ids + 1] = id end
        end
        return ids
      end,
      help = "Alone draws your predictions against the actual numbers. predict tile 30 saves a prediction for a step"
        .. " that has not run yet. Steps also ask before they run; Enter skips, and predict off turns them off." },
    { name = "note", usage = "note [STEP] TEXT", summary = "write a note on a step", raw = true, complete = targets,
      help = "Saves a note on the named step, or on the current one, in the journal." },
    { name = "notes", usage = "notes [STEP]", summary = "list your notes", complete = targets,
      help = "Lists the notes of this lab, or of one step or exercise, oldest first." },
    { name = "set", usage = "set [NAME=VALUE...]", summary = "show or change the lab's parameters",
      complete = among(parameter_names(self)), help = "Without arguments lists the parameters. set n=1024 changes one"
        .. " and discards the earlier results." },
    { name = "model", usage = "model [NAME|all|none]", summary = "also predict the time on another GPU",
      complete = among(model_names),
      help = "Adds a GPU to the list of predictions, by its name or a unique prefix of it; all adds every GPU, none"
        .. " clears the list." },
    { name = "device", usage = "device [NAME]", summary = "show or change the device", complete = among(device_names),
      help = "device emu, device GTX 280, device cuda:0: opens the device and discards the earlier results. A GPU's"
        .. " name or a unique prefix of it means its emulator." },
  }
end

---Registers them.
---@param self table the session @param verbs table<string, fun(self: table, args: string[], rest: string)>
function session_commands.register(self, verbs)
  for _, row in ipairs(command_rows(self)) do
    local verb = verbs[row.verb or row.name]
    commands.define { name = row.name, usage = row.usage, summary = row.summary, help = row.help,
      complete = row.complete, raw = row.raw, run = function(args, rest)
        local results = table.pack(host.catch(verb, self, args or {}, rest or ""))
        place.remember(self) -- also after a run that failed or was interrupted
        if not results[1] then error(results[2], 0) end
      end }
  end
end

return session_commands
