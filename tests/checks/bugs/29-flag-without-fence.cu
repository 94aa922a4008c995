// The flag may be seen before the data.
// @kernel pass
// @grid 2
// @block 1
// @buffer out i32 1 poison
// @buffer data i32 1 0
// @buffer flag i32 1 0
// @arg out
// @arg data
// @arg flag
__global__ void pass(int *out, int *data, volatile int *flag)
{
	if (blockIdx.x == 0) {
		*data = 42;
		*flag = 1;
	} else {
		while (*flag == 0) {
		}
		__threadfence();
		*out = *data; // @race
	}
}
