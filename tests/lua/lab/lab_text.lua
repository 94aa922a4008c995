-- Text, values and tables.
local lu = require "luaunit"
local highlight = require "gpulab.base.highlight"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

TestText = {}

function TestText.test_width_counts_characters()
  lu.assertEquals(text.width("32×33"), 5)
  lu.assertEquals(text.width("\xff\xfe"), 2)
  lu.assertEquals(text.clip("copy in the tile", 8), "copy in…")
  lu.assertEquals(text.clip("××××", 3), "××…")
  lu.assertEquals(text.right("×", 3), "  ×")
end

function TestText.test_source_in_colors_is_the_source()
  local lines = { "/* one", "   two */ int x = 0x1f; // ~", '#include "a.h"', "", "__shared__ float s['x'];", "a / b /* c */ ×" }
  lu.assertEquals(highlight.lines(lines, 100, false), lines)
  local colored = highlight.lines(lines, 100, true)
  for i, line in ipairs(colored) do lu.assertEquals((line:gsub("\27%[%d*m", "")), lines[i]) end
  lu.assertEquals(colored[1], "\27[2m/* one\27[0m")
  lu.assertStrContains(colored[2], "\27[2m   two */\27[0m \27[34mint\27[0m x = \27[36m0x1f\27[0m;")
  lu.assertStrContains(colored[5], "\27[1m__shared__\27[0m")
end

function TestText.test_source_is_cut_to_its_columns()
  for width = 1, 30 do
    for _, line in ipairs(highlight.lines({ "int ××× = 'a'; // longer than that", '"\xff\xfe' }, width, false)) do
      lu.assertTrue(text.width(line) <= width)
    end
  end
  lu.assertEquals(highlight.lines({ "int a; // b" }, 8, false), { "int a; …" })
end

function TestText.test_a_factor_has_one_decimal_from_2_on()
  for x, said in pairs { [16.24] = "16.2×", [2] = "2.0×", [1.999] = "2.00×", [1.17] = "1.17×", [1] = "1.00×", [0.963] = "0.96×",
    [0.05] = "0.05×", [0.0012] = "0.001×", [1234.5] = "1234.5×" } do
    lu.assertEquals(value.times(x), said)
  end
  lu.assertEquals(value.ratio(2.449), "2.4×")
  lu.assertEquals(value.ratio(0.49), "49 %")
  lu.assertEquals(value.show(value.new("speedup", "ratio", 17.62)), "17.6×")
end

function TestText.test_a_number_and_its_unit_stay_on_one_line()
  lu.assertEquals(text.wrap("takes 0.5 ms of 100 ms", "", 9), { "takes", "0.5 ms of", "100 ms" })
  lu.assertEquals(text.wrap("for 16 000 000 of 48 %", "", 14), { "for 16 000 000", "of 48 %" })
  lu.assertEquals(text.wrap("a " .. text.together "GTX 280: 2 × 16" .. " b", "", 16), { "a", "GTX 280: 2 × 16", "b" })
end

function TestText.test_ends_of_a_text_take_one_pass()
  lu.assertEquals({ text.trim " \t a  b\n ", text.trim "", text.trim " \n ", text.trim "x" }, { "a  b", "", "", "x" })
  lu.assertEquals({ text.last_line "a\nb c\n\n", text.last_line "", text.last_line "\n", text.last_line "one" }, { "b c", "", "", "one" })
  local blanks, long = (" "):rep(2000000), ("x"):rep(2000000) -- the square of these would take hours
  lu.assertEquals(#text.trim("a" .. blanks .. "b" .. blanks), 2000002)
  lu.assertEquals(text.trim(blanks), "")
  lu.assertEquals(text.last_line(long .. "\n" .. "end\n"), "end")
  lu.assertEquals(#text.wrap("a" .. blanks .. "b")[1], 3)
end

function TestText.test_wrap_fills_paragraphs_and_leaves_pictures()
  local lines = text.wrap("one two three\nfour\n\n  lane 0 1 2\nfive", "", 9)
  lu.assertEquals(lines, { "one two", "three", "four", "", "  lane 0 1 2", "five" })
  lu.assertEquals(text.wrap("", "  "), {})
  lu.assertEquals(text.wrap(("x"):rep(100), "  ", 20), { "  " .. ("x"):rep(100) })
end

function TestText.test_numbers_keep_three_digits()
  lu.assertEquals(text.number(3320.4), "3320")
  lu.assertEquals(text.number(94.9), "94.9")
  lu.assertEquals(text.number(8.333), "8.33")
  lu.assertEquals(text.number(0.944), "0.944")
  lu.assertEquals(text.number(-0.0028652), "-0.00287")
  lu.assertEquals(text.number(0), "0.000")
  lu.assertEquals(text.number(0 / 0), "nan")
  lu.assertEquals(text.count(16000000), "16 000 000")
  lu.assertEquals(text.count(-1234), "-1 234")
  lu.assertEquals(text.count(0), "0")
  lu.assertEquals(text.count(999), "999")
end

function TestText.test_plurals()
  lu.assertEquals(text.plural(1, "launch"), "1 launch")
  lu.assertEquals(text.plural(2, "launch"), "2 launches")
  lu.assertEquals(text.plural(2, "access"), "2 accesses")
  lu.assertEquals(text.plural(1000, "step"), "1 000 steps")
end

function TestText.test_nearest_guesses_only_what_is_near()
  lu.assertEquals(text.nearest("kernal", { "grid", "kernel", "block" }), "kernel")
  lu.assertEquals(text.nearest("blcok", { "grid", "kernel", "block" }), "block")
  lu.assertNil(text.nearest("zzz", { "grid", "kernel" }))
  lu.assertNil(text.nearest("x", {}))
end

function TestText.test_lists()
  lu.assertEquals(text.list({}), "")
  lu.assertEquals(text.list({ "a" }), "a")
  lu.assertEquals(text.list({ "a", "b", "c" }, "or"), "a, b or c")
end

TestValue = {}

function TestValue.test_shows_by_its_hint()
  lu.assertEquals(value.show(value.new("rate", "bandwidth", 94.9)), "94.9 GB/s")
  lu.assertEquals(value.show(value.new("share", "percent", 0.494)), "49 %")
  lu.assertEquals(value.show(value.new("n", "count", 16000000)), "16 000 000")
  lu.assertError(value.new, "n", "colour", 1)
end

TestTable = {}

local columns = {
  { header = { "step" }, narrow = 12 },
  { header = { "lecture", "GTX 280", "GB/s" }, right = true },
  { header = { "verified" } },
}

function TestTable.test_golden()
  local lines = tables.render(columns, {
    { "copy in the tile", "94.9", "yes" },
    { "tile 32×32", "75.1", "yes", note = "32-way bank conflict, transpose.cu:43" },
    { "tile 32×33", nil, { text = "NO", style = "bad" } },
  })
  lu.assertEquals(table.concat(lines, "\n"), table.concat({
    "  step              lecture  verified",
    "                    GTX 280",
    "                       GB/s",
    "  copy in the tile     94.9  yes",
    "  tile 32×32           75.1  yes       32-way bank conflict, transpose.cu:43",
    "  tile 32×33                 NO",
  }, "\n"))
end

function TestTable.test_a_note_without_room_stands_below()
  local lines = tables.render(columns, { { "tile", "75.1", "yes", note = ("word "):rep(20) } })
  lu.assertEquals(lines[4], "  tile     75.1  yes")
  lu.assertStrContains(lines[5], "    word word")
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80) end
end

function TestTable.test_a_narrowed_cell_continues_below()
  local lines = tables.render(columns, { { "32 threads per element, atomic", "94.9", "yes", note = "a note" } }, { width = 40 })
  lu.assertEquals(table.concat(lines, "\n"), table.concat({
    "  step                 lecture  verified",
    "                       GTX 280",
    "                          GB/s",
    "  32 threads per          94.9  yes",
    "  element, atomic",
    "    a note",
  }, "\n"))
end

function TestTable.test_no_word_is_cut_at_any_width()
  local title = "__fadd_rn(__fmul_rn()) of 16 000 elements"
  for width = 60, 160 do
    local lines = tables.render({ columns[1], columns[2], { header = { "limited by" }, narrow = 6 }, columns[3], columns[2] },
      { { title, "94.9", "shared wavefronts", "yes", "75.1" } }, { width = width })
    local all = table.concat(lines, "\n")
    for word in (title .. " shared wavefronts"):gmatch("%S+") do lu.assertStrContains(all, word) end
    lu.assertNotStrContains(all, "…")
    for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= width, line) end
  end
end

function TestTable.test_colour_changes_no_width()
  local rows = { { { text = "a", style = "good" }, "1", { text = "yes", style = "good" }, note = { text = "n", style = "bad" } } }
  local plain = tables.render(columns, rows)
  local painted = tables.render(columns, rows, { color = true })
  for i, line in ipairs(painted) do
    lu.assertEquals((line:gsub("\27%[[%d;]*m", ""):gsub("%s+$", "")), plain[i])
  end
  lu.assertStrContains(painted[4], "\27[32m")
end

TestRatio = {}

function TestRatio.test_large_ratios_are_factors()
  lu.assertEquals({ value.ratio(0.485), value.ratio(1.99), value.ratio(2), value.ratio(16.19) },
    { "48 %", "199 %", "2.0×", "16.2×" })
end

TestProgress = {}

function TestProgress.test_time_left()
  local progress = require "gpulab.base.progress"
  lu.assertNil(progress.left(5, 0, 10))
  lu.assertNil(progress.left(5, 10, 10))
  lu.assertEquals(progress.left(5, 1, 10), "about 45 s left")
  lu.assertEquals(progress.left(2, 9, 10), "about 1 s left")
  lu.assertEquals(progress.left(60, 1, 10), "about 9 min left")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
