-- Runs a program as the host code of a project is run: confined.lua PROGRAM
local exec = require "gpulab.exec"
local program = require "gpulab.run.program"


-- Seen from outside: by how many copies and fills.
local seen <const> = { 0, 0, 0 }
local function copied(copy)
  local kind = copy.fills and 3 or copy.to_host and 2 or 1
  seen[kind] = seen[kind] + 1
end

local path <const> = arg[1]
local ended = exec.run { path = "/bin/sh",
  args = { "sh", "-c", 'export GPULAB_EXEC_CONFINED=1; exec "$0"', path },
  cuda_12 = program.check(path), gpu = "H200", mode = "run", confined = true,
  schedules = 0, streams = 0, models = {}, copied = copied }
print(("copies to the device: %d, to the host: %d, fills: %d"):format(table.unpack(seen)))
os.exit(ended.status)
