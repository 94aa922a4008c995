-- Counters that a GPU, or another run, could count otherwise, since they depend on the order of the threads or on time.
local json = require "gpulab.base.json"
local text = require "gpulab.base.text"

local dependences = {}

local CAUSES <const> = {
  atomic_address = "an address follows from the result of an atomic, or an access from what is loaded there, and so "
    .. "from the order of the threads; so can those of kernels that use what is stored there",
  waiting_loop = "a loop repeats until another thread changes a value, and so as often as timing says; lanes that "
    .. "leave it do not wait for the others",
  clock = "an address or a loop follows from %clock, %globaltimer, %smid, or %warpid",
  shared_atomic = "a GPU makes a loop of loads of this atomic on shared memory, repeated where warps collide",
  earlier_order = "an address, a branch, or a loop follows from what an earlier kernel stored by the results "
    .. "of atomics, and so from the order of the threads",
  parting_call = "lanes call a function in which others are not, and do not wait for them behind it, so that one "
    .. "access of a warp becomes several",
  launch_choice = "the program launches this kernel in several shapes, after it read what kernels stored by the "
    .. "results of atomics",
  random_seed = "an address, a branch, or a loop follows from data, and the program seems to seed random numbers with "
    .. "the time or another random number, so that each run can have other data",
  device_call = "on a GPU malloc and free access memory, which is not counted here",
}

---@param entry table of a report's dependences
---@return string in one line, without the name of the kernel
function dependences.line(entry)
  local place = entry.file and (" (%s:%d)"):format(text.file_name(entry.file), entry.line) or ""
  return ("%s can differ on a GPU: %s%s"):format(text.list(entry.counters), CAUSES[entry.cause], place)
end

---@param counters table of a launch or more
---@return string? what of them is printf's; nil: nothing
function dependences.of_printf(counters)
  local loads, stores = counters.printf_load_sectors or 0, counters.printf_store_sectors or 0
  if loads + stores == 0 then return end
  return ("printf loaded %d and stored %d of the sectors of global memory"):format(loads, stores)
end

---@param list table? a report's dependences @return table? nil: there are none
function dependences.document(list)
  if not list or #list == 0 then return nil end
  local out = json.list {}
  for i, entry in ipairs(list) do
    out[i] = json.object("cause", entry.cause, "counters", json.list(entry.counters), "file", entry.file,
      "line", entry.file and entry.line)
  end
  return out
end

---Adds to a list what another launch has: one entry per cause.
---@param sum table @param more table?
function dependences.add(sum, more)
  for _, entry in ipairs(more or {}) do
    local known = sum[entry.cause]
    if not known then
      sum[entry.cause] = { cause = entry.cause, counters = {}, file = entry.file, line = entry.line,
        seen = {} }
      known = sum[entry.cause]
      sum[#sum + 1] = known
    end
    for _, name in ipairs(entry.counters) do
      if not known.seen[name] then
        known.seen[name] = true
        known.counters[#known.counters + 1] = name
      end
    end
  end
end

---@param sum table @param cause string
function dependences.drop(sum, cause)
  for i = #sum, 1, -1 do
    if sum[i].cause == cause then table.remove(sum, i) end
  end
  sum[cause] = nil
end

return dependences
