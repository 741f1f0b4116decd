// Package too_old does not compile: Go adds to its error which version the module requires.

//go:build !go1.19

package too_old

var _ = ndc_requires_Go_1_19
