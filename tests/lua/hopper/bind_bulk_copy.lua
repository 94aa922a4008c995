-- Bulk copies without tensor maps: to several blocks of a cluster, and with an operation on what is there. The results of all
-- operations are an NVIDIA H100's (driver 580.159), as digests.
local t = require "luaunit"

local device <const> = gpu.device.measures and gpu.device.cc >= 90 and gpu.device or gpu.open "emu:H100"

local function hash(x)
  x = (x ~ x >> 30) * 0xbf58476d1ce4e5b9
  x = (x ~ x >> 27) * 0x94d049bb133111eb
  return (x ~ x >> 31) & 0xffffffff
end

-- 128 words of 64 bits: what is there, and the operands. Each fourth is subnormal in every type.
local function words(low, high)
  local list <const> = {}
  for i = 0, 127 do
    local v <const> = hash(2 * i + high) << 32 | hash(2 * i + low)
    list[i + 1] = i % 4 == 3 and v & 0x000f000f000f000f or v
  end
  return list
end

local function digest(list)
  local h = 0xcbf29ce484222325
  for i = 0, #list - 1 do h = (h ~ list[i]) * 0x100000001b3 end
  return ("%016x"):format(h)
end

local GLOBAL <const> = [[
__global__ void reduce(unsigned long long *cell, const unsigned long long *v)
{
	__shared__ alignas(128) unsigned long long tile[128];
	tile[threadIdx.x] = v[threadIdx.x];
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncthreads();
	if (threadIdx.x) return;
	asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.FORM [%0], [%1], 1024;" ::"l"(cell),
	             "r"((unsigned)__cvta_generic_to_shared(tile)) : "memory");
	asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
]]

-- From block 0 of a cluster to block 1.
local SHARED <const> = [[
__global__ void __cluster_dims__(2) reduce(unsigned long long *cell, const unsigned long long *v)
{
	__shared__ alignas(128) unsigned long long tile[128], goal[128];
	__shared__ alignas(8) unsigned long long bar;
	unsigned rank, t = threadIdx.x, b = (unsigned)__cvta_generic_to_shared(&bar);
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	tile[t] = v[t];
	goal[t] = cell[t];
	if (!t) asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(b) : "memory");
	asm volatile("fence.proxy.async;" ::: "memory");
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
	if (rank == 1 && !t) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(b) : "memory");
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
	if (rank == 0 && !t) {
		unsigned to, there;
		asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"((unsigned)__cvta_generic_to_shared(goal)));
		asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(b));
		asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.FORM [%0], [%1], 1024, [%2];"
		             ::"r"(to), "r"((unsigned)__cvta_generic_to_shared(tile)), "r"(there) : "memory");
	}
	if (rank == 1) {
		asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(b) : "memory");
		cell[t] = goal[t];
	}
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
]]

local H100 <const> = {
  ["global and.b32"] = "b81b8452c0d90f64",
  ["global and.b64"] = "b81b8452c0d90f64",
  ["global or.b32"] = "a7e2a050a8ab2a8c",
  ["global or.b64"] = "a7e2a050a8ab2a8c",
  ["global xor.b32"] = "970a68c67c646071",
  ["global xor.b64"] = "970a68c67c646071",
  ["global add.u32"] = "f2051a0e07f5ffc3",
  ["global add.s32"] = "f2051a0e07f5ffc3",
  ["global add.u64"] = "959a4a4507f5ffc3",
  ["global add.f32"] = "0b4f7c681fc41e12",
  ["global add.f64"] = "c31d7402d5bec6da",
  ["global add.noftz.f16"] = "0b9b2377db5d0630",
  ["global add.noftz.bf16"] = "12821cef3e246c44",
  ["global inc.u32"] = "97798263053a5540",
  ["global dec.u32"] = "5a506d0b5c8a2a31",
  ["global min.u32"] = "5b631414367f851f",
  ["global min.s32"] = "60167c897173824c",
  ["global min.u64"] = "afde03bfd4321f9e",
  ["global min.s64"] = "f5de673120df6c24",
  ["global min.f16"] = "2ab6074911c2593d",
  ["global min.bf16"] = "d8950c8655cccc40",
  ["global max.u32"] = "d062da9b64c70cc3",
  ["global max.s32"] = "51abf1e5cbf86b84",
  ["global max.u64"] = "6e986e41f3f51036",
  ["global max.s64"] = "13dc4103e2daeccc",
  ["global max.f16"] = "975954d047841a61",
  ["global max.bf16"] = "b95cd2bb56793ca2",
  ["shared and.b32"] = "b81b8452c0d90f64",
  ["shared or.b32"] = "a7e2a050a8ab2a8c",
  ["shared xor.b32"] = "970a68c67c646071",
  ["shared add.u32"] = "f2051a0e07f5ffc3",
  ["shared add.s32"] = "f2051a0e07f5ffc3",
  ["shared add.u64"] = "959a4a4507f5ffc3",
  ["shared inc.u32"] = "97798263053a5540",
  ["shared dec.u32"] = "5a506d0b5c8a2a31",
  ["shared min.u32"] = "5b631414367f851f",
  ["shared min.s32"] = "60167c897173824c",
  ["shared max.u32"] = "d062da9b64c70cc3",
  ["shared max.s32"] = "51abf1e5cbf86b84",
}

TestReduce = {}

function TestReduce.test_all_operations()
  for name, want in pairs(H100) do
    local space <const>, form <const> = name:match "^(%a+) (%S+)$"
    local source <const> = (space == "global" and GLOBAL or SHARED):gsub("FORM", form)
    local cell <const> = device:buffer("unsigned long long", 128, { fill = words(1001, 1) })
    local v <const> = device:buffer("unsigned long long", 128, { fill = words(8001, 7001) })
    device:compile_text(source):kernel "reduce" { grid = space == "global" and 1 or 2, block = 128 } (cell, v)
    t.assertEquals(digest(cell:download()), want, name)
  end
end

-- The copy reads shared memory through the async proxy: the stores before it need a fence.
function TestReduce.test_missing_fence()
  if device.measures then t.skip "the emulator's checkers" end
  local cell <const> = device:buffer("unsigned long long", 128, { fill = 0 })
  local v <const> = device:buffer("unsigned long long", 128, { fill = "iota" })
  local function findings(source)
    return device:check(device:compile_text(source):kernel "reduce", { grid = 2, block = 128 }, { cell, v }).findings
  end
  for _, kind in ipairs { "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64", "cp.async.bulk.global.shared::cta.bulk_group" } do
    local source <const> = GLOBAL:gsub("cp.reduce.-FORM", kind)
    local one <const> = source:gsub("if %(threadIdx.x%)", "if (threadIdx.x || blockIdx.x)")
    t.assertEquals(#findings(one), 0, kind)
    local found <const> = findings((one:gsub("fence.proxy.async;", "")))
    t.assertEquals(#found, 1, kind)
    t.assertEquals(found[1].check, "race")
    t.assertStrContains(found[1].hint, "fence.proxy.async")
  end
end

-- Blocks that run at the same time lose none of each other's sums.
function TestReduce.test_many_blocks()
  local source <const> = GLOBAL:gsub("FORM", "add.u64")
  local cell <const> = device:buffer("unsigned long long", 128, { fill = 0 })
  local v <const> = device:buffer("unsigned long long", 128, { fill = "iota" })
  device:compile_text(source):kernel "reduce" { grid = 3000, block = 128 } (cell, v)
  local got <const> = cell:download()
  for i = 0, 127 do t.assertEquals(got[i], 3000 * i) end
end

function TestReduce.test_mistakes()
  if device.measures then t.skip "the emulator's messages" end
  local source <const> = GLOBAL:gsub("FORM", "add.u32")
  local k <const> = device:compile_text(source):kernel "reduce"
  local v <const> = device:buffer("unsigned long long", 128, { fill = 0 })
  local o = k:launch({ grid = 1, block = 128 }, device:buffer("unsigned long long", 127, { name = "cell", fill = 0 }), v)
  t.assertEquals(o.fault.kind, "out of bounds")
  t.assertStrContains(o.message, "cell")
  o = device:compile_text((source:gsub("%[%%1%], 1024", "[%%1], %%2"):gsub('%(tile%)%)', '%0, "r"(1000 + (unsigned)cell[0])')))
    :kernel "reduce":launch({ grid = 1, block = 128 }, v, v)
  t.assertStrContains(o.message, "must be a multiple of 16")
end

local MULTICAST <const> = [[
__global__ void __cluster_dims__(4) cast(int *out, const int *in, int blocks)
{
	__shared__ alignas(128) int tile[64];
	__shared__ alignas(8) unsigned long long bar;
	unsigned rank, t = threadIdx.x, b = (unsigned)__cvta_generic_to_shared(&bar);
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	tile[t] = -1;
	if (!t) {
		asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(b) : "memory");
		if (blocks >> rank & 1)
			asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
	}
	asm volatile("fence.proxy.async;" ::: "memory");
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
	if (rank == 2 && !t)
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;"
		             ::"r"((unsigned)__cvta_generic_to_shared(tile)), "l"(in), "r"(b), "h"((short)blocks) : "memory");
	if (blocks >> rank & 1)
		asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(b) : "memory");
	out[blockIdx.x * 64 + t] = tile[t];
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
]]

TestMulticast = {}

function TestMulticast.test_to_some_blocks()
  local k <const> = device:compile_text(MULTICAST):kernel "cast"
  local input <const>, out <const> = device:buffer("int", 64, { fill = "iota" }), device:buffer("int", 256)
  for _, blocks in ipairs { 1, 4, 10, 15 } do
    k { grid = 4, block = 64 } (out, input, blocks)
    local got <const> = out:download()
    for i = 0, 255 do t.assertEquals(got[i], blocks >> (i // 64) & 1 == 1 and i % 64 or -1) end
  end
  if device.measures then return end
  t.assertEquals(#device:check(k, { grid = 4, block = 64 }, { out, input, 15 }).findings, 0)
  local counted <const> = device:count(k, { grid = 4, block = 64 }, { out, input, 15 }).counters
  t.assertEquals({ counted.atomics, counted.atomic_conflicts }, { 0, 0 }) -- nor are waits for an mbarrier any
  local early <const> = device:compile_text((MULTICAST:gsub("if %(blocks >> rank & 1%)%s+asm volatile%(\"{ .reg", "if (rank != 1) %0")))
  local findings <const> = device:check(early:kernel "cast", { grid = 4, block = 64 }, { out, input, 15 }).findings
  t.assertStrContains(findings[1].message, "of block (1,0,0) read")
  for _, blocks in ipairs { 0, 16, 31 } do
    local o <const> = k:launch({ grid = 4, block = 64 }, out, input, blocks)
    t.assertEquals(o.status, "fault")
    t.assertStrContains(o.message, ("A multicast to the blocks 0x%x of a cluster of 4"):format(blocks))
  end
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
