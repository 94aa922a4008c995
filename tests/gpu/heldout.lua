-- Kernels that no constant of a model has seen, predicted by the model of a GPU and, on a GPU, measured:
--
--     gpulab [--device cuda:0] tests/gpu/heldout.lua [FILE.tsv [MODEL]]
--
-- Prints predicted, measured and the error of each; FILE.tsv gets the same. On a GPU the model is that GPU's own, on the
-- emulator MODEL or the H200's. Ends with an error if a kernel's result is wrong. tests/gpu/heldout.py compares.
local tables = require "gpulab.base.table"

local here = arg[0] and arg[0]:match("^(.*)/") or "tests/gpu"
local path, model = arg[1], arg[2]
local heldout = dofile(here .. "/heldout/kernels.lua")
local device = gpu.device
model = model or device.backend == "cuda" and device.model or "H200"
if not model then gpu.raise("setup", "there is no model of the " .. device.gpu, "name one: heldout.lua FILE.tsv MODEL") end

local function freed(buffers)
  for _, buffer in pairs(buffers) do buffer:free() end
end

-- On the emulator counting runs the kernel over the device's own buffers; on a GPU it does not touch them.
local function predict(case, kernel, config)
  local buffers = heldout.buffers(case, device)
  local report = device:count(kernel, config, case.args(buffers), { rules = model, models = { model } })
  if device.backend == "cuda" then kernel(config)(table.unpack(case.args(buffers))) end
  local wrong = case.right(buffers)
  freed(buffers)
  if wrong then gpu.raise("wrong", ("%s: %s"):format(case.title, wrong)) end
  return report.models[model]
end

local function measure(case, kernel, config)
  if device.backend ~= "cuda" then return nil end
  local buffers = heldout.buffers(case, device)
  local m = device:time(kernel, config, case.args(buffers))
  freed(buffers)
  return m
end

local rows, records = {}, {}
for i, case in ipairs(heldout.list) do
  local kernel = device:kernel(here .. "/heldout/kernels.cu", case.name)
  local config = { grid = case.grid, block = case.block }
  local p, m = predict(case, kernel, config), measure(case, kernel, config)
  local off = m and 100 * (p.ms / m.ms - 1)
  rows[i] = { case.title, ("%.2f"):format(p.ms * 1e3), m and ("%.2f"):format(m.ms * 1e3) or "–",
    off and ("%+.0f%%"):format(off) or "–", p.bound }
  records[i] = table.concat({ device.gpu, model, device.driver or "none", case.title, ("%.6g"):format(p.ms * 1e3), p.bound,
    m and ("%.6g\t%.6g\t%.6g\t%d"):format(m.ms * 1e3, m.q1 * 1e3, m.q3 * 1e3, m.samples) or "\t\t\t" }, "\t")
end

print(("Predicted by the model of the %s%s, in microseconds"):format(model,
  device.backend == "cuda" and (", measured on " .. device.gpu) or ""))
for _, line in ipairs(tables.render({ { header = { "kernel" } }, { header = { "predicted" }, right = true },
  { header = { "measured" }, right = true }, { header = { "error" }, right = true }, { header = { "bound" }, clip = 8 } },
  rows, {})) do
  print(line)
end
if path then
  local file = assert(io.open(path, "w"))
  file:write("gpu\tmodel\tdriver\tkernel\tpredicted_us\tbound\tmeasured_us\tq1_us\tq3_us\tsamples\n",
    table.concat(records, "\n"), "\n")
  file:close()
end
