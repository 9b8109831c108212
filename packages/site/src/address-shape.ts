/** An address in its parts, as the traps look at it. */
export interface Shape {
  /** With everything that counts or identifies replaced, the values of the query left out. */
  readonly text: string
  /** The same without the query. */
  readonly path: string
  /** Each name and value of the query; a value that is a list counts as several. */
  readonly query: readonly string[]
}

/**
 * What an address has in common with others that one program may have made. Absent for one without numbers and without a
 * query: it is alike to nothing but itself.
 */
export function shapeOf(url: string): Shape | undefined {
  const hashAt = url.indexOf('#')
  const end = hashAt < 0 ? url.length : hashAt
  const queryAt = url.indexOf('?')
  const pathEnd = queryAt < 0 || queryAt > end ? end : queryAt
  const path = shapeOfPath(url, pathStart(url), pathEnd)
  if (pathEnd >= end) return path === undefined ? undefined : { text: path, path, query: [] }
  const plain = path ?? url.slice(0, pathEnd)
  const query = readQuery(url.slice(pathEnd + 1, end))
  const names = [...new Set(query.map((unit) => unit.slice(0, unit.indexOf('='))))].sort()
  return { text: names.length > 0 ? `${plain}?${names.join('&')}` : plain, path: plain, query }
}

const slash = 47
const semicolon = 59

/** Everything up to the end of the path, its segments replaced by their shapes; nothing when that changes nothing. */
function shapeOfPath(url: string, start: number, end: number): string | undefined {
  let text = ''
  let copied = 0
  for (let at = start; at < end; at += 1) {
    let hasParts = false
    const segment = at
    for (; at < end; at += 1) {
      const code = url.charCodeAt(at)
      if (code === slash) break
      if ((code >= 48 && code <= 57) || code === semicolon) hasParts = true
    }
    if (!hasParts) continue
    text += url.slice(copied, segment) + shapeOfSegment(url.slice(segment, at))
    copied = at
  }
  return copied === 0 ? undefined : text + url.slice(copied, end)
}

/** Where in an address the path begins. */
export function pathStart(url: string): number {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return at < 0 ? url.length : at
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const shortestId = 8
const hex = /^(?=.*\d)(?=.*[a-f])[\da-f]{8,}$/i
/** Letters and digits in a long mixture, as programs name things. */
const token = /^(?=(?:.*\d){3})(?=(?:.*[a-z]){3})[a-z\d_]{16,}$/i

function shapeOfSegment(segment: string): string {
  if (!segment.includes(';')) return shapeOfName(segment)
  const [name = '', ...parameters] = segment.split(';')
  return shapeOfName(name) + parameters.map((parameter) => `;${parameter.split('=', 1)[0]}`).join('')
}

function shapeOfName(name: string): string {
  if (!/\d/.test(name)) return name
  const [stem, extension] = splitExtension(name)
  if (stem.length >= shortestId && (uuid.test(stem) || hex.test(stem) || token.test(stem))) return `{id}${extension}`
  return stem.replace(/\d+/g, '{n}') + extension
}

function splitExtension(name: string): [string, string] {
  const at = name.lastIndexOf('.')
  return at > 0 && /^\.[a-z]{2,5}$/i.test(name.slice(at)) ? [name.slice(0, at), name.slice(at)] : [name, '']
}

const mostUnits = 64

function readQuery(text: string): string[] {
  const units: string[] = []
  for (const part of text.split('&', mostUnits)) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    const values = at < 0 ? [''] : part.slice(at + 1).split(/,|;|\||%2C|%7C|%3B/i, mostUnits)
    for (const value of values) units.push(`${name}=${value}`)
  }
  return units
}
