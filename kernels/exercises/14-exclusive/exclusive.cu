// Task: make the running maxima exclusive, for any number of elements.
constexpr int LEAST = -2147483647 - 1; // the identity of a maximum

// The largest value of lanes 0 to the thread's own.
__device__ int scan_warp(int most)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, most, d);
		if (threadIdx.x % 32 >= d)
			most = max(most, other);
	}
	return most;
}

// Blocks of 256 threads, one element per thread.
__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int most = scan_warp(in[i]);
	if (lane == 31)
		warps[warp] = most;
	__syncthreads();
	for (int w = 0; w < warp; w++)
		most = max(most, warps[w]);
	out[i] = most;
}
