-- The labs together: none is missing, no file of an exercise is left over, the recorded results that demos fall back on
-- are of these labs, steps, and parameters, an exercise's id names its folder and files, and README lists them. Each lab by itself:
-- `--verify-labs NN`.
local files = require "gpulab.base.files"
local recorded = require "gpulab.lab.recorded"
local verify_labs = require "gpulab.author.verify_labs"

print("1..5")

local function report(number, name, found)
  print(("%s %d - %s"):format(#found == 0 and "ok" or "not ok", number, name))
  for _, problem in ipairs(found) do print("# " .. problem) end
end

report(1, "labs as a whole", verify_labs.whole())

local problems = {}
local labs = verify_labs.load()
local unrecorded = { h100 = { [14] = true, [15] = true, [16] = true, [17] = true } } -- no H100 was there for these
for _, gpu_name in ipairs { "h200", "h100" } do
  local results = recorded.by_lab(gpu_name)
  for _, lab in ipairs(labs) do
    local steps = {}
    for _, step in ipairs(lab.steps) do steps[step.id] = true end
    if #lab.steps > 0 and not results[lab.number] and not (unrecorded[gpu_name] or {})[lab.number] then
      problems[#problems + 1] = ("%s.tsv has nothing of lab %d"):format(gpu_name, lab.number)
    end
    for id, row in pairs(results[lab.number] or {}) do
      if not steps[id] then problems[#problems + 1] = ("lab %d has no step %s"):format(lab.number, id) end
      local ok, e = pcall(lab.parameters, lab, row.params)
      if not ok then problems[#problems + 1] = ("%s.tsv, step %s: %s"):format(gpu_name, id, e.message) end
    end
  end
end
report(2, "recorded results", problems)

problems = {}
for _, lab in ipairs(labs) do
  for _, ex in ipairs(lab.exercises) do
    local file = ("%02d-%s/%s.cu"):format(lab.number, ex.id, (ex.id:gsub("-", "_")))
    if ex.starter ~= "exercises/" .. file then problems[#problems + 1] = ("%s: %s"):format(ex.id, ex.starter) end
    if ex.solution ~= "solutions/" .. file then problems[#problems + 1] = ("%s: %s"):format(ex.id, ex.solution) end
  end
end
report(3, "exercises' ids, folders and files agree", problems)

problems = {}
local listed = {}
for number in assert(files.read((arg[0]:match("^(.*)/") or ".") .. "/../../../README.md")):gmatch "\n| (%d+) |" do
  listed[tonumber(number)] = true
end
for _, lab in ipairs(labs) do
  if not listed[lab.number] then problems[#problems + 1] = ("README does not list lab %d"):format(lab.number) end
  listed[lab.number] = nil
end
for number in pairs(listed) do problems[#problems + 1] = ("README lists lab %d, which is missing"):format(number) end
report(4, "README lists the labs", problems)

-- A machine may have no nvcc: NVRTC compiles everything but projects.
local program = assert(require("gpulab.fs").real "/proc/self/exe")
local chunk = [[require("gpulab.run.build").nvcc = function() end; require("gpulab.author.verify_labs").run { target = "13" }]]
local run = assert(io.popen(("%s --device emu -e %s 2>&1"):format(files.quoted(program), files.quoted(chunk))))
local said = run:read "a"
local is_said = run:close() and said:find "column%-sums +not tried: nvcc was not found"
report(5, "projects are not tried without nvcc", is_said and {} or { (said:gsub("\n", " ")) })
