__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float4 q = tex2Dgather<float4>(image, 2 * x + 1, 2 * y + 1);
	out[y * n + x] = (q.x + q.y + q.z + q.w) / 4;
}
