// a warp loads rows of 16 from two rows, and stores where the lanes' banks differ
__global__ void padding(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	struct Row { float e[34]; };
	__shared__ Row As[16];
	const int t = threadIdx.y * 16 + threadIdx.x, tx = t & 15, ty = t >> 4;
	size_t c = (size_t)blockIdx.y * 32 * n + blockIdx.x * 64 + t;
	float sum[32] = {};
	for (int b = 0; b < n; b += 16) {
		for (int r = ty; r < 32; r += 4)
			As[tx].e[r] = A[(size_t)(blockIdx.y * 32 + r) * n + b + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float element = __ldg(&B[(size_t)(b + k) * n + blockIdx.x * 64 + t]);
#pragma unroll
			for (int i = 31; i >= 0; i--)
				sum[i] = fmaf(As[k].e[i], element, sum[i]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		C[c] = sum[i];
}
