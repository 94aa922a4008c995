-- What the acceptance check of an exercise (acceptance.lua) can ask of a launch: quantities of what the emulator
-- counts, in the words in which a student reads of them.
local quantities = {}

local function sum(...)
  local names = { ... }
  return function(launch)
    local n = 0
    for _, name in ipairs(names) do n = n + launch.counters[name] end
    return n
  end
end

local function reach(name) return function(launch) return launch.reach[name] end end

local function reach_per_warp(name) return function(launch) return launch.reach[name] / launch.warps end end

-- Instructions that are not those of waiting at a cuda::barrier.
local function at_work(launch) return launch.counters.warp_instructions - launch.reach.waiting end

local function lanes_at_work(launch)
  return launch.counters.thread_instructions / math.max(launch.counters.warp_instructions, 1)
end

-- Instructions of the busiest warp, in average ones: of this launch, or of the solution's if those do more, as an idle
-- warp does no harm where the others do no more for it.
local function share_of_busiest(launch, solution)
  local average = math.max(at_work(launch), at_work(solution)) / launch.warps
  return launch.reach.busiest_warp / math.max(average, 1)
end

-- Short warps differ by more: one that loads 16 bytes at a time for three idle ones has a few instructions more.
local function short_warps(solution)
  local average = solution.counters.warp_instructions / math.max(solution.warps, 1)
  return share_of_busiest(solution, solution) * math.min(1.25, 1 + 8.5 / math.max(average, 1))
end

-- The bound is relative to the solution's shared memory wavefronts, or four per warp if it has none.
local function of_wavefronts(share)
  return function(launch)
    local n = launch.counters.shared_load_wavefronts + launch.counters.shared_store_wavefronts
    return n > 0 and share * n or 4 * launch.warps
  end
end

-- The bound is relative to all sectors that the solution needs: how a reduction makes its few stores hardly matters.
local function of_sectors(share)
  local all = sum("global_load_sectors", "global_store_sectors", "texture_sectors", "surface_sectors")
  return function(launch) return share * all(launch) end
end

-- What a source line's counters have beyond the sectors of as many bytes in one piece.
local function beyond_bytes(counters)
  local function of(kind)
    return (counters["global_" .. kind .. "_sectors"] or 0) - (counters["global_" .. kind .. "_bytes"] or 0) / 32
  end
  return math.max(of "load", 0) + math.max(of "store", 0)
end

local function per_warp(n) return function(launch) return n * launch.warps end end
local function per_block(n) return function(launch) return n * launch.blocks end end

-- A thread may load a word of each warp, or as much as the average thread.
local function own_words(launch) return math.max(12, launch.reach.loaded_words / (32 * launch.warps)) end

local local_accesses <const> = sum("local_load_requests", "local_store_requests")

-- The share of the sectors that is due to scattered addresses.
local function scattered(launch)
  local all = launch.counters.global_load_sectors + launch.counters.global_store_sectors
  return launch.reach.scattered_sectors / math.max(all, 1)
end

-- of: its value for a launch, given the solution's. at_most, at_least: the budget, as a multiple of the solution's.
-- floor: what the solution is taken to need at least. cure: what a student can do, a text or a function of the launch
-- and the solution's; without: the same where the task asks for none. asked: a condition only if `accept` names it.
-- beyond: what a source line has too much of, where its own counters say that. by_block: each block has a budget, too.
-- vague: says little about what is wrong, so it comes last. share:
-- shown in percent. total: grows with the size, so that a bound is for the one that is shown. Nothing is required at
-- least that the solution does without.
local list <const> = {
  { name = "warp_instructions", said = "warp instructions", at_most = 3, floor = per_warp(20),
    of = at_work,
    cure = function(launch, solution)
      return local_accesses(launch) > local_accesses(solution) and "Its arrays are in local memory: unroll the loops "
        .. "that index them." or lanes_at_work(launch) < 0.64 * lanes_at_work(solution)
        and "Give every lane of a warp work." or "Do each part of the work once."
    end },
  { name = "idle_warps", said = "instructions of the busiest warp, in average warps,", at_most = 1.48,
    floor = short_warps, of = share_of_busiest,
    cure = "Give every warp the same amount of work." },
  { name = "link_sectors", said = "sectors read over the link", at_most = 1.05, of = reach "link_sectors",
    cure = function(_, solution)
      return solution.reach.link_sectors > 0 and "Read each word over the link once, and nothing else: "
        .. "neighboring threads read neighboring words, from a multiple of 32 bytes on."
        or "Read nothing over the link: keep the value in a register or in shared memory."
    end,
    lines = { "global_load_sectors" } },
  { name = "load_sectors", said = "sectors loaded from global memory", at_most = 1.35,
    of = sum("global_load_sectors", "texture_sectors", "surface_sectors"), lines = { "global_load_sectors" },
    cure = function(launch, solution)
      if scattered(launch) <= scattered(solution) + 0.05 then
        return "Load each element once, and no others, in requests that begin at multiples of 32 bytes."
      end
      local again = launch.counters.global_load_bytes > 1.05 * solution.counters.global_load_bytes
      return "Let the threads of a warp load neighboring elements" .. (again and ", and load each element once." or ".")
    end },
  { name = "scattered_sectors", said = "sectors of global memory due to scattered addresses", at_most = 1.25,
    floor = of_sectors(0.05), of = reach "scattered_sectors", by_block = true,
    lines = { "global_load_sectors", "global_store_sectors" }, beyond = beyond_bytes,
    cure = "Let the threads of a warp access neighboring elements, in every warp and block." },
  { name = "store_bytes", said = "bytes stored to global memory", at_most = 1.3, of = sum "global_store_bytes",
    lines = { "global_store_bytes" }, cure = "Store each element once." },
  { name = "bank_conflicts", said = "wavefronts due to bank conflicts", at_most = 1.25, floor = of_wavefronts(0.2),
    of = sum "bank_conflicts", lines = { "bank_conflicts" },
    cure = "Change the layout, or the order in which the lanes of a warp access it." },
  { name = "wavefronts", said = "shared memory wavefronts", at_most = 1.75, floor = per_warp(24),
    of = sum("shared_load_wavefronts", "shared_store_wavefronts"),
    lines = { "shared_load_wavefronts", "shared_store_wavefronts" },
    cure = function(launch, solution)
      return launch.counters.bank_conflicts > solution.counters.bank_conflicts
        and "Avoid bank conflicts and repeated loads."
        or "Load and store less in shared memory; bank conflicts are not the cause."
    end },
  { name = "global_atomics", said = "atomics on global memory", at_most = 1.05, floor = per_block(2),
    lines = { "global_atomics" },
    of = function(launch) return launch.counters.global_atomics - (launch.reach.polls or 0) end,
    cure = function(_, solution)
      return solution.counters.global_atomics > 0 and "Combine values within the block first."
        or "No atomic is needed: load and store, and combine values within the block."
    end,
    without = "Combine values within the block, and store the result instead of adding it." },
  { name = "busiest_address", said = "atomics on the address that gets the most", at_most = 1.25, floor = per_block(2),
    of = reach "busiest_address", cure = "Combine values first, or spread them over addresses." },
  { name = "gathers", said = "texture gathers", at_most = 1, of = reach "gathers",
    cure = "Let the texture's filter compute the mean." },
  { name = "busiest_loads", said = "loads from global memory by the busiest warp", at_most = 2.6,
    floor = function() return 1 end, of = reach "busiest_loads", cure = "Let all warps share the loads." },
  { name = "busiest_words", said = "words of global memory loaded by the busiest warp", at_most = 5.5,
    of = reach "busiest_words", cure = "Let all warps share the loads." },
  { name = "barriers", said = "barriers", at_most = 3, asked = true, total = true,
    of = sum "barriers", lines = { "barriers" }, cure = "Wait only where threads exchange data." },
  { name = "conversions", said = "conversions between floats and integers", at_most = 2.5, of = reach "conversions",
    cure = "Compute in the type of the data." },
  { name = "fp64_instructions", said = "double-precision instructions", at_most = 1.05, of = sum "fp64_instructions",
    lines = { "fp64_instructions" },
    cure = "Compute in single precision: look for double, and for constants without an f." },
  { name = "lone_thread", said = "words that a thread loads with at most seven others of its warp", at_most = 1.25,
    floor = own_words, of = reach "lone_thread", vague = true,
    cure = "Let all threads of a warp take part, as in a tree." },
  { name = "staged", label = "shared stores", said = "wavefronts of stores to shared memory", at_least = 0.7,
    asked = true, of = sum("shared_store_wavefronts"), cure = function(launch)
      return launch.counters.shared_store_requests > 0 and "Store in shared memory all that the task puts there."
        or "Use shared memory, as the task asks."
    end },
  { name = "tile_words", said = "different words of shared memory that blocks store to", at_least = 0.9, asked = true,
    of = reach "tile_words", cure = "Store in shared memory all that the task puts there." },
  { name = "tile_neighbors", said = "of the words stored to shared memory are next to the previous lane's",
    asked = true, share = true,
    of = function(launch) return launch.reach.shared_neighbors / math.max(launch.reach.shared_stores, 1) end,
    cure = "Load neighboring elements, and store them in the tile transposed." },
  { name = "output_neighbors", said = "of the words stored to global memory are next to the previous lane's",
    asked = true, share = true,
    of = function(launch) return launch.reach.global_neighbors / math.max(launch.reach.global_stores, 1) end,
    cure = "Give each thread elements that are neighbors." },
  { name = "late_words", said = "words loaded from global memory after a store there", asked = true,
    of = reach "late_words", cure = "Load all elements of a thread before it stores the first one." },
  { name = "mbarriers", said = "mbarriers initialized per block", asked = true,
    of = function(launch) return launch.reach.mbarriers / launch.blocks end,
    cure = "Initialize the mbarrier of each tile once." },
  { name = "activemasks", said = "uses of __activemask() per warp", asked = true, of = reach_per_warp "activemasks",
    cure = "It returns the lanes that happen to be converged. Let all 32 lanes vote." },
  { name = "serial_loads", said = "loads from global memory that do not overlap with shared loads",
    at_most = 1, asked = true, of = reach "serial_loads",
    cure = "Between two barriers, load the next tile and use the current one." },
  { name = "copies_in_flight", said = "bytes of cp.async that a warp has in flight while it uses shared memory",
    at_least = 0.8, asked = true,
    of = function(launch) return launch.reach.copy_bytes / math.max(launch.reach.copy_uses, 1) end,
    cure = "Have the copies of later tiles in flight, and wait only for the group that you need." },
  { name = "working_lanes", said = "lanes per warp that access global memory", at_least = 0.85, asked = true,
    of = function(launch) return launch.reach.working_threads / math.max(launch.reach.working_warps, 1) end,
    cure = "Let every thread take part, in every block." },
  { name = "combining_warps", said = "of the warps that load words combine them with others",
    asked = true, share = true,
    of = function(launch)
      return launch.reach.combining_warps / math.max(launch.reach.working_warps, 1)
    end,
    cure = "Let every warp that loads words take part in the reduction." },
  { name = "last_lanes", said = "lanes that load or exchange values after the last barrier", asked = true,
    of = function(launch) return 32 - launch.reach.idle_at_end end, cure = "Let all lanes of the warp take part." },
  { name = "lanes_at_end", said = "lanes per load or exchange after the last barrier", asked = true,
    of = function(launch) return 32 - launch.reach.away_at_end end, cure = "Let all lanes take part in each step." },
  { name = "working_warps", said = "of the warps access global memory", asked = true, share = true,
    of = function(launch) return launch.reach.working_warps / launch.warps end, cure = "Give every warp work." },
  { name = "loads_per_thread", said = "loads from global memory per thread", asked = true, of = reach "busiest_loads",
    lines = { "global_load_requests" }, cure = "Load what a thread needs at once." },
  { name = "stores_per_thread", said = "stores to global memory per thread", asked = true, of = reach "busiest_stores",
    lines = { "global_store_requests" }, cure = "Store what a thread computes at once." },
  { name = "loaded_words", said = "words that threads load from global and shared memory", at_most = 2, asked = true,
    of = reach "loaded_words", cure = "Load a word once, keep it in a register, and load none that is not used." },
  { name = "thread_stored", label = "words per thread", said = "words that a thread stores to global memory",
    at_most = 1, asked = true, of = reach "thread_stored", cure = "Let every thread store its own part." },
  { name = "warp_words", label = "words per warp", said = "words that a warp loads from global and shared memory",
    at_most = 1.5, asked = true,
    of = reach "warp_words", cure = "Give every warp the same part." },
  { name = "block_words", label = "words per block", said = "words that a block loads from global memory",
    at_most = 1.25, asked = true,
    of = reach "block_words", cure = "Let every block load its own part once, and nothing else." },
  { name = "constant_words", said = "words that threads load from constant memory", at_least = 0.9, asked = true,
    of = reach "constant_words", cure = "Let every thread read them in constant memory." },
  { name = "shared_stored", label = "bytes stored", said = "bytes stored to shared memory", at_least = 1, asked = true,
    of = reach "shared_stored", cure = "Store each element of each array, in its type." },
  { name = "shared_stores", label = "stores of threads", said = "stores of threads to shared memory", at_most = 1,
    asked = true, of = reach "shared_stores", cure = "Store each element with one store, in its type." },
  { name = "products", label = "mma.sync", said = "mma.sync instructions",
    asked = true, total = true, of = reach "products",
    cure = "Multiply whole fragments." },
  { name = "divisions", said = "integer divisions and modulo operations", asked = true, of = reach "divisions",
    cure = "Compute the index without them." },
  { name = "votes", said = "votes per warp", asked = true, of = reach_per_warp "votes",
    cure = "Use a warp vote." },
  { name = "shuffles", said = "shuffles per warp", asked = true, of = reach_per_warp "shuffles",
    cure = "A tree over 32 lanes takes five steps.", without = "Exchange nothing between lanes this way." },
  { name = "popcounts", said = "population counts per word", asked = true,
    of = function(launch) return launch.reach.popcounts / math.max(launch.reach.loaded_words, 1) end,
    cure = "One instruction counts the bits of a word." },
  { name = "bit_operations", said = "bit operations per word", asked = true,
    of = function(launch) return launch.reach.bit_operations / math.max(launch.reach.loaded_words, 1) end,
    cure = "One instruction does all of it." },
  { name = "float_operations", said = "additions, multiplications and FMAs", asked = true, at_most = 1.75,
    of = reach "float_operations", cure = "Compute a value once; an FMA multiplies and adds in one instruction." },
  { name = "shared_updates", said = "atomic updates of shared memory per warp", asked = true,
    of = reach_per_warp "shared_updates", cure = "Combine the values of a warp or block in a tree." },
  { name = "shared_bytes", said = "bytes of shared memory per block", at_most = 1, asked = true,
    of = function(launch) return launch.shared_bytes end,
    cure = "Use less shared memory; arrays that the kernel declares count, too." },
}

local by_name <const> = {}
for _, q in ipairs(list) do by_name[q.name] = q end

for _, name in ipairs { "load_sectors", "store_bytes", "bank_conflicts", "wavefronts", "fp64_instructions" } do
  by_name[name].by_block = true
end

---The quantity of this name, or a counter as one.
function quantities.of(name)
  return by_name[name]
    or { name = name, said = (name:gsub("_", " ")), of = sum(name), lines = { name }, by_block = true }
end

---Is it in the list? Other names are counters'.
function quantities.known(name) return by_name[name] ~= nil end

quantities.list = list

return quantities

