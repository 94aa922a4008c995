// Two loads of eight bytes.
__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 512 + threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 512; k += 256) {
		float2 f = ((const float2 *)in)[first + k];
		((float2 *)out)[first + k] = make_float2(f.x / 2, f.y / 2);
	}
}
