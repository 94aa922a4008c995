-- Charts: what is drawn where, in the terminal and as SVG, and that nothing that is no number breaks them.
local chart = require "gpulab.show.chart"
local lu = require "luaunit"
local scale = require "gpulab.show.chart.scale"
local text = require "gpulab.base.text"

local function line(f, from, to)
  local points = {}
  for x = from, to do points[#points + 1] = { x, f(x) } end
  return points
end

local function fits(lines, height)
  lu.assertTrue(#lines <= height, #lines)
  for _, l in ipairs(lines) do lu.assertTrue(text.width(l) <= 80, l) end
end

TestScale = {}

function TestScale.test_results_begin_at_zero_and_end_round()
  local s = scale.of({ 94.9, 75.1 }, { ticks = 5, from_zero = true })
  lu.assertEquals({ s.low, s.high }, { 0, 100 })
  lu.assertEquals(s.ticks, { 0, 20, 40, 60, 80, 100 })
  lu.assertEquals(s:at(50), 0.5)
end

function TestScale.test_powers_of_two_have_ticks_of_their_own()
  local s = scale.of({ 1, 4, 16, 64 }, { ticks = 8, log = true })
  lu.assertEquals(s.ticks, { 1, 2, 4, 8, 16, 32, 64 })
  lu.assertAlmostEquals(s:at(8), 0.5, 1e-12)
end

function TestScale.test_odd_ranges()
  for _, values in ipairs { {}, { 0 }, { 5 }, { -3, -3 }, { 1e300, 1e-300 }, { 1e15, 1e15 + 1 }, { -1e9, 1e9 } } do
    for _, log in ipairs { false, true } do
      for _, from_zero in ipairs { false, true } do
        local s = scale.of(values, { ticks = 5, log = log, from_zero = from_zero })
        lu.assertTrue(s.high > s.low)
        lu.assertTrue(#s.ticks < 60)
        for _, v in ipairs(values) do
          local at = s:at(v)
          lu.assertTrue(at > -1e-6 and at < 1 + 1e-6, ("%g at %g"):format(v, at))
        end
      end
    end
  end
end

function TestScale.test_labels()
  local cases = { [0] = "0", [0.5] = "0.5", [1000] = "1000", [1024] = "1Ki", [4096] = "4Ki", [1 << 20] = "1Mi",
    [20000] = "20k", [1e6] = "1M", [2.5e9] = "2.5G", [1e-6] = "1e-06" }
  for x, want in pairs(cases) do lu.assertEquals(scale.label(x), want) end
end

TestTerminal = {}

function TestTerminal.test_a_chart_fits_and_marks_differ()
  local series = { { name = "H200", points = line(function(x) return 3000 - 100 * x end, 0, 16) },
    { name = "GTX 280", points = line(function(x) return 50 * x end, 0, 16) } }
  local options = { title = "Offset", x_label = "offset k", y_label = "GB/s", ascii = false }
  local lines = chart.terminal(series, options)
  fits(lines, 20)
  local all = table.concat(lines, "\n")
  lu.assertStrContains(lines[1], "Offset")
  lu.assertStrContains(lines[2], "● H200  ○ GTX 280")
  lu.assertStrContains(lines[3], "GB/s")
  lu.assertEquals(select(2, all:gsub("●", "")), 17 + 1) -- and the legend's
  lu.assertStrContains(lines[#lines], "offset k")
  -- Peaks at every second point are marked, too.
  all = table.concat(chart.terminal({ { name = "one", points = line(function(x) return x % 2 end, 1, 33) } }, {}), "\n")
  lu.assertEquals(select(2, all:gsub("●", "")), 33)
  -- Where series have the same points, each is seen.
  local same = { { name = "a", points = { { 0, 1 }, { 1, 2 } } }, { name = "b", points = { { 0, 1 }, { 1, 2 } } } }
  all = table.concat(chart.terminal(same, { ascii = false }), "\n")
  lu.assertStrContains(all, "●○")
  lu.assertStrContains(all, "○●\n")
  options.ascii = true
  lines = chart.terminal(series, options)
  fits(lines, 20)
  all = table.concat(lines, "\n")
  lu.assertNil(all:find("[\x80-\xff]"))
  lu.assertEquals(select(2, all:gsub("x", "")) >= 17, true)
end

function TestTerminal.test_the_highest_point_is_on_top()
  local lines = chart.terminal({ { name = "a", points = { { 0, 1 }, { 1, 10 } } } }, { ascii = true })
  lu.assertStrContains(lines[1], "10+")
  lu.assertEquals(lines[1]:sub(-1), "o")
  lu.assertStrContains(lines[#lines - 2], "+")
end

function TestTerminal.test_colour_changes_no_width()
  local series = { { name = "a", points = { { 0, 1 }, { 1, 10 } } }, { name = "b", points = { { 0, 2 }, { 1, 3 } } } }
  local plain = chart.terminal(series, { ascii = false })
  local colored = chart.terminal(series, { ascii = false, color = true })
  for i, l in ipairs(colored) do lu.assertEquals((l:gsub("\27%[[%d;]*m", "")), plain[i]) end
end

function TestTerminal.test_gaps_and_nonsense()
  local nothing = chart.terminal({}, {})
  lu.assertEquals(#nothing, 1)
  lu.assertStrContains(nothing[1], "no data to draw")
  for _, points in ipairs { {}, { { 1, nil } }, { { 0 / 0, 1 } }, { { 1, 0 / 0 } }, { { 1, math.huge } }, { { 1, "x" } },
    { { "1", 1 } } } do
    lu.assertStrContains(chart.terminal({ { name = "a", points = points } }, {})[1], "no data to draw")
  end
  fits(chart.terminal({ { name = "a", points = { { 1, 1 }, { 2 }, { 3, 3 } } } }, { ascii = true }), 20)
  fits(chart.terminal({ { name = "a", points = { { 0, 0 }, { 1, 1 }, { 10, 0 } } } },
    { x_log = true, y_log = true, ascii = true }), 20)
  fits(chart.terminal({ { name = ("long "):rep(40), points = { { 1, -5 }, { 1, 1e300 } } },
    { name = "b", points = { { 1, 1 } } } }, { title = ("t"):rep(200), x_label = ("x"):rep(200),
    y_label = ("y"):rep(200), ascii = true }), 20)
end

function TestTerminal.test_many_series_and_points()
  local series = {}
  for i = 1, 12 do series[i] = { name = "series " .. i, points = line(function(x) return i * x end, 1, 500) } end
  fits(chart.terminal(series, { ascii = false, title = "t", x_label = "x", y_label = "y" }), 20)
end

function TestTerminal.test_the_locale_decides()
  local function locale(env) return chart.is_utf8(function(name) return env[name] end) end
  lu.assertTrue(locale { LANG = "cs_CZ.UTF-8" })
  lu.assertTrue(locale { LANG = "C.utf8" })
  lu.assertFalse(locale {})
  lu.assertFalse(locale { LANG = "C" })
  lu.assertFalse(locale { LC_ALL = "C", LANG = "C.UTF-8" })
  lu.assertTrue(locale { LC_ALL = "", LC_CTYPE = "C.UTF-8", LANG = "C" })
end

TestSvg = {}

function TestSvg.test_it_is_xml_and_holds_the_points()
  local svg = chart.svg({ { name = 'a <&> "b"', points = { { 0, 1 }, { 1, 2 }, { 2 }, { 3, 4 }, { 4, 5 } } },
    { name = "bad \xff\1", points = { { 0, 3 } } } }, { title = "T & t", x_label = "x", y_label = "y" })
  lu.assertStrContains(svg, "<title>T &amp; t</title>")
  lu.assertStrContains(svg, "a &lt;&amp;&gt; &quot;b&quot;")
  lu.assertNil(svg:find("[\1\xff]"))
  lu.assertEquals(select(2, svg:gsub("<polyline", "")), 2) -- a gap parts the curve
  lu.assertEquals(select(2, svg:gsub("<circle", "")), 4 + 1)
  lu.assertEquals(select(2, svg:gsub("<g", "")), select(2, svg:gsub("</g>", "")))
  lu.assertNil(svg:find("nan"))
end

function TestSvg.test_nothing_to_draw_is_a_picture_too()
  lu.assertStrContains(chart.svg({}, {}), "</svg>")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
