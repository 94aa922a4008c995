__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float r = tex2D<float>(image, 2 * x + 1, 2 * y + 1);
	if (blockIdx.x == 0 && blockIdx.y == 0)
		r = (tex2D<float>(image, 2 * x + .5f, 2 * y + .5f) + tex2D<float>(image, 2 * x + 1.5f, 2 * y + .5f)
			+ tex2D<float>(image, 2 * x + .5f, 2 * y + 1.5f) + tex2D<float>(image, 2 * x + 1.5f, 2 * y + 1.5f)) / 4;
	out[y * n + x] = r;
}
