// Forks and what proves them: messages (wire 4.4) and files (proof 1, 2).

import { H, verify } from './crypto.mjs'
import { BadLog, readRecords } from './log.mjs'
import { check, hex, read } from './table.mjs'

const MAGIC = Buffer.from('894f414b464f524b0d0a1a0a', 'hex')

/** Whose fork two entries under a charter prove, null if nobody's; `peers` has the key of each seat or null. */
export function forker({ id, peers }, first, second) {
  const [one, two] = [first, second].map(({ b }) => read('entry', b))
  const slot = ({ charter, step, author }) => `${hex(charter)} ${step} ${author}`
  if (slot(one) !== slot(two) || !one.charter.equals(id) || first.b.equals(second.b)) return null
  const key = peers[one.author] ?? null
  const signed = key && [first, second].every(({ b, signature }) => verify(key, 'entry', b, signature))
  return signed ? key : null
}

/** The keys that a file convicts; raises Refused or BadLog if it proves nothing. */
export function readProof(data) {
  if (!data.subarray(0, MAGIC.length).equals(MAGIC)) throw new BadLog('another beginning')
  const { records, fault } = readRecords(data, MAGIC.length)
  if (fault) throw new BadLog(fault.why)
  const kinds = records.map(({ kind }) => kind).join(' ')
  const good = (holds, why) => check(holds, 'proof', why)
  good(kinds === 'open charter entry entry' || kinds === 'open charter charter', 'other records than those of a fork')
  const [opening, ...rest] = records
  const { key } = read('open', opening.b)
  good(verify(key, 'open', opening.b, opening.signature), 'the opener did not sign') // 2.1
  const table = H('open', opening.b)
  const found = rest.length === 3 && rest[1].kind === 'entry' ? twoEntries(table, ...rest) : twoCharters(table, ...rest)
  good(found.length, 'nobody signed both')
  return found
}

function twoEntries(table, record, first, second) {
  const charter = signers(table, record)
  check(charter.signed.length === charter.keys.length, 'proof', 'a charter that not all have signed') // 2.2
  const peers = charter.seats.map(([who]) => charter.keys[who] ?? null)
  const key = forker({ id: charter.id, peers }, first, second)
  return key ? [key] : []
}

function twoCharters(table, first, second) {
  const [one, two] = [first, second].map(record => signers(table, record))
  check(one.number === two.number && !one.id.equals(two.id), 'proof', 'no two charters of one number') // 2.3
  return one.signed.filter(key => two.signed.some(other => other.equals(key)))
}

/** A charter of the table with the keys of its sits, and of those that have signed it (2.1). */
function signers(table, record) {
  const charter = read('charter', record.b)
  check(charter.table.equals(table), 'proof', 'a charter of another table')
  const keys = charter.sits.map(([b, signature]) => {
    const sit = read('sit', b)
    check(sit.table.equals(table) && verify(sit.key, 'sit', b, signature), 'proof', 'a sit that is not signed')
    return sit.key
  })
  check(record.signature.length === keys.length, 'proof', 'another number of signatures')
  const signed = keys.filter((key, i) => verify(key, 'charter', record.b, record.signature[i]))
  return { ...charter, keys, signed }
}
