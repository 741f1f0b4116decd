// Asks LeakSanitizer from a package, since a test cannot use cgo itself.

//go:build ndc_leaks

// Package leaks asks LeakSanitizer what memory of C is left that nothing points to.
package leaks

// int __lsan_do_recoverable_leak_check(void);
import "C"

// Found reports whether there is any, and has LeakSanitizer print it.
func Found() bool {
	return C.__lsan_do_recoverable_leak_check() != 0
}
