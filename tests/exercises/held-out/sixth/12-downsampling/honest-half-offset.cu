__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int i = (blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x;
	float v;
	tex2D(&v, image, 2.0f * (i % n) + 1.0f, 2.0f * (i / n) + 1.0f);
	out[i] = v;
}
