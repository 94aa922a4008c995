// A single warp loads for all.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int first = 3 * blockIdx.x * 256; // float of the block
	if (threadIdx.x < 32)
		for (int k = threadIdx.x; k < 3 * 256; k += 32)
			block[k] = points[first + k];
	__syncthreads();

	int t = 3 * threadIdx.x;
	float x = block[t], y = block[t + 1], z = block[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
