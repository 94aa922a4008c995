// A grid-stride loop over the pixels.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < n; y += gridDim.y * blockDim.y)
		for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n; x += gridDim.x * blockDim.x)
			out[y * n + x] = tex2D<float>(image, 2 * x + 1, 2 * y + 1);
}
