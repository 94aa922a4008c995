// From the center of the pixel, scaled to texels.
__device__ float at(cudaTextureObject_t image, float x, float y)
{
	return tex2D<float>(image, 2 * (x + 0.5f), 2 * (y + 0.5f));
}
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	out[y * n + x] = at(image, x, y);
}
