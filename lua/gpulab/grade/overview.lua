-- The lecturer's page: one self-contained HTML file with the matrix of students and exercises, the distribution of
-- points, what fails most, each kernel one click away, and equal kernels next to each other.
local exercise = require "gpulab.run.exercise"
local host = require "gpulab.host"
local labs = require "gpulab.grade.labs"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.grade.marks"
local markup = require "gpulab.base.markup"
local source = require "gpulab.source"
local style = require "gpulab.show.page.style"
local text = require "gpulab.base.text"

local overview = {}

local tag, plain = markup.tag, markup.text

local own_style <const> = [[
.matrix td, .matrix th { padding: .2rem .5rem; white-space: nowrap; font-size: .9em; }
.matrix a { color: inherit; }
details { margin: .4rem 0; } summary { cursor: pointer; }
.twins { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; }
.twins pre { max-height: 30rem; overflow: auto; }
]]

local function anchor(i, item) return ("s%d-%s"):format(i, item.id) end

-- The matrix -----------------------------------------------------------------------------------------

local function matrix_row(i, submission, items)
  return tag("tr", {}, lists.joined(
    { tag("th", { scope = "row" }, plain("a", { href = "#s" .. i }, submission.name)) },
    lists.map(items, function(item)
      local v = submission.verdicts[item.id]
      return tag("td", { class = v.passed and "good" or "bad" },
        plain("a", { href = "#" .. anchor(i, item) }, (v.passed and "✓ " or "✗ ") .. marks.word(v)))
    end), { plain("td", { class = "number" }, ("%g"):format(submission.points)) }))
end

local function matrix(list, items)
  local head = lists.joined({ plain("th", { scope = "col" }, "submission") }, lists.map(items, function(item)
    return plain("th", { scope = "col" }, ("%s (%g)"):format(item.id, item.points))
  end), { plain("th", { class = "number", scope = "col" }, "points") })
  local rows = lists.map(list, function(submission, i) return matrix_row(i, submission, items) end)
  return tag("div", { class = "scroll", tabindex = 0 }, tag("table", { class = "matrix" },
    tag("thead", {}, tag("tr", {}, head)) .. tag("tbody", {}, rows)))
end

-- Distribution and failures -----------------------------------------------------------------------

local BARS <const>, HEIGHT <const>, WIDTH <const> = 12, 120, 56

-- The points that occur, none, and all of them, ascending.
local function values_of(list, of)
  return lists.keys(lists.set(lists.append({ 0, of }, lists.map(list, "points"))))
end

-- Bars {label, from, to}: one for each value if these are few, else equal ranges.
local function bars_of(list, of)
  local bars, values = {}, values_of(list, of)
  for i, value in ipairs(#values <= BARS and values or {}) do
    bars[i] = { label = ("%g"):format(value), from = value, to = value }
  end
  for i = 1, #bars == 0 and BARS or 0 do
    local from, to = of * (i - 1) / BARS, of * i / BARS
    bars[i] = { label = ("from %g"):format(from), from = from, to = i < BARS and to or math.huge, open = i < BARS }
  end
  return bars
end

-- How many submissions have how many points.
local function distribution(list)
  local of, most = list[1] and list[1].of or 0, 1
  local bars = bars_of(list, of)
  for _, bar in ipairs(bars) do
    bar.count = 0
    for _, submission in ipairs(list) do
      local below = bar.open and submission.points < bar.to or not bar.open and submission.points <= bar.to
      if submission.points >= bar.from and below then bar.count = bar.count + 1 end
    end
    most = math.max(most, bar.count)
  end
  local shapes = {}
  for i, bar in ipairs(bars) do
    local n = bar.count
    local height = HEIGHT * n / most
    local x = (i - 1) * WIDTH
    shapes[#shapes + 1] = tag("rect", { class = "here", x = x + 4, y = 20 + HEIGHT - height, width = WIDTH - 8,
      height = height })
    shapes[#shapes + 1] = plain("text", { x = x + WIDTH // 2, y = 14 + HEIGHT - height, ["text-anchor"] = "middle" }, n)
    shapes[#shapes + 1] = plain("text", { x = x + WIDTH // 2, y = 36 + HEIGHT, ["text-anchor"] = "middle",
      class = "soft" }, bar.label)
  end
  return markup.svg(#bars * WIDTH, HEIGHT + 44, "How many submissions have how many points", shapes)
end

-- The condition of an acceptance check without its numbers: equal for all who miss it.
local function condition_name(condition)
  return (condition.text:gsub("^launch %d+: ", ""):gsub("^[%d%.e+×, ]+%s*", ""):gsub("^as many ", ""):gsub("^no ", "")
    :gsub("%s*%(.*$", ""):gsub(",? as the reference solution$", ""))
end

local function failures_by(list, item)
  local passed, outcomes, conditions, names = 0, {}, {}, {}
  local function count(into, name)
    if not into[name] then
      into[name] = 0
      names[#names + 1] = { into = into, name = name }
    end
    into[name] = into[name] + 1
  end
  for _, submission in ipairs(list) do
    local v = submission.verdicts[item.id]
    if v.passed then passed = passed + 1 else count(outcomes, marks.word(v)) end
    local seen = {} -- a condition is tried with several inputs
    for _, condition in ipairs(v.conditions) do
      local name = condition_name(condition)
      if not condition.ok and not seen[name] then count(conditions, name) end
      seen[name] = seen[name] or not condition.ok
    end
  end
  local function most(of)
    local best
    for _, each in ipairs(names) do
      local n = each.into == of and of[each.name]
      if n and (not best or n > of[best] or n == of[best] and each.name < best) then best = each.name end
    end
    return best and ("%s (%d)"):format(best, of[best]) or "–"
  end
  return passed, most(outcomes), most(conditions)
end

local function failures(list, items)
  local rows = lists.map(items, function(item)
    local passed, outcome, condition = failures_by(list, item)
    return tag("tr", {}, { plain("th", { scope = "row" }, item.id),
      plain("td", { class = "number" }, ("%d of %d"):format(passed, #list)), plain("td", {}, outcome),
      plain("td", {}, condition) })
  end)
  local head = lists.map({ "exercise", "passed", "most frequent failure", "condition most often not met" },
    function(name) return plain("th", { scope = "col" }, name) end)
  local content = tag("thead", {}, tag("tr", {}, head)) .. tag("tbody", {}, rows)
  return tag("div", { class = "scroll", tabindex = 0 }, tag("table", {}, content))
end

-- Equal kernels ------------------------------------------------------------------------------------------

-- Equal for the same program, however it is laid out. This is shown and never judged.
local function program_of(content) return table.concat(source.tokens(content) or { content }, " ") end

-- The files of an exercise by their token streams, without those that are the starter.
local function groups_of(list, item)
  local by_program, order = {}, {}
  for i, submission in ipairs(list) do
    local file = submission.files[item.id]
    if file and file.text then
      local program = program_of(file.text)
      if not by_program[program] then by_program[program], order[#order + 1] = {}, program end
      table.insert(by_program[program], { number = i, name = submission.name, text = file.text })
    end
  end
  return by_program, order
end

local function equal_kernels(list, items)
  local out = {}
  for _, item in ipairs(items) do
    labs.load(item.lab_path)
    local solution = program_of((exercise.solution(item.exercise)))
    local starter = program_of((exercise.starter(item.exercise)))
    local by_program, order = groups_of(list, item)
    for _, program in ipairs(order) do
      local group = by_program[program]
      if program ~= starter and (#group > 1 or program == solution) then
        local names, columns = {}, {}
        for i, each in ipairs(group) do
          names[i] = each.name
          columns[i] = tag("div", {}, { plain("a", { href = "#" .. anchor(each.number, item) }, each.name),
            plain("pre", {}, each.text) })
        end
        local head = ("%s: %s%s"):format(item.id, text.list(names), program == solution
          and " (the same tokens as the reference solution)" or "")
        out[#out + 1] = tag("details", {}, { plain("summary", {}, head), tag("div", { class = "twins" }, columns) })
      end
    end
  end
  if #out == 0 then return plain("p", {}, "No two submissions have the same kernel.") end
  return plain("p", { class = "soft" }, "Equal up to comments and white space. This is shown and changes no points.")
    .. table.concat(out)
end

-- Each submission ------------------------------------------------------------------------------------------

local function kernel_of(i, submission, item)
  local v, file = submission.verdicts[item.id], submission.files[item.id]
  local parts = { plain("summary", { class = v.passed and "good" or "bad" },
    ("%s: %s%s"):format(item.id, marks.word(v), v.file and " · " .. v.file or "")), plain("pre", {}, marks.report(v)) }
  if v.printed then
    parts[#parts + 1] = plain("p", { class = "soft" }, "The kernel printed:") .. plain("pre", {}, v.printed)
  end
  if file and file.text then parts[#parts + 1] = plain("pre", { class = "code" }, (file.text:gsub("\t", "    "))) end
  return tag("details", { id = anchor(i, item) }, parts)
end

local function submission_section(i, submission, items)
  local parts = { plain("h3", { id = "s" .. i }, submission.name),
    plain("p", { class = "soft" }, ("%s; %s"):format(marks.summary(submission, items), submission.form)) }
  for _, note in ipairs(submission.notes) do parts[#parts + 1] = plain("p", { class = "remark" }, note) end
  for _, item in ipairs(items) do parts[#parts + 1] = kernel_of(i, submission, item) end
  return table.concat(parts, "\n")
end

-- A link to a kernel opens it.
local script <const> = [[
function openTarget() {
  var e = document.getElementById(location.hash.slice(1));
  if (e && e.tagName === "DETAILS") { e.open = true; e.scrollIntoView(); }
}
addEventListener("hashchange", openTarget); addEventListener("load", openTarget);
]]

---@param list table[] submissions with verdicts and points @param items table[] @return string
function overview.html(list, items)
  local parts = { plain("h1", {}, "Grades"), plain("p", { class = "soft" }, ("%s, %s; gpulab %s, NVRTC %s"):format(
    text.plural(#list, "submission"), text.plural(#items, "exercise"), gpu.version, host.nvrtc() or "not found")),
    matrix(list, items), plain("h2", {}, "Distribution of points"), tag("figure", { tabindex = 0 }, distribution(list)),
    plain("h2", {}, "What fails"), failures(list, items), plain("h2", {}, "Equal kernels"),
    equal_kernels(list, items), plain("h2", {}, "Submissions") }
  for i, submission in ipairs(list) do parts[#parts + 1] = submission_section(i, submission, items) end
  return table.concat({ "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">', plain("title", {}, "gpulab: grades"),
    '<link rel="icon" href="data:,">', "<style>", style .. own_style .. "</style>", "</head>", "<body>", "<main>",
    table.concat(parts, "\n"), "</main>", "<script>", script .. "</script>", "</body>", "</html>", "" }, "\n")
end

return overview
