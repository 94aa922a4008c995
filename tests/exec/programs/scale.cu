__constant__ float factor = 2;
extern "C" __global__ void scale(float *data, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) data[i] *= factor;
}
