-- gpulab grade: marks for a class. It reads submissions, gives each a process of its own, and writes what a lecturer,
-- a learning management system or an autograder reads. Bytes depend on submissions, labs and NVRTC's version alone: a
-- second run, on another machine or after kill -9, writes the same.
local failure = require "gpulab.base.failure"
local formats = require "gpulab.grade.formats"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local junit = require "gpulab.grade.junit"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.grade.marks"
local one = require "gpulab.grade.one"
local overview = require "gpulab.grade.overview"
local pool = require "gpulab.grade.pool"
local roster = require "gpulab.grade.roster"
local scheme = require "gpulab.grade.scheme"
local subcommand = require "gpulab.base.subcommand"
local submissions = require "gpulab.grade.submissions"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local verdict = require "gpulab.grade.verdict"

local command = {}

command.spec = { name = "grade", usage = "gpulab [options] grade SUBMISSIONS [options]", least = 1, most = 1,
  summary = "Checks every submission in a folder, zip or tar file, and writes grades. SUBMISSIONS holds a folder or an"
    .. " archive for each student, or is one student's. Only .cu files and notebooks are taken; each submission is"
    .. " checked in a process of its own, on the emulator, with inputs of its own.",
  flags = { { "lab", "LAB", "grade the exercises of this lab, 1 point each (repeatable)", list = true },
    { "scheme", "FILE", "what is graded, and the points: a CSV file with the columns lab, exercise, points; or Lua" },
    { "out", "FOLDER", "where the results go (grades): grades.csv, .json, .xml (JUnit), .html" },
    { "jobs", "N", "submissions checked at a time (one per core)" },
    { "time", "SECONDS", "the processor time of one exercise of a submission (300)" },
    { "measure", "DEVICE", "measure the rate of a project on this GPU, such as cuda:0; it is predicted otherwise" },
    { "name", "NAME", "SUBMISSIONS is one submission, by this student" },
    { "roster", "FILE", "fill a column of this exported table; the copy goes to the results" },
    { "id", "COLUMN", "the column of the roster that identifies a student (name, or number from 1)" },
    { "column", "COLUMN", "the column of the roster that gets the points" },
    { "points", "FORMAT", "how points are written there (%g); *%g for IS MU" },
    { "gradescope", "FILE", "write results.json for Gradescope (one submission)" },
    { "classroom", "FILE", "write result.json for Classroom 50 (one submission)" },
    { "about", "NAME=VALUE", "what result.json says: classroom, assignment, usernames, submission, commit, release,"
      .. " review, datetime (repeatable)", list = true },
    { "prompt", nil, "then a prompt on the submissions: why, lines, debug, and other commands for each" },
    { "one", "FILE", nil } },
  help = "A run that was stopped goes on where it was, if it gets the same --out. Exit status: 0 the submissions were"
    .. " graded, 5 something needed is missing, 64 bad usage, 75 another run uses the folder of results." }

local function whole(options, name, most, usual)
  local given = options[name]
  local value = given and math.tointeger(tonumber(given))
  if given and not (value and value >= 1 and value <= most) then
    failure.usage(("--%s %s is not a whole number from 1 to %d"):format(name, given, most))
  end
  return value or usual
end

-- Files are replaced as a whole, which a device or a pipe would not survive.
local function check_target(options, name)
  local path = options[name]
  if path and host.kind(path) and fs.kind(fs.real(path)) ~= "file" then
    failure.usage(("--%s: %s is not a regular file"):format(name, text.printable(path)))
  end
end

-- The results may be among the submissions (true), but not in the folder of a student, which would not be graded.
local function make_results_folder(out, path)
  fs.make_folder(out)
  local folder, class = fs.real(out) .. "/", host.kind(path) == "folder" and fs.real(path) .. "/"
  local is_inside = class and folder:sub(1, #class) == class
  if folder == class or is_inside and not fs.kind(out .. "/.state") and #host.list(out) > 0 then
    failure.usage(("--out %s is part of the submissions"):format(text.printable(out)),
      "Name another folder, which may be a new one among them.")
  end
  return is_inside
end

-- Results --------------------------------------------------------------------------------------------

-- What is known of a submission, also before its checks.
local function write_own(options, submission, items)
  submission.verdicts = submission.verdicts or {}
  marks.count(submission, items)
  if options.gradescope then fs.write(options.gradescope, formats.gradescope(submission, items)) end
  if options.classroom then
    fs.write(options.classroom, formats.classroom(submission, items, formats.about(options.about)))
  end
end

local results <const> = lists.set "grades.csv grades.json grades.xml grades.html"

-- Where the filled copy goes: never over the roster itself or another result, as nbgrader calls its export grades.csv.
local function roster_path(options)
  local name = text.file_name(options.roster)
  local path = ("%s/%s"):format(options.out, name)
  local taken = results[name] or fs.kind(path) and fs.real(path) == fs.real(options.roster)
  return taken and ("%s/filled-%s"):format(options.out, name) or path
end

-- The filled copy, as {path, content}.
local function filled_roster(options, list)
  local content, problems, filled = options.filled:fill(list)
  local path = roster_path(options)
  print(("%s: %s filled in"):format(text.printable(path), text.plural(filled, "line")))
  for _, problem in ipairs(problems) do print("  " .. problem) end
  return { path, content }
end

-- Replaces files of one folder, all or none of them: a disk may be full after the first.
local function replace(folder, written)
  local new = folder .. "/.new"
  local function of(i) return ("%s/%d"):format(new, i) end
  fs.make_folder(new)
  local ok, e = host.catch(function()
    for i, file in ipairs(written) do fs.write(of(i), file[2]) end
    for i, file in ipairs(written) do
      local renamed, reason = os.rename(of(i), file[1])
      if not renamed then failure.raise("setup", "cannot write " .. reason) end
    end
  end)
  for _, name in ipairs(host.list(new)) do fs.remove(new .. "/" .. name) end
  fs.remove_folder(new)
  if not ok then error(e, 0) end
end

local function write_all(options, list, items)
  local written = { { options.out .. "/grades.csv", formats.csv(list, items) },
    { options.out .. "/grades.json", formats.json(list, items) },
    { options.out .. "/grades.xml", junit.document(list, items) },
    { options.out .. "/grades.html", overview.html(list, items) } }
  if options.filled then written[#written + 1] = filled_roster(options, list) end
  replace(options.out, written)
end

local function print_table(list, items, color)
  local columns = lists.joined({ "submission:16" }, lists.map(items, function(item)
    return { header = { item.id }, narrow = 8 }
  end), { ">points" })
  local rows = lists.map(list, function(submission)
    return lists.joined({ submission.name }, lists.map(items, function(item)
      local v = submission.verdicts[item.id]
      return { text = marks.word(v), style = v.passed and "good" or nil }
    end), { ("%g"):format(submission.points) })
  end)
  text.say(tables.render(tables.columns(columns), rows, { width = text.columns, color = color }))
end

-- The command ----------------------------------------------------------------------------------------

local MOST_SHOWN <const> = 10 -- files that belong to no submission

-- What each submission was taken for, before the checks begin: a class that was taken for one submission shows here.
local function print_list(list, outside, path)
  print(("%s: %s"):format(text.printable(text.file_name(path)), text.plural(#list, "submission")))
  for _, submission in ipairs(list) do print(("  %s: %s"):format(submission.name, submission.form)) end
  for i = 1, math.min(#outside, MOST_SHOWN) do
    print(("  %s was refused: %s"):format(text.printable(outside[i].name), text.printable(outside[i].refused)))
  end
  if #outside > MOST_SHOWN then print(("  and %d more"):format(#outside - MOST_SHOWN)) end
  print()
end

local function read_submissions(options, path, items)
  local list, outside = submissions.read(path, items, options.name, fs.real(options.out))
  if options.single and #list > 1 then
    failure.usage(("there are %d submissions, but --%s is about one"):format(#list, options.single),
      "If they are one student's, --name NAME says so.")
  end
  if #list > 0 or #outside > 0 then print_list(list, outside, path) end
  if #list == 0 then failure.raise("setup", "there is no submission in " .. text.printable(path)) end
  if options.filled then options.filled:check(list) end
  return list
end

local function grade(options, path, general)
  local items = scheme.load(options.scheme, options.lab)
  local is_inside = make_results_folder(options.out, path)
  local list = read_submissions(options, path, items)
  local done = 0
  local function write(submission) write_own(options, submission, items) end
  if options.single then write(list[1]) end
  pool.run(list, items, { state = fs.real(options.out) .. "/.state", jobs = options.jobs, seconds = options.time,
    limits = pool.limits(), measure = options.measure,
    forgets = is_inside and #list == 1, -- that student may have written what is there
    on_verdict = write,
    on_toolkit = function(before, now)
      print(("The results so far are from NVRTC %s. This is NVRTC %s: every submission is checked again."):format(
        before, now))
    end,
    on_done = function(submission)
      done = done + 1
      write(submission)
      print(("%4d of %d  %s: %s"):format(done, #list, submission.name, marks.summary(submission, items)))
      for _, note in ipairs(submission.notes) do print("           " .. note) end
      io.stdout:flush()
    end })
  print()
  print_table(list, items, general.color)
  write_all(options, list, items)
  print(("\nResults: %s/grades.html and the other files there."):format(text.printable(options.out)))
  if not options.prompt then return nil end
  return require("gpulab.grade.prompt").open(list, items, fs.real(options.out) .. "/.state", general)
end

---@param general table the options before the word `grade` @param words string[] the words after it
---@return integer status
function command.run(general, words)
  if words[1] == "--one" and words[2] then return one.run(words[2]) end
  local options, arguments = subcommand.parse(command.spec, words)
  if not options then return 0 end
  options.out = options.out or "grades"
  options.single = options.gradescope and "gradescope" or options.classroom and "classroom"
  options.jobs, options.time = whole(options, "jobs", 256), whole(options, "time", 100000, 300)
  if options.measure then verdict.measuring(options.measure):close() end
  options.filled = roster.open(options)
  check_target(options, "gradescope")
  check_target(options, "classroom")
  formats.about(options.about)
  return grade(options, arguments[1], general) or 0
end

return command
