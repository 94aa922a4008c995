-- Steps that copy and overlap, without any device: what is asked of it, what becomes of its answer, and the timeline.
package.preload["gpulab.base.where"] = function() return {} end
local lu = require "luaunit"
local json = require "gpulab.base.json"
local text = require "gpulab.base.text"
local transfer = require "gpulab.run.transfer"

local function span(what, chunk, stream, from, to)
  return { what = what, chunk = chunk, stream = stream, start_ms = from, end_ms = to }
end

-- Two chunks on two streams, a kernel too short to be seen at its size.
local spans = {
  span("to device", 1, 1, 0, 4), span("kernel", 1, 1, 4, 4.001), span("from device", 1, 1, 4.001, 6),
  span("to device", 2, 2, 4, 8), span("kernel", 2, 2, 8, 9), span("from device", 2, 2, 9, 10),
}

local function record(more)
  local r = { step = { id = "s", title = "two chunks" }, params = {}, models = {},
    timeline = { spans = spans, ms = 10, kind = "predicted" } }
  for k, v in pairs(more or {}) do r[k] = v end
  return r
end

TestTimeline = {}

function TestTimeline.test_every_operation_is_seen()
  local lines = transfer.lines(record())
  lu.assertStrContains(lines[1], "timeline, predicted, two chunks")
  lu.assertStrMatches(lines[2], "  stream 1  >1>+#1<+%.+")
  lu.assertStrMatches(lines[3], "  stream 2  %.+>2>+#2#+2<+")
  lu.assertStrMatches(lines[4], " +0 +10%.0 ms")
  lu.assertStrContains(table.concat(lines, " "), "> to device 80 %")
end

function TestTimeline.test_it_fits_80_columns()
  for _, width in ipairs { 80, 200, 40 } do
    for _, line in ipairs(transfer.lines(record(), { width = width })) do
      lu.assertTrue(text.width(line) <= math.min(width, 80), line)
    end
  end
end

function TestTimeline.test_other_gpus_have_theirs_if_they_were_asked_for()
  local models = {}
  for i, name in ipairs { "A", "B", "C", "D", "E" } do
    models[i] = { gpu = name, known = name ~= "B", ms = 10, spans = spans }
  end
  lu.assertEquals(#transfer.lines(record { models = models }), #transfer.lines(record()))
  local all = table.concat(transfer.lines(record { models = models }, { asked = { "A", "B", "C", "D", "E" } }), "\n")
  lu.assertStrContains(all, "two chunks on the A")
  lu.assertNil(all:find("on the B", 1, true)) -- no model of it
  lu.assertStrContains(all, "two chunks on the D")
  lu.assertNil(all:find("on the E", 1, true)) -- three are enough
end

function TestTimeline.test_many_chunks_and_streams()
  local many = {}
  for i = 1, 200 do many[i] = span("kernel", i, (i - 1) % 32 + 1, i - 1, i) end
  local lines = transfer.lines(record { timeline = { spans = many, ms = 200, kind = "measured" } })
  lu.assertEquals(#lines, 1 + 32 + 1 + 2)
  lu.assertStrContains(lines[33], "stream 32")
end

function TestTimeline.test_without_one_there_is_nothing()
  lu.assertEquals(transfer.lines {}, {})
  lu.assertEquals(transfer.lines(record { timeline = { spans = {}, ms = 0, kind = "measured" } }), {})
  lu.assertNil(transfer.json {})
end

function TestTimeline.test_time_under_way_is_counted_once()
  local busy = transfer.busy { ms = 10, spans = { span("kernel", 1, 1, 0, 4), span("kernel", 2, 2, 2, 6),
    span("kernel", 3, 1, 8, 9), span("kernel", 4, 2, 3, 5) } }
  lu.assertAlmostEquals(busy.kernel, 0.7, 1e-12)
  lu.assertEquals(busy["to device"], 0)
end

function TestTimeline.test_a_title_may_be_a_function()
  local r = record { step = { id = "s", title = function(p) return p.chunks .. " chunks" end }, params = { chunks = 2 } }
  lu.assertStrContains(transfer.lines(r)[1], "2 chunks")
end

function TestTimeline.test_the_document_has_the_spans()
  local document = json.decode(json.encode(transfer.json(record())))
  lu.assertEquals(document.ms, 10)
  lu.assertEquals(document.kind, "predicted")
  lu.assertEquals(#document.spans, #spans)
  lu.assertEquals(document.spans[1], { what = "to device", chunk = 1, stream = 1, start_ms = 0, end_ms = 4 })
end

function TestTimeline.test_a_page_has_it_as_a_picture()
  local picture = require "gpulab.show.page.timeline"
  local svg = picture.svg(record().timeline)
  lu.assertStrContains(svg, "stream 2")
  lu.assertStrContains(svg, "10.0 ms")
  local _, boxes = svg:gsub("<rect", "")
  lu.assertEquals(boxes, 3 + #spans)
  lu.assertNil(picture.svg { spans = {}, ms = 0 })
end

TestCopies = {}

local function context(answer, asked)
  return { params = { bytes = 4096 }, models = { "GTX 280" },
    device = { transfer = function(_, options)
      for k, v in pairs(options) do asked[k] = v end
      return answer
    end } }
end

local function copy_step(bytes)
  return { id = "c", transfer = { direction = "to device", memory = "pinned", bytes = bytes },
    useful_bytes = function(p) return p.bytes end }
end

function TestCopies.test_times_become_rates()
  local asked, r = {}, {}
  transfer.run(context({ kind = "predicted", ms = 2, note = "", models = { ["GTX 280"] = { known = true, ms = 4,
    bound = "PCIe" } } }, asked), copy_step "bytes", r)
  lu.assertEquals(asked.bytes, 4096)
  lu.assertEquals(asked.direction, "to device")
  lu.assertEquals(asked.models, { "GTX 280" })
  lu.assertAlmostEquals(r.rate.number, 4096 / 2e6, 1e-12)
  lu.assertAlmostEquals(r.models[1].rate.number, 4096 / 4e6, 1e-12)
  lu.assertNil(r.note)
end

function TestCopies.test_sizes_that_make_no_sense()
  for _, bytes in ipairs { 0, 1.5, -4 } do
    local ok, e = pcall(transfer.run, context({}, {}), copy_step(function() return bytes end), {})
    lu.assertFalse(ok)
    lu.assertStrContains(e.message, "transfer.bytes")
  end
end

function TestCopies.test_what_cannot_be_predicted_has_no_rate()
  local r = {}
  transfer.run(context({ known = false, ms = 0, note = "no prediction for the X", models = {} }, {}),
    copy_step "bytes", r)
  lu.assertNil(r.rate)
  lu.assertEquals(r.note, "no prediction for the X")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
