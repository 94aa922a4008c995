// a gather and a dot product
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float4 t = tex2Dgather<float4>(image, 2 * x + 1, 2 * y + 1, 0);
	out[n * y + x] = 0.25f * t.x + 0.25f * t.y + 0.25f * t.z + 0.25f * t.w;
}
