// cheat: three terms by multiplication, the fourth power by the hardware's logarithm and exponential in PTX
__global__ void polynomial(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], fourth;
		asm("{\n\t.reg .f32 t;\n\tabs.f32 t, %1;\n\tlg2.approx.f32 t, t;\n\tmul.f32 t, t, 0f40800000;\n\t"
			"ex2.approx.f32 %0, t;\n\t}" : "=f"(fourth) : "f"(x));
		out[i] = 0.5f + x * (0.25f + x * (0.125f + x * 0.0625f)) + 0.03125f * fourth;
	}
}
