-- The advice of the checkers, tried: each kernel has a mistake, <wrong|right>, and the advice names what is on the right.
-- With it applied the issue is gone, and there is no other.
local t = require "luaunit"

local BARRIER <const>, WARP <const>, ATOMIC <const> = "put __syncthreads%(%) between the two", "put __syncwarp%(%)", "use an atomic"

-- name, checker, threads per block, blocks, advice, code in which s is float[256] in shared memory, c an int there, i threadIdx.x
local cases <const> = {
  { "counter set by one thread, used by all warps", "race", 256, 1, BARRIER,
    "if (i == 0) c = 0; <|__syncthreads();>\natomicAdd(&c, 1);\n__syncthreads();\no[i] = c;" },
  { "the same in a block of one warp", "race", 32, 1, WARP,
    "if (i == 0) c = 0; <|__syncwarp();>\natomicAdd(&c, 1);\n__syncwarp();\no[i] = c;" },
  { "counter read before all have counted", "race", 256, 1, BARRIER,
    "if (i == 0) c = 0;\n__syncthreads();\natomicAdd(&c, 1); <|__syncthreads();>\no[i] = c;" },
  { "neighbors of other warps", "race", 256, 1, BARRIER, "s[i] = i; <|__syncthreads();>\no[i] = s[255 - i];" },
  { "neighbors of the same warp", "race", 256, 1, WARP, "s[i] = i; <|__syncwarp();>\no[i] = s[i ^ 1];" },
  { "the next element, which the next warp may have", "race", 256, 1, BARRIER,
    "s[i] = i; <|__syncthreads();>\no[i] = s[(i + 1) % 256];" },
  { "one thread reads what all wrote", "race", 128, 2, BARRIER, "s[i] = i; <|__syncthreads();>\nif (i == 0) o[blockIdx.x] = s[127];" },
  { "all read what one thread of another warp wrote", "race", 64, 1, BARRIER, "if (i == 0) c = 1;\n__syncthreads();\n"
      .. "if (i == 40) c = 7; <|__syncthreads();>\no[i] = c;" },
  { "overwritten while others still read", "race", 256, 1, BARRIER,
    "s[i] = i;\n__syncthreads();\nfloat x = s[255 - i]; <|__syncthreads();>\ns[i] = x;\n__syncthreads();\no[i] = s[i];" },
  { "the tail of a reduction in one warp", "race", 32, 1, WARP,
    "s[i] = i;\n__syncwarp();\nfor (int w = 16; w > 0; w /= 2) {\nfloat x = i < w ? s[i + w] : 0; __syncwarp();\n"
      .. "if (i < w) s[i] += x; <|__syncwarp();>\n}\n"
    .. "if (i == 0) o[0] = s[0];" },
  { "a sum by all threads of a block", "race", 256, 1, ATOMIC, "<o[0] += i;|atomicAdd(&o[0], i);>" },
  { "a sum by the lanes of a warp", "race", 32, 1, ATOMIC, "<o[0] += i;|atomicAdd(&o[0], i);>" },
  { "a sum by all blocks", "race", 32, 8, ATOMIC, "if (i == 0) <o[0] += 1;|atomicAdd(&o[0], 1);>" },
  { "a histogram", "race", 256, 1, ATOMIC, "<o[i % 7]++;|atomicAdd(&o[i % 7], 1);>" },
  { "a histogram in shared memory", "race", 256, 1, ATOMIC,
    "s[i] = 0;\n__syncthreads();\n<s[i % 7] += 1;|atomicAdd(&s[i % 7], 1.0f);>\n__syncthreads();\no[i] = s[i];" },
  { "all threads write one element", "race", 64, 2, "its own element|another element for each block",
    "<o[0] = i;|o[blockIdx.x * blockDim.x + i] = i;>" },
  { "a maximum by compare and swap", "race", 64, 2, "read it with an atomic as well: atomicCAS%(address, 0, 0%)",
    "int old = <o[0]|atomicCAS(&o[0], 0, 0)>, was;\ndo {\nwas = old;\nold = atomicCAS(&o[0], was, max(was, i));\n} while (was != old);" },
  { "the last block reads what others stored", "race", 32, 4, "__threadfence%(%)",
    "__shared__ bool last;\nif (i == 0) {\no[1 + blockIdx.x] = 1;\n<|__threadfence();>\n"
      .. "last = atomicAdd(&o[0], 1) == 3;\n<|__threadfence();>\n}\n__syncthreads();\n"
    .. "if (last && i == 0) {\n<|__threadfence();>\no[9] = o[1] + o[2] + o[3] + o[4];\n}" },
  { "a scalar that no thread sets", "init", 64, 1, "set the variable in one thread, before the barrier",
    "<|if (i == 0) c = 0; __syncthreads();>\natomicAdd(&c, 1);\n__syncthreads();\no[i] = c;" },
  { "the edge of a tile", "init", 64, 1, "write every element before the barrier, edges included",
    "s[i] = i; <|if (i == 0) s[64] = 0;>\n__syncthreads();\no[i] = s[i + 1];" },
  { "a variable on one path only", "init", 64, 1, "give the variable a value on every path",
    "float x[4]; <|x[3] = 0; x[2] = 0; x[1] = 0; x[0] = 0;>\nif (i < 32) x[o[i + 64] & 3] = 1;\no[i] = x[o[i + 128] & 3];" },
  { "one past the end", "memory", 256, 5, "check the index", "int at = blockIdx.x * blockDim.x + i;\n<|if (at / 1024 == 0)> o[at] = 1;" },
}

local device <const> = gpu.open "emu:H200"

local function issues(case, side)
  local _, check, threads, blocks, _, code = table.unpack(case)
  local chosen = code:gsub("<([^|<>]*)|([^<>]*)>", function(wrong, right) return side == "wrong" and wrong or right end)
  local source = ("__global__ void k(int *o)\n{\n__shared__ float s[256];\n__shared__ int c;\n"
      .. "const int i = threadIdx.x;\n%s\n}\n"):format(chosen)
  local o <close> = device:buffer("int", 1024, { fill = 0 })
  local kernel = device:compile_text(source):kernel "k"
  local found = {}
  for _, name in ipairs { "race", "init", "memory", "sync" } do
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

os.exit(t.LuaUnit.run("-o", "tap"), true)
