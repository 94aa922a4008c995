// @kernel walk
// @block 32
// @buffer out i32 32 poison
// @buffer next i32 64 i < 63 ? i + 1 : -1
// @arg out
// @arg next
// @expect out 64 - i
__global__ void walk(int *out, const int *next)
{
	int n = 0;
	for (int at = threadIdx.x; at >= 0; at = next[at])
		n++;
	out[threadIdx.x] = n;
}
