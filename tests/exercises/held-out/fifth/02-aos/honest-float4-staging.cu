// Six of the eight warps load the 768 words as 192 float4, in order; then each thread picks its point.
__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float block[768];
	const int t = threadIdx.x;
	if (t < 192)
		reinterpret_cast<float4 *>(block)[t] = reinterpret_cast<const float4 *>(points + 768 * blockIdx.x)[t];
	__syncthreads();
	const float *p = block + 3 * t;
	out[blockIdx.x * 256 + t] = fmaf(p[0], p[0], fmaf(p[1], p[1], p[2] * p[2]));
}
