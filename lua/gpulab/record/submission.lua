-- Records of graded submissions: a student's file for an exercise, run with the inputs that its check had first.
local exercise = require "gpulab.run.exercise"
local host = require "gpulab.host"
local project = require "gpulab.record.project"
local record = require "gpulab.record.record"
local runner = require "gpulab.run.runner"
local step_record = require "gpulab.record.step"

local submission = {}

---@class Submission : StepRecord
---@field number integer @field kernel string the student and the exercise, which name it
---@field enter fun() makes its lab the one whose files are found
local Submission = record.class("submission", step_record.class)

---@param graded {number: integer, name: string, lab: Lab, exercise: table, path: string, seed: integer,
--- outcome: string, message: string?} path: of the student's file
---@param device Device an emulator @param enter fun() @return Submission
function submission.new(graded, device, enter)
  local at = runner.context(graded.lab, device, graded.lab:parameters(nil, { emulated = true }))
  at.seed, at.repeatable = graded.seed, true
  at.source = function() return { path = graded.path, changed = true } end
  local ex, checked = graded.exercise, nil
  local self = ex.project and project.record(ex, device, function()
    enter()
    checked = checked or project.check(at, ex)
    return checked
  end) or setmetatable(step_record.of({ step = exercise.step(ex), models = {} }, at), Submission)
  self.id, self.number, self.enter = "#" .. graded.number, graded.number, enter
  self.kernel, self.written, self.title = graded.name, graded.name, graded.name
  self.outcome, self.message = graded.outcome, graded.message
  return self
end

-- Its buffers are freed afterwards: a class has more of them than there is memory.
local function with_lab(self, f, ...)
  self.enter()
  local results = table.pack(host.catch(f, ...))
  self.context:close()
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

function Submission:counted()
  if not self.ran then
    local name = self.kernel
    local found = with_lab(self, runner.run, self.context, self.step)
    for field, value in pairs(found) do self[field] = value end
    self.message, self.fault = found.message, found.fault
    self.kernel, self.ran = name, found.outcome ~= "interrupted"
  end
  return self
end

function Submission:with_inputs(f, options)
  return with_lab(self, step_record.class.with_inputs, self, f, options)
end

function Submission:with_launch(options, f)
  return with_lab(self, step_record.class.with_launch, self, options, f)
end

function Submission:called() return self.title end

return submission
