-- The commands of views, and others that are about steps and launches that ran. A view is a row here and a file in
-- gpulab/show.
local host = require "gpulab.host"
local lazy = require "gpulab.base.lazy"
local compare = lazy "gpulab.show.compare"
local counters = lazy "gpulab.show.counters"
local disassembly = lazy "gpulab.show.disassembly"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local generations = lazy "gpulab.show.generations"
local launches = lazy "gpulab.show.launches"
local lines = lazy "gpulab.show.lines"
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local progress = require "gpulab.base.progress"
local record_list = require "gpulab.record.list"
local report = lazy "gpulab.show.report"
local resources = lazy "gpulab.show.resources"
local roofline = lazy "gpulab.show.roofline"
local schedules = lazy "gpulab.show.schedules"
local sweep = lazy "gpulab.show.sweep"
local text = require "gpulab.base.text"
local view = require "gpulab.prompt.view"
local why = lazy "gpulab.show.why"

local function names(prompt) return prompt.records:names() end

-- The two records that the words name.
local function two(prompt, words, name)
  if #words ~= 2 then
    failure.usage(name .. " takes two steps or launches", "for example: "
      .. (prompt.session and ("%s tile padded, or "):format(name) or "") .. name .. " 1 2")
  end
  return prompt.records:named(words[1]), prompt.records:named(words[2])
end

-- A chart at the prompt, or as SVG in a file.
local function draw(prompt, of, drawn, path)
  if not path then return pager.show(of.lines(drawn, view.options(prompt))) end
  files.write(tostring(path), of.svg(drawn))
  text.say(("  wrote %s"):format(text.printable(tostring(path))))
end

local function compare_two(prompt, words)
  local a, b = two(prompt, words, "compare")
  local c, others = progress.during(("%s and %s"):format(a.id, b.id), prompt.options.quiet, compare.of, a, b)
  local unlike = compare.unlike(c, a, b)
  text.say(unlike and text.wrap(unlike, "  ") or compare.lines(c, a:called(), b:called(), report.gpu(a.device), others))
end

-- A lab's diff also compares a student's copy with the original (lab/edit.lua).
local function diff(prompt, words)
  local a, b = two(prompt, words, "diff")
  pager.show(disassembly.diff(a, b, view.options(prompt)))
end

local function list_launches(prompt)
  local list = prompt.records.launches
  if #list == 0 then failure.usage("nothing was launched yet", "for example: " .. record_list.example()) end
  pager.show(launches.lines(list, view.options(prompt)))
end

local function bad_plot(message)
  failure.usage(message, ("for example: plot(function(n) %s end, {256, 512, 1024})"):format(
    record_list.example "grid=n//256, block=256"))
end

local function no_plot() bad_plot "plot takes a function and a list of numbers" end

local function values_of(list)
  if type(list) ~= "table" or #list == 0 then no_plot() end
  for i, x in ipairs(list) do
    if type(x) ~= "number" then bad_plot(("value %d of the list is not a number"):format(i)) end
  end
  local values = lists.append({}, list)
  table.sort(values)
  return values
end

-- plot(f, {256, 512}, "FILE.svg"): f(x) launches a kernel, which is counted and not made.
local function plot(prompt, f, list, path)
  if type(f) ~= "function" then no_plot() end
  local points = lists.map(values_of(list), function(x)
    local record = prompt.records:captured(f, x)
    if not record then bad_plot(("the function launches nothing for %s"):format(text.said(x))) end
    local ok, e = host.catch(record.counted, record)
    if not ok and record.outcome == "ok" then error(e, 0) end -- no fault of the launch: Ctrl-C, or an argument
    return { x = x, record = record }
  end)
  draw(prompt, sweep, sweep.of(points, debug.getlocal(f, 1) or "x"), path)
end

local function named(prompt, words, rest)
  if record_list.is_launch(rest) then return { prompt.records:find({}, rest) } end
  local records = lists.map(words, function(word) return prompt.records:named(word) end)
  return #records > 0 and records or prompt.records:all()
end

local function draw_roofline(prompt, words, rest)
  local wanted, path = {}, nil
  for _, word in ipairs(words) do
    if word:match("%.svg$") then path = word else wanted[#wanted + 1] = word end
  end
  local records = named(prompt, wanted, rest)
  if #records == 0 then failure.usage("nothing has run yet", "run a step, or launch a kernel") end
  draw(prompt, roofline, roofline.of(lists.map(records, function(record) return record:counted() end)), path)
end

local function seed_of(word)
  if not word then return nil end
  local seed = math.tointeger(tonumber(word))
  if seed and seed >= 1 and seed <= schedules.LARGEST then return seed end
  failure.usage(("%q is not a seed"):format(word), "seeds are integers from 1 on")
end

local rows <const> = {
  { name = "compare", usage = "compare A B", topic = "results",
    summary = "test whether the second of two steps or launches is faster than the first",
    help = "Samples both alternately and answers faster, slower or cannot tell, with a confidence interval for the"
      .. " ratio of their times. On the emulator it compares predictions. A and B are steps, or launches by their"
      .. " numbers or kernels.",
    complete = names, run = compare_two },
  view.command { name = "counters", usage = "counters [STEP|LAUNCH] [COUNTER...]",
    summary = "show what was counted, with ratios",
    help = "Shows the counters that are not zero, with sectors or wavefronts per request, and names those that are"
      .. " zero. With names, shows those: counters tile divergent_branches. docs/reference/counters.md defines each.",
    is_option = function(prompt, word, i)
      return i > 1 or counters.is_name(word) and not prompt.records:has(word)
    end,
    complete = function(prompt) return lists.append(names(prompt), counters.names(prompt.records:last())) end,
    run = function(record, wanted, options) return counters.of(record, wanted, options) end },
  { name = "diff", usage = "diff A B", topic = "kernels",
    summary = "compare the inner loops of two kernels",
    help = "Compares the compiled inner loops of two steps' or launches' kernels: the instructions by category, and"
      .. " those that differ, whatever the numbers of their registers.",
    complete = names, run = diff },
  view.command { name = "disassemble", usage = "disassemble [STEP|LAUNCH] [ptx|sass]",
    summary = "show the SASS or PTX of a kernel",
    help = "Shows SASS, the GPU's own instructions, if nvdisasm or cuobjdump is installed, else PTX. Each instruction"
      .. " is below its source line, and the inner loop is marked. `diff A B` compares two inner loops.",
    is_option = function(_, word) return word == "ptx" or word == "sass" end,
    run = function(record, words, options) return disassembly.of(record, words[1], options) end },
  view.command { name = "generations",
    summary = "predict a step or launch on every GPU since 2006 and whether its lesson matters there",
    help = "Runs it on the emulator; a step with those of its table that compute the same result or do the same"
      .. " work. For every GPU it shows the predicted rate or time, the share of the peak, what limits"
      .. " it, and whether the difference to the best of them matters there. GPUs made with gpu.model come last.",
    run = function(record, _, options, prompt)
      local result = progress.parts(prompt.options.quiet, function(begins) return generations.study(record, begins) end)
      return generations.lines(result, options)
    end },
  view.command { name = "partitions", usage = "partitions [STEP|LAUNCH] [GPU]",
    summary = "show the bytes per DRAM partition of a GTX 280",
    help = "The DRAM partitions of GPUs of cc 1.x alternate every 256 bytes. Shows the traffic per partition, and the"
      .. " DRAM pages opened, of blocks that start together: those with the longest memory time."
      .. " partitions STEP 8800 GTX shows another GPU.",
    is_option = function(_, _, i) return i > 1 end,
    run = function(record, words, _, prompt)
      local name = #words > 0 and table.concat(words, " ") or "GTX 280"
      return generations.histogram(progress.during(record.title, prompt.options.quiet, generations.partitions, record,
        name), record.id)
    end },
  { name = "launches", usage = "launches", topic = "results", most = 0,
    summary = "list the kernels that you launched, with counters and predicted times",
    help = "Lists what k.NAME{grid=, block=}(...) launched at this prompt, and scripts before it with -i. The numbers,"
      .. " or the kernels' names, are for why, lines, counters, and the other commands of results; without a number"
      .. " they take the last launch.",
    run = list_launches },
  view.command { name = "lines",
    summary = "show instructions and memory traffic per source line",
    help = "Shows warp instructions, and sectors and wavefronts per request, for each source line.",
    run = function(record, _, options) return lines.of(record, options) end },
  { name = "plot", usage = "plot(FUNCTION, VALUES [, \"FILE.svg\"])", topic = "results",
    summary = "draw the time of a launch over a parameter",
    help = "Calls the Lua function with each of the values and draws the predicted time of the launch that it writes:"
      .. " plot(function(n) k.scale{grid=n//256, block=256}(x, 5) end, {256, 512, 1024}). The launches are counted and"
      .. " leave the buffers as they are; `launches` lists them.",
    run = no_plot, call = function(prompt, f, ...) plot(prompt, f, ...) end },
  view.command { name = "resources",
    summary = "show a kernel's registers, shared memory and occupancy",
    help = "Shows registers, shared and local memory, how many blocks fit on an SM, and what limits their number.",
    run = function(record, _, options) return resources.lines(resources.of(record), options) end },
  { name = "roofline", usage = "roofline [STEP|LAUNCH...] [FILE.svg]", topic = "results",
    summary = "draw operations per byte against the GPU's limits",
    help = "Draws the steps that have run and the launches, or the named ones, under the roof of the GPU. On the left"
      .. " the DRAM bandwidth is the limit, on the right the peak of the arithmetic units. With FILE.svg writes the"
      .. " chart to a file.",
    complete = names, run = draw_roofline },
  view.command { name = "schedules", usage = "schedules [STEP|LAUNCH] [SEED]",
    summary = "test whether the order of blocks and warps changes the result",
    help = "Runs it on the emulator, a step at a small size, in adversarial orders of its blocks and warps. If an order"
      .. " changes the result, it prints both results, the two accesses that race, and the seed. With a seed it replays"
      .. " that order.",
    is_option = function(_, _, i) return i > 1 end,
    run = function(record, words, _, prompt)
      if #words > 1 then
        failure.usage(("%q is not expected"):format(words[2]), "usage: schedules [STEP|LAUNCH] [SEED]")
      end
      return schedules.lines(record, progress.during("orders of " .. record.title, prompt.options.quiet,
        schedules.search, record, { seed = seed_of(words[1]) }))
    end },
  view.command { name = "why",
    summary = "explain what limits a step or launch and what would change that",
    help = "Shows the resource that limits its time and what would shorten it; then what its warps wait for,"
      .. " divergence, atomics, and the access that exceeds its ideal cost the most, for shared memory with the bank"
      .. " that each lane accesses. A launch is named by its number in `launches`, by its kernel, or written out: why"
      .. " k.scale{grid=1, block=32}(x, 5) counts it and leaves the buffers as they are.",
    run = function(record)
      record = record:counted()
      failure.pass_interrupt(record)
      return why.explain(record)
    end },
}

for _, row in ipairs(rows) do rows[row.name] = row end -- for a lab's commands of the same names

return rows
