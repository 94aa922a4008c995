/* Every thread takes a path of its own. */
extern "C" __global__ void nest(int *out)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x, r;
	if (i & 1) {
		if (i & 2)
			r = 10 + i;
		else
			r = 20 - i;
		r *= 3;
	} else if (i % 3 == 0) {
		r = i * i;
	} else {
		r = -i;
	}
	out[i] = r + 1000;
}

extern "C" __global__ void loops(int *out, int n)
{
	int i = threadIdx.x, sum = 0;
	for (int k = 0; k < n; k++) {
		if (k == i)
			continue;
		if (k > 2 * i)
			break;
		for (int j = 0; j < (k & 3); j++) {
			if (j == (i & 1) + 1)
				break;
			sum += j + k;
		}
	}
	out[i] = sum;
}

extern "C" __global__ void early(int *out, const int *in, int n)
{
	__shared__ int s[64];
	int i = threadIdx.x;
	if (i >= n)
		return;
	s[i] = in[i];
	__syncthreads();
	out[i] = s[n - 1 - i];
}

extern "C" __global__ void choose(int *out, int k)
{
	int i = threadIdx.x;
	switch (out[i]) {
	case 0: out[i] = k * 3; break;
	case 1: out[i] = i - 7; break;
	case 2: out[i] = k ^ 55; break;
	case 3: out[i] += 9; break;
	case 4: out[i] = i << 2; break;
	case 5: out[i] = i * i * k; break;
	case 6: out[i] = 99 / k; break;
	case 7: out[i] = ~i; break;
	default: out[i] = -1;
	}
}

extern "C" __global__ void collatz(int *out)
{
	int i = threadIdx.x + 1, n = i, steps = 0;
	while (n != 1) {
		n = n % 2 ? 3 * n + 1 : n / 2;
		steps++;
	}
	out[threadIdx.x] = steps;
}
