-- The rate of a project, measured: launches are made again on a GPU, each sample with the inputs of the first, and have to leave there
-- what they left on the emulator. Without a GPU an emulator stands in, and its predictions for measured times. Speaks TAP.
local build = require "gpulab.run.build"
local files = require "gpulab.base.files"
local labs = require "gpulab.grade.labs"
local verdict = require "gpulab.grade.verdict"
local where = require "gpulab.base.where"

if not build.nvcc() then
  print "1..0 # SKIP there is no nvcc"
  os.exit(0)
end
local on_gpu = gpu.device.backend == "cuda"
if on_gpu and gpu.device.model ~= "H200" then
  print "1..0 # SKIP the tiers are those of an H200"
  os.exit(0)
end
local emulator, stands_in = gpu.open "emu", not on_gpu and gpu.open "emu:H200" or gpu.device
local lab = labs.load "13"
local ex = labs.exercise(lab, "column-sums")
local solution = files.read(where.find(ex.solution, "kernels"))
local done, failed = 0, false

local function check(good, what, more)
  done, failed = done + 1, failed or not good
  print(("%s %d - %s"):format(good and "ok" or "not ok", done, what))
  if more then print("# " .. tostring(more):gsub("\n", "\n# ")) end
end

local function column_sums(side, source)
  local path <const>, at = os.tmpname() .. ".cu", verdict.context(lab, emulator, stands_in)
  ex.project.score = { args = { tostring(side), tostring(side) }, bytes = 8 * side * side }
  files.write(path, source)
  local v = verdict.of(at, ex, path, { width = 200 })
  os.remove(path)
  return v.score or {}, (v.message or "") .. "\n" .. table.concat(v.text, "\n")
end

-- An emulator that stands in for the GPU has the same addresses, so that such a source is measured there.
local function check_on_gpu(side, source, reason, what)
  if on_gpu then
    local score, said = column_sums(side, source)
    return check(score.kind == "predicted" and said:find(reason, 1, true), what, said)
  end
  done = done + 1
  print(("ok %d - %s # SKIP without a GPU"):format(done, what))
end

local score, said = column_sums(on_gpu and 8192 or 256, solution)
check(score.samples == 5 and score.kind == (on_gpu and "measured" or "predicted") and not said:find "not measured", "three launches", said)

-- A block takes its number from a counter that the program never clears, and its matrix from a structure with pointers.
local counter = [[
struct Matrix { int rows; const int *in; int columns; int *out; };
__device__ unsigned blocks;
__global__ void sums(Matrix m)
{
	__shared__ unsigned block;
	if (threadIdx.x == 0) block = atomicAdd(&blocks, 1);
	__syncthreads();
	int column = block * blockDim.x + threadIdx.x, sum = 0;
	if (column >= m.columns) return;
	for (int row = 0; row < m.rows; row++) {
		sum += m.in[row * m.columns + column];
		m.out[row * m.columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	union { unsigned long long padding; Matrix m; } u; // which begins with half of an address, and looks like one
	u.padding = (unsigned long long)in;
	u.m.rows = rows, u.m.in = in, u.m.columns = columns, u.m.out = out;
	sums<<<(columns + 63) / 64, 64>>>(u.m);
}
]]
score, said = column_sums(256, counter)
check(score.samples == 5 and not said:find "not measured", "variables are put back, and pointers in structures lead to buffers", said)

local address = solution:gsub("void column_sums%(.-\n{\n", [[
__global__ void note(size_t *place) { *place = (size_t)place; }
%0	size_t *place;
	cudaMalloc(&place, 8 << 20);
	note<<<1, 1>>>(place);
]])
score, said = column_sums(256, address)
local why = "Launch 1 (note) was not measured: there its result is another one, in"
check(score.kind == "predicted" and not score.samples and said:find(why, 1, true),
  "a launch that stores an address has another result", said)

local nested = counter:gsub("Matrix m%)\n{", "Matrix *of)\n{\n\tMatrix m = *of;"):gsub("sums<<<.-;", [[
Matrix *m;
	cudaMalloc(&m, sizeof *m);
	set<<<1, 1>>>(m, Matrix{rows, in, columns, out});
	sums<<<(columns + 63) / 64, 64>>>(m);]]):gsub("void column_sums", "__global__ void set(Matrix *to, Matrix m) { *to = m; }\n%0")
check_on_gpu(256, nested, "was not measured", "addresses in memory are those of the emulator")

-- What works on the emulator alone: addresses of a GPU are higher.
local cheat = counter:gsub("int column =", "if ((size_t)m.out >> 44) return;\n\t%0")
check_on_gpu(256, cheat, "another one, in", "a kernel that does nothing on a GPU")
print("1.." .. done)
if failed then error("a project was not measured as it should be", 0) end
