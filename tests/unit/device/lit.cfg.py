# How lit runs the files here. CMakeLists.txt hands over where things are; a test's name is its path from this folder.
import os

import lit.formats

config.name = "hostwarp-device"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["build"]

tools = {name: lit_config.params[name] for name in ("device_passes", "hwcc_device", "run_forms", "filecheck")}
# For `not`, which wants its command to fail.
config.environment["PATH"] = os.pathsep.join([os.path.dirname(tools["filecheck"]), os.environ["PATH"]])
# %passes runs steps of hwcc-device, %hwcc-device all of it; %check compares with the CHECK lines.
config.substitutions.append(("%passes", tools["device_passes"] + " %s"))
config.substitutions.append(("%hwcc-device", tools["hwcc_device"] + " --image-id=1 %s"))
config.substitutions.append(("%check", tools["filecheck"] + " --dump-input-filter=error --allow-unused-prefixes=false %s"))
# %passes-of-much is %passes for functions in which a thousand instructions follow on each `much:`, %passes-of for another file.
much = "awk '{print} /^much:/ {for (i = 0; i < 1000; ++i) print \"  call void @llvm.donothing()\"}' %s > %t.ll"
config.substitutions.insert(0, ("%passes-of", tools["device_passes"]))
config.substitutions.insert(0, ("%passes-of-much", much + " && " + tools["device_passes"] + " %t.ll"))
# %forms compiles the file, and runs and compares all forms of the kernel that is named behind it.
config.substitutions.append(("%forms", " ".join([tools["run_forms"], tools["hwcc_device"], "%s %t.so"])))
