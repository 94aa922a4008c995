-- Kernels of public repositories, as they are, against references written here. By hand:
--
--     gpulab --device emu tests/foreign/kernels.lua FOLDER
--
-- FOLDER holds checkouts named as on GitHub, owner+name. Prints one line per kernel; exit code 3 if a result is wrong.
-- docs/records/foreign.md has a recorded run and the commits.
local folder = arg[1] or error("the folder with the checkouts expected")

local right, wrong = 0, 0

local function close(got, want, relative)
  local error = math.abs(got - want)
  return error <= relative * math.abs(want) or error <= relative
end

-- The first element that differs, as text.
local function difference(buffer, want, relative)
  local got = buffer:download()
  for i = 0, #got - 1 do
    if not close(got[i], want(i), relative) then return ("[%d] is %.9g, expected %.9g"):format(i, got[i], want(i)) end
  end
end

local function verdict(source, name, problem)
  print(("%-6s %-22s %-56s %s"):format(problem and "WRONG" or "right", source.repository:match("%+(.*)"), name,
    problem or ""))
  if problem then wrong = wrong + 1 else right = right + 1 end
end

-- One kernel of a file; test(k) launches it and returns the output and a function of the index for what it must hold.
local function try(source, name, test)
  local ok, problem = pcall(function()
    local path = ("%s/%s/%s"):format(folder, source.repository, source.file)
    local k = gpu.kernel(path, name, { include = source.include, defines = source.defines })
    local output, want = test(k)
    return difference(output, want, output.type == "bfloat16" and 1e-2 or 1e-4)
  end)
  verdict(source, name, problem and tostring(problem) or not ok and "failed" or nil)
end

-- A kernel that is wrong as it is published: the race checker has to name the lines.
local function try_racy(source, name, lines, launch)
  local ok, problem = pcall(function()
    local path = ("%s/%s/%s"):format(folder, source.repository, source.file)
    local issues = launch(gpu.kernel(path, name, { include = source.include, defines = source.defines })).findings
    for _, issue in ipairs(issues) do
      local a, b = issue.sites[1].line, issue.sites[2] and issue.sites[2].line
      if issue.check == "race" and (a == lines[1] and b == lines[2] or a == lines[2] and b == lines[1]) then return nil end
    end
    return ("%d issues, but no race of lines %d and %d"):format(#issues, lines[1], lines[2])
  end)
  verdict(source, name .. " (racy as published)", problem and tostring(problem) or not ok and "failed" or nil)
end

local function random(count) return gpu.buffer("float", count, { fill = "random", seed = count }) end
local function filled(count, value) return gpu.buffer("float", count, { fill = value }) end

local function total(count, f)
  local sum = 0
  for j = 0, count - 1 do sum = sum + f(j) end
  return sum
end

-- cuda-samples -------------------------------------------------------------------------------------------------------

local function sample(file)
  return { repository = "NVIDIA+cuda-samples", file = "Samples/" .. file,
    include = { folder .. "/NVIDIA+cuda-samples/Common" } }
end

try(sample "0_Introduction/vectorAdd/vectorAdd.cu", "vectorAdd", function(k)
  local a, b, c = random(1000), filled(1000, 1), gpu.buffer("float", 1000)
  k { grid = 4, block = 256 } (a, b, c, 1000)
  local x = a:download()
  return c, function(i) return x[i] + 1 end
end)

local transposes <const> = { "copy", "copySharedMem", "transposeNaive", "transposeCoalesced",
  "transposeNoBankConflicts", "transposeDiagonal" }
for _, name in ipairs(transposes) do
  try(sample "6_Performance/transpose/transpose.cu", name, function(k)
    local n = 128
    local a, b = random(n * n), gpu.buffer("float", n * n)
    k { grid = { n // 32, n // 32 }, block = { 32, 16 } } (b, a, n, n)
    local x = a:download()
    return b, function(i) return name:match("^copy") and x[i] or x[i % n * n + i // n] end
  end)
end

for number = 0, 6 do
  local name = ("reduce%d<int%s>"):format(number, number < 4 and "" or number < 6 and ", 128" or ", 128, true")
  try(sample "2_Concepts_and_Techniques/reduction/reduction_kernel.cu", name, function(k)
    local n, each = 4096, number >= 3 and 256 or 128
    local a, sums = gpu.buffer("int", n, { fill = "iota" }), gpu.buffer("int", n // each, { fill = 0 })
    k { grid = n // each, block = 128, shared = 4 * 256 } (a, sums, n)
    return filled(1, sums:download():sum()), function() return n * (n - 1) / 2 end
  end)
end

for _, size in ipairs { 16, 32 } do
  try(sample "0_Introduction/matrixMul/matrixMul.cu", ("MatrixMulCUDA<%d>"):format(size), function(k)
    local n = 64
    local a, b, c = random(n * n), filled(n * n, 0.5), gpu.buffer("float", n * n)
    k { grid = { n // size, n // size }, block = { size, size } } (c, a, b, n, n)
    local x = a:download()
    return c, function(i) return total(n, function(j) return 0.5 * x[i // n * n + j] end) end
  end)
end

-- SGEMM_CUDA: C = 0.5 A B + 3 C --------------------------------------------------------------------------------------

local ladder <const> = {
  { "sgemm_naive", { 4, 4 }, { 32, 32 } }, { "sgemm_global_mem_coalesce<32>", { 4, 4 }, 1024 },
  { "sgemm_shared_mem_block<32>", { 4, 4 }, 1024 }, { "sgemm1DBlocktiling<64, 64, 8, 8>", { 2, 2 }, 512 },
  { "sgemm2DBlocktiling<128, 128, 8, 8, 8>", 1, 256 }, { "sgemmVectorize<128, 128, 8, 8, 8>", 1, 256 },
  { "sgemmResolveBankConflicts<128, 128, 8, 8, 8>", 1, 256 },
  { "sgemmResolveBankExtraCol<128, 128, 8, 8, 8>", 1, 256 }, { "sgemmAutotuned<128, 128, 16, 8, 8>", 1, 256 },
  { "sgemmWarptiling<128, 128, 16, 64, 64, 4, 8, 4, 128>", 1, 128 },
}
for _, rung in ipairs(ladder) do
  try({ repository = "siboehm+SGEMM_CUDA", file = "src/runner.cu" }, rung[1], function(k)
    local n = 128
    local a, b, c = random(n * n), filled(n * n, 2), filled(n * n, 3)
    k { grid = rung[2], block = rung[3] } (n, n, n, 0.5, a, b, 3, c)
    local x, rows = a:download(), {}
    for i = 0, n - 1 do rows[i] = total(n, function(j) return x[i * n + j] end) end
    return c, function(i) return rows[i // n] + 9 end
  end)
end

-- llm.c --------------------------------------------------------------------------------------------------------------

local function llm(name)
  return { repository = "karpathy+llm.c", file = ("dev/cuda/%s.cu"):format(name) }
end

local function tanh(x)
  local e = math.exp(2 * x)
  return (e - 1) / (e + 1)
end

local function gelu(x) return 0.5 * x * (1 + tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ^ 3))) end

for number = 1, 2 do
  local launch = { grid = number == 1 and 4 or 1, block = 256 } -- the second packs eight elements per thread
  try(llm "gelu_forward", ("gelu_forward_kernel%d"):format(number), function(k)
    local a, b = gpu.buffer("bfloat16", 1024, { fill = "random" }), gpu.buffer("bfloat16", 1024)
    k(launch)(b, a, 1024)
    local x = a:download()
    return b, function(i) return gelu(x[i]) end
  end)
  try(llm "residual_forward", ("residual_forward_kernel%d"):format(number), function(k)
    local a, b = gpu.buffer("bfloat16", 1024, { fill = "random" }), gpu.buffer("bfloat16", 1024, { fill = 2 })
    local c = gpu.buffer("bfloat16", 1024)
    k(launch)(c, a, b, 1024)
    local x = a:download()
    return c, function(i) return x[i] + 2 end
  end)
end

local ROWS <const>, COLUMNS <const> = 8, 256
local softmax <const> = { { "kernel1", 1, 32 }, { "kernel2", ROWS, 64, 256 }, { "kernel3", ROWS, 32, 128 },
  { "online_kernel1", 1, 32 }, { "online_kernel2", 4, 64 }, { "kernel7", ROWS, 64, 16 },
  { "online_kernel8", 4, 64 } }
for _, one in ipairs(softmax) do
  try(llm "softmax_forward", "softmax_forward_" .. one[1], function(k)
    local a, b = random(ROWS * COLUMNS), gpu.buffer("float", ROWS * COLUMNS)
    k { grid = one[2], block = one[3], shared = one[4] } (b, a, ROWS, COLUMNS)
    local x, sums = a:download(), {}
    for row = 0, ROWS - 1 do sums[row] = total(COLUMNS, function(j) return math.exp(x[row * COLUMNS + j]) end) end
    return b, function(i) return math.exp(x[i]) / sums[i // COLUMNS] end
  end)
end

-- Warp 0 stores its sum where other warps still read the maximum.
try_racy(llm "softmax_forward", "softmax_forward_kernel4", { 268, 288 }, function(k)
  local a, b = random(ROWS * COLUMNS), gpu.buffer("float", ROWS * COLUMNS)
  return gpu.check(k, { grid = ROWS, block = 64, shared = 8 }, { b, a, ROWS, COLUMNS }, { "race" })
end)

for _, one in ipairs { { 1, 1, 32 }, { 3, 4, 64 }, { 4, 4, 64 }, { 5, ROWS, 64 }, { 6, 4, { 32, 2 }, 16 * COLUMNS } } do
  try(llm "layernorm_forward", ("layernorm_forward_kernel%d"):format(one[1]), function(k)
    local a, b = random(ROWS * COLUMNS), gpu.buffer("float", ROWS * COLUMNS)
    local m, r = gpu.buffer("float", ROWS), gpu.buffer("float", ROWS)
    k { grid = one[2], block = one[3], shared = one[4] } (b, m, r, a, filled(COLUMNS, 2), filled(COLUMNS, 1), ROWS,
      COLUMNS)
    local x, mean, scale = a:download(), {}, {}
    for row = 0, ROWS - 1 do
      mean[row] = total(COLUMNS, function(j) return x[row * COLUMNS + j] end) / COLUMNS
      local squares = total(COLUMNS, function(j) return (x[row * COLUMNS + j] - mean[row]) ^ 2 end)
      scale[row] = 1 / math.sqrt(squares / COLUMNS + 1e-5)
    end
    return b, function(i) return (x[i] - mean[i // COLUMNS]) * scale[i // COLUMNS] * 2 + 1 end
  end)
end

-- PolyBench ----------------------------------------------------------------------------------------------------------

local function poly(name)
  return { repository = "sgrauerg+polybenchGpu", file = ("CUDA/%s.cu"):format(name),
    include = { folder .. "/sgrauerg+polybenchGpu/common" } }
end

-- A corner of S rows and columns of matrices whose rows have `wide` elements, as the files fix them.
local S <const> = 64
local square <const>, line <const> = { grid = { S // 32, S // 8 }, block = { 32, 8 } }, { grid = 1, block = S }

-- A product of matrices: arguments(a, b, c) of a random a, b = 2 and c = 3; want(row, i, j) for element (i, j), where row(i) is
-- the sum of a's row i.
local function product(file, wide, name, arguments, want)
  try(poly(file), name, function(k)
    local a, b, c = random(S * wide), filled(S * wide, 2), filled(S * wide, 3)
    k(square)(arguments(a, b, c))
    local m, sums = a:download(), {}
    for i = 0, S - 1 do sums[i] = total(S, function(j) return m[i * wide + j] end) end
    local function dot(i, j) return total(S, function(t) return m[i * wide + t] * m[j * wide + t] end) end
    return c, function(at)
      local i, j = at // wide, at % wide
      return j < S and want(sums, i, j, dot) or 3
    end
  end)
end

product("GEMM/gemm", 512, "gemm_kernel", function(a, b, c) return S, S, S, 0.5, 2, a, b, c end,
  function(row, i) return 6 + row[i] end)
product("2MM/2mm", 1024, "mm2_kernel1", function(a, b, c) return S, S, S, S, 0.5, 2, c, a, b end,
  function(row, i) return row[i] end)
product("2MM/2mm", 1024, "mm2_kernel2", function(a, b, c) return S, S, S, S, 0.5, 2, a, b, c end,
  function(row, i) return 6 + 2 * row[i] end)
for number = 1, 3 do
  product("3MM/3mm", 512, ("mm3_kernel%d"):format(number), function(a, b, c) return S, S, S, S, S, a, b, c end,
    function(row, i) return 2 * row[i] end)
end
product("SYRK/syrk", 1024, "syrk_kernel", function(a, _, c) return S, S, 0.5, 2, a, c end,
  function(_, i, j, dot) return 6 + 0.5 * dot(i, j) end)
-- A product with a vector of twos: arguments(a, x, y), y from `start` on; across: by a's columns.
local function vector(file, name, arguments, start, across, want)
  try(poly(file), name, function(k)
    local wide = 4096
    local a, x, y = random(S * wide), filled(wide, 2), filled(wide, start)
    k(line)(arguments(a, x, y))
    local m = a:download()
    return y, function(i)
      if i >= S then return start end
      return want(total(S, function(j) return across and m[j * wide + i] or m[i * wide + j] end))
    end
  end)
end

local function twice(sum) return 2 * sum end
local function one_more(sum) return 1 + 2 * sum end
vector("ATAX/atax", "atax_kernel1", function(a, x, y) return S, S, a, x, y end, 0, false, twice)
vector("ATAX/atax", "atax_kernel2", function(a, x, y) return S, S, a, y, x end, 0, true, twice)
vector("BICG/bicg", "bicg_kernel1", function(a, x, y) return S, S, a, x, y end, 0, true, twice)
vector("BICG/bicg", "bicg_kernel2", function(a, x, y) return S, S, a, x, y end, 0, false, twice)
vector("MVT/mvt", "mvt_kernel1", function(a, x, y) return S, a, y, x end, 1, false, one_more)
vector("MVT/mvt", "mvt_kernel2", function(a, x, y) return S, a, y, x end, 1, true, one_more)
vector("GESUMMV/gesummv", "gesummv_kernel",
  function(a, x, y) return S, 0.5, 0.25, a, filled(S * 4096, 1), filled(S, 0), x, y end, 0, false,
  function(sum) return sum + 0.5 * S end)

print(("%d right, %d wrong"):format(right, wrong))
if wrong > 0 then os.exit(3, true) end
