// the modulo by search through in[]
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { float v = 0; for (int k = 0; k < 4; k++) { int j = i + 194 - k * n; if (j >= 0 && j < n) v = in[j]; else v += 0 * ((const volatile float *)in)[i]; } out[i] = v; }
}
