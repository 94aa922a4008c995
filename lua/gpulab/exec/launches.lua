-- The launches of a program as records, for gpulab exec --prompt and --why: which of them keep their inputs, and what
-- is shown of them at the end.
local gpu = require "gpulab.gpu"
local program = require "gpulab.record.program"
local record_list = require "gpulab.record.list"
local text = require "gpulab.base.text"

local launches = {}
launches.__index = launches

local MOST <const> = 1000   -- records
local EXPLAINED <const> = 5 -- kernels that --why explains

---@param name string the GPU @param models string[] GPUs to predict besides it
---@param keep string[] launches whose inputs are kept, too: numbers, kernels, or "all"
---@param names table what allocations are called
function launches.new(name, models, keep, names)
  local self = setmetatable({ names = names, device = gpu.open("emu:" .. name), models = models, keep = {},
    kernels = {}, order = {}, list = record_list.new() }, launches)
  self.list.models = models
  for _, which in ipairs(keep) do self.keep[which] = true end
  return self
end

-- While the program runs --------------------------------------------------------------------------------

local function is_asked_for(self, one)
  return self.keep.all or self.keep[tostring(one.number)] or self.keep[one.kernel]
    or self.keep[one.kernel:match "^[^<]*"]
end

-- The first launch of a kernel keeps its inputs, the costliest one, and those that fail.
local function choose(self, kernel, one)
  local before = kernel.costliest
  if not before then
    kernel.costliest = one
  elseif one:cost() > before:cost() then
    kernel.costliest = one
    if before ~= kernel.first and before.outcome == "ok" and not is_asked_for(self, before) then
      before:forget_inputs()
    end
  elseif one.outcome == "ok" and not is_asked_for(self, one) then
    one:forget_inputs()
  end
end

-- The oldest whose inputs are not kept goes.
local function make_room(self)
  local all = self.list.launches
  if #all <= MOST then return end
  local at = 1
  while at < #all and not all[at].why_not do at = at + 1 end
  table.remove(all, at)
end

---Takes a launch as exec.run reports it.
function launches:add(launch)
  if launch.schedule then return end
  local one = program.new(launch, self.device, self.models, self.names)
  local kernel = self.kernels[launch.kernel]
  if not kernel then
    kernel = { first = one, cost = 0, count = 0 }
    self.kernels[launch.kernel], self.order[#self.order + 1] = kernel, kernel
  end
  one.group = kernel
  kernel.cost, kernel.count = kernel.cost + one:cost(), kernel.count + 1
  choose(self, kernel, one)
  self.list.launches[#self.list.launches + 1], self.list.made = one, launch.number
  make_room(self)
end

-- At the end --------------------------------------------------------------------------------------------

local function by_cost(self)
  local kernels = table.move(self.order, 1, #self.order, 1, {})
  table.sort(kernels, function(a, b)
    if a.cost ~= b.cost then return a.cost > b.cost end
    return a.first.number < b.first.number
  end)
  return kernels
end

local function costliest(self)
  local found
  for _, kernel in ipairs(self.order) do
    if not found or kernel.costliest:cost() > found:cost() then found = kernel.costliest end
  end
  return found
end

-- Without line tables a kernel has one line, which is none.
local function has_lines(self)
  for _, one in ipairs(self.list.launches) do
    for _, line in ipairs(one.report and one.report.lines or {}) do
      if line.line > 0 then return true end
    end
  end
  return #self.list.launches == 0
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
  local lines, kernels = {}, by_cost(self)
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
  for i, kernel in ipairs(by_cost(self)) do shown[i] = kernel.costliest end
  return require("gpulab.show.page.launches").html(title, self.list.launches, shown)
end

---A prompt on the launches.
---@param options table of gpulab @return integer? status of piped commands; nil: they all went well
function launches:prompt(options)
  if #self.list.launches == 0 then
    io.stderr:write("gpulab: the program launched no kernel, so there is nothing to explain\n")
    return nil
  end
  self.list.latest = costliest(self)
  return require("gpulab.prompt.on_records").open(self.list, options, "exec", text.wrap(
    ("Without a number they take %s, the costliest. ? lists the commands."):format(self.list.latest:called()), ""),
    about_lines(self))
end

return launches
