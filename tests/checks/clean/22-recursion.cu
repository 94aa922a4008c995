// @kernel kernel
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out i < 2 ? i : i == 2 ? 1 : i == 3 ? 2 : i == 4 ? 3 : i == 5 ? 5 : i == 6 ? 8 : i == 7 ? 13 : i % 8 < 2 ? i % 8 : i % 8 == 2 ? 1 : i % 8 == 3 ? 2 : i % 8 == 4 ? 3 : i % 8 == 5 ? 5 : i % 8 == 6 ? 8 : 13
__device__ __noinline__ int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void kernel(int *out)
{
	out[threadIdx.x] = fibonacci(threadIdx.x % 8);
}
