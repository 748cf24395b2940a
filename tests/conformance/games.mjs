// The games that are known here: 5 Towers by its rules, others by their bytes alone.

import { readFileSync } from 'node:fs'
import { rulesDigest } from './engine.mjs'
import { FiveTowers } from './five_towers.mjs'
import { Market } from './market.mjs'

const WRITTEN = { five_towers: FiveTowers, market: Market }
const OWN = new URL('games.json', import.meta.url)

/**
 * The rules by name: from games.json, and any other game by its bytes alone; or from a given file, and no others.
 *
 * A file is `{ game: facts }`. The facts of a game whose rules are written here are its printed numbers, `{ box: {
 * section: { name: value } } }` in the game's order (engine 6.2). Those of another are `{ rules, seats, options }`: the
 * rules digest in hexadecimal, [fewest, most], and the values of each table option.
 */
export function readGames(path) {
  const games = new Map()
  for (const [name, facts] of Object.entries(JSON.parse(readFileSync(path ?? OWN, 'utf8')))) {
    games.set(name, facts.box ? written(name, facts.box) : byBytes(facts))
  }
  return name => games.get(name) ?? (path === undefined ? { opaque: true, digest: null } : undefined)
}

function written(name, box) {
  const rules = new WRITTEN[name](box)
  const values = Object.values(box).map(section => Object.values(section))
  rules.digest = rulesDigest(name, rules.version, values)
  return rules
}

function byBytes({ rules, seats: [fewest, most], options }) {
  return { opaque: true, digest: Buffer.from(rules, 'hex'), seats: { fewest, most }, options }
}
