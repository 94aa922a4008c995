// An image of one byte a pixel turned by ninety degrees, without shared memory.
__global__ void rotate(unsigned char *out, const unsigned char *in, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[x * n + (n - 1 - y)] = in[y * n + x];
}
