// The copy has the same stride of three as the task wants to get rid of.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int first = 3 * blockIdx.x * 256; // float of the block
	for (int k = 3 * threadIdx.x; k < 3 * threadIdx.x + 3; k++)
		block[k] = points[first + k];
	__syncthreads();

	int t = 3 * threadIdx.x;
	float x = block[t], y = block[t + 1], z = block[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
