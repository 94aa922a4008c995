-- The commands about the device, its jobs, and the lab's parameters: calibrate, device, jobs, fg, kill, set.
local batch = require "gpulab.show.batch"
local calibrate = require "gpulab.run.calibrate"
local device_name = require "gpulab.base.device_name"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local function use_device(session, words)
  if #words > 0 then session:use_device(gpu.open(device_name.of(table.concat(words, " ")))) end
  text.say("  " .. batch.device_line(gpu.device))
end

-- Jobs: what `run STEP &` asked for ---------------------------------------------------------------

local function named(session, words)
  local jobs = session.background.jobs
  if #jobs == 0 then failure.usage("nothing is stepped, and nothing waits for a GPU", "`run STEP &` asks for one") end
  if not words[1] then return jobs[#jobs] end
  return lists.find(jobs, function(job) return words[1]:gsub("^%%", "") == tostring(job.number) end)
    or failure.usage(("there is no job %s"):format(text.printable(words[1])), "`jobs` lists them")
end

local function kill(session, words)
  local job = named(session, words)
  session.background:drop(job)
  local shared = lists.find(session.background.jobs, "device", job.device)
  if not shared then job.device:withdraw() end
  text.say(("  [%d] %s: canceled%s"):format(job.number, job.words,
    shared and "" or (", and %s was given back"):format(job.device.name)))
end

local function list_jobs(session)
  local jobs = session.background.jobs
  if #jobs == 0 then text.say "  Nothing waits for a GPU. `run STEP &` asks for one." end
  for _, job in ipairs(jobs) do text.say("  " .. session.background.described(job)) end
end

local function numbers(session)
  return lists.map(session.background.jobs, function(job) return tostring(job.number) end)
end

-- Parameters --------------------------------------------------------------------------------------

local function list_parameters(session)
  local rows = lists.map(lists.keys(session.lab.params), function(name)
    return { name, tostring(session.params[name]), session.lab.params[name].help }
  end)
  local columns = { { header = {} }, { header = {}, right = true }, { header = {}, narrow = 20 } }
  text.say(tables.render(columns, rows, session:table_options()))
end

-- The results that a change of parameters discards would seem lost.
local function say_discarded(session, before)
  local changed = lists.select(lists.keys(session.params), function(name)
    return session.params[name] ~= before[name]
  end)
  if #changed == 0 then return end
  text.say_wrapped(("Rows of earlier values of %s are no longer shown; `history STEP` lists their runs."):format(
    text.list(changed)))
end

-- Where a parameter is that of few steps, the student wants to run them.
local function say_users(session, before)
  local MOST <const> = 2
  for _, name in ipairs(lists.keys(session.params)) do
    local users = session.params[name] ~= before[name] and session:users_of(name) or {}
    if #users > 0 and #users <= MOST then
      text.say_wrapped(("%s = %s: %s"):format(name, tostring(session.params[name]),
        text.list(lists.map(users, function(step) return ("`run %s`"):format(step.id) end))))
    end
  end
end

local function set(session, words, rest)
  if #words == 0 then return list_parameters(session) end
  local wanted = {}
  for name, given in pairs(session.chosen) do wanted[name] = given end
  for word in rest:gsub("%s*=%s*", "="):gmatch "%S+" do
    local name, given = word:match("^([%w_]+)=(.+)$")
    if not name then failure.usage(("%q is not name=value"):format(rest), "for example: set n=1024") end
    wanted[name] = given
  end
  local before = session.params
  if session:choose(wanted) then say_discarded(session, before) end
  say_users(session, before)
end

return {
  { name = "calibrate", usage = "calibrate", topic = "devices",
    summary = "measure this GPU's copy, L2 and launch times for its model",
    help = "Takes a few seconds on a real GPU. gpulab stores the values in GPULAB_HOME/calibration and loads them at"
      .. " every start. The model of this GPU uses them, and its predictions say so.",
    run = function(session) text.say(calibrate.run(gpu.device, session:table_options())) end },
  { name = "device", usage = "device [NAME]", topic = "devices", summary = "show or change the device",
    help = "device emu, device GTX 280, device cuda:0: opens the device and discards the earlier results. A GPU's name"
      .. " or a unique prefix of it means its emulator.",
    complete = function() return lists.map(gpu.devices(), "name") end, run = use_device },
  { name = "jobs", usage = "jobs", topic = "devices", summary = "list the jobs that wait for a remote GPU",
    help = "Prints each `run STEP &` that waits: its place in the queue, if the site file says how to ask for it, and"
      .. " the seconds so far.",
    run = list_jobs },
  { name = "fg", usage = "fg [N]", topic = "devices", summary = "wait for a job of `run STEP &`",
    help = "Waits as `run` does, and Ctrl-C cancels. N is a number of `jobs`; without it, the last.",
    complete = numbers, run = function(session, words) session.background:measure(named(session, words)) end },
  { name = "kill", usage = "kill [N]", topic = "devices", summary = "cancel a job of `run STEP &`",
    help = "Cancels the job in the queue. N is a number of `jobs`; without it, the last.",
    complete = numbers, run = kill },
  { name = "set", usage = "set [NAME=VALUE...]", topic = "devices", looks = 0,
    summary = "show or change the lab's parameters",
    help = "Without arguments lists the parameters. set n=1024 changes one and discards the results of steps that use"
      .. " it.",
    complete = function(session)
      return lists.map(lists.keys(session.lab.params), function(name) return name .. "=" end)
    end,
    run = set },
}
