-- Kernels that cheat have to be found out; an honest one is let through. Speaks TAP. On the emulator, which times nothing, only
-- what a wrong result gives away can be tried.
local lab = require "gpulab.lab"
local runner = require "gpulab.run.runner"

local here = arg[0] and arg[0]:match("^(.*)/") or arg[1] or "tests/gpu/cheats"
local on_gpu = gpu.device.backend == "cuda"

local function step(kernel)
  return { id = kernel, title = kernel, text = "A copy.", kernel = { file = here .. "/cheats.cu", name = kernel },
    grid = function(p) return math.min(p.n // 256, 2112) end, block = 256, args = { "odata", "idata", "n" },
    output = "odata", reference = function(_, host) return host.idata end, useful_bytes = function(p) return 8 * p.n end }
end

local trial = lab.define { number = 99, id = "cheats", title = "Cheats", intro = "Copies that cheat.",
  params = { n = { default = on_gpu and 1 << 26 or 1 << 14, min = 1024, max = 1 << 28, help = "elements" } },
  buffers = { idata = { type = "float", count = function(p) return p.n end, fill = "iota" },
    odata = { type = "float", count = function(p) return p.n end } },
  steps = { step "honest", step "never", step "caching", step "first_only" } }

local context = runner.context(trial, gpu.device, trial:parameters {}, {})
local done, failed = 0, false

local function check(good, what, more)
  done, failed = done + 1, failed or not good
  print(("%s %d - %s"):format(good and "ok" or "not ok", done, what))
  if more then print("# " .. more:gsub("\n", "\n# ")) end
end

local function try(name)
  local record = runner.run(context, (trial:step(name)))
  return record, record.message
end

local record, message = try "honest"
check(record.outcome == "ok" and record.verified and not (record.times and record.times.impossible),
  "an honest kernel is let through", message)
record, message = try "never"
check(record.outcome == "wrong" and message:find("never written"), "a kernel that never runs", message)
if on_gpu then
  record, message = try "caching"
  check(record.outcome == "wrong" and message:find("it skips work")
    or record.times and record.times.impossible, "a kernel that caches its answer", message)
  record, message = try "first_only"
  check(record.outcome == "wrong" and message:find("wrong after the timed runs"), "a kernel that writes only when checked",
    message)
else
  print(("ok %d - a kernel that caches its answer # SKIP nothing is timed without a GPU"):format(done + 1))
  print(("ok %d - a kernel that writes only when checked # SKIP nothing is timed without a GPU"):format(done + 2))
  done = done + 2
end
print("1.." .. done)
if failed then error("cheats were not found out", 0) end
