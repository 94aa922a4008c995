// Of a pair that is loaded at once, the half that was not written is selected; so is a value in a loop.
// @kernel pairs
// @block 64
// @buffer out i32 128 0
// @buffer in i32 64 1
// @buffer fresh i32 1024 poison
// @arg out
// @arg in
// @arg fresh
// @arg i32 3
__global__ void pairs(int *out, const int *in, const int *fresh, int n)
{
	__shared__ int2 s[64];
	int t = threadIdx.x;
	s[t].x = t;
	__syncthreads();
	int2 v = s[t]; // @init
	out[t] = in[t] == 1 ? v.y : v.x;
	int last = 0;
	for (int i = 0; i < n; i++) {
		int w = fresh[t * 16 + i]; // @init
		last = in[t] == i ? w : last;
	}
	out[64 + t] = last;
}
