// A scanner for the tags of small XML files. It takes time proportional to the length, and expands no entities of the file.

/** A start or end tag. An empty element is a start tag. */
export interface Tag {
  /** Without a namespace prefix, in lower case. */
  readonly name: string
  readonly isEnd: boolean
  readonly attributes: Readonly<Record<string, string>>
  /** Text up to the next tag, including that of CDATA sections. */
  readonly text: string
}

const maxTags = 50_000
const cdata = '<![CDATA['
const skipped = [
  ['<!--', '-->'],
  [cdata, ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** Yields the tags of an XML file in order: at most 50,000, and none after a tag that does not end. */
export function* readTags(xml: string): Generator<Tag> {
  let at = xml.indexOf('<')
  for (let count = 0; at >= 0 && count < maxTags; count += 1) {
    const other = skippedAt(xml, at)
    if (other) {
      const end = xml.indexOf(other[1], at + other[0].length)
      if (end < 0) return
      at = xml.indexOf('<', end)
      continue
    }
    const end = endOf(xml, at + 1)
    if (end < 0) return
    const { text, next } = textFrom(xml, end + 1)
    yield tagOf(xml.slice(at + 1, end), text)
    at = next
  }
}

function skippedAt(xml: string, at: number) {
  return skipped.find(([start]) => xml.startsWith(start, at))
}

/** Reads the text up to the next tag. `next` is the index of that tag; -1 if there is none. */
function textFrom(xml: string, from: number): { readonly text: string; readonly next: number } {
  let text = ''
  let at = from
  for (;;) {
    const next = xml.indexOf('<', at)
    text += decoded(xml.slice(at, next < 0 ? undefined : next))
    const other = next < 0 ? undefined : skippedAt(xml, next)
    if (!other) return { text: text.trim(), next }
    const inside = next + other[0].length
    const end = xml.indexOf(other[1], inside)
    if (end < 0) return { text: text.trim(), next: -1 }
    if (other[0] === cdata) text += xml.slice(inside, end)
    at = end + other[1].length
  }
}

/** Returns the index of the `>` that ends a tag; -1 if there is none. */
function endOf(xml: string, from: number): number {
  let quote = ''
  for (let at = from; at < xml.length; at += 1) {
    const letter = xml[at]!
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return -1
}

const maxAttributes = 50

function tagOf(inside: string, text: string): Tag {
  const isEnd = inside.startsWith('/')
  const [full = ''] = /^[^\s/>]+/.exec(isEnd ? inside.slice(1) : inside) ?? []
  const attributes: Record<string, string> = {}
  let count = 0
  for (const [, name = '', one, other] of inside.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if ((count += 1) > maxAttributes) break
    attributes[localName(name)] = decoded(one ?? other ?? '').trim()
  }
  return { name: localName(full), isEnd, attributes, text }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
}
