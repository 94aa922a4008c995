-- What a run is written to: JSON, CSV, a page. "-" is standard output.
local failure = require "gpulab.failure"
local json = require "gpulab.json"
local page = require "gpulab.page"
local report = require "gpulab.report"

local documents = {}

---Writes a file, or standard output; raises what goes wrong.
---@param path string @param content string
function documents.write(path, content)
  if path == "-" then
    io.stdout:write(content)
    io.stdout:flush()
    return
  end
  local file, reason = io.open(path, "w")
  if not file then failure.raise("setup", "cannot write " .. reason) end
  local ok, trouble = file:write(content)
  local closed, at_close = file:close()
  if not ok or not closed then failure.raise("setup", ("cannot write %s: %s"):format(path, trouble or at_close)) end
end

---A file's contents; nil and the reason if it cannot be read.
---@param path string @return string? content, string? reason
function documents.read(path)
  local file, reason = io.open(path, "rb")
  if not file then return nil, reason end
  local content
  content, reason = file:read("a")
  file:close()
  return content, reason and path .. ": " .. reason
end

---Does standard output belong to a document?
function documents.take_stdout(options)
  return options.json == "-" or options.csv == "-" or options.html == "-"
end

---The date and time that a document prints.
function documents.now() return os.date("%Y-%m-%d %H:%M") end

---What the command line asked for: --json, --csv, --html.
---@param run table @param options table
function documents.of_run(run, options)
  if options.json then documents.write(options.json, json.encode(report.json(run)) .. "\n") end
  if options.csv then documents.write(options.csv, report.csv(run)) end
  if options.html then documents.write(options.html, page.html(run, { when = documents.now() })) end
end

return documents
