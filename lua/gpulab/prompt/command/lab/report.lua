-- The command report: this session as a page, and as data.
local copies = require "gpulab.prompt.copies"
local failure = require "gpulab.base.failure"
local session_page = require "gpulab.prompt.page"
local text = require "gpulab.base.text"

local function run(session, _, rest)
  local path = text.trim(rest)
  if path ~= "" and not path:lower():find("%.html?$") then
    failure.usage(("%q does not end in .html"):format(path), "for example: report lab3.html")
  end
  if path == "" then path = session.book.copies:make_folder() .. "/report.html" end
  local lines = { "  Wrote the report (open it in a browser) and the same data as JSON and CSV:" }
  for _, written in ipairs(session_page.write(session, path)) do lines[#lines + 1] = "  " .. copies.shown(written) end
  text.say(lines)
end

return { name = "report", usage = "report [FILE.html]", topic = "notes", raw = true,
  summary = "write this session's results to one HTML page",
  help = "Writes a self-contained page: tables, bars, plots, each step's source with its counters, bank and sector"
    .. " pictures, predictions, exercises and notes. Writes the same data as JSON and CSV next to it. Without a file"
    .. " name the page goes to the folder of your copies.",
  run = run }
