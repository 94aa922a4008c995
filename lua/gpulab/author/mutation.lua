-- The mutation test of an exercise: its acceptance check has to refuse the starter, mutants of the solution and
-- kernels that cheat (cheats.lua), and to accept the solution and honest alternatives. tests/exercises/NN-id.cu has the
-- alternatives and cheats of an exercise, each after a line with its name; an author's lab does without.
local cheats = require "gpulab.run.cheats"
local files = require "gpulab.base.files"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local launches = require "gpulab.run.launches"
local project = require "gpulab.record.project"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local where = require "gpulab.base.where"

local mutation = {}

-- Milliseconds of processor time of a launch: a mutant may never end, and one that is slow is refused; an honest kernel
-- has as long as it takes.
local TIMEOUT <const>, HONEST_TIMEOUT <const> = 500, 30000

-- A table that a file of the folder returns; empty without one.
local function table_of(folder, name, id)
  local path = folder and folder .. "/" .. name
  if not path or host.kind(path) ~= "file" then return nil end
  return dofile(path)[id]
end

---Where the alternatives are: next to the folder of the labs; nil where there are none.
---@param lab_path string
function mutation.folder(lab_path)
  local path = (lab_path:match("^(.*)/labs/[^/]*$") or ".") .. "/tests/exercises"
  return host.kind(path) == "folder" and path or nil
end

-- The name of the kernel, the fills of the buffers it is launched with, and how many blocks the largest launch has.
local function facts_of(lab, ex)
  local params = lab:parameters(nil, { emulated = true, small = true })
  params.size, params.seed = ex.sizes and ex.sizes[1], 0
  local items, blocks = steps.items(exercise.step(ex), params), 1
  for _, each in ipairs(items) do
    local grid = launches.dimensions(ex, each, "grid", params)
    blocks = math.max(blocks, grid[1] * grid[2] * grid[3])
  end
  local item, fills = items[1], {}
  for i, arg in ipairs(item.args) do fills[i] = type(arg) == "string" and lab.buffers[arg] or nil end
  return item.kernel.name, fills, blocks
end

local function read(path)
  return assert(files.read(path))
end

-- A text of lines "// - old" and "// + new" is the solution with these changes; any other is a kernel.
local function with_changes(candidate, solution)
  for old, new in candidate.text:gmatch "\n// %- ([^\n]*)\n// %+ ?([^\n]*)" do
    local first, last = solution:find(old, 1, true)
    if not first then error(("%s: the solution has no %s"):format(candidate.name, old), 0) end
    solution = solution:sub(1, first - 1) .. new .. solution:sub(last + 1)
    candidate.changed = solution
  end
  candidate.text = candidate.changed or candidate.text
end

-- The kernels of a file, each after a line "// === honest-NAME" or "// === cheat-NAME".
local function add_own(list, content, solution)
  for line in content:gmatch "[^\n]*\n" do
    local name = line:match "^// === ([%w-]+)\n$"
    local own = list[#list]
    if name then
      list[#list + 1] = { kind = name:match "^%l+", name = name, text = "" }
    elseif own.text then
      own.text = own.text .. line
    end
  end
  for _, candidate in ipairs(list) do
    if candidate.text then with_changes(candidate, solution) end
  end
end

---Every kernel to be tried: {kind, name, what, text or path}; kind is "solution", "starter", "honest", "cheat",
---"mutant".
---@param lab Lab @param ex table @param folder string?
function mutation.candidates(lab, ex, folder)
  local id = ("%02d-%s"):format(lab.number, ex.id)
  local solution, starter = where.find(ex.solution, "kernels"), where.find(ex.starter, "kernels")
  local list = { { kind = "solution", name = "solution", path = solution },
    { kind = "starter", name = "starter", path = starter } }
  local own = folder and ("%s/%s.cu"):format(folder, id)
  if own and host.kind(own) == "file" then add_own(list, read(own), read(solution)) end
  if ex.project then return list end
  local kernel, fills, blocks = facts_of(lab, ex)
  local content = read(solution)
  for _, made in ipairs(cheats.all { kernel = kernel, solution = content, solution_path = ex.solution,
    starter = read(starter), element = table_of(folder, "elements.lua", id), fills = fills, blocks = blocks }) do
    made.kind = "cheat"
    list[#list + 1] = made
  end
  local equivalent = table_of(folder, "equivalent.lua", id) or {}
  for _, made in ipairs(cheats.mutants(content)) do
    made.kind = "mutant"
    if not equivalent[made.what] then list[#list + 1] = made end
  end
  return list
end

-- Checks one kernel; its text is written to a file of its own.
local function check(at, ex, candidate)
  local path = candidate.path
  if not path then
    path = os.tmpname()
    os.rename(path, path .. ".cu")
    path = path .. ".cu"
    files.write(path, candidate.text)
  end
  at.source = function() return { path = path, changed = true } end
  local ok, result = pcall(project.check, at, ex)
  if not candidate.path then os.remove(path) end
  if not ok then error(result, 0) end
  return result
end

local accepted_kinds <const> = { solution = true, honest = true }

-- Every nth of those that are to be refused, not from the same one in each exercise, so that most kinds of cheats are
-- tried somewhere; starter, solution and honest ones always.
local function every_nth(candidates, n, ex)
  local chosen, refused = {}, #ex.id
  for _, candidate in ipairs(candidates) do
    local always = accepted_kinds[candidate.kind] or candidate.kind == "starter"
    refused = refused + (always and 0 or 1)
    if always or refused % n == 0 then chosen[#chosen + 1] = candidate end
  end
  return chosen
end

---Tries every kernel of an exercise: a list of {kind, name, what, stage, message, ok}.
---@param lab Lab @param device Device @param ex table @param folder string?
---@param nth integer? only each nth cheat and mutant
function mutation.run(lab, device, ex, folder, nth)
  local results = {}
  local at = runner.context(lab, device, lab:parameters(nil, { emulated = true, small = true }),
    { small = true })
  at.verdict_only = true -- no cause of a wrong result, no predicted times, no other sizes of what is refused
  for _, candidate in ipairs(every_nth(mutation.candidates(lab, ex, folder), nth or 1, ex)) do
    at.timeout = accepted_kinds[candidate.kind] and HONEST_TIMEOUT or TIMEOUT
    local result = check(at, ex, candidate)
    failure.pass_interrupt(result)
    local passed, tried = result.stage == "passed", result.outcome ~= "setup" and result.outcome ~= "usage"
    results[#results + 1] = { kind = candidate.kind, name = candidate.name, what = candidate.what, stage = result.stage,
      outcome = result.outcome, message = (result.message or ""):gsub("%s+", " "),
      ok = tried and passed == (accepted_kinds[candidate.kind] or false), tried = tried, rows = result.accept }
  end
  at:close()
  return results
end

local wrong <const> = { solution = "its solution is refused", starter = "its starter already passes",
  honest = "an honest kernel is refused", cheat = "a kernel that cheats is accepted",
  mutant = "a mutant of its solution is accepted" }

-- Without hidden sizes the guard may never be needed.
local function missing_size(r, ex)
  if r.kind ~= "mutant" or ex.sizes or not r.what:find "^guard removed" then return "" end
  return "; add `sizes`, of which some are not a multiple of the threads of a block"
end

---What is wrong with the acceptance check of an exercise, in words.
---@param results table[] of mutation.run @param ex table @return string[]
function mutation.problems(results, ex)
  local problems = {}
  for _, r in ipairs(results) do
    if r.kind == "starter" and (r.outcome == "compile" or r.outcome == "setup" or r.outcome == "usage") then
      problems[#problems + 1] = ("its starter does not run: %s"):format(r.message)
    elseif not r.tried then
      problems[#problems + 1] = ("%s could not be tried: %s"):format(r.name, r.message)
    elseif not r.ok then
      problems[#problems + 1] = ("%s: %s%s"):format(wrong[r.kind], r.what or r.name,
        accepted_kinds[r.kind] and ": " .. r.message or missing_size(r, ex))
    end
  end
  return problems
end

---A line of the table: how many of each kind were as they should be.
---@param id string @param results table[]
function mutation.line(id, results)
  local right, all = {}, {}
  for _, r in ipairs(results) do
    all[r.kind] = (all[r.kind] or 0) + 1
    right[r.kind] = (right[r.kind] or 0) + (r.ok and 1 or 0)
  end
  local function share(kind) return ("%d of %d"):format(right[kind] or 0, all[kind] or 0) end
  return ("  %-18s %10s %10s %10s"):format(id, share "honest", share "cheat", share "mutant")
end

mutation.header = ("  %-18s %10s %10s %10s"):format("exercise", "accepted:", "refused:", "refused:") .. "\n"
  .. ("  %-18s %10s %10s %10s"):format("", "honest", "cheats", "mutants")

return mutation
