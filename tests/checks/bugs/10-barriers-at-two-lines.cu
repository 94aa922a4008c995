// Two warps wait at one __syncthreads(), two at another.
// @kernel twice
// @block 128
// @buffer out i32 128 poison
// @arg out
__global__ void twice(int *out)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = t;
	if (t < 64) {
		__syncthreads();
		out[t] = s[127 - t];
	} else {
		__syncthreads(); // @sync
		out[t] = s[127 - t] * 2;
	}
}
