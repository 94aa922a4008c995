// Special functions: a sine, an exponential and a logarithm of every element, by the fast instructions.
__global__ void waves(float *y, const float *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = x[i];
#pragma unroll
	for (int k = 0; k < 8; k++) v = __sinf(v) + __expf(-v * v) + __logf(1 + v * v);
	y[i] = v;
}
