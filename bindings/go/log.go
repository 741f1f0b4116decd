// The one function of Go that the library calls back: it gets the lines of the log.

package ndc

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// LogLevel is how much a line of the log matters.
type LogLevel int32

const (
	LogError   LogLevel = 1
	LogWarning LogLevel = 2
)

var levelWords = map[LogLevel]string{LogError: "error", LogWarning: "warning"}

// String is "error" or "warning".
func (l LogLevel) String() string {
	return wordOf(levelWords[l], "LogLevel", int32(l))
}

// WithLog gives an engine's messages, one line each, to a function: also what [Open] reports before it fails. It runs
// on several goroutines at once while the library waits, and must not call the engine. What it panics with is dropped,
// and runtime.Goexit, as by testing.T.FailNow, ends the function alone.
func WithLog(log func(level LogLevel, line string)) Option {
	if log == nil {
		log = func(LogLevel, string) {}
	}
	return Option{log: log}
}

//export ndgoLogLine
func ndgoLogLine(level C.int32_t, message *C.char, size C.size_t, handle C.uintptr_t) {
	line := string(unsafe.Slice((*byte)(unsafe.Pointer(message)), int(size)))
	done := make(chan struct{})
	// Neither a panic nor runtime.Goexit can pass through the frames of C: they end a goroutine of the line's own.
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		cgo.Handle(handle).Value().(func(LogLevel, string))(LogLevel(level), line)
	}()
	<-done
}
