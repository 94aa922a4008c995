__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	if (blockIdx.x % 32 == 31) {
		int i = blockIdx.x * 256 + threadIdx.x;
		float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
		out[i] = x * x + y * y + z * z;
		return;
	}
	int first = 3 * blockIdx.x * 256;
	for (int k = threadIdx.x; k < 3 * 256; k += 256)
		block[k] = points[first + k];
	__syncthreads();
	int t = 3 * threadIdx.x;
	float x = block[t], y = block[t + 1], z = block[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
