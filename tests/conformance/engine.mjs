// The engine (engine 1 to 5): a game as the rules ask and the seats answer, and the digest of where it stands.
//
// A game's `stage` is a generator. It yields a question `{ seat, about, options, weights }` and gets the answer, or it
// yields `{ together: [generator of seat 0, …] }` and gets the list of what they return (engine 2.6).

import { encode } from './canonical.mjs'
import { H, u32 } from './crypto.mjs'
import { isAnswer } from './wire.mjs'

export const CHANCE = -1

/** Ask a player. */
export function* choose(seat, about, options) {
  return yield { seat, about, options, weights: [] }
}

/** Draw a card of a deck, a list of layers (engine 3.4). */
export function* draw(deck, about = 'draw') {
  const [top] = deck
  const options = [...new Set(top)]
  const weights = options.map(option => top.filter(card => card === option).length)
  const card = yield { seat: CHANCE, about, options, weights }
  top.splice(top.indexOf(card), 1)
  if (!top.length) deck.shift()
  return card
}

const same = (a, b) => a === b || (isAnswer(a) && isAnswer(b) && encode(a).equals(encode(b)))

/** A rule at work: where it waits, and what it returned once it is done. */
class Running {
  constructor(generator) {
    this.generator = generator
    this.go(undefined)
  }

  go(answer) {
    for (;;) {
      const { done, value } = this.generator.next(answer)
      Object.assign(this, { done, result: done ? value : undefined, ask: null, seats: null })
      if (done) return
      if (value.together) {
        this.seats = value.together.map(generator => new Running(generator))
        this.fresh = !this.seats.every(seat => seat.done)
        if (this.fresh) return
        answer = this.seats.map(seat => seat.result)
      } else if (value.options.length === 1) {
        answer = value.options[0] // engine 2.3
      } else {
        this.ask = value
        return
      }
    }
  }
}

/** A game in play: `line` is the list of the stage's answers so far (engine 2.7). */
export class Game {
  constructor(rules, state) {
    this.rules = rules
    this.state = state
    this.stages = 0
    this.phases = 0
    this.#begin()
  }

  #begin() {
    this.line = []
    for (;;) {
      this.base = this.rules.copy(this.state)
      this.running = null
      if (this.rules.over(this.state)) return
      this.running = new Running(this.rules.stage(this.state))
      if (!this.running.done) break
      this.stages++
    }
    this.#enter()
  }

  #enter() {
    if (!this.running.fresh) return
    this.running.fresh = false
    this.phases++
    this.mark = this.line.length
  }

  /** The questions that wait (engine 2.5, 2.6). */
  get pending() {
    if (!this.running) return []
    if (this.running.ask) return [this.running.ask]
    const asks = this.running.seats.map(seat => seat.ask).filter(ask => ask)
    const players = asks.filter(ask => ask.seat !== CHANCE)
    return players.length ? players : asks.slice(0, 1)
  }

  /** Whether a simultaneous phase is on. */
  get together() {
    return Boolean(this.running?.seats)
  }

  /** The question that a seat, or chance, has now. */
  asked(seat) {
    return this.pending.find(ask => ask.seat === seat)
  }

  /** Take an answer; false, and nothing has changed, if it was not offered. */
  answer(seat, answer) {
    const ask = this.asked(seat)
    const option = ask?.options.find(each => same(each, answer))
    if (option === undefined) return false
    const { running } = this
    if (running.seats) {
      const after = this.line.findIndex(([other], index) => index >= this.mark && other > seat)
      this.line.splice(seat === CHANCE || after < 0 ? this.line.length : after, 0, [seat, option])
      if (seat === CHANCE) this.mark = this.line.length
      running.seats.find(each => each.ask === ask).go(option)
      if (running.seats.every(each => each.done)) running.go(running.seats.map(each => each.result))
    } else {
      this.line.push([seat, option])
      running.go(option)
    }
    if (running.done) {
      this.stages++
      this.#begin()
    } else {
      this.#enter()
    }
    return true
  }

  /** A game of its own at the same position (engine 4.5, 4.7). */
  clone() {
    const copy = new Game(this.rules, this.rules.copy(this.base))
    for (const [seat, option] of this.line) copy.answer(seat, option)
    return copy
  }

  /** The digest of the position (engine 5.3). */
  digest() {
    const asks = this.pending.map(ask => [ask.seat, ask.about, ask.options, ask.weights])
    return H('state', encode([this.rules.plain(this.base), this.line, asks]))
  }
}

/** The rules digest (engine 6.2); `box` is the list of the sections' lists of values. */
export function rulesDigest(name, version, box) {
  return H('rules', Buffer.from(name, 'ascii'), u32(version), encode(box))
}
