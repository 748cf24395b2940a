// What messages are made of (wire 1.3, 3 and 4): their fields, checked as a whole or refused.

import { decode, LIMITS, Malformed } from './canonical.mjs'
import { H } from './crypto.mjs'
import { BadText, checkChat, checkName } from './text.mjs'

function need(good, what) {
  if (!good) throw new Malformed(what)
}

// -- types (wire 1.3): each checks a value and raises Malformed ------------------------------------------------------

const integer = (least, most) => value =>
  need(Number.isSafeInteger(value) && value >= least && value <= most, `no integer from ${least} to ${most}`)
const size = n => value => need(Buffer.isBuffer(value) && value.length === n, `no byte string of ${n} bytes`)
const u8 = integer(0, 255)
const u32 = integer(0, 2 ** 32 - 1)
const hash = size(32)
const key = hash
const signature = size(64)
const data = value => need(Buffer.isBuffer(value) && value.length > 0, 'no byte string of 1 byte or more')
const word = value => need(typeof value === 'string' && /^[\x21-\x7e]{1,40}$/.test(value), 'no word')
const anything = value => need(Array.isArray(value), 'no array')
const list = (least, most, item) => value => {
  need(Array.isArray(value) && value.length >= least && value.length <= most, `no array of ${least} to ${most}`)
  value.forEach(item)
}
const record = (...types) => value => {
  need(Array.isArray(value) && value.length === types.length, `no array of ${types.length} fields`)
  types.forEach((type, index) => type(value[index]))
}
const u63 = value => {
  const whole = typeof value === 'bigint' || Number.isSafeInteger(value)
  need(whole && value >= 0 && value < 2n ** 63n, 'no integer from 0 to 2^63 - 1')
}
const host = value => need(typeof value === 'string' && /^[A-Za-z0-9_.:%-]{1,253}$/.test(value), 'no host')
const shown = check => value => {
  need(typeof value === 'string', 'no text')
  try {
    check(value)
  } catch (error) {
    if (error instanceof BadText) throw new Malformed(error.message)
    throw error
  }
}
const name = shown(checkName)
const parent = value => (Array.isArray(value) && value.length === 0) || record(hash, u32, hash)(value)
const KINDS = ['move', 'seal', 'share', 'result', 'resign']
const entryKind = value => {
  word(value)
  need(KINDS.includes(value), 'no kind of entry')
}
const options = value => {
  list(0, 32, record(word, word))(value)
  for (let i = 1; i < value.length; i++) need(value[i - 1][0] < value[i][0], 'options out of order')
}

// -- what is signed (wire 3) -----------------------------------------------------------------------------------------

const FIELDS = {
  open: { version: u32, game: word, rules: hash, engine: word, options, seats: integer(1, 8), key, nonce: hash },
  sit: { table: hash, key, names: list(1, 8, name), nonce: hash, tip: hash },
  charter: {
    table: hash,
    number: u32,
    parent,
    draw: u32,
    given: list(0, 8, hash),
    sits: list(1, 8, record(data, signature)),
    seats: list(1, 8, record(u8, u8)),
  },
  entry: { charter: hash, step: u32, prev: hash, state: hash, author: u8, kind: entryKind, body: anything },
  chat: { table: hash, key, counter: u63, text: shown(checkChat) },
  at: { table: hash, key, counter: u63, addresses: list(0, 6, record(host, integer(1, 65535))) },
}

/** The fields of signed bytes, by name, and their `id` (wire 2.5); raises Malformed. */
export function readSigned(kind, b) {
  const types = FIELDS[kind]
  const fields = decode(b, kind === 'entry' ? LIMITS.entry : LIMITS.bytes)
  record(...Object.values(types))(fields)
  const named = Object.keys(types).map((field, index) => [field, fields[index]])
  return { ...Object.fromEntries(named), id: H(kind, b) }
}

/** Whether a value is an answer (wire 3.4): an integer of 32 bits, printable ASCII, or an array of these. */
export function isAnswer(value, deep = 4) {
  if (Array.isArray(value)) return deep > 0 && value.every(item => isAnswer(item, deep - 1))
  if (typeof value === 'string') return /^[\x20-\x7e]*$/.test(value)
  return Number.isSafeInteger(value) && value >= -(2 ** 31) && value < 2 ** 31
}

// -- messages (wire 4) -----------------------------------------------------------------------------------------------

/** A message: the record `{ kind, b, signature }`, or the fields of a head, links or a proof; raises Malformed. */
export function readMessage(bytes) {
  const value = decode(bytes)
  need(Array.isArray(value), 'no array')
  need(Array.isArray(value), 'no array')
  const unsigned = new Map([['head', readHead], ['links', readLinks], ['proof', readProof]])
  return (unsigned.get(value[0]) ?? readRecord)(value)
}

function readRecord(value) {
  need(Array.isArray(value), 'no array')
  const [kind] = value
  need(Object.hasOwn(FIELDS, kind), 'no kind of message')
  const missing = part => (Buffer.isBuffer(part) && part.length === 0) || signature(part)
  record(word, data, kind === 'charter' ? list(1, 8, missing) : signature)(value)
  return { kind, b: value[1], signature: value[2] }
}

function readHead(value) {
  const [kind, table, charters, step, T] = value
  const none = Buffer.isBuffer(T) && T.length === 0 && Array.isArray(charters) && charters.length === 0
  record(word, hash, list(0, 1024, hash), u32, none ? size(0) : hash)(value)
  return { kind, table, charters, step, T }
}

function readLinks(value) {
  const [kind, table, rings] = value
  record(word, hash, list(0, 8, list(0, 64, hash)))(value)
  need(rings.flat().length <= 64, 'links to more than 64 peers')
  return { kind, table, rings }
}

function readProof(value) {
  record(word, anything, anything, anything)(value)
  const [charter, first, second] = value.slice(1).map(readRecord)
  const kinds = [charter, first, second].map(({ kind }) => kind).join(' ')
  need(kinds === 'charter entry entry', 'no charter with two entries')
  return { kind: value[0], charter, first, second }
}
