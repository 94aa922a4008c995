// The last tile is read whole, though the data ended in it.
// @kernel sums
// @grid 2
// @block 64
// @buffer out i32 2 poison
// @buffer in i32 100 1
// @arg out
// @arg in
// @arg i32 100
__global__ void sums(int *out, const int *in, int n)
{
	__shared__ int tile[64];
	int i = blockIdx.x * 64 + threadIdx.x;
	if (i < n)
		tile[threadIdx.x] = in[i];
	__syncthreads();
	if (threadIdx.x == 0) {
		int total = 0;
		for (int k = 0; k < 64; k++)
			total += tile[k]; // @init
		out[blockIdx.x] = total;
	}
}
