// The fetch with an explicit level, and the first overload that returns through a pointer.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float mean;
	tex2D(&mean, image, (float)(2 * x + 1), (float)(2 * y + 1));
	out[y * n + x] = mean;
}
