-- Records as parts of an answer: JSON as in docs/reference/json.md, HTML and SVG where they show more than the text.
local failure = require "gpulab.base.failure"
local json = require "gpulab.base.json"
local launches = require "gpulab.show.page.launches"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local page = require "gpulab.show.page"
local roofline = require "gpulab.show.roofline"
local style = require "gpulab.show.page.style"

local views = {}

---The style sheet of the HTML parts, which applies in elements of the class gpulab only.
---@return string
function views.style()
  return "@scope (.gpulab) {\n" .. style:gsub(":root", ":scope"):gsub("%f[%w]body%f[^%w]", ":scope") .. "\n}\n"
end

---The parts of what is shown: text, and what else there is of it.
---@param said string @param html string? @param svg string? @param markdown string?
function views.mime(said, html, svg, markdown)
  return json.object("text/plain", said, "text/html", html and ('<div class="gpulab">%s</div>'):format(html),
    "image/svg+xml", svg, "text/markdown", markdown)
end

-- What a view has besides its text, HTML and SVG: by its name, from the records that it shows.
local pictures <const> = {
  why = function(records) return page.worst(records[1]) end,
  lines = function(records) return page.listing(records[1]) end,
  roofline = function(records)
    local ok, drawn = pcall(roofline.of, records) -- no record may have a predicted time
    local svg = ok and roofline.svg(drawn) or nil
    return svg, svg
  end,
}

---@param name string of the view @param said string its text @param records Record[]
function views.shown(name, said, records)
  local html, svg
  if pictures[name] and records[1] then html, svg = pictures[name](records) end
  return views.mime(said, html and markup.text("pre", {}, said) .. html, svg)
end

---What ran: tables as on the page of a report, and what was printed.
---@param said string @param records Record[] @param run table? of a lab
function views.ran(said, records, run)
  if #records == 0 then return views.mime(said) end
  local plain = markup.text("pre", {}, said)
  if not run then
    local svg = #records == 1 and select(2, page.worst(records[1])) or nil
    return views.mime(said, launches.overview(records) .. plain, svg)
  end
  local html, svg = page.tables(run)
  local says_more = lists.any(records, function(one) return one.output or not failure.is_well(one.outcome) end)
  return views.mime(said, says_more and html .. plain or html, svg)
end

return views
