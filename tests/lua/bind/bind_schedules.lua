-- Orders of blocks and warps that change an answer, found and replayed: the real thing, on the emulator.
local lu = require "luaunit"
local lab = require "gpulab.lab"
local runner = require "gpulab.run.runner"
local schedules = require "gpulab.show.schedules"
local step_record = require "gpulab.record.step"

local SOURCE <const> = [[
__global__ void histogram(int *bins, const int *v)
{
	bins[v[blockIdx.x * blockDim.x + threadIdx.x] % 4]++;
}
__global__ void counted(int *bins, const int *v)
{
	atomicAdd(&bins[v[blockIdx.x * blockDim.x + threadIdx.x] % 4], 1);
}
__global__ void rounded(float *sum, const float *x)
{
	atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void stuck(int *bins, const int *v)
{
	if (atomicAdd(&bins[0], 1) == 0 && threadIdx.x + blockIdx.x)
		__trap();
}
]]

local function defined()
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(SOURCE)
  file:close()
  local function step(id, output, input)
    return { id = id, title = id, text = "A step.", kernel = { file = path, name = id }, grid = 4, block = 64,
      args = { output, input }, output = output, useful_bytes = function() return 1 end,
      reference = function(_, host) return host[output] end }
  end
  return lab.define { number = 98, id = "orders", title = "Orders", intro = "Steps whose order matters.",
    buffers = { bins = { type = "int", count = 4, fill = 0 }, v = { type = "int", count = 256, fill = "iota" },
      sum = { type = "float", count = 1, fill = 0 }, x = { type = "float", count = 256, fill = "random" } },
    steps = { step("histogram", "bins", "v"), step("counted", "bins", "v"), step("rounded", "sum", "x"),
      step("stuck", "bins", "v") } }, path
end

TestSchedules = {}

function TestSchedules:setUp()
  self.lab, self.path = defined()
  self.at = runner.context(self.lab, gpu.device, {})
end

function TestSchedules:tearDown()
  self.at:close()
  os.remove(self.path)
end

function TestSchedules:search(id, options)
  local record = step_record.of({ step = self.lab:step(id) }, self.at)
  local result = schedules.search(record, options)
  return result, table.concat(schedules.lines(record, result), "\n")
end

function TestSchedules:test_lost_updates()
  local result, told = self:search "histogram"
  lu.assertStrMatches(result.difference.place, "bins%[%d+%]")
  lu.assertNotEquals(result.difference.values[1], result.difference.values[2])
  lu.assertEquals(result.issues[1].check, "race")
  lu.assertEquals(result.issues[1].sites[1].line, 3)
  lu.assertStrContains(told, ("To replay it: schedules histogram %d"):format(result.seed))
  local again = self:search("histogram", { seed = result.seed })
  lu.assertEquals(again.difference, result.difference)
end

function TestSchedules:test_atomics_of_integers_are_the_same_in_any_order()
  local result, told = self:search "counted"
  lu.assertNil(result.seed)
  lu.assertEquals(result.tried, 24)
  lu.assertStrContains(told, "bit-identical results in 24 orders")
end

function TestSchedules:test_atomics_of_floats_round()
  local result, told = self:search "rounded"
  lu.assertNotNil(result.seed)
  lu.assertEquals(result.issues, {})
  lu.assertStrContains(told, "There is no race")
end

function TestSchedules:test_an_order_in_which_it_does_not_end_well()
  local result, told = self:search "stuck"
  lu.assertNil(result.difference.outcomes[1])
  lu.assertStrContains(result.difference.outcomes[2], "__trap()")
  lu.assertStrContains(told, "succeeds")
end

-- Blocks that are few may come in order by chance, on several threads, too.
function TestSchedules:test_the_ordinary_order_repeats()
  for _, name in ipairs { "emu", "worker:emu" } do
    local device <close> = gpu.open(name)
    local kernel = device:compile_text([[
__global__ void ticket(int *order, int *next)
{
	if (threadIdx.x == 0) order[atomicAdd(next, 1)] = blockIdx.x;
}]]):kernel "ticket"
    local first
    for _ = 1, 50 do
      local order, next = device:buffer("int", 4096, { fill = 0 }), device:buffer("int", 1, { fill = 0 })
      kernel { grid = 4096, block = 32, schedule = 0 }(order, next)
      lu.assertEquals(next:download()[0], 4096)
      first = first or order:download()
      lu.assertNil(order:download():differs(first), name)
    end
  end
end

function TestSchedules:test_lost_updates_of_a_surface()
  local kernel = gpu.compile_text([[
__global__ void count(cudaSurfaceObject_t s)
{
	surf1Dwrite(surf1Dread<int>(s, 0) + 1, s, 0);
}]]):kernel "count"
  local surface, values, several = gpu.surface(gpu.buffer("int", 32, { fill = 0 })), {}, 0
  for seed = 1, 24 do
    surface:update()
    kernel { grid = 64, block = 1, schedule = seed }(surface)
    local got = surface:download()[0]
    if not values[got] then several = several + 1 end
    values[got] = true
  end
  lu.assertTrue(several > 1)
end

-- The last block resets what the first reads: a race in no order of blocks but some.
function TestSchedules:test_a_check_tries_orders_and_puts_back()
  local kernel = gpu.compile_text([[
__global__ void pass(int *flag, int *out)
{
	if (blockIdx.x == 0) { *out = 1; __threadfence(); atomicExch(flag, 1); }
	else if (atomicAdd(flag, 0) == 0) *out += 1;
}]]):kernel "pass"
  local flag, out = gpu.buffer("int", 1, { fill = 0 }), gpu.buffer("int", 1, { fill = 0 })
  local report = gpu.check(kernel, { grid = 2, block = 1 }, { flag, out }, "race", 8)
  lu.assertEquals(flag:download()[0], 1)
  lu.assertEquals(out:download()[0], 1)
  local issue = report.findings[1]
  lu.assertEquals(issue.check, "race")
  lu.assertTrue(issue.schedule >= 1 and issue.schedule <= 8)
  lu.assertEquals(#gpu.check(kernel, { grid = 2, block = 1, schedule = issue.schedule }, { flag, out }, "race").findings, 0)
  lu.assertErrorMsgContains("orders", gpu.check, kernel, { grid = 1, block = 1 }, { flag, out }, "race", -1)
end

function TestSchedules:test_seeds_are_whole_numbers()
  local kernel = gpu.compile_text("__global__ void nop() {}"):kernel "nop"
  for _, bad in ipairs { -1, 1.5, "one", 2 ^ 40 } do
    lu.assertErrorMsgContains("schedule", function() kernel({ grid = 1, block = 1, schedule = bad }) end)
  end
end

-- gpu.orders itself: what is asked, what it reports, and that nothing is left.
TestOrders = {}

local MORE <const> = [[
__device__ int last;
extern "C" __global__ void wrote_last(int *out) { last = blockIdx.x; out[blockIdx.x] = 1; }
extern "C" __global__ void each_its_own(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 7; }
extern "C" __global__ void took(int *out, int *next) { out[atomicAdd(next, 1)] = blockIdx.x; }
]]

function TestOrders:setUp()
  self.device = gpu.open "emu"
  self.module = self.device:compile_text(MORE)
  self.out, self.next = self.device:buffer("int", 64, { fill = 3 }), self.device:buffer("int", 1, { fill = 0 })
end

function TestOrders:tearDown() self.device:close() end

function TestOrders:orders(name, args, count, first)
  return self.device:orders(self.module:kernel(name), { grid = 16, block = 4 }, args, count, first)
end

function TestOrders:test_only_what_differs_is_found_and_nothing_is_left()
  lu.assertNil(self:orders("each_its_own", { self.out }, 8).order)
  local report = self:orders("took", { self.out, self.next }, 8)
  lu.assertTrue(report.order >= 1 and report.order <= 8)
  lu.assertEquals({ report.status, self.out:download()[0], self.next:download()[0] }, { "ok", 3, 0 })
end

function TestOrders:test_a_variable_counts_as_well()
  lu.assertNotNil(self:orders("wrote_last", { self.out }, 8).order)
end

function TestOrders:test_from_a_seed_on()
  local first = self:orders("took", { self.out, self.next }, 8).order
  lu.assertTrue(self:orders("took", { self.out, self.next }, 1000, first + 1).order > first)
end

function TestOrders:test_numbers_that_make_no_sense()
  for _, given in ipairs { { 0 }, { -1 }, { 1001 }, { 4, 0 }, { 4, 1 << 31 }, { "x" } } do
    lu.assertErrorMsgContains("expected", self.orders, self, "took", { self.out, self.next }, table.unpack(given))
  end
end

-- Each block waits for the one before it, by its index or in the order in which blocks begin. In pairs of swapped
-- tickets one waits for the next to begin.
function TestSchedules:test_blocks_that_wait_for_others_that_have_not_begun()
  local kernel = gpu.compile_text([[
__global__ void chain(int *done, int *next, int tickets)
{
	__shared__ int b;
	if (threadIdx.x == 0) b = tickets ? atomicAdd(next, 1) ^ tickets - 1 : blockIdx.x;
	__syncthreads();
	if (threadIdx.x > 0) return;
	while (b && atomicAdd(&done[b - 1], 0) == 0);
	__threadfence();
	atomicExch(&done[b], 1);
}]]):kernel "chain"
  local done, next_one = gpu.buffer("int", 24, { fill = 0 }), gpu.buffer("int", 1, { fill = 0 })
  local function orders(config, tickets)
    config.grid, config.block = 24, 64
    return gpu.orders(kernel, config, { done, next_one, tickets }, 8)
  end
  lu.assertNil(orders({}, 0).order)
  local report = orders({ crowded = true }, 0)
  lu.assertEquals(report.status, "timeout")
  lu.assertStrContains(report.message, "blocks may begin in any order, and not all at once")
  lu.assertEquals(orders({ crowded = true }, 2).status, "timeout")
  lu.assertNil(orders({ crowded = true }, 1).order)
  lu.assertNil(orders({ crowded = true, cooperative = true }, 0).order)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
