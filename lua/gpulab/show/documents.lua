-- What a run is written to: JSON, CSV, a page. "-" is standard output.
local lazy = require "gpulab.base.lazy"
local files = require "gpulab.base.files"
local json = require "gpulab.base.json"
local page = lazy "gpulab.show.page"
local report = require "gpulab.show.report"

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

return documents
