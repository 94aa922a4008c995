-- What printf's code loads and stores in global memory: sectors that Nsight Compute 2025.3 counted on an NVIDIA H100 (driver
-- 580.159.04, 2026-11-23).
local t = require "luaunit"

local device <const> = gpu.open "emu:H100"

-- printf's arguments; sectors loaded, and stored by 1, 2, and 32 lanes.
local CALLS <const> = {
  { [=[""]=], 1, 0, 0, 0 },
  { [=["\n"]=], 8, 225, 447, 7107 },
  { [=["a"]=], 8, 225, 447, 7107 },
  { [=["aa"]=], 11, 225, 447, 7107 },
  { [=["aaa"]=], 14, 225, 447, 7107 },
  { [=["aaaa"]=], 17, 225, 447, 7107 },
  { [=["aaaaa"]=], 20, 225, 447, 7107 },
  { [=["aaaaaaa"]=], 26, 225, 447, 7107 },
  { [=["aaaaaaaa"]=], 29, 225, 447, 7107 },
  { [=["aaaaaaaaa"]=], 32, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaa"]=], 50, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaa"]=], 53, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaa"]=], 56, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 98, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 101, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 104, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 149, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 197, 225, 447, 7107 },
  { [=["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]=], 305, 225, 447, 7107 },
  { [=["%d",x+0]=], 11, 218, 433, 6883 },
  { [=["%d%d",x+0,x+1]=], 17, 211, 419, 6659 },
  { [=["%d%d%d",x+0,x+1,x+2]=], 23, 204, 405, 6435 },
  { [=["%d%d%d%d",x+0,x+1,x+2,x+3]=], 29, 197, 391, 6211 },
  { [=["%d%d%d%d%d",x+0,x+1,x+2,x+3,x+4]=], 35, 190, 377, 5987 },
  { [=["%d%d%d%d%d%d",x+0,x+1,x+2,x+3,x+4,x+5]=], 41, 183, 363, 5763 },
  { [=["%d%d%d%d%d%d%d",x+0,x+1,x+2,x+3,x+4,x+5,x+6]=], 47, 176, 349, 5539 },
  { [=["%d%d%d%d%d%d%d%d",x+0,x+1,x+2,x+3,x+4,x+5,x+6,x+7]=], 53, 169, 335, 5315 },
  { [=["%f",(float)x]=], 11, 218, 433, 6883 },
  { [=["%f%f",(float)x,2.0*x]=], 17, 211, 419, 6659 },
  { [=["%lld",(long long)x]=], 17, 218, 433, 6883 },
  { [=["%p",(void*)&dummy]=], 11, 218, 433, 6883 },
  { [=["%c",x+65]=], 11, 218, 433, 6883 },
  { [=["%s",""]=], 14, 218, 433, 6883 },
  { [=["%s","a"]=], 17, 218, 433, 6883 },
  { [=["%s","abc"]=], 23, 218, 433, 6883 },
  { [=["%s","abcd"]=], 26, 218, 433, 6883 },
  { [=["%s","abcdefgh"]=], 38, 218, 433, 6883 },
  { [=["%s","abcdefghabcdefgh"]=], 62, 218, 433, 6883 },
  { [=["%s","abcdefghabcdefghabcdefghabcdefghabcdefgh"]=], 134, 218, 433, 6883 },
  { [=["%s%s","abc","de"]=], 38, 211, 419, 6659 },
  { [=["%d%s",x,"abc"]=], 29, 211, 419, 6659 },
  { [=["%%"]=], 11, 225, 447, 7107 },
  { [=["a%%b%%c"]=], 26, 225, 447, 7107 },
  { [=["%5d",x]=], 14, 218, 433, 6883 },
  { [=["%05.2f",2.0*x]=], 23, 218, 433, 6883 },
  { [=["%*d",5,x]=], 14, 211, 419, 6659 },
  { [=["%d text after",x]=], 44, 218, 433, 6883 },
  { [=["text before %d",x]=], 47, 218, 433, 6883 },
  { [=["text %d and %f more\n",x,1.5*x]=], 65, 211, 419, 6659 },
  { [=["%lu %u %x",(unsigned long)x,x,x]=], 32, 204, 405, 6435 },
}

-- Kernels of one lane: how many arguments `%d`, sectors loaded and stored. From 22 on, a record has two chunks.
local MANY <const> = { [12] = { 77, 141 }, [16] = { 101, 113 }, [20] = { 125, 85 }, [21] = { 131, 78 }, [22] = { 137, 320 },
  [24] = { 149, 306 }, [28] = { 173, 278 }, [32] = { 197, 250 }, [33] = { 203, 250 } }

-- The longest string that still fits in a number of chunks, and the sectors stored for it and one with a byte more.
local STRINGS <const> = {
  { [=["%s", s]=], 203, 218, 467 },
  { [=["%s", s]=], 451, 467, 716 },
  { [=["%s%s", s, ""]=], 191, 211, 460 },
  { [=["%d%s", 1, s]=], 193, 211, 460 },
  { [=["%d%d%d%d%d%d%d%d%d%s", 1, 2, 3, 4, 5, 6, 7, 8, 9, s]=], 113, 155, 404 },
}

-- Text i of 32 has i bytes. What 1, 2, and 32 lanes load and store, the addresses of the texts included.
local LANES <const> = {
  { [=["%s", s[i]]=], { 15, 218 }, { 21, 433 }, { 1603, 6883 } },
  { [=["%s %s", s[i], s[i]]=], { 27, 211 }, { 39, 419 }, { 3196, 6659 } },
  { [=["%s %s", s[i], s[31 - i]]=], { 121, 211 }, { 220, 419 }, { 3204, 6659 } },
}

local PLACES <const> = [[
extern "C" __global__ void local_text(int x)
{
	char b[16];
	for (int i = 0; i < 10; i++) b[i] = 'a' + x;
	b[10] = 0;
	printf("%s", b);
}
extern "C" __global__ void shared_text(int x)
{
	__shared__ char b[16];
	for (int i = 0; i < 10; i++) b[i] = 'a' + x;
	b[10] = 0;
	printf("%s", b);
}
extern "C" __global__ void no_text(int x) { printf("%s", (char *)0); }
extern "C" __global__ void apart(int x)
{
	if (threadIdx.x & 1)
		printf("%d", x + threadIdx.x);
	else
		printf("b%d c", x + threadIdx.x);
}
extern "C" __global__ void fewer(int x)
{
	for (int i = 0; i < x; i++)
		if (threadIdx.x >= i) printf("%d\n", i);
}
extern "C" __global__ void puts(int x)
{
	printf("hello\n");
	printf("hello\n");
}
]]
local OTHERS <const> = { -- by 1, 2, and 32 lanes
  local_text = { { 11, 218 }, { 11, 433 }, { 11, 6883 } },
  shared_text = { { 11, 218 }, { 11, 433 }, { 11, 6883 } },
  no_text = { { 11, 218 }, { 11, 433 }, { 11, 6883 } },
  apart = { { 20, 218 }, { 31, 436 }, { 31, 6886 } },
  fewer = { { 14, 218 }, { 28, 651 }, { 98, 43666 } },
  puts = { { 46, 450 }, { 46, 894 }, { 46, 14214 } },
}

local HEAD <const> = "#include <cstdio>\n__device__ int dummy;\n"

local function sectors(kernel, lanes, arguments)
  local c <const> = device:count(kernel, { grid = 1, block = lanes }, arguments).counters
  return { c.global_load_sectors, c.global_store_sectors }
end

local function kernels(parameters, bodies)
  local text = { HEAD }
  for i, call in ipairs(bodies) do
    text[i + 1] = ('extern "C" __global__ void k%d(%s) { printf(%s); }\n'):format(i, parameters, call)
  end
  return device:compile_text(table.concat(text))
end

TestPrintf = {}

function TestPrintf.test_formats()
  local bodies = {}
  for i, row in ipairs(CALLS) do bodies[i] = row[1] end
  local module = kernels("int x", bodies)
  for i, row in ipairs(CALLS) do
    for k, lanes in ipairs { 1, 2, 32 } do
      local got <const> = sectors(module:kernel("k" .. i), lanes, { 7 })
      t.assertEquals({ row[1], lanes, got[1], got[2] }, { row[1], lanes, row[2], row[2 + k] })
    end
  end
end

function TestPrintf.test_many_arguments()
  for n, want in pairs(MANY) do
    local module = kernels("int x", { '"' .. ("%d"):rep(n) .. '"' .. (", x"):rep(n) })
    t.assertEquals({ n, sectors(module:kernel "k1", 1, { 7 }) }, { n, want })
  end
end

function TestPrintf.test_long_strings()
  local bodies = {}
  for i, row in ipairs(STRINGS) do bodies[i] = row[1] end
  local module = kernels("const char *s", bodies)
  for i, row in ipairs(STRINGS) do
    for more = 0, 1 do
      local buffer = device:buffer("char", 512, { fill = 0 })
      for k = 0, row[2] + more - 1 do buffer[k] = 98 end
      t.assertEquals({ row[1], sectors(module:kernel("k" .. i), 1, { buffer })[2] }, { row[1], row[3 + more] })
    end
  end
end

function TestPrintf.test_a_string_of_each_lane()
  local text = device:buffer("char", 32 * 64, { fill = 0 })
  for i = 0, 31 do
    for k = 0, i - 1 do text[64 * i + k] = 97 end
  end
  local list = {}
  for i = 0, 31 do list[i + 1] = text:at(64 * i) end
  local pointers = device:buffer("unsigned long long", 32)
  pointers:upload(list)
  for _, row in ipairs(LANES) do
    local module = device:compile_text(HEAD .. ([[
extern "C" __global__ void k(const char **s) { const int i = threadIdx.x; printf(%s); }]]):format(row[1]))
    for k, lanes in ipairs { 1, 2, 32 } do
      t.assertEquals({ row[1], lanes, sectors(module:kernel "k", lanes, { pointers }) }, { row[1], lanes, row[1 + k] })
    end
  end
end

function TestPrintf.test_other_texts()
  local module = device:compile_text(HEAD .. PLACES)
  for name, want in pairs(OTHERS) do
    for k, lanes in ipairs { 1, 2, 32 } do
      t.assertEquals({ name, lanes, sectors(module:kernel(name), lanes, { 7 }) }, { name, lanes, want[k] })
    end
  end
end

function TestPrintf.test_part_of_the_counters()
  local module = device:compile_text(HEAD .. [[
extern "C" __global__ void k(int *out) { out[threadIdx.x] = threadIdx.x; printf("%d", 1); }]])
  local report = device:count(module:kernel "k", { grid = 2, block = 32 }, { device:buffer("int", 32) })
  local c <const> = report.counters
  t.assertEquals({ c.printf_load_sectors, c.printf_store_sectors }, { 22, 2 * 6883 })
  t.assertEquals({ c.global_load_sectors, c.global_store_sectors }, { 22, 2 * (6883 + 4) })
  t.assertEquals(#report.nondeterminism, 0)
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
