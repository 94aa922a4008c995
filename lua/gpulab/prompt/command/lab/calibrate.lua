-- The command calibrate.
local calibrate = require "gpulab.run.calibrate"
local text = require "gpulab.base.text"

return { name = "calibrate", usage = "calibrate", topic = "devices",
  summary = "measure this GPU's copy, L2 and launch times for its model",
  help = "Takes a few seconds on a real GPU. gpulab stores the values in GPULAB_HOME/calibration and loads them at"
    .. " every start. The model of this GPU uses them, and its predictions say so.",
  run = function(session) text.say(calibrate.run(gpu.device, session:table_options())) end }
