-- Acceptance checks: budgets relative to the reference solution, floors where it needs nothing, what keeps a starter out; and the
-- cheats and mutants that the mutation test makes of a kernel.
local double = require "lab_double"
local lu = require "luaunit"

double.install {}
local acceptance = require "gpulab.run.acceptance"
local cheats = require "gpulab.run.cheats"
local stages = require "gpulab.run.stages"

-- A launch of 4 blocks of 256 threads; changes by name of counter or reach.
local function launch(changes)
  local counters = { warp_instructions = 3200, thread_instructions = 3200 * 32, global_load_sectors = 128,
    global_store_sectors = 128, global_load_bytes = 4096, global_store_bytes = 4096 }
  local reach = { busiest_warp = 100, working_warps = 32, working_threads = 1024, combining_warps = 32 }
  for _, name in ipairs { "busiest_address", "scattered_sectors", "scattered_in_block", "serial_loads", "lone_thread", "loaded_words",
    "busiest_loads", "busiest_words", "link_sectors", "conversions", "gathers", "waiting",
    "busiest_stores", "divisions", "votes", "shuffles", "popcounts", "idle_at_end",
    "away_at_end", "float_operations", "shared_updates", "copy_uses", "copy_bytes", "late_words",
    "tile_words", "shared_stores", "shared_neighbors", "global_stores", "global_neighbors", "mbarriers", "activemasks", "bit_operations",
    "warp_words", "block_words", "thread_stored", "constant_words", "shared_stored", "products" } do
    reach[name] = 0
  end
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

TestOrder = {}

-- What the exercise is about comes first, and what only keeps other ways out last.
function TestOrder.test_the_counter_that_the_starter_misses_comes_first()
  local rows = {}
  for i, name in ipairs { "output_neighbors", "lone_thread", "loaded_words", "shared_load_requests", "barriers" } do
    rows[i] = { name = name, ok = false, vague = name == "lone_thread" }
  end
  local accept = { output_neighbors = { at_most = 0.5 }, loaded_words = 1.25, shared_load_requests = 1.12 }
  local sorted = acceptance.in_order(rows, accept, { output_neighbors = true, shared_load_requests = true, loaded_words = true })
  local names = {}
  for i, row in ipairs(sorted) do names[i] = row.name end
  lu.assertEquals(names, { "shared_load_requests", "output_neighbors", "loaded_words", "barriers", "lone_thread" })
end

TestBudgets = {}

function TestBudgets.test_the_solution_meets_its_own()
  lu.assertEquals(missed({}, launch()), "")
end

function TestBudgets.test_each_family_misses_one()
  lu.assertEquals(missed({}, launch { busiest_warp = 700 }), "idle_warps")
  lu.assertEquals(missed({}, launch { global_load_sectors = 173 }), "load_sectors")
  lu.assertEquals(missed({}, launch { scattered_sectors = 16 }), "")
  lu.assertEquals(missed({}, launch { scattered_sectors = 17 }), "scattered_sectors")
  lu.assertEquals(missed({}, launch { bank_conflicts = 161 }), "bank_conflicts")
  lu.assertEquals(missed({}, launch { global_store_bytes = 5400 }), "store_bytes")
  lu.assertEquals(missed({}, launch { fp64_instructions = 1 }), "fp64_instructions")
end

function TestBudgets.test_floors_leave_room_where_the_solution_needs_nothing()
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 24 * 32 * 1.75, global_atomics = 8 }), "")
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 24 * 32 * 1.75 + 1 }), "wavefronts")
  lu.assertEquals(missed({}, launch { global_atomics = 9 }), "global_atomics")
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

function TestBudgets.test_a_block_by_itself()
  local old = launch()
  old.busiest.global_load_sectors = 32 * 1.3 * 1.75
  lu.assertEquals(missed({}, old), "")
  old.busiest.global_load_sectors = 32 * 3
  lu.assertEquals(missed({}, old), "load_sectors")
  lu.assertEquals(missed({ by_block = false }, old), "")
  local row
  for _, r in ipairs(acceptance.budgets({}, { old }, { launch() })) do row = not r.ok and r or row end
  lu.assertStrContains(row.text, "in one block: 3.0× as many sectors loaded from global memory as the reference solution")
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

-- The line whose sectors are scattered, not the one that has most of them; and the words of the task.
function TestBudgets.test_the_line_and_the_advice()
  local function line(number, sectors, bytes)
    return { file = "a.cu", line = number, counters = { global_store_sectors = sectors, global_store_bytes = bytes } }
  end
  local rows = acceptance.budgets({}, { launch { scattered_sectors = 100 } }, { launch() })
  local result = { accept = rows, report = { lines = { line(9, 512, 2048), line(18, 3584, 3584 * 32) } },
    solution_lines = { line(12, 3600, 3600 * 32) } }
  lu.assertEquals(stages.place(result).line, 9)
  local bounds = { atomics = { at_least = 1, advice = "Do it in one step." } }
  lu.assertEquals(acceptance.judge(bounds, { atomics = 0 })[1].cure, "Do it in one step.")
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
end

function TestBudgets.test_bank_conflicts_count_against_the_wavefronts_that_are_needed()
  local needs = launch { shared_load_wavefronts = 400, shared_store_wavefronts = 400 }
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 600, shared_store_wavefronts = 400, bank_conflicts = 200 }, needs), "")
  lu.assertEquals(missed({}, launch { shared_load_wavefronts = 601, shared_store_wavefronts = 400, bank_conflicts = 201 }, needs),
    "bank_conflicts")
end

-- The text of the first row that is not met.
local function said(accept, candidate, solution)
  local rows = acceptance.judge(accept, candidate.counters, { candidate })
  for _, row in ipairs(table.move(acceptance.budgets(accept, { candidate }, { solution or launch() }), 1, 99, #rows + 1, rows)) do
    if not row.ok then return row.text end
  end
end

-- What helps depends on where an excess comes from, and on whether the task asks for none.
function TestBudgets.test_cures()
  local function cure(name, accept, candidate)
    local rows = acceptance.judge(accept, {}, { candidate })
    table.move(acceptance.budgets(accept, { candidate }, { launch() }), 1, 99, #rows + 1, rows)
    for _, row in ipairs(rows) do
      if row.name == name and not row.ok then return row.cure end
    end
  end
  lu.assertStrContains(cure("load_sectors", {}, launch { global_load_sectors = 256 }), "Load each element once, and no others")
  local scattered = { global_load_sectors = 256, scattered_sectors = 100 }
  lu.assertEquals(cure("load_sectors", {}, launch(scattered)), "Let the threads of a warp load neighboring elements.")
  scattered.global_load_bytes = 2 * launch().counters.global_load_bytes
  lu.assertStrContains(cure("load_sectors", {}, launch(scattered)), "neighboring elements, and load each element once")
  local twice = { warp_instructions = 9999, thread_instructions = 9999 * 32 }
  lu.assertEquals(cure("warp_instructions", {}, launch(twice)), "Do each part of the work once.")
  lu.assertEquals(cure("warp_instructions", {}, launch { warp_instructions = 9999 }), "Give every lane of a warp work.")
  lu.assertStrContains(cure("warp_instructions", {}, launch { warp_instructions = 9999, local_load_requests = 1 }), "local memory")
  lu.assertStrContains(cure("shuffles", { shuffles = { at_most = 0 } }, launch { shuffles = 32 }), "Exchange nothing")
  lu.assertStrContains(cure("global_atomics", {}, launch { global_atomics = 99 }), "No atomic is needed")
  lu.assertStrContains(cure("link_sectors", {}, launch { link_sectors = 9 }), "Read nothing over the link")
  lu.assertStrContains(cure("shuffles", { shuffles = { at_most = 5 } }, launch { shuffles = 320 }), "five steps")
  lu.assertStrContains(cure("global_atomics", { global_atomics = { at_most = 0 } }, launch { global_atomics = 32 }), "store the result")
end

-- Of two lines with the same count the later one should not be there.
function TestBudgets.test_the_line_of_an_excess()
  local function line(number) return { file = "k.cu", line = number, counters = { global_load_sectors = 64 } } end
  local row = { name = "load_sectors", lines = { "global_load_sectors" }, budget = true, got = 2, want = { at_most = 1.35 }, text = "" }
  for _, lines in ipairs { { line(11), line(19) }, { line(19), line(11) } } do
    lu.assertEquals(stages.place({ accept = { row }, report = { lines = lines }, solution_lines = { line(9) } }).line, 19)
  end
end

function TestBudgets.test_the_next_step()
  local function next_step(result)
    result.exercise = { id = "x" }
    return (table.concat(stages.lines(result), " "):gsub("%s+", " "))
  end
  local of_project = next_step { stage = "compile", outcome = "compile", not_allowed = true }
  lu.assertStrContains(of_project, "compiles not tried: something in it is not allowed")
  lu.assertNotStrContains(of_project, "compiler error")
  local issue = { check = "init", space = "global", message = "", hint = "fill the buffer before the launch", sites = {} }
  lu.assertStrContains(next_step { stage = "checkers", issues = { issue } }, "nothing had stored this element")
  lu.assertStrContains(next_step { stage = "result", outcome = "wrong", cause = issue }, "nothing had stored this element")
end

-- What a task asks for in its own words: each has a bound of its own, at every size.
function TestBudgets.test_sentences_of_a_task_as_conditions()
  for _, case in ipairs {
    { "loads_per_thread", { at_most = 1 }, { busiest_loads = 1 }, { busiest_loads = 4 },
      "4 loads from global memory per thread (at most 1)" },
    { "stores_per_thread", { at_most = 1 }, { busiest_stores = 1 }, { busiest_stores = 2 },
      "2 stores to global memory per thread (at most 1)" },
    { "votes", { at_least = 1 }, { votes = 32 }, { votes = 0 }, "0 votes per warp (at least 1)" },
    { "shuffles", { at_most = 10 }, { shuffles = 320 }, { shuffles = 32 * 31 }, "31 shuffles per warp (at most 10)" },
    { "divisions", { at_most = 0 }, { divisions = 0 }, { divisions = 7 }, "7 integer divisions and modulo operations (at most 0)" },
    { "last_lanes", { at_least = 32 }, { idle_at_end = 0 }, { idle_at_end = 24 },
      "8 lanes that load or exchange values after the last barrier (at least 32)" },
    { "lanes_at_end", { at_least = 16 }, { away_at_end = 3 }, { away_at_end = 19 },
      "13 lanes per load or exchange after the last barrier (at least 16)" },
    { "working_warps", { at_least = 1 }, { working_warps = 32 }, { working_warps = 16 },
      "50 % of the warps access global memory (at least 100 %)" },
    { "shared_updates", { at_most = 1 }, { shared_updates = 32 }, { shared_updates = 1024 },
      "32 atomic updates of shared memory per warp (at most 1)" },
    { "combining_warps", { at_least = 0.5 }, { combining_warps = 16 }, { combining_warps = 4 },
      "12 % of the warps that load words combine them with others (at least 50 %)" },
    { "copies_in_flight", { at_least = 512 }, { copy_uses = 4096, copy_bytes = 4096 * 512 },
      { copy_uses = 4096, copy_bytes = 0 },
      "0 bytes of cp.async that a warp has in flight while it uses shared memory (at least 512)" },
    { "tile_neighbors", { at_most = 0.5 }, { shared_stores = 32, shared_neighbors = 16 }, { shared_stores = 32, shared_neighbors = 31 },
      "97 % of the words stored to shared memory are next to the previous lane's (at most 50 %)" },
    { "output_neighbors", { at_most = 0.5 }, { global_stores = 64 }, { global_stores = 64, global_neighbors = 62 },
      "97 % of the words stored to global memory are next to the previous lane's (at most 50 %)" },
    { "late_words", { at_most = 0 }, { late_words = 0 }, { late_words = 7 },
      "7 words loaded from global memory after a store there (at most 0)" },
    { "mbarriers", { at_most = 4 }, { mbarriers = 16 }, { mbarriers = 32 }, "8 mbarriers initialized per block (at most 4)" },
    { "activemasks", { at_most = 0 }, { activemasks = 0 }, { activemasks = 64 }, "2 uses of __activemask() per warp (at most 0)" },
    { "popcounts", { at_least = 1 }, { popcounts = 64, loaded_words = 64 }, { popcounts = 0, loaded_words = 64 },
      "0 population counts per word (at least 1)" },
  } do
    local name, bound, good, bad, text = table.unpack(case)
    lu.assertNil(said({ [name] = bound }, launch(good), launch(good)), name)
    lu.assertEquals(said({ [name] = bound }, launch(bad), launch(bad)), text)
    lu.assertEquals(#acceptance.judge({ [name] = bound }, {}, { launch(bad) }, true), 1)
  end
  lu.assertEquals(said({ tile_words = 1 }, launch { tile_words = 512 }, launch { tile_words = 1024 }),
    "0.50× as many different words of shared memory that blocks store to as the reference solution (at least 1.00×)")
  lu.assertEquals(#acceptance.judge({ barriers = { at_least = 4 } }, {}, { launch() }, true), 0)
  lu.assertEquals(said({ float_operations = 1.75 }, launch { float_operations = 8 }, launch { float_operations = 4 }),
    "2.0× as many additions, multiplications and FMAs as the reference solution (at most 1.75×)")
  local idle = launch { working_threads = 768 }
  lu.assertEquals(said({ working_lanes = 0.85 }, idle),
    "0.75× as many lanes per warp that access global memory as the reference solution (at least 0.85×)")
end

-- A bound that rounds to the number it is compared with has more digits.
function TestBudgets.test_a_number_and_its_bound_differ()
  local idle = said({ working_lanes = 0.77 }, launch { working_threads = 786 })
  lu.assertStrContains(idle, "0.768× as many lanes per warp")
  lu.assertStrContains(idle, "(at least 0.770×)")
  lu.assertStrContains(said({}, launch { warp_instructions = 9632, thread_instructions = 9632 * 32 }), "3.01× as many warp instructions")
end

-- Waiting at a cuda::barrier costs instructions of the toolkit's own.
function TestBudgets.test_a_barrier_of_the_library_costs_nothing()
  lu.assertEquals(missed({}, launch { warp_instructions = 9900, thread_instructions = 9900 * 32, waiting = 6000 }), "")
end

-- One count of conditions: those of another size take the place of the ones they repeat.
function TestBudgets.test_conditions_of_several_sizes_count_once()
  local first = acceptance.budgets({}, { launch() }, { launch() })
  local n = #first
  local again = acceptance.budgets({}, { launch { global_load_sectors = 999 } }, { launch() })
  local all = acceptance.joined(acceptance.joined(nil, first), again)
  local wrong = {}
  for _, row in ipairs(all) do wrong[#wrong + 1] = not row.ok and row.name or nil end
  lu.assertEquals({ #all, wrong }, { n, { "load_sectors" } })
end

function TestBudgets.test_each_launch_by_itself()
  local rows = acceptance.budgets({}, { launch(), launch { busiest_warp = 999 } }, { launch { busiest_warp = 999 }, launch() })
  local texts = {}
  for _, row in ipairs(rows) do
    if not row.ok then texts[#texts + 1] = row.text end
  end
  lu.assertEquals(texts, {
    "launch 2: 10.0× as many instructions of the busiest warp, in average warps, as the reference solution (at most 1.61×)" })
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
