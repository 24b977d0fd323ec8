"""Plans a root as tftest does, with groma for terraform: the program and the folder are the arguments."""
import sys

import tftest

program, folder = sys.argv[1:]
test = tftest.TerraformTest(folder, binary=program)
test.setup()
plan = test.plan(output=True)
actions = {address: one["change"]["actions"] for address, one in plan.resource_changes.items()}
assert actions == {
    "module.net.terraform_data.in": ["no-op"],
    "terraform_data.new": ["create"],
    "terraform_data.old": ["delete"],
    "terraform_data.web": ["update"],
}, actions
assert plan.outputs["release"] == 8, plan.outputs
assert plan.variables["release"] == 8, plan.variables
assert plan.modules["module.net"].resources["terraform_data.in"]["values"]["input"] == "in"
assert test.output()["release"] == 8
for change in (test.apply, test.destroy, test.refresh):
    try:
        change()
    except tftest.TerraformTestError:
        continue
    raise AssertionError("what would change something is not refused")
print("tftest: init, plan and output answer, and what would change something is refused")
