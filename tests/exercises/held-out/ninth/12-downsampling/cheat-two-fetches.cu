// cheat: the filter computes the mean of two texels, and the kernel the mean of two fetches
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = 2 * x + 1, v = 2 * y + 0.5f;
	out[y * n + x] = (tex2D<float>(image, u, v) + tex2D<float>(image, u, v + 1)) / 2;
}
