// Fills the tile coalesced, and reads the points from global memory.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float tile[768];
	int first = blockIdx.x * 768, i = blockIdx.x * 256 + threadIdx.x;
	for (int k = threadIdx.x; k < 768; k += 256)
		tile[k] = points[first + k];
	__syncthreads();
	float x = points[3 * i], y = points[3 * i + 1], z = tile[3 * threadIdx.x + 2];
	out[i] = x * x + y * y + z * z;
}
