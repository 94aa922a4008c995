// @kernel reduce
// @grid 2
// @block 128
// @buffer out i32 1 0
// @buffer in i32 1000 i
// @arg out
// @arg in
// @arg i32 1000
// @expect out 499500
__global__ void reduce(int *out, const int *in, int n)
{
	__shared__ int part[4];
	int v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v += in[i];
	for (int d = 16; d; d /= 2)
		v += __shfl_down_sync(0xffffffff, v, d);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(out, part[0] + part[1] + part[2] + part[3]);
}
