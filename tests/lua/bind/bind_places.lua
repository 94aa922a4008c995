-- What happens inside a header of CUDA's is at the line that a person wrote: faults, issues of checkers, counters, steps.
-- Needs NVRTC.
local t = require "luaunit"

if not gpu.device.nvrtc or gpu.device.backend ~= "emu" then
  print("1..0 # SKIP NVRTC and the emulator are needed")
  os.exit(0)
end

TestPlaces = {}

local SURFACE <const> = [[
__device__ float get(cudaSurfaceObject_t s, int x)
{
	return surf2Dread<float>(s, x, 4000);
}
__global__ void k(cudaSurfaceObject_t s, float *o, int way)
{
	if (way == 1)
		o[0] = surf2Dread<float>(s, 4000, 4000);
	if (way == 2)
		o[0] = get(s, 4);
	if (way == 3)
		o[0] = tex2D<float>(s, 1, 1);
	o[threadIdx.x] = surf2Dread<float>(s, 4, 4);
}
]]

local function surface() return gpu.surface(gpu.buffer("float", 64, { fill = "iota" }), { width = 8, height = 8 }) end

-- Optimized, everything is inlined; for debuggers nothing is.
local BUILDS <const> = { {}, { "-G" } }

function TestPlaces.test_faults()
  for _, options in ipairs(BUILDS) do
    local k <const> = gpu.compile_text(SURFACE, { options = options }):kernel "k"
    for way, line in ipairs { 8, 3, 12 } do
      local fault <const> = k:launch({ grid = 1, block = 32 }, surface(), gpu.buffer("float", 32), way).fault
      t.assertEquals({ fault.file, fault.line }, { "<prompt>", line })
    end
  end
end

function TestPlaces.test_counters()
  for _, options in ipairs(BUILDS) do
    local k <const> = gpu.compile_text(SURFACE, { options = options }):kernel "k"
    local requests <const> = {}
    for _, line in ipairs(gpu.count(k, { grid = 1, block = 32 }, { surface(), gpu.buffer("float", 32), 0 }).lines) do
      t.assertEquals(line.file, "<prompt>")
      t.assertNotNil(line.text)
      requests[line.line] = line.counters.surface_requests
    end
    if not options[1] then t.assertEquals(requests[13], 1) end
  end
end

function TestPlaces.test_steps()
  for _, options in ipairs(BUILDS) do
    local k <const> = gpu.compile_text(SURFACE, { options = options }):kernel "k"
    local s <const> = gpu.step(k, { grid = 1, block = 32 }, { surface(), gpu.buffer("float", 32), 0 })
    local seen <const>, m = {}, s:go { way = "time", count = 0 }
    repeat
      if m.file ~= "" then seen[m.file .. ":" .. m.line] = true end
      for _, frame in ipairs(m.frames) do t.assertNil(frame.file:find("nv_nvrtc", 1, true)) end
      m = s:go { way = "line" }
    until m.halt ~= "done"
    t.assertTrue(seen["<prompt>:13"])
    for place in pairs(seen) do t.assertStrContains(place, "<prompt>:") end
  end
end

function TestPlaces.test_issues()
  for _, options in ipairs(BUILDS) do
    local k <const> = gpu.compile_text([[
#include <cuda/std/utility>
#include <cooperative_groups.h>
__global__ void k(int *out)
{
	__shared__ int s;
	out[threadIdx.x] = cuda::std::exchange(s, (int)threadIdx.x);
	cooperative_groups::this_thread_block().sync();
}
]], { options = options }):kernel "k"
    local report <const> = gpu.check(k, { grid = 1, block = 64 }, { gpu.buffer("int", 64) }, "race")
    t.assertTrue(#report.findings > 0)
    for _, issue in ipairs(report.findings) do
      for _, site in ipairs(issue.sites) do t.assertEquals({ site.file, site.line }, { "<prompt>", 6 }) end
    end
  end
end

-- A header of one's own is not CUDA's, wherever it is.
function TestPlaces.test_own_headers()
  local folder <const> = os.tmpname()
  os.remove(folder)
  local function put(name, text)
    os.execute(("mkdir -p '%s/cuda course/include'"):format(folder))
    local file <close> = assert(io.open(("%s/cuda course/%s"):format(folder, name), "w"))
    file:write(text)
  end
  put("include/helper.h", "__device__ void store(int *p) {\n\t*p = 1;\n}\n")
  put("k.cu", "#include \"include/helper.h\"\n__global__ void k(int *p) {\n\tstore(p + 5000);\n}\n")
  local k <const> = gpu.compile(folder .. "/cuda course/k.cu"):kernel "k"
  local fault <const> = k:launch({ grid = 1, block = 1 }, gpu.buffer("int", 4)).fault
  os.execute(("rm -r '%s'"):format(folder))
  t.assertStrContains(fault.file, "include/helper.h")
  t.assertEquals(fault.line, 2)
end

function TestPlaces.test_articles()
  local k <const> = gpu.compile_text [[
__global__ void k(int *p) { atomicAdd((int *)((char *)p + 1), 1); }
]]:kernel "k"
  t.assertStrContains(k:launch({ grid = 1, block = 1 }, gpu.buffer("int", 4, { fill = 0 })).message, "An atomic of 4 bytes at")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
