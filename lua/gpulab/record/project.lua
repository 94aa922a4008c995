-- Projects: exercises whose task is a whole file, with kernels and launches of its own. It is linked with the lab's
-- framework, a program that makes inputs, calls the file's function, and ends with 0 if the result is right, 3 if it is
-- wrong. The check compiles both, runs them under the checkers at several sizes, and predicts the launches at one more,
-- or measures them on a GPU; their rate gives a tier. What the scored run launched are records.
local allowed = require "gpulab.run.allowed"
local lazy = require "gpulab.base.lazy"
local build = lazy "gpulab.run.build"
local checkers = require "gpulab.run.checkers"
local collected = lazy "gpulab.record.collected"
local exec = lazy "gpulab.exec"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local launch_list = require "gpulab.run.launch_list"
local lists = require "gpulab.base.lists"
local measured = lazy "gpulab.record.measured"
local printed = require "gpulab.run.printed"
local record = require "gpulab.record.record"
local program = lazy "gpulab.run.program"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"
local where = require "gpulab.base.where"

local project = {}

local GPU <const> = "H200"   -- whose rules and model give the verdict, and for which the tiers are
local SECONDS <const> = 100  -- of processor time that the program's host code may take
local MEMORY <const> = 2 << 30 -- of the emulated GPU, which is the memory of the machine that grades
local WRONG <const> = 3      -- the framework's status for a wrong result
local FILLS <const> = 1000   -- calls that fill memory with a value: more of them could write a result
local SEED <const> = 20260901

local function ended(result, stage, outcome, message)
  result.stage, result.outcome, result.message = stage, outcome, message
  return result
end

-- Compiling -------------------------------------------------------------------------------------------

local function source_of(context, ex)
  local copy = context.source and context.source(ex.starter)
  return copy and copy.path or where.find(ex.starter, "kernels")
end

local function program_of(ex, path)
  local framework = where.find(ex.project.framework, "kernels")
  return build.try(path, require("gpulab.gpu").model(GPU), true, "-O2 -t 2 " .. files.quoted(framework))
end

local function compiled(result, ex, path)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  local problem, line = allowed.problem(content)
  if problem then
    result.not_allowed = true
    ended(result, "compile", "compile", ("%s:%d: %s in a project: its host code may launch kernels, and "
      .. "allocate, clear, and free memory of the GPU."):format(text.file_name(path), line, problem))
    return nil
  end
  local built, said = program_of(ex, path)
  if built then return built end
  local folder = (path:match "^(.*/)" or ""):gsub("%p", "%%%0")
  ended(result, "compile", "compile", text.printable((said:gsub(folder, ""):gsub("%s+$", ""))))
end

-- Running ---------------------------------------------------------------------------------------------

-- Runs the program with its output in a file; what it printed, and how it ended.
local function run(path, args, options)
  local target = os.tmpname()
  local _ <close> = setmetatable({}, { __close = function() os.remove(target) end })
  -- The shell may open the target, the program may not.
  local script = ('ulimit -t %d; export GPULAB_EXEC_CONFINED=1; exec "$@" >%s 2>&1'):format(SECONDS,
    files.quoted(target))
  local before = gpu.limits().emulator_memory
  gpu.limits { emulator_memory = math.min(before, MEMORY) }
  local restore <close> = setmetatable({}, { __close = function() -- luacheck: ignore 211
    gpu.limits { emulator_memory = before }
  end })
  local all = { path = "/bin/sh", args = { "sh", "-c", script, "sh", path, table.unpack(args) },
    cuda_12 = program.check(path), confined = true, gpu = GPU, streams = 0, schedules = 0, models = {} }
  for name, option in pairs(options) do all[name] = option end
  local done = exec.run(all)
  return files.read(target) or "", done
end

-- What is copied between host and device, as one text, and how often memory is filled.
local function copies_of(list, exact)
  local copies = lists.select(list, function(copy) return not copy.fills end)
  return table.concat(lists.map(copies, function(copy)
    local digest = (exact or copy.from_host) and copy.digest or ""
    return ("%s %s %d %s"):format(copy.from_host, copy.to_host, copy.bytes, digest)
  end), "\n"), #list - #copies
end

-- The file shares a process with the framework, so that one's word is not enough: the file may have ended the program,
-- or changed its arguments or inputs. What is copied is seen from outside, and has to be what the solution's copies.
local function differs(result, solution, copies, args, size)
  local key = table.concat(args, " ")
  if not solution.known[key] then
    local list = {}
    local _, done = run(solution:program(), args, { mode = "run",
      copied = function(copy) list[#list + 1] = copy end })
    if done.status ~= 0 then failure.raise("setup", size .. "the program of the solution fails") end
    solution.known[key] = (copies_of(list, solution.exact))
  end
  local copied, fills = copies_of(copies, solution.exact)
  if fills > FILLS then return ended(result, "result", "wrong", ("%sit fills memory %d times"):format(size, fills)) end
  if solution.known[key] == copied then return end
  return ended(result, "result", "wrong", size .. "other data were copied than with the solution")
end

local expected = setmetatable({}, { __mode = "k" }) -- [exercise][arguments]: what the solution's program copies

local function solution_of(ex)
  local built
  expected[ex] = expected[ex] or {}
  return setmetatable({ known = expected[ex], exact = ex.project.exact ~= false, program = function()
    local said
    if not built then built, said = program_of(ex, where.find(ex.solution, "kernels")) end
    if not built then failure.raise("setup", "the solution does not compile: " .. text.printable(said)) end
    return built.path
  end }, { __close = function()
    local _ <close> = built -- luacheck: ignore 211
  end })
end

-- True if the run does not say that the result is right.
local function is_wrong(result, said, done, launches, size)
  local last = text.printable(text.last_line(said))
  if launches.failed then return ended(result, "result", launches.failed.status, size .. launches.failed.report) end
  if done.missing then return ended(result, "compile", "compile", done.missing .. ": gpulab does not have this") end
  if done.stopped then return ended(result, "result", "fault", size .. done.stopped) end
  if done.signal then
    return ended(result, "result", "fault", ("%sits host code was ended by signal %d"):format(size, done.signal))
  end
  if done.status ~= 0 then
    local why = done.status == WRONG and last or ("the program ended with %d. %s"):format(done.status, last)
    return ended(result, "result", done.status == WRONG and "wrong" or "fault", size .. why)
  end
  if launches.count == 0 then return ended(result, "result", "wrong", size .. "no kernel was launched") end
end

local function size_of(args) return ("with %s: "):format(table.concat(args, " x ")) end

local function with_seed(args, seed) return lists.joined(args, { tostring(seed) }) end

-- Each place of an issue once.
local function add_issues(result, launch)
  for _, issue in ipairs(launch.findings or {}) do
    local first, second = issue.sites[1] or {}, issue.sites[2] or {}
    local key = ("%s %s %s %s"):format(issue.check, launch.kernel, first.line, second.line)
    if not result.known[key] and issue.check ~= "unused" then
      result.known[key], issue.schedule = true, launch.schedule
      result.issues[#result.issues + 1] = issue
    end
  end
end

local function fails_checks(result, ex, solution, path, seed)
  result.issues, result.known = {}, {}
  for i, args in ipairs(ex.project.sizes) do
    local seen, copies, given = { count = 0 }, {}, with_seed(args, seed + i)
    local said, done = run(path, given, { mode = "check", schedules = launch_list.ORDERS, crowded = true,
      copied = function(copy) copies[#copies + 1] = copy end,
      launched = function(launch)
        seen.count = seen.count + 1
        add_issues(result, launch)
        local bad = launch.outcome.status ~= "ok" and #(launch.findings or {}) == 0
        seen.failed = seen.failed or bad and launch.outcome or nil
      end })
    if is_wrong(result, said, done, seen, size_of(args)) and #result.issues == 0 then return true end
    if #result.issues > 0 then
      result.inputs = (size_of(args):gsub(": $", ""))
      return ended(result, "checkers", "finding", size_of(args) .. checkers.texts(result.issues))
    end
    if differs(result, solution, copies, given, size_of(args)) then return true end
  end
end

-- Scoring ---------------------------------------------------------------------------------------------

---The tier that a rate reaches, and the share of the points that it gives; 0: none.
---@param ex table @param rate number @return integer tier, number share
function project.tier(ex, rate)
  local reached, share = 0, 0
  for i, tier in ipairs(ex.project.tiers) do
    if rate >= tier.rate then reached, share = i, tier.share end
  end
  return reached, share
end

local emulator -- of the records, opened once

-- The GPU on which the rate is measured, if that is the one that the tiers are for. An emulator may stand in for it.
local function measuring(context)
  local device = context.measures_on or context.device
  return (context.measures_on or device.measures) and device.model == GPU and device or nil
end

-- Adds a launch's time to those that are known: all launches need one.
local function add_times(times, launch, device)
  local own = launch.models and launch.models[GPU]
  times.predicted = own and own.known and times.predicted and times.predicted + own.ms
  if not device or times.why_not then return end
  local ms, why = measured.launch(device, launch)
  times.there = ms and (times.there or 0) + ms
  times.why_not = not ms and ("Launch %d (%s) was not measured: %s"):format(launch.number, launch.name, why) or nil
end

---Why no kernel can have moved so many bytes at that rate; nil: it can.
---@param bytes integer @param rate number @return string?
function project.impossible(bytes, rate)
  local about = gpu.model(GPU)
  local fits = bytes <= (about.l2_bytes or 0)
  local most = fits and math.max(about.l2_gbps or 0, about.dram_gbps) or about.dram_gbps
  if rate <= most then return nil end
  return ("impossible: the %s's %s moves at most %.0f GB/s"):format(GPU, fits and "L2 cache" or "memory", most)
end

-- result.score, and the row of the acceptance check that says it.
local function judge(result, ex, times, count, device)
  local kind = times.there and device.measures and "measured" or "predicted"
  local ms = times.there or times.predicted
  local rate = ex.project.score.bytes / ms / 1e6
  local why_not = project.impossible(ex.project.score.bytes, rate)
  local tier, share = project.tier(ex, why_not and 0 or rate)
  local tiers = ex.project.tiers
  local following = tiers[tier + 1]
  result.score = { rate = rate, unit = "GB/s", gpu = GPU, kind = kind, ms = ms, tier = tier, tiers = #tiers,
    share = share, samples = times.there and measured.samples or nil }
  local said_of = ("%.0f GB/s on the %s (%s, %s in %s), tier %d of %d%s%s"):format(rate, GPU, kind, text.duration(ms),
    text.plural(count, "launch"), tier, #tiers,
    why_not and "; " .. why_not or following and ("; tier %d begins at %g GB/s"):format(tier + 1, following.rate) or "",
    times.why_not and ". " .. text.printable(times.why_not) or "")
  result.accept = { { name = "rate", ok = tier > 0, got = rate, want = { at_least = tiers[1].rate }, text = said_of } }
  return tier, why_not or ("tier 1 begins at %g GB/s"):format(tiers[1].rate), rate
end

local function score(result, context, ex, solution, path, seed, names)
  local scored, seen, times, device = ex.project.score, { count = 0 }, { predicted = 0 }, measuring(context)
  local copies, given = {}, with_seed(scored.args, seed)
  emulator = emulator or gpu.open("emu:" .. GPU)
  local all = collected.new(emulator, {}, {}, names)
  local said, done = run(path, given, { mode = "count", models = { GPU }, keeps = true,
    copied = function(copy) copies[#copies + 1] = copy end,
    launched = function(launch)
      seen.count = seen.count + 1
      if launch.outcome.status ~= "ok" then seen.failed = seen.failed or launch.outcome end
      if not seen.failed then add_times(times, launch, device) end
      all:add(launch)
    end })
  result.launches = all
  if is_wrong(result, said, done, seen, size_of(scored.args)) then return end
  if differs(result, solution, copies, given, size_of(scored.args)) then return end
  if not (times.there or times.predicted) then
    return ended(result, "accept", "setup", "there is no prediction for one of its launches")
  end
  local tier, why, rate = judge(result, ex, times, seen.count, device)
  result.output = printed.of(said)
  if tier > 0 then return ended(result, "passed", "ok") end
  ended(result, "accept", "gate", ("%.0f GB/s, and %s"):format(rate, why))
end

---Checks an exercise, which may be a project: its result also has score {rate, unit, gpu, kind, ms, tier, tiers, share,
---samples: of each launch, where it is measured} and launches (collected).
---@param context Context whose source says which file is checked; a project is measured on its device, or measures_on
---@param ex table
---@return table result of exercise.check
function project.check(context, ex)
  if not ex.project then return exercise.check(context, ex) end
  local result = { exercise = ex }
  local ok, e = pcall(function()
    local built <close> = compiled(result, ex, source_of(context, ex))
    if not built then return end
    local solution <close> = solution_of(ex)
    local seed = (context.seed or SEED) % (1 << 30)
    if fails_checks(result, ex, solution, built.path, seed) then return end
    score(result, context, ex, solution, built.path, seed, { short = function(_, name) return name end })
  end)
  if ok then return result end
  if failure.kind(e) == "interrupted" then error(e, 0) end
  result.error = e
  return ended(result, "compile", failure.kind(e), tostring(e))
end

-- A record ------------------------------------------------------------------------------------------------

---@class ProjectRecord : Record the launches of a project's scored run; where a view is of one, the costliest
---@field obtain fun(): table the result of a check
local Project = record.class "project"

---@param ex table @param device Device @param obtain fun(): table @return ProjectRecord
function project.record(ex, device, obtain)
  return setmetatable({ id = ex.id, title = ex.title, device = device, models = {}, outcome = "ok", obtain = obtain,
    exercise = ex }, Project)
end

-- The launches of its latest check, the costliest one, and the view of that one which knows that there are others.
local function taken(self)
  local result = self.obtain()
  local all = result.launches
  if self.result ~= result then
    local one = all and all:costliest()
    self.result, self.costliest, self.list = result, one, one and all.list.launches
    self.view = one and setmetatable({ among = #self.list > 1 and self.list or nil }, { __index = one })
  end
  return self
end

function Project:counted()
  local view = taken(self).view
  if view then return view end
  self.outcome, self.message = self.result.outcome, self.result.message
  return self
end

-- The costliest launch; raises in words where there is none.
local function launch_of(self)
  local one = taken(self).costliest
  if one then return one end
  failure.usage(("%s launched nothing at the size of its score"):format(self.id),
    ("`check %s` says why"):format(self.id))
end

function Project:launched()
  local one = launch_of(self)
  return lists.any(self.list, "why_not") and { one } or self.list, #self.list
end

-- All launches count for its rate.
function Project:unit() return #self:launched() == #self.list and "GB/s" or nil end

function Project:rate_of(ms)
  return self:unit() and value.new("rate", "bandwidth", self.exercise.project.score.bytes / ms / 1e6)
end

function Project:with_inputs(f, options) return launch_of(self):with_inputs(f, options) end

function Project:with_kernels(f) return launch_of(self):with_kernels(f) end

function Project:with_launch(options, f) return launch_of(self):with_launch(options, f) end

return project
