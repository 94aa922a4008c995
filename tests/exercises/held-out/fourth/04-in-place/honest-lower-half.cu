// Blocks below the diagonal do the work; tiles without padding, swizzled.
__global__ void in_place(float *data, int n)
{
	__shared__ float mine[1024], other[1024];
	if (blockIdx.y < blockIdx.x)
		return;
	float *here = data + blockIdx.y * 32 * n + blockIdx.x * 32, *there = data + blockIdx.x * 32 * n + blockIdx.y * 32;
	int tx = threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8) {
		mine[32 * i + (tx + i) % 32] = here[i * n + tx];
		if (here != there)
			other[32 * i + (tx + i) % 32] = there[i * n + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		there[i * n + tx] = mine[32 * tx + (i + tx) % 32];
		if (here != there)
			here[i * n + tx] = other[32 * tx + (i + tx) % 32];
	}
}
