// Elements picked by an index from all over a vector.
__global__ void gather(float *out, const float *in, const int *index) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[index[i]];
}
