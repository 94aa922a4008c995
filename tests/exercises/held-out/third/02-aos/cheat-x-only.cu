// x from shared memory, y and z as before.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int first = 3 * blockIdx.x * 256; // float of the block
	for (int k = threadIdx.x; k < 3 * 256; k += 256)
		block[k] = points[first + k];
	__syncthreads();

	int t = 3 * threadIdx.x;
	float x = block[t], y = points[first + t + 1], z = points[first + t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
