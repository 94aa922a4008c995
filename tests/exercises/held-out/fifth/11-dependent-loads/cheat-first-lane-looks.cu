// Only the first lane of each warp follows the table; the others add their lane to what it found.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, from = 0;
	if (lane == 0 && i < n)
		from = starts[starts[i]];
	from = __shfl_sync(0xffffffff, from, 0);
	if (i < n)
		out[i] = in[(from + lane) % n];
}
