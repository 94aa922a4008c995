-- Variables of optimized code are right: each kernel of the labs is stepped twice, as compiled for the run and with -G,
-- whose debug information is the compiler's own. A variable that both know must have the same values at a line.
-- usage: gpulab --device emu tests/warp/names.lua labs/*.lua
local debugger = require "gpulab.warp.debugger"
local lab = require "gpulab.lab"
local step_record = require "gpulab.record.step"
local where = require "gpulab.base.where"

local PLAIN <const>, OPTIMIZED <const> = 400, 40 -- moments of each kernel

-- By line and variable: the values that the warp sees there, in order; whether it was stepped to its end.
local function record(d, most)
  local found, m, ended = {}, d.moment, false
  for _ = 1, most do
    local frame = m.frames[1]
    if not frame then break end
    for _, v in ipairs(d:locals()) do
      local key = ("%s:%d %s, lanes %08x"):format(frame.file, m.line, v.name, m.mask)
      -- In the middle of the line that assigns to it a variable has either value: a loop's first line.
      if (v.read and not v.value.element or not v.value) and not v.fresh then
        found[key] = found[key] or {}
        table.insert(found[key], { mask = m.mask, read = v.read })
      end
    end
    m = d:go "line"
    if m.halt ~= "done" then
      ended = true
      break
    end
  end
  return found, ended
end

-- Optimized code contracts products and sums, so its numbers round differently.
local function same(x, y)
  if x == y or x ~= x and y ~= y then return true end
  return math.type(x) == "float" and math.abs(x - y) <= 1e-3 * math.max(math.abs(x), math.abs(y))
end

-- The first lane in which two values differ.
local function differs(a, b)
  for lane = 0, 31 do
    local x, y = a.read.lanes[lane], b.read.lanes[lane]
    if a.mask >> lane & 1 == 1 and x ~= nil and y ~= nil and not same(x, y) then return lane end
  end
end

local totals = { right = 0, removed = 0, wrong = 0, unknown = 0 }

-- Loops are unrolled and rotated: what optimized code shows must be, in its order, among what the other one shows. Where
-- both get to a line as often as the other, the values must be equal one by one.
local function judged(optimized, plain, ended)
  local at, strict = 1, ended and #plain == #optimized
  for i, b in ipairs(optimized) do
    if not b.read then return "removed" end
    if next(b.read.lanes) == nil then return "unknown" end
    local from, first = at, nil
    if strict then
      if plain[i].read and plain[i].mask == b.mask and differs(plain[i], b) then return "wrong", b, plain[i] end
    else
      while at <= #plain and not (plain[at].read and plain[at].mask == b.mask and not differs(plain[at], b)) do
        if plain[at].mask == b.mask then first = first or plain[at] end
        at = at + 1
      end
      if at > #plain then
        if not ended or not first then return i > 1 and "right" or "unknown" end
        return "wrong", b, plain[from] or first
      end
    end
  end
  return "right"
end

local function compare(of, plain, ended, optimized)
  local wrong = {}
  for key, list in pairs(optimized) do
    local verdict, got, want = "unknown", nil, nil
    if plain[key] then verdict, got, want = judged(list, plain[key], ended) end
    if not list[1].read then verdict = "removed" end
    totals[verdict] = totals[verdict] + 1
    if verdict == "wrong" then
      local lane = want.read and differs(want, got) or 0
      wrong[#wrong + 1] = ("%s: lane %d has %s, not %s"):format(key:gsub("^.*/", ""), lane, got.read.lanes[lane],
        want.read and want.read.lanes[lane])
    end
  end
  table.sort(wrong)
  return of, wrong
end

local kernels, failed = {}, {}
local function both(context, step)
  local pair = {}
  for i, plain in ipairs { true, false } do
    local d, close = debugger.of_record(step_record.of({ step = step }, context), { plain = plain })
    if d.grid[1] * d.grid[2] * d.grid[3] > 1 then d:focus(1, 0) end -- x and y of its indices differ
    local name = ("%s of %s"):format(d.kernel.name, d.names.path)
    if kernels[name] and i == 1 then
      d:close()
      close()
      return
    end
    kernels[name] = true
    local found, ended = record(d, plain and PLAIN or OPTIMIZED)
    pair[i] = { found = found, ended = ended }
    pair.name = name
    d:close()
    close()
  end
  local of, wrong = compare(pair.name, pair[1].found, pair[1].ended, pair[2].found)
  if #wrong > 0 then
    failed[#failed + 1] = of
    print("# " .. of)
    for i = 1, math.min(#wrong, 6) do print("#   " .. wrong[i]) end
  end
end

for _, path in ipairs(arg) do
  where.enter(path:match("^(.*)/") or ".")
  local opened = lab.load and lab.load(path) or dofile(path)
  local params = opened:parameters({}, { emulated = true })
  local context = require("gpulab.run.context").new(opened, gpu.device, params, {})
  local count = 0
  for _, step in ipairs(opened.steps) do
    local ok, e = pcall(both, context, step)
    if not ok and not tostring(e):match("launches no kernel") and not tostring(e):match("library routine")
        and not tostring(e):match("takes a launch") then
      print(("# %s: %s"):format(step.id, tostring(e):gsub("\n.*", "")))
    end
    count = count + (ok and 1 or 0)
  end
  print(("# lab %s: %d steps"):format(opened.number, count))
end
print(("# variables at lines: %d right, %d wrong, %d removed, %d without a value yet"):format(totals.right, totals.wrong,
  totals.removed, totals.unknown))
print("1..1")
print((#failed == 0 and "ok" or "not ok") .. " 1 - names of variables")
os.exit(#failed == 0, true)
