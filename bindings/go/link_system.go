//go:build !ndc_bundled

package ndc

// The library that is installed, as its file ndc.pc names it.

// #cgo pkg-config: ndc
import "C"
