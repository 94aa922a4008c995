// coalesced stores into shared memory that nobody uses for x
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	for (int k = t; k < 768; k += 256) s[k] = points[768 * blockIdx.x + k];
	__syncthreads();
	float x = points[3 * i], y = s[3 * t + 1], z = s[3 * t + 2];
	out[i] = x * x + y * y + z * z;
}
