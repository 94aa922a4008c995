extern __shared__ float words[];

__global__ void transpose(float *odata, const float *idata, int n)
{
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *from = idata + (blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx;
	float *to = odata + (blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx;

	for (int i = 0; i < 32; i += 8)
		words[(ty + i) * 32 + ((tx - ty - i) & 31)] = from[i * n];
	__syncthreads();
	for (int i = 0; i < 32; i += 8)
		to[i * n] = words[tx * 32 + ((ty + i - tx) & 31)];
}
