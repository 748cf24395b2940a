// What a peer makes of the others without playing: the first charter of a lobby, and what somebody lacks (session).

import { encode } from './canonical.mjs'
import { hex, read } from './table.mjs'

/** The first charter for these sits, records in any order, and the key that proposes it (session 3.2). */
export function firstCharter(table, sits) {
  const known = sits.map(({ b, signature }) => ({ ...read('sit', b), b, signature }))
  known.sort((one, two) => Buffer.compare(one.key, two.key))
  const seats = known.flatMap(({ names }, i) => names.map(() => [i, 0]))
  const b = encode([table, 1, [], 1, [], known.map(sit => [sit.b, sit.signature]), seats])
  return { b, proposer: known[0].key }
}

/**
 * Where each record of a table stands: how many charters come before it, and its step; and T as each step under each
 * charter began. `after(n)` is the transcript after n records.
 */
function standing(records, after) {
  const heads = new Map()
  const places = records.map((record, i) => {
    if (i === 0) return null
    const before = after(i)
    const place = { charters: before.charters.length, step: before.step?.number ?? 0, charter: record.kind === 'charter' }
    if (before.charters.length && !heads.has(key(place))) heads.set(key(place), before.T)
    return place
  })
  return { places, heads }
}

const key = ({ charters, step }) => `${charters} ${step}`

/** The numbers of the records that somebody with this head lacks (session 5.1, 5.2). */
export function lacking(records, after, { charters: theirs, step, T }) {
  const now = after(records.length)
  const ours = now.charters.map(({ id }) => id)
  const { places, heads } = standing(records, after)
  const chosen = good => [...places.keys()].filter(i => places[i] && good(places[i], i))
  const other = ours.findIndex((id, i) => i < theirs.length && !id.equals(theirs[i]))
  if (other >= 0) return chosen(place => place.charter && place.charters >= other)
  const count = theirs.length
  if (count > ours.length || (count === ours.length && step > now.step.number)) return []
  const here = heads.get(key({ charters: count, step })) ?? now.T
  if (count === ours.length && hex(here) !== hex(T)) return chosen(place => place.charters === count)
  return chosen(place => place.charters > count || (place.charters === count && (place.charter || place.step >= step)))
}
