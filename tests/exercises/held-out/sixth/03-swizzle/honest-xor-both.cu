extern __shared__ float words[];
struct View { float *p; __device__ float &operator()(int r, int c) const { return p[32 * r + (c ^ (r & 31))]; } };
__global__ void transpose(float *odata, const float *idata, int n)
{
	View tile{words};
	const int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
	for (int r = ty; r < 32; r += blockDim.y)
		tile(tx, r) = idata[(by + r) * n + bx + tx];
	__syncthreads();
	for (int r = ty; r < 32; r += blockDim.y)
		odata[(bx + r) * n + by + tx] = tile(r, tx);
}
