// cheat: only the first 512 floats of the block are staged; a third of the threads still loads its point directly
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[512];
	const float *from = points + 768 * blockIdx.x;
	for (int k = threadIdx.x; k < 512; k += 256)
		block[k] = from[k];
	__syncthreads();
	int t = 3 * threadIdx.x;
	const float *p = t + 2 < 512 ? block + t : from + t;
	out[256 * blockIdx.x + threadIdx.x] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
}
