-- Where diverged lanes meet before the post-dominator: counters as in SASS, and results that do not depend on it.
local t = require "luaunit"

local SOURCE <const> = [==[
extern "C" __global__ void falls(unsigned *out, const unsigned *n, const unsigned *x) {
	const unsigned i = threadIdx.x;
	unsigned sum = 0;
	switch (n[i]) {
	case 4: sum = x[128 + i] * 5;
	case 3: sum = (sum ^ x[96 + i]) * 7;
	case 2: sum = (sum ^ x[64 + i]) * 9;
	case 1: sum = (sum ^ x[32 + i]) * 11;
	}
	out[i] = sum;
}
extern "C" __global__ void stops(unsigned *out, const unsigned *n, const unsigned *x) {
	const unsigned i = threadIdx.x;
	unsigned sum = 1;
	for (unsigned k = 0; k < n[i]; k++) {
		if (x[k + i] & 1) {
			out[32 + i] = k;
			if (x[k + i] & 2) break;
		}
		out[64 + i] = sum += k;
	}
	out[i] = sum;
}
]==]

local device = gpu.open "emu"

local function filled(count, value)
  local buffer = device:buffer("uint", count)
  for i = 0, count - 1 do buffer[i] = value(i) end
  return buffer
end

local module = device:compile_text(SOURCE)
local n, x = filled(32, function(i) return i * 7 % 5 end), filled(256, function(i) return i * i * 7 % 13 end)

local function count(name)
  local out = device:buffer("uint", 96, { fill = 0 })
  return device:count(module:kernel(name), { grid = 1, block = 32 }, { out, n, x }).counters, out
end

TestMeeting = {}

-- Lanes with 3 and 4 meet at case 3, all with more than 0 at case 1. Lanes with 2 go to case 2 by themselves.
function TestMeeting.test_cases_that_fall_through()
  local c, out = count("falls")
  t.assertEquals({ c.global_load_requests, c.global_store_requests }, { 1 + 1 + 1 + 2 + 1, 1 })
  for i = 0, 31 do
    local sum = 0
    for case = n[i], 1, -1 do sum = ((sum ~ x[32 * case + i]) * (13 - 2 * case)) & 0xffffffff end
    t.assertEquals(out[i], sum)
  end
end

-- Those that do not stop in an iteration go on together.
function TestMeeting.test_lanes_that_stop_in_a_loop()
  local stores = 1 -- behind the loop
  local going = {}
  for i = 0, 31 do going[i] = true end
  for k = 0, 3 do
    local odd, on = false, false
    for i = 0, 31 do
      going[i] = going[i] and k < n[i]
      odd = odd or going[i] and x[k + i] & 1 == 1
      going[i] = going[i] and x[k + i] & 3 ~= 3
      on = on or going[i]
    end
    stores = stores + (odd and 1 or 0) + (on and 1 or 0)
  end
  t.assertEquals(count("stops").global_store_requests, stores)
end

-- Jumps to anywhere: a warp computes what its threads do one by one, under the checkers and in adversarial orders, too.
local function jumps(seed)
  local state = seed * 2654435761 + 1
  local function draw(most)
    state = (state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
    return (state >> 33) % most
  end
  local blocks, text = 5 + draw(9), {}
  for b = 0, blocks - 1 do
    local line = ("B%d: s = (s ^ x[(s >> %d) & 255]) * %d + %d;"):format(b, draw(9), 2 * draw(40) + 3, draw(99))
    local to = draw(blocks + 2)
    local label = to < blocks and "B" .. to or "END"
    if to <= b then line = line .. " if (--fuel == 0) goto END;" end
    text[#text + 1] = ("%s if ((s >> %d) & %d) goto %s;"):format(line, draw(16), 1 + draw(3), label)
  end
  return ([[extern "C" __global__ void jumps(unsigned *out, const unsigned *n, const unsigned *x) {
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned s = n[i], fuel = 12;
	%s
	END: out[i] = s;
	__syncthreads();
	out[32 + i] = out[i] ^ fuel;
}]]):format(table.concat(text, "\n\t"))
end

function TestMeeting.test_any_jumps_give_the_same_results()
  for seed = 1, 12 do
    local kernel = device:compile_text(jumps(seed)):kernel("jumps")
    local alone, together = device:buffer("uint", 64, { fill = 0 }), device:buffer("uint", 64, { fill = 0 })
    device:count(kernel, { grid = 32, block = 1 }, { alone, n, x })
    device:count(kernel, { grid = 1, block = 32 }, { together, n, x })
    t.assertEquals(#device:check(kernel, { grid = 1, block = 32 }, { together, n, x }, { "race", "init" }, 4).findings, 0)
    for i = 0, 63 do t.assertEquals(together[i], alone[i], "seed " .. seed .. ", element " .. i) end
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
