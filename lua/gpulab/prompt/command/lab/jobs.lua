-- The commands about jobs: what `run STEP &` asked for.
local failure = require "gpulab.base.failure"
local text = require "gpulab.base.text"

local function named(session, words)
  if #session.background.jobs == 0 then failure.usage("nothing waits for a GPU", "`run STEP &` asks for one") end
  if not words[1] then return session.background.jobs[#session.background.jobs] end
  for _, job in ipairs(session.background.jobs) do
    if words[1]:gsub("^%%", "") == tostring(job.number) then return job end
  end
  failure.usage(("there is no job %s"):format(text.printable(words[1])), "`jobs` lists them")
end

local function kill(session, words)
  local job = named(session, words)
  session.background:drop(job)
  for _, other in ipairs(session.background.jobs) do
    if other.device == job.device then return text.say(("  [%d] %s: canceled"):format(job.number, job.words)) end
  end
  job.device:withdraw()
  text.say(("  [%d] %s: canceled, and %s was given back"):format(job.number, job.words, job.device.name))
end

local function list(session)
  local jobs = session.background.jobs
  if #jobs == 0 then text.say "  Nothing waits for a GPU. `run STEP &` asks for one." end
  for _, job in ipairs(jobs) do text.say("  " .. session.background.described(job)) end
end

local function numbers(session)
  local found = {}
  for i, job in ipairs(session.background.jobs) do found[i] = tostring(job.number) end
  return found
end

return {
  { name = "jobs", usage = "jobs", topic = "devices", summary = "list the jobs that wait for a remote GPU",
    help = "Prints each `run STEP &` that waits: its place in the queue, if the site file says how to ask for it, and"
      .. " the seconds so far.",
    run = list },
  { name = "fg", usage = "fg [N]", topic = "devices", summary = "wait for a job of `run STEP &`",
    help = "Waits as `run` does, and Ctrl-C cancels. N is a number of `jobs`; without it, the last.",
    complete = numbers, run = function(session, words) session.background:measure(named(session, words)) end },
  { name = "kill", usage = "kill [N]", topic = "devices", summary = "cancel a job of `run STEP &`",
    help = "Cancels the job in the queue. N is a number of `jobs`; without it, the last.",
    complete = numbers, run = kill },
}
