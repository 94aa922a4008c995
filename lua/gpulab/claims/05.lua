-- Lab 5, reduction: what the lectures say. lecture.lua explains the fields.
local elements_note = "the slide prints MElem/s; this bandwidth of 4-byte elements is this many G elements/s"

local ladder = {
  { "modulo", 3.77, 0.94, "Performance" },
  { "strided", 8.33, 2.08, "Implementation" },
  { "sequential", 16.34, 4.08, "Implementation 3" },
  { "add_on_load", 27.16, 6.79, "Implementation 4" },
  { "last_warp", 37.68, 9.42, "Implementation 5" },
  { "unrolled", 50.64, 12.66, "Implementation 6" },
  { "many_per_thread", 77.21, 19.3, "Implementation 7" },
}

return function(add)
  for step, row in ipairs(ladder) do
    local name, bandwidth, elements, slide = table.unpack(row)
    add({ source = "O24", slide = slide, gpu = "GTX 280",
      assumed = (step == #ladder and "64 " or "") .. "blocks of 256 × 1 threads, 2^21 elements, all launches" }, {
      { id = ("O24.reduce%d.%s"):format(step, name), value = bandwidth, unit = "GB/s" },
      { id = ("O24.reduce%d.%s.elements"):format(step, name), value = elements, unit = "Gelem/s",
        note = elements_note },
    })
  end
  add({ source = "O24" }, {
    { id = "O24.reduce.parallel_steps", slide = "Parallel Algorithm",
      statement = "Adding n numbers in pairs takes n - 1 additions, as one thread would, in log2 n parallel steps.",
      note = "the slide's n a power of two; else the logarithm is rounded up" },
    { id = "O24.reduce.pairwise", slide = "Naive Approach",
      statement = "One launch per step: 2 n numbers loaded, n stored, log2 n launches.",
      note = "v[i] += v[i+1] for even i cannot be repeated: the sums must become adjacent, or the stride must double" },
    { id = "O24.reduce.locality", slide = "Exploiting Data Locality",
      statement = "Blocks that sum m numbers each in shared memory load about n + n/m numbers, store n/m, and take one "
        .. "launch per power of m." },
    { id = "O24.reduce.divergence", slide = "Performance",
      statement = "Selecting the active threads by a modulo makes warps diverge to a high degree." },
    { id = "O24.reduce.implicit_synchrony", slide = "Implementation 5",
      statement = "Below compute capability 7.0 a warp is synchronized implicitly, so its last six iterations need no "
        .. "barrier, only volatile.",
      note = "the slide's sum starts at 0 and leaves out the thread's own element" },
    { id = "O24.reduce.shuffle", slide = "Implementation 5",
      statement = "From compute capability 3.0 on, shuffles sum a warp, safely on all GPUs that have them.",
      note = "the slide's __shfl_down_sync lacks its first argument, the mask" },
    { id = "O24.reduce.cost", slide = "Implementation 7",
      statement = "With one thread per element the cost, threads times steps, is O(n log n); with n / log n threads "
        .. "that sum log n elements each, O(n)." },
  })
end
