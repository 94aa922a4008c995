// === honest-shifted-input
// The warp's input shifted by one lane, then an inclusive scan of that. Lane 31 adds its own element for the warp.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	const int least = -2147483647 - 1;
	int lane = threadIdx.x & 31, i = blockIdx.x * 256 + threadIdx.x;
	int own = i < n ? in[i] : least;
	int most = __shfl_up_sync(~0u, own, 1);
	if (lane == 0)
		most = least;
	for (int d = 1; d < 32; d <<= 1)
		most = max(most, __shfl_up_sync(~0u, most, d)); // lanes below d get their own: no harm in a maximum
	if (lane == 31)
		warps[threadIdx.x >> 5] = max(most, own);
	__syncthreads();
	for (int w = threadIdx.x / 32 - 1; w >= 0; w--)
		most = max(most, warps[w]);
	if (i < n)
		out[i] = most;
}

// === honest-reduce
// The warps' maxima by the instruction for it; only the lanes need a scan.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	int x = 0x80000000;
	if (i < n)
		x = in[i];
	int all = __reduce_max_sync(0xffffffff, x);
	if (t % 32 == 0)
		warps[t / 32] = all;
	int most = __shfl_up_sync(0xffffffff, x, 1);
	if (t % 32 == 0)
		most = 0x80000000;
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, most, d);
		most = t % 32 >= d ? max(most, other) : most;
	}
	__syncthreads();
	for (int w = 0; w < 8; w++)
		if (w < t / 32)
			most = max(most, warps[w]);
	if (i < n)
		out[i] = most;
}

// === honest-through-shared
// The inclusive maxima go through shared memory, and each thread reads its left neighbor's.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int most_of[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int most = i < n ? in[i] : -2147483647 - 1;
	for (int d = 1; d < 32; d *= 2)
		most = max(most, __shfl_up_sync(0xffffffff, most, d));
	most_of[t] = most;
	__syncthreads();
	int before = t % 32 ? most_of[t - 1] : -2147483647 - 1;
	for (int w = 31; w < t / 32 * 32; w += 32)
		before = max(before, most_of[w]);
	if (i < n)
		out[i] = before;
}

// === cheat-two-barriers
// The block's result is shifted through shared memory, with a second barrier.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8], all[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int most = i < n ? in[i] : -2147483647 - 1;
	for (int d = 1; d < 32; d *= 2)
		most = max(most, __shfl_up_sync(0xffffffff, most, d));
	if (t % 32 == 31)
		warps[t / 32] = most;
	__syncthreads();
	for (int w = 0; w < t / 32; w++)
		most = max(most, warps[w]);
	all[t] = most;
	__syncthreads();
	if (i < n)
		out[i] = t ? all[t - 1] : -2147483647 - 1;
}

// === cheat-two-scans
// Scans the elements, and once more the elements shifted by one.
__device__ int scan_warp(int most)
{
	for (int d = 1; d < 32; d *= 2)
		most = max(most, __shfl_up_sync(0xffffffff, most, d));
	return most;
}
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int x = i < n ? in[i] : -2147483647 - 1;
	int y = t % 32 && i - 1 < n ? in[i - 1] : -2147483647 - 1;
	int most = scan_warp(x), before = scan_warp(y);
	if (t % 32 == 31)
		warps[t / 32] = most;
	__syncthreads();
	for (int w = 0; w < t / 32; w++)
		before = max(before, warps[w]);
	if (i < n)
		out[i] = before;
}

// === cheat-loop-over-block
// Each thread reads the elements before its own from shared memory.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int words[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, most = -2147483647 - 1;
	words[t] = i < n ? in[i] : most;
	__syncthreads();
	for (int k = 0; k < t; k++)
		most = max(most, words[k]);
	if (i < n)
		out[i] = most;
}

// === cheat-one-lane
// The first lane of each warp scans its 32 elements.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int words[256], warps[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, least = -2147483647 - 1;
	words[t] = i < n ? in[i] : least;
	__syncwarp();
	if (t % 32 == 0) {
		int most = least;
		for (int k = t; k < t + 32; k++) {
			int x = words[k];
			words[k] = most;
			most = max(most, x);
		}
		warps[t / 32] = most;
	}
	__syncthreads();
	int most = words[t];
	for (int w = 0; w < t / 32; w++)
		most = max(most, warps[w]);
	if (i < n)
		out[i] = most;
}

// === mutant-return-early
// Threads beyond the end return before the shuffles that name them.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (i >= n)
		return;
	int most = in[i];
	for (int d = 1; d < 32; d *= 2)
		most = max(most, __shfl_up_sync(0xffffffff, most, d));
	if (t % 32 == 31)
		warps[t / 32] = most;
	int before = __shfl_up_sync(0xffffffff, most, 1);
	if (t % 32 == 0)
		before = -2147483647 - 1;
	__syncthreads();
	for (int w = 0; w < t / 32; w++)
		before = max(before, warps[w]);
	out[i] = before;
}

// === mutant-zero
// 0 instead of the least int where there is no element.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int most = i < n ? in[i] : 0;
	for (int d = 1; d < 32; d *= 2)
		most = max(most, __shfl_up_sync(0xffffffff, most, d));
	if (t % 32 == 31)
		warps[t / 32] = most;
	int before = __shfl_up_sync(0xffffffff, most, 1);
	if (t % 32 == 0)
		before = 0;
	__syncthreads();
	for (int w = 0; w < t / 32; w++)
		before = max(before, warps[w]);
	if (i < n)
		out[i] = before;
}
