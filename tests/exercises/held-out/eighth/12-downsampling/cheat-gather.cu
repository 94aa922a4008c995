// cheat: gathers the four texels without the filter, and adds them up
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float4 t = tex2Dgather<float4>(image, 2 * x + 1, 2 * y + 1, 0);
	out[y * n + x] = (t.x + t.y + t.z + t.w) / 4;
}
