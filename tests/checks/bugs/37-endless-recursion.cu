// @kernel fall
// @block 1
// @buffer out i32 1 0
// @arg out
// @arg i32 1
__device__ __noinline__ int deeper(int n, volatile int *out)
{
	int room[16];
	room[n & 15] = n;
	return n == 0 ? 0 : deeper(n + 1, out) + room[*out & 15]; // @memory
}
__global__ void fall(int *out, int n)
{
	*out = deeper(n, out);
}
