-- Lab 16 on the emulator: that counts and measured errors bear out what its texts say. (That steps verify and exercises
-- work `--verify-labs` sees to.)
local lu = require "luaunit"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local SMALL <const> = { n = 256 }

local function run(id) return steps.run(16, id, SMALL) end
local function counters(id) return run(id).report.counters end

TestTensorCores = {}

function TestTensorCores.test_ldmatrix_needs_a_sixth_of_the_loads_and_a_swizzle_its_wavefronts()
  local plain, ldmatrix, swizzled = counters "fragments", counters "ldmatrix", counters "swizzled"
  lu.assertEquals(ldmatrix.shared_load_requests * 16, plain.shared_load_requests * 3)
  lu.assertEquals(ldmatrix.shared_load_wavefronts * 3, ldmatrix.shared_load_requests * (4 * 4 + 2 * 8) * 2)
  lu.assertEquals(swizzled.shared_load_wavefronts, 4 * swizzled.shared_load_requests)
  lu.assertEquals(swizzled.bank_conflicts, 0)
end

function TestTensorCores.test_asynchronous_stages_need_one_barrier_per_iteration()
  lu.assertEquals(2 * counters("multistage").barriers, counters("swizzled").barriers)
end

-- No thread loads: the TMA copies each tile once, 2 bytes per element of 128 rows and 256 columns.
function TestTensorCores.test_wgmma_reads_shared_memory_itself()
  for _, id in ipairs { "wgmma", "stages", "persistent" } do
    local c = counters(id)
    lu.assertEquals(c.shared_load_requests + c.shared_store_requests + c.global_load_sectors, 0)
    lu.assertEquals(c.bulk_load_sectors, 2 * (128 + 256) * 256 * 2 // 32)
  end
end

function TestTensorCores.test_the_error_of_each_type()
  local error = {}
  for _, id in ipairs { "float", "tf32", "bf16", "fp16", "fp8", "int8" } do error[id] = run(id).relative_error end
  lu.assertTrue(error.float < 1e-6)
  lu.assertAlmostEquals(error.tf32 / error.fp16, 1, 0.01) -- 11 bits each
  lu.assertAlmostEquals(error.bf16 / error.fp16, 8, 0.2) -- 3 bits less
  lu.assertTrue(error.bf16 < error.int8 and error.int8 < error.fp8)
  lu.assertTrue(error.fp8 > 0.02 and error.fp8 < 0.05)
end

function TestTensorCores.test_sums_of_fp8()
  local exact, short, promoted = run("warp-sums").relative_error, run("warpgroup-sums").relative_error,
    run("promoted").relative_error
  lu.assertEquals(exact, 0)
  lu.assertTrue(promoted > 0 and short > 1.5 * promoted)
end

-- The programming guide: "mptr must be a 256-bit aligned pointer", for load_matrix_sync and store_matrix_sync.
function TestTensorCores.test_wmma_reads_and_writes_aligned_shared_memory()
  for _, file in ipairs { "tensor_cores.cu", "exercises/16-fp32-sums/fp32_sums.cu", "exercises/16-any-size/any_size.cu",
    "solutions/16-any-size/any_size.cu" } do
    local arrays = 0
    for bytes in gpu.compile(file).ptx:gmatch("%.shared %.align (%d+)") do
      arrays = arrays + 1
      lu.assertTrue(tonumber(bytes) >= 32, file)
    end
    lu.assertTrue(arrays > 0, file)
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
