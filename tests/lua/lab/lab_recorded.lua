-- Tables of recorded results: what is read of them, and that a table which is none is refused with its line.
require "lab_double"
local lu = require "luaunit"

local recorded = require "gpulab.lab.recorded"

local HEAD <const> = "gpu\tdate\tdriver\tlab\tstep\tparams\tresult\trate\tunit\tq1\tq3\tsamples\tms\tcold\tdetail\n"
local ROW <const> = "NVIDIA H200\t2031-02-03\t1.2\t3\ttile\tn=64 share=0.5\tverified\t1.5e3\tGB/s\t1\t2\t9\t0.5\t\t32×33\n"

local function read(content) return recorded.rows(content, recorded.results) end

TestRecorded = {}

function TestRecorded.test_rows()
  local bare = "H\td\tv\t3\tfigure\t\tshown\t\t\t\t\t\t\t\t\n"
  local rows = read(HEAD .. ROW .. bare)
  lu.assertEquals(rows[1], { gpu = "NVIDIA H200", date = "2031-02-03", driver = "1.2", lab = 3, step = "tile",
    params = { n = 64, share = 0.5 }, result = "verified", rate = 1500, unit = "GB/s", q1 = 1, q3 = 2, samples = 9,
    ms = 0.5, detail = "32×33" })
  lu.assertEquals(rows[2], { gpu = "H", date = "d", driver = "v", lab = 3, step = "figure", params = {}, result = "shown" })
  lu.assertEquals(read(HEAD), {})
end

function TestRecorded.test_what_is_no_table_is_refused()
  for content, said in pairs {
    [""] = "does not end with a whole line", [HEAD:sub(1, -2)] = "does not end with a whole line",
    ["{}\n"] = "line 1 does not name the columns gpu, date", ["\0\n"] = "line 1", [HEAD:gsub("\n", "\r\n")] = "line 1",
    [HEAD .. ROW .. ROW:sub(1, -2)] = "does not end with a whole line", [HEAD .. "\n"] = "line 2: 1 cells instead of 15",
    [HEAD .. ROW .. ROW:gsub("\n", "\t\n")] = "line 3: 16 cells instead of 15", [HEAD:rep(30000)] = "more than a megabyte",
    [HEAD .. HEAD] = "line 2: its lab is not number" } do
    local rows, reason = read(content)
    lu.assertNil(rows)
    lu.assertStrContains(reason, said)
  end
end

function TestRecorded.test_every_cell_is_checked()
  local function with(was, now) return HEAD .. ROW .. ROW:gsub(was:gsub("%p", "%%%0"), (now:gsub("%%", "%%%%")), 1) end
  for _, change in ipairs {
    { "NVIDIA H200", "", "it has no gpu" }, { "NVIDIA", "\27[2J", "its gpu is not text" },
    { "32×33", "\u{202E}", "its detail is not text" }, { "32×33", "\xff", "its detail is not text" },
    { "\t3\t", "\t0x3\t", "its lab is not number" }, { "\t3\t", "\t\t", "it has no lab" },
    { "1.5e3", "1e999", "its rate is not number" }, { "1.5e3", "nan", "its rate is not number" },
    { "1.5e3", "1.5e3e3", "its rate is not number" }, { "1.5e3", " 1", "its rate is not number" },
    { "GB/s", "", "its rate has no unit" }, { "n=64", "n=64 n=64", "its params is not params" },
    { "n=64", "n", "its params is not params" }, { "n=64", "=64", "its params is not params" },
    { "n=64", "n=os.exit()", "its params is not params" }, { "n=64", "n=", "its params is not params" } } do
    local rows, reason = read(with(change[1], change[2]))
    lu.assertNil(rows, change[2])
    lu.assertEquals(reason, "line 3: " .. change[3])
  end
end

-- Each row against the one before it in its table: where both orders are clear and differ, in words.
function TestRecorded.test_order()
  local measured = { a = { rate = 100, unit = "GB/s" }, b = { rate = 50, unit = "GB/s" }, c = { rate = 52, unit = "GB/s" },
    d = { rate = 90, unit = "GB/s" }, e = { unit = "GB/s" } }
  local function row(step, rate, group, unit)
    return { step = step, rate = rate, group = group or "g", unit = unit or "GB/s" }
  end
  lu.assertEquals(recorded.other_order({ row("a", 10), row("b", 11), row("x", 3), row("e", 4), row("c", 10),
    row("d", 9) }, measured), { "`b` is slower than `a`", "`d` is faster than `c`" })
  lu.assertEquals(recorded.other_order({ row("a", 10), row("b", 9), row("d", 9.5) }, measured), {})
  lu.assertEquals(recorded.other_order({ row("a", 10), row("b", 11, "other") }, measured), {})
  lu.assertEquals(recorded.other_order({ row("a", 10), row("b", 11, "g", "Gop/s") }, measured), {})
end

os.exit(lu.LuaUnit.run("-o", "tap"))
