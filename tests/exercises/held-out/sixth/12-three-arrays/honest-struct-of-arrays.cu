struct Arrays { double values[100]; int places[100]; char flags[100]; };
__global__ void arrays(double *__restrict__ out, const double *__restrict__ in)
{
	extern __shared__ double buffer[];
	Arrays &a = *reinterpret_cast<Arrays *>(buffer);
	const unsigned t = threadIdx.x, i = blockIdx.x * 100 + t;
	if (t < 100) {
		a.flags[t] = t % 3 == 0;
		a.places[t] = t * 7 % 100;
		a.values[t] = __ldg(in + i);
	}
	__syncthreads();
	if (t >= 100)
		return;
	const double v = a.values[a.places[t]];
	out[i] = a.flags[t] ? -v : v;
}
