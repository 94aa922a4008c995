__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	const float u = fmaf(2.0f, (float)x, 1.0f), v = fmaf(2.0f, (float)y, 1.0f);
	float mean = tex2D<float>(image, u, v);
	out[n * y + x] = mean;
}
