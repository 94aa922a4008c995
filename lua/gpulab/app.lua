-- What a command line does: lists, scripts, labs, the prompt. Given the options, app.main returns the exit status.
local failure = require "gpulab.base.failure"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local show = require "gpulab.base.show"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local app = {}

-- gpulab's other globals are loaded when they are first named.
setmetatable(_G, { __index = function(_, name)
  if name ~= "lab" and name ~= "check" then return nil end
  local module = require("gpulab." .. name)
  rawset(_G, name, module)
  return module
end })

local function fail(options, e)
  show.error(e, options.color_stderr)
  return failure.status(e)
end

-- Standard output carries the document asked for and nothing else: all other output goes to standard error.
local function reserve_stdout(options)
  if options.json ~= "-" and options.csv ~= "-" and options.html ~= "-" then return end
  host.results_to_stderr(true)
  show.print_to(io.stderr)
  text.say_to(io.stderr)
end

-- Labs ----------------------------------------------------------------------------------------------

local function list_labs(options)
  print(table.concat(require("gpulab.prompt.labs").lines(options.color), "\n"))
  require("gpulab.run.journal").print_warnings()
end

-- Running -------------------------------------------------------------------------------------------

-- The GPUs of --gpu, and the device of --device, however it was typed.
local function choose_device(options)
  for _, path in ipairs(options.gpus) do require("gpulab.base.gpus").read(path) end
  if options.device then options.device = require("gpulab.base.device_name").of(options.device) end
  host.default_device(options.device)
end

local function run_chunks(chunks, from)
  for i = from, #chunks do
    local chunk, problem = load(chunks[i], "=command line", "t")
    if not chunk then error(problem, 0) end
    chunk()
  end
end

local function is_cuda_file(target) return target ~= nil and target:match "%.cuh?$" ~= nil end

-- Those written after a lab or a CUDA file. Chunks among them run for a lab.
local function late_options(options, no_chunks)
  if #options.args > 0 then
    local ran = #options.execute
    options:late()
    gpu.lock(not options.no_lock)
    choose_device(options)
    reserve_stdout(options)
    if not no_chunks then run_chunks(options.execute, ran + 1) end
  end
  given.take(options)
end

-- Commands come from a pipe that has any.
local function wants_prompt_of(options)
  return options.interactive or options.terminal or options.piped and io.read(0) ~= nil
end

local function start_lab(definition, options)
  late_options(options)
  if options.demo then return require("gpulab.prompt.demo").run(definition, options), false end
  if #options.traces > 0 then return require("gpulab.warp.trace_option").run(definition, options), false end
  if #options.plots > 0 then return require("gpulab.show.plots").batch(definition, options), false end
  local document = options.batch or options.json or options.csv or options.html -- leave no room for a prompt
  local wants_prompt = document and options.interactive or not document and wants_prompt_of(options)
  if options.batch or not wants_prompt then
    options.interactive = false
    local status = require("gpulab.show.batch").run(definition, options)
    if status ~= 0 or not wants_prompt then return status, false end
  end
  return 0, true, definition
end

-- Returns the exit status, whether the prompt comes next, and the lab it is for, or what opens it.
local function run_target(path, options)
  if is_cuda_file(path) then
    late_options(options, true)
    local steps = options.batch and "--batch" or options.csv and "--csv"
    if steps then failure.usage(steps .. " is for the steps of a lab", "--json and --html write launches") end
    local chunks = #options.execute > 0
    local wants_prompt = options.interactive or not chunks and wants_prompt_of(options)
    return require("gpulab.prompt.cuda_file").run(path, options, wants_prompt or chunks)
  end
  if path then where.enter(path:match("^(.*)/") or ".") end
  local value = targets.load(path)(table.unpack(options.args))
  if type(value) == "table" and require("gpulab.lab").is_lab(value) then return start_lab(value, options) end
  given.refuse(options, "a script", "it has gpu.compile(FILE, { include = ..., defines = ..., options = ... })")
  return 0, options.interactive
end

-- The prompt ----------------------------------------------------------------------------------------

-- The device's name without opening it: the driver's files say what GPU there is.
local function device_hint(options)
  if options.device and options.device ~= "auto" then return options.device end
  local model = require("gpulab.base.device_name").of_driver()
  return model and "cuda:0 " .. model or "emu"
end

local function banner(options)
  local nvrtc, device, last = host.nvrtc(), text.printable(device_hint(options)), "type ? for help"
  local columns = text.columns
  local function room(line) return columns - 1 - (utf8.len(line) or #line) - #last end
  local line = table.concat({ "gpulab " .. gpu.version, _VERSION, nvrtc and "NVRTC " .. nvrtc or "no NVRTC" }, " · ")
  if room(line .. " · " .. device) >= 2 then
    line = line .. " · " .. device
  else
    print(line)
    line = device
  end
  print(line .. (" "):rep(math.max(2, room(line))) .. last)
end

local function run_init(options)
  local folder = not options.no_init and where.config_folder()
  local path = folder and folder .. "/init.lua"
  if not path or host.kind(path) ~= "file" then return end
  local ok, e = host.protect(function() targets.load(path)() end)
  if not ok then show.error(e, options.color_stderr) end
end

-- Opens what the prompt is for. Of a pipe only the answers are printed.
local function open_prompt(options, definition)
  local opened = require("gpulab.prompt.repl").new(options)
  opened:offer_functions()
  opened.open_session = function(...) return require("gpulab.prompt.session").open(...) end
  if #(options.models or {}) > 0 then opened.records:predict_for(require("gpulab.show.batch").asked(options.models)) end
  if not options.quiet then banner(options) end
  if not options.piped then run_init(options) end
  if not definition then return opened end
  if not options.quiet then print() end
  local open = type(definition) == "function" and definition or require("gpulab.prompt.session").open
  open(definition, options, opened)
  return opened
end

-- The chunks of -e for a CUDA file, whose kernels they launch.
local function run_for_file(opened, options)
  for _, code in ipairs(options.execute) do
    local ok, e = opened:run(code)
    if not ok then error(e, 0) end
  end
end

local function prompt(options, definition)
  local chunks, stays = is_cuda_file(options.target) and #options.execute > 0, options.interactive
  options.interactive, options.quiet = true, options.quiet or options.piped or chunks and not stays
  local ok, e = host.protect(function()
    local opened = open_prompt(options, definition)
    local ran, problem = true, nil
    if chunks then ran, problem = host.protect(run_for_file, opened, options) end
    if ran and (stays or not chunks) then
      if options.piped then problem = opened:read_pipe() else opened:loop() end
    end
    if is_cuda_file(options.target) then require("gpulab.show.documents").of_launches(opened.records, options) end
    if not ran then error(problem, 0) end -- what was launched before it is in the documents
    return problem and failure.status(problem) or opened.records.issues and host.codes.finding
  end)
  if not ok then return fail(options, e) end
  return e or 0
end

-- The whole -----------------------------------------------------------------------------------------

-- Words that are no labs; a file of that name is ./check.
local subcommands <const> = { check = "gpulab.grade.check", grade = "gpulab.grade.command",
  exec = "gpulab.exec.command", doctor = "gpulab.exec.doctor", serve = "gpulab.serve.service",
  lsp = "gpulab.serve.lsp",
  ["new-lab"] = "gpulab.author.skeleton", notebook = "gpulab.author.notebook" }

local compiles <const> = { exec = true, ["new-lab"] = true } -- with -I, -D and -std

-- Everything that comes before the prompt. Returns the exit status, whether the prompt comes next, and its lab.
local function before_prompt(options)
  if options.completion then
    return require("gpulab.prompt.shells").print(options.completion, options.flags), false
  end
  if options.list then list_labs(options) end
  if options.devices then require("gpulab.prompt.devices").measure(options) end
  if options.list or options.devices then return 0, false end
  if options.verify_lectures then return require("gpulab.author.verify").run(options), false end
  if options.verify_labs then return require("gpulab.author.verify_labs").run(options), false end
  if options.claims then return require("gpulab.author.claims").run(), false end
  local module = subcommands[options.target or ""]
  if module then
    given.take(options)
    if not compiles[options.target] then
      given.refuse(options, "gpulab " .. options.target, "a verdict is about the file as it is")
    end
    return require(module).run(options, table.move(options.args, 1, #options.args, 1, {})), false
  end
  if options.interactive then -- what scripts launch is listed at the prompt after them
    options.records = require("gpulab.record.list").new()
    options.records:watch()
  end
  if not is_cuda_file(options.target) then run_chunks(options.execute, 1) end
  if options.target == "-" then return run_target(nil, options) end
  if options.target then return run_target(targets.resolve(options.target), options) end
  if #options.execute > 0 or options.terminal then return 0, options.interactive or #options.execute == 0 end
  return run_target(nil, options)
end

---@param options table @return integer exit status
function app.main(options)
  arg = options.args -- luacheck: ignore 121
  text.follow(host.columns())
  reserve_stdout(options)
  gpu.lock(not options.no_lock)
  local warnings = require("gpulab.base.gpus").load()
  local named, problem = pcall(choose_device, options)
  if not named then return fail(options, problem) end
  for _, warning in ipairs(lists.append(warnings, require("gpulab.run.calibrate").load())) do
    io.stderr:write("gpulab: ", text.printable(warning), "\n")
  end
  local ok, status, wants_prompt, definition = host.protect(before_prompt, options)
  if not ok then return fail(options, status) end
  if status ~= 0 or not wants_prompt then return status end
  local read = options.target == "-" or not options.target and #options.execute == 0 -- standard input, as a script
  if read and not options.terminal then return 0 end
  return prompt(options, definition)
end

return app
