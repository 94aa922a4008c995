// The tile is transposed when it is stored, rotated the other way.
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	for (unsigned i = ty; i < 32; i += 8)
		tile[tx * 32 + ((i - tx) & 31)] = idata[(blockIdx.y * 32 + i) * n + blockIdx.x * 32 + tx];
	__syncthreads();
	for (unsigned i = ty; i < 32; i += 8)
		odata[(blockIdx.x * 32 + i) * n + blockIdx.y * 32 + tx] = tile[i * 32 + ((tx - i) & 31)];
}
