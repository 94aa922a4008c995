// @kernel scan
// @block 256
// @buffer out i32 256 poison
// @buffer in i32 256 1
// @arg out
// @arg in
// @expect out i + 1
__global__ void scan(int *out, const int *in)
{
	__shared__ int warps[8];
	int t = threadIdx.x, lane = t % 32, v = in[t];
	for (int d = 1; d < 32; d *= 2) {
		int up = __shfl_up_sync(0xffffffff, v, d);
		if (lane >= d)
			v += up;
	}
	if (lane == 31)
		warps[t / 32] = v;
	__syncthreads();
	if (t < 8) {
		int w = warps[t];
		for (int d = 1; d < 8; d *= 2) {
			int up = __shfl_up_sync(0xff, w, d);
			if (t >= d)
				w += up;
		}
		warps[t] = w;
	}
	__syncthreads();
	out[t] = v + (t >= 32 ? warps[t / 32 - 1] : 0);
}
