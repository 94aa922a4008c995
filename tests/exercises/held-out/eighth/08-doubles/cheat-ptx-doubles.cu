// cheat: inline PTX with double-precision instructions under C++ code that shows none
__device__ float mix(float a, float x, float b, float y)
{
	float r;
	asm("{\n\t.reg .f64 p, q, s;\n\tcvt.f64.f32 p, %1;\n\tcvt.f64.f32 q, %2;\n\tmul.rn.f64 s, p, q;\n\t"
		"cvt.f64.f32 p, %3;\n\tcvt.f64.f32 q, %4;\n\tfma.rn.f64 s, p, q, s;\n\tcvt.rn.f32.f64 %0, s;\n\t}"
		: "=f"(r) : "f"(a), "f"(x), "f"(b), "f"(y));
	return r;
}

__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = mix(0.299f, x, 0.587f, 1.0f - x) + 0.114f * x * x;
	}
}
