-- Acceptance checks: budgets relative to the reference solution, floors where it needs nothing, what keeps a starter out; and the
-- cheats and mutants that the mutation test makes of a kernel.
local double = require "lab_double"
local lu = require "luaunit"

double.install {}
local acceptance = require "gpulab.run.acceptance"
local cheats = require "gpulab.run.cheats"

-- A launch of 4 blocks of 256 threads; changes by name of counter or reach.
local function launch(changes)
  local counters = { warp_instructions = 3200, thread_instructions = 3200 * 32, global_load_sectors = 128,
    global_store_sectors = 128, global_store_bytes = 4096 }
  local reach = { busiest_warp = 100, busiest_block = 800, working_warps = 32, busiest_address = 0,
    scattered_sectors = 0, scattered_in_block = 0, serial_loads = 0, lone_thread = 0, loaded_words = 0,
    busiest_loads = 0, busiest_words = 0, link_sectors = 0, conversions = 0, gathers = 0 }
  for name, value in pairs(changes or {}) do
    if reach[name] then reach[name] = value else counters[name] = value end
  end
  return { counters = setmetatable(counters, { __index = function() return 0 end }), reach = reach,
    busiest = setmetatable({}, { __index = function(_, name) return counters[name] / 4 end }),
    blocks = 4, warps = 32, shared_bytes = 0 }
end

-- The names of the budgets that are not met.
local function missed(accept, candidate, solution, tight)
  local names = {}
  for _, row in ipairs(acceptance.budgets(accept, { candidate }, { solution or launch() }, tight)) do
    if not row.ok then names[#names + 1] = row.name end
  end
  return table.concat(names, " ")
end

TestBudgets = {}

function TestBudgets.test_the_solution_meets_its_own()
  lu.assertEquals(missed({}, launch()), "")
end

function TestBudgets.test_each_family_misses_one()
  lu.assertEquals(missed({}, launch { thread_instructions = 3200 * 20 }), "active_lanes")
  lu.assertEquals(missed({}, launch { busiest_block = 4100 }), "idle_blocks")
  lu.assertEquals(missed({}, launch { busiest_warp = 700 }), "idle_warps")
  lu.assertEquals(missed({}, launch { global_load_sectors = 173 }), "load_sectors")
  lu.assertEquals(missed({}, launch { scattered_sectors = 16 }), "")
  lu.assertEquals(missed({}, launch { scattered_sectors = 17 }), "scattered_sectors")
  lu.assertEquals(missed({}, launch { bank_conflicts = 161 }), "bank_conflicts")
  lu.assertEquals(missed({}, launch { global_store_bytes = 5400 }), "store_bytes")
  lu.assertEquals(missed({}, launch { fp64_instructions = 1 }), "fp64_instructions")
end

function TestBudgets.test_floors_leave_room_where_the_solution_needs_nothing()
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 24 * 32 * 1.75, global_atomics = 8, shared_atomics = 33 }), "")
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 24 * 32 * 1.75 + 1 }), "wavefronts")
  lu.assertEquals(missed({}, launch { global_atomics = 9 }), "global_atomics")
  lu.assertEquals(missed({}, launch { shared_atomics = 34 }), "shared_atomics")
end

function TestBudgets.test_an_author_changes_them()
  local slow = launch { warp_instructions = 6400, thread_instructions = 6400 * 32 }
  lu.assertEquals(missed({}, slow), "")
  lu.assertEquals(missed({ warp_instructions = 1.5 }, slow), "warp_instructions")
  lu.assertEquals(missed({ idle_warps = false }, launch { busiest_warp = 700 }), "")
  lu.assertEquals(missed({ load_sectors = false }, launch { global_load_sectors = 9999 }), "")
  lu.assertEquals(missed({ barriers = 1.2 }, launch { barriers = 10 }, launch { barriers = 8 }), "barriers")
  lu.assertEquals(missed({ global_atomics = 1 }, launch { global_atomics = 5 }, launch { global_atomics = 4 }), "global_atomics")
end

function TestBudgets.test_warps_may_be_idle_if_the_others_do_no_more()
  local few = { warp_instructions = 800, thread_instructions = 800 * 32, busiest_warp = 100 } -- every fourth warp, four at a time
  lu.assertEquals(missed({}, launch(few)), "")
  few.busiest_warp, few.warp_instructions, few.thread_instructions = 180, 1440, 1440 * 32
  lu.assertEquals(missed({}, launch(few)), "idle_warps")
end

function TestBudgets.test_the_same_in_a_short_kernel_may_be_a_wider_access()
  local long, short = launch(), launch { warp_instructions = 384, thread_instructions = 384 * 32, busiest_warp = 12 }
  lu.assertEquals(missed({}, launch { busiest_warp = 140 }, long), "")
  lu.assertEquals(missed({}, launch { busiest_warp = 162 }, long), "idle_warps")
  local wide = launch { warp_instructions = 256, thread_instructions = 256 * 32, busiest_warp = 20 }
  lu.assertEquals(missed({}, wide, short), "")
end

function TestBudgets.test_a_warp_may_be_idle_if_no_other_makes_its_requests()
  local solution = launch { global_load_requests = 32, global_store_requests = 32 }
  local half = launch { global_load_requests = 32, global_store_requests = 32, working_warps = 16 }
  lu.assertEquals(missed({}, half, solution), "working_warps")
  lu.assertEquals(missed({ working_warps = 2 }, half, solution), "")
  local quarter = launch { global_load_requests = 8, global_store_requests = 8, working_warps = 8 } -- 16 bytes per lane
  lu.assertEquals(missed({}, quarter, solution), "")
  local more = launch { global_load_requests = 60, global_store_requests = 60, working_warps = 30 } -- others judge it
  lu.assertEquals(missed({}, more, solution), "")
end

function TestBudgets.test_a_block_by_itself()
  local old = launch()
  old.busiest.global_load_sectors = 32 * 1.3 * 1.75
  lu.assertEquals(missed({}, old), "")
  old.busiest.global_load_sectors = 32 * 3
  lu.assertEquals(missed({}, old), "load_sectors")
  lu.assertEquals(missed({ idle_blocks = 4 }, old), "")
  local row
  for _, r in ipairs(acceptance.budgets({}, { old }, { launch() })) do row = not r.ok and r or row end
  lu.assertStrContains(row.text, "in one block: 3.0× the sectors loaded from global memory of the reference solution")
  local uneven = launch() -- its first block has most to do: another may have it elsewhere
  uneven.busiest.warp_instructions = 2400
  lu.assertEquals(missed({}, old, uneven), "")
  local few, one = launch(), launch()
  few.blocks, one.blocks, one.busiest.global_load_sectors = 3, 3, 128
  lu.assertEquals(missed({}, one, few), "")
  old = launch()
  old.reach.scattered_in_block = 8
  lu.assertEquals(missed({}, old), "scattered_sectors")
end

function TestBudgets.test_budgets_that_a_lab_asks_for()
  local solution = launch { serial_loads = 4, shared_store_wavefronts = 64 }
  local serial, none = launch { serial_loads = 32, shared_store_wavefronts = 64 }, launch { serial_loads = 4 }
  lu.assertEquals(missed({}, serial, solution), "")
  lu.assertEquals(missed({ serial_loads = 2 }, serial, solution), "serial_loads")
  lu.assertEquals(missed({}, none, solution), "")
  lu.assertEquals(missed({ staged = 0.7 }, none, solution), "staged")
  lu.assertNil(acceptance.tighten({ serial }, { solution }))
end

-- A word of each warp, or as many as the average thread loads: at the edge of a matrix few have elements.
function TestBudgets.test_a_few_threads_of_a_warp()
  lu.assertEquals(missed({}, launch { lone_thread = 15 }), "")
  lu.assertEquals(missed({}, launch { lone_thread = 16 }), "lone_thread")
  lu.assertEquals(missed({}, launch { lone_thread = 20 }, launch { lone_thread = 16 }), "")
  lu.assertEquals(missed({}, launch { lone_thread = 100 }, launch { loaded_words = 100 * 1024 }), "")
end

function TestBudgets.test_the_loads_of_a_warp()
  local solution = launch { busiest_loads = 1, busiest_words = 32 }
  lu.assertEquals(missed({}, launch { busiest_loads = 2, busiest_words = 176 }, solution), "")
  lu.assertEquals(missed({}, launch { busiest_loads = 3 }, solution), "busiest_loads")
  lu.assertEquals(missed({}, launch { busiest_words = 192 }, solution), "busiest_words")
end

function TestBudgets.test_what_the_solution_does_without()
  lu.assertEquals(missed({}, launch { link_sectors = 1 }), "link_sectors")
  lu.assertEquals(missed({}, launch { conversions = 1 }), "conversions")
  lu.assertEquals(missed({}, launch { gathers = 1 }), "gathers")
  lu.assertEquals(missed({}, launch { barriers = 12 * 32 }), "")
  lu.assertEquals(missed({}, launch { barriers = 12 * 32 + 1 }), "barriers")
end

function TestBudgets.test_bank_conflicts_count_against_the_wavefronts_that_are_needed()
  local needs = launch { shared_load_wavefronts = 400, shared_store_wavefronts = 400 }
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 600, shared_store_wavefronts = 400, bank_conflicts = 200 }, needs), "")
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 601, shared_store_wavefronts = 400, bank_conflicts = 201 }, needs),
    "bank_conflicts")
end

function TestBudgets.test_each_launch_by_itself()
  local rows = acceptance.budgets({}, { launch(), launch { busiest_block = 9999 } }, { launch { busiest_block = 9999 }, launch() })
  local texts = {}
  for _, row in ipairs(rows) do
    if not row.ok then texts[#texts + 1] = row.text end
  end
  lu.assertEquals(texts, {
    "launch 2: 12.5× the instructions of the busiest block, in average blocks, of the reference solution (at most 1.75×)" })
end

function TestBudgets.test_a_starter_is_kept_out_by_what_sets_it_apart()
  local starter, solution = launch { global_load_requests = 128, barriers = 20 }, launch { global_load_requests = 32, barriers = 18 }
  local tight = acceptance.tighten({ starter }, { solution })
  lu.assertEquals({ tight.name, tight.at_most }, { "global_load_requests", 4 ^ 0.4 })
  lu.assertEquals(missed({}, starter, solution, tight), "global_load_requests")
  lu.assertEquals(missed({}, launch { global_load_requests = 52 }, solution, tight), "")
  lu.assertEquals(missed({}, launch { global_load_requests = 64 }, solution, tight), "global_load_requests") -- half way
  tight = acceptance.tighten({ launch { divergent_branches = 64 } }, { launch() })
  lu.assertEquals({ tight.name, tight.at_most * tight.floor }, { "divergent_branches", 16 ^ 0.6 * 4 })
  lu.assertNil(acceptance.tighten({ launch() }, { launch() }))
end

local SOLUTION <const> = [[
// Sums a row per thread. __syncthreads();
constexpr int ROW = 32;

__global__ void sums(float *out, const float *__restrict__ in, int)
{
	__shared__ float tile[ROW][ROW + 1];
	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[i * ROW + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < ROW; k++)
		sum += tile[threadIdx.x][k];
	out[threadIdx.x] = sum;
}
]]

TestCheats = {}

function TestCheats.test_a_kernel_is_taken_apart()
  local kernel = cheats.read(SOLUTION, "sums")
  lu.assertEquals(#kernel.params, 3)
  lu.assertEquals({ kernel.params[2].name, kernel.params[2].type }, { "in", "const float *" })
  lu.assertEquals(kernel.params[3].text, "int unused2")
  lu.assertFalse(kernel.alone)
  lu.assertStrContains(kernel.as_device, "__device__ void body(uint3 blockIdx, uint3 threadIdx, float *out")
  lu.assertNil(cheats.read(SOLUTION, "sum"))
end

function TestCheats.test_families()
  local names = {}
  for _, made in ipairs(cheats.all { kernel = "sums", solution = SOLUTION, solution_path = "solutions/03-x/x.cu", starter = SOLUTION,
    element = { params = "float *out, const float *in, int n", n = "TOTAL", of = "return LOAD(in, i);" },
    fills = { [2] = { fill = "random", seed = 3 } } }) do
    names[made.name] = made.text
  end
  for _, name in ipairs { "one-block", "every-block", "early-return", "include", "starter-token", "starter-diluted",
    "element-one-thread", "element-lane-per-warp", "element-atomics", "element-asm", "element-closed" } do
    lu.assertNotNil(names[name], name)
  end
  lu.assertNil(names["one-thread"]) -- of a kernel whose threads work together
  lu.assertStrContains(names["element-closed"], "bits(3ull, i)")
end

function TestCheats.test_mutants_differ_from_the_solution_in_one_place()
  local whats = {}
  for _, made in ipairs(cheats.mutants(SOLUTION)) do whats[#whats + 1] = made.what end
  table.sort(whats)
  lu.assertEquals(whats, { "barrier removed, line 9", "index off by one, line 8", "loop one more, line 11", "loop one more, line 7",
    "loop one short, line 11", "loop one short, line 7", "padding dropped, line 6", "sum replaced, line 12",
    "type narrowed, line 10" })
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
