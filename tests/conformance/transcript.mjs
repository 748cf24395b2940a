// The transcript (transcript 2.4 to 7): steps, what they wait for, entries, later charters, and the result.

import { encode } from './canonical.mjs'
import { H, Rng, u32, verify } from './crypto.mjs'
import { Position } from './position.mjs'
import { Chain, check, checkFirst, hex, LINKS, read, readCharter, readOpening, seedOf } from './table.mjs'

// The kinds of entries that a kind of step takes (4.1, 4.7).
const MAY = {
  share: ['share'],
  move: ['move', 'resign'],
  seal: ['seal', 'resign'],
  open: ['move'],
  result: ['result'],
}

// Why a seat is left out, and how a table has ended that had such a seat at its end: the gravest first (session 7.6).
const LEFT_OUT = [
  [4, 'cheated'],
  [2, 'timed-out'],
  [1, 'absent'],
]

const least = authors => Math.min(...authors)

export class Transcript {
  constructor(record, rulesOf) {
    this.opening = readOpening(record, rulesOf)
    this.table = this.opening.table
    this.charters = []
    this.sat = new Map() // by key: the sit
    this.chains = new Map() // by key: the last known link
    this.resigned = new Set() // charter seats
    this.slots = new Map() // charter, step, author: the id of the entry that shut it
    this.nextDraw = 1
    this.position = this.begin()
    this.step = null
  }

  /** The game at its beginning. */
  begin() {
    return Position.begin(this.opening)
  }

  // -- who plays -----------------------------------------------------------------------------------------------------

  get charter() {
    return this.charters.at(-1)
  }

  played(seat) {
    return this.charter.peers[seat] !== null && !this.resigned.has(seat)
  }

  get playedSeats() {
    return this.charter.peers.map((_, seat) => seat).filter(seat => this.played(seat))
  }

  get tooFew() {
    return this.playedSeats.length < Math.min(2, this.opening.seats) // 7.1
  }

  /** The keys of the peers that have a played seat (4.1). */
  get contributors() {
    return [...new Set(this.playedSeats.map(seat => this.keyOf(seat)))]
  }

  /** The lowest charter seat of a peer, -1 if it has none (5.1). */
  lowest(key) {
    return this.charter.peers.findIndex(peer => peer !== null && hex(peer) === key)
  }

  /** The seats that the pending step waits for now (2.6). */
  stillDue({ kind, owed, entries, shares }) {
    if (kind !== 'share') return new Set(owed.filter(seat => this.charter.peers[seat] !== null && !entries.has(seat)))
    const seats = owed.filter(key => !shares.has(key)).map(key => this.lowest(key))
    return new Set(seats.filter(seat => seat >= 0))
  }

  keyOf(seat) {
    return hex(this.charter.peers[seat])
  }

  // -- charters (2) --------------------------------------------------------------------------------------------------

  takeCharter(record) {
    const charter = readCharter(record, this.opening, this.charter, this.sat)
    if (this.charters.length) this.#checkLater(charter)
    else checkFirst(charter)
    for (const sit of charter.sits.filter(({ key }) => !this.sat.has(hex(key)))) {
      this.sat.set(hex(sit.key), sit)
      this.chains.set(hex(sit.key), new Chain(this.table, sit))
    }
    const first = this.charters.length === 0
    this.charters.push(charter)
    this.T = H('start', charter.id)
    if (first) this.#next(0, new Map())
    else this.goOn(charter)
  }

  #checkLater(charter) {
    const bad = (good, why) => check(good, 'charter', why)
    bad(!this.over, 'a charter after the end')
    const [id, step, T] = charter.parent
    this.reaches(step)
    const follows = id?.equals(this.charter.id) && step === this.step.number && T.equals(this.T)
    bad(follows, 'a charter that goes on from elsewhere')
    const ids = this.#entryIds()
    const given = charter.given.length === ids.length && ids.every((each, i) => each.equals(charter.given[i]))
    bad(given, 'a charter that gives other entries')
    charter.peers.forEach((key, seat) => {
      const first = this.charters[0].peers[seat]
      bad(key === null || key.equals(first), 'a seat that was another player\'s')
      bad(charter.reasons[seat] !== 3 || this.resigned.has(seat), 'a seat that has not resigned')
    })
    const left = charter.peers.filter((key, seat) => key !== null && !this.resigned.has(seat))
    bad(left.length >= Math.min(2, this.opening.seats), 'too few seats left')
    const known = sit => this.charter.sits.some(before => before.key.equals(sit.key))
    bad(this.step.kind !== 'share' || charter.sits.every(known), 'a peer that joins while a draw is pending')
    bad(this.#drawAfter(charter)(charter.draw) && charter.draw <= LINKS, 'a draw number that cannot be')
  }

  /** Which draw numbers a later charter may have (2.5). */
  #drawAfter(charter) {
    if (this.step.kind !== 'share') return r => r >= this.nextDraw
    const { owed, shares } = this.step
    const goes = key => charter.sits.some(sit => hex(sit.key) === key)
    if (owed.every(key => shares.has(key) || goes(key))) return r => r === this.nextDraw
    return r => r > this.nextDraw
  }

  /** What a later charter leads to (2.6); `charter` counts already. */
  goOn(charter) {
    const { step } = this
    const afresh = step.kind === 'share' && charter.draw !== this.nextDraw
    const found = step.kind === 'move' || step.kind === 'seal'
    this.nextDraw = charter.draw
    if (afresh) {
      this.#share(step.number, new Map())
    } else if (found && !step.entries.size) {
      this.#next(step.number, new Map())
    } else {
      step.due = this.stillDue(step)
      this.advance()
    }
  }

  // -- what is next (4.8) --------------------------------------------------------------------------------------------

  #next(number, shares) {
    const { position } = this
    if (position.places === null) return this.#share(number, shares)
    const next = position.next(seat => this.played(seat), this.tooFew)
    if (next.kind === 'share' || shares.size) return this.#share(number, shares)
    const owed = next.kind === 'result' ? this.contributors.map(key => this.lowest(key)) : next.seats
    this.begins(number, next.kind, owed)
  }

  #share(number, shares) {
    this.begins(number, 'share', this.contributors, { shares })
  }

  /**
   * A step begins. `owed` are the seats that owe it something, or the keys of peers that owe a share. Those that do
   * not play now are not waited for, but are again if they come back (2.6).
   */
  begins(number, kind, owed, more = {}) {
    const step = { number, kind, owed, entries: new Map(), state: this.position.digest(), ...more }
    this.step = { ...step, due: this.stillDue(step) }
    if (kind === 'result') this.final = this.T // 7.4
    this.advance()
  }

  /** Complete the step once nobody owes anything (3.1). */
  advance() {
    const { step } = this
    if (step.due.size) return
    if (step.kind === 'result') {
      step.done = true
      return
    }
    this.T = H('step', this.T, ...this.#entryIds())
    const number = step.number + 1
    if (step.kind === 'share') {
      this.drawn(step)
      this.#next(number, new Map())
    } else if (step.kind === 'seal') {
      const sealed = [...step.entries].filter(([, { entry }]) => entry.kind === 'seal')
      const seals = new Map(sealed.map(([seat, { entry }]) => [seat, entry]))
      this.begins(number, 'open', [...seals.keys()], { seals })
    } else if (step.kind === 'open') {
      this.position.open([...step.entries].map(([seat, { entry }]) => [seat, entry.body[0]]))
      this.#next(number, new Map())
    } else {
      this.moved(number)
    }
  }

  drawn(step) {
    for (const [key, share] of step.shares) this.chains.get(key).use(this.nextDraw, share)
    this.position.draw(new Rng(seedOf(this.table, this.nextDraw, step.shares)))
    this.nextDraw++
  }

  moved(number) {
    const [[seat, { entry }]] = this.step.entries
    const shares = new Map()
    if (entry.kind === 'move') {
      this.position = this.step.after
      if (entry.body[1].length) shares.set(this.keyOf(seat), entry.body[1])
    }
    this.#next(number, shares)
  }

  #entryIds() {
    return [...this.step.entries.keys()].sort((a, b) => a - b).map(seat => this.step.entries.get(seat).entry.id)
  }

  // -- entries (6.1) -------------------------------------------------------------------------------------------------

  take(record) {
    check(record.kind === 'entry', 'repeated', `another ${record.kind}`)
    const entry = read('entry', record.b)
    check(this.charters.length, 'elsewhere', 'an entry before the first charter')
    check(entry.charter.equals(this.charter.id), 'elsewhere', 'an entry of another charter')
    const peer = this.charter.peers[entry.author]
    check(peer, 'not due', 'an entry for a seat that nobody plays')
    const slot = `${hex(entry.charter)} ${entry.step} ${entry.author}`
    const known = this.slots.get(slot)
    check(!known?.equals(entry.id), 'repeated', 'an entry that is known')
    check(verify(peer, 'entry', record.b, record.signature), 'signature', 'an entry that its player did not sign')
    check(!known, 'fork', 'a second entry for one slot')
    this.arrives(entry)
    check(entry.step <= this.step.number || this.step.done, 'early', 'an entry of a step that has not begun')
    this.slots.set(slot, entry.id)
    check(entry.step === this.step.number && this.step.due.has(entry.author), 'not due', 'nobody waits for this entry')
    check(entry.prev.equals(this.T), 'elsewhere', 'an entry of another past')
    check(entry.state.equals(this.step.state), 'desync', 'an entry of another position')
    this.#checkBody(entry)
    if (entry.kind === 'resign') this.resigned.add(entry.author)
    this.step.entries.set(entry.author, { entry })
    this.step.due.delete(entry.author)
    this.advance()
  }

  /** A charter speaks of this step; here it is known what the pending one waits for. */
  reaches() {}

  /** A validly signed entry is about to be looked at; here nothing more needs to be known of it. */
  arrives() {}

  #checkBody(entry) {
    const fault = (good, why) => check(good, 'fault', why)
    const { kind, body, author } = entry
    const { step } = this
    fault(MAY[step.kind].includes(kind), `a ${kind} where the step is another`)
    const fields = { share: 1, move: 2, seal: 1, result: 2, resign: 0 }[kind]
    fault(body.length === fields, `a ${kind} with other fields`)
    if (kind === 'share') {
      fault(this.chains.get(this.keyOf(author)).fits(this.nextDraw, body[0]), 'a share that does not fit')
      step.shares.set(this.keyOf(author), body[0])
    } else if (kind === 'seal') {
      fault(bytesOf(body[0], 32), 'no seal')
    } else if (kind === 'result') {
      const [how, scores] = body
      fault(Array.isArray(scores) && this.position.confirms(how, scores, this.tooFew), 'another result')
    } else if (kind === 'move') {
      const [answers, rest] = body
      fault(Array.isArray(answers) && answers.length >= 1 && answers.length <= 256, 'a move without answers')
      if (step.kind === 'open') this.#checkOpening(entry, answers, rest, fault)
      else this.#checkMove(author, answers, rest, fault)
    }
  }

  #checkMove(author, answers, share, fault) {
    fault(bytesOf(share, 0, 32), 'no share')
    const after = this.position.moved(author, answers, seat => this.played(seat), share.length > 0)
    fault(after, 'a move that the rules do not allow')
    fault(after.leads === (share.length > 0), 'a share without a draw, or none before one')
    const fits = () => this.chains.get(this.keyOf(author)).fits(this.nextDraw, share)
    fault(!share.length || fits(), 'a share that does not fit')
    this.step.after = after.position
  }

  #checkOpening({ author }, answers, salt, fault) {
    const { charter, step, body } = this.step.seals.get(author)
    fault(bytesOf(salt, 32), 'no salt')
    const bytes = encode(answers, { truth: true })
    fault(H('seal', charter, u32(step), u32(author), salt, bytes).equals(body[0]), 'other answers than were sealed')
    fault(this.position.sealed(author, answers), 'a sealed move that the rules do not allow')
  }

  // -- how it stands (7) ---------------------------------------------------------------------------------------------

  get over() {
    return this.step?.kind === 'result'
  }

  /** How it ended if it did with a seat left out. */
  #leftOut() {
    const found = LEFT_OUT.find(([why]) => this.charter.reasons.includes(why))
    return found ? { how: found[1] } : {}
  }

  /** Finish what the end of the log leaves open (9.1 (4)). */
  end() {
    if (!this.step || this.step.done || !this.step.entries.size || !this.step.due.size) return
    const missing = least(this.step.due)
    check(missing > Math.max(...this.step.entries.keys()), 'not due', `the entry of seat ${missing} is missing`)
  }

  /** What `verify --json` tells of a table (transcript 9.4). */
  result() {
    const names = this.charters[0]?.sits.flatMap(sit => sit.names) ?? []
    const seats = names.map((name, seat) => ({ seat, name, key: hex(this.charters[0].peers[seat]), bot: null }))
    const going = { how: 'unfinished', winner: [] }
    const ended = () => ({ ...this.position.ended(this.tooFew, this.playedSeats), ...this.#leftOut() })
    const { how, winner } = this.over ? ended() : going
    return {
      table: hex(this.table),
      game: this.opening.game,
      seats,
      scores: this.position.scores(),
      winner,
      how,
      transcript: hex(this.over ? this.final : (this.T ?? Buffer.alloc(0))),
      digest: hex(this.position.digest() ?? Buffer.alloc(0)),
    }
  }
}

const bytesOf = (value, ...sizes) => Buffer.isBuffer(value) && sizes.includes(value.length)
