// honest: xor of the column instead of padding, loops unrolled
constexpr int THREADS = 256;

__device__ int place(int row, int column)
{
	return row * 8 + (column ^ (row >> 2 & 7));
}

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned words[8 * THREADS];
	const unsigned *block = in + 8 * THREADS * blockIdx.x;
#pragma unroll
	for (int w = threadIdx.x; w < 8 * THREADS; w += THREADS)
		words[place(w >> 3, w & 7)] = block[w];
	__syncthreads();
	unsigned sum = 0;
#pragma unroll
	for (int c = 0; c < 8; c++)
		sum += words[place(threadIdx.x, c)];
	out[THREADS * blockIdx.x + threadIdx.x] = sum;
}
