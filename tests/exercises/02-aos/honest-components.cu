// Sorted by component when it is stored; 267 words apart, which avoids conflicts.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[3 * 267];
	const float *from = points + 3 * 256 * blockIdx.x;
	for (int k = threadIdx.x; k < 768; k += blockDim.x)
		s[k % 3 * 267 + k / 3] = from[k];
	__syncthreads();
	float x = s[threadIdx.x], y = s[267 + threadIdx.x], z = s[2 * 267 + threadIdx.x];
	out[blockIdx.x * blockDim.x + threadIdx.x] = x * x + y * y + z * z;
}
