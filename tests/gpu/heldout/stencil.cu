// Five points of a plane, straight from global memory: neighbours in x come from L1, those in y mostly from L2.
__global__ void stencil(float *out, const float *in, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
	out[y * n + x] = 0.5f * in[y * n + x] +
					 0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
