// The engine: opening and closing it, and the calls that check, query and remove pages.

package ndc

// #include "calls.h"
import "C"

import (
	"context"
	"errors"
	"runtime"
	"time"
	"unsafe"
)

// Engine is what was fetched so far. One that is never closed is closed by the garbage collector, sometime; until then
// its store is locked.
type Engine struct {
	native  *C.nd_engine
	options *nativeOptions
	calls   *calls
}

// Open opens an engine with a store, a directory that is made if it is not there (its parent is not), or with "" in
// memory. A store has one writer; another one gets [ErrLocked]. Unlike the C interface it does not map the files of a
// store unless told so ([WithMmap]): of a mapped file a disk that fails would end the program.
func Open(store string, options ...Option) (*Engine, error) {
	var path *C.char
	if store != "" {
		options = append([]Option{WithMmap(false)}, options...)
		var err error
		if path, err = newText("path of the store", store); err != nil {
			return nil, err
		}
		defer C.free(unsafe.Pointer(path))
	}
	native, err := newOptions(options)
	if err != nil {
		return nil, err
	}
	out := &Engine{options: native, calls: newCalls()}
	if err := invoke(func() C.nd_status { return C.nd_open(path, native.raw, &out.native) }); err != nil {
		native.free()
		return nil, err
	}
	runtime.SetFinalizer(out, func(engine *Engine) { go engine.Close() })
	return out, nil
}

// Close waits for the calls that are under way, takes a last snapshot, if there is a store, and frees the engine.
// Closing again does nothing. [ErrIO] says that the snapshot could not be written; what durability promises holds.
func (e *Engine) Close() error {
	if e == nil {
		return nil
	}
	return e.calls.close(func() error {
		runtime.SetFinalizer(e, nil)
		defer e.options.free()
		return invoke(func() C.nd_status { return C.nd_close(e.native) })
	})
}

func (e *Engine) begin(ctx context.Context) error {
	if e == nil {
		return ErrClosed
	}
	return e.calls.begin(ctx)
}

// call runs a call of the library, unless the engine is closed or the context has ended.
func (e *Engine) call(ctx context.Context, run func() C.nd_status) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	defer e.calls.end()
	return invoke(run)
}

// Check compares a page with all before it and adds it, as one step. Whatever the verdict, the page is in the engine.
func (e *Engine) Check(ctx context.Context, page Page) (Result, error) {
	return e.decide(ctx, C.NDGO_CHECK, &page, nil)
}

// Query is what Check would answer; nothing changes.
func (e *Engine) Query(ctx context.Context, page Page) (Result, error) {
	return e.decide(ctx, C.NDGO_QUERY, &page, nil)
}

// CheckWithText is Check, and OwnText by what was known of the site before the page, by one reading of it.
func (e *Engine) CheckWithText(ctx context.Context, page Page) (Result, string, error) {
	var result Result
	text, err := filled(func(text *C.nd_buffer) (err error) {
		result, err = e.decide(ctx, C.NDGO_CHECK_WITH_TEXT, &page, text)
		return err
	})
	return result, string(text), err
}

// OwnText is the text of a page without what its site is known to repeat, block by block, each on a line. The page need
// not be known, and nothing changes.
func (e *Engine) OwnText(ctx context.Context, page Page) (string, error) {
	text, err := filled(func(text *C.nd_buffer) error {
		_, err := e.decide(ctx, C.NDGO_OWN_TEXT, &page, text)
		return err
	})
	return string(text), err
}

func (e *Engine) decide(ctx context.Context, call C.int, page *Page, text *C.nd_buffer) (Result, error) {
	raw := C.nd_result{struct_size: C.sizeof_nd_result}
	err := e.call(ctx, func() C.nd_status {
		return C.ndgo_engine_page(e.native, call, page.URL, (*C.char)(first(page.Body)), C.size_t(len(page.Body)),
			page.ContentType, milliseconds(page.FetchedAt), page.flags(), &raw, text)
	})
	return resultOf(&raw), err
}

// CheckFeatures is Check for a page whose features a [Reader] has computed, perhaps elsewhere.
func (e *Engine) CheckFeatures(ctx context.Context, features Features) (Result, error) {
	raw := C.nd_result{struct_size: C.sizeof_nd_result}
	err := e.call(ctx, func() C.nd_status {
		return C.nd_check_features(e.native, recordOf(features), C.size_t(len(features)), &raw)
	})
	return resultOf(&raw), err
}

// Remove forgets a page, and reports whether there was one with this URL.
func (e *Engine) Remove(ctx context.Context, url string) (bool, error) {
	err := e.call(ctx, func() C.nd_status {
		return C.nd_remove_page(e.native, (*C.char)(first([]byte(url))), C.size_t(len(url)))
	})
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Filter says which pages to remove: those of which everything holds that is set.
type Filter struct {
	URLPrefix     string
	Site          string    // a registrable domain, such as "example.co.uk"
	FetchedBefore time.Time // after 1970 began
	// Purge removes texts too that still represent groups.
	Purge bool
}

// RemoveMatching forgets all pages that a filter matches, and counts them. It is many changes: one that fails has
// removed some, and the same call goes on.
func (e *Engine) RemoveMatching(ctx context.Context, filter Filter) (uint64, error) {
	// The beginning of 1970 is C's sign for any time.
	if before := filter.FetchedBefore; !before.IsZero() && before.UnixMilli() <= 0 {
		return 0, &Error{ErrInvalidArgument, "fetched before: the time must be after the beginning of 1970"}
	}
	var removed C.uint64_t
	var flags C.uint32_t
	if filter.Purge {
		flags = C.ND_REMOVE_PURGE
	}
	err := e.call(ctx, func() C.nd_status {
		return C.ndgo_remove_matching(e.native, filter.URLPrefix, filter.Site, milliseconds(filter.FetchedBefore), flags,
			&removed)
	})
	return uint64(removed), err
}
