// 192 threads load four words each
__global__ void lengths(float *out, const float *points)
{
	__shared__ float4 s[192];
	int t = threadIdx.x;
	if (t < 192) s[t] = reinterpret_cast<const float4 *>(points)[192 * blockIdx.x + t];
	__syncthreads();
	const float *p = reinterpret_cast<const float *>(s) + 3 * t;
	out[blockIdx.x * 256 + t] = fmaf(p[0], p[0], fmaf(p[1], p[1], p[2] * p[2]));
}
