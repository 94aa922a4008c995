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
