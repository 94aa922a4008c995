-- What a run is written to: JSON, CSV, a page. "-" is standard output.
local lazy = require "gpulab.base.lazy"
local files = require "gpulab.base.files"
local json = require "gpulab.base.json"
local launches = lazy "gpulab.show.page.launches"
local page = lazy "gpulab.show.page"
local report = require "gpulab.show.report"
local text = require "gpulab.base.text"

local documents = {}

---Does standard output belong to a document?
function documents.take_stdout(options)
  return options.json == "-" or options.csv == "-" or options.html == "-"
end

---The date and time that a document prints.
function documents.now() return os.date("%Y-%m-%d %H:%M") end

---The name that a document carries: by which the reader's system knows them.
function documents.who() return os.getenv "LOGNAME" or os.getenv "USER" end

---What the command line asked for: --json, --csv, --html.
function documents.of_run(run, options)
  if options.json then files.write(options.json, json.encode(report.json(run)) .. "\n") end
  if options.csv then files.write(options.csv, report.csv(run)) end
  if options.html then files.write(options.html, page.html(run, { when = documents.now() })) end
end

---The same of launches. Of each kernel the costliest is explained.
---@param records RecordList
function documents.of_launches(records, options)
  if options.json then files.write(options.json, json.encode(launches.document(records.launches)) .. "\n") end
  if not options.html then return end
  local shown, at = {}, {} -- of each kernel its costliest, in the order of their first launches
  for _, one in ipairs(records.launches) do
    local i = at[one.kernel] or #shown + 1
    local before = shown[i] and shown[i].times
    if not shown[i] or (one.times and one.times.ms or 0) > (before and before.ms or 0) then shown[i] = one end
    at[one.kernel] = i
  end
  files.write(options.html, launches.html(text.file_name(options.target), records.launches, shown))
end

return documents
