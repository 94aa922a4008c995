// The rows stay 33 words long; each half of a warp stores by itself, so no request has a conflict.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][33];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16, a += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4) {
			float e = a[i * n];
			if (ty & 1)
				As[tx][ty + i] = e;
			__syncwarp();
			if (!(ty & 1))
				As[tx][ty + i] = e;
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float e = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * e;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
