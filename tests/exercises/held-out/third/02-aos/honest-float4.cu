// 192 threads load 16 bytes each.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float4 block[192];
	int t = threadIdx.x;
	if (t < 192)
		block[t] = ((const float4 *)points)[blockIdx.x * 192 + t];
	__syncthreads();
	const float *p = (const float *)block + 3 * t;
	out[blockIdx.x * 256 + t] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
}
