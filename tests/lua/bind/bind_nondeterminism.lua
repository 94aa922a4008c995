-- report.nondeterminism of gpu.count: why the counters of a launch can differ on a GPU, in kernels that have such an
-- instruction and in others that are close to it.
local t = require "luaunit"

local SOURCE <const> = [==[
extern "C" __global__ void compacted(int *out, const int *in, int *next) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (in[i] & 1) out[atomicAdd(next, 1)] = in[i];
}
extern "C" __global__ void counted(int *out, const int *in, int *next) {
	atomicAdd(next, in[threadIdx.x]);
	out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void binned(int *out, const int *in, int *next) {
	__shared__ int bins[64];
	bins[threadIdx.x % 64] = 0;
	__syncthreads();
	atomicAdd(&bins[in[threadIdx.x] % 64], 1);
	__syncthreads();
	out[threadIdx.x] = bins[threadIdx.x % 64];
}
extern "C" __global__ void summed(float *out, const int *in, int *next) {
	__shared__ float sum;
	if (threadIdx.x == 0) sum = 0;
	__syncthreads();
	atomicAdd(&sum, (float)in[threadIdx.x]);
	__syncthreads();
	out[threadIdx.x] = sum;
}
extern "C" __global__ void handed(int *out, const int *in, volatile int *flag) {
	if (blockIdx.x == 0) {
		out[threadIdx.x] = in[threadIdx.x];
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0) *flag = 1;
	} else {
		while (*flag == 0) { }
	}
}
extern "C" __global__ void timed(int *out, const int *in, int *next) {
	const long long begin = clock64();
	out[threadIdx.x] = in[threadIdx.x] + (clock64() - begin > 100);
}
extern "C" __global__ void kept(int *out, int n) {
	if (n == 0) return;
	int *mine = (int *)malloc(n * sizeof(int));
	if (mine) out[threadIdx.x] = mine[0] = n;
	free(mine);
}
extern "C" __global__ void reread(int *out, const int *in, int *next) {
	volatile __shared__ int s[64];
	s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	int sum = 0;
	for (int k = 0; k < 64; k++) sum += s[k] > 0 ? s[k] : 1;
	out[threadIdx.x] = sum;
}
extern "C" __global__ void watched(int *out, const int *in, int *next) {
	volatile __shared__ int ready;
	if (threadIdx.x == 0) ready = in[0];
	int rounds = 0;
	while (ready != 1) rounds++;
	out[threadIdx.x] = rounds;
}
__device__ int taken(int *next) { return atomicAdd(next, 1); }
extern "C" __global__ void inlined(int *out, const int *in, int *next) {
	out[threadIdx.x] = taken(next);
}
]==]

local EXPECTED <const> = {
  compacted = "atomic_result:3", counted = "", binned = "", summed = "shared_atomic:21", handed = "waiting:32",
  timed = "clock:36", inlined = "atomic_result:62",
  reread = "", watched = "waiting:57",
}

local device = gpu.open "emu"
local module = device:compile_text(SOURCE)

local function said_of(report)
  local list = {}
  for i, entry in ipairs(report.nondeterminism) do list[i] = ("%s:%d"):format(entry.cause, entry.line) end
  return table.concat(list, " ")
end

local function launch_of(name)
  local out, from = device:buffer(name == "summed" and "float" or "int", 1024, { fill = 0 }),
    device:buffer("int", 1024, { fill = 1 })
  return { kernel = module:kernel(name), config = { grid = 2, block = 64 },
    args = { out, from, device:buffer("int", 1024, { fill = 0 }) } }
end

local function count(name)
  local launch = launch_of(name)
  return device:count(launch.kernel, launch.config, launch.args)
end

TestNondeterminism = {}

function TestNondeterminism.test_each_cause_and_its_line()
  for name, want in pairs(EXPECTED) do t.assertEquals(name .. ": " .. said_of(count(name)), name .. ": " .. want) end
end

function TestNondeterminism.test_only_what_ran()
  local out, kernel = device:buffer("int", 64, { fill = 0 }), module:kernel "kept"
  t.assertEquals(said_of(device:count(kernel, { grid = 1, block = 64 }, { out, 0 })), "")
  t.assertEquals(said_of(device:count(kernel, { grid = 1, block = 64 }, { out, 1 })), "device_heap:41")
end

-- Of a list each cause once, in the order of the causes.
function TestNondeterminism.test_a_list_of_launches()
  t.assertEquals(said_of(device:count { launch_of "timed", launch_of "inlined", launch_of "compacted" }),
    "atomic_result:62 clock:36")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
