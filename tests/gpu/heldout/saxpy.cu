// y += a x over every `stride`-th element.
__global__ void saxpy(float *y, const float *x, float a, int stride) {
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
	y[i] += a * x[i];
}
