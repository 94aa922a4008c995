// Four loads, one after the other, unrolled: in flight together, but four instructions.
__global__ void scale(float *out, const float *in)
{
	int first = blockIdx.x * 1024 + threadIdx.x;
	float a = in[first], b = in[first + 256], c = in[first + 512], d = in[first + 768];
	out[first] = a / 2;
	out[first + 256] = b / 2;
	out[first + 512] = c / 2;
	out[first + 768] = d / 2;
}
