-- Copies, pipelines and mapped memory on a GPU: that data arrive, that times are possible, and what the link does. TAP; the figures
-- stand in comments, to be held against those of src/gpu/gpus.def.
local source = [[
__global__ void mix(unsigned *out, const unsigned *in, int first, int count, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	unsigned x = in[first + i];
	for (int r = 0; r < rounds; r++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
	out[first + i] = x;
}
__global__ void gather(unsigned *out, const unsigned *in, int n, int apart)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int row = i % (n / apart), column = i / (n / apart);
	if (i < n) out[i] = in[row * apart + column];
}
__global__ void eight_times(unsigned *out, const unsigned *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 8; k++) sum += in[(i + k * blockDim.x) % n];
	if (i < n) out[i] = sum;
}
]]

if gpu.device.backend ~= "cuda" then
  print "1..0 # SKIP this machine has no GPU"
  os.exit(0)
end

local done, failed = 0, false

local function check(good, what, more)
  done, failed = done + 1, failed or not good
  print(("%s %d - %s"):format(good and "ok" or "not ok", done, what))
  if more then print("# " .. more) end
end

-- Copies: the specification of the link bounds them; a doubled or missing copy would show here.
local link
for _, model in ipairs(gpu.models()) do
  if model.name == gpu.device.model then link = model end
end
local most = link and link.link_gbps or 1000

for _, direction in ipairs { "to device", "from device" } do
  for _, memory in ipairs { "pageable", "pinned", "write-combined" } do
    local line, last = {}, 0
    for _, power in ipairs { 12, 16, 20, 24, 28 } do
      local t = gpu.transfer { direction = direction, memory = memory, bytes = 1 << power, wall = 0.2 }
      line[#line + 1] = ("2^%d B %.3f ms %.2f GB/s"):format(power, t.ms, t.gbps)
      last = t
    end
    check(last.gbps > 0.5 and last.gbps < most, ("%s, %s"):format(direction, memory), table.concat(line, "; "))
    print(("# host writes %.2f GB/s, reads %.2f GB/s; %s clock; %d samples"):format(last.host_write_gbps,
      last.host_read_gbps, last.clock, last.samples))
  end
end

local function gbps(memory, direction)
  return gpu.transfer { direction = direction or "to device", memory = memory, bytes = 1 << 26, wall = 0.5 }.gbps
end
check(gbps "pinned" > gbps "pageable", "page-locked memory is faster")
local small = gpu.transfer { direction = "to device", bytes = 16 }
check(small.ms < 0.1, "a copy of next to nothing", ("%.2f us"):format(1e3 * small.ms))

-- Mapped memory.
local N <const> = 1 << 24
local module = gpu.compile_text(source)
local mix, gather, eight = module:kernel "mix", module:kernel "gather", module:kernel "eight_times"
local words = gpu.array("unsigned", N, "random", 7)
local host = gpu.buffer("unsigned", N, { memory = "mapped", fill = words, name = "host" })
local own = gpu.buffer("unsigned", N, { fill = words, name = "own" })
local out, back = gpu.buffer("unsigned", N, { name = "out" }), gpu.buffer("unsigned", N, { memory = "mapped" })
local flat = { grid = N // 256, block = 256 }

check(not host:download():mismatch(words), "a mapped buffer gives back what was put in")
gather(flat)(out, host, N, 1)
check(not out:download():mismatch(words), "a kernel reads it")
gather(flat)(back, own, N, 1)
check(not back:download():mismatch(words), "and writes it")

local function rate(what, kernel, args)
  local t = gpu.time(kernel, flat, args, { wall = 0.4 })
  print(("# %s: %.3f ms, %.2f GB/s of words"):format(what, t.ms, 4 * N / t.ms / 1e6))
  return t.ms
end
local near, far = rate("own memory", gather, { out, own, N, 1 }), rate("host memory, read", gather, { out, host, N, 1 })
rate("host memory, written", gather, { back, own, N, 1 })
rate("host memory, read and written", gather, { back, host, N, 1 })
for _, apart in ipairs { 2, 4, 8, 16, 32, 64 } do
  rate(("host memory, read %d words apart"):format(apart), gather, { out, host, N, apart })
end
local again = rate("host memory, every word read eight times, by eight blocks", eight, { out, host, N })
print(("# that is %.2f times as long as reading it once: 8 without any cache"):format(again / far))
check(far > 3 * near, "the link is what takes the time")
host:free()
check(not pcall(function() return host[0] end), "a freed one is gone")

-- Pipelines.
mix(flat)(out, own, 0, N, 200) -- what the kernel makes of the words in one piece
local mixed = out:download()
out:fill "sentinel"

local function pipeline(more)
  local options = { kernel = mix, input = own, output = out,
    config = function(_, count) return { grid = (count + 255) // 256, block = 256 } end,
    args = function(first, count) return { out, own, first, count, 200 } end }
  for k, v in pairs(more) do options[k] = v end
  local r = gpu.overlap(options)
  local what = ("%d chunks, %d streams, %s, %s first"):format(more.chunks, more.streams, more.memory or "pinned",
    more.order or "depth")
  check(not out:download():mismatch(mixed) and not own:download():mismatch(words), what,
    ("%.3f ms (%.3f to %.3f of %d)"):format(r.ms, r.q1, r.q3, r.samples))
  local ordered, inside = true, true
  local last = {}
  for _, s in ipairs(r.spans) do
    ordered = ordered and s.start_ms >= (last[s.stream] or 0) - 0.002
    inside = inside and s.end_ms >= s.start_ms and s.end_ms <= r.ms + 1e-9
    last[s.stream] = s.end_ms
  end
  check(ordered and inside and #r.spans == 3 * more.chunks, "its spans are possible")
  local sums = {}
  for _, s in ipairs(r.spans) do sums[s.what] = (sums[s.what] or 0) + s.end_ms - s.start_ms end
  print(("# in %.3f, kernels %.3f, out %.3f ms; %s"):format(sums["to device"], sums.kernel, sums["from device"], r.note))
  return r.ms
end

local serial = pipeline { chunks = 1, streams = 1 }
pipeline { chunks = 8, streams = 1 }
local streams = pipeline { chunks = 8, streams = 4 }
pipeline { chunks = 8, streams = 4, order = "breadth" }
pipeline { chunks = 256, streams = 2 } -- more than a held stream takes
pipeline { chunks = 256, streams = 32, order = "breadth" }
local pageable = pipeline { chunks = 8, streams = 4, memory = "pageable" }
pipeline { chunks = 8, streams = 4, memory = "write-combined" }
check(streams < 0.85 * serial, "streams make it shorter")
check(pageable > streams, "pageable memory does not overlap")

print("1.." .. done)
os.exit(failed and 1 or 0)
