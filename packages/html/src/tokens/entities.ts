import { namedReferences } from './named-references.ts'

// Decodes character references. Common ones are built in; the full table of the standard is parsed when a page needs
// another one.

const common: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
  ['copy', '\u00A9'],
  ['reg', '\u00AE'],
  ['raquo', '\u00BB'],
  ['laquo', '\u00AB'],
  ['mdash', '\u2014'],
  ['ndash', '\u2013'],
  ['hellip', '\u2026'],
  ['rsquo', '\u2019'],
  ['lsquo', '\u2018'],
  ['rdquo', '\u201D'],
  ['ldquo', '\u201C'],
  ['bull', '\u2022'],
  ['middot', '\u00B7'],
  ['times', '\u00D7'],
])

/** Attribute values keep `&copy=1` and `&copyright`, which are often parts of URLs. In text, they start with ©. */
export type Place = 'text' | 'value'

/** Matches a reference from its `&`: a number, or a name with all following ASCII alphanumerics. */
const reference = /&(?:#(?:[xX]([\da-fA-F]+)|(\d+));?|([a-zA-Z][a-zA-Z\d]*)(;?)(=?))/g

/** Resolves character references, such as `&amp;`, by the rules of the HTML standard. Unknown ones are unchanged. */
export function decode(text: string, place: Place): string {
  if (!text.includes('&')) return text
  return text.replace(
    reference,
    (found, hex: string | undefined, decimal: string | undefined, name: string, end: string, equals: string) => {
      if (hex !== undefined) return numbered(Number.parseInt(hex, 16))
      if (decimal !== undefined) return numbered(Number.parseInt(decimal, 10))
      const known = end === ';' ? (common.get(name) ?? table().all.get(name)) : undefined
      if (known !== undefined) return known + equals
      return withoutSemicolon(found, name, place, end + equals)
    },
  )
}

// By the standard, 0x80 to 0x9F mean the characters of windows-1252.
const oldSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

function numbered(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return oldSigns[code - 0x80]!
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}

const maxLegacyLength = 6

/** Resolves legacy names, which are valid without a semicolon. In text they may also be the start of a longer word. */
function withoutSemicolon(found: string, name: string, place: Place, rest: string): string {
  const { old } = table()
  if (place === 'value') {
    const value = rest === '' ? old.get(name) : undefined
    return value ?? found
  }
  for (let length = Math.min(name.length, maxLegacyLength); length > 1; length -= 1) {
    const value = old.get(name.slice(0, length))
    if (value !== undefined) return value + name.slice(length) + rest
  }
  return found
}

interface Names {
  readonly all: ReadonlyMap<string, string>
  readonly old: ReadonlyMap<string, string>
}

let names: Names | undefined

function table(): Names {
  return (names ??= readTable())
}

function readTable(): Names {
  const all = new Map<string, string>()
  const old = new Map<string, string>()
  for (const entry of namedReferences.split(',')) {
    const [codes, ...written] = entry.split(' ')
    const value = String.fromCodePoint(...codes!.split('.').map((code) => Number.parseInt(code, 16)))
    for (const marked of written) {
      const name = marked.endsWith('!') ? marked.slice(0, -1) : marked
      all.set(name, value)
      if (name !== marked) old.set(name, value)
    }
  }
  return { all, old }
}
