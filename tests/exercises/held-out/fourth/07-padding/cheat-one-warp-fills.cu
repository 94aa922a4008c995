// One warp in two loads A's tile, row by row into untransposed rows; the products read it as it is.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + blockIdx.y * 32 * n;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int k = 0; k < n; k++, b += n) {
		float e = *b;
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum[i] += a[i * n + k] * e;
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
