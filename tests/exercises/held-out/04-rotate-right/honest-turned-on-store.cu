__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float turned[32][33];
	const int bx = blockIdx.x * 32, by = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32; i += 8)
		turned[threadIdx.x][31 - i] = idata[(by + i) * n + bx + threadIdx.x];
	__syncthreads();
	float *to = odata + bx * n + n - 32 - by + threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8)
		to[i * n] = turned[i][threadIdx.x];
}
