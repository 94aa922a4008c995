__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float s[768];
	const float4 *from = (const float4 *)(points + blockIdx.x * 768);
	if (threadIdx.x < 192)
		((float4 *)s)[threadIdx.x] = from[threadIdx.x];
	__syncthreads();
	float sum = 0;
#pragma unroll
	for (int c = 0; c < 3; c++)
		sum = fmaf(s[3 * threadIdx.x + c], s[3 * threadIdx.x + c], sum);
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
