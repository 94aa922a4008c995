// Coalesced loads, but in an order that gives bank conflicts (stride 4).
__global__ void lengths(float *out, const float *points)
{
	__shared__ float4 s[256];
	float *words = (float *)s;
	for (int k = threadIdx.x; k < 768; k += 256)
		words[k / 3 * 4 + k % 3] = points[blockIdx.x * 768 + k];
	__syncthreads();
	int t = threadIdx.x * 4;
	float x = words[t], y = words[t + 1], z = words[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
