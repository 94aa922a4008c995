-- Lab 8: what single operations cost: functions, divisions, integers, number formats, loops.
local inputs = require "gpulab.inputs"
local lab = require "gpulab.lab"
local lecture = require "gpulab.lecture"

local THREADS <const>, LANES <const>, CHAINS <const> = 256, 32, 4 -- as in kernels/instructions.cu
local WORDS <const>, VALUES <const> = 512, 16 -- as in kernels/loops.cu

local function grid(p) return p.blocks end
local function threads(p) return p.blocks * THREADS end

-- GPUs as data ------------------------------------------------------------------------------------

local function model_named(name)
  for _, model in ipairs(gpu.models()) do
    if model.name == name then return model end
  end
end

-- Cycles that an SM of the GTX 280 takes for one operation of a warp, without the launch: a rate in the lecture's unit.
-- It has no FP16.
local function cycles_then(record)
  if record.step.id == "fp16" then return nil end
  local model, count = model_named("GTX 280"), record.step.useful_ops(record.params)
  for _, row in ipairs(record.models) do
    if row.gpu == "GTX 280" and row.known then
      return (row.ms * 1e3 - model.launch_us) * 1e3 * model.shader_ghz * model.sms / (count / LANES)
    end
  end
end

local CYCLES <const> = { header = { "cycles", "per warp", "GTX 280" }, of = function(record)
  local cycles = cycles_then(record)
  return cycles and ("%.1f"):format(cycles)
end }

local COLUMNS <const> = { CYCLES, "rate", "share", "verified" }

-- One operation repeated --------------------------------------------------------------------------

-- What 32 bits keep of a sum.
local function wrapped(sum, type)
  sum = sum & 0xffffffff
  return type == "int" and sum >= 0x80000000 and sum - 0x100000000 or sum
end

-- The result of each of the 32 lanes: the operation, repeated on its four numbers, and the sum of these.
local function repeated(start, of, part)
  return function(p, host)
    local from, one = host[start], gpu.array(host[start].type, LANES)
    for lane = 0, LANES - 1 do
      local sum = 0
      for chain = 0, CHAINS - 1 do
        local x = from[LANES * chain + lane]
        for _ = 1, p.repeats // part do x = of(x) end
        sum = sum + x
      end
      one[lane] = math.type(sum) == "integer" and wrapped(sum, one.type) or sum
    end
    return one:cycle(threads(p))
  end
end

local steps = {}

-- Counted per thread.
local function operations(p) return threads(p) * CHAINS * p.repeats end

-- Slow operations are repeated less often: a fraction of `repeats`.
local PART <const> = { Sine = 4, Cosine = 4, FastSine = 2, FastCosine = 2, Exponential = 8, FastExponential = 2,
  Division = 2, Modulo = 2 }

local kinds = {
  floats = { args = { "out", "some" }, output = "out", tolerance = { relative = 1e-3 } },
  integers = { args = { "whole_out", "whole" }, output = "whole_out" },
  signed_integers = { args = { "signed_out", "signed" }, output = "signed_out" },
  doubles = { args = { "double_out", "doubles" }, output = "double_out", tolerance = { relative = 1e-12 } },
}

local function operation(group, id, title, of)
  local kind, part = kinds[of.kind], PART[of.name] or 1
  local args = { table.unpack(kind.args) }
  table.move({ of.a or 0, of.b or 0, function(p) return p.repeats // part end }, 1, 3, #args + 1, args)
  steps[#steps + 1] = { group = group, id = id, title = title, text = of.text, claims = of.claims,
    kernel = { file = "instructions.cu", name = of.name and ("%s<%s>"):format(of.kind, of.name) or of.kind },
    grid = grid, block = THREADS, args = args, output = kind.output, tolerance = kind.tolerance,
    reference = repeated(kind.args[2], of.of, part), predict = of.predict,
    useful_ops = function(p) return threads(p) * CHAINS * (p.repeats // part) end }
end

-- Functions ---------------------------------------------------------------------------------------

local function float_operation(group, id, title, name, a, b, of, claims, text, predict)
  operation(group, id, title, { kind = "floats", name = name, a = a, b = b, of = of, claims = claims, text = text,
    predict = predict })
end

local function multiply_add(x) return x * 0.5 + 1 end
local function sine(x) return math.sin(x + 1) end
local function exponential(x) return math.exp(-x) end

float_operation("floats", "fma", "x * a + b", "MultiplyAdd", 0.5, 1, multiply_add, { "F22.fma", "F22.units" }, [[
One multiplication and one addition in one instruction, the baseline of the first table. Each thread repeats it on
four independent numbers. With many warps there is always a ready instruction, so this measures issue throughput. On
the GTX 280 an SM has 8 FP32 units and takes four cycles per warp. Current SMs have 64 or 128 and issue FP32
instructions of two or four warps per cycle. Launch and loop overhead and register-bank reads (modeled, cc 8.6 and
later) keep the rate below the peak.]])
float_operation("floats", "separate", "__fadd_rn(__fmul_rn())", "Separate", 0.5, 1, multiply_add,
  { "F22.mad", "F22.mad.separate" }, [[
The compiler may contract a multiplication and an addition into one instruction, and does so by default. On cc 1.x
that is a MAD, which truncates the product: less precise than two instructions. Since cc 2.0 it is an FMA, which
rounds once: more precise. One source can give three different results on a CPU, a GTX 280 and a current GPU.

The compiler never contracts these two intrinsics. (`--fmad=false`: for a whole program.) Use them to compare with a
CPU bit for bit; for accuracy, keep the FMA.]])
float_operation("floats", "sin", "sinf(x + b)", "Sine", 0, 1, sine, { "F22.functions" }, [[
The library's sine reduces the argument to a range around zero: it subtracts a multiple of pi/2 in three parts, so
that no digit is lost. Then it evaluates a polynomial. Arguments beyond 105615 take a slow path that multiplies by
many digits of 2/pi; no thread takes it here. Look at the share of the baseline, and at how many instructions one call
costs.]],
  { ask = "How many instructions does one call of sinf take (within a third)?", within = 33,
    unit = "instructions", of = function(record)
      return record.report and record.report.counters.thread_instructions / record.step.useful_ops(record.params)
    end })
float_operation("floats", "fastsin", "__sinf(x + b)", "FastSine", 0, 1, sine,
  { "F22.functions", "F22.sfu.precision" }, [[
The intrinsic uses the special function units (SFUs): a multiplication by 1/(2 pi) and one SFU instruction. An SM has
few of them: a quarter as many as FP32 units on the GTX 280 and on cc 5.x to 8.0, an eighth on 8.6, 8.9 and 9.0. So
the intrinsic still costs several FMAs. The table `precision` shows the accuracy you lose.

Note on the slide: it calls such functions "an order of magnitude slower" than intrinsics. Divide the rows: the GTX
280's model gives 4.3 for sinf, 4.5 for cosf, and 2.1 for expf; an H200 measured 3.7, 3.8, and 1.4.]])
float_operation("floats", "cos", "cosf(x + b)", "Cosine", 0, 0, math.cos, { "F22.functions" }, [[
The cosine is a sine with a phase shift of pi/2, and costs the same. If you need both, call sincosf: it reduces the
argument only once.]])
float_operation("floats", "fastcos", "__cosf(x + b)", "FastCosine", 0, 0, math.cos, { "F22.functions" }, [[
The intrinsic `__cosf`: one multiplication and one SFU instruction, like `__sinf`. Compare it with the row above.]])
float_operation("floats", "exp", "expf(x * a)", "Exponential", -1, 0, exponential, { "F22.functions" }, [[
The SFU computes powers of two. The library multiplies by log2(e) carefully, splits the exponent so that no precision
is lost, and inserts its integer part with a shift. That is much cheaper than a sine. Compare it with the next row:
does the intrinsic gain as much as it does for the sine?]])
float_operation("floats", "fastexp", "__expf(x * a)", "FastExponential", -1, 0, exponential, { "F22.functions" }, [[
The intrinsic: one multiplication by log2(e) and one SFU instruction. Where the SFUs are the bottleneck, the
additional instructions of expf cost little, because other units execute them at the same time. So on current GPUs the
old rule "use the intrinsic" costs you accuracy and may gain less than you expect. Measure before you decide.]])

-- Divisions and roots -----------------------------------------------------------------------------

local function quotient(x) return 1 / x + 0.5 end

float_operation("floats", "div", "a / x + b", "Quotient", 1, 0.5, quotient, { "F22.division" }, [[
FP32 division. No GPU has an instruction for it. The code computes an estimate of 1/x on the SFU, refines quotient and
remainder with FMAs, and branches to a slow path for extreme exponents. Since cc 2.0 the result is correctly rounded
(default `-prec-div=true`).

Note on the GTX 280 column: it predicts this correctly rounded division. On cc 1.x `/` was cheaper, accurate to 2 ulp,
and without subnormal numbers.]])
float_operation("floats", "fastdiv", "__fdividef(a, x) + b", "FastQuotient", 1, 0.5, quotient, { "F22.division" }, [[
The estimate of 1/x times a: at most 2 ulp of error for x between 2^-126 and 2^126. For larger x the result is 0. The
compiler option `-use_fast_math` replaces every FP32 division of a program by this, and sinf by __sinf; that is rarely
a good idea for a whole program. Call the intrinsic where you know that the error is acceptable.]])
float_operation("floats", "rcp", "1.0f / x + b", "Reciprocal", 0, 1, function(x) return 1 / x + 1 end,
  { "F22.division" }, [[
With a numerator of 1 there is less to refine, and the compiler knows it. The result is still correctly rounded since
cc 2.0. If a loop divides by the same x repeatedly, compute the reciprocal once before the loop and multiply. The
compiler may not do that for you, because a * (1 / x) does not always round like a / x.]])
float_operation("floats", "sqrt", "sqrtf(x) + b", "Root", 0, 1, function(x) return math.sqrt(x) + 1 end,
  { "O24.sfu.fast" }, [[
A square root, correctly rounded since cc 2.0 (default `-prec-sqrt=true`; 3 ulp on cc 1.x). It refines the SFU's
reciprocal square root with FMAs. Compare it with the next row.]])
float_operation("floats", "rsqrt", "rsqrtf(x) + b", "ReciprocalRoot", 0, 1,
  function(x) return 1 / math.sqrt(x) + 1 end, { "O24.sfu.fast" }, [[
The hardware instruction is the reciprocal square root, because that is what normalizing a vector needs. It is faster
than the root itself and has at most 2 ulp of error. Never write 1 / sqrtf(x).

Note on the slide: it seems to list __rsqrtf (our copy is hard to read there), which does not exist. The functions are
rsqrtf and the correctly rounded __frsqrt_rn.]],
  { ask = "What share of the rate of x * a + b does rsqrtf reach, in %?", of = "share", unit = "%", within = 40 })

-- Integers ----------------------------------------------------------------------------------------

local FACTOR <const>, TERM <const>, LARGE <const> = 1664525, 1013904223, 4294967291

local function whole(id, title, name, a, b, of, claims, text, predict)
  operation("integers", id, title, { kind = "integers", name = name, a = a, b = b, of = of, claims = claims,
    text = text, predict = predict })
end

whole("imul", "x * a + b", "Product", FACTOR, TERM, function(x) return x * FACTOR + TERM & 0xffffffff end,
  { "F22.integer.24bit", "O24.integer.slow" }, [[
An integer multiplication and addition. The GTX 280's multiplier has 24 bits, like a float's significand, and a 32-bit
product takes four instructions. Fermi and Kepler have a 32-bit multiplier (16 and 32 results per cycle and SM).
Maxwell and Pascal build the product from three 16-bit XMAD instructions. On cc 7.0 to 10.0 an SM has 64 full-width
units, next to 64 or 128 FP32 units. Compare the rate with the first table.]])
whole("mul24", "__umul24(x, a) + b", "Product24", FACTOR, TERM,
  function(x) return (x & 0xffffff) * FACTOR + TERM & 0xffffffff end, { "F22.integer.24bit", "O24.integer.slow" }, [[
The product of the lower 24 bits of each factor. On cc 1.x this was the fast way, and programs of that time use it for
indices, which usually fit in 24 bits. Since cc 2.0 there is no 24-bit multiplier; the upper bits are masked off
first, which is one more instruction.

Note on the slide: the lecture of 2024 calls it slow from cc 2.0 on. On the H200 a different unit executes the mask,
and it costs nothing measurable. The GTX 280 column is predicted from current compiler
output, which includes the mask. With the compilers of its time the instruction took 4 cycles.]])
whole("idiv", "a / x + b", "Division", LARGE, 1000, function(x) return LARGE // x + 1000 end,
  { "F22.integer.power_of_two", "O24.integer.slow" }, [[
Division by a value unknown at compile time. The code takes a reciprocal as a float, converts it back to an integer,
multiplies, and corrects the result twice: about twenty instructions since Fermi, over thirty issue slots on the GTX
280 with its 24-bit multiplier (modeled).]])
whole("shift", "(x >> a) + b", "Shift", 3, TERM, function(x) return (x >> 3) + TERM & 0xffffffff end,
  { "F22.integer.power_of_two", "F22.basic_speed" }, [[
If the divisor is a power of two, a shift divides. You need the logarithm, which you often know and the compiler does
not: an image's width may be 1024 in all your runs, but it is a kernel argument.

Note on the slide: shifts, comparisons, memory instructions and barriers run "at the basic speed", the FP32 rate. That
holds on the GTX 280. On cc 8.6, 8.9 and 9.0 integer, shift and compare instructions have half the FP32 rate each,
loads and barriers less. Different units work at the same time.]],
  { ask = "What share of the rate of x * a + b do a shift and an addition reach, in %?", of = "share", unit = "%",
    within = 20 })
whole("by8", "x / 8 + b", "DivisionBy8", 0, TERM, function(x) return x // 8 + TERM & 0xffffffff end,
  { "F22.integer.power_of_two" }, [[
If the divisor is a compile-time constant, the compiler emits the shift by itself: write x / 8. Template parameters
and constexpr values count as constants. This holds for unsigned integers; step `signed8` shows the difference.
Compare with the row above: the rates should agree. On an H200 both keep nearly the rate of one instruction, because
the addition (VIADD in SASS) goes to another unit than the shift (SHF).]])
whole("by10", "x / 10 + b", "DivisionBy10", 0, TERM, function(x) return x // 10 + TERM & 0xffffffff end,
  { "F22.integer.power_of_two" }, [[
It even works for 10: the compiler multiplies by 2^35 / 10, rounded up, takes the upper half of the product, and
shifts. So division by a constant is fast; division by a run-time value is slow.]])
operation("integers", "signed8", "int: x / 8 - b", { kind = "signed_integers", name = "SignedBy8", b = 123456789,
  of = function(x) return (x >= 0 and x // 8 or -(-x // 8)) - 123456789 end,
  claims = { "F22.integer.power_of_two", "F22.ptx" }, text = [[
Signed division differs: -1 / 8 is 0, but -1 >> 3 is -1. The compiler has to add 7 to negative values first: three
more instructions in PTX (sign, bias, add). Use unsigned where an index cannot be negative. Look at the PTX with
`disassemble signed8 ptx`: it is intermediate code, easier to read than the SASS the GPU executes.

Note on the slide: its rule i / n = i >> log2(n) holds for non-negative i.]] })
whole("mod", "a % x + b", "Modulo", LARGE, 1000, function(x) return LARGE % x + 1000 end,
  { "F22.integer.power_of_two", "O24.integer.slow" }, [[
The remainder is a division, followed by a multiplication and a subtraction. It costs about as much as the division by
a run-time value.]])
whole("mask", "(x & a) + b", "Mask", 1023, TERM, function(x) return (x & 1023) + TERM end,
  { "F22.integer.power_of_two", "F22.basic_speed" }, [[
For a power of two n, x % n is x & (n - 1): one logic instruction. As with division, the compiler does this by itself
if n is a compile-time constant and x is unsigned.]])

-- Widths ------------------------------------------------------------------------------------------

operation("floats", "fp64", "double", { kind = "doubles", a = 0.5, b = 1, of = multiply_add,
  claims = { "F22.fp64.from", "F22.fp64.cc13", "F24.fp64.cc90" }, text = [[
64-bit floating point. Its rate depends on the market segment of the GPU. HPC GPUs (P100, V100, A100, H100, H200) have
half as many FP64 units as FP32 units, and reach a little more than half the rate, because the FP32 row stays further
below its peak; GeForce and inference GPUs have 1/32 or 1/64, for compatibility only. Table `ratios` lists the
generations.

Watch for accidental doubles in C++: 0.5 is a double, so x * 0.5 with a float x is computed in FP64 and rounded
back. Write 0.5f.]],
  predict = { ask = "What share of the FP32 rate does FP64 reach on your GPU, in %?", of = "share", unit = "%",
    within = 25 } })
steps[#steps + 1] = { group = "floats", id = "fp16", title = "half2 (packed FP16)", claims = { "F22.fp16.from" },
  kernel = { file = "halves.cu", name = "halves" }, grid = grid, block = THREADS,
  args = { "half_out", "some", 0.5, 1, function(p) return p.repeats // 2 end }, output = "half_out",
  tolerance = { relative = 4e-3 },
  reference = function(p) return gpu.array("half", 1, 16):cycle(threads(p)) end,
  useful_ops = function(p) return 2 * threads(p) * CHAINS * (p.repeats // 2) end, text = [[
16-bit floating point. A register holds two numbers, and one __hfma2 instruction works on both. Arithmetic exists
since cc 5.3. Only on cc 6.1 (GeForce Pascal) is it slower than FP32: 1/64 of its rate, for compatibility. From 7.0 on
the programming guide gives once to four times the FP32 rate, for 9.0 twice; an H200 measured about once (HFMA2 issues
at half FFMA's rate). The significand has 11 bits (10 stored), so the integer 2049 cannot be represented. (The GTX 280
has no FP16, so its column is empty.)]] }

-- What rounding leaves ----------------------------------------------------------------------------

local function square_bytes(p) return 8 * threads(p) end

local function residual(id, title, kernel, reference, claims, text)
  steps[#steps + 1] = { group = "residual", id = id, title = title, text = text, claims = claims,
    kernel = { file = "instructions.cu", name = kernel }, grid = grid, block = THREADS,
    args = { "out", "near_one", threads }, output = "out", reference = reference, useful_bytes = square_bytes }
end

local function rounded(x) return (string.unpack("<f", string.pack("<f", x))) end

-- What rounding takes off x·x is exact as a double, and fits a float.
residual("residual-fma", "fmaf(x, x, -rounded)", "residual", function(p, host)
  local period = gpu.array("float", 4096)
  for i = 0, #period - 1 do
    local x = host.near_one[i % threads(p)]
    period[i] = x * x - rounded(x * x)
  end
  return period:cycle(threads(p))
end, { "F22.fma" }, [[
This makes the rounding visible. `rounded` is x·x rounded to a float; the kernel subtracts it from x·x. With an FMA
the second product keeps all its 48 bits, so the difference is exactly the rounding error. The two numbers together
represent the product without error; double-float arithmetic is built this way.]])
residual("residual-separate", "mul, then sub", "residual_separate", function(p)
  return gpu.array("float", threads(p), 0)
end, { "F22.mad.separate" }, [[
With two separate instructions both products are rounded, and the difference is 0 everywhere.]])

-- Loops -------------------------------------------------------------------------------------------

-- A lane starts with its lane index.
local function in_a_loop(p)
  local one = gpu.array("float", LANES)
  for lane = 0, LANES - 1 do
    local x = lane
    for _ = 1, 4 * p.repeats do x = multiply_add(x) end
    one[lane] = x
  end
  return one:cycle(threads(p))
end

local function per_operation(record, p)
  local ops, report = record.step.useful_ops(p), record.report
  if not report then return nil end
  return ("%.3g instructions per FMA"):format(report.counters.thread_instructions / ops)
end

local function loop(id, title, kernel, text, predict)
  steps[#steps + 1] = { group = "loops", id = id, title = title, text = text, predict = predict,
    claims = { "F22.loops.overhead", "F22.loops.unroll" },
    kernel = { file = "loops.cu", name = kernel }, grid = grid, block = THREADS,
    args = { "out", 0.5, 1, function(p) return 4 * p.repeats end }, output = "out", reference = in_a_loop,
    tolerance = { relative = 1e-6 }, useful_ops = operations, detail = per_operation }
end

loop("rolled", "rolled", "loop<1>", [[
A loop around one FMA. Each iteration also updates the counter, compares it, and jumps: three instructions of overhead
per FMA. `#pragma unroll 1` keeps the compiler from unrolling. Look at the instructions per FMA below the row.]],
  { ask = "How many instructions per FMA?", unit = "instructions", of = function(record)
    return record.report and record.report.counters.thread_instructions / operations(record.params)
  end })
loop("unrolled16", "#pragma unroll 16", "loop<16>", [[
The body is copied sixteen times, so the same three instructions of overhead serve sixteen FMAs. If the number of
iterations is not a multiple of sixteen, a second loop handles the remainder. The remaining overhead is negligible;
unrolling further costs registers and instruction cache and gains nothing.]])
loop("compiler", "no pragma", "loop_as_compiled", [[
Without a pragma the compiler decides: here it unrolls by four. If the number of iterations is known and small, it
unrolls completely. So a pragma often gains nothing in a small kernel. Look at the instructions per FMA before you
write one.]])

local function walked(p, host)
  local one = gpu.array("float", LANES)
  for lane = 0, LANES - 1 do
    local x = 0
    for k = 0, WORDS - 1 do x = x * 0.5 + host.some[lane + k] end -- an earlier iteration contributes 2^-512 of it
    one[lane] = x
  end
  return one:cycle(threads(p))
end

local function iterations(p) return math.max(1, p.repeats // 256) end

local function walk(id, title, kernel, text)
  steps[#steps + 1] = { group = "loops", id = id, title = title, text = text, detail = per_operation,
    claims = { "F22.loops.overhead" },
    kernel = { file = "loops.cu", name = kernel }, grid = grid, block = THREADS,
    args = { "out", "some", 0.5, iterations },
    output = "out", reference = walked, tolerance = { relative = 1e-5 },
    useful_ops = function(p) return threads(p) * WORDS * iterations(p) end }
end

walk("walk", "array, rolled", "walk<1>", [[
A loop over an array also updates an address in each iteration. The array is in shared memory, so that no other memory
limits the rate. Compare the instructions per FMA with the first loop.]])
walk("walk16", "array, unroll 16", "walk<16>", [[
After unrolling, sixteen accesses share one address register, each with a constant offset inside the instruction; the
address is updated once per sixteen FMAs. One load and one FMA remain per element. On cc 1.x not even the load
remains: the word in shared memory is an operand of the MAD. Offsets in instructions are the lecture's argument for
32-bit addresses; 64-bit addresses cost more where they have to be computed.]])

-- Independent work --------------------------------------------------------------------------------

local FEW <const> = 12288 -- bytes of shared memory, so that a GTX 280 has one block per SM

local function chained(p)
  local one = gpu.array("float", LANES)
  for lane = 0, LANES - 1 do
    local sum = 0
    for chain = 0, p.chains - 1 do
      local x = lane + chain
      for _ = 1, math.min(8 * p.repeats, 200) do x = multiply_add(x) end -- 2 by then
      sum = sum + x
    end
    one[lane] = sum
  end
  return one:cycle(p.few * 128)
end

-- One block of four warps per SM.
local function few(p, device)
  return { few = device and device.measures and device.sms or p.few }
end

local function chain(id, title, count, text, predict)
  steps[#steps + 1] = { group = "chains", id = id, title = title, text = text, predict = predict,
    claims = { "F22.loops.ilp" },
    with = function(p, device)
      local of = few(p, device)
      of.chains = count or p.chains
      return of
    end,
    kernel = { file = "loops.cu", name = function(p) return ("chains<%d>"):format(p.chains) end },
    grid = function(p) return p.few end, block = 128, shared = FEW,
    args = { "chain_out", 0.5, 1, function(p) return 8 * p.repeats end }, output = "chain_out", reference = chained,
    tolerance = { relative = 1e-5 },
    useful_ops = function(p) return p.few * 128 * p.chains * 8 * p.repeats end }
end

chain("chain1", "1 number per thread", 1, [[
Only four warps per SM, one for each of its four schedulers (P100 and Fermi have two, the GTX 280 one), and each FMA
needs the result of the one before. The result is ready after four cycles since Volta, six on Maxwell and Pascal, 24
on the GTX 280. Until then the warp cannot issue, and there is no other warp. This is the baseline of the table.]])
chain("chain2", "2 numbers", 2, [[
Two independent numbers per thread: the second FMA can issue while the first is in flight. This is instruction-level
parallelism (ILP), without additional threads. Predict the gain before you run it.]],
  { ask = "What share of the one-number rate do two numbers reach, in %?", of = "share", unit = "%", within = 15 })
chain("chain4", "4 numbers", 4, [[
On SMs with 128 FP32 lanes four independent FMAs fill the latency of four cycles in theory. Loop and launch leave 61 %
of the peak on an H200, and eight numbers 76 %. With 64 lanes (cc 7.x and 8.0) a scheduler issues an FMA every two
cycles, and two are nearly enough. The GTX 280 has 24 cycles to fill with instructions of four cycles each: six warps
with one number, or three warps with two.]])
chain("chains", function(p) return ("%d numbers, set by you"):format(p.chains) end, nil, [[
Choose the number with `set chains=6`; `plot chains` draws the curve. How to use this in your own code: accumulate
into two sums instead of one, compute two elements per thread, or unroll so that the loads of the next iteration issue
before the current data are used. Lab 11 compares ILP with more warps.]])

-- Operands in shared memory -----------------------------------------------------------------------

local function fourth(p) return p.repeats // 4 end

local function operand(id, title, name, claim, of, text, claims)
  steps[#steps + 1] = { group = "operands", id = id, title = title, text = text, claim = claim, claims = claims,
    kernel = { file = "loops.cu", name = ("operand<%s>"):format(name) }, grid = grid, block = THREADS,
    args = { "out", "small_words", 1, fourth }, output = "out", tolerance = { relative = 1e-4 },
    reference = function(p, host)
      local x, y, s = 2, 1, host.small_words
      for _ = 1, fourth(p) do
        for j = 0, VALUES - 2, 2 do x, y = of(x, s[j]), of(y, s[j + 1]) end
      end
      return gpu.array("float", threads(p), rounded(x + y))
    end,
    useful_ops = function(p) return threads(p) * VALUES * fourth(p) end }
end

operand("add", "a + s[i]", "Add", "F22.operand.add", function(x, s) return x + s end, [[
One operand of the addition is in shared memory; all threads of a warp read the same word. On cc 1.x an instruction
can take one such operand, and needs the same four cycles as with registers. Since cc 2.0 the word needs a separate
load instruction, and load/store units are fewer than FP32 units. So shared memory is no longer "as fast as
registers"; current FP32 matrix products keep operands in registers (lab 7). In `debug add`, `until 94` and `view`
show the load: one bank for all lanes.]], { "F22.operand.as_registers", "F22.operand.later",
    "F22.operand.one" })
operand("itself", "a + a * s[i]", "MultiplyByItself", "F22.operand.itself", function(x, s) return x * s + x end, [[
A MAD that reads the same register twice: five cycles per warp, as the lecturer measured. NVIDIA never published the
reason. (The GTX 280 model uses these three values as rules, so its column is no test of them.)]])
operand("other", "a + b * s[i]", "MultiplyByOther", "F22.operand.other", function(x, s) return x + s end, [[
With two different registers the MAD takes six cycles per warp. A tiled matrix product consists of this line: 4 useful
cycles of 6 give the bound of 415 GFLOPS in lab 6. On current GPUs the load limits all three forms, and they take the
same time.]])

-- Tables ------------------------------------------------------------------------------------------

local ARGUMENTS <const> = 4096 -- of each row

-- The largest errors of a function over a range, absolute and relative, as the device computes it.
local function errors(device, kernel, a, low, high, right)
  local input = device:buffer("float", ARGUMENTS)
  local output = device:buffer("float", ARGUMENTS)
  local values = gpu.array("float", ARGUMENTS)
  for i = 0, ARGUMENTS - 1 do values[i] = low + (high - low) * (i + 0.5) / ARGUMENTS end
  input:upload(values)
  kernel { grid = ARGUMENTS // THREADS, block = THREADS } (output, input, a, 0.0, ARGUMENTS)
  local got, absolute, relative = output:download(), 0, 0
  for i = 0, ARGUMENTS - 1 do
    local want = right(values[i])
    local off = math.abs(got[i] - want)
    absolute, relative = math.max(absolute, off), math.max(relative, off / math.abs(want))
  end
  input:free()
  output:free()
  return absolute, relative
end

local function inverse(x) return 1 / x end
local function inverse_root(x) return 1 / math.sqrt(x) end

-- Function, its arguments, the exact result, and the error that the CUDA documentation allows: in ulp, or absolute.
local PRECISION <const> = {
  { "sinf", "Sine", -3, 3, math.sin, "2 ulp" }, { "__sinf", "FastSine", -3, 3, math.sin, "3.6e-07 abs" },
  { "sinf", "Sine", 990, 1000, math.sin, "2 ulp" }, { "__sinf", "FastSine", 990, 1000, math.sin, "no bound" },
  { "expf", "Exponential", -1, 1, math.exp, "2 ulp" },
  { "__expf", "FastExponential", -1, 1, math.exp, "3 ulp" },
  { "expf", "Exponential", 70, 80, math.exp, "2 ulp" },
  { "__expf", "FastExponential", 70, 80, math.exp, "95 ulp" },
  { "1 / x", "Quotient", 1, 2, inverse, "0 ulp" }, { "__fdividef(1, x)", "FastQuotient", 1, 2, inverse, "2 ulp" },
  { "rsqrtf", "ReciprocalRoot", 1, 4, inverse_root, "2 ulp" },
}

steps[#steps + 1] = { group = "figures", id = "precision", title = "accuracy of fast functions",
  claims = { "F22.sfu.precision", "F22.functions" },
  text = [[
The table compares your device's results for 4096 arguments with double precision and with the error the documentation
allows. Rounding alone can cost half an ulp, at most 6e-8 of the value. `__sinf` has an absolute bound between
-pi and pi: near a zero of the sine that can be all of the value. For an argument of 1000 it has no bound: 1000 / (2
pi) leaves 16 of 24 bits for the fraction. `__expf` loses with the size of its argument; division and rsqrtf lose
almost nothing.]],
  figure = function(_, device)
    local rows, names = {}, {}
    for i, row in ipairs(PRECISION) do names[i] = ("values<%s>"):format(row[2]) end
    local module = device:compile("instructions.cu", { names = names })
    for i, row in ipairs(PRECISION) do
      local title, _, low, high, right, allowed = table.unpack(row)
      local absolute, relative = errors(device, module:kernel(names[i]), 1.0, low, high, right)
      rows[i] = { title, ("%g to %g"):format(low, high), ("%.1e"):format(absolute), ("%.1e"):format(relative),
        allowed }
    end
    return { columns = { "function", "arguments", "absolute\nerror", "relative\nerror", "allowed" }, rows = rows,
      note = device.emulates and "The emulator stays within the allowed error and may be more accurate than a GPU. "
        .. "Run this on a GPU to see what its intrinsics lose." or nil }
  end }

-- FP64 units and FP32 units per SM, from the programming guide, and a GPU whose data the models have.
local RATIOS <const> = {
  { "1.3", "F22.fp64.cc13", "1 of 8", "GTX 280" }, { "2.0", "F22.fp64.cc20", "16 of 32", "Tesla C2050" },
  { "2.1", "F22.fp64.cc21", "4 of 48" }, { "3.0", "F22.fp64.cc30", "8 of 192", "GTX 680" },
  { "3.5", "F22.fp64.cc35", "64 of 192", "Tesla K40" }, { "5.x", "F22.fp64.cc50", "4 of 128", "GTX 980" },
  { "6.0", "F22.fp64.cc60", "32 of 64", "P100" }, { "6.1", "F22.fp64.cc61", "4 of 128", "GTX 1080" },
  { "7.0", "F22.fp64.cc70", "32 of 64", "V100" }, { "7.5", "F22.fp64.cc75", "2 of 64", "RTX 2080 Ti" },
  { "8.0", "F22.fp64.cc80", "32 of 64", "A100" }, { "8.6", "F22.fp64.cc86", "2 of 128", "RTX 3090" },
  { "9.0", "F24.fp64.cc90", "64 of 128", "H200" },
}

local function fraction(x) return x > 0 and ("1/%.0f"):format(1 / x) or "none" end

local ratio_claims = {}
for i, row in ipairs(RATIOS) do ratio_claims[i] = row[2] end

steps[#steps + 1] = { group = "figures", id = "ratios", title = "FP64 rate by compute capability",
  claims = ratio_claims, text = [[
The FP64 rate as a fraction of the FP32 rate: what the slide gives for each compute capability, the units per SM, and
one GPU with its peak. Step `fp64` measures yours.]],
  figure = function(_, device)
    local rows = {}
    for i, row in ipairs(RATIOS) do
      local cc, claim, units, name = table.unpack(row)
      local model = name and model_named(name)
      local rate = model and 2 * model.sms * model.fp32_lanes * model.fp64_ratio * model.shader_ghz
      rows[i] = { cc, fraction(lecture.find(claim).value), units, name or "", model and fraction(model.fp64_ratio)
        or "", rate and ("%.0f"):format(rate) or "" }
    end
    local own = device and model_named(device.model)
    if own then
      rows[#rows + 1] = { "yours", "", "", own.name, fraction(own.fp64_ratio),
        ("%.0f"):format(2 * own.sms * own.fp32_lanes * own.fp64_ratio * own.shader_ghz) }
    end
    return { columns = { "cc", "slide", "units", "GPU", "ratio", "GFLOPS" }, rows = rows,
      note = "cc 8.6 has 1/64, not 1/32 as on the slide. For 2.0 and 3.5 only the HPC boards had the full rate; "
        .. "GeForce boards with the same chips were limited to 1/8 and 1/24 (but not the GTX Titan boards)." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

-- Elements, of every exercise. One thread may do those that remain after float4: its warp and block are four times as
-- busy.
local SIZES <const> = { 16384, 13001, 77 }

local function size(p) return p.size end

local function exercise(of)
  of.grid, of.block, of.sizes = function(p) return (p.size + THREADS - 1) // THREADS end, THREADS, SIZES
  local file = ("08-%s/%s.cu"):format(of.id, (of.id:gsub("-", "_")))
  of.starter, of.solution = "exercises/" .. file, "solutions/" .. file
  return of
end

local function each(type, of)
  return function(p, host)
    local want = gpu.array(type, p.size)
    for i = 0, p.size - 1 do want[i] = of(host, i) end
    return want
  end
end

local function bits(x)
  local count = 0
  while x ~= 0 do x, count = x & (x - 1), count + 1 end
  return count
end

-- Numbers between 1 and 2 whose products nearly agree: a · d - b · c is mostly rounding error.
local function cancelling(p, seed)
  local made, state = { a = {}, b = {}, c = {}, d = {} }, seed * 2654435761 + 8 & 0x7fffffff
  local function next_one()
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return rounded(1 + (state >> 7) / (1 << 24))
  end
  for i = 1, p.size do
    local a, b, c, d
    repeat -- until all four are between 1 and 2
      a, b, d = next_one(), next_one(), next_one()
      c = rounded(a * d / b)
    until c >= 1 and c < 2
    made.a[i], made.b[i], made.c[i], made.d[i] = a, b, c, d
  end
  return made
end

-- All four are made at a time; the last ones are kept.
local factors, factors_of

local function factor(name)
  return function(p, seed)
    local of = ("%d %d"):format(p.size, seed)
    if factors_of ~= of then factors, factors_of = cancelling(p, seed), of end
    return gpu.array("float", p.size, factors[name])
  end
end

local exercises = {
  exercise {
    id = "doubles", title = "Accidental doubles", kernel = "fade", claims = { "F22.fp64.from" },
    args = { "faded", "values", size }, output = "faded", tolerance = { relative = 2e-6 },
    reference = each("float", function(host, i)
      local x = host.values[i]
      return 0.299 * x + 0.587 * (1 - x) + 0.114 * x * x
    end),
    task = [[
This kernel seems to use floats only. But its PTX has five double-precision instructions and two conversions, each
costing 32 or 64 single-precision ones on a current GeForce GPU. Let the PTX compute with floats alone, one element per
thread; the results may differ in the last bits.]],
    accept = { warp_instructions = 2, thread_stored = 1 },
    hints = {
      "What is the type of 0.299 in C++? And the type of a float times that?",
      "`disassemble doubles ptx` shows the compiler's output: look for f64. A constant causes each of them.",
      "0.299f, 0.587f, 1.0f, 0.114f.",
    },
    debrief = [[
A floating-point constant without an f is a double, and it promotes the whole expression to double. On a GPU with
half-rate FP64 you hardly notice; on others such a line can take most of a kernel's time. Functions have the same
trap: C++ overloads sin(x) by the argument's type, but pow(x, 2.0) computes with doubles. The compiler may not demote
it, because that would change results.]],
  },
  exercise {
    id = "polynomial", title = "Polynomial without powf", kernel = "polynomial", claims = { "F22.fma" },
    args = { "faded", "values", size }, output = "faded", tolerance = { relative = 1e-6 },
    reference = each("float", function(host, i)
      local x = host.values[i]
      return 0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125)))
    end),
    task = [[
A polynomial of degree four, written with powf as in a textbook. For floats powf is a logarithm and an exponential,
both with more digits than a float has, and takes many instructions. Four FMAs are enough. Each thread keeps its x.]],
    accept = { warp_instructions = 2, thread_stored = 1, special_instructions = { at_most = 0 },
      float_operations = 1.75 },
    hints = {
      "What does x to the fourth cost if you already have x to the third?",
      "Factor x out of all terms that contain it, and again out of what remains in the parentheses: Horner's scheme.",
      "c0 + x * (c1 + x * (c2 + x * (c3 + x * c4))).",
    },
    debrief = [[
Each pair of parentheses is one FMA. They form a dependency chain: each waits for the one before. With many warps that
does not matter; otherwise you can sum the even and the odd powers separately, as polynomials in x squared (Estrin's
scheme). Use powf only for exponents unknown at compile time. Other special cases are cheap too: powf(2, n) is ldexpf
or a shift, and powf(x, 0.5f) is sqrtf(x).]],
  },
  exercise {
    id = "bits", title = "Counting bits", kernel = "bits", claims = { "F22.basic_speed" },
    args = { "counts", "words", size }, output = "counts",
    reference = each("unsigned", function(host, i) return bits(host.words[i]) end),
    task = [[
How many bits of a word are 1? The loop looks at each of the 32 bits, several instructions per bit. The GPU has one
instruction for it. Find it, and use it once per word, in place of the loop; each thread keeps its word.]],
    accept = { popcounts = { at_least = 1, at_most = 1.25 }, bit_operations = { at_most = 1.25 }, thread_stored = 1 },
    advice = "One instruction counts the bits of a word.",
    hints = {
      "The CUDA Math API reference lists “Integer Intrinsics”. Their names begin with two underscores.",
      "The operation is called population count.",
      "__popc(word).",
    },
    debrief = [[
GPUs have more of these: __clz counts leading zeros, __ffs finds the first set bit, __brev reverses the bits,
__byte_perm selects bytes, __dp4a accumulates the products of four pairs of bytes; there are also min, max and
saturation. The compiler recognizes some patterns: for the well-known loop that clears the lowest set bit until none
is left, word &= word - 1, it emits this very instruction. For the loop in the starter it does not.]],
  },
  exercise {
    id = "cancellation", title = "Cancellation", kernel = "determinant", claims = { "F22.fma", "F22.mad.separate" },
    args = { "faded", "a", "b", "c", "d", size }, output = "faded", tolerance = { relative = 1e-6 },
    reference = each("float", function(host, i)
      return host.a[i] * host.d[i] - host.b[i] * host.c[i]
    end),
    task = [[
The determinant a d - b c of numbers between 1 and 2 whose products are nearly equal. The subtraction cancels the
leading digits and leaves mostly rounding error: the results are wrong from the first digit on. Make it accurate to
six digits in single precision, one per thread.]],
    accept = { warp_instructions = 2.5, thread_stored = 1 },
    hints = {
      "fmaf(a, d, -b * c) rounds only one of the two products. What is the error of that product?",
      "You can compute the rounding error of b * c exactly: see step `residual-fma`.",
      "p = b * c; off = fmaf(-b, c, p); the result is fmaf(a, d, -p) + off.",
    },
    debrief = [[
off is p - b c, exactly; a d - p is rounded once, and adding off corrects for p's rounding error. This is Kahan's
difference of products; it takes four instructions instead of two. Doubles would work too, at the price the table
shows. Where a compiler contracts expressions freely, even a * d - b * c with equal products may not be 0: it may be
the rounding error of one of them.]],
  },
}

return lab.define {
  number = 8,
  id = "instructions",
  title = "Instruction speed",
  lecture = { "F22", "F24", "O24" },
  intro = [[
An SM issues a few instructions per cycle, and its throughput for an operation depends on how many units it has for
it. FP32 additions and multiplications have the most units. Some operations have few units; others have none and are
built from a dozen instructions. Some have become expensive or cheap since the slides were written.

Every step repeats one operation and hardly touches memory. Rates are in 10⁹ operations per second, counted per
thread. The GTX 280 column is in cycles per warp, as in the lecture: 4 when all 8 FP32 units of an SM work. Two tables
at the end show the accuracy of the fast functions, and FP64 rates by compute capability.]],
  params = {
    blocks = { default = 1056, small = 8, min = 8, max = 65535, help = "blocks of 256 threads" },
    repeats = { default = 512, emulator = 256, small = 16, min = 8, max = 1 << 20,
      help = "how often a thread repeats the operation on each of its numbers" },
    few = { default = 132, small = 4, min = 1, max = 65535,
      help = "blocks of 128 threads in the chain steps; on a GPU one per SM" },
    chains = { default = 8, min = 1, max = 16, help = "independent numbers per thread in step chains" },
  },
  buffers = {
    some = { type = "float", count = WORDS + LANES, fill = function()
      local values = gpu.array("float", WORDS + LANES)
      for i = 0, #values - 1 do values[i] = 0.25 + i % 128 / 64 end
      return values
    end },
    small_words = { type = "float", count = VALUES, fill = function() -- no product of them grows
      local values = gpu.array("float", VALUES)
      for i = 0, VALUES - 1 do values[i] = (2 * i - 15) / 8192 end
      return values
    end },
    near_one = { type = "float", count = threads, fill = function(p)
      local values = gpu.array("float", 4096)
      for i = 0, #values - 1 do values[i] = 1 + (2 * i + 1) / (1 << 20) end
      return values:cycle(threads(p))
    end },
    whole = { type = "unsigned", count = CHAINS * LANES, fill = "random", seed = 8 },
    signed = { type = "int", count = CHAINS * LANES, fill = "random", seed = 8 },
    doubles = { type = "double", count = CHAINS * LANES, fill = "iota" },
    out = { type = "float", count = threads },
    whole_out = { type = "unsigned", count = threads },
    signed_out = { type = "int", count = threads },
    double_out = { type = "double", count = threads },
    half_out = { type = "half", count = threads },
    chain_out = { type = "float", count = function(p) return p.few * 128 end },
    -- for the exercises
    values = { type = "float", count = size, fill = inputs.signed(size) },
    faded = { type = "float", count = size },
    words = { type = "unsigned", count = size, fill = inputs.extremes("unsigned", size) },
    counts = { type = "unsigned", count = size },
    a = { type = "float", count = size, fill = factor "a" },
    b = { type = "float", count = size, fill = factor "b" },
    c = { type = "float", count = size, fill = factor "c" },
    d = { type = "float", count = size, fill = factor "d" },
  },
  groups = {
    { id = "floats", title = "floating point", baseline = "fma", share = "of x*a+b", columns = COLUMNS },
    { id = "integers", title = "integers", baseline = "imul", share = "of x*a+b", columns = COLUMNS },
    { id = "residual", title = "rounding error", columns = { "rate", "verified" } },
    { id = "loops", title = "loop", baseline = "rolled", share = "of first", columns = COLUMNS },
    { id = "chains", title = "4 warps per SM", baseline = "chain1", share = "of first",
      columns = { "rate", "share", "verified" } },
    { id = "operands", title = "shared operand", baseline = "add", share = "of a+s[i]",
      columns = { "lecture", CYCLES, "rate", "share", "verified" } },
    { id = "figures", title = "tables" },
  },
  steps = steps,
  plots = {
    { id = "chains", title = "Four warps per SM, over independent numbers", claims = { "F22.loops.ilp" },
      x = { param = "chains", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "numbers per thread" },
      emulator_values = { 1, 2, 3, 4, 6, 8 }, with = { repeats = 512 }, steps = { "chains" }, y = "rate", text = [[
The rate rises until the pipeline is full, which takes latency / issue interval independent FMAs. With more warps per
SM the curve would start higher and end at the same height.]] },
  },
  exercises = exercises,
}
