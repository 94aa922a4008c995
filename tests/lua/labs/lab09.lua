-- Lab 9 on the emulator at the size of tests: that its figures bear out what its texts say. (That steps verify and exercises
-- work `--verify-labs` sees to.)
local lu = require "luaunit"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"
local transfer = require "gpulab.run.transfer"

local lab = dofile(arg[1])

local function context(set, options)
  local params = lab:parameters(set or {}, { emulated = true, small = true })
  options = options or {}
  options.small = true
  return runner.context(lab, gpu.device, params, options)
end

local function well(record)
  lu.assertEquals(record.outcome, "ok", record.message)
  return record
end

TestLab9 = {}

function TestLab9.test_timelines_belong_to_pipelines_and_fit()
  local at = context(nil, { models = { "Tesla C1060" } })
  for _, step in ipairs(lab.steps) do
    local record = well(runner.run(at, step))
    lu.assertEquals(record.timeline ~= nil, step.overlap ~= nil, step.id)
    for _, line in ipairs(transfer.lines(record)) do lu.assertTrue(text.width(line) <= 80, line) end
  end
  at:close()
end

local function rate_of(id, set, models)
  local at = context(set, { models = models })
  local record = well(runner.run(at, (lab:step(id))))
  at:close()
  return record.rate.number, record.models[1] and record.models[1].rate.number
end

function TestLab9.test_it_shows_what_it_says()
  lu.assertTrue(rate_of "topinned" > 2 * rate_of "topageable")
  lu.assertTrue(rate_of "small" < rate_of "topinned" / 4)
  local set = { n = 1 << 19, m = 1 << 18, iterations = 20 }
  lu.assertTrue(rate_of("resident", set) > 4 * rate_of("fromhost", set))
  lu.assertTrue(rate_of("scattered", set) < rate_of("fromhost", set) / 10)
  lu.assertTrue(rate_of("bothways", set) > 0.9 * rate_of("fromhost", set))
  lu.assertTrue(rate_of("streams", set) > 1.2 * rate_of("onestream", set))
  lu.assertTrue(rate_of("onestream", set) < rate_of("onechunk", set))
  lu.assertTrue(rate_of("pageable", set) < rate_of("onestream", set))
  local _, depth = rate_of("streams", set, { "Tesla C1060" })
  local _, breadth = rate_of("breadth", set, { "Tesla C1060" })
  lu.assertTrue(breadth > 1.2 * depth)
end

function TestLab9.test_plots_have_all_their_points()
  for _, plot in ipairs(lab.plots) do
    for _, value in ipairs(plot.x.values) do
      for _, id in ipairs(plot.steps) do rate_of(id, { [plot.x.param] = value }) end
    end
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
