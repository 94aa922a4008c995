// a lock of the float's sign bit
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { float v = in[i]; bool done = false; while (!done) { int o = atomicOr((int *)most, 0x80000000); if (o >= 0) { atomicExch(most, fmaxf(v, __int_as_float(o))); done = true; } } }
}
