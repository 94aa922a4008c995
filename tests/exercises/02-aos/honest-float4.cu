// 192 threads load 16 bytes each.
__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float s[768];
	int t = threadIdx.x;
	if (t < 192)
		((float4 *)s)[t] = ((const float4 *)(points + blockIdx.x * 768))[t];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}
