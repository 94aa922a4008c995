-- Lab 14, prefix sums: what the publications say. lecture.lua explains the fields.
local of_scan <const> = "the table prints %s ms: 8 bytes per element, read and written, in this time"

return function(add)
  add({ source = "H07", place = "Table 2", gpu = "8800 GTX", unit = "GB/s",
    assumed = "blocks of 256 × 1 threads that scan 512 elements, all launches" }, {
    { id = "H07.scan.n65536", value = 3.827, n = 65536, note = of_scan:format "0.137006" },
    { id = "H07.scan.n1048576", value = 7.503, n = 1048576, note = of_scan:format "1.118091" },
    { id = "H07.scan.n16777216", value = 8.465, n = 16777216, note = of_scan:format "15.854781" },
  })
  add({ source = "H07", place = "section “Avoiding Bank Conflicts”" }, {
    { id = "H07.scan.conflicts", value = 16, unit = "way", gpu = "8800 GTX", n = 512,
      note = "up to 16-way, in the middle of a tree of 512 elements" },
    { id = "H07.scan.padding",
      statement = "Adding i / banks to each index i removes the conflicts of high degree." },
  })
  add({ source = "H07" }, {
    { id = "H07.scan.naive", place = "section “A Naïve Parallel Scan”",
      statement = "With one addition per element and iteration a scan takes O(n log2 n) additions." },
    { id = "H07.scan.tree", place = "section “A Work-Efficient Parallel Scan”",
      statement = "The tree takes 2 (n - 1) additions and n - 1 swaps: O(n)." },
    { id = "H07.scan.blocks", place = "section “Arrays of Arbitrary Size”",
      statement = "Scan the blocks, scan the sums of the blocks, and add these to the elements of the blocks." },
  })
  add({ source = "MG16", place = "abstract" }, {
    { id = "MG16.scan.single_pass",
      statement = "A single pass with decoupled look-back moves about 2n elements: n read and n written." },
    { id = "MG16.scan.copy", statement = "Its rate approaches that of a copy." },
  })
end
