// === cheat-values-only
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	int tid = threadIdx.x;
	if (tid < 100) {
		values[tid] = in[blockIdx.x * 100 + tid];
		((volatile int *)(values + 100))[tid] = 0;
		((volatile char *)(values + 150))[tid] = 0;
	}
	__syncthreads();
	if (tid < 100) {
		double v = values[tid * 7 % 100];
		out[blockIdx.x * 100 + tid] = tid % 3 == 0 ? -v : v;
	}
}

// === honest-flags-between
// Doubles, flags, ints: 900 is a multiple of 4.
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	char *flags = (char *)(values + N);
	int *places = (int *)(flags + N);
	int t = threadIdx.x;
	if (t < N) {
		values[t] = in[blockIdx.x * N + t];
		flags[t] = t % 3 == 0;
		places[t] = t * 7 % N;
	}
	__syncthreads();
	if (t < N) {
		double v = values[places[t]];
		out[blockIdx.x * N + t] = flags[t] ? -v : v;
	}
}

// === honest-ints-first
// Ints, doubles, flags: 400 is a multiple of 8.
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ __align__(16) char buffer[];
	int *places = (int *)buffer;
	double *values = (double *)(buffer + 4 * N);
	char *flags = buffer + 12 * N;
	int tid = threadIdx.x;
	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}

// === honest-structure
// A structure whose members descend in size.
struct Arrays {
	double values[100];
	int places[100];
	char flags[100];
};
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double memory[];
	Arrays &s = *(Arrays *)memory;
	unsigned tid = threadIdx.x, i = blockIdx.x * 100 + tid;
	if (tid < 100) {
		s.places[tid] = 7 * tid % 100;
		s.flags[tid] = !(tid % 3);
		s.values[tid] = in[i];
	}
	__syncthreads();
	if (tid >= 100)
		return;
	double value = s.values[s.places[tid]];
	out[i] = s.flags[tid] ? -value : value;
}

// === cheat-padded
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	char *flags = (char *)buffer;
	double *values = &buffer[13];
	int *places = (int *)&values[N];
	int tid = threadIdx.x, own = (tid * 7) % N;
	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
		if (tid < N - 1)
			places[tid] = own;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		int p = tid < N - 1 ? places[tid] : own;
		out[blockIdx.x * N + tid] = flags[tid] ? -values[p] : values[p];
	}
}

// === cheat-small-places
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	char *flags = (char *)buffer;
	double *values = &buffer[13];
	unsigned char *places = (unsigned char *)&values[N];
	int tid = threadIdx.x;
	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}

// === cheat-halves-of-doubles
// Two arrays of int instead of one of double.
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ int buffer[];
	char *flags = (char *)buffer;
	int *low = &buffer[N / 4], *high = &low[N], *places = &high[N];
	int tid = threadIdx.x;
	if (tid < N) {
		double value = in[blockIdx.x * N + tid];
		low[tid] = __double2loint(value);
		high[tid] = __double2hiint(value);
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		double value = __hiloint2double(high[places[tid]], low[places[tid]]);
		out[blockIdx.x * N + tid] = flags[tid] ? -value : value;
	}
}
