// The tests end with a search for memory of C that nothing points to.

//go:build ndc_leaks

package ndc

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"ndc.io/ndc/v2/internal/leaks"
)

const sanitized = true

// endOf is the exit code of the tests; memory of C that is lost makes them fail.
func endOf(code int) int {
	// Finalizers close what the tests forgot on purpose.
	for i := 0; i < 5; i++ {
		runtime.GC()
		time.Sleep(100 * time.Millisecond)
	}
	if leaks.Found() {
		fmt.Fprintln(os.Stderr, "memory of C is lost")
		return 9
	}
	return code
}
