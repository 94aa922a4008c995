-- `run --remote STEP`: measures on the remote GPU that the site file names, while the session's own device stays.
local batch = require "gpulab.show.batch"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local places = require "gpulab.base.places"
local steps_of = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local remote = {}

local WORD <const> = "--remote"

---Takes --remote out of a command's words.
---@param args string[] @return string[] args, boolean given
function remote.words(args)
  local rest = lists.select(args, function(word) return word ~= WORD end)
  return rest, #rest < #args
end

---The device of `run --remote`. Raises an error if no site file names one.
function remote.open(session)
  local name = places.remote()
  if not name then
    failure.raise("setup", "no site file says which GPU `run --remote` means", "",
      'a site file with `return { remote = "ssh:HOST" }` does; `device ssh:HOST` changes the device for good')
  end
  if not session.remote_device or session.remote_name ~= name then
    session.remote_device, session.remote_name = gpu.open(name), name
  end
  return session.remote_device
end

-- Its results with the same parameters stay for the comparison with the baseline.
local function run_of(session, device)
  local key = steps_of.key(session.params)
  local run = session.remote_run
  if run and run.device == device and run.key == key then return run end
  if run then pcall(run.context.close, run.context) end
  session.remote_run = session:new_run(device)
  return session.remote_run
end

---Runs steps there and prints their table; afterwards the session is as it was.
function remote.run(session, steps)
  local device = remote.open(session)
  local own = { run = session.run, params = session.params, is_emulated = session.is_emulated }
  local _ <close> = setmetatable({}, { __close = function()
    for _, field in ipairs { "run", "params", "is_emulated" } do session[field] = own[field] end
  end })
  session:set_parameters(device.emulates)
  session.run = run_of(session, device)
  session:run_steps(steps)
  text.say("  Taken on " .. batch.device_line(device) .. ".")
end

return remote
