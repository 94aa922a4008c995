-- Lab 16, tensor cores: what a paper says. lecture.lua explains the fields.
return function(add)
  add({ source = "DS24", gpu = "H800", place = "Section 3.3.2" }, {
    { id = "DS24.fp8.accumulation",
      statement = "Sums of FP8 products on Hopper's tensor cores keep about 14 bits, although registers are FP32." },
    { id = "DS24.fp8.promotion",
      statement = "Adding partial sums of 128 products in FP32 registers restores the accuracy." },
  })
end
