// What each call answers, in memory and with a store.

package ndc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var vocabulary = strings.Fields("council lighthouse harbour spring repair lamp keeper museum coast ferry island boat " +
	"master money vote month winter storm road bridge school market garden river stone window letter paper morning " +
	"evening summer bread music garden train station teacher doctor village forest mountain valley")

// article is text that depends on its number alone.
func article(number, words int) string {
	source := rand.New(rand.NewSource(int64(number)))
	var text strings.Builder
	for i := 0; i < words; i++ {
		fmt.Fprintf(&text, "%s%d ", vocabulary[source.Intn(len(vocabulary))], source.Intn(50))
	}
	return text.String()
}

func html(number int, note string) []byte {
	return []byte("<html><body><p>" + article(number, 120) + note + "</p></body></html>")
}

func open(t *testing.T, store string, options ...Option) *Engine {
	t.Helper()
	engine, err := Open(store, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

func check(t *testing.T, engine *Engine, url string, body []byte) Result {
	t.Helper()
	result, err := engine.Check(background, Page{URL: url, Body: body, ContentType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func wantStatus(t *testing.T, what string, err error, status Status) {
	t.Helper()
	if !errors.Is(err, status) {
		t.Errorf("%s: %v, not %v", what, err, status)
	}
}

func TestWhatIsKnown(t *testing.T) {
	engine := open(t, "", WithKeepText(true))
	at := time.Date(2026, 11, 29, 8, 0, 0, 123e6, time.UTC)
	first := must(engine.Check(background, Page{URL: "http://a.example/1", Body: html(1, ""), FetchedAt: at}))
	copied := check(t, engine, "http://b.example/1", html(1, " and a vote"))
	check(t, engine, "http://a.example/2", html(2, ""))
	if first.Verdict != New || copied.Verdict != Near || copied.GroupID != first.PageID ||
		copied.MatchedPageID != first.PageID || !copied.IsDuplicate() || first.IsDuplicate() || copied.Resemblance <= .8 ||
		copied.Probability <= .5 || copied.PageCoverage <= .8 || copied.MatchedCoverage <= .8 || copied.Containment <= .8 {
		t.Errorf("%+v, %+v", first, copied)
	}

	info := must(engine.Find(background, "http://a.example/1"))
	if again := must(engine.Page(background, first.PageID)); info != again {
		t.Errorf("%v is not %v", info, again)
	}
	if info.URL != "http://a.example/1" || info.Verdict != New || info.PageID != first.PageID ||
		info.GroupID != first.GroupID || !info.FirstFetchedAt.Equal(at) || !info.LastFetchedAt.Equal(at) ||
		info.TextWidth == 0 || info.TextHash == 0 {
		t.Errorf("%+v", info)
	}
	members := must(engine.Members(background, first.GroupID))
	if len(members) != 2 || members[0] != info || members[1] != must(engine.Find(background, "http://b.example/1")) ||
		members[1].MatchedPageID != first.PageID || members[1].Resemblance != copied.Resemblance ||
		members[1].Containment != copied.Containment || members[1].Probability != copied.Probability {
		t.Errorf("%+v", members)
	}
	groups := must(engine.Groups(background))
	if want := []Group{{first.GroupID, first.PageID, 2}, {3, 3, 1}}; !reflect.DeepEqual(groups, want) {
		t.Errorf("%v", groups)
	}
	if kept := must(engine.Kept(background, first.GroupID, KeepLongest)); kept.PageID != copied.PageID {
		t.Errorf("%+v", kept)
	}
	similar := must(engine.Similar(background, first.PageID, 10))
	if len(similar) != 1 || similar[0].URL != "http://b.example/1" || similar[0].PageID != copied.PageID ||
		similar[0].GroupID != first.GroupID || similar[0].Score <= .8 || similar[0].Limited {
		t.Errorf("%+v", similar)
	}
	compared := must(engine.Compare(background, first.PageID, copied.PageID))
	if compared.Verdict != Near || compared.PageID != copied.PageID || compared.MatchedPageID != first.PageID {
		t.Errorf("%+v", compared)
	}
	why := must(engine.Explain(background, first.PageID, copied.PageID))
	if why.Verdict != "near" || why.Rule != "probability" ||
		math.Abs(why.Resemblance-compared.Resemblance) > 1e-5 || len(why.Segments) == 0 ||
		why.Segments[0].Kind != "both" || why.Segments[0].A[1] < 100 || why.Segments[0].Text == "" || !json.Valid(why.JSON) {
		t.Errorf("%+v, %s", why.Segments, why.JSON)
	}

	changed := check(t, engine, "http://b.example/1", html(3, ""))
	if !changed.Flags.Has(FlagRecrawl | FlagChanged | FlagRegrouped) {
		t.Errorf("%+v", changed)
	}
	if there := must(engine.Remove(background, "http://a.example/2")); !there {
		t.Error("not removed")
	}
	if there := must(engine.Remove(background, "http://a.example/2")); there {
		t.Error("removed again")
	}
	events := must(engine.Events(background, 0))
	if len(events) != 2 || events[0].Kind != PageRegrouped || events[0].OldGroupID != first.GroupID ||
		events[0].NewGroupID != changed.GroupID || events[0].PageID != changed.PageID || events[1].Kind != PageRemoved {
		t.Errorf("%+v", events)
	}
	if after := must(engine.Events(background, events[0].Sequence)); !reflect.DeepEqual(after, events[1:]) {
		t.Errorf("%+v", after)
	}
	stats := must(engine.Stats(background))
	if stats.Pages != 2 || stats.Checks != 4 || stats.VerdictNear != 1 || stats.Removed != 1 || stats.BytesTotal == 0 {
		t.Errorf("%+v", stats)
	}
	if metrics := must(engine.Metrics(background)); !strings.Contains(metrics, "\nndc_pages 2\n") {
		t.Error(metrics)
	}
	if removed := must(engine.RemoveMatching(background, Filter{Site: "a.example", Purge: true})); removed != 1 {
		t.Errorf("%d removed", removed)
	}
	if removed := must(engine.RemoveMatching(background, Filter{URLPrefix: "http://b.example/1"})); removed != 1 {
		t.Errorf("%d removed", removed)
	}
	if removed := must(engine.RemoveMatching(background, Filter{FetchedBefore: at})); removed != 0 {
		t.Errorf("%d removed", removed)
	}
	check(t, engine, "http://c.example/", html(3, ""))
	for _, before := range []time.Time{time.Unix(0, 0), time.Unix(0, 999_999), time.Unix(-1, 0)} {
		_, err := engine.RemoveMatching(background, Filter{URLPrefix: "http://c.example/", FetchedBefore: before})
		wantStatus(t, before.String(), err, ErrInvalidArgument)
	}
	must(engine.Find(background, "http://c.example/"))
	if removed := must(engine.RemoveMatching(background, Filter{FetchedBefore: time.UnixMilli(1)})); removed != 0 {
		t.Errorf("%d removed", removed)
	}
}

func TestSettle(t *testing.T) {
	engine := open(t, "")
	frame := article(1000, 200)
	for i := 0; i < 12; i++ {
		check(t, engine, fmt.Sprintf("http://a.example/%d", i), []byte("<p>"+frame+"</p><p>"+article(i, 60)+"</p>"))
	}
	settled := must(engine.Settle(background))
	groups := map[uint64]bool{}
	for i, page := range settled {
		if page.URL != fmt.Sprintf("http://a.example/%d", i) || page.PageID == 0 {
			t.Errorf("%+v", page)
		}
		groups[page.GroupID] = true
	}
	if len(settled) != 12 || len(groups) != 12 {
		t.Errorf("%d pages in %d groups", len(settled), len(groups))
	}
}

func TestLongURLs(t *testing.T) {
	engine := open(t, "")
	for _, size := range []int{511, 512, 513, 100_000, 1 << 20} {
		url := "http://a.example/\x00\xff" + strings.Repeat("a", size-19)
		result := check(t, engine, url, html(size, ""))
		if info := must(engine.Page(background, result.PageID)); info.URL != url {
			t.Errorf("of %d bytes come %d", size, len(info.URL))
		}
		if members := must(engine.Members(background, result.GroupID)); members[0].URL != url {
			t.Errorf("of %d bytes come %d", size, len(members[0].URL))
		}
	}
}

func TestAStoreStays(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	first, err := Open(store)
	if err != nil {
		t.Fatal(err)
	}
	check(t, first, "http://a.example/1", html(1, ""))
	must(0, first.SetBookmark(background, "warc", []byte("4711\x00")))
	_, err = Open(store)
	wantStatus(t, "a second writer", err, ErrLocked)
	must(0, first.Snapshot(background))
	reader := open(t, store, WithReadOnly(true))
	check(t, first, "http://b.example/1", html(1, "!"))
	_, err = reader.Check(background, Page{URL: "http://a.example/2"})
	wantStatus(t, "a check through a reader", err, ErrReadOnly)
	must(0, first.Compact(background))
	must(0, reader.Refresh(background))
	if stats := must(reader.Stats(background)); stats.Pages != 2 {
		t.Errorf("%+v", stats)
	}
	must(0, first.Close())

	second := open(t, store)
	if bookmark := must(second.Bookmark(background, "warc")); string(bookmark) != "4711\x00" {
		t.Errorf("%q", bookmark)
	}
	must(0, second.SetBookmark(background, "warc", nil))
	_, err = second.Bookmark(background, "warc")
	wantStatus(t, "a bookmark that is gone", err, ErrNotFound)
	if result := check(t, second, "http://c.example/1", html(1, "")); result.Verdict != Exact {
		t.Errorf("%+v", result)
	}
	if faults := must(Verify(store)); len(faults) != 0 {
		t.Errorf("%v", faults)
	}
	_, err = Open(store+"-2", WithReadOnly(true))
	if !errors.Is(err, ErrNotFound) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	_, err = second.Settle(background)
	wantStatus(t, "settling a store", err, ErrInvalidArgument)
}

func TestDamageIsFound(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	engine := must(Open(store))
	for i := 0; i < 5; i++ {
		check(t, engine, fmt.Sprintf("http://a.example/%d", i), html(i, ""))
	}
	must(0, engine.Close())
	for _, path := range must(filepath.Glob(store + "/*")) {
		data := must(os.ReadFile(path))
		if len(data) > 200 {
			data[len(data)/2] ^= 1
			must(0, os.WriteFile(path, data, 0o644))
		}
	}
	faults, err := Verify(store)
	wantStatus(t, "damage", err, ErrCorrupt)
	if len(faults) == 0 || faults[0].File == "" || faults[0].Sentence == "" ||
		strings.Contains(faults[0].Sentence, "\x00") {
		t.Errorf("%q", faults)
	}
	var lines []string
	_, err = Open(store, WithVerify(VerifyFull), WithLog(func(level LogLevel, line string) {
		lines = append(lines, level.String()+" "+line)
	}))
	wantStatus(t, "a damaged store", err, ErrCorrupt)
	if len(lines) == 0 {
		t.Error("nothing was logged")
	}
}

func TestReader(t *testing.T) {
	reader := must(NewReader(WithDetector(DetectorSpotsigs)))
	defer reader.Close()
	body := "<title>Ferry</title><p>The ferry leaves at noon, and at six it is back.</p>"
	page := Page{URL: "http://a.example/", Body: []byte(body)}
	var seen struct{ Kind, Title string }
	must(0, json.Unmarshal(must(reader.Extract(background, page)), &seen))
	if seen.Kind != "html" || seen.Title != "Ferry" {
		t.Errorf("%+v", seen)
	}
	if none := must(reader.Signature(background, Page{})); len(none) != 0 {
		t.Errorf("%v", none)
	}
}

func TestSiteModel(t *testing.T) {
	reader, model := must(NewReader()), must(NewSiteModel())
	defer reader.Close()
	defer model.Close()
	var last Features
	frame := "<div>" + article(1000, 40) + "</div>"
	for i := 0; i < 8; i++ {
		page := Page{URL: "http://a.example/", Body: []byte(frame + "<p>" + article(i, 80))}
		last = must(reader.Features(background, page))
		must(0, model.Learn(must(last.Parts())))
	}
	saved := must(model.Save())
	other := must(NewSiteModel())
	defer other.Close()
	must(0, other.Merge(saved))
	if again := must(other.Save()); string(again) != string(saved) {
		t.Error("a merged model is another one")
	}
	must(0, other.Forget(must(last.Parts())))
	if again := must(other.Save()); string(again) == string(saved) {
		t.Error("nothing was forgotten")
	}
	if part := must(model.Save(must(last.Parts())...)); len(part) >= len(saved) {
		t.Errorf("%d bytes, not fewer than %d", len(part), len(saved))
	}
	wantStatus(t, "garbage", other.Merge([]byte("garbage")), ErrCorrupt)
}

func TestOptions(t *testing.T) {
	infos := must(Options())
	keys := map[string]OptionInfo{}
	for _, info := range infos {
		if info.Type == "" || info.Help == "" || info.Range == "" && info.Type != "words" {
			t.Errorf("%+v", info)
		}
		keys[info.Key] = info
	}
	if info := keys["tokens_limit"]; info.Default != "65536" || !info.Persistent {
		t.Errorf("%+v", info)
	}
	// Each of the table is known by its function's key and value.
	for _, option := range []Option{WithTokensLimit(100), WithKeepText(true), WithResemblance(.5),
		WithDecision(DecisionReport), Set("x_relaxed", "false")} {
		if _, err := NewReader(option); errors.Is(err, ErrInvalidArgument) && !strings.Contains(err.Error(), "effect") {
			t.Errorf("%v: %v", option, err)
		}
	}
	for _, option := range []Option{Set("x_relaxd", "true"), WithTokensLimit(1), WithDetector("lsc"), Set("", ""),
		Set("tokens_limit", "1\x002"), Set("tokens\x00limit", "12"), Set("\xff", "\xff")} {
		_, err := Open("", option)
		wantStatus(t, fmt.Sprint(option), err, ErrInvalidArgument)
		if err != nil && len(err.Error()) < 10 {
			t.Errorf("%v", err)
		}
	}
	engine := open(t, "", Set("tokens_limit", "64"))
	if result := check(t, engine, "http://a.example/", html(1, "")); !result.Flags.Has(FlagLimit) {
		t.Errorf("%v", result)
	}
}

func TestErrors(t *testing.T) {
	for status, target := range map[Status]error{ErrNotFound: fs.ErrNotExist, ErrInvalidArgument: fs.ErrInvalid,
		ErrClosed: os.ErrClosed} {
		err := fmt.Errorf("around: %w", &Error{Status: status})
		var failure *Error
		if !errors.Is(err, status) || !errors.Is(err, target) || errors.Is(err, ErrLocked) || errors.Is(err, fs.ErrExist) ||
			!errors.As(err, &failure) || failure.Error() != status.Error() {
			t.Errorf("%v: %v", status, err)
		}
	}
	if text := (&Error{ErrLocked, "it is locked"}).Error(); text != "ndc: it is locked" {
		t.Error(text)
	}
	if text := Verdict(77).String() + NoText.String() + (FlagShort | FlagRecrawl).String(); text !=
		"Verdict(77)no-textrecrawl|short" {
		t.Error(text)
	}
}

func TestContexts(t *testing.T) {
	engine := open(t, "")
	check(t, engine, "http://a.example/", html(1, ""))
	ended, cancel := context.WithCancel(background)
	cancel()
	_, err := engine.Check(ended, Page{URL: "http://b.example/"})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err = engine.Groups(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if stats := must(engine.Stats(background)); stats.Checks != 1 {
		t.Errorf("%+v", stats)
	}
	// All places are taken: who waits can give up.
	for i := 0; i < callsAtOnce; i++ {
		must(0, engine.calls.begin(background))
	}
	soon, cancelSoon := context.WithTimeout(background, 20*time.Millisecond)
	defer cancelSoon()
	if _, err = engine.Check(soon, Page{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for i := 0; i < callsAtOnce; i++ {
		engine.calls.end()
	}
	if groups := must(engine.Groups(soonEnough(t))); len(groups) != 1 {
		t.Errorf("%v", groups)
	}
}

func soonEnough(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(background, time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestACopyIsExactOrNearWithoutDoubt(t *testing.T) {
	for result, want := range map[Result]bool{
		{Verdict: Exact}:                      true,
		{Verdict: Near}:                       true,
		{Verdict: Near, Flags: FlagUncertain}: false,
		{Verdict: Near, Flags: FlagContained}: false,
		{Verdict: Near, Flags: 1 << 20}:       false, // of a later library
		{Verdict: Exact, Flags: FlagLimit}:    true,
		{Verdict: New}:                        false,
		{Verdict: Near, Flags: FlagRecrawl}:   true,
	} {
		if result.IsCopy() != want {
			t.Errorf("%v %v: %v", result.Verdict, result.Flags, !want)
		}
	}
}
