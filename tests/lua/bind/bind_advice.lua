-- The advice of the checkers, tried: each kernel has a mistake, «wrong|right», and the advice names what is on the right.
-- With it applied the issue is gone, and there is no other.
local t = require "luaunit"

local BARRIER <const>, WARP <const>, ATOMIC <const> = "put __syncthreads%(%) between the two", "put __syncwarp%(%)", "use an atomic"

-- name, checker, threads per block, blocks, advice, code in which s is float[256] in shared memory, c an int there, i threadIdx.x
local cases <const> = {
  { "counter set by one thread, used by all warps", "race", 256, 1, BARRIER,
    "if (i == 0) c = 0; «|__syncthreads();»\natomicAdd(&c, 1);\n__syncthreads();\no[i] = c;" },
  { "the same in a block of one warp", "race", 32, 1, WARP,
    "if (i == 0) c = 0; «|__syncwarp();»\natomicAdd(&c, 1);\n__syncwarp();\no[i] = c;" },
  { "counter read before all have counted", "race", 256, 1, BARRIER,
    "if (i == 0) c = 0;\n__syncthreads();\natomicAdd(&c, 1); «|__syncthreads();»\no[i] = c;" },
  { "neighbors of other warps", "race", 256, 1, BARRIER, "s[i] = i; «|__syncthreads();»\no[i] = s[255 - i];" },
  { "neighbors of the same warp", "race", 256, 1, WARP, "s[i] = i; «|__syncwarp();»\no[i] = s[i ^ 1];" },
  { "the next element, which the next warp may have", "race", 256, 1, BARRIER,
    "s[i] = i; «|__syncthreads();»\no[i] = s[(i + 1) % 256];" },
  { "rows that a warp shares and columns that the block shares", "race", 256, 1, BARRIER,
    "__shared__ float rows[256];\nfloat sum = 0;\n#pragma unroll 1\nfor (int k = 0; k < 3; k++) {\nrows[i] = i + k;\ns[i] = i - k;\n"
      .. "__syncthreads();\nsum += rows[i ^ 1] * s[255 - i]; «|__syncthreads();»\n}\no[i] = sum;" },
  { "the same, each in lines of its own", "race", 256, 1, "^" .. BARRIER .. "[^\n]*\n" .. BARRIER .. "[^\n]*$",
    "__shared__ float rows[256];\nfloat sum = 0;\n#pragma unroll 1\nfor (int k = 0; k < 3; k++) {\nrows[i] = i + k;\ns[i] = i - k;\n"
      .. "__syncthreads();\nfloat x = s[255 - i];\nsum += rows[i ^ 1] * x; «|__syncthreads();»\n}\no[i] = sum;" },
  { "one thread reads what all wrote", "race", 128, 2, BARRIER, "s[i] = i; «|__syncthreads();»\nif (i == 0) o[blockIdx.x] = s[127];" },
  { "all read what one thread of another warp wrote", "race", 64, 1, BARRIER, "if (i == 0) c = 1;\n__syncthreads();\n"
      .. "if (i == 40) c = 7; «|__syncthreads();»\no[i] = c;" },
  { "overwritten while others still read", "race", 256, 1, BARRIER,
    "s[i] = i;\n__syncthreads();\nfloat x = s[255 - i]; «|__syncthreads();»\ns[i] = x;\n__syncthreads();\no[i] = s[i];" },
  { "the tail of a reduction in one warp", "race", 32, 1, WARP,
    "s[i] = i;\n__syncwarp();\nfor (int w = 16; w > 0; w /= 2) {\nfloat x = i < w ? s[i + w] : 0; __syncwarp();\n"
      .. "if (i < w) s[i] += x; «|__syncwarp();»\n}\n"
    .. "if (i == 0) o[0] = s[0];" },
  { "a sum by all threads of a block", "race", 256, 1, ATOMIC, "«o[0] += i;|atomicAdd(&o[0], i);»" },
  { "a sum by the lanes of a warp", "race", 32, 1, ATOMIC, "«o[0] += i;|atomicAdd(&o[0], i);»" },
  { "a sum by all blocks", "race", 32, 8, ATOMIC, "if (i == 0) «o[0] += 1;|atomicAdd(&o[0], 1);»" },
  { "a histogram", "race", 256, 1, ATOMIC, "«o[i % 7]++;|atomicAdd(&o[i % 7], 1);»" },
  { "a histogram in shared memory", "race", 256, 1, ATOMIC,
    "s[i] = 0;\n__syncthreads();\n«s[i % 7] += 1;|atomicAdd(&s[i % 7], 1.0f);»\n__syncthreads();\no[i] = s[i];" },
  { "elements from where their number is", "race", 32, 1, "check both indices",
    "if (i == 5) o[0] = 32;\no[«i|i + 1»] = i;" },
  { "all threads write one element", "race", 64, 2, "its own element|check the index",
    "«o[0] = i;|o[blockIdx.x * blockDim.x + i] = i;»" },
  { "neighbors in the block and in the next one", "race", 64, 2,
    "barrier between these two of one block; others are of two blocks, and blocks run in any order: use an atomic",
    "int k = blockIdx.x * blockDim.x + i;\no[k] = «o[(k + 1) % 128]|k» + 1;" },
  { "a maximum by compare and swap", "race", 64, 2, "read it with an atomic as well: atomicCAS%(address, 0, 0%)",
    "int old = «o[0]|atomicCAS(&o[0], 0, 0)», was;\ndo {\nwas = old;\nold = atomicCAS(&o[0], was, max(was, i));\n} while (was != old);" },
  { "the last block reads what others stored", "race", 32, 4, "__threadfence%(%)",
    "__shared__ bool last;\nif (i == 0) {\no[1 + blockIdx.x] = 1;\n«|__threadfence();»\n"
      .. "last = atomicAdd(&o[0], 1) == 3;\n«|__threadfence();»\n}\n__syncthreads();\n"
    .. "if (last && i == 0) {\n«|__threadfence();»\no[9] = o[1] + o[2] + o[3] + o[4];\n}" },
  { "a scalar that no thread sets", "init", 64, 1, "set the variable in one thread, before the barrier",
    "«|if (i == 0) c = 0; __syncthreads();»\natomicAdd(&c, 1);\n__syncthreads();\no[i] = c;" },
  { "the edge of a tile", "init", 64, 1, "write every element before the barrier, edges included",
    "s[i] = i; «|if (i == 0) s[64] = 0;»\n__syncthreads();\no[i] = s[i + 1];" },
  { "a variable on one path only", "init", 64, 1, "give the variable a value on every path",
    "float x[4]; «|x[3] = 0; x[2] = 0; x[1] = 0; x[0] = 0;»\nif (i < 32) x[o[i + 64] & 3] = 1;\no[i] = x[o[i + 128] & 3];" },
  { "one past the end", "memory", 256, 5, "check the index", "int at = blockIdx.x * blockDim.x + i;\n«|if (at / 1024 == 0)» o[at] = 1;" },
  { "two words past the end of a row", "memory", 32, 1, "check the index", "«|if (i < 31)» o[1023 - 31 + i + 1] = 1;" },
  { "before the start", "memory", 64, 1, "check the index", "«|if (i > 0)» o[i - 1] = 1;" },
  { "a guard that is one too large", "memory", 256, 5, "check the index",
    "int at = blockIdx.x * blockDim.x + i;\nif (at «<=|<» 1024) o[at] = 1;" },
  { "a loop that goes past the end", "memory", 32, 1, "check the index",
    "for (int k = i; k «<=|<» 1024; k += 32) o[k] = k;\n«if (i == 0) o[1024] = 0;|»" },
  { "past a shared array", "memory", 64, 1, "check the index",
    "if (i < 2) «s[255 + i]|s[254 + i]» = i;\nif (i < 2) o[i] = «s[255 + i]|s[254 + i]»;" },
  { "before a shared array", "memory", 64, 1, "check the index", "__shared__ float front[64];\n"
      .. "front[i] = i;\n«s[i - 8] = i;|s[i] = i;»\n__syncthreads();\no[i] = front[63 - i] + s[i];" },
  { "a wide load at any word", "memory", 32, 1, "multiples of their width",
    "int4 v = *(int4 *)(o + «i + 1|4 * i»);\no[512 + i] = v.x + v.y + v.z + v.w;" },
  { "a wide store at odd words", "memory", 32, 1, "multiples of their width", "*(int2 *)(o + «2 * i + 1|2 * i») = make_int2(i, i);" },
  { "a stride past the end", "memory", 128, 8, "check the index",
    "int at = «2 * (blockIdx.x * blockDim.x + i)|blockIdx.x * blockDim.x + i»;\no[at] = 1;" },
  { "a negative remainder", "memory", 64, 1, "check the index", "o[(i - 32) % 16«| + 16»] = 0;" },
  { "threads that return before the barrier", "sync", 64, 1, "guard the computation, not the barrier",
    "«if (i > 40) return;|»\ns[i] = i;\n__syncthreads();\n«|if (i > 40) return;» o[i] = s[i ^ 1];" },
  { "a warp that returns before the barrier", "sync", 96, 2, "guard the computation, not the barrier",
    "«if (i >= 64) return;|»\ns[i] = i;\n__syncthreads();\nif (i < 64) o[blockIdx.x * 64 + i] = s[63 - i];" },
  { "a barrier in each branch", "sync", 64, 1, "must reach the same __syncthreads",
    "if (i < 32) {\ns[i] = 1;\n«__syncthreads();|»\n} else {\ns[i] = 2;\n«__syncthreads();|»\n}\n«|__syncthreads();»\n"
      .. "o[i] = s[63 - i];" },
  { "a barrier that one warp alone reaches", "sync", 64, 1, "every thread must reach",
    "s[i] = i;\n«if (i < 32)|» __syncthreads();\nif (i < 32) o[i] = s[31 - i];" },
  { "a mask of all lanes where half are", "sync", 32, 1, "name exactly the lanes",
    "int x = 0;\nif (i < 16) x = __shfl_xor_sync(«0xffffffff|0xffff», i, 1);\no[i] = x;\n__syncthreads();\no[64 + i] = x;" },
  { "a mask without the own lane", "sync", 32, 1, "its own bit", "o[i] = __shfl_xor_sync(«0x7fffffff|0xffffffff», i, 1);" },
  { "a mask that differs by half", "sync", 32, 1, "same mask|its own bit|exactly the lanes",
    "o[i] = __shfl_xor_sync(«i < 16 ? 0xffffffffu : 0xffff0000u|0xffffffffu», i, 1);" },
  { "a vote of the lanes of a branch", "sync", 32, 1, "name exactly the lanes",
    "int x = 0;\nif (i % 2) x = __popc(__ballot_sync(«0xffffffff|0xaaaaaaaa», i > 5));\no[i] = x;\n__syncthreads();\no[64 + i] = x;" },
  { "a sum of the warp under a condition", "sync", 64, 1, "or let all of them reach it",
    "int x = i;\n«if (i % 32 < 20)|»\nfor (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);\n"
      .. "__syncthreads();\no[i] = x;" },
  { "two phases of one array", "race", 128, 1, BARRIER,
    "s[i] = i;\n__syncthreads();\nfloat x = s[127 - i]; «|__syncthreads();»\ns[i] = x + 1;\n__syncthreads();\n"
      .. "x = s[i]; __syncthreads();\ns[(i + 1) % 128] = x;\no[i] = x;" },
  { "a tile that is filled again", "race", 64, 1, BARRIER,
    "float x = 0;\nfor (int k = 0; k < 3; k++) {\ns[i] = o[64 * k + i];\n__syncthreads();\n"
      .. "x += s[63 - i]; «|__syncthreads();»\n}\no[i] = x;" },
  { "a tile that is used at once", "race", 64, 1, BARRIER,
    "float x = 0;\nfor (int k = 0; k < 3; k++) {\ns[i] = o[64 * k + i]; «|__syncthreads();»\nx += s[63 - i];\n"
      .. "__syncthreads();\n}\no[i] = x;" },
  { "a transposition in a tile", "race", 256, 1, BARRIER, "s[i] = i; «|__syncthreads();»\no[i] = s[i % 16 * 16 + i / 16];" },
  { "a tree that forgets to wait", "race", 128, 1, "put a barrier between the two",
    "s[i] = i;\n__syncthreads();\nfor (int d = 64; d > 0; d /= 2) {\nif (i < d) s[i] += s[i + d]; «|__syncthreads();»\n"
      .. "}\nif (i == 0) o[0] = s[0];" },
  { "a scan with one barrier per step", "race", 128, 1, BARRIER,
    "s[i] = i;\n__syncthreads();\nfor (int d = 1; d < 128; d *= 2) {\nfloat x = i >= d ? s[i - d] : 0; «|__syncthreads();»\n"
      .. "s[i] += x;\n__syncthreads();\n}\no[i] = s[i];" },
  { "a flag in shared memory", "race", 64, 1, BARRIER, "if (i == 0) c = 0;\n__syncthreads();\nif (i == 63) c = 1; «|__syncthreads();»\n"
      .. "if (c) o[i] = 1;" },
  { "the maximum of a block in one word", "race", 64, 1, ATOMIC,
    "if (i == 0) c = 0;\n__syncthreads();\n«if (i > c) c = i;|atomicMax(&c, i);»\n"
      .. "__syncthreads();\no[i] = c;" },
  { "a lane reads its neighbor's word", "race", 32, 1, WARP, "s[i] = i; «|__syncwarp();»\no[i] = s[(i + 1) % 32];" },
  { "a lane overwrites what its neighbor reads", "race", 32, 2, WARP,
    "s[i] = i;\n__syncwarp();\nfloat x = s[(i + 1) % 32]; «|__syncwarp();»\ns[i] = x;\no[32 * blockIdx.x + i] = s[i];" },
  { "warps with parts of their own", "race", 128, 1, WARP, "s[i] = i; «|__syncwarp();»\no[i] = s[i / 32 * 32 + (i + 5) % 32];" },
  { "the mean of neighbors", "race", 256, 1, BARRIER,
    "s[i] = i; «|__syncthreads();»\no[i] = (s[i] + s[min(i + 1, 255)] + s[max(i - 1, 0)]) / 3;" },
  { "a read-only load of what the launch wrote", "race", 64, 1, "load it without __ldg",
    "o[i] = i;\n__syncthreads();\no[64 + i] = «__ldg(&o[63 - i])|o[63 - i]»;" },
  { "what a read-only load read is written", "race", 64, 1, "load it without __ldg",
    "int x = «__ldg(&o[63 - i])|o[63 - i]»;\n__syncthreads();\no[i] = x;" },
  { "a counter in global memory, plain", "race", 1, 8, ATOMIC, "«o[0] = o[0] + 1;|atomicAdd(&o[0], 1);»" },
  { "a bin of each block", "race", 64, 4, ATOMIC, "«o[i % 4]++;|atomicAdd(&o[i % 4], 1);»" },
  { "blocks write the same elements", "race", 64, 2, "write one element: check the index and its bounds",
    "o[«i|blockIdx.x * 64 + i»] = blockIdx.x;" },
  { "blocks read what others write", "race", 64, 2, "a second launch|another element",
    "«o[(1 - blockIdx.x) * 64 + i] = o[blockIdx.x * 64 + i];|o[512 + blockIdx.x * 64 + i] = o[blockIdx.x * 64 + i];»" },
  { "an element that no thread of the block sets", "init", 64, 1, "write every element before the barrier",
    "if (i «<|<=» 63) s[i] = i;\n__syncthreads();\no[i] = s[63 - i];" },
  { "a tile loaded in part", "init", 64, 1, "write every element before the barrier",
    "«if (i < 60) s[i] = o[i];|s[i] = i < 60 ? o[i] : 0;»\n__syncthreads();\no[i] = s[63 - i];" },
  { "sums of warps, some of which are missing", "init", 64, 1, "write every element before the barrier",
    "if (i % 32 == 0 «&& i > 0|») s[i / 32] = i;\n__syncthreads();\nif (i == 0) o[0] = s[0] + s[1];" },
  { "an array in a thread that is read too far", "init", 32, 1, "a value on every path",
    "int x[8];\nfor (int k = 0; k < «7|8»; k++) x[k] = o[k];\nint sum = 0;\n"
      .. "for (int k = 0; k < 8; k++) sum += x[(k + o[i]) % 8];\no[i + 64] = sum;" },
  { "a result that is not stored", "unused", 64, 1, "store the result through a pointer", "float x = o[i] * 2;\n«|o[i] = x;»" },
}

local device <const> = gpu.open "emu:H200"

local function issues(case, side)
  local _, check, threads, blocks, _, code = table.unpack(case)
  local chosen = code:gsub("«(.-)|(.-)»", function(wrong, right) return side == "wrong" and wrong or right end)
  local source = ("__global__ void k(int *o)\n{\n__shared__ float s[256];\n__shared__ int c;\n"
      .. "const int i = threadIdx.x;\n%s\n}\n"):format(chosen)
  local o <close> = device:buffer("int", 1024, { fill = 0 })
  local kernel = device:compile_text(source):kernel "k"
  local found = {}
  for _, name in ipairs { "race", "init", "memory", "sync", "unused" } do
    if side == "right" or name == check then
      for _, f in ipairs(device:check(kernel, { grid = blocks, block = threads }, { o }, name).findings) do found[#found + 1] = f end
    end
  end
  return found
end

TestAdvice = {}

for n, case in ipairs(cases) do
  TestAdvice[("test_%02d_%s"):format(n, case[1]:gsub("%W", "_"))] = function()
    local wrong = issues(case, "wrong")
    t.assertTrue(#wrong > 0, "the mistake is not found")
    local hints = {}
    for i, f in ipairs(wrong) do hints[i] = f.hint end
    local advice, fits = table.concat(hints, "\n"), false
    for pattern in case[5]:gmatch "[^|]+" do fits = fits or advice:find(pattern) ~= nil end
    t.assertTrue(fits, advice)
    local left = issues(case, "right")
    t.assertEquals(left[1] and left[1].message .. " " .. left[1].hint or "", "")
  end
end

-- Of what only an earlier launch wrote.
function TestAdvice.test_read_only_loads()
  local o <close> = device:buffer("int", 1024, { fill = 0 })
  local code = "__global__ void k(int *o)\n{\no[threadIdx.x + %d] = __ldg(&o[threadIdx.x + %d]);\n}\n"
  for _, at in ipairs { { 512, 0 }, { 0, 512 } } do
    local kernel = device:compile_text(code:format(at[1], at[2])):kernel "k"
    t.assertEquals(device:check(kernel, { grid = 1, block = 512 }, { o }, "all").findings, {})
  end
end

-- Shared memory of another block of the cluster.
function TestAdvice.test_clusters()
  local source = [[
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) k(int *o)
{
	__shared__ int s[32];
	auto cluster = cooperative_groups::this_cluster();
	const int i = threadIdx.x;
	s[i] = i;
	cluster.sync();
	%s
	o[32 * blockIdx.x + i] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[i];
	%s
}
]]
  for check, case in pairs { race = { "s[i] = 2 * i; __syncthreads();", "cluster.sync();", "put cluster.sync() between the two" },
    memory = { "if (cluster.block_rank()) return; for (int k = 0; k < 9999; k++) *(volatile int *)&s[i] = k;", "",
      "let each block wait at its end" } } do
    local o <close> = device:buffer("int", 64, { fill = 0 })
    local kernel = device:compile_text(source:format(case[1], case[2])):kernel "k"
    local found = device:check(kernel, { grid = 2, block = 32 }, { o }, check).findings
    t.assertStrContains(found[1].hint, case[3])
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
