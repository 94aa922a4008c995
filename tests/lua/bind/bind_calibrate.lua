-- gpu.calibrate, and the profiles that `calibrate` keeps: what is read, what is refused. Measuring needs a GPU.
local t = require "luaunit"
local calibrate = require "gpulab.run.calibrate"
local journal = require "gpulab.run.journal"
local refuses = dofile((arg[0]:match("^(.*)/") or ".") .. "/refuses.lua")

local SOURCE <const> = [[
extern "C" __global__ void copy(float *out, const float *in) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i];
}
]]

local function predicted(name)
  local a, b = gpu.buffer("float", 1 << 20, { fill = 1 }), gpu.buffer("float", 1 << 20)
  local kernel = gpu.compile_text(SOURCE):kernel "copy"
  return gpu.count(kernel, { grid = 4096, block = 256 }, { b, a }, { models = { name } }).models[name]
end

-- A folder of its own, as if GPULAB_HOME named it.
local function with_home(f)
  local home, before = os.tmpname(), journal.folder
  os.remove(home)
  journal.folder = function() return home end
  local ok, e = pcall(f, home .. "/calibration")
  journal.folder = before
  os.execute("rm -r '" .. home .. "' 2>/dev/null")
  if not ok then error(e, 0) end
end

local function written(path, content)
  require("gpulab.fs").make_folder(path:match("^(.*)/"))
  require("gpulab.fs").write(path, content)
end

TestCalibrate = {}

function TestCalibrate.test_a_model_goes_by_what_was_measured()
  local before = predicted "RTX 3090"
  t.assertFalse(gpu.model("RTX 3090").calibrated)
  local row = gpu.calibrate { gpu = "rtx 3090", copy_gbps = 400, launch_us = 100 }
  t.assertEquals({ row.name, row.copy_gbps, row.launch_us, row.calibrated }, { "RTX 3090", 400, 100, true })
  t.assertStrContains(row.sources, "launch_us: measured on this machine; 1.4 before")
  local after = predicted "RTX 3090"
  t.assertTrue(after.ms > before.ms + 0.09)
  t.assertStrContains(after.note, "measured on this machine")
  t.assertEquals(gpu.model { base = "RTX 3090", sms = 10 }.copy_gbps, 400)
end

function TestCalibrate.test_refuses_nonsense()
  refuses("gpu: the name of a GPU expected", gpu.calibrate, { copy_gbps = 5 })
  refuses("no GPU is called", gpu.calibrate, { gpu = "Voodoo 2", copy_gbps = 5 })
  refuses("is not measured", gpu.calibrate, { gpu = "H200", banks = 5 })
  refuses("unknown field", gpu.calibrate, { gpu = "H200", speed = 5 })
  refuses("number expected", gpu.calibrate, { gpu = "H200", copy_gbps = "fast" })
  refuses("makes no GPU", gpu.calibrate, { gpu = "H200", copy_gbps = -1 })
  refuses("makes no GPU", gpu.calibrate, { gpu = "H200", l2_gbps = 0 / 0 })
  refuses("more than the 4800", gpu.calibrate, { gpu = "H200", copy_gbps = 4801 })
  refuses("no value of the H200", gpu.calibrate, { gpu = "H200" })
  refuses("table expected", gpu.calibrate, "H200")
  local derived = gpu.model { base = "H200", sms = 3 }
  refuses("was derived", gpu.calibrate, { gpu = derived.name, copy_gbps = 5 })
  t.assertFalse(gpu.model("H200").calibrated)
end

function TestCalibrate.test_the_emulator_is_not_measured()
  local e = refuses("needs a real GPU", calibrate.run, gpu.device)
  t.assertEquals(e.kind, "setup")
end

function TestCalibrate.test_profiles_are_read()
  t.assertEquals(calibrate.parse "gpu = H200\ncopy_gbps = 4300.5\n", { gpu = "H200", copy_gbps = 4300.5 })
  for _, bad in ipairs { "", "gpu", "copy_gbps = 5", "gpu = H200\ncopy_gbps = 1e999", "gpu = H200\nsms = 5",
    "gpu = H200\ncopy_gbps = -5", "gpu = H200\ncopy_gbps = nan", "os.exit()", "gpu = H200\nx", "\0\255" } do
    local profile, wrong = calibrate.parse(bad)
    t.assertNil(profile, bad)
    t.assertTrue(#wrong > 0)
  end
end

function TestCalibrate.test_good_profiles_are_used_and_others_told_of()
  with_home(function(folder)
    t.assertEquals(calibrate.load(), {}) -- none yet
    written(folder .. "/RTX-4090.txt", "gpu = RTX 4090\nlaunch_us = 7.5\n")
    written(folder .. "/long.txt", ("gpu = H200\n"):rep(1000))
    written(folder .. "/absurd.txt", "gpu = H200\ncopy_gbps = 99999\n")
    written(folder .. "/other.md", "no profile")
    local told = calibrate.load()
    t.assertEquals(#told, 2)
    t.assertStrContains(table.concat(told), "it is too large")
    t.assertStrContains(table.concat(told), "more than the 4800")
    t.assertEquals(gpu.model("RTX 4090").launch_us, 7.5)
    t.assertFalse(gpu.model("H200").calibrated)
  end)
end

function TestCalibrate.test_what_changed_is_said()
  local before, now = { copy_gbps = 0, l2_gbps = 10000, launch_us = 1.4 },
    { copy_gbps = 4321, l2_gbps = 9000, launch_us = 1.5 }
  local lines = calibrate.lines("H200", before, now, { copy_gbps = 4321, l2_gbps = 9000 })
  local all = table.concat(lines, "\n")
  t.assertStrContains(all, "unknown")
  t.assertStrContains(all, "-10.0 %")
  t.assertNil(all:find("launch", 1, true))
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
