// honest: every warp has its own contiguous piece of the vector and walks through it 32 elements at a time
__global__ void scale(float *y, const float *x, float factor, int n)
{
	unsigned lane = threadIdx.x & 31;
	unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	unsigned warps = gridDim.x * blockDim.x >> 5;
	unsigned lines = (n + 31) / 32;               // of 32 elements
	unsigned each = (lines + warps - 1) / warps;  // per warp
	for (unsigned line = warp * each; line < min((warp + 1) * each, lines); line++) {
		unsigned i = 32 * line + lane;
		if (i < n)
			y[i] = factor * x[i];
	}
}
