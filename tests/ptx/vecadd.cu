extern "C" __global__ void vecadd(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

extern "C" __global__ void unguarded(float *c, const float *a, const float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	c[i] = a[i] + b[i];
}

extern "C" __global__ void vec4(float4 *c, const float4 *a, float s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = a[i];
	v.x *= s; v.y *= s; v.z *= s; v.w *= s;
	c[i] = v;
}

/* Cases (golden.c)

case whole blocks
kernel vecadd
grid 8
block 128
buffer c f32 1024 0
buffer a f32 1024 i
buffer b f32 1024 i * 0.5
arg c
arg a
arg b
arg i32 1024
expect c a[i] + b[i]
expect a i
count global_load_requests 64
count global_load_sectors 256
count global_store_requests 32
count global_store_sectors 128
count global_load_bytes 8192
count branches 32
count divergent_branches 0

case a ragged end
kernel vecadd
grid 8
block 128
buffer c f32 1000 -1
buffer a f32 1000 i
buffer b f32 1000 2 * i
arg c
arg a
arg b
arg i32 1000
expect c 3 * i
count global_load_requests 64
count global_store_sectors 125
count divergent_branches 1

case one element past the end
kernel unguarded
grid 4
block 64
status fault
buffer c f32 255 0
buffer a f32 256 i
buffer b f32 256 i
arg c
arg a
arg b
fault out of bounds
line 11
at 3 0 0 63 0 0
threads 1
target c 1020 1020
says just past the end of c (1020 bytes)

case misaligned
kernel unguarded
block 32
status fault
buffer c f32 64 0
buffer a f32 64 i
buffer b f32 64 i
arg c
arg a 2
arg b
fault misaligned address
line 11
threads 32
at 0 0 0 0 0 0
target a 2 256

case an offset argument
kernel unguarded
block 32
buffer c f32 64 0
buffer a f32 64 i
buffer b f32 64 i
arg c 128
arg a 4
arg b
expect c i < 32 ? 0 : 2 * (i - 32) + 1
count global_load_sectors 9
count global_store_sectors 4

case vectors of four
kernel vec4
grid 2
block 32
buffer c f32 256 0
buffer a f32 256 i
arg c
arg a
arg f32 0.5
expect c i * 0.5
count global_load_requests 2
count global_load_sectors 32
count global_store_sectors 32

case vectors of four, shifted
kernel vec4
block 32
status fault
buffer c f32 256 0
buffer a f32 256 i
arg c
arg a 8
arg f32 0.5
fault misaligned address
line 17
*/
