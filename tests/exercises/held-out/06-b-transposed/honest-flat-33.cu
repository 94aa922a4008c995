__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float a_words[32 * 32], b_words[32 * 33];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = Bt + (blockIdx.x * 32 + ty) * n + tx;

	float sum = 0;
	for (const float *end = a + n; a < end; a += 32, b += 32) {
		a_words[ty * 32 + tx] = *a;
		b_words[tx * 33 + ty] = *b;
		__syncthreads();
		for (int k = 0; k < 32; k++)
			sum += a_words[ty * 32 + k] * b_words[k * 33 + tx];
		__syncthreads();
	}
	C[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}
