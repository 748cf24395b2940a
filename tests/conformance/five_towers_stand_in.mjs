// The stand-in of 5 Towers (five towers 8.4 to 8.8). Worth is counted in hundredths of a point.

import { kindOf, topOf, valueOf } from './five_towers.mjs'

const POINT = 100
const GROWTH = 70
const TOPPING = 40
const OUTBID = 40

/** The first of the options that are worth most to the seat that is asked. */
export function bestAnswer(rules, s, ask) {
  const player = s.players[ask.seat]
  const outlook = new Outlook(rules, s, player)
  const worth = {
    bid: option => outlook.bid(option === 'pass' ? 0 : option),
    'tear down': option => outlook.tearDown(option),
    card: ([name, value]) => outlook.lay(name, value),
  }[ask.about]
  const worths = ask.options.map(worth)
  return ask.options[worths.indexOf(Math.max(...worths))]
}

class Outlook {
  constructor(rules, s, player) {
    Object.assign(this, { rules, s, player })
    // 8.5: what can still come is in the deck, and the first time through in the discards too
    const again = s.timesThrough < rules.deck.times_through ? s.discards : []
    this.coming = [...s.deck.flat(), ...again]
  }

  /** 8.7: of a bid, and of a pass like a bid of 0. */
  bid(number) {
    const { rules, s } = this
    const { towers } = this.player
    if (number === 0) return this.best(towers, s.display, 0)[0]
    const shown = rules.lowerable(towers).filter(kind => s.display.some(card => kindOf(card) === kind))
    const ways = shown.map(kind => this.best(rules.lowered(towers, kind), s.display, 1))
    const worths = [this.best(towers, s.display, 0), ...ways].map(way => way[number] ?? -Infinity)
    const contested = s.bids.length + 1 < s.players.length
    return Math.max(...worths) + (contested ? OUTBID * number : 0)
  }

  /** 8.8 */
  tearDown(option) {
    const { rules, s } = this
    const { towers } = this.player
    if (option === 'none') return this.best(towers, s.display, 0)[s.owed]
    return this.best(rules.lowered(towers, rules.types.indexOf(option)), s.display, 1)[s.owed]
  }

  /** 8.8 */
  lay(name, value) {
    const { rules, s } = this
    const card = s.display.find(each => kindOf(each) === rules.types.indexOf(name) && valueOf(each) === value)
    const rest = s.display.toSpliced(s.display.indexOf(card), 1)
    return this.best(rules.raised(this.player.towers, card), rest, 0)[s.owed - 1]
  }

  /** 8.6: the most that the towers can be worth with 0, 1, 2 … cards of a display laid, `torn` more torn down. */
  best(towers, display, torn) {
    const { scoring } = this.rules
    const lost = this.rules.lost(this.player.tornDown.length + torn) * POINT
    let ways = [{ laid: 0, highest: 0, worth: -lost }]
    towers.forEach((tower, kind) => {
      const values = display.filter(card => kindOf(card) === kind).map(valueOf)
      const grown = this.grown(kind, tower.length, topOf(tower), values)
      ways = ways.flatMap(way =>
        grown.map((worth, count) => ({
          laid: way.laid + count,
          highest: Math.max(way.highest, tower.length + count),
          worth: way.worth + worth,
        })),
      )
    })
    const found = []
    for (const { laid, highest, worth } of ways) {
      found[laid] = Math.max(found[laid] ?? -Infinity, worth + POINT * scoring.card_in_highest_tower * highest)
    }
    return found
  }

  /** The most one tower can be worth with 0, 1, 2 … of these values laid on it, as far as that goes. */
  grown(kind, height, top, values) {
    const found = [this.worth(kind, height, top)]
    values.forEach((value, i) => {
      if (!this.rules.fits(top, value)) return
      this.grown(kind, height + 1, value, values.toSpliced(i, 1)).forEach((worth, count) => {
        found[count + 1] = Math.max(found[count + 1] ?? -Infinity, worth)
      })
    })
    return found
  }

  /** 8.5: one tower. */
  worth(kind, height, top) {
    const { building, scoring } = this.rules
    if (top === building.tops) return POINT * scoring.card_in_topped_tower * height
    const fitting = this.coming.filter(card => kindOf(card) === kind && this.rules.fits(top, valueOf(card)))
    const topping = fitting.some(card => valueOf(card) === building.tops) ? 1 : 0
    return POINT * scoring.card * height + GROWTH * fitting.length + TOPPING * height * topping
  }
}
