-- The five attention kernels of gau-nernst/learn-cuda (mma, cp.async, ldmatrix) against a reference written here, under
-- all checkers, and the wavefronts of their loads from shared memory. By hand:
--
--     gpulab --device emu:H100 tests/foreign/attention.lua FOLDER
--
-- FOLDER holds the checkout, gau-nernst+learn-cuda. Exit code 3 if a result is wrong or a checker finds something.
-- docs/records/foreign.md has a recorded run and the commit.
local folder = arg[1] or error("the folder with the checkout expected")

local LENGTH <const>, DIM <const>, TOLERANCE <const> = 256, 128, 2e-3
local ROWS <const> = { 0, 1, 17, 63, 64, 100, 255 }
-- Rows of queries and of keys per block, and rows of shared memory, as the file's own host code has them.
local kernels <const> = { { 128, 64, 128 }, { 64, 64, 128 }, { 64, 32, 128 }, { 64, 32, 128 }, { 64, 64, 192 } }

local state = 1
local function random()
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 33554432 / 32 - 1 -- a multiple of 1/32, which bfloat16 has
end

local function matrix()
  local values = {}
  for i = 1, LENGTH * DIM do values[i] = random() end
  local buffer = gpu.buffer("bfloat16", #values)
  buffer:upload(values)
  return values, buffer
end

local queries, q = matrix()
local keys, k = matrix()
local values, v = matrix()

local function dot(row, key)
  local sum = 0
  for c = 1, DIM do sum = sum + queries[row * DIM + c] * keys[key * DIM + c] end
  return sum / math.sqrt(DIM)
end

local function expected(row)
  local out, sum = {}, 0
  for c = 1, DIM do out[c] = 0 end
  for key = 0, LENGTH - 1 do
    local weight = math.exp(dot(row, key))
    sum = sum + weight
    for c = 1, DIM do out[c] = out[c] + weight * values[key * DIM + c] end
  end
  for c = 1, DIM do out[c] = out[c] / sum end
  return out
end

local wanted, failed = {}, false
for _, row in ipairs(ROWS) do wanted[row] = expected(row) end

for i, shape in ipairs(kernels) do
  local name = ("attention_v%d_kernel<%d, %d, %d, 4>"):format(i, shape[1], shape[2], DIM)
  local kernel = gpu.compile(("%s/gau-nernst+learn-cuda/07_attention/attention_v%d.cu"):format(folder, i),
    { names = { name } }):kernel(name)
  local out = gpu.buffer("bfloat16", LENGTH * DIM, { fill = 0 })
  local config, args = { grid = LENGTH // shape[1], block = 128, shared = shape[3] * DIM * 2 },
    { q, k, v, out, 1, LENGTH, LENGTH }
  local report = gpu.check(kernel, config, args)
  local worst = 0
  for row, want in pairs(wanted) do
    for c = 1, DIM do worst = math.max(worst, math.abs(out[row * DIM + c - 1] - want[c])) end
  end
  local counters = gpu.count(kernel, config, args).counters
  print(("attention_v%d  largest error %.5f  %d issues  %d wavefronts of shared loads"):format(i, worst,
    #report.findings, counters.shared_load_wavefronts))
  failed = failed or worst > TOLERANCE or #report.findings > 0 or report.status ~= "ok"
end
os.exit(failed and 3 or 0, true)
