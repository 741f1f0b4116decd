"""What the package knows of the C interface is what the header says."""

import re
import subprocess
import sys

import ndc_dedup as ndc
import pytest
from ndc_dedup import _ndcapi, answers
from ndc_dedup.answers import _EVENT_KINDS, _VERDICTS, Flag, _read_result
from places import SOURCE

sys.path.insert(0, str(SOURCE / "bindings/python"))
from generate_ndcapi import declarations, generate, names_of_functions  # noqa: E402

HEADER = (SOURCE / "include/ndcapi.h").read_text(encoding="utf-8")
ffi, lib = _ndcapi.ffi, ndc._library.lib

# Not from Python: the allocator is of the process, and Python is in it; a list is chosen from by Python itself; stores
# are repaired and merged by the command line; readers, a logger for what opening reports, and what the machines of a
# cluster tell each other, are not wrapped yet.
NOT_CALLED = {
    "nd_apply_outcome",
    "nd_learn_features",
    "nd_read_page",
    "nd_features_info",
    "nd_features_representative",
    "nd_query_features",
    "nd_set_allocator",
    "nd_options_get",
    "nd_partition_features",
    "nd_options_set_logger",
    "nd_repair_store",
    "nd_merge_stores",
    "nd_choose_copy",
    "nd_reader_new",
    "nd_reader_free",
    "nd_reader_features",
    "nd_reader_signature",
    "nd_reader_extract",
    "nd_reader_describe",
}


def test_every_function_of_the_header_is_there():
    names = names_of_functions(HEADER)
    assert len(names) == len(re.findall(r"^ND_API ", HEADER, re.MULTILINE))
    for name in names:
        assert callable(getattr(lib, name)), name


def test_every_constant_of_the_header_is_there_with_its_value():
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
    found = re.findall(r"\b(ND_[A-Z0-9_]+)\s*=\s*([^,}\n]+)", text) + re.findall(
        r"^#define (ND_[A-Z_]+) +(0x[\da-f]+|\d+)", text, re.MULTILINE
    )
    assert len(found) > 40 and answers.CAUTION == lib.ND_FLAGS_CAUTION
    for name, value in found:
        assert getattr(lib, name) == eval(value.replace("1u", "1")), name


def test_structures_have_the_size_that_a_compiler_gives_them(tmp_path):
    names = sorted(set(re.findall(r"^typedef struct (nd_\w+) \{", HEADER, re.MULTILINE)))
    assert len(names) > 10
    fields = [(name, field) for name in names for field, _ in ffi.typeof(name).fields]
    source = tmp_path / "sizes.c"
    lines = [f'  printf("{name} %zu\\n", sizeof({name}));' for name in names]
    lines += [f'  printf("{name}.{field} %zu\\n", offsetof({name}, {field}));' for name, field in fields]
    source.write_text("#include <ndcapi.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
    subprocess.run(
        ["cc", "-DND_EXPERIMENTAL", f"-I{SOURCE}/include", str(source), "-o", str(tmp_path / "sizes")], check=True
    )
    found = dict(
        line.split()
        for line in subprocess.run([tmp_path / "sizes"], capture_output=True, text=True).stdout.splitlines()
    )
    assert found == {
        **{name: str(ffi.sizeof(name)) for name in names},
        **{f"{name}.{field}": str(ffi.offsetof(name, field)) for name, field in fields},
    }


def test_the_package_calls_every_function():
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (SOURCE / "bindings/python/src/ndc_dedup").glob("*.py")
    )
    unused = {name for name in names_of_functions(HEADER) if not re.search(rf"\blib(rary)?\.{name}\b", sources)}
    assert unused == NOT_CALLED | {name for name in unused if name.startswith("nd_join")}


def test_verdicts_events_and_flags_are_those_of_the_header():
    for number, verdict in enumerate(_VERDICTS, 1):
        assert getattr(lib, "ND_" + verdict.name) == number
    for number, kind in enumerate(_EVENT_KINDS, 1):
        assert getattr(lib, "ND_EVENT_" + kind.name) == number
    in_header = dict(re.findall(r"\bND_FLAG_([A-Z]+) = 1 << (\d+)", HEADER))
    assert {flag.name: flag.value for flag in Flag} == {name: 1 << int(bit) for name, bit in in_header.items()}


def test_a_result_is_read_as_it_stands():
    names = (
        "struct_size verdict flags reserved page_id group_id matched_page_id resemblance containment page_coverage "
        "matched_coverage probability related_group_id"
    )
    raw = ffi.new("nd_result *", tuple(range(1, 14)))
    assert [field for field, _ in ffi.typeof("nd_result").fields][:13] == names.split()
    assert _read_result(ffi.buffer(raw)) == tuple(range(1, 14))


def test_every_status_has_its_exception():
    statuses = dict(re.findall(r"\bND_ERR_([A-Z_]+) = (-\d+)", HEADER))
    kinds = {
        kind.status for kind in vars(ndc.errors).values() if isinstance(kind, type) and issubclass(kind, ndc.NdcError)
    }
    assert kinds - {0} == {int(status) for status in statuses.values()}
    assert isinstance(ndc.errors.error_of(-99, "?"), ndc.InternalError)


@pytest.mark.parametrize("line", ["#define ND_SURPRISE(x) x", "#pragma once"])
def test_what_the_generator_does_not_understand_ends_it(line):
    with pytest.raises(SystemExit, match="not understood"):
        declarations(HEADER.replace("#define ND_VERSION_MAJOR", line + "\n#define ND_VERSION_MAJOR", 1))


def test_a_changed_header_changes_the_module(tmp_path):
    generate(HEADER, tmp_path / "a.py")
    generate(
        HEADER.replace("#define ND_SIGNATURE_MAX_SIZE 127", "#define ND_SIGNATURE_MAX_SIZE 128"), tmp_path / "b.py"
    )
    assert (tmp_path / "a.py").read_bytes() != (tmp_path / "b.py").read_bytes()
