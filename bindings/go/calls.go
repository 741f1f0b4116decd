// How the library is called: who may call when, how an error, a buffer, numbers and rows come out of it.

package ndc

// #include "callbacks.h"
import "C"

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// invoke runs a call of the library, and asks the thread that made it for its error.
func invoke(run func() C.nd_status) error {
	if wrongVersion != nil {
		return wrongVersion
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := run(); status != C.ND_OK {
		return &Error{Status(status), C.GoString(C.nd_last_error())}
	}
	return nil
}

// first is where the numbers or bytes are; nil where there are none.
func first[Number byte | uint64 | float64](data []Number) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Pointer(&data[0])
}

// recordOf is where the bytes of features or a signature are: of none too, which are damaged and not left out.
func recordOf(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		data = []byte{0}
	}
	return unsafe.Pointer(&data[0])
}

// newText is a NUL-terminated copy for C, to be freed; a NUL inside would cut it.
func newText(what, text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, &Error{ErrInvalidArgument, "there is a NUL in the " + what}
	}
	return C.CString(text), nil
}

// filled is what a call writes into a buffer.
func filled(run func(*C.nd_buffer) error) ([]byte, error) {
	buffer := &C.nd_buffer{struct_size: C.sizeof_nd_buffer}
	defer C.nd_buffer_free(buffer)
	if err := run(buffer); err != nil {
		return nil, err
	}
	return append([]byte{}, unsafe.Slice((*byte)(unsafe.Pointer(buffer.data)), int(buffer.size))...), nil
}

// numbersOf are what a call writes behind a pointer, of which it first says how many they are.
func numbersOf(run func(*C.uint64_t, *C.size_t) C.nd_status) ([]uint64, error) {
	var count C.size_t
	if err := invoke(func() C.nd_status { return run(nil, &count) }); err != nil {
		return nil, err
	}
	out := make([]uint64, count)
	err := invoke(func() C.nd_status { return run((*C.uint64_t)(first(out)), &count) })
	return out, err
}

// rowsOf are the rows that a call hands to a callback of callbacks.c.
func rowsOf[Native, Row any](run func(rows unsafe.Pointer) error, convert func(*Native, string) Row) ([]Row, error) {
	rows := &C.ndgo_rows{}
	defer func() { C.free(unsafe.Pointer(rows.data)) }()
	err := run(unsafe.Pointer(rows))
	if rows.no_memory != 0 {
		return nil, &Error{Status: ErrNoMemory}
	}
	var out []Row
	size := unsafe.Sizeof(*new(Native))
	for offset := uintptr(0); offset < uintptr(rows.size); {
		row := unsafe.Add(unsafe.Pointer(rows.data), offset)
		length := *(*uint64)(unsafe.Add(row, size))
		text := unsafe.Slice((*byte)(unsafe.Add(row, size+8)), int(length))
		out = append(out, convert((*Native)(row), string(text)))
		offset += size + 8 + uintptr(length+7)&^7
	}
	return out, err
}

// More would only be threads that wait for a processor; a reader keeps the working memory of as many.
const callsAtOnce = 64

// calls bounds the calls of a native object that run at once, and frees it when none runs.
type calls struct {
	running chan struct{}
	alone   chan struct{} // who takes all places, since two who did would wait for each other
	closing chan struct{}
	once    sync.Once
}

func newCalls() *calls {
	return &calls{make(chan struct{}, callsAtOnce), make(chan struct{}, 1), make(chan struct{}), sync.Once{}}
}

// begin waits until a call may run; end has to follow if there is no error. An object without calls was never opened.
func (c *calls) begin(ctx context.Context) error {
	if c == nil {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.take(ctx, c.running); err != nil {
		return err
	}
	select {
	case <-c.closing:
		c.end()
		return ErrClosed
	default:
		return nil
	}
}

func (c *calls) end() {
	<-c.running
}

func (c *calls) take(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closing:
		return ErrClosed
	}
}

// beginAlone waits until no other call runs, and keeps them out; endAlone has to follow if there is no error.
func (c *calls) beginAlone(ctx context.Context) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	c.end()
	if err := c.take(ctx, c.alone); err != nil {
		return err
	}
	for taken := 0; taken < callsAtOnce; taken++ {
		if err := c.begin(ctx); err != nil {
			c.leave(taken)
			return err
		}
	}
	return nil
}

func (c *calls) endAlone() {
	c.leave(callsAtOnce)
}

func (c *calls) leave(places int) {
	for ; places > 0; places-- {
		c.end()
	}
	<-c.alone
}

func (c *calls) close(free func() error) error {
	var err error
	if c != nil {
		c.once.Do(func() {
			close(c.closing)
			for i := 0; i < callsAtOnce; i++ {
				c.running <- struct{}{}
			}
			err = free()
		})
	}
	return err
}
