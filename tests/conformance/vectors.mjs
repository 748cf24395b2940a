// Check every test vector: node vectors.mjs FOLDER prints { checked: { file: number }, failed: [what] } as JSON.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual as equal } from 'node:util'
import { encode, Malformed } from './canonical.mjs'
import { ofInvite } from './certificates.mjs'
import { H, publicKey, Rng, secret, u32, verify } from './crypto.mjs'
import { rulesDigest } from './engine.mjs'
import { readFrames } from './frames.mjs'
import { readGames } from './games.mjs'
import { BadInvite, readInvite } from './invite.mjs'
import { BadLog, readHeader, readRecords } from './log.mjs'
import { forker, readProof } from './proof.mjs'
import { firstCharter, lacking } from './session.mjs'
import { Chain, hex, LINKS, readCharter, readSit, Refused, seedOf } from './table.mjs'
import { BadText, checkName, checkText } from './text.mjs'
import { verifyLog } from './verify.mjs'
import { Transcript } from './transcript.mjs'
import { readMessage, readSigned } from './wire.mjs'

const bin = text => Buffer.from(text, 'hex')

/** JSON with its long integers whole, which JSON.parse would round. */
function parse(text) {
  const marked = text.replace(/(?<=[[:,]\s*)-?\d{16,}(?=\s*[,\]}])/g, digits => `{"big": "${digits}"}`)
  return JSON.parse(marked, (_, value) => (typeof value?.big === 'string' ? BigInt(value.big) : value))
}

/** A value as the vectors write it: byte strings are `{"hex": …}`. */
function valueOf(json) {
  if (Array.isArray(json)) return json.map(valueOf)
  return typeof json?.hex === 'string' && Object.keys(json).length === 1 ? bin(json.hex) : json
}

/** Whether a check goes through, and not by one of these refusals. */
function passes(check, ...refusals) {
  try {
    return check() !== false
  } catch (error) {
    if (refusals.some(kind => error instanceof kind)) return false
    throw error
  }
}

const asExpected = (vector, good) => good === (vector.expect === 'accept')

// -- each section of a file: a function of one vector that says whether it holds -------------------------------------

const ENGINE = {
  'canonical 5.1': vector => {
    if (!vector.repeat) return encode(valueOf(vector.value)).toString('hex') === vector.bytes
    const [piece, often] = vector.repeat
    const text = typeof piece === 'string' ? piece.repeat(often) : null
    const bytes = encode(text ?? (piece.hex ? Buffer.alloc(often, bin(piece.hex)) : Array(often).fill(piece)))
    const head = bytes.subarray(0, vector.head.length / 2).toString('hex')
    return head === vector.head && bytes.length === vector.length && sha256(bytes) === vector.sha256
  },
  'refused 5.1': vector => !passes(() => encode(vector), Malformed),
  'H 5.2': vector => hex(H(vector.tag, ...vector.parts.map(bin))) === vector.hash,
  'rng 3.3': vector => {
    // each list is answered by one generator, one answer after the other
    const [words, below, orders, choices] = [0, 1, 2, 3].map(() => new Rng(bin(vector.seed)))
    return (
      vector.words.every(word => words.word() === BigInt(`0x${word}`)) &&
      vector.below.every(([n, answer]) => BigInt(below.below(n)) === BigInt(answer)) &&
      vector.shuffled.every(([n, order]) => equal(orders.order(n), order)) &&
      vector.weighted.every(([weights, answer]) => choices.weighted(weights) === answer)
    )
  },
  'state digest 5.3': vector => hex(H('state', encode(vector.plain))) === vector.digest,
  'rules digest 6.2': vector => hex(rulesDigest(vector.name, vector.version, vector.box)) === vector.digest,
}

const BEACON = {
  'chains (beacon 2)': vector => {
    const [seed, table, nonce] = [vector.seed, vector.table, vector.nonce].map(bin)
    const key = publicKey(seed)
    const links = [secret(seed, 'chain', Buffer.concat([table, nonce]))]
    for (let i = 1; i <= LINKS; i++) links.push(H('link', table, key, u32(i), links[i - 1]))
    return vector.links.every(([i, link]) => hex(links[i]) === link)
  },
  'shares (beacon 3)': (vector, { table }) => {
    const chain = new Chain(table, { key: bin(vector.key), tip: bin(vector.tip) })
    return asExpected(vector, chain.fits(vector.draw, bin(vector.share)))
  },
  'seeds (beacon 4, 5)': (vector, { table }) => {
    const seed = seedOf(table, vector.draw, new Map(vector.shares.map(([key, share]) => [key, bin(share)])))
    const words = new Rng(seed)
    return (
      hex(seed) === vector.seed &&
      vector.words.every(word => words.word() === BigInt(`0x${word}`)) &&
      equal(new Rng(seed).order(5), vector['order of 5']) &&
      new Rng(seed).weighted([3, 2, 2]) === vector['weighted 3 2 2']
    )
  },
}

const WIRE = {
  'identities (transport 1)': vector => {
    const seed = bin(vector.seed)
    const own = hex(publicKey(seed)) === vector.key
    return own && hex(secret(seed, 'salt', Buffer.of(0))) === vector['secret of salt, 00']
  },
  'signed (wire 3)': (vector, { keys }) => {
    const { kind, b, signature } = readMessage(bin(vector.record))
    const fields = readSigned(kind, b)
    const own = () => [fields.key]
    const signers = { charter: () => keys, entry: () => [keys[fields.author]] }
    const signatures = kind === 'charter' ? signature : [signature]
    return (
      kind === vector.kind &&
      hex(b) === vector.bytes &&
      encode(valueOf(vector.fields)).equals(b) &&
      hex(fields.id) === vector.id &&
      (signers[kind] ?? own)().every((key, i) => verify(key, kind, b, signatures[i]))
    )
  },
  'heads (wire 4.2)': vector => {
    const bytes = bin(vector.bytes)
    return readMessage(bytes).kind === 'head' && encode(valueOf(vector.fields)).equals(bytes)
  },
  hostile: vector => {
    const pieces = Array.isArray(vector.bytes) ? vector.bytes : [[vector.bytes, 1]]
    const bytes = Buffer.concat(pieces.map(([piece, often]) => Buffer.alloc((piece.length / 2) * often, bin(piece))))
    const kind = vector['read as']
    const read = () => (kind === 'message' ? readMessage(bytes) : readSigned(kind, bytes))
    return asExpected(vector, passes(() => Boolean(read()), Malformed))
  },
}

const TRANSCRIPT = {
  'header (transcript 8.1)': (text, { log }) => {
    const { start } = readHeader(log)
    return hex(log.subarray(0, start)) === text
  },
  'start (transcript 3.1)': (text, { after }) => hex(after(2).T) === text,
  'steps (transcript 3)': (vector, { after }) => {
    const before = after(vector.after)
    const { number, state } = before.step
    const ids = n => after(vector.after + n)
    const done = ids(vector.ids.length)
    const authors = [...done.slots.values()].map(hex)
    return (
      number === vector.step &&
      hex(state) === vector.state &&
      hex(before.T) === vector.T &&
      vector.ids.every(id => authors.includes(id)) &&
      (hex(done.T) === vector['T after'] || done.over)
    )
  },
  'places (transcript 3.3)': (places, { after }) => equal(after(4).position.places, places),
  'seals (transcript 4.3)': (seals, { after }) => {
    const { step } = after(6)
    return equal([...step.seals.values()].map(entry => hex(entry.body[0])), seals)
  },
  'result (transcript 7)': (result, { log, rulesOf }) => {
    const found = verifyLog(log, rulesOf).transcript.result()
    return Object.keys(result).every(name => equal(found[name], result[name]))
  },
  'log (transcript 8)': (text, { log }) => hex(log) === text,
  'refused (transcript 6)': (vector, { after }) => {
    const before = after(vector.after)
    try {
      before.take(readMessage(bin(vector.record)))
    } catch (error) {
      if (error instanceof Refused) return error.reason === vector.reason
      throw error
    }
    return false
  },
}

const SESSION = {
  records: (records, { three }) => equal(records, three.records.map(record => hex(record.bytes))),
  'first charters (session 3.2)': (vector, { three }) => {
    const made = firstCharter(three.table, vector.sits.map(sit => readMessage(bin(sit))))
    const same = hex(three.table) === vector.table && hex(made.b) === vector.charter
    return same && hex(made.proposer) === vector['proposed by']
  },
  'sits (transcript 1.3)': (vector, { three }) => {
    const { b, signature } = readMessage(bin(vector.record))
    return asExpected(vector, passes(() => Boolean(readSit(b, signature, three.after(1).opening)), Refused))
  },
  'later charters (transcript 2)': (vector, { three }) => {
    const now = three.after(vector.after)
    const good = passes(() => now.takeCharter(readMessage(bin(vector.record))) ?? true, Refused)
    if (!good) return vector.expect === 'reject'
    const due = [...now.step.due].sort()
    return vector.expect === 'accept' && hex(now.T) === vector.T && now.step.number === vector.step && equal(due, vector.due)
  },
  'heads (session 5)': (vector, { three }) =>
    equal(lacking(three.records, three.after, readMessage(bin(vector.head))), vector.sent),
  'proofs (wire 4.4)': (vector, { three }) => {
    const { charter, first, second } = readMessage(bin(vector.bytes))
    const { opening, charters, sat } = three.after(4)
    const key = forker(readCharter(charter, opening, charters[0], sat), first, second)
    return equal(key ? [hex(key)] : [], vector.convicts)
  },
}

const PROOF = {
  'files (proof 1, 2)': vector => {
    let found = []
    const good = passes(() => Boolean((found = readProof(bin(vector.bytes)))), Refused, BadLog, Malformed)
    return asExpected(vector, good) && equal(found.map(hex), vector.convicts)
  },
}

const text = vector => {
  const points = vector.points.split(' ').filter(Boolean)
  const whole = String.fromCodePoint(...points.map(point => parseInt(point, 16)))
  const check = () => (vector.as === 'name' ? checkName(whole) : checkText(whole, { lines: vector.as === 'lines' }))
  return asExpected(vector, passes(check, BadText))
}
const frames = vector => {
  const found = readFrames(bin(vector.bytes), vector.limit)
  return vector.expect === 'accept' ? equal(found?.map(hex), vector.frames) : found === null
}
const tls = vector => {
  const made = ofInvite(bin(vector.secret), bin(vector.key))
  return made.name === vector.name && hex(made.authority) === vector.authority && hex(made.leaf) === vector.leaf
}
const invite = vector => {
  let read
  if (!passes(() => Boolean((read = readInvite(vector.text))), BadInvite)) return vector.expect === 'refuse'
  const hash = H('key', bin(vector.key)).subarray(0, 16)
  const same = hex(read.secret) === vector.secret && read.keyHash.equals(hash)
  return vector.expect === 'accept' && same && equal(read.addresses, vector.addresses)
}

const FILES = {
  engine: ENGINE,
  beacon: BEACON,
  wire: WIRE,
  transcript: TRANSCRIPT,
  session: SESSION,
  proof: PROOF,
  text,
  frames,
  tls,
  invite,
}

// Sections that are one vector, and not a list of them.
const WHOLE = ['places (transcript 3.3)', 'seals (transcript 4.3)', 'records']

/** What a table is after so many of its records. */
function replaying(records, rulesOf) {
  return n => {
    const made = new Transcript(records[0], rulesOf)
    for (const record of records.slice(1, n)) record.kind === 'charter' ? made.takeCharter(record) : made.take(record)
    return made
  }
}

/** The table of three that the vectors of sessions speak of. */
function tableOfThree(session) {
  const records = session.records.map(text => ({ ...readMessage(bin(text)), bytes: bin(text) }))
  const after = replaying(records, readGames())
  return { records, after, table: after(1).table }
}

/** The table of Market that the vectors come from: its log, and its transcript after so many records. */
function tableOf(transcript) {
  const log = bin(transcript['log (transcript 8)'])
  const rulesOf = readGames()
  const { start } = readHeader(log)
  const { records } = readRecords(log, start)
  const after = replaying(records, rulesOf)
  const { table, charter } = after(2)
  return { log, rulesOf, after, table, keys: charter.sits.map(sit => sit.key) }
}

function sha256(bytes) {
  return hex(createHash('sha256').update(bytes).digest())
}

const folder = process.argv[2]
const read = name => parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const table = { ...tableOf(read('transcript')), three: tableOfThree(read('session')) }
const checked = {}
const failed = []
for (const [name, checks] of Object.entries(FILES)) {
  const content = read(name)
  checked[name] = 0
  const sections = typeof checks === 'function' ? { '': content } : content
  for (const [section, part] of Object.entries(sections)) {
    const check = typeof checks === 'function' ? checks : checks[section]
    const vectors = Array.isArray(part) && !WHOLE.includes(section) ? part : [part]
    vectors.forEach((vector, i) => {
      checked[name]++
      if (!check(vector, table)) failed.push(`${name} ${section} ${vector?.id ?? vector?.comment ?? i}`)
    })
  }
}
console.log(JSON.stringify({ checked, failed }))
process.exitCode = failed.length ? 1 : 0
