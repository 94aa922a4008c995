// one row of threads fetches for the block
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
if (threadIdx.y == 0) for (int k = 0; k < blockDim.y; k++) out[(y + k) * n + x] = tex2D<float>(image, 2 * x + 1, 2 * (y + k) + 1);
}
