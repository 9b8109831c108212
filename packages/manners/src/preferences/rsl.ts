// RSL (Really Simple Licensing): XML files with licences for parts of a site.
import { matchesPath, specificity } from './path-pattern.ts'
import { sourceOf, type Statement, type Use } from './statements.ts'
import { readTags, type Tag } from './xml-tags.ts'

/** A licence of a file. */
export interface RslLicense {
  /** Permitted uses; `none` for an empty element. */
  readonly permits: readonly string[]
  readonly prohibits: readonly string[]
  /** Conditions that only a person can check, such as `user: non-commercial`. */
  readonly conditions: readonly string[]
  /** Type of payment, such as `free` or `purchase`. Default: `free`. */
  readonly payment: string
}

/** Licences of one part of a site. A user of it chooses one of them. */
export interface RslContent {
  /** URL or path pattern. */
  readonly url: string
  readonly licenses: readonly RslLicense[]
}

const maxContents = 2_000
const maxLicenses = 20
// Of each kind, in one licence.
const maxTerms = 50

interface OpenLicense {
  permits: string[]
  prohibits: string[]
  conditions: string[]
  payment: string
}

/** Reads an RSL file. Elements beyond the limits and unknown ones are ignored; text that is not RSL has no licences. */
export function readRsl(xml: string): readonly RslContent[] {
  const contents: { url: string; licenses: OpenLicense[] }[] = []
  let license: OpenLicense | undefined
  let isRsl = false
  for (const tag of readTags(xml)) {
    if (tag.name === 'rsl') isRsl = true
    if (!isRsl) continue
    if (tag.isEnd) {
      if (tag.name === 'license' || tag.name === 'content') license = undefined
      continue
    }
    if (tag.name === 'content') {
      if (contents.length >= maxContents) break
      contents.push({ url: tag.attributes['url'] ?? '/', licenses: [] })
      continue
    }
    if (tag.name === 'license') {
      license = { permits: [], prohibits: [], conditions: [], payment: 'free' }
      const licenses = contents.at(-1)?.licenses
      if (licenses && licenses.length < maxLicenses) licenses.push(license)
    } else if (license) addTo(license, tag)
  }
  return contents
}

function addTo(license: OpenLicense, { name, attributes, text }: Tag): void {
  const type = attributes['type'] ?? ''
  if (name === 'payment') license.payment = type === '' ? 'free' : type
  if (name !== 'permits' && name !== 'prohibits') return
  const values = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (type === 'usage') {
    // Without this name, an empty element would be the same as no element, which permits all uses.
    if (name === 'permits' && values.length === 0) values.push('none')
    license[name].push(...values.slice(0, maxTerms - license[name].length))
  } else if (values.length > 0 && license.conditions.length < maxTerms)
    license.conditions.push(`${name} ${type}: ${values.join(' ')}`.slice(0, 200))
}

/** Names of each use in licences of all versions. */
const names: Readonly<Record<Use, readonly string[]>> = {
  search: ['search', 'all'],
  'ai-input': ['ai-input', 'ai-use', 'ai-all', 'all'],
  'ai-train': ['ai-train', 'train-ai', 'ai-all', 'all'],
  tdm: ['all'],
}
// Uses that licences have names for.
const licensed = ['search', 'ai-input', 'ai-train'] as const
// Payments that a bot need not make before it uses a page.
const free: ReadonlySet<string> = new Set(['free', 'attribution'])

/** Returns the part of a site with the most specific URL that matches a page. */
export function rslContentFor(contents: readonly RslContent[], where: string, page: URL): RslContent | undefined {
  const path = `${page.pathname}${page.search}`
  return contents
    .flatMap((content) => {
      const pattern = patternOf(content.url, where, page)
      return pattern !== undefined && matchesPath(pattern, path) ? [{ content, length: specificity(pattern) }] : []
    })
    .reduce<{ content?: RslContent; length: number }>((best, one) => (one.length > best.length ? one : best), {
      length: -1,
    }).content
}

/** Returns the path pattern of a URL, or `undefined` if it is on another host than the page. */
function patternOf(text: string, where: string, page: URL): string | undefined {
  if (text === '' || text === '*') return '/'
  if (text.startsWith('/')) return text
  const url = URL.parse(text, where)
  if (url?.host !== page.host) return undefined
  return `${url.pathname}${url.search}`
}

/** Converts licences to a statement about each use. A use that needs a payment is not allowed. */
export function rslStatements({ licenses }: RslContent, where: string): readonly Statement[] {
  if (licenses.length === 0) return []
  return licensed.map((use) => {
    const terms = licenses.map((license) => ({ license, isPermitted: permits(license, use) }))
    const permitted = terms.filter(({ isPermitted }) => isPermitted).map(({ license }) => license)
    const allowed = permitted.some(({ payment }) => free.has(payment))
    return { use, allowed, signal: 'rsl', ...sourceOf(where, textFor(use, allowed, permitted, licenses)) }
  })
}

function permits({ permits, prohibits }: RslLicense, use: Use): boolean {
  const isIn = (list: readonly string[]): boolean => names[use].some((name) => list.includes(name))
  return !isIn(prohibits) && (permits.length === 0 || isIn(permits))
}

function textFor(use: Use, allowed: boolean, permitted: readonly RslLicense[], all: readonly RslLicense[]): string {
  if (allowed) return `permits ${use}`
  const [paid] = permitted
  if (paid) return `permits ${use} with a licence (payment: ${paid.payment})`
  const prohibits = all.flatMap((license) => license.prohibits)
  return prohibits.length > 0 ? `prohibits ${[...new Set(prohibits)].join(' ')}` : `does not permit ${use}`
}
