// The log file (transcript 8): a header that proves itself, then records behind their lengths.

import { decode, LIMITS, Malformed } from './canonical.mjs'
import { H } from './crypto.mjs'
import { readMessage } from './wire.mjs'

export const OTHER = 3
export const BROKEN = 4

/** What is wrong with a log: the exit status, a sentence, the step and kind as far as known, the records before. */
export class BadLog extends Error {
  constructor(why, { status = BROKEN, kind = null, step = null, valid = 0 } = {}) {
    super(why)
    Object.assign(this, { status, kind, step, valid })
  }
}

const MAGIC = Buffer.from('894f414b0d0a1a0a', 'hex')

/** Game, rules digest and engine that the header names, and where the records begin (transcript 8.1, 9.1). */
export function readHeader(data) {
  const bad = (why, status = BROKEN) => new BadLog(why, { status, kind: 'header' })
  if (!data.subarray(0, 8).equals(MAGIC)) throw bad('the file does not begin like a log')
  if (data.length < 12) throw bad('the file ends inside its header')
  const end = 12 + data.readUInt32BE(8)
  if (end > 12 + 8192 || data.length < end + 32) throw bad('the file ends inside its header')
  if (!H('header', data.subarray(0, end)).equals(data.subarray(end, end + 32))) throw bad('the header is damaged')
  let fields
  try {
    fields = decode(data.subarray(12, end))
  } catch (error) {
    if (error instanceof Malformed) throw bad('the header has no meaning')
    throw error
  }
  const versions = Array.isArray(fields) && fields.length >= 2 && fields.slice(0, 2).every(Number.isSafeInteger)
  if (!versions) throw bad('the header has no meaning')
  const [format, protocol, game, rules, engine] = fields
  if (format !== 1 || protocol !== 1) throw bad(`format and protocol are ${format} and ${protocol}`, OTHER)
  const whole = fields.length === 5 && [game, engine].every(f => typeof f === 'string') && Buffer.isBuffer(rules)
  if (!whole) throw bad('the header has no meaning')
  return { game, rules, engine, start: end + 32 }
}

/**
 * The records from an offset on, as far as they are whole (transcript 8.2), and the fault after them, or null. A record
 * is `{ kind, b, signature, end }`, with the offset behind it.
 */
export function readRecords(data, start) {
  const records = []
  let at = start
  while (at < data.length) {
    const fault = (why, kind) => ({ records, fault: { why, kind } })
    if (data.length - at < 4) return fault('the file ends inside an entry', 'cut')
    const size = data.readUInt32BE(at)
    if (size < 1 || size > LIMITS.bytes) return fault('a record of an impossible length', 'entry')
    if (data.length - at - 4 < size) return fault('the file ends inside an entry', 'cut')
    try {
      const record = readMessage(data.subarray(at + 4, at + 4 + size))
      if (!record.b) return fault('something that is not signed', 'entry')
      records.push({ ...record, end: at + 4 + size })
    } catch (error) {
      if (error instanceof Malformed) return fault(`a malformed record: ${error.message}`, 'entry')
      throw error
    }
    at += 4 + size
  }
  return { records, fault: null }
}
