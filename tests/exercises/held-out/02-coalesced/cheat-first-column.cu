// A column of blocks does the whole rows.
__global__ void damp(float *out, const float *in, int n)
{
	if (blockIdx.x)
		return;
	int y = blockIdx.y * 8 + threadIdx.y;
	for (int x = threadIdx.x; x < n; x += 32)
		out[y * n + x] = 0.5f * in[y * n + x];
}
