// @kernel validate
// @grid 2
// @block 64
// @buffer values i32 100 3 * i
// @buffer wrong i32 2 0
// @arg values
// @arg wrong
// @arg i32 100
// @expect wrong 0
/* Nothing is wrong, so nothing is written. */
__global__ void validate(const int *values, int *wrong, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		if (values[i] != 3 * i)
			wrong[0] = 1;
		if (values[i] % 3)
			atomicAdd(&wrong[1], 1);
	}
}
