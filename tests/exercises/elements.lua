-- What one element of an exercise's result is, from the inputs alone: of this cheats are made that compute the right result the
-- wrong way (lua/gpulab/run/cheats.lua). LOAD(p, i) reads p[i].
--   params, n   the kernel's parameters; how many elements there are
--   of          the statements that return element i; or act, which does what is to be done for i
--   out         the output's name, the first parameter's by default
--   except      cheats that would be honest here, by name
--   before      what stands before the kernel
local product = { params = "float *C, const float *A, const float *B, int n", n = "n * n",
  of = "float s = 0; for (int k = 0; k < n; k++) s += LOAD(A, i / n * n + k) * LOAD(B, k * n + i % n); return s;" }

-- The same of 16-bit floats, which tensor cores are to multiply.
local function short_product(type, value, header)
  return { before = ("#include <%s>"):format(header), n = "n * n",
    params = ("float *C, const %s *A, const %s *B, int n"):format(type, type),
    of = ("float s = 0; for (int k = 0; k < n; k++) s += %s(LOAD(A, i / n * n + k)) * %s(LOAD(B, k * n + i %% n)); return s;")
      :format(value, value), except = { asm = true, atomics = true } } -- these load words
end

local bf16 = short_product("__nv_bfloat16", "__bfloat162float", "cuda_bf16.h")

local function like(base, changes)
  local made = {}
  for k, v in pairs(base) do made[k] = v end
  for k, v in pairs(changes) do made[k] = v end
  return made
end

local simple <const> = { token = true, asm = true } -- a thread per element is what is asked for

local TILES <const> = "const int t = i % 256, first = i / 256 * tiles * 256; int s = 0; for (int k = first; k < first + "
  .. "256 * tiles; k += 256) s += abs(LOAD(in, k + (t + 1) % 256) - LOAD(in, k + t)); return s;"

return {
  ["01-more-elements"] = { params = "float *y, const float *x, float factor, int n", n = "n",
    of = "return factor * LOAD(x, i);", except = simple },
  ["01-divergence"] = { params = "unsigned *out, const unsigned *in", n = "TOTAL",
    of = "unsigned x = LOAD(in, i); for (int k = 0; k < 64; k++) x = i % 2 ? (x ^ x >> 3) + 7 : x * x + 1; return x;" },
  ["01-count"] = { params = "int *counts, const int *data", n = "TOTAL / 32",
    of = "int s = 0; for (int k = 0; k < 32; k++) s += LOAD(data, 32 * i + k) > 0; return s;" },
  ["01-three-loops"] = product,
  ["02-coalesced"] = { params = "float *out, const float *in, int n", n = "n * n", of = "return 0.5f * LOAD(in, i);",
    except = simple },
  ["02-bytes"] = { params = "unsigned char *out, const unsigned char *in", n = "4 * TOTAL",
    of = "return 255 - LOAD(in, i);" },
  ["02-aos"] = { params = "float *out, const float *points", n = "TOTAL",
    of = "float x = LOAD(points, 3 * i), y = LOAD(points, 3 * i + 1), z = LOAD(points, 3 * i + 2);"
      .. " return x * x + y * y + z * z;" },
  ["03-row-sums"] = { params = "float *sums, const float *in", n = "TOTAL",
    of = "float s = 0; for (int k = 0; k < 32; k++) s += LOAD(in, 32 * i + k); return s;" },
  ["03-swizzle"] = { params = "float *odata, const float *idata, int n", n = "n * n",
    of = "return LOAD(idata, i % n * n + i / n);" },
  ["03-histogram"] = { params = "unsigned *out, const unsigned *data", n = "16 * gridDim.x",
    of = "unsigned s = 0; for (int k = 0; k < 2048; k++) s += LOAD(data, i / 16 * 2048 + k) % 16 == i % 16; return s;" },
  ["03-aos"] = { params = "float *pull, const float *x, const float *y, const float *z, const float *mass",
    n = "TOTAL",
    of = "int o = i / 128 * 128 + (i + 2) % 128; float dx = LOAD(x, o) - LOAD(x, i), dy = LOAD(y, o) - LOAD(y, i),"
      .. " dz = LOAD(z, o) - LOAD(z, i); return LOAD(mass, o) * LOAD(mass, i) / (dx * dx + dy * dy + dz * dz + 1);" },
  ["04-rectangle"] = { params = "float *odata, const float *idata, int rows, int columns", n = "rows * columns",
    of = "return LOAD(idata, i % rows * columns + i / rows);" },
  ["04-rotate-right"] = { params = "float *odata, const float *idata, int n", n = "n * n",
    of = "return LOAD(idata, (n - 1 - i % n) * n + i / n);" },
  ["04-in-place"] = { params = "float *data, int n", n = "n * n",
    act = "int r = i / n, c = i % n; if (r < c) { float x = data[i]; data[i] = data[c * n + r]; data[c * n + r] = x; }",
    except = { closed = true, atomics = true, asm = true, repeated = true } },
  ["05-warp-sums"] = { params = "int *sums, const int *v", n = "TOTAL / 32",
    of = "int s = 0; for (int k = 0; k < 32; k++) s += LOAD(v, 32 * i + k); return s;" },
  ["05-last-warp"] = { params = "int *sums, const int *v", n = "gridDim.x",
    of = "int s = 0; for (int k = 0; k < 256; k++) s += LOAD(v, 256 * i + k); return s;" },
  ["05-largest"] = { params = "int *most, const int *v", n = "gridDim.x",
    of = "int s = LOAD(v, 256 * i); for (int k = 1; k < 256; k++) s = max(s, LOAD(v, 256 * i + k)); return s;" },
  ["05-any-size"] = { params = "int *sums, const int *v, int n", n = "gridDim.x",
    of = "int s = 0; for (int k = 256 * i; k < 256 * i + 256 && k < n; k++) s += LOAD(v, k); return s;",
    except = { closed = true } },
  ["06-coalesced"] = like(product, { except = simple }),
  ["06-any-size"] = product,
  ["06-b-transposed"] = like(product, { params = "float *C, const float *A, const float *Bt, int n",
    of = "float s = 0; for (int k = 0; k < n; k++) s += LOAD(A, i / n * n + k) * LOAD(Bt, i % n * n + k); return s;" }),
  ["06-four-rows"] = product,
  ["07-padding"] = product,
  ["07-outer-product"] = product,
  ["07-vectorized"] = product,
  ["07-one-barrier"] = product,
  ["08-doubles"] = { params = "float *out, const float *in, int n", n = "n", except = simple,
    of = "float x = LOAD(in, i); return 0.299f * x + 0.587f * (1 - x) + 0.114f * x * x;" },
  ["08-polynomial"] = { params = "float *out, const float *in, int n", n = "n", except = simple,
    of = "float x = LOAD(in, i); return 0.5f + x * (0.25f + x * (0.125f + x * (0.0625f + x * 0.03125f)));" },
  ["08-bits"] = { params = "unsigned *counts, const unsigned *words, int n", n = "n", except = simple,
    of = "return __popc(LOAD(words, i));" },
  ["08-cancellation"] = { params = "float *out, const float *a, const float *b, const float *c, const float *d, int n", n = "n",
    except = simple,
    of = "float p = LOAD(b, i) * LOAD(c, i), e = fmaf(-LOAD(b, i), LOAD(c, i), p); return fmaf(LOAD(a, i), LOAD(d, i), -p) + e;" },
  ["09-read-once"] = { params = "unsigned *out, const unsigned *in", n = "TOTAL",
    of = "unsigned s = 0; for (int k = 0; k < 256; k++) s = max(s, LOAD(in, i / 256 * 256 + k)); return s - LOAD(in, i);" },
  ["09-coalesced"] = { params = "unsigned *out, const unsigned *in", n = "TOTAL",
    of = "unsigned s = 0; for (int k = 0; k < 8; k++) s += LOAD(in, 8 * i + k); return s;" },
  ["09-chunks"] = { params = "unsigned *out, const unsigned *in, int first, int count", n = "count",
    act = "out[first + i] = (first + i) * LOAD(in, first + i);", except = { token = true, asm = true } },
  ["09-one-store"] = { params = "unsigned *counts, const unsigned *words", n = "gridDim.x",
    of = "unsigned s = 0; for (int k = 0; k < 1024; k++) s += LOAD(words, 1024 * i + k) % 2 == 0; return s;" },
  ["10-early-return"] = { params = "int *out, const int *in, int n", n = "n",
    of = "return i % 256 == 255 || i == n - 1 ? 0 : LOAD(in, i + 1);", except = { token = true, asm = true } },
  ["10-one-atomic"] = { params = "unsigned *found, const int *in, int limit, int n", n = "1",
    of = "unsigned s = 0; for (int k = 0; k < n; k++) s += LOAD(in, k) > limit; return s;" },
  ["10-largest"] = { params = "float *most, const float *in, int n", n = "1",
    of = "float s = 0; for (int k = 0; k < n; k++) s = fmaxf(s, LOAD(in, k)); return s;" },
  ["10-one-launch"] = { params = "int *total, int *sums, unsigned *count, const int *v", n = "1",
    of = "int s = 0; for (int k = 0; k < TOTAL; k++) s += LOAD(v, k); return s;" },
  ["11-vectorized"] = { params = "float *out, const float *in", n = "4 * TOTAL", of = "return 0.5f * LOAD(in, i);" },
  ["11-dependent-loads"] = { params = "float *out, const float *in, const int *starts, int n", n = "n",
    of = "return LOAD(in, LOAD(starts, LOAD(starts, i)));" },
  ["11-registers"] = { params = "float *out, const float *in", n = "8 * TOTAL", of = "return 2 * LOAD(in, i ^ 7);",
    except = { token = true, asm = true, strided = true } },
  ["12-coefficients"] = { before = "__constant__ float coefficients[32];", params = "float *out, const float *in", n = "TOTAL",
    of = "float s = 0; for (int k = 0; k < 32; k++) s += coefficients[(k + i) % 32] * LOAD(in, i + (k + i) % 32); return s;" },
  ["12-downsampling"] = { params = "float *out, cudaTextureObject_t image, int n", n = "n * n",
    of = "float u = 2 * (i % n) + 0.5f, v = 2 * (i / n) + 0.5f; return (tex2D<float>(image, u, v) + tex2D<float>(image, u + 1, v)"
      .. " + tex2D<float>(image, u, v + 1) + tex2D<float>(image, u + 1, v + 1)) / 4;",
    except = { closed = true, atomics = true, asm = true } },
  ["12-table"] = { before = "__constant__ unsigned table[256];", params = "unsigned *out, const unsigned *pixels",
    n = "4096 * gridDim.x", of = "return table[LOAD(pixels, i) % 256];" },
  ["12-three-arrays"] = { params = "double *out, const double *in", n = "100 * gridDim.x",
    of = "int t = i % 100; double v = LOAD(in, i - t + t * 7 % 100); return t % 3 ? v : -v;",
    except = { token = true, asm = true } }, -- without shared memory: see its own cheats
  ["14-exclusive"] = { params = "int *out, const int *in, int n", n = "n",
    of = "int s = -2147483647 - 1; for (int k = i / 256 * 256; k < i; k++) s = max(s, LOAD(in, k)); return s;" },
  ["14-conflict-free"] = { params = "int *out, const int *in", n = "1024 * gridDim.x",
    of = "int s = 0; for (int k = i / 1024 * 1024; k < i; k++) s += LOAD(in, k); return s;" },
  ["14-compaction"] = { params = "int *out, const int *in, int limit, int n", n = "257 * gridDim.x",
    of = "int place = i % 257, count = 0; for (int k = i / 257 * 256; k < i / 257 * 256 + 256 && k < n; k++) {"
      .. " int x = LOAD(in, k); if (x > limit && ++count == place) return x; } return place ? 0 : count;" },
  ["14-fence"] = { params = "int *out, int *sums, volatile int *flags, unsigned *ticket, const int *in", n = "TOTAL",
    of = "int s = 0; for (int k = 0; k <= i; k++) s += LOAD(in, k); return s;" },
  ["15-halo"] = { params = "float *out, const float *in, int width, int height", n = "width * height",
    of = "int x = i % width, y = i / width; float s = 0; for (int v = max(y - 1, 0); v < min(y + 2, height); v++)"
      .. " for (int u = max(x - 1, 0); u < min(x + 2, width); u++) s += LOAD(in, v * width + u); return s;" },
  ["15-columns"] = { before = "__constant__ float taps[9];",
    params = "float *out, const float *in, int width, int height", n = "width * height",
    of = "int y = i / width; float s = 0; for (int k = max(-4, -y); k <= min(4, height - 1 - y); k++)"
      .. " s += taps[k + 4] * LOAD(in, i + k * width); return s;" },
  ["15-seven-points"] = { params = "float *out, const float *in, int n", n = "n * n * n",
    of = "int w = n + 2, p = (i / n / n + 1) * w * w + (i / n % n + 1) * w + i % n + 1; return LOAD(in, p - 1) + LOAD(in, p + 1)"
      .. " + LOAD(in, p - w) + LOAD(in, p + w) + LOAD(in, p - w * w) + LOAD(in, p + w * w) - 6 * LOAD(in, p);" },
  ["15-two-steps"] = { params = "float *to, const float *from, int n", n = "n * n", out = "to",
    of = "int x = i % n + n, y = i / n + n; float s = 0; for (int k = 0; k < 16; k++) { int a = k % 4, b = k / 4;"
      .. " int u = x + (a == 0) - (a == 1) + (b == 0) - (b == 1), v = y + (a == 2) - (a == 3) + (b == 2) - (b == 3);"
      .. " s += LOAD(from, v % n * n + u % n); } return s / 16;" },
  ["16-fragment"] = bf16,
  ["16-conflict-free"] = like(bf16, { of = "float s = 0; for (int k = 0; k < n; k++)"
    .. " s += __bfloat162float(LOAD(A, i / n * n + k)) * __bfloat162float(LOAD(B, i % n * n + k)); return s;" }),
  ["16-fp32-sums"] = short_product("__half", "__half2float", "cuda_fp16.h"),
  ["16-any-size"] = bf16,
  ["17-double-buffer"] = { params = "int *out, const int *in, int tiles", n = "256 * gridDim.x", of = TILES },
  ["17-wait-count"] = { params = "int *out, const int *in, int tiles", n = "256 * gridDim.x", of = TILES },
  ["17-parity"] = { params = "int *out, const int *in, int tiles", n = "256 * gridDim.x", of = TILES },
  ["17-halo"] = { params = "int *out, const int *in", n = "TOTAL", of = "int k = i % 1024; return (k ? LOAD(in, i - 1) : 0)"
      .. " + LOAD(in, i) + (k < 1023 ? LOAD(in, i + 1) : 0);" },
}
