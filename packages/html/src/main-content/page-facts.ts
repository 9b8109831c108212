// Page metadata as features: title, description, JSON-LD, generator and the form of the URL.
import type { Element } from '../tree/tree.ts'
import { isDataScript } from './marks.ts'
import { hashWord } from './text-scan.ts'

export interface Head {
  readonly title: ReadonlySet<number>
  readonly description: string
  readonly siteName: string
  readonly ogType: string
  readonly generator: string
  readonly language: string
  readonly dataScripts: readonly Element[]
}

const words = /[\p{L}\p{N}_]+/gu
const limits = { title: 500, description: 400, dataScripts: 20, dataChars: 200_000, dataNodes: 5000 } as const

function elementsIn(parent: Element): Element[] {
  const elements: Element[] = []
  for (let node = parent.first; node; node = node.next) if (node.type === 'element') elements.push(node)
  return elements
}

const child = (parent: Element, name: string): Element | undefined =>
  elementsIn(parent).find((element) => element.name === name)

const textIn = (element: Element): string => (element.first?.type === 'text' ? element.first.text : '')

/**
 * Reads what a page's `head` states about its content, and its JSON-LD scripts. `title` has the hashes of the words of `title`
 * and `og:title`. Missing values are empty.
 */
export function readHead(root: Element): Head {
  const html = child(root, 'html')
  const head = html && child(html, 'head')
  const parts = head ? elementsIn(head) : []
  const meta = readMeta(parts)
  const title = parts.find(({ name }) => name === 'title')
  const titleText = `${title ? textIn(title) : ''} ${meta.get('og:title') ?? ''}`.slice(0, limits.title)
  return {
    title: new Set((titleText.match(words) ?? []).map(hashWord)),
    description: (meta.get('og:description') ?? meta.get('description') ?? '').trim().slice(0, limits.description),
    siteName: (meta.get('og:site_name') ?? '').slice(0, limits.title),
    ogType: (meta.get('og:type') ?? '').toLowerCase(),
    generator: (meta.get('generator') ?? '').toLowerCase(),
    language: (html?.attributes['lang'] ?? '').slice(0, 2).toLowerCase(),
    dataScripts: parts.filter((part) => part.name === 'script' && isDataScript(part)),
  }
}

function readMeta(parts: readonly Element[]): Map<string, string> {
  const meta = new Map<string, string>()
  for (const { name, attributes } of parts) {
    if (name !== 'meta') continue
    const key = (attributes['property'] ?? attributes['name'])?.toLowerCase()
    if (key && attributes['content'] && !meta.has(key)) meta.set(key, attributes['content'])
  }
  return meta
}

/** The types in a page's JSON-LD, and its strings that may be the page's content. */
export interface LinkedData {
  readonly types: ReadonlySet<string>
  readonly body: string
  readonly description: string
  readonly reviews: string
}

export const noLinkedData: LinkedData = { types: new Set(), body: '', description: '', reviews: '' }

/**
 * Reads the types and body texts in the first 20 JSON-LD scripts. Scripts that are malformed or have more than 200,000
 * characters are skipped.
 */
export function readLinkedData(scripts: readonly Element[]): LinkedData {
  if (scripts.length === 0) return noLinkedData
  const types = new Set<string>()
  const bodies: string[] = []
  const descriptions: string[] = []
  const reviews: string[] = []
  for (const script of scripts.slice(0, limits.dataScripts)) {
    for (const thing of thingsIn(parseLoosely(textIn(script)))) {
      const type = thing['@type']
      const names = Array.isArray(type) ? type.filter((name) => typeof name === 'string') : [type]
      for (const name of names) if (typeof name === 'string') types.add(name)
      if (isPageText(names)) {
        const body = thing['articleBody'] ?? thing['text']
        if (typeof body === 'string') bodies.push(body)
        if (typeof thing['reviewBody'] === 'string') reviews.push(thing['reviewBody'])
      }
      if (names.includes('Product') && typeof thing['description'] === 'string') descriptions.push(thing['description'])
    }
  }
  return { types, body: bodies.join('\n\n'), description: descriptions.join('\n\n'), reviews: reviews.join('\n\n') }
}

const articleType = /Article|BlogPosting|Report/

/** Returns whether `og:type` or the JSON-LD declares an article. */
export const declaresArticle = (head: Head, data: LinkedData): boolean =>
  head.ogType.includes('article') || [...data.types].some((type) => articleType.test(type))

const pageText = /Article|Posting|Question|Answer|Comment|Report|Review/

const isPageText = (names: readonly unknown[]): boolean =>
  names.some((name) => typeof name === 'string' && pageText.test(name))

function parseLoosely(text: string): unknown {
  if (text.length > limits.dataChars) return undefined
  try {
    return JSON.parse(text.replace(/^\s*(?:<!--|\/\*?<!\[CDATA\[\*?\/?)|(?:-->|\/?\*?\]\]>\*?\/?)\s*$/g, ''))
  } catch {
    return undefined
  }
}

/** Returns all nested objects in document order. Iterative, because untrusted data can be deeply nested. */
function thingsIn(value: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && found.length < limits.dataNodes) {
    const next = waiting.pop()
    if (Array.isArray(next)) for (let i = next.length - 1; i >= 0; i--) waiting.push(next[i])
    else if (typeof next === 'object' && next !== null) {
      found.push(next as Record<string, unknown>)
      for (const inner of Object.values(next).reverse()) if (typeof inner === 'object') waiting.push(inner)
    }
  }
  return found
}

const typeGroups: readonly RegExp[] = [
  /Article|BlogPosting|Report/,
  /^Product/,
  /FAQPage/,
  /QAPage|DiscussionForumPosting|Question/,
  /ItemList|CollectionPage|OfferCatalog/,
  /BreadcrumbList/,
  /Organization|LocalBusiness|Service/,
  /Recipe|HowTo/,
  /Event|JobPosting|Course/,
]

const pathGroups: readonly RegExp[] = [
  /blog|news|article|post|story|stories|20\d\d|artikel|nachricht/i,
  /product|item|\/p\/|\/dp\/|shop|store|produkt/i,
  /docs?\b|guide|api|reference|manual|wiki|learn|tutorial|help|support/i,
  /forum|thread|topic|question|discussion|community|showthread|viewtopic|\/t\//i,
  /categor|collection|tags?\b|archive|list|search|browse|shop\/|kategorie/i,
  /service|solution|about|pricing|company|feature|leistung/i,
]

const generators: readonly RegExp[] = [
  /wordpress|blogger|ghost|typepad|movable/,
  /discourse|phpbb|vbulletin|xenforo|mybb|invision/,
  /shopify|magento|woocommerce|prestashop/,
  /sphinx|docusaurus|mkdocs|hugo|jekyll|gatsby|vuepress/,
  /mediawiki|wiki/,
  /drupal|joomla|typo3|contao/,
]

export const factNames: readonly string[] = [
  'ogType',
  ...typeGroups.map((group) => `ld ${group.source}`),
  'pathParts',
  'lastPartLength',
  'lastPartDashes',
  'pathNumber',
  'pathRoot',
  'query',
  ...pathGroups.map((_, index) => `path ${index}`),
  'generator',
  'german',
  'ldBody',
]

/** Returns the page-level features, in the order of `factNames`; they are the same for every block. */
export function factsOf(head: Head, data: LinkedData, url: string): number[] {
  const types = [...data.types].join(' ')
  const address = readUrl(url)
  const last = address.parts.at(-1) ?? ''
  const place = address.host + address.path
  return [
    ogTypes.indexOf(ogTypes.find((name) => head.ogType.includes(name)) ?? ''),
    ...typeGroups.map((group) => (group.test(types) ? 1 : 0)),
    address.parts.length,
    last.length,
    last.split('-').length - 1,
    /\d{3,}/.test(address.path) ? 1 : 0,
    address.parts.length === 0 ? 1 : 0,
    address.query ? 1 : 0,
    ...pathGroups.map((group) => (group.test(place) ? 1 : 0)),
    generators.findIndex((generator) => generator.test(head.generator)),
    head.language === 'de' ? 1 : 0,
    Math.log1p(data.body.length),
  ]
}

const ogTypes = [
  'article',
  'product',
  'website',
  'profile',
  'video',
] as const satisfies readonly string[] as readonly string[]

function readUrl(url: string): { host: string; path: string; query: boolean; parts: readonly string[] } {
  const parsed = URL.parse(url)
  if (!parsed) return { host: '', path: '', query: false, parts: [] }
  const { hostname, pathname, search } = parsed
  return { host: hostname, path: pathname, query: search !== '', parts: pathname.split('/').filter(Boolean) }
}
