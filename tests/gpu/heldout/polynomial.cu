// A polynomial of degree 64 at every element: arithmetic in one chain a thread.
__global__ void polynomial(float *y, const float *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float at = x[i], sum = 1;
#pragma unroll
	for (int k = 0; k < 64; k++) sum = sum * at + (float)k;
	y[i] = sum;
}
