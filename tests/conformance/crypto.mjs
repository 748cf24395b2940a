// Hashes, signatures and seeds (engine 3.3 and 5.2, transport 1).

import { createHash, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { sign, verify as verified } from 'node:crypto'

export function u32(n) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

/** `H(tag, x…)`: each part behind its length (engine 5.2). */
export function H(tag, ...parts) {
  const hash = createHash('sha256').update(`oaknet/1/${tag}\0`)
  for (const part of parts) hash.update(u32(part.length)).update(part)
  return hash.digest()
}

/** HKDF with SHA-256, without salt, 32 bytes (transport, notation). */
export function hkdf(key, info) {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32))
}

/** What only the owner of a key can derive (transport 1.3). */
export function secret(seed, tag, x) {
  return hkdf(seed, Buffer.concat([Buffer.from(`oaknet/1/${tag}\0`), x]))
}

// RFC 8410: what stands before the 32 raw bytes of a public or a secret Ed25519 key.
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')
const SECRET = Buffer.from('302e020100300506032b657004220420', 'hex')

export function privateKey(seed) {
  return createPrivateKey({ key: Buffer.concat([SECRET, seed]), format: 'der', type: 'pkcs8' })
}

/** The 32 raw bytes of the public key that belongs to 32 secret bytes. */
export function publicKey(seed) {
  return createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(PUBLIC.length)
}

/** An Ed25519 signature over bytes as they are. */
export function signRaw(seed, bytes) {
  return sign(null, bytes, privateKey(seed))
}

const keys = new Map() // raw key in hex: key object
const good = new Set() // signatures that were checked: one stands in many of the damaged copies of a log

/** Whether this is the signature of `key` over `b` as a kind (transport 1.2). */
export function verify(key, kind, b, signature) {
  if (key.length !== 32 || signature.length !== 64) return false
  const signed = H('checked', key, Buffer.from(kind), b, signature).toString('hex')
  if (good.has(signed)) return true
  const name = key.toString('hex')
  if (!keys.has(name)) {
    try {
      keys.set(name, createPublicKey({ key: Buffer.concat([PUBLIC, key]), format: 'der', type: 'spki' }))
    } catch {
      keys.set(name, null) // no point of the curve: nothing verifies
    }
  }
  const object = keys.get(name)
  const whole = Buffer.concat([Buffer.from(`oaknet/1/${kind}\0`), b])
  if (object === null || !verified(null, whole, object, signature)) return false
  good.add(signed)
  return true
}

/** The integers that a seed gives (engine 3.3); words are BigInts, answers are numbers where they are exact. */
export class Rng {
  constructor(seed) {
    this.seed = seed
    this.next = 0
  }

  word() {
    return H('rng', this.seed, u32(this.next++)).readBigUInt64BE()
  }

  below(n) {
    const size = BigInt(n)
    const whole = (1n << 64n) - ((1n << 64n) % size)
    let word = this.word()
    while (word >= whole) word = this.word()
    const answer = word % size
    return Number.isSafeInteger(Number(answer)) ? Number(answer) : answer
  }

  /** The index of the weighted choice. */
  weighted(weights) {
    let left = this.below(weights.reduce((sum, weight) => sum + weight))
    return weights.findIndex(weight => (left -= weight) < 0)
  }

  /** An order of the numbers 0 to n - 1. */
  order(n) {
    const order = Array.from({ length: n }, (_, i) => i)
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[order[i], order[j]] = [order[j], order[i]]
    }
    return order
  }
}
