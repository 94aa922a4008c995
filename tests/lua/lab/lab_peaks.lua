-- Peak figures: the arithmetic from times to rates, against a device whose times are given.
local double = require "lab_double"
local lu = require "luaunit"

local peaks = require "gpulab.show.peaks"

local record = { name = "T", sms = 10, fp32_lanes = 64, fp64_ratio = 0.5, shader_ghz = 1, dram_gbps = 1000,
  shared_bytes_per_clock = 128 }

local function device(times)
  local d = { sms = 10, model = "T", freed = 0, closed = 0 }
  function d:buffer() return { free = function() self.freed = self.freed + 1 end } end
  function d.compile() return { kernel = function(_, name) return name end } end
  function d.time(_, what) return times[type(what) == "table" and what.library or what] end
  function d.library(_, name) return times[name] and true or nil, "there is none" end
  return setmetatable(d, { __close = function(self) self.closed = self.closed + 1 end })
end

local function ms(x) return { ms = x } end

TestPeaks = {}

function TestPeaks.test_rates()
  -- 80 blocks of 256 threads; 2 * 1024 * 8 operations each; 16 * 1024 bytes of shared memory each
  local d = device { copy = ms(0.536870912), fp32 = ms(0.33554432), fp64 = ms(0.67108864), shared = ms(0.33554432),
    nothing = { ms = 0.0005, cold = 0.0015, overhead = 0.0013 } }
  local found = peaks.measure(d)
  lu.assertAlmostEquals(found.copy, 1000, 1e-6)
  lu.assertAlmostEquals(found.fp32, 1000, 1e-6)
  lu.assertAlmostEquals(found.fp64, 500, 1e-6)
  lu.assertAlmostEquals(found.shared, 1000, 1e-6)
  lu.assertAlmostEquals(found.launch, 1.5, 1e-9)
  lu.assertAlmostEquals(found.in_graph, 0.5, 1e-9)
  lu.assertEquals(d.freed, 3)
  local said = table.concat(peaks.lines(found, record), "\n")
  lu.assertStrContains(said, "100 %") -- copy: 1000 of 1000
  lu.assertStrContains(said, "78 %") -- FP32: 1000 of 10 × 64 × 2
  lu.assertStrContains(said, "1280") -- shared memory: 10 × 128
  lu.assertStrContains(said, "1.5 µs alone and 0.5 µs")
  lu.assertNotStrContains(said, "cudaMemcpy")
  lu.assertStrContains(table.concat(peaks.lines(found, nil), "\n"), "–") -- a GPU that is not known as data
end

function TestPeaks.test_the_drivers_own_copy()
  local d = device { copy = ms(0.536870912), memcpy = ms(0.536870912 / 0.5), fp32 = ms(1), fp64 = ms(1), shared = ms(1),
    nothing = ms(1) }
  local found = peaks.measure(d)
  lu.assertAlmostEquals(found.memcpy, 500, 1e-6)
  lu.assertStrMatches(table.concat(peaks.lines(found, record), "\n"), ".*copy, cudaMemcpy +GB/s +1000 +500 +50 %%.*")
end

function TestPeaks.test_what_cannot_be_measured_is_said()
  double.install {}
  local d = device {}
  gpu.open = function() return d end
  local said = table.concat(peaks.of("cuda:0"), "\n")
  lu.assertStrContains(said, "Not measured: ")
  lu.assertEquals(d.closed, 1)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
