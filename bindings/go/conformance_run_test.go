// Runs one case of tests/conformance/cases.json; tests/conformance/case_runner.hpp describes the format.

package ndc

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"time"
)

const conformanceFetchedAt = 1_700_000_000_000

var errorNames = map[Status]string{ErrInvalidArgument: "INVALID_ARGUMENT", ErrNoMemory: "NO_MEMORY", ErrIO: "IO",
	ErrCorrupt: "CORRUPT", ErrUnsupportedVersion: "UNSUPPORTED_VERSION", ErrLocked: "LOCKED", ErrReadOnly: "READ_ONLY",
	ErrNotFound: "NOT_FOUND", ErrLimit: "LIMIT", ErrInternal: "INTERNAL"}

type object = map[string]any

// record is an object of the case; a member that nobody has asked for is a fault.
type record struct {
	members object
	place   string
	read    map[string]bool
	faults  *[]string
}

func (r record) has(key string) bool {
	r.read[key] = true
	_, there := r.members[key]
	return there
}

func member[T any](r record, key string) T {
	out, ok := r.members[key].(T)
	if !r.has(key) || !ok {
		panic(fmt.Sprintf("%s: %q is missing, or something else", r.place, key))
	}
	return out
}

func memberOr[T any](r record, key string, otherwise T) T {
	if !r.has(key) {
		return otherwise
	}
	return member[T](r, key)
}

func (r record) words(key string) []string {
	var out []string
	for _, word := range member[[]any](r, key) {
		out = append(out, word.(string))
	}
	return out
}

func (r record) fail(format string, values ...any) {
	*r.faults = append(*r.faults, r.place+": "+fmt.Sprintf(format, values...))
}

func (r record) compare(key string, actual any) {
	if r.has(key) && !reflect.DeepEqual(r.members[key], actual) {
		r.fail("%s is %v, not %v", key, actual, r.members[key])
	}
}

func (r record) compareNumber(key string, actual uint64) {
	if r.has(key) && member[float64](r, key) != float64(actual) {
		r.fail("%s is %d, not %v", key, actual, r.members[key])
	}
}

func (r record) compareRange(key string, actual float64) {
	if !r.has(key) {
		return
	}
	limits := member[[]any](r, key)
	if low, high := limits[0].(float64), limits[1].(float64); actual < low || actual > high || low > high {
		r.fail("%s is %v, not in %v", key, actual, limits)
	}
}

func (r record) compareNumbers(key string, actual []uint64) {
	if !r.has(key) {
		return
	}
	var found []string
	for _, number := range actual {
		found = append(found, fmt.Sprintf("%016x", number))
	}
	if wanted := r.words(key); strings.Join(found, " ") != strings.Join(wanted, " ") {
		r.fail("%s are %v, not %v", key, found, wanted)
	}
}

func (r record) compareFlags(actual Flags) {
	if !r.has("flags") {
		return
	}
	wanted, found := r.words("flags"), strings.FieldsFunc(actual.String(), func(c rune) bool { return c == '|' })
	sort.Strings(wanted)
	sort.Strings(found)
	if strings.Join(wanted, " ") != strings.Join(found, " ") {
		r.fail("flags are %v, not %v", found, wanted)
	}
}

func (r record) finish() {
	for key := range r.members {
		if !r.read[key] {
			r.fail("%q is not known here", key)
		}
	}
}

type conformanceRun struct {
	faults           []string
	pages            map[string]Page
	used             map[string]bool
	checked, founded map[string]uint64
	options          []Option
	engine           *Engine
	reader           *Reader
}

var background = context.Background()

func (run *conformanceRun) record(members any, place string) record {
	return record{members.(object), place, map[string]bool{}, &run.faults}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// conformanceFaults is what was not as the case says.
func conformanceFaults(test any) (faults []string) {
	run := &conformanceRun{pages: map[string]Page{}, used: map[string]bool{}, checked: map[string]uint64{},
		founded: map[string]uint64{}}
	defer func() {
		if unreadable := recover(); unreadable != nil {
			faults = append(run.faults, fmt.Sprintf("the case cannot be run: %v", unreadable))
		}
	}()
	run.run(run.record(test, "case"))
	return run.faults
}

func optionsOf(values object) []Option {
	var options []Option
	for key, value := range values {
		options = append(options, Set(key, value.(string)))
	}
	return options
}

func (run *conformanceRun) run(test record) {
	member[string](test, "name")
	if member[string](test, "why") == "" {
		test.fail("\"why\" is empty")
	}
	run.options = optionsOf(memberOr(test, "options", object{}))
	for name, page := range memberOr(test, "pages", object{}) {
		run.pages[name] = run.readPage(run.record(page, "page "+name))
	}
	steps := member[[]any](test, "steps")
	if len(steps) == 0 {
		test.fail("it has no steps")
	}
	test.finish()
	run.engine = must(Open("", run.options...))
	defer run.engine.Close()
	// Refused where an option acts on no reader: such a case has no step that takes one.
	if run.reader, _ = NewReader(run.options...); run.reader != nil {
		defer run.reader.Close()
	}
	for i, members := range steps {
		step := run.record(members, fmt.Sprintf("step %d", i+1))
		call := member[string](step, "call")
		expect := run.record(member[object](step, "expect"), fmt.Sprintf("step %d (%s)", i+1, call))
		conformanceSteps[call](run, step, expect)
		step.finish()
		expect.finish()
	}
	for name := range run.pages {
		if !run.used[name] {
			test.fail("page %s is in no step", name)
		}
	}
}

func (run *conformanceRun) readPage(r record) Page {
	var bodies [][]byte
	if r.has("body") {
		bodies = append(bodies, []byte(member[string](r, "body")))
	}
	if r.has("body_base64") {
		bodies = append(bodies, must(base64.StdEncoding.DecodeString(member[string](r, "body_base64"))))
	}
	if r.has("body_repeat") {
		repeat := run.record(r.members["body_repeat"], r.place+" body_repeat")
		text := strings.Repeat(member[string](repeat, "text"), int(member[float64](repeat, "count")))
		bodies = append(bodies, []byte(memberOr(repeat, "before", "")+text+memberOr(repeat, "after", "")))
		repeat.finish()
	}
	if len(bodies) != 1 {
		panic(r.place + " has not one body")
	}
	page := Page{URL: member[string](r, "url"), Body: bodies[0], ContentType: memberOr(r, "content_type", ""),
		Truncated: memberOr(r, "truncated", false),
		FetchedAt: time.UnixMilli(int64(memberOr(r, "fetched_at_ms", float64(conformanceFetchedAt))))}
	r.finish()
	return page
}

func (run *conformanceRun) page(step record, key string) Page {
	name := member[string](step, key)
	page, known := run.pages[name]
	if !known {
		panic("no page " + name)
	}
	run.used[name] = true
	return page
}

// answer is whether there is one; whether the call was to fail is compared here.
func answer(expect record, err error) bool {
	name := "OK"
	if err != nil {
		var status Status
		var failure *Error
		if !errors.As(err, &failure) || failure.Sentence == "" || !errors.As(err, &status) {
			expect.fail("an error without a sentence: %v", err)
		}
		name = errorNames[status]
		if !expect.has("error") {
			expect.fail("unexpected: %v", err)
		}
	}
	expect.compare("error", name)
	return err == nil
}

func compareID(expect record, key string, ids map[string]uint64, actual uint64) {
	if !expect.has(key) {
		return
	}
	wanted, name := uint64(0), expect.members[key]
	if name != nil {
		known := false
		if wanted, known = ids[name.(string)]; !known {
			panic(fmt.Sprintf("no id of %v", name))
		}
	}
	if wanted != actual {
		expect.fail("%s is %d, not %v of %v", key, actual, name, ids)
	}
}

func word(verdict Verdict) string {
	return strings.ReplaceAll(verdict.String(), "-", "_")
}

func compareRatios(expect record, result Result) {
	expect.compare("verdict", word(result.Verdict))
	expect.compareFlags(result.Flags)
	expect.compareRange("resemblance", result.Resemblance)
	expect.compareRange("containment", result.Containment)
	expect.compareRange("page_coverage", result.PageCoverage)
	expect.compareRange("matched_coverage", result.MatchedCoverage)
	expect.compareRange("probability", result.Probability)
}

func (run *conformanceRun) decide(step, expect record, remember bool, call func(Page) (Result, error)) {
	name := member[string](step, "page")
	result, err := call(run.page(step, "page"))
	if !answer(expect, err) {
		return
	}
	compareRatios(expect, result)
	expect.compareNumber("page_id", result.PageID)
	expect.compareNumber("group_id", result.GroupID)
	compareID(expect, "matched", run.checked, result.MatchedPageID)
	if remember {
		if result.PageID == 0 {
			expect.fail("a page that was checked has no id")
		}
		run.checked[name] = result.PageID
		if result.GroupID == result.PageID {
			run.founded[name] = result.GroupID
		}
	}
	compareID(expect, "group", run.founded, result.GroupID)
	compareID(expect, "related", run.founded, result.RelatedGroupID)
}

// withSite are the features with what their site knows, if the step names the pages that it has learned.
func (run *conformanceRun) withSite(step record, features Features) (Features, error) {
	if !step.has("site_pages") {
		return features, nil
	}
	site := must(NewSiteModel())
	defer site.Close()
	for _, name := range step.words("site_pages") {
		run.used[name] = true
		page := must(run.reader.Features(background, run.pages[name]))
		if err := site.Learn(must(page.Parts())); err != nil {
			return nil, err
		}
	}
	parts, err := features.Parts()
	if err != nil {
		return nil, err
	}
	saved, err := site.Save(parts...)
	if err != nil {
		return nil, err
	}
	return features.WithSite(saved)
}

func (run *conformanceRun) features(step, expect record) {
	var features Features
	if step.has("page") {
		features = must(run.reader.Features(background, run.page(step, "page")))
	} else {
		features = must(base64.StdEncoding.DecodeString(member[string](step, "bytes_base64")))
	}
	keys, parts, err := func() ([]uint64, []uint64, error) {
		var err error
		if features, err = run.withSite(step, features); err != nil {
			return nil, nil, err
		}
		cut := int(memberOr(step, "cut_bytes", 0.0))
		if cut > len(features) {
			cut = len(features)
		}
		features = append(Features{}, features[:len(features)-cut]...)
		if step.has("flip_byte") {
			features[int(member[float64](step, "flip_byte"))] ^= 1
		}
		keys, err := features.Keys()
		if err != nil {
			return nil, nil, err
		}
		parts, err := features.Parts()
		return keys, parts, err
	}()
	if !answer(expect, err) {
		return
	}
	expect.compareNumbers("keys", keys)
	expect.compareNumbers("parts", parts)
	expect.compareNumber("key_count", uint64(len(keys)))
	expect.compareNumber("part_count", uint64(len(parts)))
	sum := sha256.Sum256(features)
	expect.compare("bytes_sha256", hex.EncodeToString(sum[:]))
}

var conformanceSteps = map[string]func(run *conformanceRun, step, expect record){
	"check": func(run *conformanceRun, step, expect record) {
		run.decide(step, expect, true, func(page Page) (Result, error) { return run.engine.Check(background, page) })
	},
	"query": func(run *conformanceRun, step, expect record) {
		run.decide(step, expect, false, func(page Page) (Result, error) { return run.engine.Query(background, page) })
	},
	"check_features": func(run *conformanceRun, step, expect record) {
		run.decide(step, expect, true, func(page Page) (Result, error) {
			return run.engine.CheckFeatures(background, must(run.reader.Features(background, page)))
		})
	},
	"check_with_text": func(run *conformanceRun, step, expect record) {
		run.decide(step, expect, true, func(page Page) (Result, error) {
			result, text, err := run.engine.CheckWithText(background, page)
			expect.compare("own_text", text)
			return result, err
		})
	},
	"own_text": func(run *conformanceRun, step, expect record) {
		text, err := run.engine.OwnText(background, run.page(step, "page"))
		if answer(expect, err) {
			expect.compare("own_text", text)
		}
	},
	"open": func(run *conformanceRun, step, expect record) {
		engine, err := Open("", optionsOf(member[object](step, "options"))...)
		if answer(expect, err) {
			must(0, engine.Close())
		}
	},
	"remove": func(run *conformanceRun, step, expect record) {
		there, err := run.engine.Remove(background, member[string](step, "url"))
		if answer(expect, err) {
			expect.compare("found", there)
		}
	},
	"find": func(run *conformanceRun, step, expect record) {
		info, err := run.engine.Find(background, member[string](step, "url"))
		if errors.Is(err, ErrNotFound) {
			expect.compare("found", false)
			return
		}
		if !answer(expect, err) {
			return
		}
		expect.compare("found", true)
		expect.compare("verdict", word(info.Verdict))
		expect.compareFlags(info.Flags)
		expect.compareNumber("page_id", info.PageID)
		expect.compareNumber("text_width", info.TextWidth)
		expect.compareNumber("first_fetched_at_ms", uint64(info.FirstFetchedAt.UnixMilli()))
		expect.compareNumber("last_fetched_at_ms", uint64(info.LastFetchedAt.UnixMilli()))
		compareID(expect, "group", run.founded, info.GroupID)
	},
	"members": func(run *conformanceRun, step, expect record) {
		members, err := run.engine.Members(background, run.founded[member[string](step, "group")])
		if !answer(expect, err) || !expect.has("pages") {
			return
		}
		var found, wanted []uint64
		for _, page := range members {
			found = append(found, page.PageID)
		}
		for _, name := range expect.words("pages") {
			wanted = append(wanted, run.checked[name])
		}
		if !reflect.DeepEqual(found, wanted) {
			expect.fail("pages are %v, not %v", found, wanted)
		}
	},
	"events": func(run *conformanceRun, step, expect record) {
		events, err := run.engine.Events(background, 0)
		if !answer(expect, err) {
			return
		}
		wanted := member[[]any](expect, "events")
		if len(events) != len(wanted) {
			expect.fail("%v are not %v", events, wanted)
			return
		}
		for i, event := range events {
			r := run.record(wanted[i], fmt.Sprintf("event %d", i+1))
			r.compare("kind", event.Kind.String())
			compareID(r, "page", run.checked, event.PageID)
			compareID(r, "old_group", run.founded, event.OldGroupID)
			compareID(r, "new_group", run.founded, event.NewGroupID)
			r.finish()
		}
	},
	"explain": func(run *conformanceRun, step, expect record) {
		report, err := run.engine.Explain(background, run.checked[member[string](step, "a")],
			run.checked[member[string](step, "b")])
		if !answer(expect, err) {
			return
		}
		expect.compare("verdict", report.Verdict)
		expect.compare("rule", report.Rule)
		expect.compareRange("resemblance", report.Resemblance)
		expect.compareRange("containment", report.Containment)
		expect.compareRange("page_coverage", report.PageCoverage)
		expect.compareRange("matched_coverage", report.MatchedCoverage)
		expect.compareRange("probability", report.Probability)
	},
	"stats": func(run *conformanceRun, step, expect record) {
		stats, err := run.engine.Stats(background)
		if !answer(expect, err) {
			return
		}
		counts := map[string]uint64{}
		must(0, json.Unmarshal(must(json.Marshal(stats)), &counts))
		for name, count := range counts {
			expect.compareNumber(name, count)
		}
	},
	"features": (*conformanceRun).features,
	"decide": func(run *conformanceRun, step, expect record) {
		pages := []Page{run.page(step, "a"), run.page(step, "b")}
		// The options are those of the decision, which a reader would refuse.
		reader := must(NewReader())
		defer reader.Close()
		result, err := func() (Result, error) {
			var features [2]Features
			for i, page := range pages {
				var err error
				if features[i], err = run.withSite(step, must(reader.Features(background, page))); err != nil {
					return Result{}, err
				}
			}
			return features[0].Decide(features[1], run.options...)
		}()
		if !answer(expect, err) {
			return
		}
		compareRatios(expect, result)
		if result.PageID != 0 || result.GroupID != 0 || result.MatchedPageID != 0 {
			expect.fail("a comparison without an engine has ids")
		}
	},
	"signature": func(run *conformanceRun, step, expect record) {
		signature, err := run.reader.Signature(background, run.page(step, "page"))
		if !answer(expect, err) {
			return
		}
		keys := must(signature.Keys())
		expect.compare("hex", hex.EncodeToString(signature))
		expect.compareNumbers("keys", keys)
		expect.compareRange("size", float64(len(signature)))
		expect.compareRange("key_count", float64(len(keys)))
	},
	"signature_compare": func(run *conformanceRun, step, expect record) {
		a := must(run.reader.Signature(background, run.page(step, "a")))
		b := must(run.reader.Signature(background, run.page(step, "b")))
		similarity, err := a.Similarity(b)
		if answer(expect, err) {
			expect.compareRange("similarity", similarity)
		}
	},
}
