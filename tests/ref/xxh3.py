"""XXH3, 64 bit, for inputs of 4 bytes and more, after the published algorithm
(https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md) as a second opinion on ndc's checksums. Slow."""
import struct

MASK = (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
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


def rotate(h, bits):
    return (h << bits | h >> 64 - bits) & MASK


def mix16(data, at, secret_at, seed):
    return fold(
        u64(data, at) ^ (u64(SECRET, secret_at) + seed & MASK),
        u64(data, at + 8) ^ (u64(SECRET, secret_at + 8) - seed & MASK),
    )


def hash_4_to_8(data, seed):
    seed ^= int.from_bytes(struct.pack("<I", seed & 0xFFFFFFFF), "big") << 32
    first, last = struct.unpack_from("<I", data)[0], struct.unpack_from("<I", data, len(data) - 4)[0]
    h = last + (first << 32) ^ (u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & MASK
    h ^= rotate(h, 49) ^ rotate(h, 24)
    h = h * PRIME_MX2 & MASK
    h ^= (h >> 35) + len(data)
    h = h * PRIME_MX2 & MASK
    return h ^ h >> 28


def hash_9_to_16(data, seed):
    low = u64(data, 0) ^ (u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & MASK
    high = u64(data, len(data) - 8) ^ (u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & MASK
    swapped = int.from_bytes(struct.pack("<Q", low), "big")
    return avalanche(len(data) + swapped + high + fold(low, high) & MASK)


def accumulate(state, data, at, secret, secret_at):
    for i in range(8):
        value = u64(data, at + 8 * i)
        keyed = value ^ u64(secret, secret_at + 8 * i)
        state[i ^ 1] = (state[i ^ 1] + value) & MASK
        state[i] = (state[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32)) & MASK


def scramble(state, secret):
    for i in range(8):
        state[i] ^= state[i] >> 47
        state[i] ^= u64(secret, len(secret) - STRIPE + 8 * i)
        state[i] = state[i] * P32_1 & MASK


def secret_of(seed):
    words = struct.unpack("<24Q", SECRET)
    return struct.pack("<24Q", *((word - seed if i % 2 else word + seed) & MASK for i, word in enumerate(words)))


def long_hash(data, seed):
    secret = secret_of(seed)
    state = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stripes = (len(data) - 1) // STRIPE
    for stripe in range(stripes):
        in_block = stripe % STRIPES_OF_BLOCK
        accumulate(state, data, stripe * STRIPE, secret, in_block * STEP)
        if in_block == STRIPES_OF_BLOCK - 1:
            scramble(state, secret)
    accumulate(state, data, len(data) - STRIPE, secret, len(secret) - STRIPE - 7)
    result = len(data) * P64_1 & MASK
    for i in range(4):
        result += fold(state[2 * i] ^ u64(secret, 11 + 16 * i), state[2 * i + 1] ^ u64(secret, 19 + 16 * i))
    return avalanche(result & MASK)


def xxh3_64(data, seed=0):
    size = len(data)
    if size < 4:
        raise ValueError("inputs of less than 4 bytes are not supported")
    if size > 240:
        return long_hash(data, seed)
    if size <= 16:
        return hash_9_to_16(data, seed) if size > 8 else hash_4_to_8(data, seed)
    result = size * P64_1
    if size <= 128:
        for i in reversed(range((size - 1) // 32 + 1)):
            result += mix16(data, 16 * i, 32 * i, seed) + mix16(data, size - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(result & MASK)
    for i in range(8):
        result += mix16(data, 16 * i, 16 * i, seed)
    result = avalanche(result & MASK)
    for i in range(8, size // 16):
        result += mix16(data, 16 * i, 16 * (i - 8) + 3, seed)
    return avalanche((result + mix16(data, size - 16, 136 - 17, seed)) & MASK)
