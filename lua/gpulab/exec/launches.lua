-- The launches of a program at its end: what gpulab exec --prompt, --why and --html show of them.
local collected = require "gpulab.record.collected"
local gpu = require "gpulab.gpu"
local text = require "gpulab.base.text"

local launches = {}
launches.__index = launches

local EXPLAINED <const> = 5 -- kernels that --why explains

---@param name string the GPU @param models string[] GPUs to predict besides it
---@param keep string[] launches whose inputs are kept, too @param names table what allocations are called
function launches.new(name, models, keep, names)
  local all = collected.new(gpu.open("emu:" .. name), models, keep, names)
  return setmetatable({ collected = all, list = all.list }, launches)
end

---Takes a launch as exec.run reports it.
function launches:add(launch) self.collected:add(launch) end

-- Without line tables a kernel has one line, which is none.
local function has_lines(self)
  local counted = false -- of a launch that did not end well nothing is known
  for _, one in ipairs(self.list.launches) do
    counted = counted or one.report ~= nil
    for _, line in ipairs(one.report and one.report.lines or {}) do
      if line.line > 0 then return true end
    end
  end
  return not counted
end

-- What is missing without line tables, as lines.
local function about_lines(self)
  if has_lines(self) then return {} end
  return text.wrap("The program has no source lines of its kernels: compile it with nvcc -lineinfo.", "  ")
end

---Why each kernel takes its time, by its costliest launch, the costliest kernels first.
---@return string[] lines
function launches:explanation()
  local why = require "gpulab.show.why"
  local lines, kernels = {}, self.collected:by_cost()
  if #kernels == 0 then lines[1] = "gpulab: the program launched no kernel, so there is nothing to explain" end
  for i = 1, math.min(#kernels, EXPLAINED) do
    if i > 1 then lines[#lines + 1] = "" end
    for _, line in ipairs(why.explain(kernels[i].costliest)) do lines[#lines + 1] = line end
  end
  if #kernels > EXPLAINED then
    text.add(lines, ("%s more: `gpulab exec --prompt` explains each launch."):format(
      text.plural(#kernels - EXPLAINED, "kernel")))
  end
  for _, line in ipairs(about_lines(self)) do lines[#lines + 1] = line end
  return lines
end

---The launches as a page, each kernel explained by its costliest.
---@param title string @return string
function launches:page(title)
  local shown = {}
  for i, kernel in ipairs(self.collected:by_cost()) do shown[i] = kernel.costliest end
  return require("gpulab.show.page.launches").html(title, self.list.launches, shown)
end

---A prompt on the launches.
---@param options table of gpulab @return integer? status of piped commands; nil: they all went well
function launches:prompt(options)
  if #self.list.launches == 0 then
    io.stderr:write("gpulab: the program launched no kernel, so there is nothing to explain\n")
    return nil
  end
  self.list.latest = self.collected:costliest()
  return require("gpulab.prompt.on_records").open(self.list, options, "exec", text.wrap(
    ("Without a number they take %s, the costliest. ? lists the commands."):format(self.list.latest:called()), ""),
    about_lines(self))
end

return launches
