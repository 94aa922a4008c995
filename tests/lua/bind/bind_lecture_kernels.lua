-- The kernels of the lectures' steps compute what they should, on the emulator and by the GTX 280's rules.
local t = require "luaunit"
local verify = require "gpulab.author.verify"

local device = gpu.open "emu:GTX 280"

TestKernels = {}

-- Small integers, so that sums of products are exact in a float whatever their order.
local function small(count, seed)
  local a = gpu.array("float", count)
  for i = 0, count - 1 do a[i] = (i * 7 + i // 64 * seed) % 5 - 2 end
  return a
end

local function product(A, B, n)
  local C = gpu.array("float", n * n)
  local a, b = {}, {}
  for i = 0, n * n - 1 do a[i], b[i] = A[i], B[i] end
  for y = 0, n - 1 do
    for x = 0, n - 1 do
      local sum = 0
      for k = 0, n - 1 do sum = sum + a[y * n + k] * b[k * n + x] end
      C[y * n + x] = sum
    end
  end
  return C
end

function TestKernels.test_matrix_products()
  local n = 128
  local host_a, host_b = small(n * n, 3), small(n * n, 11)
  local want = product(host_a, host_b, n)
  local A, B, C = device:buffer("float", n * n), device:buffer("float", n * n), device:buffer("float", n * n)
  A:upload(host_a)
  B:upload(host_b)
  for _, step in ipairs {
    { "matmul.cu", "naive", { 1, 128 }, 1, 128 }, { "matmul.cu", "naive", { 128, 1 }, 128, 1 },
    { "matmul.cu", "tiled<16>", { 16, 16 }, 16, 16 }, { "matmul.cu", "two_per_thread", { 32, 16 }, 32, 32 },
    { "matmul.cu", "transposed_b", { 32, 16 }, 32, 32 }, { "matmul.cu", "one_operand", { 64, 1 }, 64, 16 },
    { "matmul_csu.cu", "reg_shared", { 64, 1 }, 64, 16 }, { "matmul_csu.cu", "unrolled", { 64, 1 }, 64, 16 },
    { "matmul_csu.cu", "wide", { 16, 4 }, 64, 32 },
  } do
    local file, name, block, columns, rows = table.unpack(step)
    C:fill("sentinel")
    device:kernel(file, name) { grid = { n // columns, n // rows }, block = block }(C, A, B, n)
    t.assertNil(C:download():mismatch(want), name)
  end
end

function TestKernels.test_transpositions()
  for _, n in ipairs { 96, 128 } do
    local data = gpu.array("float", n * n, "iota")
    local turned = data:transpose(n, n)
    local from, to = device:buffer("float", n * n), device:buffer("float", n * n)
    from:upload(data)
    for _, step in ipairs {
      { "copy", data, { 256, 1 } }, { "strided", data, { 256, 1 } }, { "naive", turned, { 256, 1 } },
      { "naive", turned, { 16, 16 } }, { "copy_tile", data }, { "transpose_tile<32>", turned },
      { "transpose_tile<33>", turned }, { "transpose_diagonal<33>", turned },
    } do
      local name, want, block = table.unpack(step)
      local grid = block and { (n + block[1] - 1) // block[1], (n + block[2] - 1) // block[2] } or { n // 32, n // 32 }
      to:fill("sentinel")
      device:kernel("transpose.cu", name) { grid = grid, block = block or { 32, 8 } }(to, from, n)
      t.assertNil(to:download():mismatch(want), name)
    end
  end
end

function TestKernels.test_reductions()
  local n <const> = 4096
  for _, threads in ipairs { 64, 128, 256 } do
    local data = gpu.array("int", n, "random", threads)
    for i = 0, n - 1 do data[i] = data[i] % 1000 end
    local v = device:buffer("int", n)
    v:upload(data)
    local steps = { { "reduce_modulo", 1 }, { "reduce_strided", 1 }, { "reduce_sequential", 1 }, { "reduce_add_on_load", 2 } }
    for _, how in ipairs { "LOCKSTEP", "SYNCED", "SHUFFLED" } do
      steps[#steps + 1] = { ("reduce_last_warp<%s>"):format(how), 2 }
      steps[#steps + 1] = { ("reduce_unrolled<%d, %s>"):format(threads, how), 2 }
      steps[#steps + 1] = { ("reduce_grid_stride<%d, %s>"):format(threads, how), 2, 4 }
    end
    for _, step in ipairs(steps) do
      local name, each, grid = table.unpack(step)
      local blocks = grid or n // (each * threads)
      local sums = device:buffer("int", blocks)
      local launch = device:kernel("reduction.cu", name) { grid = blocks, block = threads, shared = 4 * threads }
      if grid then launch(sums, v, n) else launch(sums, v) end
      t.assertEquals(sums:download():sum(), data:sum(), name)
    end
  end
end

TestVerify = {}

local claim <const> = { id = "F22.transpose.naive", value = 100, unit = "GB/s" }

function TestVerify.test_a_prediction_outside_its_tolerance_is_missed()
  local check = { bytes = 1e9, within = 10 }
  local result = verify.judge(check, claim, 10, "issue slots")
  t.assertAlmostEquals(result.predicted, 100, 1e-9)
  t.assertFalse(result.failed)
  t.assertFalse(verify.judge(check, claim, 10 / 1.09, "").failed)
  t.assertTrue(verify.judge(check, claim, 10 / 1.11, "").failed)
  t.assertTrue(verify.judge(check, claim, 10 / 0.89, "").failed)
  t.assertTrue(verify.judge(check, claim, 0 / 0, "").failed)
end

function TestVerify.test_steps_in_the_wrong_order_are_named()
  local function result(id, predicted) return { claim = { id = id }, predicted = predicted } end
  local naive, tile = result("F22.transpose.naive", 5), result("F22.transpose.tile32", 75)
  t.assertEquals(verify.disorder { naive, tile }, {})
  naive.predicted = 80
  local wrong = verify.disorder { naive, tile, result("F22.transpose.tile33", 90) }
  t.assertEquals(#wrong, 1)
  t.assertStrContains(wrong[1], "the prediction for F22.transpose.naive is not below that for F22.transpose.tile32")
end

function TestVerify.test_an_unknown_model_is_refused()
  local ok, e = pcall(verify.run, { models = { "GTX 480" } })
  t.assertFalse(ok)
  t.assertEquals(e.kind, "usage")
  t.assertStrContains(tostring(e), "GTX 280")
end

function TestVerify.test_a_missed_tolerance_ends_the_program_as_a_gate()
  local all = table.move(verify.checks, 1, #verify.checks, 1, {})
  local quick
  for i = #verify.checks, 1, -1 do
    if all[i].claim == "O24.reduce7.many_per_thread" then quick = all[i] end
    verify.checks[i] = nil
  end
  local within = quick.within
  verify.checks[1], quick.within = quick, 0
  local ok, e = pcall(verify.run, {})
  quick.within = within
  table.move(all, 1, #all, 1, verify.checks)
  t.assertFalse(ok)
  t.assertEquals(e.kind, "gate")
  t.assertStrContains(e.message, "2 of 2 predictions") -- in GB/s and in elements
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
