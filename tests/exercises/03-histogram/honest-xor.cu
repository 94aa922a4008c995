// The second loop goes through the row in another order: i exclusive or bin.
constexpr int T = 64, B = 16;
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned table[B][T];
	const int t = threadIdx.x;
#pragma unroll
	for (int b = 0; b < B; b++)
		table[b][t] = 0;
	for (const unsigned *p = data + blockIdx.x * 2048 + t, *end = p + 2048; p < end; p += T) {
		unsigned bin = *p % B;
		table[bin][t] += 1;
	}
	__syncthreads();
	if (t >= B)
		return;
	unsigned sum = 0;
#pragma unroll 4
	for (int i = 0; i < T; i++)
		sum += table[t][i ^ t];
	out[blockIdx.x * B + t] = sum;
}
