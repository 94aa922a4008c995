// cheat: a warp takes every second column of two rows' worth: twice the sectors that are needed
__global__ void damp(float *out, const float *in, int n)
{
	// pairs of warps share 64 consecutive elements of the matrix, one takes the even ones, one the odd ones
	int tid = threadIdx.y * 32 + threadIdx.x;
	int block = blockIdx.y * gridDim.x + blockIdx.x;
	int i = block * 256 + tid / 64 * 64 + 2 * (tid % 32) + tid / 32 % 2;
	out[i] = 0.5f * in[i];
}
