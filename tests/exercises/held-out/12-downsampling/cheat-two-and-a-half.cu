__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float a = tex2D<float>(image, 2 * x + 1, 2 * y + 1), b = tex2D<float>(image, 2 * x + 1.001f, 2 * y + 1);
	out[y * n + x] = a + 0 * b;
}
