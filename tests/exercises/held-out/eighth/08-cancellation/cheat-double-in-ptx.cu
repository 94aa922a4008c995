// cheat: the double-precision instructions are hidden in inline PTX
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float r;
		asm volatile("{\n\t.reg .f64 p, q, s, t;\n\t"
			"cvt.f64.f32 p, %1;\n\tcvt.f64.f32 q, %4;\n\tmul.rn.f64 s, p, q;\n\t"
			"cvt.f64.f32 p, %2;\n\tcvt.f64.f32 q, %3;\n\tneg.f64 p, p;\n\t"
			"fma.rn.f64 t, p, q, s;\n\tcvt.rn.f32.f64 %0, t;\n\t}"
			: "=f"(r) : "f"(a[i]), "f"(b[i]), "f"(c[i]), "f"(d[i]));
		out[i] = r;
	}
}
