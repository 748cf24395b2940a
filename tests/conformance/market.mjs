// Market, the toy game of the test vectors: several seats bid at once, and draw inside of that phase.

import { choose, draw } from './engine.mjs'

export class Market {
  name = 'market'
  version = 1
  options = { pace: ['slow', 'fast'] }
  seats = { fewest: 2, most: 4 }

  constructor(box) {
    this.box = box
  }

  setup(seats, options) {
    const { cards, rounds } = this.box.market
    const deck = cards.flatMap((often, kind) => Array(often).fill(kind))
    const traders = Array.from({ length: seats }, () => ({ deck: [[...deck]], points: 0, bids: [] }))
    return { traders, round: options.pace === 'fast' ? Math.floor(rounds / 2) : 0 }
  }

  copy(s) {
    return structuredClone(s)
  }

  plain(s) {
    return [s.traders.map(({ deck, points, bids }) => [deck, points, bids]), s.round]
  }

  *stage(s) {
    const bids = yield { together: s.traders.map((me, seat) => this.bid(me, seat)) }
    const low = bids.indexOf(Math.min(...bids))
    s.traders[low].points += yield* choose(low, 'tip', [0, 1, 2])
    s.round++
  }

  *bid(me, seat) {
    const bid = yield* choose(seat, 'bid', [0, 1, 2])
    me.bids.push(bid)
    if (!bid || !me.deck.length) return bid
    const card = yield* draw(me.deck)
    if ((yield* choose(seat, 'keep', ['yes', 'no'])) === 'yes') me.points += card
    me.deck.push([card])
    return bid
  }

  over(s) {
    return s.round >= this.box.market.rounds
  }

  score(s) {
    return s.traders.map(trader => trader.points)
  }

  winners(s) {
    const scores = this.score(s)
    return [...scores.keys()].filter(seat => scores[seat] === Math.max(...scores))
  }

  standIn(game, seat) {
    return game.asked(seat).options[0]
  }
}
