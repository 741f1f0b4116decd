// Settings by their keys and values, and what the library says of each.

package ndc

// #include "callbacks.h"
import "C"

import (
	"errors"
	"runtime/cgo"
	"unsafe"
)

// Option is a setting of [Open], [NewReader] or [Features.Decide]; those that are stable have a function each, With….
type Option struct {
	key, value string
	log        func(LogLevel, string)
}

// Set is an option by its key and value, as `ndc options` lists them: those of a configuration file, and the
// experimental ones. A wrong one is an error of the call that takes it.
func Set(key, value string) Option {
	return Option{key: key, value: value}
}

// nativeOptions are those of the library, and the handle of the log, which an engine uses until it is closed.
type nativeOptions struct {
	raw *C.nd_options
	log cgo.Handle
}

func (o *nativeOptions) free() {
	C.nd_options_free(o.raw)
	if o.log != 0 {
		o.log.Delete()
	}
}

func newOptions(options []Option) (*nativeOptions, error) {
	out := &nativeOptions{}
	if err := invoke(func() C.nd_status { return C.nd_options_new(&out.raw) }); err != nil {
		return nil, err
	}
	for _, option := range options {
		if err := out.set(option); err != nil {
			out.free()
			return nil, err
		}
	}
	return out, nil
}

func (o *nativeOptions) set(option Option) error {
	if option.log != nil {
		if o.log != 0 {
			o.log.Delete()
		}
		o.log = cgo.NewHandle(option.log)
		return invoke(func() C.nd_status { return C.ndgo_set_logger(o.raw, C.uintptr_t(o.log)) })
	}
	key, err := newText("key of an option", option.key)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(key))
	value, err := newText("value of option "+option.key, option.value)
	if err != nil {
		return err
	}
	defer C.free(unsafe.Pointer(value))
	return invoke(func() C.nd_status { return C.nd_options_set(o.raw, key, value) })
}

// OptionInfo is what an option means.
type OptionInfo struct {
	Key, Type, Default, Range, Help string
	// Needs is what has to hold for the option to have an effect: "detector=lcs spotsigs=true"; "": nothing.
	Needs string
	// Persistent options are recorded with a store, which refuses others.
	Persistent bool
}

// Options are all options of the library, the experimental ones (x_…) as well.
func Options() ([]OptionInfo, error) {
	var out []OptionInfo
	for {
		raw := C.nd_option_info{struct_size: C.sizeof_nd_option_info}
		err := invoke(func() C.nd_status { return C.nd_options_describe(C.size_t(len(out)), &raw) })
		if errors.Is(err, ErrNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, OptionInfo{C.GoString(raw.key), C.GoString(raw._type), C.GoString(raw.default_value),
			C.GoString(raw._range), C.GoString(raw.help), C.GoString(raw.needs), raw.persistent != 0})
	}
}
