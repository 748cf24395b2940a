// Verify logs: node verify.mjs [--games FILE] LOG…
//
// The verdict on each is a line of JSON as of `oaknet verify --json` (transcript 9.4). The exit status is 0 if all
// verify, 3 for another version or other rules, 4 for everything else (transcript 9.2), 1 if a file cannot be read.
// With --batch, paths come one a line on standard input, as many as wanted.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readGames } from './games.mjs'
import { BadLog, OTHER, readHeader, readRecords } from './log.mjs'
import { OpaqueTranscript, UNCHECKED } from './opaque.mjs'
import { Refused } from './table.mjs'
import { Transcript } from './transcript.mjs'

/** Read a whole log (transcript 9.1): its transcript, or BadLog with the first fault and what was good before. */
export function verifyLog(data, rulesOf) {
  const header = readHeader(data)
  const rules = rulesOf(header.game)
  const foreign = why => new BadLog(why, { status: OTHER, kind: 'header' })
  if (!rules) throw foreign('a game that is not known here')
  if (rules.digest && !rules.digest.equals(header.rules)) throw foreign('other rules or printed numbers')
  const { records, fault } = readRecords(data, header.start)
  let transcript = null
  let valid = 0
  const bad = (why, kind) => {
    const error = new BadLog(why, { kind, step: transcript?.step?.number ?? null, valid })
    return Object.assign(error, { result: transcript?.result() })
  }
  for (const record of records) {
    try {
      if (valid === 0) transcript = begin(record, header, rulesOf)
      else if (record.kind === 'charter') transcript.takeCharter(record)
      else transcript.take(record)
    } catch (error) {
      if (error instanceof Refused) throw bad(error.message, record.kind)
      throw error
    }
    valid++
  }
  if (fault) throw bad(fault.why, fault.kind)
  if (!transcript) throw bad('the log ends before the table is opened', 'open')
  try {
    transcript.end()
  } catch (error) {
    if (error instanceof Refused) throw bad(error.message, transcript.step.kind)
    throw error
  }
  return { transcript, records: valid }
}

function begin(record, header, rulesOf) {
  const Kind = rulesOf(header.game).opaque ? OpaqueTranscript : Transcript
  const transcript = new Kind(record, game => rulesOf(game) ?? { digest: Buffer.alloc(0) })
  const { game, rules: _, digest, engine } = transcript.opening
  const agrees = game === header.game && digest.equals(header.rules) && engine === header.engine
  if (!agrees) throw new Refused('charter', 'the opening is of another game than the header says')
  return transcript
}

/** The verdict on a file as `oaknet verify --json` prints it, and the exit status. */
export function verdict(path, rulesOf) {
  const told = { event: 'result' }
  try {
    const { transcript } = verifyLog(readFileSync(path), rulesOf)
    const unchecked = transcript instanceof OpaqueTranscript ? { unchecked: UNCHECKED } : {}
    return [0, { ...told, ...transcript.result(), log: path, verdict: 'valid', ...unchecked }]
  } catch (error) {
    if (error.code) return [1, { event: 'error', message: `The file cannot be read (${error.code}).`, log: path }]
    if (!(error instanceof BadLog)) throw error
    const { message: why, status, step, kind, valid, result } = error
    const said = status === OTHER ? 'other version' : 'invalid'
    return [status, { ...told, ...result, log: path, verdict: said, step, kind, why, valid }]
  }
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { games: { type: 'string' }, batch: { type: 'boolean' } },
  })
  const rulesOf = readGames(values.games)
  const paths = values.batch ? readFileSync(0, 'utf8').split('\n').filter(Boolean) : positionals
  if (!paths.length) {
    console.error('usage: node verify.mjs [--games FILE] LOG…')
    return 2
  }
  const verdicts = paths.map(path => verdict(path, rulesOf))
  for (const [, told] of verdicts) console.log(JSON.stringify(told))
  return Math.max(...verdicts.map(([status]) => status))
}

if (process.argv[1] === import.meta.filename) process.exitCode = main()
