// Task: downsample an image to half its size. Each pixel is the mean of four texels, and the
// kernel fetches all four. Let the linear filter of the texture compute the mean, in one fetch.
//
// The image has 2 * n by 2 * n texels, out[] n by n pixels; coordinates are in texels.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = 2 * x + 0.5f, v = 2 * y + 0.5f;
	float sum = tex2D<float>(image, u, v) + tex2D<float>(image, u + 1, v)
		+ tex2D<float>(image, u, v + 1) + tex2D<float>(image, u + 1, v + 1);
	out[y * n + x] = sum / 4;
}
