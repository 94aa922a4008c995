-- Projects: exercises whose task is a whole file, with kernels and launches of its own. It is linked with the lab's
-- framework, a program that makes inputs, calls the file's function, and ends with 0 if the result is right, 3 if it is
-- wrong. The check compiles both, runs them under the checkers at several sizes, and predicts the launches at one more,
-- whose rate gives a tier. What the scored run launched are records.
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
local printed = require "gpulab.run.printed"
local record = require "gpulab.record.record"
local program = lazy "gpulab.run.program"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local project = {}

local GPU <const> = "H200"   -- whose rules and model give the verdict: the same on every machine
local SECONDS <const> = 100  -- of processor time that the program's host code may take
local WRONG <const> = 3      -- the framework's status for a wrong result
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

local function compiled(result, ex, path)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  local problem, line = allowed.problem(content)
  if problem then
    ended(result, "compile", "compile", ("%s:%d: %s in a project: its host code launches kernels, and leaves copies "
      .. "and everything else to the framework."):format(text.file_name(path), line, problem))
    return nil
  end
  local framework = where.find(ex.project.framework, "kernels")
  local built, said = build.try(path, require("gpulab.gpu").model(GPU), true, "-O2 -t 2 " .. files.quoted(framework))
  if built then return built end
  local folder = (path:match "^(.*/)" or ""):gsub("%p", "%%%0")
  ended(result, "compile", "compile", text.printable((said:gsub(folder, ""):gsub("%s+$", ""))))
end

-- Running ---------------------------------------------------------------------------------------------

local function nothing() end

-- Runs the program with its output in a file; what it printed, and how it ended.
local function run(path, args, options)
  local target = os.tmpname()
  local _ <close> = setmetatable({}, { __close = function() os.remove(target) end })
  -- The shell may open the target, the program may not.
  local script = ('ulimit -t %d; export GPULAB_EXEC_CONFINED=1; exec "$@" >%s 2>&1'):format(SECONDS,
    files.quoted(target))
  local all = { path = "/bin/sh", args = { "sh", "-c", script, "sh", path, table.unpack(args) },
    cuda_12 = program.check(path), gpu = GPU, streams = 0, schedules = 0, models = {}, found = nothing,
    failed = nothing, unwritten = nothing, early = nothing, seen = nothing, allocated = nothing, timed = nothing }
  for name, value in pairs(options) do all[name] = value end
  local done = exec.run(all)
  return files.read(target) or "", done
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

local function fails_checks(result, ex, path, seed)
  result.issues, result.known = {}, {}
  for i, args in ipairs(ex.project.sizes) do
    local seen = { count = 0 }
    local said, done = run(path, with_seed(args, seed + i), { mode = "check", schedules = launch_list.ORDERS,
      launched = function(launch)
        seen.count = seen.count + 1
        add_issues(result, launch)
        local bad = launch.outcome.status ~= "ok" and #(launch.findings or {}) == 0
        seen.failed = seen.failed or bad and launch.outcome or nil
      end })
    if is_wrong(result, said, done, seen, size_of(args)) and #result.issues == 0 then return true end
    if #result.issues > 0 then
      return ended(result, "checkers", "finding", size_of(args) .. checkers.texts(result.issues))
    end
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

local function score(result, ex, path, seed, names)
  local scored, seen, ms = ex.project.score, { count = 0 }, 0
  emulator = emulator or gpu.open("emu:" .. GPU)
  local all = collected.new(emulator, {}, {}, names)
  local said, done = run(path, with_seed(scored.args, seed), { mode = "count", models = { GPU }, keeps = true,
    launched = function(launch)
      seen.count = seen.count + 1
      if launch.outcome.status ~= "ok" then seen.failed = seen.failed or launch.outcome end
      local own = launch.models and launch.models[GPU]
      ms = own and own.known and ms and ms + own.ms
      all:add(launch)
    end })
  result.launches = all
  if is_wrong(result, said, done, seen, size_of(scored.args)) then return end
  if not ms then return ended(result, "accept", "setup", "there is no prediction for one of its launches") end
  local rate = scored.bytes / ms / 1e6
  local tier, share = project.tier(ex, rate)
  local tiers, first = ex.project.tiers, ex.project.tiers[1]
  local following = tiers[tier + 1]
  result.score = { rate = rate, unit = "GB/s", gpu = GPU, ms = ms, tier = tier, tiers = #tiers, share = share }
  local said_of = ("%.0f GB/s on the %s (predicted, %s in %s), tier %d of %d%s"):format(rate, GPU, text.duration(ms),
    text.plural(seen.count, "launch"), tier, #tiers,
    following and ("; tier %d begins at %g GB/s"):format(tier + 1, following.rate) or "")
  result.accept = { { name = "rate", ok = tier > 0, got = rate, want = { at_least = first.rate }, text = said_of } }
  result.output = printed.of(said)
  if tier > 0 then return ended(result, "passed", "ok") end
  ended(result, "accept", "gate", ("%.0f GB/s, and tier 1 begins at %g GB/s"):format(rate, first.rate))
end

---Checks an exercise, which may be a project: its result also has score {rate, unit, gpu, ms, tier, tiers, share} and
---launches (collected).
---@param context Context whose source says which file is checked @param ex table
---@return table result of exercise.check
function project.check(context, ex)
  if not ex.project then return exercise.check(context, ex) end
  local result = { exercise = ex }
  local ok, e = pcall(function()
    local built <close> = compiled(result, ex, source_of(context, ex))
    if not built then return end
    local seed = (context.seed or SEED) % (1 << 30)
    if fails_checks(result, ex, built.path, seed) then return end
    score(result, ex, built.path, seed, { short = function(_, name) return name end })
  end)
  if ok then return result end
  if failure.kind(e) == "interrupted" then error(e, 0) end
  result.error = e
  return ended(result, "compile", failure.kind(e), tostring(e))
end

-- A record ------------------------------------------------------------------------------------------------

---@class ProjectRecord : Record the costliest launch of a project's scored run
---@field obtain fun(): table the result of a check
local Project = record.class "project"

---@param ex table @param device Device @param obtain fun(): table @return ProjectRecord
function project.record(ex, device, obtain)
  return setmetatable({ id = ex.id, title = ex.title, device = device, models = {}, outcome = "ok", obtain = obtain,
    exercise = ex }, Project)
end

function Project:counted()
  local result = self.obtain()
  local launches = result.launches
  local costliest = launches and launches:costliest()
  if costliest then return costliest end
  self.outcome, self.message = result.outcome, result.message
  return self
end

-- The launch itself; raises in words where there is none.
local function launch_of(self)
  local counted = self:counted()
  if counted ~= self then return counted end
  failure.usage(("%s launched nothing at the size of its score"):format(self.id),
    ("`check %s` says why"):format(self.id))
end

function Project:with_inputs(f, options) return launch_of(self):with_inputs(f, options) end

function Project:with_kernels(f) return launch_of(self):with_kernels(f) end

function Project:with_launch(options, f) return launch_of(self):with_launch(options, f) end

return project
