// Package ndc finds near-duplicate web pages: a crawler asks about each page as it is fetched whether it is new, the
// same as before, or a near-duplicate of one that was there before.
//
//	engine, err := ndc.Open("crawl.ndc") // "" keeps the pages in memory
//	…
//	defer engine.Close()
//	result, err := engine.Check(ctx, ndc.Page{URL: url, Body: body, ContentType: header.Get("Content-Type")})
//	if err == nil && result.IsDuplicate() { … }
//
// It calls the C library of the same name through cgo: the one that pkg-config finds, or with the build tag ndc_bundled
// the one that bindings/go/bundle has copied into the package.
//
// # Goroutines and contexts
//
// Any number of goroutines may use one [Engine] or [Reader]; at most 64 of their calls run in the library at once, and
// the others wait for them. A context that ends while a call waits, or before, ends it with the context's error. A call
// that runs is not interrupted. Close waits for the calls that are under way; later ones return [ErrClosed].
//
// # Errors
//
// Errors of the library are of type [*Error], and errors.Is tells what they are about, for example [ErrLocked]. A call
// that failed has changed nothing, except [Engine.RemoveMatching], which removes page by page. The verdict is advice: a
// crawler counts an error and keeps its page.
package ndc

// #include <ndcapi.h>
import "C"

import (
	"fmt"
	"strings"
	"time"
)

// Version is that of the library, such as "2.0.0".
func Version() string {
	return C.GoString(C.nd_version_string())
}

// An older library may lack what this package calls, and one of another major version has other structures.
var wrongVersion = func() error {
	const wanted = C.ND_VERSION_MAJOR<<16 | C.ND_VERSION_MINOR<<8 | C.ND_VERSION_PATCH
	found := uint32(C.nd_version())
	if found>>16 == wanted>>16 && found >= wanted {
		return nil
	}
	return &Error{ErrUnsupportedVersion, fmt.Sprintf("the library that was loaded is version %s; this program was "+
		"built with %d.%d.%d", Version(), C.ND_VERSION_MAJOR, C.ND_VERSION_MINOR, C.ND_VERSION_PATCH)}
}()

// Page is a page as it was fetched. Body must not change while a call is reading it.
type Page struct {
	// URL is any bytes; a URL that comes again is the same page, updated. An empty one makes a new page each time.
	URL string
	// Body is as fetched, after transfer and content decoding: the library finds its charset.
	Body []byte
	// ContentType is the value of the HTTP header; "text/plain" for plain text.
	ContentType string
	// FetchedAt is now where it is the zero time. It counts in milliseconds.
	FetchedAt time.Time
	// Truncated says that the fetcher has cut the body.
	Truncated bool
}

func (p *Page) flags() C.uint32_t {
	if p.Truncated {
		return C.ND_PAGE_TRUNCATED
	}
	return 0
}

func milliseconds(t time.Time) C.int64_t {
	if t.IsZero() {
		return 0
	}
	return C.int64_t(t.UnixMilli())
}

func timeOf(ms C.int64_t) time.Time {
	return time.UnixMilli(int64(ms)).UTC()
}

// Verdict is what a page is beside those before it.
type Verdict int32

const (
	New       Verdict = C.ND_NEW       // it founds a group of its own
	Unchanged Verdict = C.ND_UNCHANGED // the same URL with the same text as before
	Exact     Verdict = C.ND_EXACT     // all normalised visible text is that of the matched page
	Near      Verdict = C.ND_NEAR      // the same document as the group's representative
	NoText    Verdict = C.ND_NO_TEXT   // empty, an image, binary: never compared with other pages
)

var verdictWords = map[Verdict]string{New: "new", Unchanged: "unchanged", Exact: "exact", Near: "near",
	NoText: "no-text"}

// String is the word of the command line: "new", "unchanged", "exact", "near" or "no-text".
func (v Verdict) String() string {
	return wordOf(verdictWords[v], "Verdict", int32(v))
}

func wordOf(word, kind string, number int32) string {
	if word == "" {
		return fmt.Sprintf("%s(%d)", kind, number)
	}
	return word
}

// Flags say more about an answer.
type Flags uint32

const (
	FlagRecrawl    Flags = C.ND_FLAG_RECRAWL    // the URL was known
	FlagChanged    Flags = C.ND_FLAG_CHANGED    // and its text differs from the last time
	FlagRegrouped  Flags = C.ND_FLAG_REGROUPED  // the page moved to another group
	FlagTruncated  Flags = C.ND_FLAG_TRUNCATED  // the body was cut: two such pages are never duplicates
	FlagLimit      Flags = C.ND_FLAG_LIMIT      // a limit cut some work short
	FlagShort      Flags = C.ND_FLAG_SHORT      // hardly any main content
	FlagContains   Flags = C.ND_FLAG_CONTAINS   // it contains the matched page, and much more
	FlagContained  Flags = C.ND_FLAG_CONTAINED  // the matched page contains it, and more
	FlagUnverified Flags = C.ND_FLAG_UNVERIFIED // by the score of another method alone
	FlagUncertain  Flags = C.ND_FLAG_UNCERTAIN  // so little text that a word may make another document
)

var flagWords = []string{"recrawl", "changed", "regrouped", "truncated", "limit", "short", "contains", "contained",
	"unverified", "uncertain"}

// Has reports whether all of some flags are set.
func (f Flags) Has(some Flags) bool {
	return f&some == some
}

// String is the words of the flags that are set, joined by "|".
func (f Flags) String() string {
	var words []string
	for i, word := range flagWords {
		if f.Has(1 << i) {
			words = append(words, word)
		}
	}
	return strings.Join(words, "|")
}

// Result is the answer about a page.
type Result struct {
	Verdict Verdict
	Flags   Flags
	// PageID is 0 where the page is not in the engine; it is never reused.
	PageID uint64
	// GroupID is the id of the page that founded the group.
	GroupID uint64
	// MatchedPageID is the page that this one was compared with; 0: none.
	MatchedPageID uint64
	// RelatedGroupID is, of a page that is new, the group that came nearest and was refused; 0: none.
	RelatedGroupID uint64
	// Resemblance is the share of text that both pages have, 0..1; Containment that of the smaller page.
	Resemblance, Containment float64
	// PageCoverage is the share of this page that the matched page has, 0..1; MatchedCoverage the reverse.
	PageCoverage, MatchedCoverage float64
	// Probability that both are the same document, 0..1.
	Probability float64
}

// IsDuplicate reports whether another page of the group has the same document.
func (r Result) IsDuplicate() bool {
	return r.Verdict == Exact || r.Verdict == Near
}

// IsPart reports whether one of the two pages contains the other and much more, so that leaving out the larger one
// would lose text.
func (r Result) IsPart() bool {
	return r.Flags&(FlagContains|FlagContained) != 0
}

// IsCopy reports whether hardly anything is lost without the page as long as the matched page is kept: it is exact, or
// near, no part, known as a whole and not uncertain.
func (r Result) IsCopy() bool {
	return r.Verdict == Exact || r.Verdict == Near && r.Flags&C.ND_FLAGS_CAUTION == 0
}

func resultOf(raw *C.nd_result) Result {
	return Result{Verdict(raw.verdict), Flags(raw.flags), uint64(raw.page_id), uint64(raw.group_id),
		uint64(raw.matched_page_id), uint64(raw.related_group_id), float64(raw.resemblance), float64(raw.containment),
		float64(raw.page_coverage), float64(raw.matched_coverage), float64(raw.probability)}
}
