// An older Go would stop at the first type parameter, and not say why.

//go:build !go1.19

package ndc

import _ "ndc.io/ndc/v2/internal/too_old"
