// The calls that are for stores alone: snapshots, bookmarks, verification.

package ndc

// #include "callbacks.h"
import "C"

import (
	"context"
	"strings"
	"unsafe"
)

// Snapshot makes everything durable that was answered so far, whatever the durability.
func (e *Engine) Snapshot(ctx context.Context) error {
	return e.call(ctx, func() C.nd_status { return C.nd_snapshot(e.native) })
}

// Compact is a snapshot that rewrites the store without what was removed and changed.
func (e *Engine) Compact(ctx context.Context) error {
	return e.call(ctx, func() C.nd_status { return C.nd_compact(e.native) })
}

// Refresh moves an engine that was opened with [WithReadOnly] to the newest snapshot.
func (e *Engine) Refresh(ctx context.Context) error {
	return e.call(ctx, func() C.nd_status { return C.nd_refresh(e.native) })
}

// SetBookmark remembers where a reader of archives stood, durable with the pages before it; empty data forgets it.
func (e *Engine) SetBookmark(ctx context.Context, name string, data []byte) error {
	text, err := newText("name of the bookmark", name)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(text))
	return e.call(ctx, func() C.nd_status {
		return C.nd_set_bookmark(e.native, text, first(data), C.size_t(len(data)))
	})
}

// Bookmark is the data of a bookmark; [ErrNotFound] if there is none.
func (e *Engine) Bookmark(ctx context.Context, name string) ([]byte, error) {
	text, err := newText("name of the bookmark", name)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(text))
	return filled(func(out *C.nd_buffer) error {
		return e.call(ctx, func() C.nd_status { return C.nd_get_bookmark(e.native, text, out) })
	})
}

// Fault is one that [Verify] has found in a store.
type Fault struct {
	File     string // in the store's directory
	Offset   uint64 // where the checked part begins
	Sentence string
}

// Verify reads every file of a store. Where it finds faults, it returns them with [ErrCorrupt]. It takes no lock.
func Verify(store string) ([]Fault, error) {
	path, err := newText("path of the store", store)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(path))
	return rowsOf(func(rows unsafe.Pointer) error {
		return invoke(func() C.nd_status {
			return C.nd_verify_store(path, C.nd_store_fault_callback(C.ndgo_fault_row), rows)
		})
	}, func(offset *C.uint64_t, text string) Fault {
		file, sentence, _ := strings.Cut(text, "\x00")
		return Fault{file, uint64(*offset), sentence}
	})
}
