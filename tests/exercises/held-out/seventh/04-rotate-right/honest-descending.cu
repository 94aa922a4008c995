// neighbors write descending addresses of a row, swizzled tile
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float s[1024];
	unsigned tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
	for (unsigned r = ty; r < 32; r += 8) s[32 * r + (tx + r) % 32] = __ldg(&idata[(blockIdx.y * 32 + r) * n + blockIdx.x * 32 + tx]);
	__syncthreads();
#pragma unroll
	for (unsigned c = ty; c < 32; c += 8) odata[(blockIdx.x * 32 + c) * n + (n - 1 - (blockIdx.y * 32 + tx))] = s[32 * tx + (c + tx) % 32];
}
