// The library that is installed, as its file ndc.pc names it.

//go:build !ndc_bundled

package ndc

// #cgo pkg-config: ndc
import "C"
