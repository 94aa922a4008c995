// @kernel beside
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 32 3 * i
// @arg out
// @arg in
// @expect out 3 * i + 1
__global__ void beside(int *out, const int *in)
{
	int *p = (int *)malloc(64);
	if (!p) {
		out[threadIdx.x] = -1;
		return;
	}
	p[1] = in[threadIdx.x];
	out[threadIdx.x] = p[1] + 1;
	free(p);
}
