enum { X, Y, Z, MASS, PLANES };
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[PLANES][128];
	const float *from[PLANES] = {x, y, z, mass};
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid, other = tid + 2 & 127;
	float own[PLANES], d = 1;
#pragma unroll
	for (int p = 0; p < PLANES; p++)
		s[p][tid] = own[p] = from[p][i];
	__syncthreads();
#pragma unroll
	for (int p = X; p <= Z; p++)
		d = fmaf(s[p][other] - own[p], s[p][other] - own[p], d);
	pull[i] = __fdividef(s[MASS][other] * own[MASS], d);
}
