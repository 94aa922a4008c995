// @kernel apply
// @block 64
// @buffer out i32 64 poison
// @arg out
// @expect out i % 2 == 0 ? i + 10 : i * 10
__device__ __noinline__ int plus(int x) { return x + 10; }
__device__ __noinline__ int times(int x) { return x * 10; }
__global__ void apply(int *out)
{
	int (*f)(int) = threadIdx.x % 2 ? times : plus;
	out[threadIdx.x] = f(threadIdx.x);
}
