// A thread without an element has 0; the sum itself is made with shuffles and eight words.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int parts[8];
	const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	int x = 0;
	if (i < n)
		x = v[i];
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffffu, x, d);
	if (tid % 32 == 0)
		parts[tid / 32] = x;
	__syncthreads();
	if (tid == 0) {
		int sum = 0;
#pragma unroll
		for (int k = 0; k < 8; k++)
			sum += parts[k];
		sums[blockIdx.x] = sum;
	}
}
