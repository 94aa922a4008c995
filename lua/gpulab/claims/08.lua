-- Lab 8, instruction speed: what the lectures say. lecture.lua explains the fields.
local fp64 = { -- fraction of the FP32 rate, by compute capability
  { "13", 1 / 8, "1.3" }, { "20", 1 / 2, "2.0" }, { "21", 1 / 12, "2.1" }, { "30", 1 / 24, "3.0" },
  { "35", 1 / 3, "3.5" }, { "50", 1 / 32, "5.x" }, { "60", 1 / 2, "6.0" },
  { "61", 1 / 32, "6.1 and 6.2; the lecture of 2022 and that of 2024 alike" },
  { "70", 1 / 2, "7.0" }, { "75", 1 / 32, "7.5" }, { "80", 1 / 2, "8.0" },
  { "86", 1 / 32, "8.6; correct is 1/64: 2 of 128 units" }, { "90", 1 / 2, "9.0; only in the lecture of 2024" },
}

return function(add)
  add({ source = "F22", slide = "Processing of Instructions", also = { "F24" } }, {
    { id = "F22.units",
      statement = "On 1.x a multiprocessor has 8 SPs and 2 SFUs; a warp takes 4 or more cycles, and some instructions "
        .. "are significantly slower." },
  })
  add({ source = "F22", slide = "Floating Point Operations", also = { "F24" } }, {
    { id = "F22.sfu.precision",
      statement = "Operations that graphics uses often have special function units: lower precision, which many "
        .. "applications do not notice, and names that begin with __." },
    { id = "F22.fp64.from", statement = "Double precision from compute capability 1.3 on." },
    { id = "F22.fp16.from", statement = "Half precision from compute capability 5.3 on." },
  })
  add({ source = "F22", slide = "Arithmetic Operations", also = { "F24" } }, {
    { id = "F22.mad",
      statement = "On compute capability 1.x a multiplication and an addition may become one MAD, less precise." },
    { id = "F22.mad.separate", statement = "With __fadd_rn() and __fmul_rn() the compiler does not form a MAD." },
    { id = "F22.fma", statement = "From 2.0 on it is an FMA, as fast and of higher precision.",
      note = "the slide calls it FMAD" },
    { id = "F22.division", statement = "Division is relatively slow, the reciprocal is faster." },
    { id = "F22.functions",
      statement = "sinf, cosf and expf are more precise than __sinf, __cosf and __expf, and an order of magnitude "
        .. "slower." },
    { id = "F22.integer.24bit",
      statement = "Integer addition and multiplication are as fast as FP32; on 1.x multiplication only with 24 bits." },
    { id = "F22.integer.power_of_two",
      statement = "Division and modulo are very slow; for n a power of two i / n is i >> log2(n), and i % n is "
        .. "i & (n - 1)." },
  })
  for _, row in ipairs(fp64) do
    local cc, value, note = table.unpack(row)
    add({ source = cc == "90" and "F24" or "F22", slide = "Arithmetic Operations", unit = "×" }, {
      { id = (cc == "90" and "F24" or "F22") .. ".fp64.cc" .. cc, value = value, also = cc ~= "90" and { "F24" } or nil,
        note = "of the FP32 rate, compute capability " .. note },
    })
  end
  add({ source = "O24", slide = "Instructions performance" }, {
    { id = "O24.integer.slow",
      statement = "Slower than on CPUs: integer division and modulo, 32-bit multiplication on 1.x, 24-bit "
        .. "multiplication from 2.x on." },
    { id = "O24.sfu.fast",
      statement = "Faster than on CPUs: the functions of the special function units, such as sincosf and rsqrtf.",
      note = "the slide writes __rsqrtf, which does not exist" },
  })
  add({ source = "F22", slide = "Loops", also = { "F24", "O24" } }, {
    { id = "F22.loops.overhead",
      statement = "Small loops have significant overhead: jumps, conditions, control variables, pointer arithmetic." },
    { id = "F22.loops.ilp", statement = "Small loops have little instruction-level parallelism." },
    { id = "F22.loops.unroll",
      statement = "Loops are unrolled by hand, by #pragma unroll, and partly by the compiler." },
  })
  add({ source = "F22", slide = "Other Instructions", also = { "F24" } }, {
    { id = "F22.basic_speed",
      statement = "Comparisons, bit operations, memory access instructions and synchronization (unless blocked) run at "
        .. "the basic speed, which is that of the SPs.",
      note = "holds for the GTX 280; on current SMs each of these has fewer units than FP32" },
  })
  add({ source = "F22", slide = "Beware of Shared Memory", also = { "F24" }, gpu = "GTX 280", unit = "cycles" }, {
    { id = "F22.operand.add", value = 4, note = "a + s[i], per warp" },
    { id = "F22.operand.itself", value = 5, note = "a + a * s[i], per warp" },
    { id = "F22.operand.other", value = 6, note = "a + b * s[i], per warp" },
  })
  add({ source = "F22", slide = "Beware of Shared Memory", also = { "F24" } }, {
    { id = "F22.operand.one",
      statement = "On 1.x an instruction can have one operand in shared memory; a second one needs a load.",
      note = "lab 7 measures the second" },
    { id = "F22.operand.as_registers",
      statement = "Without bank conflicts shared memory is as fast as registers on 1.x." },
    { id = "F22.operand.later",
      statement = "Fermi and newer GPUs have lower bandwidth even with only one operand in shared memory." },
  })
  add({ source = "F22", slide = "C for CUDA Compilation" }, {
    { id = "F22.ptx",
      statement = "PTX is intermediate code: easier to read than GPU instructions, but it does not correspond directly "
        .. "to them." },
  })
end
