// A scanner for the tags of small XML files. It takes time proportional to the length, and expands no entities of the file.

/** A start or end tag. An empty element is a start tag. */
export interface Tag {
  /** Without a namespace prefix, in lower case. */
  readonly name: string
  readonly isEnd: boolean
  readonly attributes: Readonly<Record<string, string>>
  /** Text up to the next tag. */
  readonly text: string
}

const maxTags = 50_000
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** Yields the tags of an XML file in order: at most 50,000, and none after a tag that does not end. */
export function* readTags(xml: string): Generator<Tag> {
  let at = xml.indexOf('<')
  for (let count = 0; at >= 0 && count < maxTags; count += 1) {
    const other = skipped.find(([start]) => xml.startsWith(start, at))
    if (other) {
      const end = xml.indexOf(other[1], at + other[0].length)
      if (end < 0) return
      at = xml.indexOf('<', end)
      continue
    }
    const end = endOf(xml, at + 1)
    if (end < 0) return
    const next = xml.indexOf('<', end)
    yield tagOf(xml.slice(at + 1, end), xml.slice(end + 1, next < 0 ? undefined : next))
    at = next
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
  return { name: localName(full), isEnd, attributes, text: decoded(text).trim() }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
}
