-- Explanations: bank pictures, in words and in 80 columns.
local double = require "lab_double"
local lu = require "luaunit"
local text = require "gpulab.base.text"
local access = require "gpulab.show.access"
local why = require "gpulab.show.why"

local function worst(address_of, more)
  local w = { access = "load", space = "shared", width = 4, cost = 1, ideal = 1, lanes = {} }
  for lane = 0, 31 do w.lanes[lane] = address_of(lane) end
  for key, v in pairs(more or {}) do w[key] = v end
  return w
end

local function record(w, rules)
  local line = { file = "/somewhere/kernels/transpose.cu", line = 43,
    text = "\t\todata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];",
    counters = { shared_load_requests = 500000, shared_load_wavefronts = 16000000 }, worst = w }
  local conflict = w.cost > w.ideal
  return double.record { step = { id = "tile", title = "tile 32×32" }, outcome = "ok",
    worst = conflict and { line = line } or nil, report = { rules = rules or "H200", lines = { line } } }
end

local function explain(w, rules)
  double.install {}
  local lines = why.explain(record(w, rules))
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  return (table.concat(lines, " "):gsub("%s+", " "))
end

TestWhy = {}

function TestWhy.test_one_bank_for_all()
  local said = explain(worst(function(lane) return lane * 128 end, { cost = 32 }))
  lu.assertStrContains(said, "transpose.cu:43 odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];"
    .. " load of shared memory, 4 bytes per lane: 32 wavefronts for 1 request, lanes 0..31 all read bank 0, 32 different words"
    .. " lane 0 1 2")
  lu.assertStrContains(said, "stride 32 words: consecutive lanes differ by 0 banks (32 modulo 32)")
  lu.assertStrContains(said, "It uses 1 of 32 banks and takes 32 wavefronts, ideally 1.")
  lu.assertStrContains(said, "All loads of this line: 16 000 000 wavefronts for 500 000 requests.")
  lu.assertStrContains(said, "GTX 280: 2 × 16 · H200: 32")
end

function TestWhy.test_one_of_each_is_singular()
  local one = record(worst(function(lane) return lane * 4 end))
  one.report.lines[1].counters = { shared_load_requests = 1, shared_load_wavefronts = 1 }
  double.install {}
  local said = table.concat(why.explain(one), " "):gsub("%s+", " ")
  lu.assertStrContains(said, "All loads of this line: 1 wavefront for 1 request.")
end

function TestWhy.test_more_than_one_wavefront_may_be_the_minimum()
  local said = explain(worst(function(lane) return lane * 16 end, { width = 16, cost = 4, ideal = 4 }))
  lu.assertStrContains(said, "4 wavefronts for 1 request, the minimum for 128 words in 32 banks")
end

function TestWhy.test_picture_names_every_lane()
  local w = worst(function(lane) return lane * 12 end)
  double.install {}
  lu.assertEquals(access.picture(w, gpu.banks("H200", w.lanes, 4)), {
    "  lane   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15",
    "  word   0  3  6  9 12 15 18 21 24 27 30 33 36 39 42 45",
    "  bank   0  3  6  9 12 15 18 21 24 27 30  1  4  7 10 13",
    "",
    "  lane  16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
    "  word  48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93",
    "  bank  16 19 22 25 28 31  2  5  8 11 14 17 20 23 26 29",
  })
end

function TestWhy.test_no_conflict()
  local said = explain(worst(function(lane) return lane * 132 end))
  lu.assertStrContains(said, "1 wavefront for 1 request, each word is in a different bank")
  lu.assertNotStrContains(said, "stride")
end

function TestWhy.test_broadcast()
  local said = explain(worst(function() return 64 end))
  lu.assertStrContains(said, "all lanes access the same word, which is broadcast")
end

function TestWhy.test_half_warps_of_old()
  local said = explain(worst(function(lane) return lane * 128 end, { cost = 32, ideal = 2 }), "GTX 280")
  lu.assertStrContains(said, "32 wavefronts for 2 requests")
  lu.assertStrContains(said, "It uses 1 of 16 banks and takes 32 wavefronts, ideally 2.")
end

function TestWhy.test_lanes_that_sleep_and_large_addresses()
  local w = worst(function(lane) return lane % 3 == 0 and 200000 + lane * 128 or nil end, { cost = 11 })
  local said = explain(w)
  lu.assertStrContains(said, "·")
end

function TestWhy.test_global_memory()
  local w = worst(function(lane) return lane * 4096 end, { space = "global", cost = 32, ideal = 4 })
  local said = explain(w)
  lu.assertStrContains(said, "32 sectors of 32 bytes, ideally 4")
end

function TestWhy.test_the_unit_is_the_one_that_is_counted()
  local load = worst(function(lane) return lane * 256 end, { space = "global", cost = 32, ideal = 2 })
  lu.assertStrContains(explain(load, "GTX 280"), "32 transactions of 32 to 128 bytes, ideally 2")
  gpu.model = function() return { load_line = 128 } end
  lu.assertEquals({ access.unit(load, "GTX 480") }, { "line", " of 128 bytes" })
  lu.assertEquals({ access.unit({ access = "store" }, "GTX 480") }, { "sector", " of 32 bytes" })
end

function TestWhy.test_lanes_that_share_words()
  local said = explain(worst(function(lane) return lane // 16 * 4096 end, { space = "global", cost = 2, ideal = 4 }))
  lu.assertStrContains(said, "2 sectors of 32 bytes, lanes share words")
  lu.assertNotStrContains(said, "ideally")
end

-- A hint is longer than the screen is wide.
function TestWhy.test_issues_fit_the_screen()
  double.install {}
  local lines = why.explain(double.record { step = { id = "x", title = "x" }, outcome = "ok",
    shown = { text = ("race at a.cu:1: %s\n  %s"):format(("word "):rep(30), ("hint "):rep(30)) } })
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  lu.assertStrContains(table.concat(lines, "\n"), "\n    hint hint")
end

function TestWhy.test_a_wrong_result_is_said_first()
  local wrong = record(worst(function(lane) return lane * 4 end))
  wrong.verified, wrong.changed = false, true
  double.install {}
  lu.assertStrContains(table.concat(why.explain(wrong), "\n", 2, 3), "Its result is wrong, from your copy of the kernel")
  wrong.verified = true
  lu.assertNotStrContains(table.concat(why.explain(wrong), "\n"), "wrong")
end

function TestWhy.test_nothing_ran()
  double.install {}
  local lines = why.explain(double.record { step = { id = "x", title = "x" }, outcome = "compile", message = "no" })
  lu.assertStrContains(table.concat(lines, " "), "It does not compile, so nothing was counted.")
end

local function counters(more)
  local c = { warp_instructions = 1000, thread_instructions = 32000, global_load_sectors = 400, global_store_sectors = 400,
    global_load_bytes = 12800, global_store_bytes = 12800, shared_load_requests = 10, shared_load_wavefronts = 320,
    shared_store_requests = 10, shared_store_wavefronts = 10, atomics = 0, atomic_conflicts = 0, global_atomics = 0,
    shared_atomics = 0, branches = 0, divergent_branches = 0 }
  for key, v in pairs(more or {}) do c[key] = v end
  return c
end

-- What is said of a step with these limits (name, ms by turns), counters and lines.
local function limited(limits, c, lines, more, launch)
  double.install {}
  local list = {}
  for i = 1, #limits, 2 do list[#list + 1] = { name = limits[i], ms = limits[i + 1] } end
  local prediction = { known = true, ms = 0.05, bound = limits[1], warps_per_sm = 16, limits = list }
  for key, v in pairs(more or {}) do prediction[key] = v end
  local made = { step = { id = "x", title = "x" }, outcome = "ok", report = { rules = "H200", lines = lines or {},
    counters = counters(c), models = { H200 = prediction } } }
  for key, v in pairs(launch or {}) do made[key] = v end
  made.report.items = made.items
  local said = why.explain(double.record(made))
  for _, line in ipairs(said) do lu.assertTrue(text.width(line) <= 80, line) end
  return (table.concat(said, " "):gsub("%s+", " "))
end

TestLimiter = {}

function TestLimiter.test_the_longest_comes_first_and_short_ones_are_left_out()
  local said = limited { "shared wavefronts", 0.04, "DRAM bandwidth", 0.02, "latency", 0.001 }
  lu.assertStrContains(said, "Limiter on the H200: shared wavefronts. By itself it takes 40.0 µs; predicted: 50.0 µs.")
  lu.assertNotStrContains(said, "fused")
  said = limited({ "shared wavefronts", 0.04 }, { shared_load_wavefronts = 14155776 }) -- 54 µs, one per cycle and SM
  lu.assertStrContains(said, "is that of SASS, where neighboring loads are fused.")
  said = limited { "shared wavefronts", 0.04, "DRAM bandwidth", 0.02, "latency", 0.001 }
  lu.assertStrContains(said, "DRAM bandwidth 20.0 µs " .. require("gpulab.base.pictures").bar(0.5, 24) .. " ")
  lu.assertNotStrContains(said, "latency 0")
  lu.assertStrContains(said, "To change it: Pad or permute the array")
end

function TestLimiter.test_of_several_launches_the_longest_is_explained()
  local launches, items = {}, {}
  for i, kernel in ipairs { "scan", "add", "scan", "add", "one", "two", "three" } do
    launches[i] = { kernel = kernel }
    items[i] = { models = { H200 = ({ scan = 0.02, add = 0.003, one = 0.002, two = 0.001, three = 0.001 })[kernel] } }
  end
  local said = limited({ "latency", 0.015 }, nil, nil, nil, { launches = launches, items = items })
  lu.assertStrContains(said, "Predicted for the H200: 50.0 µs in 7 launches. 2 × scan 40.0 µs")
  lu.assertStrContains(said, "2 × add 6.0 µs")
  lu.assertStrContains(said, "and 1 more")
  lu.assertStrContains(said, "longest launch (scan): latency. By itself it takes 15.0 µs; predicted: 20.0 µs.")
  items[1].models.H200 = 0.01 -- of a sample, whose launches make another sum
  lu.assertStrContains(limited({ "latency", 0.015 }, nil, nil, nil, { launches = launches, items = items }),
    "Limiter on the H200: latency. By itself it takes 15.0 µs; predicted: 50.0 µs.")
end

function TestLimiter.test_advice_depends_on_the_counters()
  lu.assertStrContains(limited { "DRAM bandwidth", 0.04 }, "No byte moves in vain: threads access each of them. Move")
  local padded = { unit = function() return "GB/s" end, rate_of = function() return { number = 21760e-6 } end }
  lu.assertStrContains(limited({ "DRAM bandwidth", 0.04 }, nil, nil, { dram_bytes = 27200 }, padded),
    "these are 1.25× the bytes that the rate counts as useful. Do not move the others.")
  lu.assertStrContains(limited({ "DRAM bandwidth", 0.04 }, { global_load_sectors = 3600 }),
    "DRAM moves 5.0× the bytes that the launch uses.")
  local pieces = { dram_bytes = 217600, dram_piece = 64 } -- of a stride of 16: stores whole, loads in pairs of sectors
  lu.assertStrContains(limited({ "DRAM bandwidth", 0.04 }, { global_load_sectors = 3200 }, nil, pieces),
    "moves 8.5× the bytes that the launch uses. The sectors that it uses are 4.5×: DRAM reads 64 bytes for a sector of 32.")
  lu.assertStrContains(limited({ "L1 wavefronts", 0.04 }, { global_load_requests = 100, global_store_requests = 100 }),
    "already access few sectors")
  lu.assertStrContains(limited({ "issue slots", 0.04 }, { thread_instructions = 8000 }), "Only 8.0 of 32 lanes are active")
  lu.assertStrContains(limited { "issue slots", 0.04 }, "Execute fewer instructions")
  local old = { known = true, ms = 0.05, bound = "issue slots", warps_per_sm = 4, limits = { { name = "issue slots", ms = 0.04 } } }
  lu.assertStrContains(limited({}, nil, nil, nil,
    { report = { rules = "GTX 280", lines = {}, counters = counters(), models = { ["GTX 280"] = old } } }),
    "An SM holds 4 warps, fewer than the 6 that fill its issue slots here")
  lu.assertStrContains(limited({ "latency", 0.04, "issue slots", 0.02 }, { global_load_requests = 500 }),
    "an SM holds 16 warps. Issue loads earlier")
  lu.assertStrContains(limited({ "latency", 0.04 }, nil, nil, { stalls = { barrier = 5, selected = 9, wait = 1 } }),
    "Warps wait for others at barriers: an SM holds 16 warps. Use fewer barriers, or run more")
  lu.assertNotStrContains(limited({ "latency", 0.04 }, nil, nil, { warps_per_sm = 64 }), "more blocks")
  local few = limited({ "latency", 0.04, "issue slots", 0.032 }, { global_load_requests = 500 }, nil,
    { blocks_per_sm = 10, warps_per_sm = 20 },
    { grid = { 16, 16, 1 }, block = { 64, 1, 1 } })
  lu.assertStrContains(few, "the grid gives an SM 4 warps. Issue")
  lu.assertStrContains(few, "launch more blocks: a larger problem")
  local idle = limited({ "latency", 0.04, "issue slots", 0.032, "block launch overhead", 0.03 }, nil, nil,
    { blocks_per_sm = 8, warps_per_sm = 64 }, { grid = { 28, 1, 1 }, block = { 256, 1, 1 } })
  lu.assertStrContains(idle, "To change it: The grid has 28 blocks, so 104 of 132 SMs are idle. Launch more blocks. Each instr")
  lu.assertStrContains(idle, "the grid gives an SM 8 warps. Give each thread several independent operations. The kernel")
  lu.assertNotStrContains(limited({ "block launch overhead", 0.04 }, nil, nil, { blocks_per_sm = 8 },
    { grid = { 28, 1, 1 }, block = { 256, 1, 1 } }), "fewer blocks")
  lu.assertStrContains(limited({ "latency", 0.04 }, nil, nil, { blocks_per_sm = 10, warps_per_sm = 20 },
    { grid = { 1320, 1, 1 }, block = { 64, 1, 1 } }), "an SM holds 20 warps")
end

function TestLimiter.test_a_limit_that_is_close_is_named()
  local said = limited { "block launch overhead", 0.0388, "latency", 0.0362, "issue slots", 0.001 }
  lu.assertStrContains(said, "block launch overhead. By itself it takes 38.8 µs, and latency nearly as long; predicted: 50.0 µs.")
  lu.assertStrContains(said, "To change it: Use fewer blocks, and let each do more work. Against latency: Each instruction waits")
  lu.assertNotStrContains(limited { "block launch overhead", 0.04, "latency", 0.03 }, "nearly as long")
end

function TestLimiter.test_every_limit_has_advice()
  for _, name in ipairs { "DRAM bandwidth", "DRAM pages", "L2 bandwidth", "atomics in L2", "L1 wavefronts",
    "shared wavefronts", "constant cache", "barriers", "texture units", "issue slots", "register banks",
    "load and store units", "arithmetic units", "latency", "block launch overhead" } do
    lu.assertStrContains(limited { name, 0.04 }, "To change it: ")
  end
end

-- All lanes are active where they part: the line is shown because of its branches, which are not cut.
function TestLimiter.test_the_branch_that_diverges_is_shown()
  local line = function(n, threads, branches, code)
    return { file = "k.cu", line = n, text = code, counters = counters { warp_instructions = 100, thread_instructions = threads,
      branches = branches, divergent_branches = branches // 2 } }
  end
  local said = limited({ "issue slots", 0.04 }, { thread_instructions = 16000 }, { line(1, 3200, 4000,
    "if (threadIdx.x % (2 * stride) == 0 && threadIdx.x + stride < blockDim.x)"), line(2, 500, 0, "x += y;") })
  lu.assertStrContains(said, "2 000 of 4 000 branches divergent")
  lu.assertStrContains(said, "k.cu:2 x += y;")
end

function TestLimiter.test_latency_without_memory_is_that_of_the_arithmetic()
  local none = { shared_load_requests = 0, shared_store_requests = 0 }
  lu.assertStrContains(limited({ "latency", 0.04 }, none), "Each instruction waits for the one before: an SM holds 16 warps")
  lu.assertStrContains(limited({ "latency", 0.04 }, { shared_load_requests = 500 }), "Too few accesses are in flight")
  local stored = { shared_load_requests = 0, shared_store_requests = 0, global_load_requests = 0, global_store_requests = 100 }
  lu.assertStrContains(limited({ "latency", 0.04 }, stored, nil, { stalls = { short_scoreboard = 9 } }), "special registers")
  lu.assertStrContains(limited({ "latency", 0.04 }, stored, nil, { stalls = { drain = 9 } }), "in flight: an SM holds 16 warps. Give")
  lu.assertStrContains(limited({ "latency", 0.04, "atomics in L2", 0.036 }, { shared_load_requests = 500 }),
    "Warps wait for atomics. Updates of one word are serialized")
end

function TestLimiter.test_divergence_by_line_in_the_order_of_the_source()
  local function at(line, code, warps, threads, divergent)
    return { file = "/k/simt.cu", line = line, text = code, counters = counters { warp_instructions = warps,
      thread_instructions = threads, divergent_branches = divergent, branches = divergent } }
  end
  local said = limited({ "issue slots", 0.04 }, { thread_instructions = 16000 }, { at(30, "x = a;", 10, 320, 0),
    at(31, "if (odd) y = x * x;", 100, 1600, 50), at(32, "else y = -x;", 400, 6400, 0) })
  lu.assertStrContains(said, "Divergence: 16.0 of 32 lanes are active on average.")
  lu.assertStrContains(said, "16.0 of 32 lanes simt.cu:31 if (odd) y = x * x; 50 of 50 branches divergent 16.0 of 32 lanes simt.cu:32")
  lu.assertNotStrContains(said, "simt.cu:30")
  lu.assertNotStrContains(limited { "issue slots", 0.04 }, "Divergence")
end

-- A block of 33 threads: half of the lanes have no thread, and nothing diverges.
function TestLimiter.test_lanes_without_a_thread_are_no_divergence()
  local all = { thread_instructions = 16500 }
  local said = limited({ "issue slots", 0.04 }, all, { { file = "/k/a.cu", line = 3, text = "x = a;", counters = counters(all) } },
    nil, { grid = { 1, 1, 1 }, block = { 33, 1, 1 } })
  lu.assertStrContains(said, "Only 16.5 of 32 lanes have a thread. Launch blocks of a multiple of 32 threads.")
  lu.assertNotStrContains(said, "Divergence")
end

function TestLimiter.test_atomics()
  local said = limited({ "atomics in L2", 0.04 }, { atomics = 100, shared_atomics = 60, global_atomics = 40,
    atomic_conflicts = 900 }, nil, { most_updates = 512 })
  lu.assertStrContains(said, "Atomics: 40 warp instructions in global memory and 60 warp instructions in shared memory. "
    .. "900 lanes update a word that another lane of their warp updates, too. One word gets 512 updates, one after the other.")
  lu.assertNotStrContains(limited { "latency", 0.04 }, "Atomics")
end

TestStalls = {}

function TestStalls.test_reasons_by_share_and_line()
  double.install {}
  local stalls = require "gpulab.show.stalls"
  local prediction = { stalls = { selected = 1, mio_throttle = 6, barrier = 2, wait = 1, drain = 0 },
    stalled = { { line = 43, why = "mio_throttle", share = 0.55 }, { line = 40, why = "barrier", share = 0.02 } } }
  local lines = stalls.lines(prediction, { shared_load_requests = 1 })
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  local said = (table.concat(lines, " "):gsub("%s+", " "))
  lu.assertStrContains(said, "mio_throttle 60 % ")
  lu.assertStrContains(said, "the queue for shared memory barrier 20 %")
  lu.assertStrContains(said, "Most cycles: line 43 (55 %, mostly mio_throttle).")
  lu.assertNotStrContains(said, "drain")
  local function source(loads, stores)
    return { { file = "k.cu", line = 43, counters = { shared_store_wavefronts = stores } },
      { file = "k.cu", line = 47, counters = { shared_load_wavefronts = loads } } }
  end
  local function at_lines(...) return (table.concat(stalls.lines(prediction, nil, nil, source(...)), " "):gsub("%s+", " ")) end
  lu.assertStrContains(at_lines(32, 1), "Line 43 waits in the queue behind the accesses of line 47.")
  lu.assertNotStrContains(at_lines(1, 32), "behind")
  local function queue(counted) return table.concat(stalls.lines(prediction, counted), " ") end
  lu.assertStrContains(queue { shared_load_requests = 0, special_instructions = 5 }, "the queue for special functions")
  lu.assertStrContains(queue { shared_load_requests = 0, special_instructions = 0 }, "the queue for special registers")
  lu.assertEquals(stalls.on_line(prediction, 40), "2 % barrier")
  lu.assertNil(stalls.on_line(prediction, 41))
  lu.assertEquals(stalls.lines {}, {})
  lu.assertEquals(stalls.lines { stalls = { wait = 0 } }, {})
end

TestResources = {}

function TestResources.test_advice_is_what_the_grid_can_use()
  local resources = require "gpulab.show.resources"
  local function said(blocks, occupancy)
    local lines = resources.lines { { name = "k", registers = 82, static_shared = 0, dynamic_shared = 0,
      local_bytes = 0, grid = { blocks }, block = { 64 }, sms = 132, occupancy = occupancy } }
    return (table.concat(lines, " "):gsub("%s+", " "))
  end
  local few = { blocks_per_sm = 10, warps_per_sm = 20, fraction = 20 / 64, limited_by = "registers" }
  lu.assertStrContains(said(256, few), "The grid has 256 blocks, 19 % of the 1 320 that fit at once: an SM gets at most 2.")
  lu.assertNotStrContains(said(256, few), "__launch_bounds__")
  lu.assertStrContains(said(2640, few), "would allow more blocks. The grid has 2 640 blocks, 2.0× the 1 320 that fit")
  lu.assertStrContains(said(100, few), "32 SMs are idle")
  local side = { blocks_per_sm = 5, warps_per_sm = 60, fraction = 60 / 64, limited_by = "warps" }
  lu.assertStrContains(said(7056, side), "One more block of 12 warps would exceed the maximum of 64.")
  side.warps_per_sm, side.fraction = 64, 1
  lu.assertStrContains(said(7056, side), "This is the maximum number of warps per SM.")
end

TestParts = {}

function TestParts.test_ranges()
  lu.assertEquals(access.ranges { 0, 1, 2, 3, 8 }, "0..3, 8")
  lu.assertEquals(access.ranges { 0, 1, 5, 6 }, "0, 1, 5, 6")
  lu.assertEquals(access.ranges {}, "")
end

function TestParts.test_stride()
  lu.assertEquals(access.stride(worst(function(lane) return lane * 12 end)), 3)
  lu.assertEquals(access.stride(worst(function(lane) return 512 - lane * 4 end)), -1)
  lu.assertEquals(access.stride(worst(function() return 4 end)), 0)
  lu.assertNil(access.stride(worst(function(lane) return lane // 2 * 4 end)))
  lu.assertNil(access.stride(worst(function(lane) return lane ~= 3 and lane * 4 or nil end)))
  lu.assertNil(access.stride(worst(function(lane) return lane * 6 end)))
end

TestGauges = {}

function TestGauges.test_a_gauge_shows_on_which_side_of_its_bound_a_number_is()
  local pictures = require "gpulab.base.pictures"
  local full, empty, mark = "█", "·", "┃"
  if pictures.plain() then full, empty, mark = "#", ".", "|" end
  for _, case in ipairs {
    { 32, 1, 1, 9, 0 }, { 4, 1, 3, 7, 0 }, { 1.62, 1.56, 9, 1, 0 }, { 5, 0, 0, 10, 0 }, { 2, 4, 5, 0, 5 }, { 0, 1, 0, 0, 10 },
    { 0.99, 1, 9, 0, 1 }, { 1, 1, 10, 0, 0 },
  } do
    local got, bound, before, beyond, missing = table.unpack(case)
    local wanted = missing > 0 and full:rep(before) .. empty:rep(missing) .. mark or full:rep(before) .. mark .. full:rep(beyond)
    lu.assertEquals(pictures.gauge(got, bound, 10), wanted)
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
