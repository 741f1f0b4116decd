// The half that needs no engine: what is seen of a page, its features and its signature.

package ndc

// #include "calls.h"
import "C"

import (
	"context"
	"encoding/json"
	"runtime"
)

// Reader computes what needs no engine: what is seen of a page, and what other processes compare it by.
type Reader struct {
	native *C.nd_reader
	calls  *calls
}

// NewReader makes a reader, which keeps working memory from call to call.
func NewReader(options ...Option) (*Reader, error) {
	native, err := newOptions(options)
	if err != nil {
		return nil, err
	}
	defer native.free()
	out := &Reader{calls: newCalls()}
	if err := invoke(func() C.nd_status { return C.nd_reader_new(native.raw, &out.native) }); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(out, func(reader *Reader) { go reader.Close() })
	return out, nil
}

// Close frees the reader when the calls that are under way have ended. Closing again does nothing.
func (r *Reader) Close() error {
	if r == nil {
		return nil
	}
	return r.calls.close(func() error {
		runtime.SetFinalizer(r, nil)
		C.nd_reader_free(r.native)
		return nil
	})
}

// Extract is what is seen of a page, as nd_extract describes it (ndcapi.h): title, language, blocks, their weights, …
func (r *Reader) Extract(ctx context.Context, page Page) (json.RawMessage, error) {
	return r.page(ctx, C.NDGO_EXTRACT, &page)
}

// Features are everything that is needed to compare a page later and elsewhere.
func (r *Reader) Features(ctx context.Context, page Page) (Features, error) {
	return r.page(ctx, C.NDGO_FEATURES, &page)
}

// Signature is a sketch of a page in at most 127 bytes, which decides less well; empty for a page without text.
func (r *Reader) Signature(ctx context.Context, page Page) (Signature, error) {
	out := make([]byte, C.ND_SIGNATURE_MAX_SIZE)
	size := C.size_t(len(out))
	err := r.read(ctx, C.NDGO_SIGNATURE, &page, nil, out, &size)
	return out[:size], err
}

func (r *Reader) page(ctx context.Context, call C.int, page *Page) ([]byte, error) {
	return filled(func(out *C.nd_buffer) error { return r.read(ctx, call, page, out, nil, nil) })
}

func (r *Reader) read(ctx context.Context, call C.int, page *Page, out *C.nd_buffer, signature []byte,
	size *C.size_t) error {
	if r == nil {
		return ErrClosed
	}
	if err := r.calls.begin(ctx); err != nil {
		return err
	}
	defer r.calls.end()
	return invoke(func() C.nd_status {
		return C.ndgo_reader_page(r.native, call, page.URL, (*C.char)(first(page.Body)), C.size_t(len(page.Body)),
			page.ContentType, milliseconds(page.FetchedAt), page.flags(), out, (*C.uint8_t)(first(signature)), size)
	})
}

// Features are portable between machines, versioned and checksummed; what is no features is [ErrCorrupt].
type Features []byte

// Keys are the candidate keys: pages that share one are worth comparing.
func (f Features) Keys() ([]uint64, error) {
	return numbersOf(func(out *C.uint64_t, count *C.size_t) C.nd_status {
		return C.nd_features_keys(recordOf(f), C.size_t(len(f)), out, count)
	})
}

// Parts are what a site counts the page under, for [SiteModel.Learn].
func (f Features) Parts() ([]uint64, error) {
	return numbersOf(func(out *C.uint64_t, count *C.size_t) C.nd_status {
		return C.nd_features_parts(recordOf(f), C.size_t(len(f)), out, count)
	})
}

// WithSite are the features of the same page with what its site knows of it: of [SiteModel.Save], whose model has to
// have learned the page.
func (f Features) WithSite(saved []byte) (Features, error) {
	return filled(func(out *C.nd_buffer) error {
		return invoke(func() C.nd_status {
			return C.nd_features_with_site(recordOf(f), C.size_t(len(f)), recordOf(saved), C.size_t(len(saved)), out)
		})
	})
}

// Decide tells whether two pages are the same document; f plays the representative, and the result, which has no ids,
// is about the other page.
func (f Features) Decide(other Features, options ...Option) (Result, error) {
	native, err := newOptions(options)
	if err != nil {
		return Result{}, err
	}
	defer native.free()
	raw := C.nd_result{struct_size: C.sizeof_nd_result}
	err = invoke(func() C.nd_status {
		return C.nd_features_decide(recordOf(f), C.size_t(len(f)), recordOf(other), C.size_t(len(other)), native.raw, &raw)
	})
	return resultOf(&raw), err
}

// Signature is of one page.
type Signature []byte

// Keys are the candidate keys, at most 32.
func (s Signature) Keys() ([]uint64, error) {
	return numbersOf(func(out *C.uint64_t, count *C.size_t) C.nd_status {
		return C.nd_signature_keys((*C.uint8_t)(recordOf(s)), C.size_t(len(s)), out, count)
	})
}

// Similarity is that of the two pages' main content, estimated, 0..1.
func (s Signature) Similarity(other Signature) (float64, error) {
	var out C.double
	err := invoke(func() C.nd_status {
		return C.nd_signature_compare((*C.uint8_t)(recordOf(s)), C.size_t(len(s)), (*C.uint8_t)(recordOf(other)),
			C.size_t(len(other)), &out)
	})
	return float64(out), err
}
