//go:build !ndc_leaks

package ndc

func endOf(code int) int {
	return code
}
