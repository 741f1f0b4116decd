// What went wrong, as values that errors.Is and errors.As match.

package ndc

// #include <ndcapi.h>
import "C"

import "os"

// Status is what an error is about, and an error itself, for errors.Is:
//
//	if errors.Is(err, ndc.ErrLocked) { … }
type Status int32

const (
	ErrInvalidArgument    Status = C.ND_ERR_INVALID_ARGUMENT    // an unknown option, an impossible value, not a store
	ErrNoMemory           Status = C.ND_ERR_NO_MEMORY           // the system has none left
	ErrIO                 Status = C.ND_ERR_IO                  // a disk is full or broken: make room and call again
	ErrCorrupt            Status = C.ND_ERR_CORRUPT             // a store, features or a signature are damaged
	ErrUnsupportedVersion Status = C.ND_ERR_UNSUPPORTED_VERSION // of another version, or the library is
	ErrLocked             Status = C.ND_ERR_LOCKED              // the store has a writer
	ErrReadOnly           Status = C.ND_ERR_READ_ONLY           // a change through a reader
	ErrNotFound           Status = C.ND_ERR_NOT_FOUND           // no such page, group, bookmark or store
	ErrLimit              Status = C.ND_ERR_LIMIT               // too long, or too many
	ErrInternal           Status = C.ND_ERR_INTERNAL            // a fault in ndc: please report it
	ErrClosed             Status = 1                            // the engine or reader was closed; of this package
)

// Error is a short name of the status.
func (s Status) Error() string {
	if s == ErrClosed {
		return "ndc: closed"
	}
	return "ndc: " + C.GoString(C.nd_status_string(C.nd_status(s)))
}

// Is makes the errors of io/fs match those that say the same.
func (s Status) Is(target error) bool {
	switch target {
	case os.ErrNotExist:
		return s == ErrNotFound
	case os.ErrInvalid:
		return s == ErrInvalidArgument
	case os.ErrClosed:
		return s == ErrClosed
	}
	return false
}

// Error is why a call failed.
type Error struct {
	Status   Status
	Sentence string // may be empty
}

func (e *Error) Error() string {
	if e.Sentence == "" {
		return e.Status.Error()
	}
	return "ndc: " + e.Sentence
}

// Unwrap is the status.
func (e *Error) Unwrap() error {
	return e.Status
}
