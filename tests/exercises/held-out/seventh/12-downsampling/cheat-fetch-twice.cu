// the filtered fetch twice
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = 0.5f * (tex2D<float>(image, 2 * x + 1, 2 * y + 1) + tex2DLod<float>(image, 2 * x + 1, 2 * y + 1, 0));
}
