-- The launches of a program as records, as they come: which of them keep their inputs, and which cost the most.
local lists = require "gpulab.base.lists"
local program = require "gpulab.record.program"
local record_list = require "gpulab.record.list"

local collected = {}
collected.__index = collected

local MOST <const> = 1000 -- records

---@param device Device an emulator of the GPU @param models string[] GPUs to predict besides it
---@param keep string[] launches whose inputs are kept, too: numbers, kernels, or "all"
---@param names table what allocations are called
function collected.new(device, models, keep, names)
  local self = setmetatable({ names = names, device = device, models = models, keep = {}, kernels = {}, order = {},
    list = record_list.new() }, collected)
  self.list.models = models
  for _, which in ipairs(keep) do self.keep[record_list.tight(which)] = 0 end
  return self
end

local function is_asked_for(self, one)
  local found, kernel = false, record_list.tight(one.kernel)
  for _, which in ipairs { "all", tostring(one.number), kernel, kernel:match "^[^<]*" } do
    if self.keep[which] then self.keep[which], found = self.keep[which] + 1, true end
  end
  return found
end

---Of what was to be kept that no launch is.
---@param keep string[] @return string[]
function collected:not_kept(keep)
  return lists.select(keep, function(which) return self.keep[record_list.tight(which)] == 0 end)
end

-- The first launch of a kernel keeps its inputs, the costliest one, and those that fail.
local function choose(self, kernel, one)
  local before = kernel.costliest
  one.asked_for = is_asked_for(self, one)
  if not before then
    kernel.costliest = one
  elseif one:cost() > before:cost() then
    kernel.costliest = one
    if before ~= kernel.first and before.outcome == "ok" and not before.asked_for then
      before:forget_inputs()
    end
  elseif one.outcome == "ok" and not one.asked_for then
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
function collected:add(launch)
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

---The kernels {first, costliest, cost, count}, the costliest first.
---@return table[]
function collected:by_cost()
  local kernels = lists.joined(self.order)
  table.sort(kernels, function(a, b)
    if a.cost ~= b.cost then return a.cost > b.cost end
    return a.first.number < b.first.number
  end)
  return kernels
end

---@return ProgramLaunch? of all launches
function collected:costliest()
  local found
  for _, kernel in ipairs(self.order) do
    if not found or kernel.costliest:cost() > found:cost() then found = kernel.costliest end
  end
  return found
end

return collected
