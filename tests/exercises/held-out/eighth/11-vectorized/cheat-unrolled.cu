// cheat: four loads in flight after unrolling, but still four instructions of one word
__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 1024 + threadIdx.x;
	float x[4];
#pragma unroll
	for (int k = 0; k < 4; k++)
		x[k] = in[first + k * 256];
#pragma unroll
	for (int k = 0; k < 4; k++)
		out[first + k * 256] = 0.5f * x[k];
}
