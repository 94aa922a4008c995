-- Lab 13: a project. A whole file of one's own, with kernels and launches, judged by a framework and by its rate.
local lab = require "gpulab.lab"

local SIDE <const> = 8192 -- rows and columns of the matrix whose rate counts

return lab.define {
  number = 13, id = "project", title = "A project: prefix sums of columns",
  intro = [[
In this lab you write a whole file: kernels, the memory that they need, and their launches. A host program, the
framework, makes a matrix, calls your function, and checks every element. Your kernels run under all checkers at several
sizes; then their time for a matrix of 8192 x 8192 elements on an H200 is predicted, or measured where that is your GPU,
and the rate gives a tier.

`show column-sums` has the task, `edit column-sums` opens your file, and saving it runs the check.]],
  steps = {},
  exercises = {
    { id = "column-sums", title = "Prefix sums of columns",
      task = [[
Compute out[row][column] as the sum of in[0][column] to in[row][column], for any number of rows and columns. The matrix
is in the memory of the GPU, row by row. Your file defines

    void column_sums(const int *in, int *out, int rows, int columns)

which the framework calls (kernels/projects/13-column-sums/framework.cpp). The host code of your file may launch kernels
and allocate, clear, and free memory of the GPU. It may not copy data or use the host for the computation. Blocks begin
in any order, and not all of them at once, so a block must not wait for one that may begin later.

Only the launches count for the rate: 8 bytes per element, divided by their time, predicted or measured. Tiers begin at
600, 1300, and 1800 GB/s and give 50, 80, and 100 % of the points.]],
      starter = "exercises/13-column-sums/column_sums.cu", solution = "solutions/13-column-sums/column_sums.cu",
      project = {
        framework = "projects/13-column-sums/framework.cpp",
        sizes = { { "1", "1" }, { "65", "33" }, { "517", "300" }, { "1030", "129" } },
        score = { args = { tostring(SIDE), tostring(SIDE) }, bytes = 8 * SIDE * SIDE },
        tiers = { { rate = 600, share = 0.5 }, { rate = 1300, share = 0.8 }, { rate = 1800, share = 1 } },
      },
      hints = {
        [[`why column-sums` shows the limiter of the starter: one thread per column is too few threads. How can several
threads work on one column?]],
        [[Split the rows into strips. The sum of a strip does not depend on the strips before it, so all strips can be
summed at the same time. What does each strip still need after that?]],
        [[Three kernels: sums of the strips, prefix sums of these, then each strip adds up its rows from there on. The
second kernel works on few elements; the first and the third should keep the memory busy.]],
      },
      debrief = [[
Three kernels read the matrix twice and write it once: 12 bytes per element instead of 8, so two thirds of the copy
bandwidth is their limit. A single pass reads it once: each block publishes the sum of its strip and then looks back at
the blocks before it, waiting for those that are not done (decoupled look-back, Merrill and Garland 2016). On a GPU such
waiting needs blocks that run at the same time or in the order of a counter, and fences between the sum and its flag.]],
    },
  },
}
