-- gpulab.store and what the journal keeps in it: what goes in comes out, and what makes no sense is refused by name.
local lu = require "luaunit"
local records = require "gpulab.run.records"
local store = require "gpulab.store"

local folder

local function run(changes)
  local row = { lab = "trial", step = "tile", outcome = "ok" }
  for key, v in pairs(changes or {}) do row[key] = v end
  return row
end

local function rated(changes)
  local row = run { value = 1621.5, unit = "GB/s", kind = "measured", samples = 40 }
  for key, v in pairs(changes) do row[key] = v end
  return row
end

local function mark(what, name, changes)
  local row = { lab = "trial", what = what, name = name }
  for key, v in pairs(changes or {}) do row[key] = v end
  return row
end

TestStore = {}

function TestStore.setUp()
  folder = os.tmpname() -- a file: its name is ours
  os.remove(folder)
end

function TestStore.tearDown()
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(folder .. "/journal.db" .. ending) end
  os.remove(folder)
end

function TestStore.test_everything_comes_back()
  local row = run { time = 1767225600123, kernel = "tile<32>", source = "0123", params = "n=8", device = "cuda:0", gpu = "NVIDIA H200",
    driver = "13.0", nvrtc = "13.0", verified = false, value = 1621.5, unit = "GB/s", kind = "measured", q1 = 1.5, q3 = 2.5, min = 3.5,
    samples = 40, clock_ghz = 1.98, temperature = 41, counters = '{"barriers": 3}' }
  local file <close> = store.open(folder)
  lu.assertEquals(records.run(file, row), 1)
  local runs, left_out = records.runs(file, "trial", "tile")
  row.id = 1
  lu.assertEquals(runs, { row })
  lu.assertEquals(left_out, 0)
  lu.assertEquals(file.path, folder .. "/journal.db")
  lu.assertNil(file:notice())
end

function TestStore.test_what_is_not_known_is_nil()
  local file <close> = store.open(folder)
  lu.assertEquals({ records.runs(file, "trial", "tile") }, { {}, 0 })
  records.run(file, run { unit = "GB/s", samples = 40, gpu = "", q1 = -1 }) -- of a rate that is not there
  records.run(file, run { value = 0 / 0, unit = "GB/s" })
  for _, got in ipairs(records.runs(file, "trial", "tile")) do
    for _, name in ipairs { "kernel", "gpu", "verified", "value", "unit", "q1", "samples", "temperature", "counters" } do
      lu.assertNil(got[name])
    end
    lu.assertTrue(math.abs(got.time / 1000 - os.time()) < 3600)
    lu.assertEquals(math.type(got.time), "integer")
  end
end

function TestStore.test_newest_first_of_one_step()
  local file <close> = store.open(folder)
  for i = 1, 30 do -- a clock that was set back changes no order
    records.run(file, rated { step = i % 3 > 0 and "tile" or "copy", value = i, time = 1767225600000 - i })
  end
  records.run(file, rated { lab = "reduction" })
  local values = {}
  for i, got in ipairs(records.runs(file, "trial", "tile", 5)) do values[i] = got.value end
  lu.assertEquals(values, { 29, 28, 26, 25, 23 })
  lu.assertEquals(#records.runs(file, "trial", "tile", 10000), 20)
  lu.assertEquals(#records.runs(file, "trial", "tile"), 20)
end

function TestStore.test_marks_come_back()
  local file <close> = store.open(folder)
  lu.assertEquals({ records.marks(file, "trial") }, { {}, 0 })
  lu.assertNil(io.open(file.path)) -- reading makes no file
  local guess = mark("guess", "tile", { text = "n=8", unit = "passes", number = 16.5, truth = 32.0, time = 1767225600123 })
  lu.assertEquals(records.mark(file, guess), 1)
  lu.assertEquals(records.mark(file, { lab = "other", what = "place", name = "a\0b" }), 2)
  lu.assertEquals(records.mark(file, mark("note", "tile", { text = 'řádky: 32\n"quoted"' })), 3)
  guess.id = 1
  lu.assertEquals({ records.marks(file, "trial", "guess") }, { { guess }, 0 })
  lu.assertEquals(records.marks(file, "trial", "hint"), {})
  lu.assertEquals(records.marks(file, "transposition"), {})
  local all = records.marks(file)
  lu.assertEquals(#all, 3)
  lu.assertEquals(all[1].text, 'řádky: 32\n"quoted"')
  lu.assertNil(all[1].unit)
  lu.assertEquals(all[2].name, "a\u{fffd}b")
  lu.assertNil(all[2].number)
  lu.assertEquals(#records.marks(file, nil, "place"), 1)
end

function TestStore.test_one_place_per_lab()
  local one <close> = store.open(folder)
  local two <close> = store.open(folder)
  records.mark(one, mark("place", "copy"))
  records.mark(one, mark("note", "copy"))
  records.mark(one, mark("place", "sum", { lab = "reduction" }))
  records.mark(two, mark("place", "tile"))
  local places = records.marks(one, "trial", "place")
  lu.assertEquals(#places, 1)
  lu.assertEquals(places[1].name, "tile")
  lu.assertEquals(#records.marks(one), 3)
end

function TestStore.test_marks_that_make_no_sense()
  local file <close> = store.open(folder)
  local function refused(says, row) lu.assertErrorMsgContains(says, records.mark, file, row) end
  refused("this mark on tile cannot be recorded: the journal does not know its kind", mark("rumour", "tile"))
  refused("does not know its kind", mark("", "tile"))
  refused("lab and name", mark("note"))
  refused("lab and name", mark("note", ""))
  refused("lab and name", mark("note", "tile", { lab = "" }))
  refused("its time is out of range", mark("note", "tile", { time = math.maxinteger }))
  refused("a string expected", mark("note", "tile", { lab = 3 }))
  refused("a number expected", mark("guess", "tile", { number = "many" }))
  refused("infinite", mark("guess", "tile", { number = math.huge }))
  refused("infinite", mark("guess", "tile", { truth = -math.huge }))
  refused("a whole number expected", mark("guess", "tile", { time = 1.5 }))
  refused("colour", mark("note", "tile", { colour = 1 }))
  lu.assertNil(io.open(file.path))
  lu.assertErrorMsgContains("string expected", file.read, file, "SELECT * FROM marks WHERE lab = ?1", {})
end

function TestStore.test_hostile_texts()
  local file <close> = store.open(folder)
  local texts = { ["'); DROP TABLE runs; --"] = "'); DROP TABLE runs; --", ["\"quotes\" 'and' `ticks`"] = "\"quotes\" 'and' `ticks`",
    ["%s%n%d ?1 :name"] = "%s%n%d ?1 :name", ["\xff\xfe stray"] = "\u{fffd}\u{fffd} stray",
    ["over\xc0\xaflong"] = "over\u{fffd}\u{fffd}long", ["\xed\xa0\x80 surrogate"] = ("\u{fffd}"):rep(3) .. " surrogate",
    ["cut \xe2\x82"] = "cut \u{fffd}\u{fffd}", ["\xf5\x80\x80\x80"] = ("\u{fffd}"):rep(4), ["Jiří 😀"] = "Jiří 😀",
    ["line\nbreak\x1b[31m"] = "line\nbreak\x1b[31m", ["a\0b"] = "a\u{fffd}b" }
  for given, kept in pairs(texts) do
    records.run(file, run { step = given, kernel = given, gpu = given })
    local runs, left_out = records.runs(file, "trial", given)
    lu.assertEquals({ #runs, left_out }, { 1, 0 })
    lu.assertEquals({ runs[1].step, runs[1].kernel, runs[1].gpu }, { kept, kept, kept })
  end
end

function TestStore.test_long_texts_are_cut_between_characters()
  local file <close> = store.open(folder)
  records.run(file, run { kernel = ("ř"):rep(1 << 19), params = ("\0"):rep(1 << 20), gpu = "x" .. ("ř"):rep(600), device = ("😀"):rep(256) })
  local got = records.runs(file, "trial", "tile")[1]
  lu.assertEquals(got.kernel, ("ř"):rep(512))
  lu.assertEquals(got.params, ("\u{fffd}"):rep(341)) -- one more does not fit
  lu.assertEquals(got.gpu, "x" .. ("ř"):rep(511))
  lu.assertEquals(got.device, ("😀"):rep(256))
  records.mark(file, mark("note", "tile", { text = ("x"):rep(64 * 1024 + 99) }))
  lu.assertEquals(#records.marks(file)[1].text, 64 * 1024)
end

function TestStore.test_counters_are_flat_objects()
  local file <close> = store.open(folder)
  for _, good in ipairs { "{}", " { } ", '{"a":1}', '{"a": -1.5e-7,\n\t"b c": 0}', '{"a":0.25,"b":10E+2}', '{"[a]^b":0}' } do
    records.run(file, run { counters = good })
  end
  for _, bad in ipairs { " ", "{", "}", "[]", "null", '{"a"}', '{"a":}', '{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1}', '{"a":0x1}',
    '{"a":1,}', "{,}", '{"":1}', "{a:1}", '{"a":1} x', '{"a":nan}', '{"a":1e}', '{"a":"1"}', '{"a":-}', '{"a\\n":1}', '{"í":1}', '{"a" 1}',
    '{"a":1}\0', '{"a":1\0}', '{"a":1 2}', '{"a":{}}' } do
    lu.assertErrorMsgContains("not a flat JSON object", records.run, file, run { counters = bad })
  end
  lu.assertErrorMsgContains("counters are too long", records.run, file, run { counters = "{" .. (" "):rep(256 * 1024) .. "}" })
end

function TestStore.test_misuse()
  local file <close> = store.open(folder)
  local function refused(message, row) lu.assertErrorMsgContains(message, records.run, file, row) end
  refused("did you mean 'step'", run { stop = "x" })
  refused("lab: a string expected, got number", run { lab = 3 })
  refused("value: a number expected, got string", run { value = "fast" })
  refused("samples: a whole number expected", run { samples = 1.5 })
  refused("time: a whole number expected", run { time = {} })
  refused("verified: a boolean expected", run { verified = 1 })
  refused("fields have names", { 1 })
  refused("table expected")
  refused("unknown field 'id'", run { id = 1 })
  refused("lab and step are needed", run { lab = "" })
  refused("lab and step are needed", { lab = "trial", outcome = "ok" })
  refused("this run of tile cannot be recorded: the journal does not know its outcome", run { outcome = "splendid" })
  refused("does not know its outcome", { lab = "trial", step = "tile" })
  refused("infinite", rated { value = 1 / 0 })
  refused("negative", rated { value = -1 })
  refused("infinite", rated { q1 = 1 / 0 })
  refused("neither measured nor predicted", rated { kind = "guessed" })
  refused("no unit", rated { unit = "" })
  refused("samples is negative", rated { samples = -1 })
  for _, time in ipairs { -5, 0, math.maxinteger } do refused("its time is out of range", run { time = time }) end
  lu.assertNil(io.open(file.path))
  for _, n in ipairs { 0, -1, 10001, math.maxinteger } do
    lu.assertErrorMsgContains("1 to 10000", records.runs, file, "trial", "tile", n)
  end
  lu.assertErrorMsgContains("a folder expected", store.open, "")
  lu.assertErrorMsgContains("a folder expected", store.open, "a\0b")
  lu.assertErrorMsgContains("journal expected", file.write, gpu.error("setup", "x"), "DELETE FROM runs")
end

-- Someone edited the file: rows that make no sense are left out and counted, the others are there.
function TestStore.test_rows_are_checked_when_read()
  local edits = { "at = 'yesterday'", "at = -1", "gpu = x'ff00ff'", "gpu = CAST(x'ff41' AS TEXT)", "gpu = 'a' || char(0) || 'b'",
    "gpu = hex(zeroblob(4000000))", "gpu = hex(zeroblob(600))", "outcome = 'splendid'", "outcome = ''", "verified = 7", "verified = 'yes'",
    "verified = x'01'", "samples = -3", "samples = 1.5", "value = 'fast'", "value = 9e999", "q1 = -9e999", "unit = NULL", "kind = 3",
    "counters = '{\"a\": [1]}'", "counters = 12" }
  local file <close> = store.open(folder)
  for i, edit in ipairs(edits) do
    records.run(file, rated { verified = true })
    file:write(("UPDATE runs SET %s WHERE id = ?1"):format(edit), i)
  end
  records.run(file, rated { value = 4711 })
  local runs, left_out = records.runs(file, "trial", "tile", 100)
  for i = 2, #runs do print("# taken: " .. edits[runs[i].id]) end
  lu.assertEquals({ #runs, left_out }, { 1, #edits })
  lu.assertEquals(runs[1].value, 4711)
end

function TestStore.test_marks_are_checked_when_read()
  local file <close> = store.open(folder)
  records.mark(file, mark("note", "tile"))
  file:write [[INSERT INTO marks (at, lab, what, name) VALUES (1, 'trial', 'rumour', 'x'), (-1, 'trial', 'note', 'x'),
    (1, 'trial', 'note', x'ff00'), (1, 'trial', 'note', ''), ('soon', 'trial', 'note', 'x');
    INSERT INTO marks (at, lab, what, name, number) VALUES (1, 'trial', 'guess', 'x', 'many'), (1, 'trial', 'guess', 'x', 9e999)]]
  local marks, left_out = records.marks(file, "trial")
  lu.assertEquals({ #marks, left_out }, { 1, 7 })
end

function TestStore.test_closed()
  local file = store.open(folder)
  records.run(file, run())
  file:close()
  file:close()
  lu.assertEquals(tostring(file), "journal (closed)")
  lu.assertNil(file.path)
  for _, name in ipairs { "write", "read", "notice" } do
    lu.assertErrorMsgContains("closed", file[name], file, "DELETE FROM runs")
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
