-- gpulab check LAB EXERCISE [FILE.cu]: the prompt's `check` for scripts and CI. It prints the same text, and the exit
-- code says what failed (docs/reference/exit-codes.md).
local copies = require "gpulab.prompt.copies"
local device_name = require "gpulab.base.device_name"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local junit = require "gpulab.grade.junit"
local labs = require "gpulab.grade.labs"
local printed = require "gpulab.run.printed"
local progress = require "gpulab.base.progress"
local subcommand = require "gpulab.base.subcommand"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local verdict = require "gpulab.grade.verdict"
local where = require "gpulab.base.where"
local warnings = require "gpulab.run.warnings"

local check = {}

check.spec = { name = "check", usage = "gpulab [options] check LAB EXERCISE [FILE.cu] [options]", least = 2, most = 3,
  summary = "Checks FILE.cu for an exercise: it compiles, the result is right, no checker reports an issue, the"
    .. " acceptance check is met. Without FILE.cu it checks your copy of the exercise, or else its starter. The checks"
    .. " run on the emulator, so the verdict is the same on every machine.",
  flags = { { "json", "FILE", "write the verdict as JSON (- is standard output)" },
    { "junit", "FILE", "write the verdict as JUnit XML (- is standard output)" },
    { "seed", "N", "use other inputs than the default ones" },
    { "device", "NAME", "the emulator to use, such as emu; also before `check`" },
    { "measure", "DEVICE", "measure the rate of a project on this GPU, such as cuda:0; it is predicted otherwise" } },
  help = "Exit status: 0 passed, 1 does not compile, 2 crashed or faulted, 3 wrong result, 4 timed out, 5 something"
    .. " needed is missing, 6 a checker found an issue, 7 the acceptance check is not met, 64 bad usage." }

---The emulator that gives verdicts; --device may name one, but not a GPU.
---@param name string? of --device
function check.device(name)
  if not name or name == "auto" then return gpu.open "emu" end
  if name:match("^emu") then return gpu.open(name) end
  failure.usage(("a verdict does not come from %s: it has to be the same on every machine"):format(name),
    "omit --device, or name an emulator, such as emu")
end

function check.seed(word)
  local seed = word and math.tointeger(tonumber(word))
  if word and not (seed and seed >= 0 and seed < 1 << 31) then
    failure.usage(("--seed %s is not an integer from 0 to 2147483647"):format(word))
  end
  return seed
end

-- The file to be checked: the one named, the student's copy, or nil for the starter.
local function file_of(lab, path, ex, named)
  if named then
    local kind = host.kind(named)
    where.check_link(named)
    if kind == "file" then return named end
    failure.raise("setup", kind and named .. " is a folder; a file is needed" or "there is no file " .. named)
  end
  local book = copies.new(lab, path:match("^(.*)/") or ".")
  local entry = book:find(ex.starter)
  return entry and entry.path
end

local function print_verdict(v, result, file, color)
  local head = text.wrap(("%s (%s), %s"):format(v.title, v.exercise, file or "the unchanged starter"), "  ")
  for i, line in ipairs(head) do head[i] = tables.paint(line, "strong", color) end
  print(table.concat(head, "\n"))
  io.stdout:flush()
  local output = result.output
  local warned = warnings.once(result.warnings)
  if warned then io.stderr:write(warned, "\n") end
  if v.message then
    io.stderr:write(v.message, "\n")
    io.stderr:flush()
  end
  if output then text.say(printed.lines(output, v.exercise, { color = color, most = #output.lines })) end
  print(table.concat(v.text, "\n"))
  if v.passed then print("\n  Passed.") end
end

local function write_documents(options, v)
  if options.json then
    local document = verdict.object(v)
    table.insert(document, 1, { "schema", "gpulab/verdict/1" })
    files.write(options.json, json.encode(document) .. "\n")
  end
  if options.junit then
    files.write(options.junit, junit.document({ { name = "gpulab", verdicts = { [v.id] = v } } }, { v }))
  end
end

---@param general table the options before the word `check` @param words string[] the words after it
---@return integer status
function check.run(general, words)
  local options, named = subcommand.parse(check.spec, words)
  if not options then return 0 end
  if options.json == "-" and options.junit == "-" then failure.usage("only one document can go to standard output") end
  local lab, path = labs.load(named[1])
  local ex = labs.exercise(lab, named[2])
  local file = file_of(lab, path, ex, named[3])
  local device = check.device(options.device and device_name.of(options.device) or general.device)
  local measures_on <close> = verdict.measuring(options.measure)
  host.keep_results()
  local at = verdict.context(lab, device, measures_on)
  at.seed = check.seed(options.seed)
  local v, result = progress.during(ex.title, general.quiet, verdict.of, at, ex, file, { width = text.columns })
  at:close()
  device:close()
  if options.json ~= "-" and options.junit ~= "-" then print_verdict(v, result, file, general.color) end
  write_documents(options, v)
  return failure.code(v.outcome)
end

return check
