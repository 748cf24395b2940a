// Texts that come from other peers (transport 6).

/** A text that is not taken. */
export class BadText extends Error {}

// Cc, Cf, Cs, Co, Zl, Zp, Zs but U+0020, Cn (6.2), and what cannot be seen (6.3).
const REFUSED = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Cn}]|(?! )\p{Zs}/u
const UNSEEN = new RegExp(
  '[\\u034F\\u115F\\u1160-\\u11FF\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uD7B0-\\uD7FF' +
    '\\uFE00-\\uFE0F\\uFFA0\\u{E0100}-\\u{E01EF}]',
  'u',
)
const MARKS = /\p{M}{4}|(^|\n)\p{M}/u // four in a row, or one with nothing before it (6.4)

// The ranges whose East Asian Width is W or F, from Unicode's own table; JavaScript has no property for it.
const WIDE = `
1100-115f 231a-231b 2329-232a 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2648-2653 267f 2693 26a1
26aa-26ab 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705 270a-270b 2728 274c 274e
2753-2755 2757 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 2e80-303e 3041-3247 3250-4dbf 4e00-a4c6
a960-a97c ac00-d7a3 f900-fad9 fe10-fe19 fe30-fe6b ff01-ff60 ffe0-ffe6 16fe0-1b2fb 1f004 1f0cf 1f18e
1f191-1f19a 1f200-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0
1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e 1f550-1f567 1f57a 1f595-1f596 1f5a4
1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6df 1f6eb-1f6ec 1f6f4-1f6fc 1f7e0-1f7f0
1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1faf6 20000-3134a
`
  .trim()
  .split(/\s+/)
  .map(range => range.split('-').map(end => parseInt(end, 16)))
  .map(([first, last]) => [first, last ?? first])

/** How many cells a text takes on the screen (6.5). */
export function cells(text) {
  let sum = 0
  for (const sign of text) {
    const point = sign.codePointAt(0)
    if (sign === '\n' || /[\p{Mn}\p{Me}]/u.test(sign)) continue
    sum += WIDE.some(([first, last]) => first <= point && point <= last) ? 2 : 1
  }
  return sum
}

/** Refuse a text that must not be shown; `lines` allows U+000A (6.2 to 6.4). */
export function checkText(text, { lines = false } = {}) {
  const seen = lines ? text.replaceAll('\n', '') : text
  if (REFUSED.test(seen)) throw new BadText('a text with a character that is refused')
  if (UNSEEN.test(seen)) throw new BadText('a text with a character that cannot be seen')
  if (text.normalize('NFC') !== text) throw new BadText('a text that is not in Normalization Form C')
  if (MARKS.test(text)) throw new BadText('a text with marks where none may be')
}

/** Refuse what is no name of a player (6.6). */
export function checkName(text) {
  checkText(text)
  const points = [...text].length
  if (points < 1 || points > 24 || cells(text) > 24) throw new BadText('a name that is empty or too long')
  if (text.startsWith(' ') || text.endsWith(' ')) throw new BadText('a name that begins or ends with a blank')
}

/** Refuse what nobody can say at a table (wire 3.5). */
export function checkChat(text) {
  const points = [...text].length
  if (points < 1 || points > 400 || cells(text) > 800) throw new BadText('a chat that is empty or too long')
  checkText(text)
}
