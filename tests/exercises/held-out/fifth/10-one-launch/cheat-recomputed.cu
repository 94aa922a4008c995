// Block 63 needs nobody's sums: it sums the whole vector itself.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int parts[256];
	int tid = threadIdx.x, own = 0;
	bool all = blockIdx.x == gridDim.x - 1;
	if (all)
		for (int i = tid; i < (int)gridDim.x * 256; i += 256)
			own += v[i];
	else
		own = v[blockIdx.x * 256 + tid];
	parts[tid] = own;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			parts[tid] += parts[tid + d];
	}
	if (tid == 0)
		(all ? total : &sums[blockIdx.x])[0] = parts[0];
}
