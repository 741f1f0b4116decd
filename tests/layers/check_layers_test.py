#!/usr/bin/env python3
"""Proves that check_layers.py finds each kind of fault, and none in a tree without."""
import pathlib
import tempfile
import unittest

import check_layers

SOUND = {
    "include/ndcapi.h": "int nd_version(void);\n",
    "src/core/hash.hpp": "#include <cstdint>\n",
    "src/core/hash.cpp": '#include "core/hash.hpp"\n',
    "src/words/word_segmenter.hpp": '#include "core/hash.hpp"\n',
    "src/lcs/sketch.cpp": '#include "words/word_segmenter.hpp"\n#include "core/hash.hpp"\n',
    "src/capi/open.cpp": '#include <ndcapi.h>\n#include "words/word_segmenter.hpp"\n',
    "archives/arc_line.hpp": "#include <string>\n",
    "archives/arc_reader.cpp": '#include "archives/arc_line.hpp"\n',
    "tools/ndc/main.cpp": '#include <ndcapi.h>\n#include "archives/arc_line.hpp"\n#include "warc.hpp"\n',
    "tools/ndc/warc.hpp": "#include <string>\n",
    "tools/ndc/CMakeLists.txt": "target_link_libraries(ndc_cli PRIVATE ndc)\n",
    "fuzz/corpora/html/regression-utils": "TO" "DO\n" * 1000,
}


class CheckLayersTest(unittest.TestCase):
    def faults_of(self, files, least_room=0, reasons={}):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(check_layers.faults(root, least_room, reasons))

    def expect_one(self, beginning, files):
        found = self.faults_of(SOUND | files)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(beginning), found)

    def test_sound_tree(self):
        self.assertEqual(self.faults_of(SOUND), [])

    def test_include_of_a_higher_layer(self):
        self.expect_one(
            "src/core/digest.cpp:2: layer core must not include words",
            {"src/core/digest.cpp": '#include <string>\n#include "words/word_segmenter.hpp"\n'},
        )

    def test_include_of_a_higher_floor_of_the_engine(self):
        floors = ("page", "decision", "collection", "options", "engine")
        for lower, higher in zip(floors, floors[1:]):
            self.expect_one(
                f"src/{lower}/lower.cpp:1: layer {lower} must not include {higher}",
                {f"src/{lower}/lower.cpp": f'#include "{higher}/higher.hpp"\n', f"src/{higher}/higher.hpp": "\n"},
            )

    def test_layer_that_is_not_named(self):
        self.expect_one(
            "src/lcs/CMakeLists.txt: does not name words",
            {"src/lcs/CMakeLists.txt": "ndc_layer(lcs DEPENDS core)\n"},
        )

    def test_layer_that_is_named_for_nothing(self):
        self.expect_one(
            "src/lcs/CMakeLists.txt: names reading",
            {"src/lcs/CMakeLists.txt": "ndc_layer(lcs DEPENDS words reading core)\n"},
        )

    def test_include_of_a_sibling(self):
        self.expect_one(
            "methods/moz/simhash.cpp:1: layer moz must not include mwo",
            {"methods/moz/simhash.cpp": '#include "mwo/terms.hpp"\n', "methods/mwo/terms.hpp": "\n"},
        )

    def test_include_of_a_method(self):
        self.expect_one(
            "src/engine/group.cpp:1: layer engine must not include moz, without which",
            {"src/engine/group.cpp": '#include "moz/simhash.hpp"\n', "methods/moz/simhash.hpp": "\n"},
        )

    def test_archives_and_the_library(self):
        self.expect_one(
            "src/text/blocks.cpp:1: layer text must not include archives",
            {"src/text/blocks.cpp": '#include "archives/arc_line.hpp"\n'},
        )
        self.expect_one(
            "archives/arc_line.cpp:1: layer archives must not include core",
            {"archives/arc_line.cpp": '#include "core/hash.hpp"\n'},
        )
        self.expect_one("plugins/read.cpp:1: ", {"plugins/read.cpp": '#include "archives/arc_line.hpp"\n'})
        calls = '#include "archives/ndc_archives.h"\n'
        header = {"archives/ndc_archives.h": "#include <ndcapi.h>\n"}
        self.assertEqual(self.faults_of(SOUND | header | {"bindings/java/calls.cpp": calls}), [])
        self.expect_one("plugins/read.cpp:1: ", header | {"plugins/read.cpp": calls})

    def test_include_in_angle_brackets(self):
        self.expect_one(
            "src/core/digest.cpp:1: our own headers", {"src/core/digest.cpp": "#include <words/word_segmenter.hpp>\n"}
        )

    def test_include_without_layer(self):
        self.expect_one(
            'src/text/blocks.cpp:1: "words.hpp" is not of the form', {"src/text/blocks.cpp": '#include "words.hpp"\n'}
        )

    def test_include_by_relative_path(self):
        self.expect_one("src/core/digest.cpp:1: ", {"src/core/digest.cpp": '#include "../text/words.hpp"\n'})

    def test_include_of_a_missing_file(self):
        self.expect_one(
            'src/text/blocks.cpp:1: "core/arena.hpp" does not exist',
            {"src/text/blocks.cpp": '#include "core/arena.hpp"\n'},
        )

    def test_c_interface_below_capi(self):
        self.expect_one(
            "src/engine/group.cpp:1: only src/capi and archives", {"src/engine/group.cpp": "#include <ndcapi.h>\n"}
        )

    def test_unknown_layer(self):
        self.expect_one("src/extra/a.cpp: stands in no layer", {"src/extra/a.cpp": "\n"})

    def test_cycle(self):
        self.expect_one(
            "src/core/a.hpp: include cycle: core/a.hpp > core/b.hpp > core/a.hpp",
            {"src/core/a.hpp": '#include "core/b.hpp"\n', "src/core/b.hpp": '#include "core/a.hpp"\n'},
        )

    def test_tool_that_looks_inside(self):
        self.expect_one("tools/ndc/warc.hpp:1: ", {"tools/ndc/warc.hpp": '#include "core/hash.hpp"\n'})
        self.expect_one("tools/ndc/warc.hpp:1: ", {"tools/ndc/warc.hpp": '#include "../../src/core/hash.hpp"\n'})
        self.expect_one(
            "tools/ndc/CMakeLists.txt:1: ",
            {"tools/ndc/CMakeLists.txt": "target_link_libraries(ndc_cli PRIVATE nd_internal)\n"},
        )

    def test_same_name_twice(self):
        self.expect_one("src/text/hash.hpp: has the name of src/core/hash.hpp", {"src/text/hash.hpp": "\n"})

    def test_vague_name(self):
        self.expect_one('src/text/string_utils.cpp: "utils"', {"src/text/string_utils.cpp": "\n"})
        self.expect_one('src/core/manager.hpp: "manager"', {"src/core/manager.hpp": "\n"})
        self.assertEqual(
            self.faults_of(SOUND | {"src/lcs/longest_common_subsequence.hpp": "\n", "src/lcs/common_ends.hpp": "\n"}),
            [],
        )

    def test_length(self):
        self.expect_one("src/text/long.cpp: 601 lines", {"src/text/long.cpp": "\n" * 601})
        self.expect_one("bench/long.cpp: 601 lines", {"bench/long.cpp": "\n" * 601})
        self.expect_one("tests/unit/long_test.cpp: 801 lines", {"tests/unit/long_test.cpp": "\n" * 801})
        self.expect_one("eval/long_test.py: 801 lines", {"eval/long_test.py": "\n" * 801})
        self.expect_one("src/text/long.hpp: 301 lines", {"src/text/long.hpp": "\n" * 301})
        self.assertEqual(self.faults_of(SOUND | {"src/text/label_tables.cpp": "\n" * 801}), [])
        self.assertEqual(
            self.faults_of(SOUND | {"include/ndcapi.h": "\n" * 601, "tests/unit/long_test.cpp": "\n" * 601}), []
        )

    def test_small_rooms(self):
        files = {
            "src/core/hash.hpp": "\n" * 20,
            "src/core/hash.cpp": "\n" * 40,
            "src/core/clock.hpp": "\n" * 59,
            "tools/ndc/main.cpp": "\n" * 59,
        }
        reasons = {"src/core/clock": "the only clock", "tools/ndc/main": "the only main()"}
        self.assertEqual(self.faults_of(files, 60, reasons), [])
        unlisted = self.faults_of(files, 60, {"tools/ndc/main": "the only main()"})
        self.assertEqual(len(unlisted), 1, unlisted)
        self.assertTrue(unlisted[0].startswith("src/core/clock: a room of 59 lines"), unlisted)
        gone = self.faults_of(files, 60, reasons | {"src/core/calendar": "dates"})
        self.assertEqual(gone, ["src/core/calendar: is gone: SMALL_ROOMS must not name it"])
        grown = self.faults_of(files | {"src/core/clock.cpp": "\n"}, 60, reasons)
        self.assertEqual(grown, ["src/core/clock: has grown to 60 lines: SMALL_ROOMS need not name it"])

    def test_unfinished_work(self):
        self.expect_one("src/text/blocks.cpp:2: unfinished", {"src/text/blocks.cpp": "\n// TO" "DO: finish\n"})


if __name__ == "__main__":
    unittest.main()
