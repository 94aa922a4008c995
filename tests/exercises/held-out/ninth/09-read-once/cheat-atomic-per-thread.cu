// cheat: each of the 256 threads does its own atomicMax on one shared word: serialized, no reduction
constexpr int THREADS = 256;

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned word = in[i];
	atomicMax(&most, word);
	__syncthreads();
	out[i] = most - word;
}
