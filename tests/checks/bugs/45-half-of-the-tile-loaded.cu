// The block has half as many threads as the tile has elements.
// @kernel sum
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 64 i
// @arg out
// @arg in
__global__ void sum(int *out, const int *in)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 32]; // @init
}
