-- Indigo's CUDA kernels, as the artifact of HiRace (SC'24) has them, under the race checker. By hand:
--
--     gpulab --device emu tests/foreign/indigo.lua ARTIFACT [ORDERS] < LIST
--
-- ARTIFACT is a checkout of JohnJacobsonIII/HiRace-Artifact-SC24. LIST names the kernels' files, one per line:
--
--     find ARTIFACT/indigo/indigo_sources -name '*.cu' | sort
--
-- Each kernel runs on four graphs, with the grid and the data of the suite's main function. A kernel whose name has
-- atomicBug, guardBug, syncBug or raceBug is racy: on the first three graphs a race has to be found, and in no other kernel on
-- any graph. ORDERS: how many adversarial orders a launch without a race is checked in, too (4). "hirace" instead: the kernels
-- run as HiRace instrumented them, and its messages are what counts. Prints a line per kernel and graph that is not as it has
-- to be, the verdicts on the last graph, and a table. Exit code 3 if a line is not as it has to be.
local folder = (arg[1] or error("the folder of the artifact expected")) .. "/indigo"
local hirace = arg[2] == "hirace"
local orders = hirace or math.tointeger(tonumber(arg[2] or 4)) or error("ORDERS: a number expected")

local BLOCKS <const>, THREADS <const> = 1024, 256
-- The last graph is so small that not every bug leads to a race.
local GRAPHS <const> = { "DAG_100n_200e", "counterDAG_200n_1000e", "power_law_200n_1000e", "DAG_5n_5e" }

-- {nodes, edges, index, list}: the latter are bytes, as they lie in the file.
local function read_graph(name)
  local file = assert(io.open(("%s/input/%s.egr"):format(folder, name), "rb"))
  local text = file:read("a")
  file:close()
  local nodes, edges, start = string.unpack("<i4i4", text)
  return { nodes = nodes, edges = edges, index = text:sub(start, start + 4 * (nodes + 1) - 1),
    list = text:sub(start + 4 * (nodes + 1)) }
end

-- rand() of the GNU C library, not seeded: the additive generator r[i] = r[i-3] + r[i-31], whose first 310 values it drops.
local function random_numbers()
  local r, last = { [0] = 1 }, 343
  for i = 1, 30 do r[i] = 16807 * r[i - 1] % 2147483647 end
  for i = 31, 33 do r[i] = r[i - 31] end
  for i = 34, last do r[i] = (r[i - 3] + r[i - 31]) & 0xffffffff end
  return function()
    last = last + 1
    r[last] = (r[last - 3] + r[last - 31]) & 0xffffffff
    return r[last] >> 1
  end
end

-- The two data arrays: 0, then random numbers below the number of nodes, and below the number of edges.
local function data(graph)
  local random, size = random_numbers(), math.max(graph.nodes, graph.edges)
  local arrays = {}
  for number, limit in ipairs { graph.nodes, graph.edges } do
    arrays[number] = { 0 }
    for i = 2, size do arrays[number][i] = random() % limit end
  end
  return arrays
end

local function buffer(count, contents)
  local new = gpu.buffer("int", count)
  new:upload(contents)
  return new
end

local function launch() return { grid = BLOCKS, block = THREADS } end

-- Whether HiRace reports a race. The arrays lie in one buffer, 512 bytes apart and with room around them, as on a GPU: kernels
-- that read out of bounds go on.
local function hirace_reports(path, graph)
  local FIRST <const>, APART <const>, ELEMENTS <const> = 1 << 18, 128 * (graph.edges // 64 + 1), 1 << 20
  path = path:gsub("indigo_sources", "indigo_hirace_sources"):gsub("(/[%w_]+/)([%w_]+)%.cu$", function(name, file)
    local base = name:sub(2, -2)
    return ("%s%s_hirace%s.cu"):format(name, base, file:sub(#base + 1))
  end)
  local kernel = gpu.kernel(path, "test_kernel", { include = { folder .. "/../src/hirace" }, defines = { RACECHECK = 1 } })
  local all, arrays = gpu.buffer("int", ELEMENTS, { fill = 0 }), data(graph)
  local places = {}
  for i, contents in ipairs { graph.index, graph.list, arrays[1], arrays[2] } do
    all:upload(contents, FIRST + (i - 1) * APART)
    places[i] = all:at(FIRST + (i - 1) * APART)
  end
  local shadows = { gpu.buffer("unsigned long long", 1 << 20, { fill = 0 }),
    gpu.buffer("unsigned long long", 1 << 20, { fill = 0 }) }
  local outcome = kernel:launch(launch(), places[1], places[2], places[3], places[4], graph.nodes, shadows[1], shadows[2])
  for _, one in ipairs { all, shadows[1], shadows[2] } do one:free() end
  return outcome.output:find("Race @", 1, true) ~= nil
end

-- Whether the kernel has a race on the graph.
local function races(path, graph)
  if hirace then return hirace_reports(path, graph) end
  local kernel = gpu.kernel(path, "test_kernel", { include = { folder .. "/indigo_include" } })
  local arrays = data(graph)
  local args = { buffer(graph.nodes + 1, graph.index), buffer(graph.edges, graph.list),
    buffer(#arrays[1], arrays[1]), buffer(#arrays[2], arrays[2]), graph.nodes }
  -- memory: so that a launch goes on after a read out of bounds, which many of the kernels do on purpose
  local result = gpu.check(kernel, launch(), args, { "memory", "race" }, orders)
  for i = 1, 4 do args[i]:free() end
  for _, issue in ipairs(result.findings) do
    if issue.check == "race" then return true end
  end
  return false
end

local graphs = {}
for i, name in ipairs(GRAPHS) do graphs[i] = read_graph(name) end

local totals, unexpected = {}, 0
for i = 1, #GRAPHS do totals[i] = { racy = 0, found = 0, free = 0, clean = 0 } end

for path in io.lines() do
  local name = path:match("([^/]*)%.cu$")
  local racy = name:find("atomicBug") or name:find("guardBug") or name:find("syncBug") or name:find("raceBug")
  for i, graph in ipairs(graphs) do
    local found, total = races(path, graph), totals[i]
    if racy then
      total.racy, total.found = total.racy + 1, total.found + (found and 1 or 0)
    else
      total.free, total.clean = total.free + 1, total.clean + (found and 0 or 1)
    end
    if i == #graphs and racy then
      print(("%s\t%s\t%s"):format(name, GRAPHS[i], found and "race" or "none"))
    elseif found ~= (racy ~= nil) then
      unexpected = unexpected + 1
      print(("%s\t%s\t%s"):format(name, GRAPHS[i], found and "FALSE ALARM" or "MISSED"))
    end
  end
end

for i, total in ipairs(totals) do
  print(("%-22s races found in %d of %d racy kernels, none in %d of %d others"):format(GRAPHS[i], total.found, total.racy,
    total.clean, total.free))
end
if unexpected > 0 then os.exit(3, true) end
