-- The HTML report: well formed, self-contained, and safe against whatever is in a lab, a kernel or a note.
local double = require "lab_double"
local lu = require "luaunit"

package.preload["gpulab.base.where"] = function()
  return { folders = function() return {} end, find = function() return arg[0] end }
end
local lab = require "gpulab.lab"
local markup = require "gpulab.base.markup"
local page = require "gpulab.show.page"
local pictures = require "gpulab.show.page.pictures"
local batch = require "gpulab.show.batch"

local EMPTY <const> = { meta = true, link = true, ["!DOCTYPE"] = true }

-- Every tag is closed in order, and what is raw text ends where it should.
local function assert_well_formed(html)
  local open, at = {}, 1
  while true do
    local from, to, closing, name = html:find("<(/?)(!?[%w]+)[^<>]*>", at)
    if not from then break end
    local stray = html:sub(at, from - 1)
    lu.assertNil(stray:find "[<>]", stray:sub(1, 200))
    if closing == "/" then
      lu.assertEquals(table.remove(open), name)
    elseif not EMPTY[name] then
      open[#open + 1] = name
      if name == "style" or name == "script" then to = assert(html:find("</" .. name .. ">", to, true)) - 1 end
    end
    at = to + 1
  end
  lu.assertEquals(open, {})
end

local function copies(args)
  for i = 0, args[3] * args[3] - 1 do args[1].array[i] = args[2].array[i] end
end

local HOSTILE <const> = "<script>alert('x')</script> & \"quotes\" \1\255"

local function made(title)
  double.install { kernels = { copy = copies }, predicted = { H200 = 0.01, ["GTX 280"] = 0.5 } }
  local function step(id, more)
    local s = { id = id, title = title or id, text = "About `" .. id .. "`.\n\n  fixed <b>line</b>\n\nand " .. HOSTILE,
      kernel = { file = "t.cu", name = "copy" }, grid = 1, block = 32, args = { "odata", "idata", "n" },
      output = "odata", reference = function(_, host) return host.idata end,
      useful_bytes = function(p) return 8 * p.n * p.n end }
    for key, v in pairs(more or {}) do s[key] = v end
    return s
  end
  local square = function(p) return p.n * p.n end
  return lab.define { number = 3, id = "trial", title = "Trial & error", lecture = { "F22" }, intro = "An <i>introduction</i>.",
    params = { n = { default = 8, min = 4, max = 64, help = "rows" } },
    buffers = { idata = { type = "float", count = square, fill = "iota" }, odata = { type = "float", count = square } },
    steps = { step "copy", step("tile", { claim = "F22.transpose.tile32" }),
      step("wrong", { reference = function(p) return double.array("float", p.n * p.n, 1) end }) } }
end

local function html_of(definition, extras)
  local run = batch.new_run(definition, gpu.device, definition:parameters {}, {})
  double.captured("stderr", batch.steps, run, definition.steps, { quiet = true })
  return page.html(run, extras), run
end

TestPage = {}

function TestPage.test_the_whole_page()
  local html = html_of(made())
  assert_well_formed(html)
  lu.assertStrContains(html, "Trial &amp; error")
  lu.assertStrContains(html, "An &lt;i&gt;introduction&lt;/i&gt;.")
  lu.assertStrContains(html, "<code>copy</code>")
  lu.assertStrContains(html, "75.1") -- the lecture's
  lu.assertStrContains(html, "WRONG")
  lu.assertStrContains(html, '"schema": "gpulab/1"')
end

function TestPage.test_nothing_is_fetched()
  local html = html_of(made())
  for _, bad in ipairs { "<img", "@import", 'src="', "url(" } do lu.assertNil(html:find(bad, 1, true), bad) end
  for address in html:gmatch 'href="([^"]*)"' do
    local inside = address:match "^#(.+)$"
    if inside then lu.assertStrContains(html, ('id="%s"'):format(inside)) else lu.assertEquals(address, "data:,") end
  end
end

function TestPage.test_hostile_text_stays_text()
  local html = html_of(made(function() return "s[tid] < 2" end), { when = HOSTILE,
    notes = { { text = HOSTILE, step = HOSTILE, when = "now" } },
    predictions = { { ask = HOSTILE, predicted = 2, actual = 32.5, right = false }, { ask = "open", predicted = 1 } },
    exercises = { { id = "one", title = HOSTILE, state = "passed", hints = 2, verdict = { HOSTILE }, source = HOSTILE,
      conditions = { { text = HOSTILE, ok = false } } } },
    plots = { { title = HOSTILE, text = HOSTILE, svg = "<svg></svg>" } } })
  assert_well_formed(html)
  lu.assertNil(html:find("<script>alert", 1, true))
  lu.assertNil(html:find("\1", 1, true))
  lu.assertNotNil(utf8.len(html))
end

function TestPage.test_models_side_by_side()
  local definition = made()
  local run = batch.new_run(definition, gpu.device, definition:parameters {}, { models = { "GTX 280", "H200" } })
  double.captured("stderr", batch.steps, run, definition.steps, { quiet = true })
  local html = page.html(run)
  assert_well_formed(html)
  local section = html:match('<h2 id="models">.-</table>')
  for _, gpu in ipairs { "GTX 280", "H200" } do lu.assertStrContains(section, gpu) end
  local _, rows = section:gsub("<tr>", "")
  lu.assertEquals(rows, 1 + #run.records)
  run.asked = {}
  lu.assertNil(page.html(run):find('id="models"', 1, true))
end

function TestPage.test_exercises_have_verdict_conditions_and_source()
  local html = html_of(made(), { exercises = {
    { id = "begun", title = "Begun", state = "started", verdict = { "  compiles   yes" }, passed = false,
      conditions = { { text = "2× the sectors", ok = true }, { text = "32 wavefronts", ok = false } },
      source = "__global__ void mine() {}" },
    { id = "untouched", title = "Untouched", state = "not started" } } })
  assert_well_formed(html)
  local section = html:match('<h3 id="exercise%-begun">.*<h2 id="environment">')
  for _, said in ipairs { "compiles   yes", "2× the sectors", "NOT MET", "__global__ void mine() {}" } do
    lu.assertStrContains(section, said)
  end
  lu.assertNil(html:find('id="exercise-untouched"', 1, true))
end

function TestPage.test_nothing_run_yet()
  local definition = made()
  local run = batch.new_run(definition, gpu.device, definition:parameters {}, {})
  local html = page.html(run)
  assert_well_formed(html)
  lu.assertStrContains(html, "No step has run yet.")
end

function TestPage.test_without_a_device()
  local html = page.html { lab = made(), params = {}, parameter_names = {}, models = {}, records = {}, results = {},
    error = { kind = "setup", message = "no GPU" } }
  assert_well_formed(html)
end

function TestPage.test_bank_picture()
  local lanes, banks = {}, {}
  for lane = 0, 31 do lanes[lane], banks[lane] = lane * 128, 0 end
  local svg = pictures.banks({ lanes = lanes, width = 4 }, { banks = banks }, 32)
  assert_well_formed(svg)
  lu.assertEquals(select(2, svg:gsub('class="crowded"', "")), 32)
  lu.assertStrContains(svg, "at most 32 words per bank")
  for lane = 0, 31 do banks[lane], lanes[lane] = 5, 20 end
  svg = pictures.banks({ lanes = lanes, width = 4 }, { banks = banks }, 16)
  lu.assertEquals(select(2, svg:gsub('class="asked"', "")), 1)
  lu.assertStrContains(svg, ">0+<")
end

function TestPage.test_sector_picture()
  local lanes = {}
  for lane = 0, 31 do lanes[lane] = 4096 + lane * 4 end
  local svg = pictures.sectors { lanes = lanes, width = 4 }
  assert_well_formed(svg)
  lu.assertEquals(select(2, svg:gsub('class="asked"', "")), 4)
  for lane = 0, 31 do lanes[lane] = lane * 16000 + 30 end -- across the border of a sector
  svg = pictures.sectors { lanes = lanes, width = 16 }
  lu.assertStrContains(svg, "access: 64 sectors")
end

function TestPage.test_shares_need_something_to_compare()
  lu.assertNil(pictures.shares({ { title = "one", here = 3 } }, { here = "here" }))
  lu.assertNil(pictures.shares({ { title = "one" }, { title = "two" } }, { here = "here" }))
  local svg = pictures.shares({ { title = "one", here = 3, lecture = 1 }, { title = "two", here = 1.5 } },
    { here = "measured", lecture = "lecture" })
  assert_well_formed(svg)
  lu.assertStrContains(svg, ">3.00<")
end

function TestPage.test_escape()
  lu.assertEquals(markup.escape "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;")
  lu.assertEquals(markup.escape "x\0y\255", "x\\x00y\\xFF")
  lu.assertEquals(markup.escape "·é", "·é")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
