"""Where things are; ctest tells it by the environment."""

import os
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("NDC_BUILD_DIRECTORY", SOURCE / "build/release"))
LIBRARY = os.environ.get("NDC_LIBRARY", str(BUILD / "lib/libndc.so.2"))
SAMPLE = SOURCE / "data/sample/documentation.warc.gz"
