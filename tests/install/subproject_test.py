#!/usr/bin/env python3
"""Has a foreign project take in ndc's sources, by add_subdirectory and by FetchContent: it gets ndc::ndc and what that is
made of, and no tool, test, binding or rule of installation. The project is configured, and its program compiled as it
says, but linked with the library that is there; with --whole all is built, which takes minutes.
"""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys


def require(holds, what):
    if not holds:
        sys.exit(f"subproject_test: {what}")


def run(*command, **options):
    print("+", *command, flush=True)
    done = subprocess.run([str(word) for word in command], check=False, text=True, **options)
    require(done.returncode == 0, f"exit code {done.returncode}")
    return done.stdout


def targets_of(build):
    """{name: description} of what CMake says that it would build, by its file API."""
    reply = build / ".cmake/api/v1/reply"
    index = json.loads(next(reply.glob("index-*.json")).read_text(encoding="utf-8"))
    (model,) = (one["jsonFile"] for one in index["objects"] if one["kind"] == "codemodel")
    (configuration,) = json.loads((reply / model).read_text(encoding="utf-8"))["configurations"]
    return {
        target["name"]: json.loads((reply / target["jsonFile"]).read_text(encoding="utf-8"))
        for target in configuration["targets"]
    }


def check_targets(build, source):
    targets = targets_of(build)
    built = {name for name, target in targets.items() if target["type"] in ("EXECUTABLE", "SHARED_LIBRARY", "UTILITY")}
    require(built == {"consumer", "ndc"}, f"the project would build {sorted(built)}")
    require("install" not in targets["ndc"], "ndc installs itself with a project that has not asked for it")
    library = targets["ndc"]["artifacts"][0]["path"]
    require(library.startswith(("ndc/", "_deps/ndc-build/")), f"{library} is not in ndc's folder of the build")
    for target in targets.values():
        for one in target["sources"]:
            path = (source / one["path"]).resolve()
            parts = path.relative_to(source).parts if path.is_relative_to(source) else ("",)
            require(parts[0] not in ("tools", "archives", "eval", "bench", "bindings"), f"{path} would be compiled")


def compile_and_run(build, library):
    """The program by the commands that CMake gives for it."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    (command,) = (one for one in commands if one["file"].endswith("consumer.c"))
    words = shlex.split(command["command"])
    made = pathlib.Path(command["directory"], words[words.index("-o") + 1])
    made.parent.mkdir(parents=True, exist_ok=True)
    run(*words, cwd=command["directory"])
    program = build / "consumer"
    run(words[0], made, library, f"-Wl,-rpath,{library.parent}", "-o", program)
    run(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "work", "library"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "generator", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    for way, fetched in (("a subdirectory", "OFF"), ("fetched content", "ON")):
        # A blank in a folder's name is one more thing that a foreign project may have.
        build = arguments.work / way
        (build / ".cmake/api/v1/query").mkdir(parents=True)
        (build / ".cmake/api/v1/query/codemodel-v2").touch()
        run(
            arguments.cmake,
            *("-S", arguments.source / "tests/install/subproject", "-B", build, "-G", arguments.generator),
            f"-DNDC_SOURCE={arguments.source}",
            f"-DFETCHED={fetched}",
            f"-DCMAKE_C_COMPILER={arguments.cc}",
            f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
            *("-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"),
            stdout=subprocess.DEVNULL,
        )
        check_targets(build, arguments.source.resolve())
        if arguments.whole:
            run(arguments.cmake, "--build", build, "--parallel", stdout=subprocess.DEVNULL)
            run(build / "consumer")
        else:
            compile_and_run(build, arguments.library)


if __name__ == "__main__":
    main()
