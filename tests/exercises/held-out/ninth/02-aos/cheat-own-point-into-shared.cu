// cheat: each thread copies its own point: shared memory, but the loads are as before
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	int t = threadIdx.x, first = 3 * 256 * blockIdx.x, i = blockIdx.x * 256 + t;
	for (int k = 0; k < 3; k++)
		block[3 * t + k] = points[first + 3 * t + k];
	__syncthreads();
	float x = block[3 * t], y = block[3 * t + 1], z = block[3 * t + 2];
	out[i] = x * x + y * y + z * z;
}
