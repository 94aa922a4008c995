-- Lab 8: what single operations cost: functions, divisions, integers, wide and narrow numbers, loops.
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

-- Clocks that an SM of the GTX 280 takes for one operation of a warp, without the launch: a rate put the lecture's way.
-- It has no halves.
local function clocks_then(record)
  if record.step.id == "fp16" then return nil end
  local model, count = model_named("GTX 280"), record.step.useful_ops(record.params)
  for _, row in ipairs(record.models) do
    if row.gpu == "GTX 280" and row.known then
      return (row.ms * 1e3 - model.launch_us) * 1e3 * model.shader_ghz * model.sms / (count / LANES)
    end
  end
end

local CLOCKS <const> = { header = { "clocks a", "warp", "GTX 280" }, of = function(record)
  local clocks = clocks_then(record)
  return clocks and ("%.1f"):format(clocks)
end }

local COLUMNS <const> = { CLOCKS, "rate", "share", "verified" }

-- One operation over and over ---------------------------------------------------------------------

-- What 32 bits keep of a sum.
local function wrapped(sum, type)
  sum = sum & 0xffffffff
  return type == "int" and sum >= 0x80000000 and sum - 0x100000000 or sum
end

-- What each of the 32 lanes ends up with: the operation, repeated on its four numbers, and these added up.
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

-- In thread operations.
local function operations(p) return threads(p) * CHAINS * p.repeats end

-- Operations that take long are done less often: a part of `repeats`.
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

float_operation("floats", "fma", "x * a + b", "MultiplyAdd", 0.5, 1, multiply_add, { "F22.fma" }, [[
A multiplication and an addition, one instruction: the mark for these tables. Every thread has four numbers and does it
to each of them over and over. With four numbers and many warps there is always an instruction that has what it needs,
and what is measured is how many a second an SM can begin. On the GTX 280 a multiprocessor had 8 units and took four
clocks for a warp of 32; today it has 64 or 128, and begins instructions of two or four warps in each clock.]])
float_operation("floats", "apart", "__fadd_rn(__fmul_rn())", "Apart", 0.5, 1, multiply_add,
  { "F22.mad", "F22.mad.apart" }, [[
The compiler is free to make one instruction of a multiplication and an addition, and does. On the GTX 280 that was
a MAD, which cut the product off to a float's bits before the addition: less precise than two instructions. Since
2.0 it is an FMA, which rounds only once, at the end: more precise. So the same source gives three different results
on three machines, and none of them is at fault.

These two names are kept apart by the compiler: a multiplication, rounded, and an addition, rounded, as on a CPU
without FMA. It takes twice as many instructions. (The option --fmad=false does so to all the program.) One may want
it to compare with a CPU bit for bit. To be nearer to the truth one does not.]])
float_operation("floats", "sin", "sinf(x + b)", "Sine", 0, 1, sine, { "F22.functions" }, [[
The library's sine. It brings the argument near zero by subtracting a multiple of a half pi, in three steps so that no
digit is lost, and then evaluates a polynomial: two or three dozen instructions. For arguments beyond 105615 it has a
path of its own, which multiplies by many digits of 2/pi and is several times slower; here nobody takes it.]],
  { ask = "How many instructions does sinf take, for each thread that calls it (within a third)?", within = 33,
    unit = "instructions", of = function(record)
      return record.report and record.report.counters.thread_instructions / record.step.useful_ops(record.params)
    end })
float_operation("floats", "fastsin", "__sinf(x + b)", "FastSine", 0, 1, sine,
  { "F22.functions", "F22.sfu.precision" }, [[
The sine of the special function units: a multiplication by 1/2pi, and one instruction. There are few of those units, 2
in a multiprocessor of the GTX 280 against 8 for floats, 16 against 128 today, so that it takes the time of several
multiply-adds. The slide says "an order of magnitude" faster. It is a factor of five by our count of the GTX 280, and
nearly four on an H200. The figure `precision` shows what it costs.]])
float_operation("floats", "cos", "cosf(x + b)", "Cosine", 0, 0, math.cos, { "F22.functions" }, [[
The cosine is the same work as the sine, begun a quarter of a turn further on. Who needs both calls sincosf, and has
the reduction of the argument once.]])
float_operation("floats", "fastcos", "__cosf(x + b)", "FastCosine", 0, 0, math.cos, { "F22.functions" }, [[
And its short form.]])
float_operation("floats", "exp", "expf(x * a)", "Exponential", -1, 0, exponential, { "F22.functions" }, [[
The exponential. The special function units have a power of two, and all that the library does is to split the exponent
so that nothing is lost: multiply by log2(e) with care, and put the whole part in by shifting. That is so cheap that no
order of magnitude is left: compare with the next row.]])
float_operation("floats", "fastexp", "__expf(x * a)", "FastExponential", -1, 0, exponential, { "F22.functions" }, [[
A multiplication by log2(e), and the power of two. Where the special function units are what is waited for, the few
instructions that the precise form has besides cost little: they go to other units meanwhile. An old rule is no
reason to give up precision.]])

-- Divisions and roots -----------------------------------------------------------------------------

local function quotient(x) return 1 / x + 0.5 end

float_operation("floats", "div", "a / x + b", "Quotient", 1, 0.5, quotient, { "F22.division" }, [[
Division as the standard wants it, correctly rounded in every case. No GPU has an instruction for it: it takes an
estimate of 1 / x, improves quotient and remainder by multiply-adds, and looks whether the numbers are so large or so
small that it has to go another way. Eight to fifteen instructions.]])
float_operation("floats", "fastdiv", "__fdividef(a, x) + b", "FastQuotient", 1, 0.5, quotient, { "F22.division" }, [[
The estimate, times a. Wrong by two units in the last place at most, and zero where x is beyond 2 to the 126th. A whole
program gets this instead of every / by the compiler's option -use_fast_math, together with __sinf and its like: rarely
a good idea for all of it.]])
float_operation("floats", "rcp", "1.0f / x + b", "Reciprocal", 0, 1, function(x) return 1 / x + 1 end,
  { "F22.division" }, [[
With a numerator of 1 there is less to correct; the compiler sees it. It is still correctly rounded, and takes a quarter
less time than a division on an H200. Much better: a loop that divides by the same x again and again should form the
reciprocal once before the loop, and multiply. The compiler may not do that for you, because a * (1 / x) is not always
rounded as a / x is.]])
float_operation("floats", "sqrt", "sqrtf(x) + b", "Root", 0, 1, function(x) return math.sqrt(x) + 1 end,
  { "O24.sfu.fast" }, [[
A root, correctly rounded.]])
float_operation("floats", "rsqrt", "rsqrtf(x) + b", "ReciprocalRoot", 0, 1,
  function(x) return 1 / math.sqrt(x) + 1 end, { "O24.sfu.fast" }, [[
One over the root is what the hardware has, because that is what it takes to bring a vector to length 1. It is faster
than the root itself, wrong by two units in the last place at most, and never to be written as 1 / sqrtf(x).]],
  { ask = "rsqrtf against x * a + b: what part of its rate, in %?", of = "share", unit = "%", within = 40 })

-- Integers ----------------------------------------------------------------------------------------

local FACTOR <const>, TERM <const>, LARGE <const> = 1664525, 1013904223, 4294967291

local function whole(id, title, name, a, b, of, claims, text, predict)
  operation("integers", id, title, { kind = "integers", name = name, a = a, b = b, of = of, claims = claims,
    text = text, predict = predict })
end

whole("imul", "x * a + b", "Product", FACTOR, TERM, function(x) return x * FACTOR + TERM & 0xffffffff end,
  { "F22.integer.24bit", "O24.integer.slow" }, [[
Integers are multiplied and added in one instruction, too. On the GTX 280 the multiplier had 24 bits, as the
fraction of a float has, and a product of 32 bits took four instructions. From 2.x on it has full width, though
often fewer units than floats have: today 64 of them in an SM, where floats have 64 or 128.]])
whole("mul24", "__umul24(x, a) + b", "Product24", FACTOR, TERM,
  function(x) return (x & 0xffffff) * FACTOR + TERM & 0xffffffff end, { "F22.integer.24bit", "O24.integer.slow" }, [[
The lower 24 bits of each, multiplied. Then it was the fast way, and programs of that time are full of it: an index
into an image always has less than 24 bits. Now there is no such multiplier; the upper bits are masked away first,
and that is an instruction more. (The GTX 280's column counts what a compiler of today makes of it, mask and all.
Then it was 4 clocks, and one more instruction for the addition, or none.)]])
whole("idiv", "a / x + b", "Division", LARGE, 1000, function(x) return LARGE // x + 1000 end,
  { "F22.integer.power_of_two", "O24.integer.slow" }, [[
An integer division that the compiler knows nothing about: it takes the reciprocal as a float, turns it back into an
integer, multiplies, and corrects the result twice. Some twenty instructions, on every GPU.]])
whole("shift", "(x >> a) + b", "Shift", 3, TERM, function(x) return (x >> 3) + TERM & 0xffffffff end,
  { "F22.integer.power_of_two", "F22.basic_speed" }, [[
If the divisor is a power of two, a shift does it, at the basic speed. It needs the logarithm, which you often know and
the compiler does not: an image's width may be 1024 in all your runs, but it is an argument.]],
  { ask = "A shift and an addition against a multiply-add: what part of its rate, in %?", of = "share", unit = "%",
    within = 20 })
whole("by8", "x / 8 + b", "DivisionBy8", 0, TERM, function(x) return x // 8 + TERM & 0xffffffff end,
  { "F22.integer.power_of_two" }, [[
Where the divisor stands in the program the compiler makes the shift itself, and has for decades. Write x / 8; template
parameters and constexpr count as standing there. (unsigned, that is: see the next but one.)]])
whole("by10", "x / 10 + b", "DivisionBy10", 0, TERM, function(x) return x // 10 + TERM & 0xffffffff end,
  { "F22.integer.power_of_two" }, [[
It even works for ten: the upper half of a product with 2 to the 35th over ten, rounded up, and a shift. So it is not
division that is slow, but division by what nobody knew at compile time.]])
operation("integers", "signed8", "int: x / 8 - b", { kind = "signed_integers", name = "SignedBy8", b = 123456789,
  of = function(x) return (x >= 0 and x // 8 or -(-x // 8)) - 123456789 end,
  claims = { "F22.integer.power_of_two" }, text = [[
With a sign it is not the same: -1 / 8 is 0, and -1 >> 3 is -1. The slide's rule holds for what is not negative. The
compiler has to add 7 first where x is negative, two instructions more. Where an index can not be negative, unsigned
says so.]] })
whole("mod", "a % x + b", "Modulo", LARGE, 1000, function(x) return LARGE % x + 1000 end,
  { "F22.integer.power_of_two", "O24.integer.slow" }, [[
The remainder is a division, and then a multiplication and a subtraction.]])
whole("mask", "(x & a) + b", "Mask", 1023, TERM, function(x) return (x & 1023) + TERM end,
  { "F22.integer.power_of_two", "F22.basic_speed" }, [[
And for powers of two a mask: x % n is x & (n - 1).]])

-- Widths ------------------------------------------------------------------------------------------

operation("floats", "fp64", "double", { kind = "doubles", a = 0.5, b = 1, of = multiply_add,
  claims = { "F22.fp64.from", "F22.fp64.cc13", "F24.fp64.cc90" }, text = [[
Sixty-four bits. How fast that is depends on whom the GPU was built for. Those for computing centres have half as
many units as for floats; those for games a 32nd or a 64th, so that programs run at all. The figure `ratios` has the
generations. Mind what is a double in C++: 0.5 is, and x * 0.5 with a float x is computed as one, and rounded back;
write 0.5f.]], predict = { ask = "What part of the float's rate is left, on your GPU, in %?", of = "share", unit = "%",
    within = 25 } })
steps[#steps + 1] = { group = "floats", id = "fp16", title = "half, by twos", claims = { "F22.fp16.from" },
  kernel = { file = "halves.cu", name = "halves" }, grid = grid, block = THREADS,
  args = { "half_out", "some", 0.5, 1, function(p) return p.repeats // 2 end }, output = "half_out",
  tolerance = { relative = 4e-3 },
  reference = function(p) return gpu.array("half", 1, 16):cycle(threads(p)) end,
  useful_ops = function(p) return 2 * threads(p) * CHAINS * (p.repeats // 2) end, text = [[
Sixteen bits, two numbers in a register, one instruction for both: __half2 and __hfma2. From compute capability 5.3
on there is arithmetic for them; on some GPUs of 6.x and earlier it was slower than float's, there for a compiler's
sake. Today an SM does at least as many as of floats, on some twice. Eleven bits of fraction are not much: 2049 does
not exist. (Of the GTX 280, which has none of it, there is no number here.)]] }

-- What rounding leaves ----------------------------------------------------------------------------

local function square_bytes(p) return 8 * threads(p) end

local function rest(id, title, kernel, reference, claims, text)
  steps[#steps + 1] = { group = "rest", id = id, title = title, text = text, claims = claims,
    kernel = { file = "instructions.cu", name = kernel }, grid = grid, block = THREADS,
    args = { "out", "near_one", threads }, output = "out", reference = reference, useful_bytes = square_bytes }
end

local function rounded(x) return (string.unpack("<f", string.pack("<f", x))) end

-- What rounding takes off x·x is exact as a double, and fits a float.
rest("rest-fma", "fmaf(x, x, -rounded)", "residual", function(p, host)
  local period = gpu.array("float", 4096)
  for i = 0, #period - 1 do
    local x = host.near_one[i % threads(p)]
    period[i] = x * x - rounded(x * x)
  end
  return period:cycle(threads(p))
end, { "F22.fma" }, [[
How one sees the difference: x·x is rounded to a float, and that is subtracted from the product. With an FMA the
product in the second place has all its 48 bits, and what is left is exactly what the rounding took away, to the
last bit. Two numbers hold the product with no error at all; products of twice the precision are made that way.]])
rest("rest-apart", "the same, apart", "residual_apart", function(p)
  return gpu.array("float", threads(p), 0)
end, { "F22.mad.apart" }, [[
In two instructions both products are rounded, and nothing is left: 0 everywhere.]])

-- Loops -------------------------------------------------------------------------------------------

-- A lane starts with its number.
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
  return ("%.3g instructions for each multiply-add"):format(report.counters.thread_instructions / ops)
end

local function loop(id, title, kernel, text, predict)
  steps[#steps + 1] = { group = "loops", id = id, title = title, text = text, predict = predict,
    claims = { "F22.loops.overhead", "F22.loops.unroll" },
    kernel = { file = "loops.cu", name = kernel }, grid = grid, block = THREADS,
    args = { "out", 0.5, 1, function(p) return 4 * p.repeats end }, output = "out", reference = in_a_loop,
    tolerance = { relative = 1e-6 }, useful_ops = operations, detail = per_operation }
end

loop("rolled", "loop, as it stands", "loop<1>", [[
A loop around one multiply-add. Beside it there is the counter to be moved, the condition, and the jump: three
instructions for one that is wanted. #pragma unroll 1 keeps the compiler from doing anything about it.]],
  { ask = "Instructions for each multiply-add?", unit = "instructions", of = function(record)
    return record.report and record.report.counters.thread_instructions / operations(record.params)
  end })
loop("unrolled16", "#pragma unroll 16", "loop<16>", [[
Sixteen at a time: the same three instructions for sixteen. A remainder, if the number is no multiple of sixteen,
has a loop of its own. What is left of the overhead can be neglected. Still more costs registers and room in the
instruction cache, and gains nothing.]])
loop("compiler", "no word about it", "loop_as_compiled", [[
What the compiler does of its own accord: it unrolls by four here. Where the number of rounds is known and small it
unrolls all. So in a small kernel there is often nothing to win by pragmas; look at the count before you write one.]])

local function walked(p, host)
  local one = gpu.array("float", LANES)
  for lane = 0, LANES - 1 do
    local x = 0
    for k = 0, WORDS - 1 do x = x * 0.5 + host.some[lane + k] end -- what an earlier round left is 2^-512 of it
    one[lane] = x
  end
  return one:cycle(threads(p))
end

local function rounds(p) return math.max(1, p.repeats // 256) end

local function walk(id, title, kernel, text)
  steps[#steps + 1] = { group = "loops", id = id, title = title, text = text, detail = per_operation,
    claims = { "F22.loops.overhead" },
    kernel = { file = "loops.cu", name = kernel }, grid = grid, block = THREADS, args = { "out", "some", 0.5, rounds },
    output = "out", reference = walked, tolerance = { relative = 1e-5 },
    useful_ops = function(p) return threads(p) * WORDS * rounds(p) end }
end

walk("walk", "over an array", "walk<1>", [[
A loop that reads an array has a pointer to move as well. (In shared memory, so that no other memory is waited for.)]])
walk("walk16", "over an array, by 16", "walk<16>", [[
Unrolled, all sixteen accesses use one pointer, each with an offset that is a part of the instruction; it moves once in
sixteen. What is left are a load and a multiply-add. On the GTX 280 not even the load: there the word in shared memory
is an operand of the multiply-add.]])

-- Independent work --------------------------------------------------------------------------------

local FEW <const> = 12288 -- bytes of shared memory, so that a GTX 280 has one block on a multiprocessor

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

-- One block of four warps an SM.
local function few(p, device)
  return { few = device and device.backend == "cuda" and device.sms or p.few }
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

chain("chain1", "1 number a thread", 1, [[
Only four warps on each SM, one for each of its schedulers, and every multiply-add needs the result of the one before.
That is there after four clocks today, after 24 on the GTX 280; until then the warp has nothing to do, and there is
hardly another.]])
chain("chain2", "2 numbers", 2, [[
Two numbers that have nothing to do with each other: the second multiply-add can begin while the first is on its way.
Instruction-level parallelism, without a single thread more.]],
  { ask = "How much of one number's rate do two reach, in %?", of = "share", unit = "%", within = 15 })
chain("chain4", "4 numbers", 4, [[
With four, the four clocks of today's pipelines are filled. The GTX 280 had 24 clocks to be filled by instructions of
four clocks each: six warps, or as few as three if each has two numbers.]])
chain("chains", function(p) return ("%d numbers, yours"):format(p.chains) end, nil, [[
As many as you like, `set chains=8`. `plot chains` draws them. What one can have of it in a program of one's own:
add up in two sums instead of one, compute two elements a thread, unroll so that loads of the next round stand
before what is done with these. Lab 11 sets this beside more threads.]])

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
One operand of the addition lies in shared memory, where all threads of a warp read the same word. On compute
capability 1.x an instruction could have such an operand, one of them, and took the four clocks that it takes with
registers. Since 2.0 there is no such instruction: the word is loaded first, by an instruction of its own that goes
to units of which an SM has 32 and not 128. "As fast as registers" is over; that is why products of matrices keep
their operands in registers today (lab 7).]], { "F22.operand.as_registers", "F22.operand.one" })
operand("itself", "a + a * s[i]", "MultiplyByItself", "F22.operand.itself", function(x, s) return x * s + x end, [[
A multiply-add that has the same register twice: five clocks, as the lecturer measured; the reason was never published.
(The model of the GTX 280 has these three numbers as rules, so that its column is no test of them.)]])
operand("other", "a + b * s[i]", "MultiplyByOther", "F22.operand.other", function(x, s) return x + s end, [[
And with two registers, six clocks. A product of matrices is made of this line: 4 clocks of work in 6 are the bound
of 415 GFLOPS in lab 6. Today all three forms are bound by the load and take the same time.]])

-- Figures -----------------------------------------------------------------------------------------

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

-- Function, its arguments, what is right, and the error that the programming guide lets it have: units in the last
-- place, or absolute.
local PRECISION <const> = {
  { "sinf", "Sine", -3, 3, math.sin, "2 units" }, { "__sinf", "FastSine", -3, 3, math.sin, "3.6e-07" },
  { "sinf", "Sine", 990, 1000, math.sin, "2 units" }, { "__sinf", "FastSine", 990, 1000, math.sin, "more" },
  { "expf", "Exponential", -1, 1, math.exp, "2 units" },
  { "__expf", "FastExponential", -1, 1, math.exp, "3 units" },
  { "expf", "Exponential", 70, 80, math.exp, "2 units" },
  { "__expf", "FastExponential", 70, 80, math.exp, "95 units" },
  { "1 / x", "Quotient", 1, 2, inverse, "none" }, { "__fdividef(1, x)", "FastQuotient", 1, 2, inverse, "2 units" },
  { "rsqrtf", "ReciprocalRoot", 1, 4, inverse_root, "2 units" },
}

steps[#steps + 1] = { group = "figures", id = "precision", title = "what is lost",
  claims = { "F22.sfu.precision", "F22.functions" },
  text = [[
The functions of above over 4096 arguments each, as your device computes them, against the same in double precision;
and what the programming guide says they may be off by. A float cannot be nearer than 6e-8 of itself, which is a
unit in the last place or half of one. __sinf between -pi and pi is off by 2 to the -21.41 at most, in absolute
terms; near a zero of the sine that may be all of it. Beyond, nothing is promised: for an argument of a thousand,
1000 / 2pi leaves only 16 of 24 bits behind the point, and the result can have no more. __expf loses with the size
of its argument, for the same reason. Division and rsqrtf lose next to nothing.]],
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
    return { columns = { "function", "arguments", "off by\nat most", "of the\nvalue", "allowed" }, rows = rows,
      note = device.backend == "emu" and "The emulator keeps within what is allowed, and is nearer to the truth than a "
        .. "GPU: its __sinf loses nothing. What a GPU's loses shows on a GPU only." or nil }
  end }

-- FP64 units of an SM and FP32 units, by the programming guide, and the GPU whose data are at hand.
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

steps[#steps + 1] = { group = "figures", id = "ratios", title = "double precision by generation",
  claims = ratio_claims, text = [[
What the slide gives for each compute capability, the units for doubles in an SM of it, and a GPU. The step `fp64`
measures yours.]],
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
    return { columns = { "cc", "slide", "units", "GPU", "its part", "GFLOPS" }, rows = rows,
      note = "8.6 has 1/64, not 1/32 as on the slide. Of 2.0 and 3.5 only the boards for computing had this; those for "
        .. "games of the same chips were held at 1/8 and 1/24." }
  end }

-- Exercises ---------------------------------------------------------------------------------------

local COUNT <const> = 16384 -- elements, of every exercise
local WARPS <const> = COUNT // LANES

local function exercise(of)
  of.grid, of.block = COUNT // THREADS, THREADS
  local folder = ("08-%s/%s.cu"):format(of.id, of.kernel)
  of.starter, of.solution = "exercises/" .. folder, "solutions/" .. folder
  return of
end

local function each(type, of)
  return function(_, host)
    local want = gpu.array(type, COUNT)
    for i = 0, COUNT - 1 do want[i] = of(host, i) end
    return want
  end
end

local function bits(x)
  local count = 0
  while x ~= 0 do x, count = x & (x - 1), count + 1 end
  return count
end

-- Numbers between 1 and 2 whose products nearly agree: a · d - b · c is all rounding error.
local function cancelling()
  local made, state = { a = {}, b = {}, c = {}, d = {} }, 8
  local function next_one()
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return rounded(1 + (state >> 7) / (1 << 24))
  end
  for i = 1, COUNT do
    local a, b, d = next_one(), next_one(), next_one()
    made.a[i], made.b[i], made.c[i], made.d[i] = a, b, rounded(a * d / b), d
  end
  return made
end

local factors

local function factor(name)
  return function()
    factors = factors or cancelling()
    return gpu.array("float", COUNT, factors[name])
  end
end

local exercises = {
  exercise {
    id = "doubles", title = "Doubles by accident", kernel = "fade", claims = { "F22.fp64.from" },
    args = { "faded", "values", COUNT }, output = "faded", tolerance = { relative = 2e-6 },
    reference = each("float", function(host, i)
      local x = host.values[i]
      return 0.299 * x + 0.587 * (1 - x) + 0.114 * x * x
    end),
    gate = { warp_instructions = { at_most = WARPS * 24 } },
    task = [[
There is no double in this kernel, one would think. There are eight instructions for doubles and four that convert,
on a GPU for games each as dear as 32 or 64 of the others. Get rid of them; the results may differ in the last bits.]],
    hints = {
      "What is the type of 0.299 in C++? And of a float times that?",
      "`ptx` shows what the compiler made of it: look for f64. Each of them goes back to a constant.",
      "0.299f, 0.587f, 1.0f, 0.114f.",
    },
    debrief = [[
A constant without an f is a double, and what it meets becomes one, too. On a GPU with half as many units for doubles
one hardly notices; on all others such a line can take most of a kernel's time. Functions have the same trap: sin(x) is
chosen by the argument's type in C++, but pow(x, 2.0) is computed with doubles. For the compiler there is no way out of
it: it may not change results.]],
  },
  exercise {
    id = "polynomial", title = "Powers", kernel = "polynomial", claims = { "F22.fma" },
    args = { "faded", "values", COUNT }, output = "faded", tolerance = { relative = 1e-5 },
    reference = each("float", function(host, i)
      local x = host.values[i]
      return 0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125)))
    end),
    gate = { warp_instructions = { at_most = WARPS * 22 } },
    task = [[
A polynomial of degree four, written with powf as one finds it in a book. A power of floats is a logarithm and an
exponential, both with more digits than a float has; it takes a hundred instructions. Four multiply-adds will do.]],
    hints = {
      "What does x to the fourth cost if x to the third is there already?",
      "Take x out of all terms that have one, and again out of what is left in the brackets: Horner's scheme.",
      "c0 + x * (c1 + x * (c2 + x * (c3 + x * c4))).",
    },
    debrief = [[
Each bracket is one multiply-add. It is a chain, each waits for the one before; with many warps that does not
matter, and if it does, the even and the odd powers can be summed up apart, in x squared. powf is for exponents that
nobody knows in advance. The same goes for expf(a * logf(x)), for powf(2, n), which is ldexpf or a shift, and for
powf(x, 0.5f).]],
  },
  exercise {
    id = "bits", title = "An instruction of its own", kernel = "bits", claims = { "F22.basic_speed" },
    args = { "counts", "words", COUNT }, output = "counts",
    reference = each("unsigned", function(host, i) return bits(host.words[i]) end),
    gate = { warp_instructions = { at_most = WARPS * 20 } },
    task = [[
How many bits of a word are 1? The loop looks at each of the 32, which takes some hundred instructions. There is one
for it.]],
    hints = {
      "The CUDA programming guide lists what there is in “Integer intrinsics”. Their names begin with two underlines.",
      "A population count.",
      "__popc(word).",
    },
    debrief = [[
GPUs have more of the kind: __clz counts leading zeros, __ffs finds the first one, __brev turns the order round,
__byte_perm picks bytes, __dp4a multiplies four bytes with four others and adds up; and there are min, max, and
saturation. The compiler finds some by itself: of the well-known loop that takes away the lowest 1 until nothing is
left, by word &= word - 1, it makes this very instruction. Of the loop in the starter it does not.]],
  },
  exercise {
    id = "cancels", title = "What cancels", kernel = "determinant", claims = { "F22.fma", "F22.mad.apart" },
    args = { "faded", "a", "b", "c", "d", COUNT }, output = "faded", tolerance = { relative = 1e-6 },
    reference = each("float", function(host, i)
      return host.a[i] * host.d[i] - host.b[i] * host.c[i]
    end),
    gate = { warp_instructions = { at_most = WARPS * 36 }, global_load = { at_most = 4.05 } },
    task = [[
The determinant a d - b c of numbers between 1 and 2, whose products are nearly equal. What is left after the
subtraction is mostly what rounding made of the products: the results are wrong from the first digit on. Get six digits
right, without doubles.]],
    hints = {
      "fmaf(a, d, -b * c) rounds only one of the two products. What does it do to the other?",
      "How far b * c was rounded can be computed, exactly: see the step rest-fma.",
      "p = b * c; off = fmaf(-b, c, p); and the result is fmaf(a, d, -p) + off.",
    },
    debrief = [[
off is p - b c, without error; a d - p is rounded once, and adding off puts right what p lacks. It is known as
Kahan's difference of products, and costs four instructions instead of two. With doubles it would be right as well,
at the price of the table above. Where a compiler contracts as it likes, even a * d - b * c with equal products need
not be 0: it may be the rounding error of one of them.]],
  },
}

return lab.define {
  number = 8,
  id = "instructions",
  title = "Instruction speed",
  lecture = { "F22", "F24", "O24" },
  intro = [[
An SM begins a few instructions in every clock, and how many of a kind depends on how many units it has for that kind.
Additions and multiplications of floats are what there are most units for. Some operations have few units, or none and
are made of a dozen others. Some have become dear or cheap since the slides were written.

Every step does one thing over and over and hardly touches memory. Rates are in 10⁹ operations a second, of single
threads; the column for the GTX 280 has clocks that an SM takes for a warp, as the lecture counts: 4 where all 8 units
take part. The figures at the end show what the fast forms lose, and double precision by generation.]],
  params = {
    blocks = { default = 1056, small = 8, min = 8, max = 65535, help = "blocks of 256 threads" },
    repeats = { default = 512, emulator = 256, small = 16, min = 8, max = 1 << 20,
      help = "how often a thread does it to each of its numbers" },
    few = { default = 132, small = 4, min = 1, max = 65535,
      help = "blocks of 128 threads in the steps on independent numbers; on a GPU one for each SM" },
    chains = { default = 8, min = 1, max = 16, help = "independent numbers of a thread in the step chains" },
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
    -- of the exercises
    values = { type = "float", count = COUNT, fill = "random", seed = 8 },
    faded = { type = "float", count = COUNT },
    words = { type = "unsigned", count = COUNT, fill = "random", seed = 9 },
    counts = { type = "unsigned", count = COUNT },
    a = { type = "float", count = COUNT, fill = factor "a" },
    b = { type = "float", count = COUNT, fill = factor "b" },
    c = { type = "float", count = COUNT, fill = factor "c" },
    d = { type = "float", count = COUNT, fill = factor "d" },
  },
  groups = {
    { id = "floats", title = "floats", baseline = "fma", share = "of x*a+b", columns = COLUMNS },
    { id = "integers", title = "integers", baseline = "imul", share = "of x*a+b", columns = COLUMNS },
    { id = "rest", title = "what is left", columns = { "rate", "verified" } },
    { id = "loops", title = "loop", baseline = "rolled", share = "of first", columns = COLUMNS },
    { id = "chains", title = "few warps", baseline = "chain1", share = "of first",
      columns = { "rate", "share", "verified" } },
    { id = "operands", title = "operand", baseline = "add", share = "of a+s[i]",
      columns = { "lecture", CLOCKS, "rate", "share", "verified" } },
    { id = "figures", title = "figures" },
  },
  steps = steps,
  plots = {
    { id = "chains", title = "Four warps an SM, over numbers of a thread", claims = { "F22.loops.ilp" },
      x = { param = "chains", values = { 1, 2, 3, 4, 6, 8, 12, 16 }, label = "numbers a thread" },
      emulator_values = { 1, 2, 3, 4, 6, 8 }, with = { repeats = 512 }, steps = { "chains" }, y = "rate", text = [[
The line rises until the pipeline is full: latency in clocks over the clocks between two instructions. With more warps
it would begin further up and end at the same height.]] },
  },
  exercises = exercises,
}
