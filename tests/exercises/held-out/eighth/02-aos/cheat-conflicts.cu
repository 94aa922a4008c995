// cheat: sorted into three arrays on the way in, so the stores to shared memory have three-way bank conflicts
__global__ void lengths(float *out, const float *points)
{
	__shared__ float parts[3][256];
	for (int k = threadIdx.x; k < 768; k += 256)
		parts[k % 3][k / 3] = points[768 * blockIdx.x + k];
	__syncthreads();
	float x = parts[0][threadIdx.x], y = parts[1][threadIdx.x], z = parts[2][threadIdx.x];
	out[256 * blockIdx.x + threadIdx.x] = x * x + y * y + z * z;
}
