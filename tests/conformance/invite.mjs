// Invites (invite 1 to 4): from text to addresses, or refused.

import { H } from './crypto.mjs'

const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const OF_KIND = { 0x06: 16, 0x04: 4 }

export class BadInvite extends Error {}

function need(good, what) {
  if (!good) throw new BadInvite(what)
}

/** The secret, the opener's key hash, and the addresses `[host, port]`, in the order they stand (invite 1). */
export function readInvite(text) {
  need(text.length <= 2000, 'too long')
  const signs = text
    .replace(/[\s\p{Pd}\p{Pi}\p{Pf}>"'`]/gu, '')
    .replace(/^\p{P}+|\p{P}+$/gu, '')
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  need(/^0ak[0-9]/.test(signs), 'no invite')
  need(signs[3] === '1', 'another version')
  const body = signs.slice(4)
  need([...body].every(sign => SIGNS.includes(sign)), 'a sign that no invite has')
  const bytes = unpack(body)
  const end = bytes.length - 3
  need(end >= 33, 'cut off')
  const read = readBytes(bytes.subarray(0, end))
  need(write(bytes.subarray(0, end)) === body, 'not written as it must be')
  return read
}

/** The bytes behind the signs, once every group's check sign fits (invite 3.2, 3.3). */
function unpack(body) {
  const values = []
  for (let at = 0, k = 1; at < body.length; at += 10, k++) {
    const group = [...body.slice(at, at + 10)].map(sign => SIGNS.indexOf(sign))
    const check = group.pop()
    need(group.length && check === checkSign(k, group), `group ${k}`)
    values.push(...group)
  }
  const bits = values.map(value => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => parseInt(byte, 2)))
}

function checkSign(k, group) {
  const timesX = value => ((value << 1) & 31) ^ (value & 16 ? 0b00101 : 0) // modulo x⁵ + x² + 1
  return timesX(group.reduce((sum, value) => timesX(sum) ^ value, k % 32))
}

/** The one text of an invite, without `oak1` (invite 4.3). */
function write(bytes) {
  const whole = Buffer.concat([bytes, H('invite', bytes).subarray(0, 3)])
  const bits = [...whole].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const values = bits.match(/.{1,5}/g).map(five => parseInt(five.padEnd(5, '0'), 2))
  let text = ''
  for (let at = 0, k = 1; at < values.length; at += 9, k++) {
    const group = values.slice(at, at + 9)
    text += [...group, checkSign(k, group)].map(value => SIGNS[value]).join('')
  }
  return text
}

function readBytes(bytes) {
  const addresses = []
  const ranks = []
  let at = 33
  while (at < bytes.length) {
    const kind = bytes[at]
    const named = kind > 0x40 && kind < 0x80
    const size = named ? kind - 0x40 : OF_KIND[kind]
    need(size && at + 1 + size + 2 <= bytes.length, 'an address that cannot be')
    const host = bytes.subarray(at + 1, at + 1 + size)
    addresses.push([named ? hostName(host) : (size === 4 ? ipv4 : ipv6)(host), bytes.readUInt16BE(at + 1 + size)])
    ranks.push(named ? 2 : size === 4 ? 1 : 0)
    at += 1 + size + 2
  }
  need(addresses.length === bytes[0] && addresses.length <= 6, 'another number of addresses')
  need(addresses.every(([, port]) => port > 0), 'port 0')
  need(new Set(addresses.map(String)).size === addresses.length, 'an address twice')
  need(ranks.every((rank, i) => i === 0 || ranks[i - 1] <= rank), 'addresses out of order') // invite 2.3
  return { secret: bytes.subarray(1, 17), keyHash: bytes.subarray(17, 33), addresses }
}

function ipv4(host) {
  const many = host[0] >= 224 && host[0] < 240
  need(!many && !host.every(byte => byte === 0) && !host.every(byte => byte === 255), 'no address of one machine')
  return host.join('.')
}

function ipv6(host) {
  const mapped = host.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'))
  need(host[0] !== 0xff && !host.every(byte => byte === 0) && !mapped, 'no address of one machine')
  const groups = host.toString('hex').match(/.{4}/g).join(':')
  return new URL(`http://[${groups}]`).hostname.slice(1, -1) // the shortest form
}

function hostName(host) {
  const name = host.toString('latin1')
  const labels = name.split('.')
  const good = labels.every(label => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) && !/^\d+$/.test(labels.at(-1))
  need(good, 'a name that cannot be')
  return name
}
