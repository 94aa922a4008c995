// an aligned struct and a loop
struct alignas(16) Four { float x[4]; };
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
Four v = reinterpret_cast<const Four *>(in)[i];
#pragma unroll
for (int k = 0; k < 4; k++) v.x[k] *= 0.5f;
reinterpret_cast<Four *>(out)[i] = v;
}
