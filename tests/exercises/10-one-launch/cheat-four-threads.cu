// four threads add 16 each with int4
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int t = threadIdx.x, x = v[blockIdx.x * 256 + t];
	s[t] = x;
	for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
	if (t == 0) { sums[blockIdx.x] = s[0]; __threadfence(); last = atomicAdd(count, 1u) == gridDim.x - 1; }
	__syncthreads();
	if (!last) return;
	__threadfence();
	if (t < 4) {
		int y = 0;
		for (int k = 0; k < 4; k++) { int4 q = ((int4 *)sums)[4 * k + t]; y += q.x + q.y + q.z + q.w; }
		y += __shfl_xor_sync(15, y, 1); y += __shfl_xor_sync(15, y, 2);
		if (t == 0) *total = y;
	}
}
