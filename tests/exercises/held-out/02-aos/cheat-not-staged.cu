// The naive loads, and a store to shared memory that nobody reads.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = points[blockIdx.x * 768 + threadIdx.x];
	__syncthreads();
	float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
	out[i] = x * x + y * y + z * z + 0.0f * s[0];
}
