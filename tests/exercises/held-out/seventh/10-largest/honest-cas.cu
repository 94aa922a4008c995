// compare-and-swap of floats, only while larger
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i >= n) return; float v = in[i]; int *p = (int *)most; int o = *(volatile int *)p; while (v > __int_as_float(o)) { int e = o; o = atomicCAS(p, e, __float_as_int(v)); if (o == e) break; }
}
