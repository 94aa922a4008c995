-- The resources of a kernel on an SM, how many of its blocks fit, and what limits them: in words.
local failure = require "gpulab.base.failure"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local resources = {}

local advice = {
  registers = "Registers limit it. __launch_bounds__ or fewer live values would allow more blocks.",
  ["shared memory"] = "Shared memory limits it. Smaller tiles, or values in registers, would allow more blocks.",
  blocks = "This is the maximum number of blocks per SM. Larger blocks would bring more warps.",
}

local function dims(v)
  local parts = {}
  for i = 1, 3 do
    if i == 1 or v[i] and v[i] > 1 then parts[#parts + 1] = tostring(v[i] or 1) end
  end
  return table.concat(parts, " × ")
end

local function product(v) return (v[1] or 1) * (v[2] or 1) * (v[3] or 1) end

local function shared_cell(r)
  if r.static_shared + r.dynamic_shared == 0 then return "none" end
  local said = text.count(r.static_shared + r.dynamic_shared) .. " bytes per block"
  if r.dynamic_shared > 0 then
    said = ("%s, %s of them dynamic"):format(said, text.count(r.dynamic_shared))
  end
  return said
end

-- The driver and the assembler report the size of local memory, not its cause. PTX has no spills.
local function local_cell(r)
  if r.local_bytes == 0 then return r.registers_estimated and "none in the PTX" or "none (no register spills)" end
  return text.plural(r.local_bytes, "byte") .. " per thread: register spills, or arrays with a variable index"
end

-- What keeps a further block from an SM. A grid that has no further block gains nothing from it.
local function limit_words(o)
  if o.limited_by ~= "warps" then return advice[o.limited_by] and " " .. advice[o.limited_by] or "" end
  if o.fraction == 1 then return " This is the maximum number of warps per SM." end
  return (" One more block of %s would exceed the maximum of %.0f."):format(
    text.plural(o.warps_per_sm // o.blocks_per_sm, "warp"), o.warps_per_sm / o.fraction)
end

local function occupancy_words(r)
  local o = r.occupancy
  if o.blocks_per_sm == 0 then return "No block fits on an SM." end
  local said = ("%s per SM: %s, an occupancy of %.0f %%."):format(text.plural(o.blocks_per_sm, "block"),
    text.plural(o.warps_per_sm, "warp"), 100 * o.fraction)
  local places, blocks = r.sms * o.blocks_per_sm, product(r.grid)
  if blocks < r.sms then
    return said .. (" The grid has %s for %d SMs: %d SMs are idle."):format(text.plural(blocks, "block"),
      r.sms, r.sms - blocks)
  elseif blocks <= places then
    return said .. (" The grid has %s, %.0f %% of the %s that fit at once: an SM gets at most %d."):format(
      text.plural(blocks, "block"), 100 * blocks / places, text.count(places), (blocks + r.sms - 1) // r.sms)
  end
  return said .. limit_words(o) .. (" The grid has %s, %s the %s that fit at once."):format(
    text.plural(blocks, "block"), value.times(blocks / places), text.count(places))
end

-- Grid and block are lists.
local function of_launch(device, kernel, config)
  return { name = kernel.name, registers = kernel.registers, registers_estimated = kernel.registers_estimated,
    static_shared = kernel.shared_bytes, dynamic_shared = config.shared or 0, local_bytes = kernel.local_bytes,
    grid = config.grid, block = config.block, sms = device.sms, occupancy = kernel:occupancy(config) }
end

-- Launches that need the same have the same key.
local function key_of(item)
  local config = item.config
  return table.concat({ item.kernel.module.key, item.kernel.linked, config.shared or 0, dims(config.grid),
    dims(config.block) }, " ")
end

---The resources of what a record launches: each kernel, for each size that it is launched with.
---@param record Record @return table[]
function resources.of(record)
  return record:with_kernels(function(prepared)
    local list, seen = {}, {}
    for _, item in ipairs(prepared.items) do
      local key = item.kernel and key_of(item)
      if key and not seen[key] then
        seen[key] = true
        list[#list + 1] = of_launch(prepared.device, item.kernel, item.config)
      end
    end
    if #list == 0 then failure.usage(("%s runs a library, whose kernels are unknown"):format(record.id)) end
    return list
  end)
end

local function lines_of(r, options)
  local threads = product(r.block)
  local rows = {
    { "block", threads == r.block[1] and text.plural(threads, "thread")
      or ("%s = %s"):format(dims(r.block), text.plural(threads, "thread")) },
    { "registers", ("%d per thread%s"):format(r.registers, r.registers_estimated and ", estimated from the PTX"
      or "") },
    { "shared memory", shared_cell(r) },
    { "local memory", local_cell(r) },
  }
  local lines = tables.render({ { header = { r.name } }, { header = {}, narrow = 20 } }, rows, options)
  text.add(lines, occupancy_words(r))
  return lines
end

---@param list table[] resources.of's @param options? table of table.render
---@return string[]
function resources.lines(list, options)
  local lines = {}
  for _, r in ipairs(list) do text.add_part(lines, lines_of(r, options or {})) end
  return lines
end

return resources
