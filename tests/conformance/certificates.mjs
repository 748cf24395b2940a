// The certificates of an invite (transport 2.1 to 2.3), byte for byte, in DER by hand.

import { createHash } from 'node:crypto'
import { H, hkdf, publicKey, signRaw } from './crypto.mjs'

const der = (tag, ...parts) => {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
  const n = body.length
  const size = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255]
  return Buffer.concat([Buffer.of(tag, ...size), body])
}
const sequence = (...parts) => der(0x30, ...parts)
const octets = (...parts) => der(0x04, ...parts)
const text = string => Buffer.from(string, 'latin1')
const ED25519 = sequence('06032b6570')
const TRUE = '0101ff'

const common = name => sequence(der(0x31, sequence('0603550403', der(0x0c, text(name)))))
const VALID = sequence(der(0x17, text('000101000000Z')), der(0x18, text('99991231235959Z')))
const sha1 = key => createHash('sha1').update(key).digest()

const extension = (last, critical, ...value) => sequence(`0603551d${last}`, critical ? TRUE : '', octets(...value))
const subjectKey = key => extension('0e', false, octets(sha1(key)))
const authorityKey = key => extension('23', false, sequence(der(0x80, sha1(key))))

function certificate(seed, serial, subject, key, extensions) {
  const info = sequence(ED25519, der(0x03, '00', key))
  const parts = [der(0xa0, '020102'), der(0x02, serial), ED25519, common('oaknet invite'), VALID, common(subject), info]
  const body = sequence(...parts, der(0xa3, sequence(...extensions)))
  return sequence(body, ED25519, der(0x03, '00', signRaw(seed, body)))
}

/** What an invite's secret gives: the name for SNI, the authority's certificate, and that of a peer's key. */
export function ofInvite(secret, key) {
  const name = hkdf(secret, Buffer.from('oaknet/1/invite-name\0')).subarray(0, 16).toString('hex')
  const seed = hkdf(secret, Buffer.from('oaknet/1/invite-ca\0'))
  const own = publicKey(seed)
  const authority = certificate(seed, '01', 'oaknet invite', own, [
    extension('13', true, sequence(TRUE, '020100')),
    extension('0f', true, '03020106'),
    subjectKey(own),
    authorityKey(own),
  ])
  const halved = BigInt(`0x${H('leaf', key).subarray(0, 16).toString('hex')}`) / 2n
  const serial = (halved | 1n).toString(16)
  const leaf = certificate(seed, positive(serial), 'oaknet peer', key, [
    extension('13', true, sequence()),
    extension('0f', true, '03020780'),
    subjectKey(key),
    authorityKey(own),
    extension('25', false, sequence('06082b06010505070301', '06082b06010505070302')),
    extension('11', false, sequence(der(0x82, text('peer.oaknet.invalid')))),
  ])
  return { name: `${name}.oaknet.invalid`, authority, leaf }
}

/** The fewest bytes of a positive integer in DER: the first bit is 0. */
function positive(digits) {
  const bytes = digits.length % 2 ? `0${digits}` : digits
  return parseInt(bytes.slice(0, 2), 16) > 127 ? `00${bytes}` : bytes
}
