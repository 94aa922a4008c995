-- What differs between two texts, and what is said of a change, from records made by hand.
local lu = require "luaunit"

package.preload["gpulab.base.where"] = function() return {} end
local change = require "gpulab.prompt.change"
local difference = require "gpulab.show.difference"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

TestDifference = {}

local function letters(s)
  local t = {}
  for c in s:gmatch(".") do t[#t + 1] = c end
  return t
end

-- "-" and "+" with their lines, in order.
local function edits(a, b)
  local parts = {}
  for _, e in ipairs(difference.merge(letters(a), letters(b))) do
    if e.op ~= " " then parts[#parts + 1] = e.op .. e.text end
  end
  return table.concat(parts)
end

function TestDifference.test_split()
  lu.assertEquals(difference.split "", {})
  lu.assertEquals(difference.split "a", { "a" })
  lu.assertEquals(difference.split "a\n", { "a" })
  lu.assertEquals(difference.split "a\n\nb", { "a", "", "b" })
  lu.assertEquals(difference.split "\n\n", { "", "" })
end

function TestDifference.test_edits()
  lu.assertEquals(edits("abc", "abc"), "")
  lu.assertEquals(edits("abc", "axc"), "-b+x")
  lu.assertEquals(edits("abc", ""), "-a-b-c")
  lu.assertEquals(edits("", "abc"), "+a+b+c")
  lu.assertEquals(edits("abc", "abcd"), "+d")
  lu.assertEquals(edits("abcabba", "cbabac"):len(), 2 * 5) -- Myers' own example: five edits
end

-- Whatever the texts: what stays and what goes is a, what stays and what comes is b, and no shorter list would do.
local function longest_common(a, b)
  local row = {}
  for j = 0, #b do row[j] = 0 end
  for i = 1, #a do
    local diagonal = 0
    for j = 1, #b do
      local up = row[j]
      row[j] = a[i] == b[j] and diagonal + 1 or math.max(up, row[j - 1])
      diagonal = up
    end
  end
  return row[#b]
end

function TestDifference.test_random_texts()
  math.randomseed(7)
  for _ = 1, 500 do
    local a, b = {}, {}
    for i = 1, math.random(0, 12) do a[i] = ("abc"):sub(math.random(3)):sub(1, 1) end
    for i = 1, math.random(0, 12) do b[i] = ("abc"):sub(math.random(3)):sub(1, 1) end
    local from_a, from_b, kept = {}, {}, 0
    for _, e in ipairs(difference.merge(a, b)) do
      if e.op ~= "+" then from_a[#from_a + 1] = e.text end
      if e.op ~= "-" then from_b[#from_b + 1] = e.text end
      if e.op == " " then kept = kept + 1 end
    end
    lu.assertEquals(from_a, a)
    lu.assertEquals(from_b, b)
    lu.assertEquals(kept, longest_common(a, b))
  end
end

function TestDifference.test_too_many_edits_replace_all_between()
  local a, b = { "head" }, { "head" }
  for i = 1, 2000 do a[#a + 1], b[#b + 1] = "a" .. i, "b" .. i end
  a[#a + 1], b[#b + 1] = "tail", "tail"
  local gone, come = difference.edits(a, b)
  lu.assertNil(gone[1])
  lu.assertTrue(gone[2] and come[2001])
  lu.assertNil(come[2002])
end

function TestDifference.test_origins()
  local origin = difference.origins(difference.merge(letters "abcd", letters "xaBCd"))
  lu.assertEquals(origin, { [2] = 1, [3] = 2, [4] = 3, [5] = 4 })
end

function TestDifference.test_unified()
  local a, b = letters "abcdefghijklmnop", letters "abcdeFghijklmnopq"
  local lines = {}
  for _, e in ipairs(difference.unified(a, b)) do lines[#lines + 1] = e.op == "@" and e.text or e.op .. e.text end
  lu.assertEquals(lines, { "@@ -3,7 +3,7 @@", " c", " d", " e", "-f", "+F", " g", " h", " i", "@@ -14,3 +14,4 @@", " n",
    " o", " p", "+q" })
  lu.assertEquals(difference.unified(a, a), {})
  lu.assertEquals(difference.unified({}, { "a" })[1].text, "@@ -0,0 +1 @@")
end

-- Changes -----------------------------------------------------------------------------------------

local BEFORE <const> = "one\nload\nthree\n"
local AFTER <const> = "zero\none\nload + 1\nthree\n"

local function record(ms, counters, more)
  local r = { step = { kernel = { file = "k.cu" } }, outcome = "ok", rate = value.new("rate", "bandwidth", 100 / ms),
    times = { kind = "predicted", ms = ms, bound = more and more.bound or "" },
    report = { counters = counters, lines = more and more.lines or {} } }
  for key, v in pairs(more and more.times or {}) do r.times[key] = v end
  return r
end

local function shared(wavefronts, line)
  return { shared_load_requests = 100, shared_load_wavefronts = wavefronts, warp_instructions = 1000 },
    { { file = "/x/k.cu", line = line, text = "load", counters = { shared_load_wavefronts = wavefronts } } }
end

local function said(before, after, texts)
  local lines = change.lines({ record = before, text = texts and texts[1] or BEFORE },
    { record = after, text = texts and texts[2] or AFTER })
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  return table.concat(lines, "\n")
end

TestChange = {}

function TestChange.test_the_whole()
  local was, were = shared(3200, 2)
  local is, are = shared(100, 3)
  local lines = said(record(2, was, { bound = "shared wavefronts", lines = were }),
    record(1, is, { bound = "DRAM bandwidth", lines = are }))
  lu.assertStrContains(lines, "change: 50.0 → 100 GB/s, 2.00 ms → 1.00 ms: 2.0× as fast")
  lu.assertStrContains(lines, "shared load wavefronts per request 32 → 1, k.cu:3")
  lu.assertStrContains(lines, "limited by shared wavefronts → DRAM bandwidth")
  lu.assertStrContains(lines, "-    2  load")
  lu.assertStrContains(lines, "+    3  load + 1")
  lu.assertStrContains(lines, "÷ 32.0")
  lu.assertNil(lines:find("warp instructions"))
end

function TestChange.test_the_cause_moves_as_the_time_does()
  local slower = said(record(1, { warp_instructions = 100, shared_load_wavefronts = 3200, shared_load_requests = 100 }),
    record(2, { warp_instructions = 200, shared_load_wavefronts = 100, shared_load_requests = 100 }))
  lu.assertStrContains(slower, "2.0× as slow")
  lu.assertStrContains(slower, "\n  warp instructions 100 → 200\n")
  local none = said(record(1, { shared_load_wavefronts = 200, shared_load_requests = 100 }),
    record(2, { shared_load_wavefronts = 100, shared_load_requests = 100 }))
  lu.assertStrContains(none, "no counter changed in the direction of the time")
  lu.assertStrContains(said(record(1, {}), record(1.2, {})), "20.0 % slower")
  lu.assertStrContains(said(record(1, {}), record(1.2, {})), "no counter changed")
end

-- Of two that moved, the one the model says held the slower of the two up.
function TestChange.test_the_bound_decides()
  local before = { shared_load_wavefronts = 3200, shared_load_requests = 100, global_load_sectors = 800,
    global_load_requests = 100 }
  local after = { shared_load_wavefronts = 100, shared_load_requests = 100, global_load_sectors = 400,
    global_load_requests = 100 }
  lu.assertStrContains(said(record(2, before, { bound = "DRAM bandwidth" }), record(1, after, { bound = "" })),
    "\n  global load sectors per request 8 → 4\n")
  lu.assertStrContains(said(record(2, before), record(1, after)), "\n  shared load wavefronts per request 32 → 1\n")
end

function TestChange.test_times_that_are_the_same()
  lu.assertStrContains(said(record(1, {}), record(1.001, {})), "the same")
  local function measured(ms, q1, q3) return record(ms, {}, { times = { kind = "measured", q1 = q1, q3 = q3 } }) end
  lu.assertStrContains(said(measured(1, 0.9, 1.1), measured(1.05, 1, 1.2)), "within the spread")
  lu.assertStrContains(said(measured(1, 0.99, 1.01), measured(1.05, 1.04, 1.06)), "5.00 % slower")
end

function TestChange.test_without_a_time()
  local wrong = record(1, shared(100, 1))
  wrong.times, wrong.rate, wrong.outcome = nil, nil, "wrong"
  lu.assertStrContains(said(record(1, shared(3200, 1)), wrong), "was 100 GB/s, 1.00 ms")
  lu.assertStrContains(said(wrong, wrong), "no earlier time to compare with")
end

function TestChange.test_long_changes_are_cut()
  local long = {}
  for i = 1, 30 do long[i] = ("line %d "):format(i):rep(30) end
  local lines = said(record(1, {}), record(1, {}), { "", table.concat(long, "\n") })
  lu.assertStrContains(lines, "… and 22 more lines: `diff` shows all")
end

function TestChange.test_nothing_reaches_the_terminal_raw()
  local lines = said(record(1, {}), record(1, {}), { "a", "a\27[2J\255\0" })
  lu.assertNil(lines:find("\27", 1, true))
  lu.assertNil(lines:find("\0", 1, true))
end

os.exit(lu.LuaUnit.run("-o", "tap"))
