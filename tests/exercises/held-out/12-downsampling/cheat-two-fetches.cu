__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = (tex2D<float>(image, 2 * x + 1, 2 * y + 0.5f) + tex2D<float>(image, 2 * x + 1, 2 * y + 1.5f)) / 2;
}
