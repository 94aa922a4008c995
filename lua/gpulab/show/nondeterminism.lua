-- Why the counters of a launch can differ on a GPU or between two runs, and what printf adds to them.
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local nondeterminism = {}

local CAUSES <const> = {
  atomic_result = "the result of an atomic is used, and the order of the threads decides it",
  waiting = "a thread waits for what another one stores, for as long as timing says",
  clock = "%clock, %globaltimer, %smid, or %warpid is read, perhaps by the library",
  shared_atomic = "a GPU makes a loop of loads of this atomic on shared memory, repeated where warps collide",
  device_heap = "on a GPU malloc and free access memory, which is not counted here",
}

local function reason(entry)
  local place = entry.file and (" (%s:%d)"):format(text.file_name(entry.file), entry.line) or ""
  return ("can differ on a GPU and between runs: %s%s"):format(CAUSES[entry.cause], place)
end

---@param entry table of a report's nondeterminism
---@return string in one line, without the name of the kernel
function nondeterminism.line(entry) return "counters " .. reason(entry) end

---@param report table? @return string? where a clock decides how much the launch does; nil: it reads none
function nondeterminism.of_time(report)
  local clock = lists.find(report and report.nondeterminism or {}, "cause", "clock")
  return clock and ("The predicted time %s."):format(reason(clock)) or nil
end

---@param counters table of a launch or more
---@return string? what of them is printf's; nil: nothing
function nondeterminism.of_printf(counters)
  local loads, stores = counters.printf_load_sectors or 0, counters.printf_store_sectors or 0
  if loads + stores == 0 then return end
  return ("printf loaded %d and stored %d of the sectors of global memory"):format(loads, stores)
end

---@param list table? a report's nondeterminism @return table? nil: there is none
function nondeterminism.document(list)
  return list and #list > 0 and json.each(list, function(entry)
    return json.object("cause", entry.cause, "file", entry.file, "line", entry.file and entry.line)
  end) or nil
end

---Adds to a list what another launch has: one entry per cause.
---@param sum table @param more table?
function nondeterminism.add(sum, more)
  for _, entry in ipairs(more or {}) do
    if not sum[entry.cause] then
      sum[entry.cause] = true
      sum[#sum + 1] = entry
    end
  end
end

return nondeterminism
