// === cheat-32-shuffles
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, x = v[i], sum = 0;
	for (int k = 0; k < 32; k++)
		sum += __shfl_sync(~0u, x, k);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}

// === cheat-twelve-shuffles
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, own = v[i], sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += __shfl_sync(~0u, own, threadIdx.x % 32 / 8 * 8 + k);
	sum = __shfl_sync(~0u, sum, 0) + __shfl_sync(~0u, sum, 8) + __shfl_sync(~0u, sum, 16) + __shfl_sync(~0u, sum, 24);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}

// === honest-int4
// A quarter of the threads load four elements each: eight lanes per sum.
__global__ void warp_sums(int *sums, const int *v)
{
	if (threadIdx.x >= 64)
		return;
	int i = blockIdx.x * 64 + threadIdx.x;
	int4 four = ((const int4 *)v)[i];
	int sum = four.x + four.y + four.z + four.w;
	for (int d = 4; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d, 8);
	if (i % 8 == 0)
		sums[i / 8] = sum;
}

// === honest-reduce
// The warp's own reduction instruction.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = __reduce_add_sync(0xffffffff, v[i]);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}

// === honest-up
// Shuffles upwards, a prefix sum: lane 31 has the total.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, sum = v[i];
	for (int d = 1; d < 32; d *= 2) {
		int from = __shfl_up_sync(0xffffffff, sum, d);
		if (lane >= d)
			sum += from;
	}
	if (lane == 31)
		sums[i / 32] = sum;
}

// === honest-xor
// A butterfly: all lanes have the sum.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, sum = v[i];
	for (int m = 16; m; m >>= 1)
		sum += __shfl_xor_sync(~0u, sum, m);
	if (i % 32 == 0)
		sums[i / 32] = sum;
}

// === honest-warp-size
// A loop that the compiler does not unroll: warpSize is no constant.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, sum = v[i];
	for (int d = 1; d < warpSize; d *= 2)
		sum += __shfl_xor_sync(~0u, sum, d);
	if (threadIdx.x % 32 == 31)
		sums[i / 32] = sum;
}
