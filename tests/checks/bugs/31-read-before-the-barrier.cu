// Thread 0 sums before the others are done.
// @kernel sum
// @schedules
// @block 128
// @buffer out i32 1 poison
// @buffer in i32 128 i
// @arg out
// @arg in
__global__ void sum(int *out, const int *in)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x]; // @race
	if (threadIdx.x == 127) {
		int total = 0;
		for (int k = 0; k < 128; k++)
			total += s[k];
		*out = total;
	}
}
