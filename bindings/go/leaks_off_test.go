// The tests end with their own exit code where no sanitizer looks for lost memory.

//go:build !ndc_leaks

package ndc

const sanitized = false

func endOf(code int) int {
	return code
}
