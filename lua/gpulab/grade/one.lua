-- The process for one submission: reads a job, checks its files one after the other, and writes each verdict to
-- standard output as soon as it is known. It ends with the grader that started it.
--
--   job: { "items": [ { "lab": "labs/03-bank-conflicts.lua", "exercise": "swizzle", "folder": "work/1/03-swizzle",
--                       "file": "swizzle.cu", "seed": 123 } ] }, and "measure" as --measure
--   output: "verdict 512\n", then 512 bytes of JSON, for each item
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local fs = require "gpulab.fs"
local host = require "gpulab.host"
local jobs = require "gpulab.jobs"
local json = require "gpulab.base.json"
local labs = require "gpulab.grade.labs"
local verdict = require "gpulab.grade.verdict"

local one = {}

-- Each check has a device of its own: addresses, which messages name, do not depend on the checks before it, and a
-- class that was resumed has the same bytes as one that was not.
local function check(item)
  local device <close> = gpu.open "emu"
  local measures_on <close> = verdict.measuring(item.measure)
  local lab = labs.load(item.lab)
  local ex = labs.exercise(lab, item.exercise)
  fs.enter(item.folder)
  local at = verdict.context(lab, device, measures_on)
  at.seed = item.seed
  local ok, v = pcall(verdict.of, at, ex, "./" .. item.file, { name = item.file })
  if not ok then
    if failure.kind(v) == "interrupted" then error(v, 0) end
    v = verdict.without(lab, ex, "stopped", "the check could not finish: " .. tostring(v))
  end
  at:close()
  return v
end

---@param path string of a job, absolute @return integer status
function one.run(path)
  jobs.die_with_parent()
  host.keep_results()
  local job = json.decode(assert(files.read(path)))
  for _, item in ipairs(job.items) do
    local said = json.encode(verdict.object(check(item)))
    io.stdout:write(("verdict %d\n"):format(#said), said)
    io.stdout:flush()
  end
  return 0
end

return one
