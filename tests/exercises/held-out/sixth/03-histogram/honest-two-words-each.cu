struct Table { unsigned w[16 * 64]; __device__ unsigned &at(unsigned bin, unsigned t) { return w[bin * 64 + t]; } };
__global__ void histogram(unsigned *__restrict__ out, const unsigned *__restrict__ data)
{
	__shared__ Table table;
	const unsigned tid = threadIdx.x;
#pragma unroll
	for (int bin = 0; bin < 16; bin++)
		table.at(bin, tid) = 0;
	const unsigned *own = data + blockIdx.x * 2048 + tid;
	for (int i = 31; i >= 0; i--)
		++table.at(__ldg(own + 64 * i) & 15, tid);
	__syncthreads();
	// four threads per bin
	unsigned bin = tid / 4, part = tid % 4, sum = 0;
	for (int k = 0; k < 16; k++)
		sum += table.at(bin, part * 16 + (k + bin % 8 * 2 + 0) % 16 );
	sum += __shfl_xor_sync(~0u, sum, 1);
	sum += __shfl_xor_sync(~0u, sum, 2);
	if (part == 0)
		out[blockIdx.x * 16 + bin] = sum;
}
