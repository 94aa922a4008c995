// a single double FMA in PTX
__global__ void determinant(float *out, const float *a, const float *b, const float *c, const float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { double p = (double)b[i] * c[i], r; asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"((double)a[i]), "d"((double)d[i]), "d"(-p)); out[i] = r; }
}
