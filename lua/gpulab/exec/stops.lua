-- gpulab exec --break: which launches of a program are stepped, and the prompt for them.
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local text = require "gpulab.base.text"

local stops = {}
stops.__index = stops

-- A line is looked for in so many blocks of a launch, from the first on.
local MOST_BLOCKS <const> = 64

local function parsed(where)
  local file, line = where:match("^(.+):(%d+)$")
  if line then return { where = where, file = file, line = tonumber(line) } end
  if where:match("^[%a_][%w_:]*$") then return { where = where, kernel = where } end
  failure.usage(("--break %s: neither a kernel's name nor FILE:LINE"):format(where))
end

---@param list string[] what --break was given @param options table those of gpulab
---@param names table what allocations are called
function stops.new(list, options, names)
  local self = setmetatable({ list = {}, options = options, names = names, without = {} }, stops)
  for i, where in ipairs(list) do self.list[i] = parsed(where) end
  return self
end

local function is_named(stop, launch)
  return stop.kernel and (launch.name == stop.kernel or launch.name:sub(-#stop.kernel - 2) == "::" .. stop.kernel)
end

---Is the launch to be stepped? Whether it has code of a line is known when it is.
function stops:wants(launch)
  if self.off then return false end
  for _, stop in ipairs(self.list) do
    if is_named(stop, launch) or stop.file and not self.without[launch.kernel] then return true end
  end
  return false
end

-- The kernel for the debugger, from what is known without its compiler.
local function kernel_of(launch, stepping)
  local path = ""
  for _, place in ipairs(stepping:places()) do
    if place.name == launch.kernel and path == "" then path = place.file end
  end
  return { name = launch.name, linked = launch.kernel,
    module = { program = true, path = path, source = path ~= "" and files.read(path) or "", ptx = launch.ptx } }
end

-- To the line, in the first of the blocks that gets there.
local function go_to_line(d, stop)
  d:stop_at(stop.where)
  local blocks = d.grid[1] * d.grid[2] * d.grid[3]
  for block = 0, math.min(blocks, MOST_BLOCKS) - 1 do
    if block > 0 then d:focus(block, 0) end
    if d:go("on").halt == "stop" then return true end
  end
  return false
end

-- Whether the launch is at a stop.
local function arrives(self, d, launch)
  for _, stop in ipairs(self.list) do
    if is_named(stop, launch) then
      stop.met = true
      return true
    end
  end
  for _, stop in ipairs(self.list) do
    if stop.file and d:has_line(stop.file, stop.line) then
      stop.found = true
      if go_to_line(d, stop) then
        stop.met = true
        return true
      end
    end
  end
  return false
end

local function has_code(self, d)
  for _, stop in ipairs(self.list) do
    if stop.file and d:has_line(stop.file, stop.line) then return true end
  end
  return false
end

-- The prompt of all launches that are stepped.
local function prompt_of(self)
  if not self.prompt then
    self.prompt = require("gpulab.prompt.repl").new(self.options)
    self.prompt:offer_functions()
  end
  return self.prompt
end

---Steps the launch if it gets to a stop: a prompt, until `kill` or `quit`.
function stops:step(launch, stepping)
  local config = { grid = launch.grid, block = launch.block }
  local d = debugger.of(stepping, kernel_of(launch, stepping), config, launch.name)
  d.named = function(message) return self.names:named(message) end
  if not has_code(self, d) then self.without[launch.kernel] = true end
  if not arrives(self, d, launch) then return d:close() end
  local prompt = prompt_of(self)
  local killed = false
  io.stdout:write(("Launch %d of the program.\n"):format(launch.number))
  prompt.stepper:enter(d, { color = self.options.color, close = function()
    killed = true
    prompt:stop()
  end })
  prompt.commands.prompt = "exec debug"
  prompt:loop()
  self.off = not killed
  prompt.stepper:leave()
  io.stdout:flush()
end

---Says which stops no launch got to.
function stops:finish()
  for _, stop in ipairs(self.list) do
    if not stop.met and not self.off then
      io.stderr:write(("gpulab: no launch got to %s%s\n"):format(text.printable(stop.where), stop.found
        and (" in its first %d blocks"):format(MOST_BLOCKS) or stop.file
        and ": no kernel that ran has code there (was it compiled with -lineinfo?)" or ""))
    end
  end
end

return stops
