// Openings, sits and charters (transcript 1 and 2): who sits where, checked before anything is played.

import { Malformed } from './canonical.mjs'
import { H, u32, verify } from './crypto.mjs'
import { readSigned } from './wire.mjs'

export const LINKS = 4096 // beacon 2.1

/** A record that is refused, with its reason (transcript 6.2). */
export class Refused extends Error {
  constructor(reason, why) {
    super(why)
    this.reason = reason
  }
}

export function check(good, reason, why) {
  if (!good) throw new Refused(reason, why)
}

/** The fields of signed bytes; what is no message of this protocol is malformed. */
export function read(kind, b) {
  try {
    return readSigned(kind, b)
  } catch (error) {
    if (error instanceof Malformed) throw new Refused('malformed', error.message)
    throw error
  }
}

/** The opening of a table and its rules, null for a game that is known by its bytes alone (transcript 1.1). */
export function readOpening(record, rulesOf) {
  check(record.kind === 'open', 'charter', 'the log does not begin with an opening')
  const open = read('open', record.b)
  check(open.version === 1, 'rules', `protocol version ${open.version}`)
  check(verify(open.key, 'open', record.b, record.signature), 'signature', 'the opener did not sign')
  const rules = rulesOf(open.game)
  check(rules.digest === null || rules.digest.equals(open.rules), 'rules', 'other rules or printed numbers')
  if (rules.seats) {
    const { fewest, most } = rules.seats
    check(open.seats >= fewest && open.seats <= most, 'charter', 'a number of seats that the game has not')
  }
  if (rules.options) {
    const names = Object.keys(rules.options).sort()
    const named = open.options.map(([name]) => name)
    check(names.length === named.length && names.every((name, i) => name === named[i]), 'charter', 'other options')
    for (const [name, value] of open.options) {
      check(rules.options[name].includes(value), 'charter', 'a value that its option has not')
    }
  }
  return { ...open, rules, table: open.id, digest: open.rules }
}

/** A sit: its form, its table, its signature, and how many seats it takes (transcript 1.3). */
export function readSit(b, signature, opening) {
  const sit = read('sit', b)
  check(sit.table.equals(opening.table), 'elsewhere', 'a sit at another table')
  check(verify(sit.key, 'sit', b, signature), 'signature', 'a sit that its player did not sign')
  check(sit.names.length <= opening.seats, 'charter', 'a sit that takes too many seats')
  return sit
}

/** A charter by itself (transcript 2.1, 2.2); `before` is the charter that counts, `sat` the sits known by key. */
export function readCharter(record, opening, before, sat) {
  const charter = read('charter', record.b)
  check(charter.table.equals(opening.table), 'elsewhere', 'a charter of another table')
  check(charter.number > (before?.number ?? 0), 'charter', 'a charter number that cannot follow')
  const sits = charter.sits.map(([b, signature]) => readSit(b, signature, opening))
  sits.forEach((sit, i) => {
    check(i === 0 || Buffer.compare(sits[i - 1].key, sit.key) < 0, 'charter', 'sits out of order')
    const known = sat.get(hex(sit.key))
    check(!known || known.id.equals(sit.id), 'charter', 'a second sit of one player')
  })
  check(charter.seats.length === opening.seats, 'charter', 'another number of seats')
  for (const [who, why] of charter.seats) {
    const good = who === 255 ? why >= 1 && why <= 4 : who < sits.length && why === 0
    check(good, 'charter', 'a seat of somebody who does not sit')
  }
  sits.forEach((_, i) => check(charter.seats.some(([who]) => who === i), 'charter', 'a sit without a seat'))
  check(record.signature.length === sits.length, 'charter', 'another number of signatures')
  sits.forEach((sit, i) => {
    const signed = verify(sit.key, 'charter', record.b, record.signature[i])
    check(signed, 'signature', 'a signature of the charter is missing')
  })
  const peers = charter.seats.map(([who]) => (who === 255 ? null : sits[who].key))
  return { ...charter, sits, peers, reasons: charter.seats.map(([, why]) => why) }
}

/** What the first charter must be besides (transcript 2.3). */
export function checkFirst(charter) {
  const seats = charter.sits.flatMap((sit, i) => sit.names.map(() => i))
  const good =
    charter.parent.length === 0 &&
    charter.draw === 1 &&
    charter.given.length === 0 &&
    seats.length === charter.seats.length &&
    seats.every((who, seat) => charter.seats[seat][0] === who && charter.reasons[seat] === 0)
  check(good, 'charter', 'a first charter that does not seat everybody in order')
}

export const hex = bytes => bytes.toString('hex')

/** The last known link of a peer's chain (beacon 2 and 3): at first its tip. */
export class Chain {
  constructor(table, sit) {
    Object.assign(this, { table, key: sit.key, index: LINKS, link: sit.tip })
  }

  /** Whether this is the share of draw r (beacon 3.2). */
  fits(r, share) {
    if (!Buffer.isBuffer(share) || share.length !== 32) return false
    if (r < 1 || r > LINKS || LINKS - r >= this.index) return false
    let link = share
    for (let i = LINKS - r + 1; i <= this.index; i++) link = H('link', this.table, this.key, u32(i), link)
    return link.equals(this.link)
  }

  use(r, share) {
    Object.assign(this, { index: LINKS - r, link: share })
  }
}

/** The seed of a draw (beacon 4.2); `shares` by key in hexadecimal. */
export function seedOf(table, r, shares) {
  const keys = [...shares.keys()].sort()
  return H('seed', table, u32(r), ...keys.map(key => shares.get(key)))
}
