// The stride is taken for the start.
// @kernel fill
// @grid 4
// @block 32
// @buffer out i32 128 poison
// @arg out
// @arg i32 128
__global__ void fill(int *out, int n)
{
	for (int i = gridDim.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = i; // @unused
}
