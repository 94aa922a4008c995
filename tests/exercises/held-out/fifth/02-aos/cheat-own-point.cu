// Each thread copies its own point to shared memory: the loads have the stride of before.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[768];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	for (int c = 0; c < 3; c++)
		block[3 * t + c] = points[3 * i + c];
	__syncthreads();
	float x = block[3 * t], y = block[3 * t + 1], z = block[3 * t + 2];
	out[i] = x * x + y * y + z * z;
}
