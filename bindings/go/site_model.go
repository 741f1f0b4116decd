// What distributed programs learn of a site, so that features are decided as an engine decides.

package ndc

// #include <ndcapi.h>
import "C"

import (
	"runtime"
	"sync"
)

// SiteModel is what is known of one site: on how many of its pages each part stands ([Features.Parts]). With it
// features are decided as an engine decides that knows these pages. Goroutines take turns.
type SiteModel struct {
	mutex  sync.Mutex
	native *C.nd_site_model
}

// NewSiteModel makes a model that knows nothing.
func NewSiteModel() (*SiteModel, error) {
	out := &SiteModel{}
	if err := invoke(func() C.nd_status { return C.nd_site_model_new(&out.native) }); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(out, func(model *SiteModel) { _ = model.Close() })
	return out, nil
}

// Close frees the model. Closing again does nothing.
func (m *SiteModel) Close() error {
	if m == nil {
		return nil
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	C.nd_site_model_free(m.native)
	m.native = nil
	return nil
}

// Learn counts a page of the site: each once, and one that has other text now again, when Forget has its old parts.
func (m *SiteModel) Learn(parts []uint64) error {
	return m.call(func() C.nd_status {
		return C.nd_site_model_learn(m.native, (*C.uint64_t)(first(parts)), C.size_t(len(parts)))
	})
}

// Forget takes off what Learn has counted.
func (m *SiteModel) Forget(parts []uint64) error {
	return m.call(func() C.nd_status {
		return C.nd_site_model_forget(m.native, (*C.uint64_t)(first(parts)), C.size_t(len(parts)))
	})
}

// Merge adds what another model has learned, as Save wrote it.
func (m *SiteModel) Merge(saved []byte) error {
	return m.call(func() C.nd_status { return C.nd_site_model_merge(m.native, recordOf(saved), C.size_t(len(saved))) })
}

// Save is the model as bytes: all of it, or what it knows of some parts, such as those of one page.
func (m *SiteModel) Save(parts ...uint64) ([]byte, error) {
	return filled(func(out *C.nd_buffer) error {
		return m.call(func() C.nd_status {
			return C.nd_site_model_save(m.native, (*C.uint64_t)(first(parts)), C.size_t(len(parts)), out)
		})
	})
}

func (m *SiteModel) call(run func() C.nd_status) error {
	if m == nil {
		return ErrClosed
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.native == nil {
		return ErrClosed
	}
	return invoke(run)
}
