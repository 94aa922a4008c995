__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned half[16];
	unsigned tid = threadIdx.x, lane = tid % 32, sum = 0;
	for (int i = 0; i < 2048; i += 64) {
		unsigned v = data[blockIdx.x * 2048 + i + tid] % 16, same = ~0u;
#pragma unroll
		for (int b = 0; b < 4; b++) {
			unsigned m = __ballot_sync(~0u, v >> b & 1);
			same &= lane >> b & 1 ? m : ~m;
		}
		sum += __popc(same);
	}
	if (tid >= 32 && lane < 16)
		half[lane] = sum;
	__syncthreads();
	if (tid < 16)
		out[blockIdx.x * 16 + tid] = sum + half[tid];
}
