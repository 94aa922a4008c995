-- Inputs of exercises: buffer fills that follow the seed of a check, so that no result is known beforehand.
local inputs = {}

---Whole numbers from low to high: sums and differences of them are exact in floats, in any order.
---@param type string @param count integer|fun(p: table): integer @param low integer @param high integer
---@return fun(p: table, seed: integer): Array fill
function inputs.whole(type, count, low, high)
  return function(p, seed)
    local n = math.type(count) == "integer" and count or count(p)
    local bits, made = gpu.array("unsigned", n, "random", seed + 71), gpu.array(type, n)
    local range = high - low + 1
    for i = 0, n - 1 do made[i] = bits[i] % range + low end
    return made
  end
end

-- What a run of 256 elements may be, next to random bits: of one sign, zero, the least or the largest numbers.
local runs <const> = {
  function(bits) return bits | 0x80000000 end,
  function(bits) return bits & 0x7fffffff end,
  function() return 0 end,
  function(_, i) return i % 2 == 0 and 0x80000000 or 0xffffffff end,
  function(_, i) return i % 5 == 0 and 0x7fffffff or i % 5 end,
}

---Words of which most runs of 256 are extreme in some way: all of one sign, all zero, the least and the largest.
---@param type string "int" or "unsigned" @param count integer|fun(p: table): integer
---@return fun(p: table, seed: integer): Array fill
function inputs.extremes(type, count)
  return function(p, seed)
    local n = math.type(count) == "integer" and count or count(p)
    local bits, made = gpu.array("unsigned", n, "random", seed + 71), gpu.array(type, n)
    for i = 0, n - 1 do
      local run = runs[(i // 256 + seed) % 8]
      local word = run and run(bits[i], i) or bits[i]
      made[i] = type == "int" and (word ~ 0x80000000) - 0x80000000 or word
    end
    return made
  end
end

---Floats from -1 to 1, with both and zero among them.
---@param count integer|fun(p: table): integer @return fun(p: table, seed: integer): Array fill
function inputs.signed(count)
  return function(p, seed)
    local n = math.type(count) == "integer" and count or count(p)
    local made = gpu.array("float", n, "random", seed + 71)
    for i = 0, n - 1 do made[i] = i % 37 < 3 and i % 37 - 1 or 2 * made[i] - 1 end
    return made
  end
end

---Unsigned numbers of which every second one leaves the same remainder by `bins`: a histogram that is not flat.
---@param count integer|fun(p: table): integer @param bins integer @return fun(p: table, seed: integer): Array fill
function inputs.skewed(count, bins)
  return function(p, seed)
    local made = gpu.array("unsigned", math.type(count) == "integer" and count or count(p), "random", seed + 71)
    local often = made[0] % bins
    for i = 0, #made - 1, 2 do made[i] = made[i] // bins * bins + often end
    return made
  end
end

return inputs
