"""XXH3, 64 bit, seed 0, for inputs longer than 16 bytes, after the published algorithm
(https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md) as a second opinion on ndc's checksums. Slow."""
import struct

MASK = (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1 = 0x165667919E3779F9
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
STRIPE, STEP = 64, 8
STRIPES_OF_BLOCK = (len(SECRET) - STRIPE) // STEP


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * PRIME_MX1 & MASK
    return h ^ h >> 32


def mix16(data, at, secret_at):
    return fold(u64(data, at) ^ u64(SECRET, secret_at), u64(data, at + 8) ^ u64(SECRET, secret_at + 8))


def accumulate(state, data, at, secret_at):
    for i in range(8):
        value = u64(data, at + 8 * i)
        keyed = value ^ u64(SECRET, secret_at + 8 * i)
        state[i ^ 1] = (state[i ^ 1] + value) & MASK
        state[i] = (state[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32)) & MASK


def scramble(state):
    for i in range(8):
        state[i] ^= state[i] >> 47
        state[i] ^= u64(SECRET, len(SECRET) - STRIPE + 8 * i)
        state[i] = state[i] * P32_1 & MASK


def long_hash(data):
    state = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stripes = (len(data) - 1) // STRIPE
    for stripe in range(stripes):
        in_block = stripe % STRIPES_OF_BLOCK
        accumulate(state, data, stripe * STRIPE, in_block * STEP)
        if in_block == STRIPES_OF_BLOCK - 1:
            scramble(state)
    accumulate(state, data, len(data) - STRIPE, len(SECRET) - STRIPE - 7)
    result = len(data) * P64_1 & MASK
    for i in range(4):
        result += fold(state[2 * i] ^ u64(SECRET, 11 + 16 * i), state[2 * i + 1] ^ u64(SECRET, 19 + 16 * i))
    return avalanche(result & MASK)


def xxh3_64(data):
    size = len(data)
    if size <= 16:
        raise ValueError("inputs of 16 bytes and less are not supported")
    if size > 240:
        return long_hash(data)
    result = size * P64_1
    if size <= 128:
        for i in reversed(range((size - 1) // 32 + 1)):
            result += mix16(data, 16 * i, 32 * i) + mix16(data, size - 16 * (i + 1), 32 * i + 16)
        return avalanche(result & MASK)
    for i in range(8):
        result += mix16(data, 16 * i, 16 * i)
    result = avalanche(result & MASK)
    for i in range(8, size // 16):
        result += mix16(data, 16 * i, 16 * (i - 8) + 3)
    return avalanche((result + mix16(data, size - 16, 136 - 17)) & MASK)
