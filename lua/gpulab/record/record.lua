-- What one run of a kernel yielded, whoever ran it. Every view (gpulab/show) takes such a record and nothing else, so a
-- view works for each source of records: a step or exercise of a lab (record/step.lua), a
-- launch (record/launch.lua), one that a program made (record/program.lua), a submission (record/submission.lua).
--
-- Fields as runner.lua documents them, of which a launch has these: outcome, message, brief, fault, kernel, grid,
-- block, times, report, models, worst, output. In addition
--   id      what a person types to name it: "tile", "3"
--   title   the heading of a view: a step's title, or "hist<<<64, 256>>>"
--   device  on which it ran
--   cached  its useful bytes are not those of DRAM;  demonstrates: the error that it shows on purpose
-- Only a step's record has `step`, with its text, claim, and reference; no view may need it.
local failure = require "gpulab.base.failure"

local record = {}

---@class Record
---@field id string @field title string @field device Device @field source string
local Record = {}

---A source of records: a class whose methods replace those that differ.
---@param source string as an error names it: "step", "launch"
---@param like table? the class of another source, for all that is the same @return table
function record.class(source, like)
  local class = setmetatable({ source = source }, { __index = like or Record })
  class.__index = class
  return class
end

---The record with its counters, counted now if that was not done. If the run did not end well it has none: `outcome`
---and `message` say why.
---@return Record
function Record:counted() return self end

---The counters of its run, which other views show; nil if it has not run and cannot be run here.
---@param begins fun() called before it runs for that @return CountReport?
function Record:report_of_run(begins) return self.report end -- luacheck: ignore 212

---Calls f with what the run launched, its inputs as they were: {items, kernel, config, args, buffers, size}. buffers:
---list of {name, buffer, of_bytes}, the output first; of_bytes: its elements are not known; size: the parameters of a
---small run in words. What f returns, this returns. Raises in words if the inputs cannot be had again.
---@param f fun(prepared: table): any
---@param options {small: boolean?, emulated: boolean?}? small: at the sizes of tests; emulated: on an emulator
function Record:with_inputs(f, options) -- luacheck: no unused
  failure.usage(("%s launches no kernel"):format(self.id))
end

---The same where f looks at the kernels and how they are launched, and not at what the buffers hold.
---@param f fun(prepared: table): any
function Record:with_kernels(f) return self:with_inputs(f) end

---Calls f with one launch as it was about to be made: kernel, config, args; stepping begins there.
---@param options {number: integer?, plain: boolean?, writes: boolean?} which launch of several, without optimization,
--- the last that takes the output
---@param f fun(kernel: Kernel, config: LaunchConfig, args: table): any
---@return any what f returns, fun()? close to call when that is no longer used, Buffer? output
function Record:with_launch(options, f) -- luacheck: no unused
  failure.usage(("%s launches no kernel"):format(self.id))
end

---The records of its launches, where each is a record, and how many there were. Where inputs of some were
---not kept, there is only the costliest.
---@return Record[], integer
function Record:launched() return { self }, 1 end

---How a sentence names it.
---@return string
function Record:called() return self.id end

---Puts the names of the kernel's parameters in the place of others in what is said of it.
---@param found table {message, brief, issues}: as parameters.name takes it
function Record:rename(found) end -- luacheck: ignore 212

---What does so with a message; nil: it has the names already.
---@return (fun(said: string): string)?
function Record:namer() return nil end -- luacheck: ignore 212

---Useful work per time, where the record says what is useful.
---@param ms number @return table? value.lua
function Record:rate_of(ms) return nil end -- luacheck: ignore 212

---What it does, as far as that is known: {number, unit} of useful work, or own: the bytes that an exercise's threads
---load and store, at a size of its own.
---@return {number: number, unit: string, own: boolean?}?
function Record:work() return nil end -- luacheck: ignore 212

---Does it call a library, which no model describes?
---@return boolean
function Record:calls_library() return false end -- luacheck: ignore 212

---The unit of its rate; nil without one.
---@return string?
function Record:unit() return nil end -- luacheck: ignore 212

---The floating-point operations that it declares; nil: none.
---@return number?
function Record:flops() return nil end -- luacheck: ignore 212

---Whether a GPU of a compute capability, times ten, has the instructions it uses.
---@param cc integer @return boolean
function Record:supported_on(cc) return true end -- luacheck: ignore 212

---Records to compare it with, this one among them: those with the same result or, if there is none, one that its table
---compares with it.
---@return Record[], boolean same whether the results are the same
function Record:peers() return { self }, true end

---GPUs that were asked for since it ran and that cannot be predicted, and what to do about that.
---@return string[] names @return string? advice
function Record:unpredicted() return {} end -- luacheck: ignore 212

---Raises if its result is known to be wrong or missing; an exercise is checked for that.
function Record:check_right()
  if not self.report and not failure.is_well(self.outcome or "ok") then self:fails "there is nothing to predict" end
end

---Raises what became of a run that did not end well, and what is missing for that reason.
---@param missing string "nothing was counted"
function Record:fails(missing)
  failure.usage(("%s %s, so %s"):format(self:called(), failure.ended(self.outcome), missing),
    ("`why %s` says what happened"):format(self.id))
end

---Raises unless it ended well and with a right result, as far as that is known.
function Record:check_comparable()
  failure.pass_interrupt(self)
  if failure.is_well(self.outcome) and self.verified ~= false then return end
  failure.usage(("%s fails, so it cannot be compared"):format(self:called()))
end

---As counted; raises in words if there are no counters.
---@return Record
function Record:with_counters()
  local counted = self:counted()
  failure.pass_interrupt(counted)
  if counted.report and counted.report.lines then return counted end
  if failure.is_well(counted.outcome) then
    failure.usage(("%s launches no kernel, so there are no counters"):format(self:called()))
  end
  counted:fails "nothing was counted"
end

return record
