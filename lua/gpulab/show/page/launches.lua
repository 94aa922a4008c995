-- A page of launches: a table of all, and for each that is explained what limits it and its source lines.
local json = require "gpulab.base.json"
local listing = require "gpulab.show.page.listing"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local parts = require "gpulab.show.page.parts"
local report_json = require "gpulab.show.report.json"
local runner = require "gpulab.run.runner"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local why = require "gpulab.show.why"

local tag, plain = markup.tag, markup.text

local launches = {}

local function row_of(record)
  local c = runner.counters(record) or {}
  local failed = record.outcome ~= "ok" and { text = record.outcome, style = "bad" } or nil
  local function count(name) return c[name] and text.count(c[name]) or "" end
  return { record.id, record.title, count "warp_instructions", count "global_load_sectors",
    count "global_store_sectors",
    failed or record.times and text.duration(record.times.ms) or "", record.times and record.times.bound or "",
    note = record.worst and record.worst.text or failed and (record.brief or ""):match "[^\n]*" or nil }
end

local function overview(list)
  local columns = tables.columns { ">", "launch", ">warp instructions", ">load sectors", ">store sectors", ">predicted",
    "limited by" }
  return parts.table(columns, lists.map(list, row_of))
end

local function explained(record, listed)
  local id = "launch-" .. record.number
  return table.concat({ plain("h3", { id = id }, ("%s (%s)"):format(record.title, record.id)),
    plain("pre", {}, table.concat(why.explain(record), "\n")), parts.output(record.output),
    listing.html(record.report, { id = id, title = record.title }, listed) }, "\n")
end

---The table of launches.
---@param list LaunchRecord[] @return string
launches.overview = overview

---The launches as one document.
---@param list LaunchRecord[]
function launches.document(list)
  return json.object("schema", "gpulab-launches/1", "launches", json.each(list, report_json.launch))
end

---@param title string @param list LaunchRecord[] all that are listed @param shown LaunchRecord[] what is explained
---@return string
function launches.html(title, list, shown)
  local body, listed = { plain("h1", {}, title) }, { explained = {} }
  body[#body + 1] = tag("div", { class = "group" }, overview(list))
  for _, record in ipairs(shown) do body[#body + 1] = explained(record, listed) end
  return parts.document(title, body, launches.document(list))
end

return launches
