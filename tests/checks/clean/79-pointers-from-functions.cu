// @kernel gathered
// @block 32
// @buffer out i32 32 poison
// @buffer a i32 64 i
// @buffer b i32 64 1000 + i
// @arg out
// @arg a
// @arg b
// @expect out i % 2 * 1000 + 2 * i
__device__ __noinline__ int *chosen(int *a, int *b, int odd)
{
	return odd ? b : a;
}
__global__ void gathered(int *out, int *a, int *b)
{
	int *from = chosen(a, b, threadIdx.x & 1);
	out[threadIdx.x] = from[2 * threadIdx.x];
}
