// scalar loads into shared memory, one vector store
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ float4 s[256]; float *f = (float *)s; for (int k = tid; k < 1024; k += 256) f[k] = 0.5f * in[blockIdx.x * 1024 + k]; __syncthreads(); ((float4 *)out)[i] = s[tid];
}
