// The result of the lane before, which has not seen the thread's own element.
// What does not exist is the identity.
constexpr int LEAST = -2147483647 - 1;

__device__ int scan_warp(int most)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, most, d);
		if (threadIdx.x % 32 >= d)
			most = max(most, other);
	}
	return most;
}

__global__ void maxima(int *out, const int *in, int n)
{
	__shared__ int warps[8];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int most = scan_warp(i < n ? in[i] : LEAST);
	if (lane == 31)
		warps[warp] = most;
	int before = __shfl_up_sync(0xffffffff, most, 1);
	if (lane == 0)
		before = LEAST;
	__syncthreads();
	for (int w = 0; w < warp; w++)
		before = max(before, warps[w]);
	if (i < n)
		out[i] = before;
}
