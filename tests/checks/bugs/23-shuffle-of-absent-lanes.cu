// The halves of a warp shuffle at two places, each naming all 32 lanes.
// @kernel halves
// @block 32
// @buffer out i32 32 poison
// @arg out
__global__ void halves(int *out)
{
	int l = threadIdx.x, v;
	if (l < 16)
		v = __shfl_down_sync(0xffffffff, l, 1);
	else
		v = __shfl_up_sync(0xffffffff, l * 3, 2); // @sync
	out[l] = v;
}
