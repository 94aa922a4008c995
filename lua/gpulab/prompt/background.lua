-- `run STEP &`: asks for a remote GPU and returns to the prompt. The steps run, and their table appears, once the
-- worker is there. In the meantime what needs no GPU is answered by the emulator of that GPU: why, lines, check, saves.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local remote = require "gpulab.prompt.remote"
local show = require "gpulab.base.show"
local steps_of = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local background = {}

---@class Background
---@field jobs table[] {number, device, steps, words, remote}, the oldest first
local Background = {}
Background.__index = Background

local LOOK <const> = 0.25 -- seconds between two looks at what was asked for

---@param session table @return Background
function background.new(session)
  return setmetatable({ session = session, jobs = {}, number = 0 }, Background)
end

---Takes a final & out of a command's words.
---@param args string[] @return string[] args, boolean given
function background.words(args)
  local words = { table.unpack(args) }
  local last = words[#words]
  if not last or last:sub(-1) ~= "&" then return words, false end
  words[#words] = last ~= "&" and last:sub(1, -2) or nil
  return words, true
end

-- The emulator in place of the session's own device ------------------------------------------------

-- While the session's device is waited for, its emulator stands in: with results and parameters of its own.
local function stand_in(self)
  local session = self.session
  if self.own then return end
  local device = gpu.open("emu:" .. (gpu.device.model or gpu.device.gpu))
  self.own = { run = session.run, device = gpu.device }
  session.run, session.stand_in = nil, device
  session:set_parameters(true)
end

-- The session's own device is back, with its earlier results if the parameters are still the same.
local function stand_back(self)
  local session, own = self.session, self.own
  if not own then return end
  self.own = nil
  session:discard_results()
  session.stand_in = nil
  session:set_parameters(gpu.device.emulates)
  if own.run and gpu.device == own.device and own.run.key == steps_of.key(session.params) then session.run = own.run end
end

local function own_waits(self)
  return lists.any(self.jobs, function(job) return job.device == gpu.device end)
end

-- Jobs ---------------------------------------------------------------------------------------------

---Forgets a job.
function Background:drop(job)
  for i = #self.jobs, 1, -1 do
    if self.jobs[i] == job then table.remove(self.jobs, i) end
  end
  if not own_waits(self) then stand_back(self) end
end

---@param job table @return string
function Background.described(job)
  local state, seconds, place, all = job.device:asked()
  local where = place and place > 0 and ("place %d of %d in the queue, "):format(place, all) or ""
  local what = state == "asked" and ("waiting for %s, %s%.0f s"):format(job.device.name, where, seconds)
    or "about to run on " .. job.device.name
  return ("[%d] %s: %s"):format(job.number, job.words, what)
end

---Runs the steps of a job, whose worker has come or is waited for now.
function Background:measure(job)
  self:drop(job)
  if job.remote then return remote.run(self.session, job.steps) end
  if job.device == gpu.device then return self.session:run_and_judge(job.steps, true) end
  failure.usage(("%s: the device has been changed"):format(job.words), "`run` measures on the new one")
end

---Asks for the GPU that these steps need, and is back at once; if it is here already, the steps run.
---@param steps table[] @param words string as typed @param elsewhere boolean on the GPU of `run --remote`
function Background:run(steps, words, elsewhere)
  local device = elsewhere and remote.open(self.session) or gpu.device
  self.number = #self.jobs == 0 and 1 or self.number + 1
  local job = { number = self.number, device = device, steps = steps, words = words, remote = elsewhere }
  if not elsewhere then self.session.predictions:before(steps) end -- not while a GPU is held for an answer
  device:ask()
  if not host.isatty(0) or device:asked() == "here" then return self:measure(job) end
  self.jobs[#self.jobs + 1] = job
  if not elsewhere then stand_in(self) end
  local said = Background.described(job) .. ". `jobs` shows its place, `fg` waits for it, `kill` cancels it."
  if not elsewhere then
    said = ("%s Until then the emulator of the %s answers `why`, `lines`, and `check`."):format(said, device.gpu)
  end
  text.say_wrapped(said)
  self.session.book:wake()
end

---What the prompt does between two keys: the first job whose worker has come, or did not come.
---@return function? action, number? seconds until the next look; nil: nothing is waited for
function Background:look()
  for _, job in ipairs(self.jobs) do
    local ok, state = host.catch(job.device.asked, job.device)
    if not ok or state ~= "asked" then
      return function()
        text.follow(host.columns())
        text.say(("  [%d] %s"):format(job.number, job.words))
        local done, problem = ok, state
        if ok then done, problem = host.catch(self.measure, self, job) else self:drop(job) end
        if not done then show.error(problem, self.session.options.color_stderr) end
      end
    end
  end
  return nil, #self.jobs > 0 and LOOK or nil
end

---Before steps are measured in the foreground: the session's own device is the one to use, and is waited for.
function Background:foreground()
  stand_back(self)
end

---After that: what still waits has its emulator again.
function Background:again()
  if own_waits(self) and gpu.device:asked() == "asked" then stand_in(self) end
end

return background
