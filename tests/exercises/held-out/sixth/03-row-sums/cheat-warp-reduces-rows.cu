__global__ void row_sums(float *sums, const float *in)
{
	int first = blockIdx.x * 32;
	for (int i = 0; i < 32; i++) {
		float v = in[(first + i) * 32 + threadIdx.x];
		for (int d = 16; d > 0; d /= 2)
			v += __shfl_down_sync(~0u, v, d);
		if (threadIdx.x == 0)
			sums[first + i] = v;
	}
}
