-- The eleven products of siboehm/SGEMM_CUDA on an RTX A6000, predicted without one, beside the rates that its README
-- states (n = 4096). By hand:
--
--     gpulab --device "emu:RTX A6000" tests/foreign/sgemm.lua FOLDER [nvrtc]
--
-- FOLDER holds the checkout, siboehm+SGEMM_CUDA, which is used as it is. The rates are of nvcc's code, so nvcc makes the
-- PTX; with nvrtc, NVRTC does. Prints a table: GFLOPS as published, by the roofline, by replay, and as predicted; then
-- the RMS error of each and the pairs that are more than 10 % apart and in the wrong order. docs/reference/models.md
-- has a recorded run, and which changes were made with it in view.
local folder = arg[1] or error("the folder with the checkout expected")

local N <const>, GPU <const>, SAMPLE <const>, BUDGET <const> = 4096, "RTX A6000", 2400, 50e6
local SOURCES <const> = folder .. "/siboehm+SGEMM_CUDA/src/"

-- Kernel, grid, threads per block, as runner.cu launched them in commit 4820c60, from which the README has its GFLOPS.
-- Since then the last kernel has other tiles there.
local ladder <const> = {
  { "sgemm_naive", { 128, 128 }, { 32, 32 }, 309.0 },
  { "sgemm_global_mem_coalesce<32>", { 128, 128 }, 1024, 1986.5 },
  { "sgemm_shared_mem_block<32>", { 128, 128 }, 1024, 2980.3 },
  { "sgemm1DBlocktiling<64, 64, 8, 8>", { 64, 64 }, 512, 8474.7 },
  { "sgemm2DBlocktiling<128, 128, 8, 8, 8>", { 32, 32 }, 256, 15971.7 },
  { "sgemmVectorize<128, 128, 8, 8, 8>", { 32, 32 }, 256, 18237.3 },
  { "sgemmResolveBankConflicts<128, 128, 8, 8, 8>", { 32, 32 }, 256, 16213.4 },
  { "sgemmResolveBankExtraCol<128, 128, 8, 8, 8>", { 32, 32 }, 256, 16459.2 },
  { "sgemmAutotuned<128, 128, 16, 8, 8>", { 32, 32 }, 256, 19721.0 },
  { "sgemmWarptiling<128, 128, 16, 64, 64, 4, 8, 4, 128>", { 32, 32 }, 128, 21779.3 },
  { "sgemmDoubleBuffering<64, 128, 16, 32, 32, 2, 4, 4, 256>", { 32, 64 }, 256, 17278.3 },
}

-- A file that names the kernels, so that nvcc makes the instances: its PTX as a module.
local function compile_by_nvcc()
  local name = os.tmpname()
  local file = assert(io.open(name .. ".cu", "w"))
  file:write('#include "kernels.cuh"\nvoid *instances[] = {')
  for _, rung in ipairs(ladder) do file:write("(void *)", rung[1], ",\n") end
  file:write("};\n")
  file:close()
  local made = os.execute(("nvcc -ptx -lineinfo -arch=sm_86 -I '%s' -o %s.ptx %s.cu"):format(SOURCES, name, name))
  local module = made and gpu.compile(name .. ".ptx") or error("nvcc does not compile the kernels")
  for _, ending in ipairs { "", ".cu", ".ptx" } do os.remove(name .. ending) end
  return module
end

local module = arg[2] ~= "nvrtc" and compile_by_nvcc()

-- An instance has its linked name in PTX: _Z14sgemmAutotunedILi128E... .
local function kernel_of(rung)
  if not module then return gpu.kernel(SOURCES .. "runner.cu", rung[1]) end
  local plain = rung[1]:match "^[%w_]+"
  for _, name in ipairs(module.names) do
    if name == plain or name:find(("^_Z%d%sI"):format(#plain, plain)) then return module:kernel(name) end
  end
  error("no kernel " .. rung[1])
end

local function buffer() return gpu.buffer("float", N * N, { fill = 1 }) end
local a, b, c = buffer(), buffer(), buffer()

local function gflops(ms) return ms and 2 * N ^ 3 / ms * 1e-6 or 0 end

-- {published, roofline, replay, predicted}
local function row(rung)
  local kernel = kernel_of(rung)
  local report = gpu.device:count(kernel, { grid = rung[2], block = rung[3], timeout = 600000 }, { N, N, N, 0.5, a, b, 3, c },
    { models = { GPU }, sample = SAMPLE, instructions = BUDGET })
  local p = report.models[GPU]
  if not p.known then error(rung[1] .. ": " .. p.note) end
  local got = { rung[4], gflops(p.counted_ms), gflops(p.replayed_ms), gflops(p.ms) }
  print(("| %s | %.0f | %.0f | %.0f | %.0f | %+.0f %% | %s, %d warps |"):format(rung[1]:match "^[%w_]+", got[1], got[2],
    got[3], got[4], 100 * (got[4] / got[1] - 1), p.bound, p.warps_per_sm))
  return got
end

print "| kernel | published | roofline | replay | predicted | | bound |"
print "|---|---|---|---|---|---|---|"
local rows = {}
for i, rung in ipairs(ladder) do rows[i] = row(rung) end
for which, name in ipairs { false, "roofline", "replay", "predicted" } do
  if name then
    local sum, wrong, pairs_seen = 0, 0, 0
    for i, one in ipairs(rows) do
      sum = sum + (one[which] / one[1] - 1) ^ 2
      for j = 1, i - 1 do
        local published, got = one[1] / rows[j][1], one[which] / rows[j][which]
        if math.max(published, 1 / published) > 1.1 then
          pairs_seen = pairs_seen + 1
          if (published > 1) ~= (got > 1) then wrong = wrong + 1 end
        end
      end
    end
    print(("%s: RMS %.1f %%, %d of %d pairs in the wrong order"):format(name, 100 * math.sqrt(sum / #rows), wrong,
      pairs_seen))
  end
end
