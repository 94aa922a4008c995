-- Which of two records is faster: sampled alternately on a GPU, by their predictions on the emulator; in words.
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local compare = {}

-- A factor near 1 needs its third digit.
local function times(x) return ("%.3f"):format(x) end

local function percent(x) return ("%.3g %%"):format(100 * x) end

-- The first sentence where there is an answer, and how it shows a ratio.
local function answer(c, first, second)
  local faster = c.ratio > 0 and c.ratio < 1
  local large = c.ratio >= value.LARGE or faster and 1 / c.ratio >= value.LARGE
  local function shown(ratio)
    return value.times(faster and 1 / ratio or ratio, large and 0 or 1)
  end
  return ("%s is %s than %s: it %s %s as %s"):format(second, c.verdict, first, faster and "is" or "takes",
    shown(c.ratio), faster and "fast" or "long"), shown
end

-- From the lower to the upper bound, in the words of the answer.
local function interval(c, shown)
  local low, high = c.low, c.high
  if c.ratio > 0 and c.ratio < 1 then low, high = high, low end
  return ("%s to %s with %s confidence"):format(shown(low), shown(high), percent(c.confidence))
end

local function undecided(c, first, second)
  local said = ("Cannot tell which is faster: %s takes %s to %s times as long as %s (%s confidence)."):format(second,
    times(c.low), times(c.high), first, percent(c.confidence))
  if c.low >= 1 - c.margin and c.high <= 1 + c.margin then
    return said .. (" They differ by at most %s: choose by another criterion."):format(percent(c.margin))
  end
  return said .. " A larger problem, more sampling time or an otherwise idle GPU may give an answer."
end

local function measured(c, first, second)
  local said
  if c.verdict == "cannot tell" then
    said = undecided(c, first, second)
  else
    local sentence, shown = answer(c, first, second)
    said = ("%s (%s)."):format(sentence, interval(c, shown))
  end
  local how = ("Medians %s and %s; %s of samples, taken alternately"):format(text.duration(c.a_ms),
    text.duration(c.b_ms), text.plural(c.pairs, "pair"))
  if c.discarded > 0 then how = how .. (", %d discarded because the GPU throttled its clock"):format(c.discarded) end
  if c.note ~= "" then how = how .. "; " .. c.note end
  return said .. "\n" .. how .. "."
end

local function predicted(c, first, second, gpu)
  local said = c.verdict == "cannot tell"
    and ("Cannot tell: the predicted times of %s and %s differ by less than %s"):format(first, second,
      percent(c.margin))
    or (answer(c, first, second))
  said = ("%s. Predicted for the %s (%s and %s), not measured. A prediction has no spread and therefore no"
    .. " interval."):format(said, gpu, text.duration(c.a_ms), text.duration(c.b_ms))
  if not c.error then return said .. " The error of this model is unknown." end
  said = ("%s The model's known error is %.0f %%"):format(said, 100 * c.error)
  if math.abs(c.margin - c.error) < 0.005 then return said .. "." end
  return ("%s for a single time. Two predictions that differ by %s or more are mostly in the right order."):format(
    said, percent(c.margin))
end

-- What was predicted when the record was counted for a GPU, or nil; on the emulator alone.
local function prediction(record, gpu)
  local report = record.device.emulates and record:counted().report
  local p = report and report.models[gpu]
  return p and p.known and { ms = p.ms, error = p.error, order = p.order } or nil
end

-- The other GPUs for which both are predicted, as {gpu, c}. Where neither error nor order is known, the margin is that
-- of the device's own model.
local function elsewhere(first, second, margin)
  local found, seen = {}, { [first.device.model or false] = true }
  for _, row in ipairs(first:counted().models or {}) do
    local here, there = prediction(first, row.gpu), prediction(second, row.gpu)
    if here and there and not seen[row.gpu] then
      seen[row.gpu] = true
      if not here.error and not here.order then here.order, there.order = 1 + margin, 1 + margin end
      found[#found + 1] = { gpu = row.gpu, c = host.compare_predictions(here, there) }
    end
  end
  return found
end

---Is the second record faster than the first? By their predictions where both have one; else both are run with their
---own inputs, but for buffers that both are given.
---@param first Record @param second Record @return Comparison, {gpu: string, c: Comparison}[]? on other GPUs
function compare.of(first, second)
  first:check_comparable()
  second:check_comparable()
  local model = first.device.model
  local here, there = prediction(first, model), prediction(second, model)
  if here and there then
    local c = host.compare_predictions(here, there)
    return c, elsewhere(first, second, c.margin)
  end
  return first:with_inputs(function(a)
    return second:with_inputs(function(b) return launch_list.compare(a.device, a.items, b.items) end)
  end)
end

-- The verdict by rate; none for what was measured, whose interval is that of times, or for an exercise, which is short.
local function by_rate(c, names, a, b)
  local ratio = a.number / c.a_ms / (b.number / c.b_ms)
  if c.kind == "measured" or a.unit ~= b.unit or a.own or b.own then return "" end
  if math.abs(ratio - 1) < c.margin then return " By rate, cannot tell which is faster." end
  return (" By rate, %s is faster than %s: it has %s the rate."):format(names[ratio > 1 and 1 or 2],
    names[ratio > 1 and 2 or 1], value.times(math.max(ratio, 1 / ratio)))
end

---What is said of two that do different work, whose times do not compare; nil if they do the same.
---@param c Comparison @param first Record @param second Record @return string?
function compare.unlike(c, first, second)
  local a, b = first:work(), second:work()
  if not a or not b or a.unit == b.unit and a.number == b.number or a.number * b.number == 0 then return nil end
  local names = { first:called(), second:called() }
  local function rate(i, work, ms)
    return ("%s takes %s, %s %s"):format(names[i], text.duration(ms), text.number(work.number / ms / 1e6), work.unit)
  end
  local why = (a.own or b.own) and "an exercise is checked at a size of its own"
    or a.unit ~= b.unit and ("one counts %s, the other %s"):format(a.unit, b.unit)
    or ("that of %s is %s that of %s"):format(names[a.number > b.number and 1 or 2],
      value.times(math.max(a.number / b.number, b.number / a.number)), names[a.number > b.number and 2 or 1])
  return ("They do different work (%s), so their times do not compare. %s; %s.%s %s."):format(why, rate(1, a, c.a_ms),
    rate(2, b, c.b_ms), by_rate(c, names, a, b), c.kind == "measured" and "These are medians" or ("Predicted for the"
    .. " %s, not measured"):format(first.device.model))
end

---What a comparison says, as lines.
---@param c Comparison @param first string @param second string what the two are called
---@param gpu string the GPU's name @param others {gpu: string, c: Comparison}[]?
---@return string[]
function compare.lines(c, first, second, gpu, others)
  local lines = text.wrap(c.kind == "measured" and measured(c, first, second) or predicted(c, first, second, gpu), "  ")
  for _, other in ipairs(others or {}) do
    local o = other.c
    local said = o.verdict == "cannot tell" and "you cannot tell which is faster" or answer(o, first, second)
    text.add(lines, ("On the %s (%s and %s are predicted) %s."):format(other.gpu, text.duration(o.a_ms),
      text.duration(o.b_ms), said))
  end
  return lines
end

return compare
