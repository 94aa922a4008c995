-- Rooflines: where a step is, what the roof is made of, and what cannot be drawn.
local double = require "lab_double"
local lu = require "luaunit"
local roofline = require "gpulab.show.roofline"
local text = require "gpulab.base.text"

local H200 = { name = "H200", sms = 100, fp32_lanes = 128, shader_ghz = 2, dram_gbps = 4000 } -- 51200 GFLOPS

local function record(id, more)
  local r = { step = { id = id, title = id }, params = { n = 10 }, outcome = "ok", times = { ms = 0.5 },
    report = { rules = "H200", counters = { thread_instructions = 2e6 },
      models = { H200 = { known = true, ms = 1, dram_bytes = 1e6, limits = { { name = "latency", ms = 1 } } } } } }
  for key, v in pairs(more or {}) do r[key] = v end
  return double.record(r)
end

-- A step that declares its operations.
local function flops(id, count)
  local r = record(id)
  function r:flops() return count * self.params.n end
  return r
end

TestRoofline = {}

function TestRoofline:setUp()
  double.install {}
  self.model, gpu.model = gpu.model, function(name) return name == "H200" and H200 or error(name) end
end

function TestRoofline:tearDown() gpu.model = self.model end

function TestRoofline.test_flops_where_every_step_declares_them()
  local roof = roofline.of { flops("a", 1e6), flops("b", 2e6) }
  lu.assertEquals(roof.peak, 51200)
  lu.assertEquals(roof.bandwidth, 4000)
  lu.assertEquals(roof.points[1].x, 10) -- 10^7 flops, 10^6 bytes
  lu.assertEquals(roof.points[1].y, 20) -- in 0.5 ms: 20 GFLOPS
  lu.assertEquals(roof.points[2].limiter, "latency")
end

function TestRoofline.test_else_instructions()
  local roof = roofline.of { flops("a", 1e6), record "b" }
  lu.assertEquals(roof.peak, 25600)
  lu.assertEquals({ roof.points[1].x, roof.points[1].y }, { 2, 4 })
  lu.assertStrContains(table.concat(roofline.lines(roof), " "):gsub("%s+", " "), "25600 Ginstr/s on the right")
end

function TestRoofline.test_the_predicted_time_where_none_was_measured()
  lu.assertEquals(roofline.of({ record("a", { times = false }) }).points[1].y, 2)
end

function TestRoofline.test_the_time_of_one_gpu_is_not_drawn_under_the_roof_of_another()
  local other = record("a", { models = { { gpu = "H200" } } })
  other.report.rules = "GPU without a model"
  lu.assertEquals(roofline.of({ other }).points[1].y, 2)
end

function TestRoofline.test_the_table_and_the_chart_fit()
  local records = {}
  for i = 1, 12 do
    records[i] = flops("step" .. i, 1e5 * i * i)
    records[i].report.counters.thread_instructions = 1e8
  end
  local lines = roofline.lines(roofline.of(records), { ascii = true })
  local said = table.concat(lines, "\n")
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  lu.assertStrContains(said, "Roofline of the H200")
  lu.assertStrMatches(said:gsub("%s+", " "), ".*step3 9.00 18.0 0 %% latency.*")
  lu.assertStrContains(said:gsub("%s+", " "), "4000 GB/s on the left, 51200 GFLOPS on the right; they meet at 12.8 per byte")
  lu.assertStrContains(said, "The chart shows the first 9.")
end

-- Instructions that do more than an FMA per thread are not those of the FP32 lanes.
function TestRoofline.test_no_share_of_the_fp32_roof_on_tensor_cores()
  local lines = roofline.lines(roofline.of { flops("fma", 4e5), flops("mma", 4.1e5) })
  local said = table.concat(lines, " "):gsub("%s+", " ")
  lu.assertStrContains(said, "fma 4.00 8.00 0 % latency")
  lu.assertStrContains(said, "mma 4.10 8.20 – latency")
  lu.assertStrContains(said, "It does not hold for mma: tensor cores")
  lu.assertNotStrContains(table.concat(roofline.lines(roofline.of { flops("fma", 4e5) }), " "), "does not hold")
end

function TestRoofline.test_svg()
  local svg = roofline.svg(roofline.of { flops("a<b", 1e6) })
  lu.assertStrContains(svg, "<svg")
  lu.assertStrContains(svg, "a&lt;b")
end

function TestRoofline.test_nothing_to_draw()
  local function refused(records, said)
    local ok, e = pcall(roofline.of, records)
    lu.assertFalse(ok)
    lu.assertStrContains(e.message, said)
  end
  refused({ double.record { step = { id = "x" }, outcome = "ok" } }, "x launches no kernel")
  refused({ double.record { step = { id = "x" }, outcome = "ok", report = { counters = {}, models = {} } } },
    "nothing has a predicted time")
  local still = record "x"
  still.report.models.H200.dram_bytes = 0
  refused({ still }, "no data moves in DRAM")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
