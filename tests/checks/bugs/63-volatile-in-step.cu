// The last rounds of a sum, as one wrote them when a warp ran in step: volatile, and no __syncwarp().
// @kernel last_rounds
// @block 32
// @buffer out i32 1 poison
// @buffer in i32 64 i
// @arg out
// @arg in
__global__ void last_rounds(int *out, const int *in)
{
	__shared__ int words[64];
	volatile int *s = words;
	int tid = threadIdx.x;
	s[tid] = in[tid];
	s[tid + 32] = in[tid + 32];
	int sum = s[tid] + s[tid + 32];
	s[tid] = sum;
	sum += s[tid + 16]; // @race
	s[tid] = sum;       // @race
	if (tid == 0)
		*out = sum;
}
