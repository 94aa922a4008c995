-- The matrices of the labs about products: their product is what multiplying them gives, exactly.
local lu = require "luaunit"
local operands = require "gpulab.operands"

TestOperands = {}

local function multiplied(A, B, n)
  local C = gpu.array("float", n * n)
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      local sum = 0
      for k = 0, n - 1 do sum = sum + A[i * n + k] * B[k * n + j] end
      C[i * n + j] = sum
    end
  end
  return C
end

-- Smaller than a period of the rows, between, and larger; sizes in turn, so that what is kept is told apart.
function TestOperands.test_the_product_is_the_product()
  for _, n in ipairs { 5, 64, 100, 5, 130 } do
    local A, B, C = operands.a(n), operands.b(n), operands.product(n)
    lu.assertEquals({ #A, #B, #C }, { n * n, n * n, n * n })
    lu.assertNil(multiplied(A, B, n):mismatch(C), n)
  end
end

function TestOperands.test_entries_are_small_whole_numbers_and_not_all_alike()
  local A, seen = operands.a(100), {}
  for i = 0, #A - 1 do
    lu.assertEquals(A[i], math.floor(A[i]))
    lu.assertTrue(math.abs(A[i]) <= 8)
    seen[A[i]] = true
  end
  local values = 0
  for _ in pairs(seen) do values = values + 1 end
  lu.assertEquals(values, 17)
end

function TestOperands.test_loads_count_threads_whatever_a_request_is()
  local kernel = gpu.device:kernel("matmul.cu", "tiled<16>")
  local n, buffers = 64, {}
  for i, fill in ipairs { "sentinel", operands.a(64), operands.b(64) } do
    buffers[i] = gpu.device:buffer("float", n * n, { fill = fill })
  end
  local args = { buffers[1], buffers[2], buffers[3], n }
  for _, rules in ipairs { "GTX 280", "H200" } do
    local report = gpu.count(kernel, { grid = { 4, 4 }, block = { 16, 16 } }, args, { rules = rules })
    lu.assertEquals(operands.loads(report, n), 2, rules)
  end
  lu.assertNil(buffers[1]:download():mismatch(operands.product(n)))
end

os.exit(lu.LuaUnit.run("-o", "tap"))
