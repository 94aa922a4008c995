-- Copies, pipelines and mapped buffers from Lua, on the emulator.
local lu = require "luaunit"

local source = [[
__global__ void twice(float *out, const float *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) out[first + i] = 2 * in[first + i];
}
__global__ void gather(float *out, const float *in, int n, int apart)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[(long long)i * apart % n];
}
__global__ void wild(float *out, int n) { out[n + threadIdx.x] = 1; }
]]

local N <const> = 1 << 14
local module = gpu.compile_text(source)
local twice, gather, wild = module:kernel "twice", module:kernel "gather", module:kernel "wild"

local function refused(text, f, ...)
  local ok, e = pcall(f, ...)
  lu.assertFalse(ok)
  lu.assertStrContains(tostring(e), text)
end

TestTransfer = {}

function TestTransfer.test_a_copy_is_predicted()
  local t = gpu.transfer { direction = "to device", memory = "pinned", bytes = 1 << 26, models = { "GTX 280" } }
  lu.assertEquals(t.kind, "predicted")
  lu.assertEquals(t.gpu, "H200")
  lu.assertEquals(t.bound, "PCIe")
  lu.assertAlmostEquals(t.gbps, (1 << 26) / t.ms / 1e6, 1e-9)
  lu.assertTrue(t.models["GTX 280"].ms > 5 * t.ms)
  lu.assertNil(t.clock)
  lu.assertNil(t.host_read_gbps) -- nobody measured
end

function TestTransfer.test_page_locked_is_the_default_and_faster()
  local function ms(memory, direction)
    return gpu.device:transfer { direction = direction or "to device", memory = memory, bytes = 1 << 24 }.ms
  end
  lu.assertEquals(ms(nil), ms "pinned")
  lu.assertTrue(ms "pageable" > 2 * ms "pinned")
  lu.assertTrue(ms("pageable", "from device") > 2 * ms("write-combined", "from device"))
end

function TestTransfer.test_small_copies_cost_as_much_as_they_take_to_begin()
  local small = gpu.transfer { direction = "from device", bytes = 4 }
  lu.assertEquals(small.bound, "the cost of a copy")
  lu.assertTrue(small.gbps < 0.01)
end

function TestTransfer.test_what_makes_no_sense_is_refused()
  refused("table expected", gpu.transfer, 3)
  refused('did you mean \'direction\'?', gpu.transfer, { directon = "to device", bytes = 4 })
  refused('direction: "to device" or "from device" expected, got nil', gpu.transfer, { bytes = 4 })
  refused("did you mean 'to device'?", gpu.transfer, { direction = "to devise", bytes = 4 })
  refused('memory: "pageable", "pinned" or "write-combined" expected, got number', gpu.transfer,
    { direction = "to device", memory = 7, bytes = 4 })
  for _, bytes in ipairs { 0, -1, 1.5, (1 << 30) + 1, "many", math.huge } do
    refused("bytes: a whole number from 1 to 1073741824", gpu.transfer, { direction = "to device", bytes = bytes })
  end
  refused("wall:", gpu.transfer, { direction = "to device", bytes = 4, wall = -1 })
  refused("models[1]: string expected", gpu.transfer, { direction = "to device", bytes = 4, models = { 1 } })
  refused('no GPU is called "Voodoo"', gpu.transfer, { direction = "to device", bytes = 4, models = { "Voodoo" } })
end

TestOverlap = {}

local function pipeline(more)
  local input, output = gpu.buffer("float", N, { fill = "iota" }), gpu.buffer("float", N)
  local o = { kernel = twice, input = input, output = output,
    config = function(_, count) return { grid = (count + 255) // 256, block = 256 } end,
    args = function(first, count) return { output, input, first, count } end }
  for k, v in pairs(more or {}) do o[k] = v end
  return o
end

function TestOverlap.test_spans_tell_of_every_operation()
  local o = pipeline { chunks = 4, streams = 2 }
  local r = gpu.overlap(o)
  lu.assertEquals(r.kind, "predicted")
  lu.assertEquals(#r.spans, 12)
  local seen = {}
  for _, s in ipairs(r.spans) do
    seen[s.what .. s.chunk] = s
    lu.assertEquals(s.stream, (s.chunk - 1) % 2 + 1)
    lu.assertTrue(s.start_ms >= 0 and s.end_ms > s.start_ms and s.end_ms <= r.ms)
  end
  for chunk = 1, 4 do
    lu.assertTrue(seen["kernel" .. chunk].start_ms >= seen["to device" .. chunk].end_ms)
    lu.assertTrue(seen["from device" .. chunk].start_ms >= seen["kernel" .. chunk].end_ms)
  end
  lu.assertEquals(o.output[N - 1], 2.0 * (N - 1))
end

function TestOverlap.test_streams_make_it_shorter_and_one_engine_wants_breadth()
  local function ms(more)
    more.models = { "Tesla C1060" }
    local r = gpu.overlap(pipeline(more))
    return r.ms, r.models["Tesla C1060"].ms
  end
  local serial = ms { chunks = 1, streams = 1 }
  local one, old = ms { chunks = 8, streams = 1 }
  local depth, old_depth = ms { chunks = 8, streams = 4 }
  local _, old_breadth = ms { chunks = 8, streams = 4, order = "breadth" }
  lu.assertTrue(depth < one)
  lu.assertTrue(one > serial) -- only more beginnings
  lu.assertAlmostEquals(old_depth, old, 1e-9)
  lu.assertTrue(old_breadth < old_depth)
end

function TestOverlap.test_chunks_are_asked_for_one_by_one()
  local asked = {}
  local o = pipeline { chunks = 3 }
  local config = o.config
  o.config = function(first, count)
    asked[#asked + 1] = { first, count }
    return config(first, count)
  end
  gpu.overlap(o)
  lu.assertEquals(#asked, 3)
  lu.assertEquals(asked[1][1], 0)
  lu.assertEquals(asked[2][1], asked[1][2])
  lu.assertEquals(asked[3][1] + asked[3][2], N)
end

function TestOverlap.test_a_launch_that_goes_wrong_raises()
  local o = pipeline { kernel = wild, chunks = 2 }
  o.args = function() return { o.output, N } end
  local ok, e = pcall(gpu.overlap, o)
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "fault")
  lu.assertEquals(e.outcome.fault.kernel, "wild")
end

function TestOverlap.test_what_makes_no_sense_is_refused()
  refused("table expected", gpu.overlap)
  refused("input: a buffer expected, got nil", gpu.overlap, {})
  refused("two buffers", gpu.overlap, (function()
    local o = pipeline()
    o.output = o.input
    return o
  end)())
  refused("the same length", gpu.overlap, pipeline { output = gpu.buffer("float", N + 1) })
  refused("input is already in host memory", gpu.overlap,
    pipeline { input = gpu.buffer("float", N, { memory = "mapped" }) })
  refused("chunks: a whole number from 1 to 256", gpu.overlap, pipeline { chunks = 257 })
  refused("streams: a whole number from 1 to 32", gpu.overlap, pipeline { streams = 0 })
  refused("order: ", gpu.overlap, pipeline { order = "sideways" })
  refused("config: a function", gpu.overlap, pipeline { config = { grid = 1, block = 1 } })
  refused("args(0, 4096) has to return a table, it returned nil", gpu.overlap, pipeline { args = function() end })
  refused("kernel", gpu.overlap, pipeline { kernel = "twice" })
  refused("boom", gpu.overlap, pipeline { config = function() error "boom" end })
  local o = pipeline()
  o.input:free()
  refused("closed", gpu.overlap, o)
end

function TestOverlap.test_what_goes_away_while_it_is_asked_for()
  local o = pipeline { chunks = 2 }
  o.config = function()
    o.input:free()
    return { grid = 1, block = 32 }
  end
  refused("closed", gpu.overlap, o)
  local device = gpu.open "emu"
  local k = device:compile_text(source):kernel "twice"
  local a, b = device:buffer("float", 64, { fill = 1 }), device:buffer("float", 64)
  refused("closed", device.overlap, device, { kernel = k, input = a, output = b, chunks = 1, streams = 1,
    config = function() return { grid = 1, block = 64 } end,
    args = function()
      device:close()
      return { b, a, 0, 64 }
    end })
  refused("one device", gpu.overlap, pipeline { output = gpu.open("emu"):buffer("float", N) })
end

TestMapped = {}

function TestMapped.test_a_mapped_buffer_is_as_any_other()
  local b = gpu.buffer("float", N, { memory = "mapped", fill = "iota", name = "of the host" })
  lu.assertTrue(b.mapped)
  lu.assertFalse(gpu.buffer("float", 4, { memory = "device" }).mapped)
  lu.assertEquals(b[7], 7.0)
  b[7] = 3
  lu.assertEquals(b:download(7, 1)[0], 3.0)
  local out = gpu.buffer("float", N)
  twice { grid = N // 256, block = 256 }(out, b, 0, N)
  lu.assertEquals(out[7], 6.0)
  refused('memory: "device" or "mapped" expected', gpu.buffer, "float", 4, { memory = "pinned" })
end

function TestMapped.test_what_crosses_the_link_is_what_takes_the_time()
  local host, own = gpu.buffer("float", N, { memory = "mapped", fill = 1 }), gpu.buffer("float", N, { fill = 1 })
  local out, config = gpu.buffer("float", N), { grid = N // 256, block = 256 }
  local near, far = gpu.time(gather, config, { out, own, N, 1 }), gpu.time(gather, config, { out, host, N, 1 })
  local apart = gpu.time(gather, config, { out, host, N, 32 })
  lu.assertTrue(far.ms < 3 * near.ms) -- short: the launch
  lu.assertTrue(apart.ms > 5 * far.ms) -- a request each of 16384 at 670 MHz, for 64 KB at 51 GB/s and the launch
  lu.assertEquals(apart.bound, "requests for host memory")
  local back = gpu.time(twice, config, { host, own, 0, N })
  lu.assertTrue(back.ms > 0)
end

function TestMapped.test_models_that_cannot_map_say_so()
  local host, out = gpu.buffer("float", N, { memory = "mapped", fill = 1 }), gpu.buffer("float", N)
  local models = gpu.count(twice, { grid = N // 256, block = 256 }, { out, host, 0, N },
    { models = { "8800 GTX", "Tesla C1060" } }).models
  lu.assertFalse(models["8800 GTX"].known)
  lu.assertStrContains(models["8800 GTX"].note, "cannot map host memory")
  lu.assertTrue(models["Tesla C1060"].known)
  for _, figure in ipairs { "mapped_read_gbps", "mapped_write_gbps", "mapped_read_mhz" } do
    local without = gpu.model { base = "H200", [figure] = 0, name = "no " .. figure }
    models = gpu.count(twice, { grid = N // 256, block = 256 }, { out, host, 0, N }, { models = { without.name } }).models
    lu.assertFalse(models[without.name].known)
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
