// Canonical bytes (engine 5.1, wire 2): values to bytes and back, with the limits of wire 2.4.
//
// In JavaScript: integers are numbers, or BigInts where numbers are not exact; texts are strings, byte strings are
// Buffers, lists are arrays, truth values are booleans.

/** Bytes that are not the one form of a value. */
export class Malformed extends Error {}

export const LIMITS = { bytes: 65536, entry: 8192, values: 4096, items: 1024, depth: 8 }

/** The one byte form of a value (engine 5.1); truth values only where `truth` allows them (wire 2.1). */
export function encode(value, { truth = false } = {}) {
  const parts = []
  put(parts, value, truth)
  return Buffer.concat(parts)
}

function put(parts, value, truth) {
  if (Buffer.isBuffer(value)) {
    parts.push(sized(value.length, [[256, 0xc4, 1], [65536, 0xc5, 2], [2 ** 32, 0xc6, 4]]), value)
  } else if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Malformed('a text with half a character')
    const bytes = Buffer.from(value, 'utf8')
    const head = [[256, 0xd9, 1], [65536, 0xda, 2], [2 ** 32, 0xdb, 4]]
    parts.push(bytes.length < 32 ? Buffer.of(0xa0 + bytes.length) : sized(bytes.length, head), bytes)
  } else if (Array.isArray(value)) {
    const n = value.length
    parts.push(n < 16 ? Buffer.of(0x90 + n) : sized(n, [[65536, 0xdc, 2], [2 ** 32, 0xdd, 4]]))
    for (const item of value) put(parts, item, truth)
  } else if (typeof value === 'boolean' && truth) {
    parts.push(Buffer.of(value ? 0xc3 : 0xc2))
  } else if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    parts.push(integer(BigInt(value)))
  } else {
    throw new Malformed('a value without a form')
  }
}

function sized(n, forms) {
  const [, first, width] = forms.find(([below]) => n < below)
  const bytes = Buffer.alloc(1 + width, first)
  bytes.writeUIntBE(n, 1, width)
  return bytes
}

function integer(n) {
  if (n >= -32n && n < 128n) return Buffer.of(Number(n & 0xffn))
  for (const [power, width] of [0, 1, 2, 3].map(power => [power, 1 << power])) {
    const bits = BigInt(8 * width)
    const fits = n >= 0n ? n < 1n << bits : n >= -(1n << (bits - 1n))
    if (!fits) continue
    const bytes = Buffer.alloc(9)
    bytes.writeBigUInt64BE(BigInt.asUintN(64, n), 1)
    const tail = bytes.subarray(9 - width)
    return Buffer.concat([Buffer.of((n >= 0n ? 0xcc : 0xd0) + power), tail])
  }
  throw new Malformed('an integer of more than 64 bits')
}

/** The value of these bytes; raises Malformed unless they are its one form and within the limits. */
export function decode(bytes, most = LIMITS.bytes) {
  if (bytes.length > most) throw new Malformed(`more than ${most} bytes`)
  stepOver(bytes)
  const reader = { bytes, at: 0 }
  const value = take(reader)
  if (!encode(value, { truth: true }).equals(bytes)) throw new Malformed('not the shortest form')
  return value
}

/** What a first byte says: its kind, and its size or where to read it. */
function form(first) {
  if (first < 0x80 || first >= 0xe0) return ['small', 0]
  if (first >= 0x90 && first < 0xa0) return ['list', 0, first - 0x90]
  if (first >= 0xa0 && first < 0xc0) return ['text', 0, first - 0xa0]
  if (first === 0xc2 || first === 0xc3) return ['truth', 0]
  if (first >= 0xc4 && first <= 0xc6) return ['bytes', 1 << (first - 0xc4)]
  if (first >= 0xcc && first <= 0xcf) return ['unsigned', 1 << (first - 0xcc)]
  if (first >= 0xd0 && first <= 0xd3) return ['signed', 1 << (first - 0xd0)]
  if (first >= 0xd9 && first <= 0xdb) return ['text', 1 << (first - 0xd9)]
  if (first === 0xdc || first === 0xdd) return ['list', first === 0xdc ? 2 : 4]
  throw new Malformed('a value without a form')
}

function head(reader) {
  const { bytes } = reader
  if (reader.at >= bytes.length) throw new Malformed('bytes are missing')
  const first = bytes[reader.at++]
  const [kind, width, given] = form(first)
  if (reader.at + width > bytes.length) throw new Malformed('bytes are missing')
  if (kind === 'small' || kind === 'truth' || kind === 'signed' || kind === 'unsigned') return { kind, width, first }
  const size = width ? bytes.readUIntBE(reader.at, width) : given
  reader.at += width
  if (size > bytes.length - reader.at) throw new Malformed('bytes are missing')
  return { kind, size }
}

/** All limits of wire 2.4, before a single value is made. */
function stepOver(bytes) {
  const reader = { bytes, at: 0 }
  const open = [1] // how many values each open array still has; the first stands for the message
  let values = 0
  while (open.length) {
    if (open[open.length - 1]-- === 0) {
      open.pop()
      continue
    }
    if (++values > LIMITS.values) throw new Malformed(`more than ${LIMITS.values} values`)
    const { kind, size, width } = head(reader)
    if (kind === 'list') {
      if (size > LIMITS.items) throw new Malformed(`more than ${LIMITS.items} items`)
      if (open.length > LIMITS.depth) throw new Malformed(`more than ${LIMITS.depth} arrays in each other`)
      open.push(size)
    } else {
      reader.at += size ?? width
    }
  }
  if (reader.at !== bytes.length) throw new Malformed('bytes after the end')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function take(reader) {
  const { kind, size, width, first } = head(reader)
  const from = reader.at
  switch (kind) {
    case 'small':
      return first < 0x80 ? first : first - 256
    case 'truth':
      return first === 0xc3
    case 'list':
      return Array.from({ length: size }, () => take(reader))
    case 'bytes':
      reader.at += size
      return reader.bytes.subarray(from, reader.at)
    case 'text':
      reader.at += size
      try {
        return utf8.decode(reader.bytes.subarray(from, reader.at))
      } catch {
        throw new Malformed('a text that is no UTF-8')
      }
    default:
      reader.at += width
      return number(reader.bytes, from, width, kind === 'signed')
  }
}

function number(bytes, at, width, signed) {
  if (width < 8) return signed ? bytes.readIntBE(at, width) : bytes.readUIntBE(at, width)
  const big = signed ? bytes.readBigInt64BE(at) : bytes.readBigUInt64BE(at)
  return Number.isSafeInteger(Number(big)) ? Number(big) : big
}
