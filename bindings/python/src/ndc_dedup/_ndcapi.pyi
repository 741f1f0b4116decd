# generate_ndcapi.py writes the module from include/ndcapi.h. What cffi makes has no types.
from typing import Any

ffi: Any
