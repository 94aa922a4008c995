// A thread's four elements are consecutive: one load of 16 bytes.
//
// Blocks of 256 threads, four elements per thread.
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 x = ((const float4 *)in)[i];
	x.x *= 0.5f;
	x.y *= 0.5f;
	x.z *= 0.5f;
	x.w *= 0.5f;
	((float4 *)out)[i] = x;
}
