-- gpulab.store: what goes in comes out, and what makes no sense is refused by name.
local lu = require "luaunit"
local store = require "gpulab.store"

local folder

local function run(changes)
  local row = { lab = "trial", step = "tile", outcome = "ok" }
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
  local journal <close> = store.open(folder)
  lu.assertEquals(journal:record(row), 1)
  local runs, left_out = journal:history("trial", "tile")
  row.id = 1
  lu.assertEquals(runs, { row })
  lu.assertEquals(left_out, 0)
  lu.assertEquals(journal.path, folder .. "/journal.db")
  lu.assertNil(journal:notice())
end

function TestStore.test_what_is_not_known_is_nil()
  local journal <close> = store.open(folder)
  lu.assertEquals({ journal:history("trial", "tile") }, { {}, 0 })
  journal:record(run())
  local got = journal:history("trial", "tile", 1)[1]
  for _, name in ipairs { "kernel", "gpu", "verified", "value", "unit", "q1", "counters" } do lu.assertNil(got[name]) end
  lu.assertTrue(math.abs(got.time / 1000 - os.time()) < 3600)
end

function TestStore.test_marks_come_back()
  local journal <close> = store.open(folder)
  lu.assertEquals({ journal:marks("trial") }, { {}, 0 })
  local guess = { lab = "trial", what = "guess", name = "tile", text = "n=8", unit = "passes", number = 16.5, truth = 32.0,
    time = 1767225600123 }
  lu.assertEquals(journal:mark(guess), 1)
  lu.assertEquals(journal:mark { lab = "other", what = "place", name = "a\0b" }, 2)
  guess.id = 1
  lu.assertEquals({ journal:marks("trial") }, { { guess }, 0 })
  lu.assertEquals(journal:marks("trial", "note"), {})
  local all = journal:marks()
  lu.assertEquals(#all, 2)
  lu.assertEquals(all[1].name, "a\u{fffd}b")
  lu.assertNil(all[1].number)
  lu.assertEquals(#journal:marks(nil, "place"), 1)
end

function TestStore.test_marks_that_make_no_sense()
  local journal <close> = store.open(folder)
  local function refused(says, mark) lu.assertErrorMsgContains(says, journal.mark, journal, mark) end
  refused("does not know its kind", { lab = "trial", what = "rumour", name = "tile" })
  refused("lab and name", { lab = "trial", what = "note" })
  refused("a string expected", { lab = 3, what = "note", name = "tile" })
  refused("a number expected", { lab = "trial", what = "guess", name = "tile", number = "many" })
  refused("infinite", { lab = "trial", what = "guess", name = "tile", number = math.huge })
  refused("a whole number expected", { lab = "trial", what = "guess", name = "tile", time = 1.5 })
  refused("colour", { lab = "trial", what = "note", name = "tile", colour = 1 })
  lu.assertErrorMsgContains("string expected", journal.marks, journal, {})
end

function TestStore.test_hostile_texts()
  local journal <close> = store.open(folder)
  journal:record(run { step = "a\0b", kernel = "x'); DROP TABLE runs; --", gpu = "\xff\0\xe2\x82" })
  journal:record(run { step = "a\0b", kernel = ("ř"):rep(1 << 19), params = ("\0"):rep(1 << 20) })
  local runs = journal:history("trial", "a\0b")
  lu.assertEquals(#runs, 2)
  lu.assertEquals(runs[2].step, "a\u{fffd}b")
  lu.assertEquals(runs[2].kernel, "x'); DROP TABLE runs; --")
  lu.assertEquals(runs[2].gpu, ("\u{fffd}"):rep(4))
  lu.assertEquals(runs[1].kernel, ("ř"):rep(512))
  lu.assertNotNil(utf8.len(runs[1].params))
end

function TestStore.test_misuse()
  local journal <close> = store.open(folder)
  local function refused(message, row) lu.assertErrorMsgContains(message, journal.record, journal, row) end
  refused("did you mean 'step'", run { stop = "x" })
  refused("lab: a string expected, got number", run { lab = 3 })
  refused("value: a number expected, got string", run { value = "fast" })
  refused("samples: a whole number expected", run { samples = 1.5 })
  refused("time: a whole number expected", run { time = {} })
  refused("verified: a boolean expected", run { verified = 1 })
  refused("fields have names", { 1 })
  refused("table expected")
  refused("unknown field 'id'", run { id = 1 })
  refused("journal does not know its outcome", run { outcome = "splendid" })
  refused("infinite", run { value = 1 / 0, unit = "GB/s", kind = "measured" })
  refused("not a flat JSON object", run { counters = "{\0}" })
  for _, n in ipairs { 0, -1, 10001, math.maxinteger } do
    lu.assertErrorMsgContains("1 to 10000", journal.history, journal, "trial", "tile", n)
  end
  lu.assertErrorMsgContains("a folder expected", store.open, "")
  lu.assertErrorMsgContains("a folder expected", store.open, "a\0b")
  lu.assertErrorMsgContains("journal expected", journal.record, gpu.error("setup", "x"), run())
end

function TestStore.test_closed()
  local journal = store.open(folder)
  journal:record(run())
  journal:close()
  journal:close()
  lu.assertEquals(tostring(journal), "journal (closed)")
  lu.assertNil(journal.path)
  for _, name in ipairs { "record", "history", "notice" } do
    lu.assertErrorMsgContains("closed", journal[name], journal, "trial", "tile")
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
