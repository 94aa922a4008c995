// honest: blocks take pieces of 256 elements in turn, from the last one to the first
__device__ __forceinline__ void scale_one(float *to, const float *from, float by) { *to = by * *from; }

__global__ void scale(float *y, const float *x, float factor, int n)
{
	int pieces = (n + blockDim.x - 1) / blockDim.x;
	for (int piece = pieces - 1 - (int)blockIdx.x; piece >= 0; piece -= gridDim.x) {
		int i = piece * blockDim.x + threadIdx.x;
		if (i < n)
			scale_one(y + i, x + i, factor);
	}
}
