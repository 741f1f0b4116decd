// The library that the script bundle has copied beside this file. A program finds it there, or in its own folder.

//go:build ndc_bundled

package ndc

// #cgo CFLAGS: -I${SRCDIR}/native/include
// #cgo LDFLAGS: -lndc
// #cgo linux,amd64 LDFLAGS: -L${SRCDIR}/native/linux-amd64 -Wl,-rpath,${SRCDIR}/native/linux-amd64
// #cgo linux,arm64 LDFLAGS: -L${SRCDIR}/native/linux-arm64 -Wl,-rpath,${SRCDIR}/native/linux-arm64
// #cgo LDFLAGS: -Wl,-rpath,$ORIGIN
import "C"
