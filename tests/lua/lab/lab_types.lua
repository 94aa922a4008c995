-- The types for editors name the fields that definitions may have: no more, no fewer.
local lu = require "luaunit"
local fields = require "gpulab.lab.fields"

local classes = { lab = "LabDefinition", param = "ParamDefinition", buffer = "BufferDefinition", group = "GroupDefinition",
  column = "ColumnDefinition", kernel = "KernelDefinition", launch = "LaunchDefinition", library = "LibraryDefinition",
  transfer = "TransferDefinition", overlap = "OverlapDefinition", texture = "TextureDefinition", tensor_map = "TensorMapDefinition",
  tolerance = "ToleranceDefinition", predict = "PredictDefinition", step = "StepDefinition", plot = "PlotDefinition",
  axis = "AxisDefinition", bound = "BoundDefinition", exercise = "ExerciseDefinition",
  project_exercise = "ProjectExerciseDefinition", project = "ProjectDefinition", score = "ScoreDefinition", tier = "TierDefinition" }

-- Names of fields by class, as the annotations have them, with those of its parents.
local function annotated()
  local path = assert(package.searchpath("gpulab.types", package.path))
  local found, class = {}, nil
  for line in io.lines(path) do
    local name, rest = line:match "^%-%-%-@class (%w+)(.*)$"
    if name then
      class, found[name] = name, {}
      for parent in rest:gmatch "[:,] (%u%w*Definition)" do
        for field in pairs(found[parent]) do found[class][field] = true end
      end
    end
    local field = line:match("^%-%-%-@field ([%w_]+) %S")
    if field then found[class][field] = true end
  end
  return found
end

TestTypes = {}

function TestTypes.test_every_table_of_fields_has_a_class()
  for name, value in pairs(fields) do
    local described = type(value) == "table" and select(2, next(value))
    if type(described) == "table" and described.kinds then lu.assertNotNil(classes[name], name) end
  end
end

function TestTypes.test_the_same_fields()
  local found = annotated()
  for name, class in pairs(classes) do
    lu.assertNotNil(found[class], class)
    for field in pairs(fields[name]) do lu.assertTrue(found[class][field] or false, class .. "." .. field .. " is missing") end
    for field in pairs(found[class]) do lu.assertNotNil(fields[name][field], class .. "." .. field .. " is no field") end
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
