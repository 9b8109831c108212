import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

// Character references: the few that nearly all pages use are known here, the rest is asked of htmlparser2.

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

/** In a value, `&copy=1` and `&copyright` are parts of an address; in a text they begin with a sign. */
export type Place = 'text' | 'value'

/** A reference from its `&` on: a number, or a name with all the letters and digits that follow. */
const reference = /&(?:#(?:[xX][\da-fA-F]+|\d+);?|([a-zA-Z][a-zA-Z\d]*)(;?)(=?))/g

export function decode(text: string, place: Place): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (found, name: string | undefined, end: string, equals: string) => {
    const known = end === ';' && name !== undefined ? common.get(name) : undefined
    return known === undefined ? decodeRare(found, place) : known + equals
  })
}

const longestName = 33
const mostRemembered = 2_000
const remembered: Readonly<Record<Place, Map<string, string>>> = { text: new Map(), value: new Map() }

/** What one page teaches serves the next; the memory is bounded, as pages may be hostile. */
function decodeRare(found: string, place: Place): string {
  const known = remembered[place].get(found)
  if (known !== undefined) return known
  const decoded = ask(found, place)
  if (found.length <= longestName && remembered[place].size < mostRemembered) remembered[place].set(found, decoded)
  return decoded
}

const unheard = (): undefined => undefined
const deaf: TokenizerCallbacks = {
  onattribdata: unheard,
  onattribentity: unheard,
  onattribend: unheard,
  onattribname: unheard,
  oncdata: unheard,
  onclosetag: unheard,
  oncomment: unheard,
  ondeclaration: unheard,
  onend: unheard,
  onopentagend: unheard,
  onopentagname: unheard,
  onprocessinginstruction: unheard,
  onselfclosingtag: unheard,
  ontext: unheard,
  ontextentity: unheard,
}

function ask(found: string, place: Place): string {
  const [before, after] = place === 'value' ? ['<a b="', '">'] : ['', '']
  const source = before + found + after
  let decoded = ''
  const add = (start: number, end: number): void => {
    decoded += source.slice(start, end)
  }
  const addCodePoint = (codePoint: number): void => {
    decoded += String.fromCodePoint(codePoint)
  }
  const asText = { ontext: add, ontextentity: addCodePoint }
  const asValue = { onattribdata: add, onattribentity: addCodePoint }
  const tokenizer = new Tokenizer({}, { ...deaf, ...(place === 'text' ? asText : asValue) })
  tokenizer.write(source)
  tokenizer.end()
  return decoded
}
