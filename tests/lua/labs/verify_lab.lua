-- What lab NN promises, with each sixth cheat and mutant. `gpulab --verify-labs` tries them all;
-- docs/records/trials.md has what came of it.
require("gpulab.author.verify_labs").run { target = ..., nth = 6 }
