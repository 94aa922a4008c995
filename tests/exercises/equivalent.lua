-- Mutants that are as good as the solution, by exercise and by what is changed, with the reason.
local removed <const> = "the compiler removes what is beyond the end of an array in an unrolled loop"

return {
  ["07-padding"] = { ["loop one more, line 25"] = removed },
  ["07-outer-product"] = { ["loop one more, line 26"] = removed },
  ["07-vectorized"] = { ["loop one more, line 29"] = removed },
  ["10-one-launch"] = {
    ["barrier removed, line 9"] = "the block passes another barrier between the two calls",
    ["barrier removed, line 16"] = "only the thread that wrote the last sum reads it",
  },
  ["14-compaction"] = { ["condition flipped, line 12"] = "all lanes of the warp store the same count" },
  ["14-conflict-free"] = { ["index off by one, line 5"] = "all elements are one word further on, where there is room" },
  ["11-registers"] = { ["loop one more, line 9"] = removed, ["loop one more, line 12"] = removed },
  ["16-fragment"] = { ["loop one more, line 42"] = removed, ["loop one more, line 44"] = removed },
  ["16-conflict-free"] = { ["loop one more, line 66"] = removed },
}
