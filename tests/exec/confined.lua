-- Runs a program as the host code of a project is run: confined.lua PROGRAM
local exec = require "gpulab.exec"
local program = require "gpulab.run.program"

local function nothing() end

local path <const> = arg[1]
local ended = exec.run { path = "/bin/sh",
  args = { "sh", "-c", 'export GPULAB_EXEC_CONFINED=1; exec "$0"', path },
  cuda_12 = program.check(path), gpu = "H200", mode = "run",
  schedules = 0, streams = 0, models = {}, launched = nothing, found = nothing, failed = nothing,
  unwritten = nothing, early = nothing, seen = nothing, allocated = nothing, timed = nothing }
os.exit(ended.status)
