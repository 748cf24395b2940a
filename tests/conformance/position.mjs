// The game as the transcript plays it: rules' seats and charter seats, seeds, moves, stand-ins (transcript 3.3, 4).

import { CHANCE, Game } from './engine.mjs'

export class Position {
  constructor(game, seats) {
    Object.assign(this, { game, seats })
    this.places = null // for each of the rules' seats the charter seat, from draw 1 on
    this.rng = null // the seed that still serves (beacon 5.3)
  }

  static begin({ rules, seats, options }) {
    return new Position(new Game(rules, rules.setup(seats, Object.fromEntries(options))), seats)
  }

  digest() {
    return this.game.digest()
  }

  #asked() {
    return this.game.pending.map(ask => ask.seat)
  }

  get #chance() {
    return this.#asked()[0] === CHANCE
  }

  #standIn(seat) {
    this.game.answer(seat, this.game.rules.standIn(this.game, seat))
  }

  /** A draw was made: the first gives the places (beacon 5.4). */
  draw(rng) {
    if (this.places === null) this.places = rng.order(this.seats)
    this.rng = rng
  }

  /** The next step: its kind, and the charter seats that owe it (transcript 4.8). */
  next(played, tooFew) {
    for (;;) {
      const asked = this.#asked()
      if (!asked.length || tooFew) return { kind: 'result' }
      if (this.#chance) {
        if (!this.rng) return { kind: 'share' }
        const [ask] = this.game.pending
        this.game.answer(CHANCE, ask.options[this.rng.weighted(ask.weights)])
        continue
      }
      this.rng = null
      const seats = asked.map(seat => this.places[seat]).filter(played)
      if (seats.length) return { kind: seats.length === 1 ? 'move' : 'seal', seats }
      this.#standIn(asked[0])
    }
  }

  /**
   * The position after a move made alone, and whether it leads to a draw (transcript 4.2); null if the move is none,
   * too short or too long.
   */
  moved(author, answers, played) {
    const game = this.game.clone()
    const after = Object.assign(new Position(game, this.seats), { places: this.places })
    const seat = this.places.indexOf(author)
    const { stages } = game
    const other = each => each !== seat && played(this.places[each])
    const ended = () => after.#chance || game.stages !== stages || after.#asked().some(other)
    let over = false
    for (const answer of answers) {
      if (over || !game.answer(seat, answer)) return null
      while (!(over = ended()) && !game.asked(seat)) after.#standIn(after.#asked()[0])
    }
    if (!over) return null
    while (game.pending.length && !after.#chance && !after.#asked().some(each => played(this.places[each]))) {
      after.#standIn(after.#asked()[0])
    }
    return { position: after, leads: after.#chance }
  }

  /** Whether these are a whole sealed move (transcript 4.3). */
  sealed(author, answers) {
    const game = this.game.clone()
    const seat = this.places.indexOf(author)
    return answers.every(answer => game.answer(seat, answer)) && !game.asked(seat)
  }

  /** Play sealed moves, pairs of charter seat and answers, and what stand-ins answer after them (transcript 4.3). */
  open(moves) {
    const { game } = this
    const { phases } = game
    const asked = this.#asked()
    const opened = moves.map(([author, answers]) => [this.places.indexOf(author), answers])
    opened.sort(([a], [b]) => a - b)
    for (const [seat, answers] of opened) for (const answer of answers) game.answer(seat, answer)
    for (const seat of asked.filter(each => !opened.some(([other]) => other === each))) {
      while (game.phases === phases && game.together && game.asked(seat)) this.#standIn(seat)
    }
  }

  // -- the end (7) ---------------------------------------------------------------------------------------------------

  #byPlace(list) {
    const seats = this.places ?? list.map((_, seat) => seat).slice(0, this.seats)
    const placed = seats.map((_, place) => list[seats.indexOf(place)])
    return [...placed, ...list.slice(this.seats)]
  }

  /** The points by charter seat, then what the rules keep beside the seats (transcript 4.5). */
  scores() {
    return this.#byPlace(this.game.rules.score(this.game.state))
  }

  /** Whether a result entry says what everybody can compute (transcript 4.5, 7.5). */
  confirms(how, scores, tooFew) {
    const own = this.scores()
    const same = scores.length === own.length && scores.every((score, i) => score === own[i])
    return same && how === (this.game.pending.length && tooFew ? 1 : 0)
  }

  /** How it ended, and who won (transcript 7.2, 7.3). */
  ended(tooFew, playedSeats) {
    if (this.game.pending.length) return { how: 'resigned', winner: playedSeats }
    const winner = this.game.rules.winners(this.game.state).map(seat => this.places[seat])
    return { how: 'finished', winner: winner.sort((a, b) => a - b) }
  }
}
