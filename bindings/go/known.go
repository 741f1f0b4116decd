// What an engine knows: pages, groups, events, why two pages are near-duplicates, counters.

package ndc

// #include "callbacks.h"
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"time"
	"unsafe"
)

// PageInfo is what an engine knows of a page. Verdict to RelatedGroupID are of the last check that found new or changed
// text.
type PageInfo struct {
	URL                                            string
	Verdict                                        Verdict
	Flags                                          Flags
	PageID, GroupID, MatchedPageID, RelatedGroupID uint64
	Resemblance, Containment, Probability          float64
	FirstFetchedAt, LastFetchedAt                  time.Time
	TextWidth, TextHash                            uint64 // of the normalised visible text
}

func pageInfoOf(raw *C.nd_page_info, url string) PageInfo {
	return PageInfo{url, Verdict(raw.verdict), Flags(raw.flags), uint64(raw.page_id), uint64(raw.group_id),
		uint64(raw.matched_page_id), uint64(raw.related_group_id), float64(raw.resemblance), float64(raw.containment),
		float64(raw.probability), timeOf(raw.first_fetched_at_ms), timeOf(raw.last_fetched_at_ms), uint64(raw.text_width),
		uint64(raw.text_hash)}
}

// Find is the page of a URL; [ErrNotFound] if there is none.
func (e *Engine) Find(ctx context.Context, url string) (PageInfo, error) {
	raw := C.nd_page_info{struct_size: C.sizeof_nd_page_info}
	err := e.call(ctx, func() C.nd_status {
		return C.nd_find_page(e.native, (*C.char)(first([]byte(url))), C.size_t(len(url)), &raw)
	})
	if err != nil {
		return PageInfo{}, err
	}
	return pageInfoOf(&raw, url), nil
}

// Page is the page of an id; [ErrNotFound] if there is none.
func (e *Engine) Page(ctx context.Context, pageID uint64) (PageInfo, error) {
	return e.pageWithURL(ctx, func(raw *C.nd_page_info, url *C.char, size *C.size_t) C.nd_status {
		return C.nd_get_page(e.native, C.uint64_t(pageID), raw, url, size)
	})
}

// Keep is a rule for the page of a group that stays when the others are left out.
type Keep int32

const (
	KeepFirst   Keep = C.ND_KEEP_FIRST   // the oldest
	KeepLongest Keep = C.ND_KEEP_LONGEST // with most visible text
	KeepNewest  Keep = C.ND_KEEP_NEWEST  // fetched last
)

// Kept is the page of a group that a rule keeps; [ErrNotFound] for an unknown group.
func (e *Engine) Kept(ctx context.Context, groupID uint64, rule Keep) (PageInfo, error) {
	return e.pageWithURL(ctx, func(raw *C.nd_page_info, url *C.char, size *C.size_t) C.nd_status {
		return C.nd_kept_page(e.native, C.uint64_t(groupID), C.int32_t(rule), raw, url, size)
	})
}

func (e *Engine) pageWithURL(ctx context.Context,
	get func(*C.nd_page_info, *C.char, *C.size_t) C.nd_status) (PageInfo, error) {
	url := make([]byte, 512)
	for {
		raw, size := C.nd_page_info{struct_size: C.sizeof_nd_page_info}, C.size_t(len(url))
		err := e.call(ctx, func() C.nd_status { return get(&raw, (*C.char)(unsafe.Pointer(&url[0])), &size) })
		if err == nil {
			return pageInfoOf(&raw, string(url[:size])), nil
		}
		if !errors.Is(err, ErrLimit) || int(size) < len(url) {
			return PageInfo{}, err
		}
		url = make([]byte, size+1)
	}
}

// Members are the pages of a group, oldest first; [ErrNotFound] for an unknown group.
func (e *Engine) Members(ctx context.Context, groupID uint64) ([]PageInfo, error) {
	return rowsOf(func(rows unsafe.Pointer) error {
		return e.call(ctx, func() C.nd_status {
			return C.nd_each_page(e.native, C.uint64_t(groupID), C.nd_page_callback(C.ndgo_page_row), rows)
		})
	}, pageInfoOf)
}

// Group is a group of near-duplicates, or a page that has none.
type Group struct {
	GroupID uint64
	// RepresentativePageID is 0 where the founder was removed or has changed, and its old text represents the group.
	RepresentativePageID uint64
	PageCount            uint64
}

// Groups are all groups, ascending by id.
func (e *Engine) Groups(ctx context.Context) ([]Group, error) {
	return rowsOf(func(rows unsafe.Pointer) error {
		return e.call(ctx, func() C.nd_status {
			return C.nd_each_group(e.native, C.nd_group_callback(C.ndgo_group_row), rows)
		})
	}, func(raw *C.nd_group_info, _ string) Group {
		return Group{uint64(raw.group_id), uint64(raw.representative_page_id), uint64(raw.page_count)}
	})
}

// EventKind is what has changed after it was answered.
type EventKind int32

const (
	PageRegrouped  EventKind = C.ND_EVENT_REGROUPED // a page moved to another group
	PageRemoved    EventKind = C.ND_EVENT_REMOVED   // a page was removed
	GroupReelected EventKind = C.ND_EVENT_REELECTED // a group has another representative
	LimitReached   EventKind = C.ND_EVENT_LIMIT     // a limit dropped something
)

var eventWords = map[EventKind]string{PageRegrouped: "regrouped", PageRemoved: "removed", GroupReelected: "reelected",
	LimitReached: "limit"}

// String is "regrouped", "removed", "reelected" or "limit".
func (k EventKind) String() string {
	return wordOf(eventWords[k], "EventKind", int32(k))
}

// Event is a change.
type Event struct {
	Sequence   uint64 // ascending, from 1
	Kind       EventKind
	PageID     uint64 // after the event
	OldGroupID uint64 // 0: none
	NewGroupID uint64 // 0: none
	At         time.Time
}

// Events are those after the one of a sequence; 0: all that are kept, the last of option events_limit.
func (e *Engine) Events(ctx context.Context, after uint64) ([]Event, error) {
	return rowsOf(func(rows unsafe.Pointer) error {
		return e.call(ctx, func() C.nd_status {
			return C.nd_each_event(e.native, C.uint64_t(after), C.nd_event_callback(C.ndgo_event_row), rows)
		})
	}, func(raw *C.nd_event, _ string) Event {
		return Event{uint64(raw.sequence), EventKind(raw.kind), uint64(raw.page_id), uint64(raw.old_group_id),
			uint64(raw.new_group_id), timeOf(raw.at_ms)}
	})
}

// Similar is a page that resembles another one.
type Similar struct {
	URL     string
	PageID  uint64
	GroupID uint64
	Score   float64 // 0..1
	// Limited, in all rows or in none: a limit cut the search, and pages that are as similar may be missing.
	Limited bool
}

// Similar are the known pages that are most like a known one, best first, at most limit (1..1000) of them.
func (e *Engine) Similar(ctx context.Context, pageID uint64, limit int) ([]Similar, error) {
	if limit < 0 || limit > C.ND_SIMILAR_PAGES_MAX {
		limit = 0 // refused as well, and fits
	}
	return rowsOf(func(rows unsafe.Pointer) error {
		return e.call(ctx, func() C.nd_status {
			return C.nd_similar_pages(e.native, C.uint64_t(pageID), C.uint32_t(limit),
				C.nd_similar_callback(C.ndgo_similar_row), rows)
		})
	}, func(raw *C.nd_similar_page, url string) Similar {
		return Similar{url, uint64(raw.page_id), uint64(raw.group_id), float64(raw.score), Flags(raw.flags).Has(FlagLimit)}
	})
}

// Settled is what [Engine.Settle] answers about a page.
type Settled struct {
	Result
	URL string
}

// Settle decides all pages of an engine in memory again, in the order in which they came, by what is known of their
// sites now: for callers who have checked their whole input and not yet used the answers. Pages keep their ids.
// It runs alone: it waits for the calls that run, and later ones wait for it. The context can end the waiting, not the
// work: its error says that nothing has changed.
func (e *Engine) Settle(ctx context.Context) ([]Settled, error) {
	if e == nil {
		return nil, ErrClosed
	}
	if err := e.calls.beginAlone(ctx); err != nil {
		return nil, err
	}
	defer e.calls.endAlone()
	return rowsOf(func(rows unsafe.Pointer) error {
		return invoke(func() C.nd_status {
			return C.nd_settle(e.native, C.nd_settled_callback(C.ndgo_settled_row), rows)
		})
	}, func(raw *C.nd_result, url string) Settled { return Settled{resultOf(raw), url} })
}

// Compare tells whether two known pages are the same document by what is known now; a plays the representative, and the
// result is about b. Members of a group are compared with its representative, not with each other: so ask before b is
// left out because a is kept.
func (e *Engine) Compare(ctx context.Context, a, b uint64) (Result, error) {
	raw := C.nd_result{struct_size: C.sizeof_nd_result}
	err := e.call(ctx, func() C.nd_status {
		return C.nd_compare_pages(e.native, C.uint64_t(a), C.uint64_t(b), &raw)
	})
	return resultOf(&raw), err
}

// Explanation is why two pages are, or are not, near-duplicates.
type Explanation struct {
	Verdict         string  `json:"verdict"` // "exact", "near" or "different"
	Rule            string  `json:"rule"`    // what decided
	Resemblance     float64 `json:"resemblance"`
	Containment     float64 `json:"containment"`
	PageCoverage    float64 `json:"page_coverage"`
	MatchedCoverage float64 `json:"matched_coverage"`
	Probability     float64 `json:"probability"`
	// Segments are in reading order.
	Segments []Segment `json:"segments"`
	// JSON is all that nd_explain says (ndcapi.h).
	JSON json.RawMessage `json:"-"`
}

// Segment is a part of two texts: tokens of both, or of one of them.
type Segment struct {
	Kind string `json:"kind"` // "both", "a" or "b"
	A    [2]int `json:"a"`    // where it begins and ends
	B    [2]int `json:"b"`
	Text string `json:"text"` // with option keep_text
}

// Explain tells why two known pages are, or are not, near-duplicates; a plays the representative.
func (e *Engine) Explain(ctx context.Context, a, b uint64) (Explanation, error) {
	raw, err := filled(func(out *C.nd_buffer) error {
		return e.call(ctx, func() C.nd_status { return C.nd_explain(e.native, C.uint64_t(a), C.uint64_t(b), out) })
	})
	out := Explanation{JSON: raw}
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

// Stats are the counters.
func (e *Engine) Stats(ctx context.Context) (Stats, error) {
	raw := C.nd_stats{struct_size: C.sizeof_nd_stats}
	err := e.call(ctx, func() C.nd_status { return C.nd_get_stats(e.native, &raw) })
	return statsOf(&raw), err
}

// Metrics are the counters and the latencies of Check in the text format of Prometheus.
func (e *Engine) Metrics(ctx context.Context) (string, error) {
	text, err := filled(func(out *C.nd_buffer) error {
		return e.call(ctx, func() C.nd_status { return C.nd_metrics(e.native, out) })
	})
	return string(text), err
}
