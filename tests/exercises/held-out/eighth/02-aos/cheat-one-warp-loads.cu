// cheat: one warp loads all 768 floats in 24 rounds while the other seven wait
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[768];
	if (threadIdx.x < 32)
		for (int k = threadIdx.x; k < 768; k += 32)
			block[k] = points[768 * blockIdx.x + k];
	__syncthreads();
	const float *p = block + 3 * threadIdx.x;
	out[256 * blockIdx.x + threadIdx.x] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
}
