-- Lab 5, reduction: what the lectures say. lecture.lua explains the fields.
local elements_note = "the slide prints MElem/s; 4-byte elements at this bandwidth are so many G elements/s"

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
      assumed = (step == #ladder and "64 " or "") .. "blocks of 128 × 1 threads, 2^24 elements" }, {
      { id = ("O24.reduce%d.%s"):format(step, name), value = bandwidth, unit = "GB/s" },
      { id = ("O24.reduce%d.%s.elements"):format(step, name), value = elements, unit = "Gelem/s",
        note = elements_note },
    })
  end
end
