-- The command handin: one zip file with what a student submits. Its kernels are where `gpulab grade` looks for them.
--
--   03-swizzle/swizzle.cu      the student's copy of each exercise's starter
--   report.html          the session's page
--   environment.json     the versions, the device, and the exercises' states: for questions, not for marks
local lazy = require "gpulab.base.lazy"
local copies = require "gpulab.prompt.copies"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local session_page = lazy "gpulab.prompt.page"
local text = require "gpulab.base.text"
local zip = lazy "gpulab.base.zip"

local function environment(session)
  local exercises = json.each(session.study:states(), function(state)
    return json.object("id", state.exercise.id, "passed", state.passed, "hints", state.hints,
      "solution_shown", state.solution)
  end)
  return json.encode(json.object("schema", "gpulab/handin/1", "gpulab", gpu.version,
    "lab", json.pick(session.lab, "number id title"),
    "device", json.pick(session:current_run().device, "backend name gpu"),
    "nvrtc", host.nvrtc(), "exercises", exercises)) .. "\n"
end

-- The copies of starters that there are, and the exercises without one.
local function kernels_of(session)
  local entries, missing = {}, {}
  for _, ex in ipairs(session.lab.exercises or {}) do
    local entry = session.book.copies.entries[ex.starter]
    if copies.stamp(entry) then
      entries[#entries + 1] = { name = ("%02d-%s/%s"):format(session.lab.number, ex.id, text.file_name(ex.starter)),
        text = session.book.copies:text(entry) }
    else
      missing[#missing + 1] = ex.id
    end
  end
  return entries, missing
end

-- The contents of the file: {name, text} each, and the ids of exercises that are not started.
local function contents(session)
  local entries, missing = kernels_of(session)
  if #entries == 0 then
    failure.usage("you have not started an exercise of this lab", "`edit` makes a copy to work on")
  end
  entries[#entries + 1] = { name = "report.html", text = session_page.html(session) }
  entries[#entries + 1] = { name = "environment.json", text = environment(session) }
  return entries, missing
end

local function run(session, _, rest)
  local path = text.trim(rest)
  local entries, missing = contents(session)
  if path == "" then
    path = ("%s/%02d-%s.zip"):format(session.book.copies:make_folder(), session.lab.number, session.lab.id)
  elseif not path:match("%.zip$") then
    failure.usage(("%s: the name of the file ends in .zip"):format(text.printable(path)))
  end
  files.write(path, zip.document(entries))
  text.say_wrapped(("%s holds %s, the report, and the environment."):format(copies.shown(path),
    text.plural(#entries - 2, "kernel")))
  if #missing > 0 then text.say_wrapped(("Not started: %s."):format(table.concat(missing, ", "))) end
end

return { name = "handin", usage = "handin [FILE.zip]", topic = "exercises", raw = true,
  summary = "write your exercises, the report, and the environment to one file",
  help = "Writes a zip file to send or upload: your copies of the exercises, the report of this session, and the"
    .. " versions and device. Without a file name it goes to the folder of your copies. Only the kernels are graded.",
  run = run }
