// A table whose rules are not written in JavaScript: everything is checked but the rules.
//
// What a step waits for follows from its first entry. Not checked: whether a move is legal and ends where it must, what
// chance answers, state digests beyond that all entries of a step name the same one, and the scores beyond that all
// results say the same. How far a log goes that ends inside a step of seals or with a resignation is not known either.

import { Transcript } from './transcript.mjs'
import { isAnswer } from './wire.mjs'

export const UNCHECKED = ['moves', 'chance', 'digests', 'scores']

class OpaquePosition {
  constructor(opening) {
    this.seats = opening.seats
    this.places = null
    this.state = null // the digest that the entries of the step name
    this.confirmed = null // the scores that the results name
  }

  digest() {
    return this.state
  }

  draw(rng) {
    this.places ??= rng.order(this.seats)
  }

  next(played, tooFew) {
    return tooFew ? { kind: 'result' } : { kind: 'unknown', seats: [] }
  }

  moved(author, answers, played, leads) {
    return answers.every(answer => isAnswer(answer)) ? { position: this, leads } : null
  }

  sealed(author, answers) {
    return answers.every(answer => isAnswer(answer))
  }

  open() {}

  scores() {
    return this.confirmed
  }

  confirms(how, scores, tooFew) {
    this.confirmed ??= scores
    const same = scores.length === this.confirmed.length && scores.every((score, i) => score === this.confirmed[i])
    const numbers = scores.length >= this.seats && scores.every(Number.isSafeInteger)
    return same && numbers && (how === 0 || (how === 1 && tooFew))
  }

  ended(tooFew, playedSeats) {
    return tooFew ? { how: 'resigned', winner: playedSeats } : { how: 'finished', winner: null }
  }
}

export class OpaqueTranscript extends Transcript {
  begin() {
    return new OpaquePosition(this.opening)
  }

  begins(number, kind, owed, more = {}) {
    this.position.state = null
    super.begins(number, kind, owed, { begun: this.contributors, ...more })
  }

  /** The first entry of a step tells what the step is; seals and resignations go on until the next step begins. */
  arrives(entry) {
    this.reaches(entry.step)
    const { step } = this
    if (entry.step !== step.number) return
    if (step.kind === 'unknown') this.#become(entry)
    if (step.growing && ['seal', 'resign'].includes(entry.kind)) step.due.add(entry.author)
    step.state ??= entry.state
    this.position.state ??= entry.state
  }

  #become(entry) {
    const { step } = this
    const seats = { move: () => [entry.author], result: () => this.contributors.map(key => this.lowest(key)) }
    const owed = seats[entry.kind]?.() ?? [...new Set([...step.begun, ...this.contributors])]
    if (['seal', 'resign'].includes(entry.kind)) Object.assign(step, { kind: 'seal', growing: true })
    else Object.assign(step, { kind: entry.kind, owed, shares: new Map() })
    if (!step.growing) step.due = this.stillDue(step)
    if (step.kind === 'result') this.final = this.T
  }

  reaches(step) {
    if (step !== this.step.number + 1) return
    if (this.step.growing) this.#close()
    else if (this.#drawn) {
      this.step.due.clear()
      this.advance()
    }
  }

  /** Whether all have given a share who played as the step began; who came since may owe none (transcript 2.6). */
  get #drawn() {
    const { kind, begun, shares } = this.step
    return kind === 'share' && shares.size > 0 && begun.every(key => shares.has(key))
  }

  end() {
    if (!this.#drawn) super.end()
  }

  /** A seal step has several authors; one resignation alone stands where a move was due. */
  #close() {
    const { step } = this
    const alone = step.entries.size === 1 && [...step.entries.values()][0].entry.kind === 'resign'
    Object.assign(step, { growing: false, kind: alone ? 'move' : 'seal' })
    this.advance()
  }

  advance() {
    if (!this.step.growing && this.step.kind !== 'unknown') super.advance()
  }
}
