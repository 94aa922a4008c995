// one warp loads all, coalesced
__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float s[768];
	int t = threadIdx.x;
	if (t < 32) for (int k = t; k < 192; k += 32) ((float4 *)s)[k] = ((const float4 *)points)[192 * blockIdx.x + k];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[256 * blockIdx.x + t] = x * x + y * y + z * z;
}
