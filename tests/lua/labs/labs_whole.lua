-- The labs together: none is missing, no file of an exercise is left over, the recorded runs that demos fall back on
-- are of these labs and steps, and an exercise's id names its folder and files. Each lab by itself: `--verify-labs NN`.
local json = require "gpulab.base.json"
local verify_labs = require "gpulab.author.verify_labs"
local where = require "gpulab.base.where"

print("1..3")

local function report(number, name, found)
  print(("%s %d - %s"):format(#found == 0 and "ok" or "not ok", number, name))
  for _, problem in ipairs(found) do print("# " .. problem) end
end

report(1, "labs as a whole", verify_labs.whole())

local problems = {}
local labs = verify_labs.load()
for _, lab in ipairs(labs) do
  local path = ("%s/records/results/h200/%02d.json"):format(where.folders("docs")[1], lab.number)
  local file <close> = assert(io.open(path))
  local run, steps = json.decode(file:read "a"), {}
  for _, step in ipairs(lab.steps) do steps[step.id] = true end
  if run.lab.id ~= lab.id then problems[#problems + 1] = ("%s is of lab %s"):format(path, run.lab.id) end
  for _, step in ipairs(run.steps) do
    if not steps[step.id] then problems[#problems + 1] = ("%s has a step %s"):format(path, step.id) end
  end
end
if #labs ~= 12 then problems[#problems + 1] = #labs .. " labs" end
report(2, "recorded runs", problems)

problems = {}
for _, lab in ipairs(labs) do
  for _, ex in ipairs(lab.exercises) do
    local file = ("%02d-%s/%s.cu"):format(lab.number, ex.id, (ex.id:gsub("-", "_")))
    if ex.starter ~= "exercises/" .. file then problems[#problems + 1] = ("%s: %s"):format(ex.id, ex.starter) end
    if ex.solution ~= "solutions/" .. file then problems[#problems + 1] = ("%s: %s"):format(ex.id, ex.solution) end
  end
end
report(3, "exercises' ids, folders and files agree", problems)
