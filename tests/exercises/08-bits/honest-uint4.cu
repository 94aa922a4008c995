// Four words for each of a quarter of the threads.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (4 * i + 3 < n) {
		uint4 w = ((const uint4 *)words)[i];
		((uint4 *)counts)[i] = make_uint4(__popc(w.x), __popc(w.y), __popc(w.z), __popc(w.w));
	} else
		for (int k = 4 * i; k < n; k++)
			counts[k] = __popc(words[k]);
}
