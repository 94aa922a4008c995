// @kernel shift
// @grid 2
// @block 64
// @buffer out i32 100 poison
// @buffer in i32 100 i
// @arg out
// @arg in
// @arg i32 100
__global__ void shift(int *out, const int *in, int n)
{
	__shared__ int s[64];
	int i = blockIdx.x * 64 + threadIdx.x;
	if (i >= n)
		return;
	s[threadIdx.x] = in[i];
	__syncthreads(); // @sync
	out[i] = threadIdx.x ? s[threadIdx.x - 1] : 0;
}
