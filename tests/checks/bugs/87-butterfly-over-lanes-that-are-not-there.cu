// Twenty-four lanes add across distances that reach behind them.
// @kernel butterfly
// @block 32
// @buffer x i32 32 i
// @buffer out i32 1 poison
// @arg x
// @arg out
__global__ void butterfly(const int *x, int *out)
{
	int l = threadIdx.x, v = x[l];
	if (l < 24) {
		v += __shfl_xor_sync(0xffffff, v, 16); // @sync
		v += __shfl_xor_sync(0xffffff, v, 8);
		v += __shfl_xor_sync(0xffffff, v, 4);
		v += __shfl_xor_sync(0xffffff, v, 2);
		v += __shfl_xor_sync(0xffffff, v, 1);
		if (l == 0)
			*out = v;
	}
}
