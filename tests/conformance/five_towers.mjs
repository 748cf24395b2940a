// 5 Towers from specs/five_towers.md; the printed numbers come from a file (see numbers.mjs).

import { choose, draw } from './engine.mjs'
import { bestAnswer } from './five_towers_stand_in.mjs'

const WIDTH = 16 // a card is type × 16 + value (8.1)
export const kindOf = card => Math.floor(card / WIDTH)
export const valueOf = card => card % WIDTH

const PASS = -1
const ascending = (a, b) => a - b
const without = (list, item) => list.toSpliced(list.indexOf(item), 1)
export const topOf = tower => tower.at(-1) ?? null

export class FiveTowers {
  name = 'five_towers'
  version = 1
  options = {}

  /** `box` has the sections deck, auction, building and scoring, each with its values by name. */
  constructor(box) {
    Object.assign(this, { box, ...box })
    this.types = box.deck.types
    const [fewest, most] = box.deck.players
    this.seats = { fewest, most }
  }

  // -- the state (9.2) -----------------------------------------------------------------------------------------------

  setup(seats) {
    const { deck } = this
    const values = [...deck.values, ...(seats >= deck.extra_from_players ? deck.extra_values : [])]
    const cards = this.types.flatMap((_, kind) => values.map(value => kind * WIDTH + value)).sort(ascending)
    const players = Array.from({ length: seats }, () => ({ towers: this.types.map(() => []), tornDown: [] }))
    const layers = cards.length ? [cards] : []
    const bare = { display: [], discards: [], phase: 'reveal', startPlayer: 0, timesThrough: 1, bids: [], owed: 0 }
    return { players, deck: layers, ...bare }
  }

  copy(s) {
    const players = s.players.map(({ towers, tornDown }) => ({ towers: [...towers], tornDown: [...tornDown] }))
    const deck = s.deck.map(layer => [...layer])
    return { ...s, players, deck, display: [...s.display], discards: [...s.discards], bids: [...s.bids] }
  }

  plain(s) {
    const players = s.players.map(player => [player.towers, player.tornDown])
    return [players, s.deck, s.display, s.discards, s.phase, s.startPlayer, s.timesThrough, s.bids, s.owed]
  }

  // -- a round (2) ---------------------------------------------------------------------------------------------------

  *stage(s) {
    if (s.phase === 'reveal') yield* this.reveal(s)
    else if (s.phase === 'auction') yield* this.bid(s)
    else yield* this.build(s)
  }

  over(s) {
    return s.phase === 'reveal' && s.deck.length === 0 // 6.4
  }

  *reveal(s) {
    for (let i = 0; i < this.auction.display && s.deck.length; i++) s.display.push(yield* draw(s.deck, 'reveal')) // 2.2
    s.display.sort(ascending)
    s.phase = 'auction'
  }

  // -- the auction (3) -----------------------------------------------------------------------------------------------

  *bid(s) {
    const seat = (s.startPlayer + s.bids.length) % s.players.length // 3.1
    const unbeatable = Math.min(this.auction.highest_bid, s.display.length) // 3.5
    const lowest = Math.max(this.auction.lowest_bid, Math.max(PASS, ...s.bids) + 1) // 3.2, 3.3
    const most = Math.min(unbeatable, this.buildable(s, seat)) // 3.4
    const numbers = Array.from({ length: Math.max(0, most - lowest + 1) }, (_, i) => lowest + i)
    const choice = yield* choose(seat, 'bid', ['pass', ...numbers])
    s.bids.push(choice === 'pass' ? PASS : choice)
    const highest = Math.max(...s.bids)
    if (s.bids.length < s.players.length && highest < unbeatable) return
    if (highest > 0) Object.assign(s, { owed: highest, phase: 'build' }) // 3.6
    else this.tidyUp(s) // 3.7
  }

  buildable(s, seat) {
    const { towers } = s.players[seat]
    const ways = [towers, ...this.lowerable(towers).map(kind => this.lowered(towers, kind))]
    return Math.max(...ways.map(way => this.room(way, s.display)))
  }

  // -- building and tearing down (4, 5) ------------------------------------------------------------------------------

  /** Whether a card may be laid on a top card, null for a tower that does not stand (4.3 to 4.6). */
  fits(top, value) {
    const { takes_any: takesAny, goes_on_any: goesOnAny, tops } = this.building
    if (top === null) return true
    return top !== tops && (top === takesAny || value === goesOnAny || value < top)
  }

  /** The most of these values that can be laid on a top card one after the other. */
  longest(top, values) {
    const laid = (value, i) => 1 + this.longest(value, values.toSpliced(i, 1))
    const after = values.map((value, i) => (this.fits(top, value) ? laid(value, i) : 0))
    return Math.max(0, ...after)
  }

  /** The most cards of a display that can be laid on these towers. */
  room(towers, display) {
    const of = kind => display.filter(card => kindOf(card) === kind).map(valueOf)
    return towers.reduce((sum, tower, kind) => sum + this.longest(topOf(tower), of(kind)), 0)
  }

  /** The types whose top card may be torn down (5.1, 5.3). */
  lowerable(towers) {
    return this.types.map((_, kind) => kind).filter(kind => ![null, this.building.tops].includes(topOf(towers[kind])))
  }

  lowered(towers, kind) {
    return towers.with(kind, towers[kind].slice(0, -1))
  }

  raised(towers, card) {
    return towers.with(kindOf(card), [...towers[kindOf(card)], valueOf(card)])
  }

  *build(s) {
    const seat = (s.startPlayer + s.bids.indexOf(Math.max(...s.bids))) % s.players.length
    const player = s.players[seat]
    yield* this.tearDown(s, seat, player)
    for (; s.owed; s.owed--) yield* this.lay(s, seat, player)
    this.tidyUp(s)
  }

  *tearDown(s, seat, player) {
    const leaves = towers => this.room(towers, s.display) >= s.owed // 4.7
    const may = this.lowerable(player.towers).filter(kind => leaves(this.lowered(player.towers, kind)))
    const options = [...(leaves(player.towers) ? ['none'] : []), ...may.map(kind => this.types[kind])]
    const choice = yield* choose(seat, 'tear down', options)
    if (choice === 'none') return
    const kind = this.types.indexOf(choice)
    player.tornDown.push(kind * WIDTH + topOf(player.towers[kind]))
    player.tornDown.sort(ascending)
    player.towers = this.lowered(player.towers, kind)
  }

  *lay(s, seat, player) {
    const { towers } = player
    const may = card =>
      this.fits(topOf(towers[kindOf(card)]), valueOf(card)) &&
      this.room(this.raised(towers, card), without(s.display, card)) >= s.owed - 1 // 4.7
    const cards = [...new Set(s.display)].filter(may)
    const [name, value] = yield* choose(seat, 'card', cards.map(card => [this.types[kindOf(card)], valueOf(card)]))
    const card = this.types.indexOf(name) * WIDTH + value
    s.display = without(s.display, card)
    player.towers = this.raised(towers, card)
  }

  // -- tidying up, points (6, 7) -------------------------------------------------------------------------------------

  tidyUp(s) {
    s.discards = [...s.discards, ...s.display].sort(ascending) // 6.1
    Object.assign(s, { display: [], bids: [], phase: 'reveal' })
    s.startPlayer = (s.startPlayer + 1) % s.players.length // 6.2
    if (s.deck.length || s.timesThrough >= this.deck.times_through) return
    s.timesThrough++ // 6.3
    if (s.discards.length) s.deck.push(s.discards)
    s.discards = []
  }

  /** The points lost with so many cards torn down (7.4). */
  lost(cards) {
    return this.scoring.torn_down[cards] ?? (cards * (cards + 1)) / 2
  }

  score(s) {
    const { card, card_in_topped_tower: topped, card_in_highest_tower: highest } = this.scoring
    return s.players.map(({ towers, tornDown }) => {
      const each = towers.map(tower => tower.length * (topOf(tower) === this.building.tops ? topped : card))
      const height = Math.max(...towers.map(tower => tower.length))
      return each.reduce((sum, points) => sum + points) + highest * height - this.lost(tornDown.length)
    })
  }

  winners(s) {
    const scores = this.score(s)
    return [...scores.keys()].filter(seat => scores[seat] === Math.max(...scores))
  }

  /** The answer of a stand-in (8.4). */
  standIn(game, seat) {
    return bestAnswer(this, game.state, game.asked(seat))
  }
}
