// The common corner of four texels is equally far from all of them: the filter gives each
// a weight of exactly one quarter.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = tex2D<float>(image, 2 * x + 1, 2 * y + 1);
}
