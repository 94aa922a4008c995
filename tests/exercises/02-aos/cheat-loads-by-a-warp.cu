// One warp fills shared memory.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	if (threadIdx.x < 32)
		for (int k = threadIdx.x; k < 768; k += 32)
			s[k] = points[blockIdx.x * 768 + k];
	__syncthreads();
	float x = s[3 * threadIdx.x], y = s[3 * threadIdx.x + 1], z = s[3 * threadIdx.x + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
