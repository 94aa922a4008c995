// loads the float4 four times, uses a component each
__global__ void scale(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float r[4];
#pragma unroll
for (int k = 0; k < 4; k++) { float a, b, c, d; asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(in + 4 * i)); r[k] = 0.5f * (k == 0 ? a : k == 1 ? b : k == 2 ? c : d); } ((float4 *)out)[i] = make_float4(r[0], r[1], r[2], r[3]);
}
