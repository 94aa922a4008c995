// @kernel pass
// @grid 2
// @block 1
// @buffer out i32 1 0
// @buffer data i32 1 0
// @buffer flag i32 1 0
// @arg out
// @arg data
// @arg flag
__global__ void pass(int *out, int *data, int *flag)
{
	if (blockIdx.x == 0) {
		*data = 42;
		__threadfence();
		*flag = 1;
	} else if (*flag) { // @race
		__threadfence();
		*out = *data; // @race
	}
}
