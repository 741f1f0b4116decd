// The cases that every language runs, and the runner's own faults.

package ndc

import (
	"encoding/json"
	"os"
	"testing"
)

func TestConformance(t *testing.T) {
	var file struct {
		Format int
		Cases  []object
	}
	must(0, json.Unmarshal(must(os.ReadFile("../../tests/conformance/cases.json")), &file))
	if file.Format != 1 || len(file.Cases) == 0 {
		t.Fatalf("format %d with %d cases", file.Format, len(file.Cases))
	}
	for _, test := range file.Cases {
		test := test
		t.Run(test["name"].(string), func(t *testing.T) {
			t.Parallel()
			for _, fault := range conformanceFaults(test) {
				t.Errorf("%s (%s)", fault, test["why"])
			}
		})
	}
}

const goodCase = `{"name": "good", "why": "it is what the others are made of",
  "pages": {"ferry": {"url": "http://a.example/ferry", "body": "<p>The ferry leaves at noon and at six.</p>"}},
  "steps": [{"call": "check", "page": "ferry", "expect": {"verdict": "new", "group": "ferry", "matched": null,
    "flags": ["short"], "resemblance": [0, 0]}}]}`

func TestConformanceRunnerSeesFaults(t *testing.T) {
	parts := func(test object) (pages, page, step, expect object) {
		pages = test["pages"].(object)
		step = test["steps"].([]any)[0].(object)
		return pages, pages["ferry"].(object), step, step["expect"].(object)
	}
	resemblance := func(low, high float64) func(object) {
		return func(test object) { _, _, _, expect := parts(test); expect["resemblance"] = []any{low, high} }
	}
	changes := map[string]func(test object){
		"a surprise in the case":   func(test object) { test["surprise"] = 1.0 },
		"a surprise in the page":   func(test object) { _, page, _, _ := parts(test); page["surprise"] = 1.0 },
		"a surprise in the step":   func(test object) { _, _, step, _ := parts(test); step["surprise"] = 1.0 },
		"a surprise in the answer": func(test object) { _, _, _, expect := parts(test); expect["surprise"] = 1.0 },
		"an unknown call":          func(test object) { _, _, step, _ := parts(test); step["call"] = "chekc" },
		"two bodies":               func(test object) { _, page, _, _ := parts(test); page["body_base64"] = "" },
		"a page in no step":        func(test object) { pages, page, _, _ := parts(test); pages["quay"] = page },
		"another verdict":          func(test object) { _, _, _, expect := parts(test); expect["verdict"] = "near" },
		"no group":                 func(test object) { _, _, _, expect := parts(test); expect["group"] = nil },
		"a match":                  func(test object) { _, _, _, expect := parts(test); expect["matched"] = "ferry" },
		"no flag":                  func(test object) { _, _, _, expect := parts(test); expect["flags"] = []any{} },
		"another range":            resemblance(.1, 1),
		"a range upside down":      resemblance(1, 0),
		"another id":               func(test object) { _, _, _, expect := parts(test); expect["page_id"] = 7.0 },
		"an error":                 func(test object) { _, _, _, expect := parts(test); expect["error"] = "CORRUPT" },
	}
	read := func() (test object) {
		must(0, json.Unmarshal([]byte(goodCase), &test))
		return test
	}
	if faults := conformanceFaults(read()); len(faults) != 0 {
		t.Fatal(faults)
	}
	for name, change := range changes {
		test := read()
		change(test)
		if len(conformanceFaults(test)) == 0 {
			t.Errorf("not seen: %s", name)
		}
	}
}
