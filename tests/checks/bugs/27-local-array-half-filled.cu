// @kernel pick
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 32 i
// @arg out
// @arg in
// @arg i32 4
__global__ void pick(int *out, const int *in, int n)
{
	int a[8];
#pragma unroll 1
	for (int k = 0; k < n; k++)
		a[k] = in[k];
	out[threadIdx.x] = a[threadIdx.x % 8]; // @init
}
