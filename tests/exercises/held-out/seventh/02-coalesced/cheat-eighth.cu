// one warp of each block does the eight rows
__global__ void damp(float *out, const float *in, int n)
{
	if (threadIdx.y) return;
	unsigned b = (blockIdx.y * gridDim.x + blockIdx.x) * 256;
	for (int k = 0; k < 8; k++) out[b + 32 * k + threadIdx.x] = 0.5f * in[b + 32 * k + threadIdx.x];
}
