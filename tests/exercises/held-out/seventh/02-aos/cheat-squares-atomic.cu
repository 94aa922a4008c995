// each thread squares coalesced words and adds them atomically to the point's sum
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = 0;
	__syncthreads();
	for (int k = t; k < 768; k += 256) { float v = points[768 * blockIdx.x + k]; atomicAdd(&s[k / 3], v * v); }
	__syncthreads();
	out[blockIdx.x * 256 + t] = s[t];
}
