-- In which of four banks L1 has the tag of a line: what loads of many lines take, beside the rule of
-- src/model/traffic/l1.c, which is from an H200. Prints what does not follow from it, and ends with 1 if anything
-- does not.
--   gpulab --device cuda:0 tags.lua
local here = arg[0] and arg[0]:match("^(.*)/") or "tests/gpu"
local BITS <const> = 20 -- of a line's number, in 128 MB
local WARPS <const>, REPEATS <const>, CHAINS <const> = 32, 256, 4
local LEAST <const>, NEAR <const> = 1.4, 0.2 -- cycles: a load of one line; by how much a measurement may differ

if gpu.device.backend == "emu" then
  print "skipped: what loads take is measured on a GPU"
  return
end

local function rule_of(name)
  for text in io.lines(here .. "/../../src/model/traffic/l1.c") do
    local value = text:match(name .. " = (0x%x+)")
    if value then return math.tointeger(value) end
  end
  error(name .. " is not in src/model/traffic/l1.c")
end
local LOW <const>, HIGH <const> = rule_of "TAG_LOW", rule_of "TAG_HIGH"

local kernel = gpu.compile(here .. "/tags.cu"):kernel "tags"
local input = gpu.buffer("unsigned", 2 * 32 << BITS, { name = "in", fill = 0 }) -- a region of 128 MB is in it
local cycles, out = gpu.buffer("unsigned", 1, { name = "cycles" }), gpu.buffer("unsigned", 32 * WARPS, { name = "out" })
local list = gpu.buffer("unsigned", 32, { name = "lines" })

local function parity(word)
  for shift = 4, 0, -1 do word = word ~ word >> (1 << shift) end
  return word & 1
end

local function by_rule(lines)
  local count, seen, most = { 0, 0, 0, 0 }, {}, LEAST
  for _, line in ipairs(lines) do
    if not seen[line] then
      local bank = 1 + parity(line & LOW) + 2 * parity(line & HIGH)
      seen[line], count[bank] = true, count[bank] + 1
      most = math.max(most, count[bank])
    end
  end
  return most
end

local function measured(lines)
  list:upload(lines)
  for _ = 1, 2 do kernel:launch({ grid = 1, block = 32 * WARPS }, cycles, out, input, list, REPEATS) end
  return cycles:download()[0] / (REPEATS * CHAINS * WARPS)
end

local sets, apart = 0, 0
local function compare(what, of)
  local lines = {}
  for lane = 0, 31 do lines[lane + 1] = of(lane) end
  local rule, took = by_rule(lines), measured(lines)
  sets = sets + 1
  if math.abs(took - rule) <= NEAR then return end
  apart = apart + 1
  print(("%-24s %6.2f cycles, %4.1f by the rule"):format(what, took, rule))
end

for bit = 0, BITS - 1 do
  for other = 0, 15 do
    compare(("0 and %d"):format(1 << bit ~ other), function(lane) return lane < 16 and 0 or 1 << bit ~ other end)
  end
end
for stride = 1, 199 do
  compare(("every %d."):format(stride), function(lane) return stride * lane end)
end
math.randomseed(1)
for i = 1, 300 do
  local span, some = 64 << i % 6 * 2, {}
  for k = 1, math.random(2, 32) do some[k] = math.random(0, span - 1) end
  compare(("%d of %d"):format(#some, span), function(lane) return some[lane % #some + 1] end)
end
print(("%d sets of lines, %d not as the rule says"):format(sets, apart))
os.exit(apart == 0 and 0 or 1)
