-- gpulab exec PROGRAM|FILE.cu: a CUDA program as it is, on an emulated GPU. Its output is its own; what gpulab reports
-- goes to standard error.
local lazy = require "gpulab.base.lazy"
local build = lazy "gpulab.run.build"
local exec = require "gpulab.exec"
local failure = require "gpulab.base.failure"
local files = lazy "gpulab.base.files"
local given = require "gpulab.base.given"
local gpu = require "gpulab.gpu"
local host = require "gpulab.host"
local launches = lazy "gpulab.exec.launches"
local launch_list = lazy "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local program = lazy "gpulab.run.program"
local report = require "gpulab.exec.report"
local stops = lazy "gpulab.exec.stops"
local subcommand = require "gpulab.base.subcommand"
local text = require "gpulab.base.text"

local command = {}

local spec <const> = {
  name = "exec", usage = "gpulab exec [options] PROGRAM|FILE.cu [arguments]", least = 1, most = math.maxinteger,
  summary = "Runs a CUDA program on the emulator, unmodified. FILE.cu is compiled by nvcc first.",
  flags = {
    { "device", "NAME", "the GPU: emu, \"emu:GTX 280\", ..." },
    { "check", "LIST", "run each launch under these checkers (gpulab --help names them), or all" },
    { "break", "WHERE", "step through launches of the kernel, or that get to FILE:LINE (repeatable)", list = true },
    { "schedules", "N", "with --check: also in N adversarial orders of blocks and warps (4)" },
    { "streams", "SEED", "run the work of streams in another order that CUDA allows, drawn from the seed" },
    { "model", "NAME", "predict times on this GPU; events measure the first one's (repeatable)", list = true },
    { "count", nil, "print counters by kernel and by source line" },
    { "prompt", nil, "at the end a prompt on the launches: why, lines, debug, and other commands for each" },
    { "why", nil, "at the end explain what limits each kernel, by its costliest launch" },
    { "keep", "WHICH", "with --prompt, also keep the inputs of this launch (its number), kernel, or all (repeatable)",
      list = true },
    { "json", "FILE", "write launches, counters, predictions, and issues as JSON" },
    { "html", "FILE", "write the launches, and why each kernel takes its time, as one HTML page" },
    { "nvcc", "FLAGS", "more flags for nvcc, for FILE.cu" },
  },
  help = "The exit status is the program's own. If that is 0: 2 after a fault, 6 if a checker reported an issue, "
    .. "4 after a time limit, 5 if the program needs a function of the CUDA runtime that gpulab does not have.",
}

-- The options of exec end where the program is named: what follows is the program's.
local function split(words)
  local takes = {}
  for _, flag in ipairs(spec.flags) do takes["--" .. flag[1]] = flag[2] ~= nil end
  local i = 1
  while i <= #words and words[i]:match("^%-.") and words[i] ~= "--" do i = i + (takes[words[i]] and 2 or 1) end
  if words[i] == "--" then i = i + 1 end
  return table.move(words, 1, i - 1, 1, {}), table.move(words, i, #words, 1, {})
end

-- The name of the GPU that is emulated.
local function gpu_of(options)
  local name = require("gpulab.base.device_name").of(options.device or "emu")
  if name == "emu" or name == "auto" then return exec.gpu() end
  local model = name:match("^emu:(.+)$")
  if model then return exec.gpu(model) end
  failure.usage(("gpulab exec runs programs on the emulator, not on %s"):format(name),
    "start the program by itself to run it on the GPU")
end

-- As a shell finds it, but never by PATH.
local function located(name)
  if host.kind(name) == "file" then
    return (name:find("/", 1, true) or name:find "^[^-].*%.cu$") and name or "./" .. name
  end
  failure.raise("setup", ("there is no program %s"):format(name), nil, "gpulab exec ./program [arguments]")
end

local function mode_of(options)
  if options.check then
    local other = options.count and "--count" or options.prompt and "--prompt" or options.why and "--why"
      or options.html and "--html"
      or #options.model > 0 and "--model"
    if not other then return "check" end
    failure.raise("usage", ("--check and %s need a run each: checked launches are not counted"):format(other), nil,
      "first --check, then " .. other)
  end
  if options.count or options.json or options.html or options.prompt or options.why then return "count" end
  return #options.model > 0 and "predict" or "run"
end

local function take_global(options, own)
  for _, name in ipairs { "device", "check", "json", "html" } do own[name] = own[name] or options[name] end
  if #own.model == 0 then own.model = options.models or {} end
end

-- Failing calls are found by this process, and not by a checker of launches.
local function take_api(own)
  if not own.check then return end
  local others = {}
  for word in own.check:gmatch "[^,]+" do
    if not lists.any({ "api", "all", table.unpack(host.checks) }, function(name) return name == word end) then
      local near = text.nearest(word, { "api", "all", table.unpack(host.checks) })
      failure.usage(("%q is not a check"):format(text.printable(word)), near and ("did you mean %s?"):format(near)
        or ("the checks are %s, api, or all of them"):format(table.concat(host.checks, ", ")))
    end
    own.api = own.api or word == "api" or word == "all"
    if word ~= "api" then others[#others + 1] = word end
  end
  own.check = others[1] and table.concat(others, ",")
end

local function schedules_of(own)
  local n = math.tointeger(tonumber(own.schedules or launch_list.ORDERS))
  if n and n >= 0 and n <= 1000 then return n end
  failure.usage("--schedules expects a number from 0 to 1000")
end

local function streams_of(own)
  local n = math.tointeger(tonumber(own.streams or 0))
  if n and n >= (own.streams and 1 or 0) and n < 1 << 31 then return n end
  failure.usage("--streams expects a seed, a number from 1 to 2147483647")
end

-- The launches as records, if something is to be shown of them at the end.
local function records_of(own, name, names)
  if not own.prompt and not own.why and not own.html then return nil end
  local models = {}
  for i, model in ipairs(own.model) do models[i] = exec.gpu(model) end
  return launches.new(name, models, own.keep, names)
end

-- The GPU's own prediction comes with those that were asked for; of these the first is what events measure.
local function models_of(own, name, records)
  local models = table.move(own.model, 1, #own.model, 1, {})
  local there = not records
  for _, model in ipairs(models) do there = there or exec.gpu(model) == name end
  if not there then models[#models + 1] = name end
  return models
end

local function finish(own, options, seen, records, ended, name)
  local status = seen:finish(ended, name, records and records.list.launches)
  if not records then return status end
  for _, which in ipairs(records.collected:not_kept(own.keep)) do
    io.stderr:write(("gpulab: --keep %s: no launch has that number or kernel\n"):format(text.printable(which)))
  end
  if own.html then files.write(own.html, records:page(name)) end
  if own.why then io.stderr:write(table.concat(records:explanation(), "\n"), "\n") end
  if not own.prompt then return status end
  if options.take_records then options.take_records(records.list) end
  if options.take_records then return status end
  local problem = records:prompt(options)
  return status ~= 0 and status or problem or 0
end

---@param options table @param words string[] @return integer status
function command.run(options, words)
  local mine, theirs = split(words)
  table.insert(mine, theirs[1])
  local own = subcommand.parse(spec, mine)
  if not own then return 0 end
  take_global(options, own)
  local path = located(theirs[1])
  if not path:match "%.cu$" then given.refuse(options, path, "it is compiled already") end
  local name = gpu_of(own)
  take_api(own)
  local mode = mode_of(own)
  local built <close> = path:match("%.cu$")
    and build.program(path, gpu.model(name), mode == "count", own.nvcc) or nil
  local seen = report.new(own, options)
  local records = records_of(own, name, seen.names)
  local breaks = #own["break"] > 0 and stops.new(own["break"], options, seen.names) or nil
  local file = built and built.path or path
  local asked = { path = file, cuda_12 = program.check(file), args = theirs, gpu = name, mode = mode,
    checks = own.check, schedules = own.check and schedules_of(own) or 0,
    models = models_of(own, name, records), streams = streams_of(own), keeps = records ~= nil,
    launched = function(launch)
      seen:launched(launch)
      if records then records:add(launch) end
    end,
    timed = function() seen:timed(name) end,
    stops = breaks and function(launch) return breaks:wants(launch) end,
    step = breaks and function(launch, stepping) breaks:step(launch, stepping) end }
  for event in ("found failed unwritten filled early seen allocated freed"):gmatch "%a+" do
    asked[event] = function(...) seen[event](seen, ...) end
  end
  local ended = exec.run(asked)
  if breaks then breaks:finish() end
  return finish(own, options, seen, records, ended, theirs[1])
end

return command
