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

/* Cases (golden.c)

case if and else, nested
kernel nest
grid 3
block 40
buffer out i32 120 0
arg out
expect out 1000 + (i & 1 ? 3 * (i & 2 ? 10 + i : 20 - i) : i % 3 == 0 ? i * i : -i)

case loops with break and continue
kernel loops
block 8
buffer out i32 8 0
arg out
arg i32 12
# the same loops in Python
values out 0 5 4 24 24 71 48 84

case early return before a barrier
kernel early
block 64
buffer out i32 64 -5
buffer in i32 64 i * 7
arg out
arg in
arg i32 37
expect out i < 37 ? (36 - i) * 7 : -5

case early return of whole warps
kernel early
block 64
buffer out i32 64 -5
buffer in i32 64 i * 7
arg out
arg in
arg i32 32
expect out i < 32 ? (31 - i) * 7 : -5

case a switch
kernel choose
block 64
buffer out i32 64 i % 9
arg out
arg i32 4
expect out i % 9 == 0 ? 12 : i % 9 == 1 ? i - 7 : i % 9 == 2 ? 51 : i % 9 == 3 ? 12 : i % 9 == 4 ? i * 4 : i % 9 == 5 ? i * i * 4 : i % 9 == 6 ? 24 : i % 9 == 7 ? ~i : -1

case loops of different lengths
kernel collatz
block 32
buffer out i32 32 0
arg out
values out 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7 7 15 15 10 23 10 111 18 18 18 106 5
*/
