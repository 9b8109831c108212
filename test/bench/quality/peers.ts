// Other extractors, loaded from a folder of the reader's choice: none of them is a dependency of ours.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** HTML in, Markdown or text out. */
export type Extract = (html: string, url: string) => string | Promise<string>

export interface Peer {
  readonly name: string
  readonly extract: Extract
}

export type Loaded = Readonly<Record<string, never>>
export type Load = (name: string) => Promise<Loaded>

/* The shapes of strangers' modules, as far as they are used here. */
type Html = (html: string) => { document: Document & { baseURI: string } }
interface Document {
  querySelector(selector: string): Part | null
  querySelectorAll(selector: string): Iterable<Part>
  readonly body: Part
  readonly documentElement: Part | null
}
interface Part {
  remove(): void
  matches(selector: string): boolean
  querySelector(selector: string): Part | null
  readonly textContent: string
  readonly innerHTML: string
  readonly outerHTML: string
}
interface Turndown {
  use(plugin: unknown): void
  turndown(input: unknown): string
}

const makers: Readonly<Record<string, (load: Load) => Promise<Extract>>> = {
  'readability, linkedom': readability,
  'defuddle, linkedom': defuddle,
  "selector rules (Firecrawl's), turndown": selectorRules,
  'main-tag rule': mainTag,
  'mdream (JavaScript), minimal': (load) => mdream(load, '@mdream/js'),
  'mdream (native), minimal': (load) => mdream(load, 'mdream'),
  webforai,
  'html-to-markdown (native), aggressive': htmlToMarkdown,
  'dom-to-semantic-markdown, main content': semantic,
  '@extractus/article-extractor': extractus,
  '@mizchi/readability': mizchi,
  '@jocmp/mercury-parser': mercury,
  'all visible words': allWords,
}

/** Returns what imports packages from a folder. */
export const loadFrom =
  (folder: string): Load =>
  async (name) =>
    import(pathToFileURL(locate(folder, name)).href) as Promise<Loaded>

export async function loadPeers(folder: string, wanted: RegExp): Promise<Peer[]> {
  const load = loadFrom(folder)
  const peers: Peer[] = []
  for (const [name, make] of Object.entries(makers)) {
    if (!wanted.test(name)) continue
    try {
      peers.push({ name, extract: await make(load) })
    } catch (error) {
      console.error(`Left out: ${name}. ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    }
  }
  return peers
}

/** The file of a package in that folder, by its `exports` for imports where `require` finds none. */
function locate(folder: string, name: string): string {
  try {
    return createRequire(pathToFileURL(join(resolve(folder), 'index.js'))).resolve(name)
  } catch (error) {
    const parts = name.split('/')
    const home = join(resolve(folder), 'node_modules', ...parts.slice(0, name.startsWith('@') ? 2 : 1))
    const path = ['.', ...parts.slice(name.startsWith('@') ? 2 : 1)].join('/')
    const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
      exports?: Record<string, { import?: string | { default: string } }>
    }
    const found = exports?.[path]?.import
    if (!found) throw error
    return join(home, typeof found === 'string' ? found : found.default)
  }
}

/** Turndown's whole conversion on linkedom, without extraction: the yardstick of speed. */
export async function yardstick(folder: string): Promise<Extract> {
  const load = loadFrom(folder)
  const parse = await linkedom(load)
  const service = await turndown(load)
  return (html) => service.turndown(bodyOf(parse(html).document))
}

const linkedom = async (load: Load): Promise<Html> => (await load('linkedom'))['parseHTML'] as unknown as Html

async function turndown(load: Load): Promise<Turndown> {
  const Service = (await load('turndown'))['default'] as unknown as new (options: object) => Turndown
  const { gfm } = (await load('@joplin/turndown-plugin-gfm')) as unknown as { gfm: unknown }
  const service = new Service({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  service.use(gfm)
  return service
}

const bodyOf = (document: Document): unknown =>
  document.documentElement ? (document.body ?? document.documentElement) : ''

async function readability(load: Load): Promise<Extract> {
  const parse = await linkedom(load)
  const Reader = (
    (await load('@mozilla/readability')) as unknown as {
      Readability: new (document: unknown) => { parse(): { content: string } | null }
    }
  ).Readability
  const text = wordsOf(parse)
  return (html) => {
    const { document } = parse(html)
    if (!document.documentElement) return ''
    return text(new Reader(document).parse()?.content ?? '')
  }
}

const edges =
  /<(?:\/?(?:p|div|li|ul|ol|h\d|tr|td|th|table|section|article|blockquote|pre|figure|figcaption|dt|dd|br|hr|header|footer|aside|main|nav))\b[^>]*>/gi

/** HTML of an answer to text, with blocks apart. */
function wordsOf(parse: Html): (html: string) => string {
  return (html) => {
    const { document } = parse(`<html><body>${html.replace(edges, '\n$&')}</body></html>`)
    for (const part of document.querySelectorAll('script,style,noscript')) part.remove()
    return document.body.textContent
  }
}

async function defuddle(load: Load): Promise<Extract> {
  const parse = await linkedom(load)
  const run = (
    (await load('defuddle/node')) as unknown as {
      Defuddle: (document: unknown, url: string) => Promise<{ content: string }>
    }
  ).Defuddle
  const text = wordsOf(parse)
  return async (html, url) => text((await run(parse(html).document, url)).content ?? '')
}

const furniture =
  'header, footer, nav, aside, .header, .top, .navbar, #header, .footer, .bottom, #footer, .sidebar, .side, .aside, ' +
  '#sidebar, .modal, .popup, #modal, .overlay, .ad, .ads, .advert, #ad, .lang-selector, .language, #language-selector, ' +
  '.social, .social-media, .social-links, #social, .menu, .navigation, #nav, .breadcrumbs, #breadcrumbs, .share, ' +
  '#share, .widget, #widget, .cookie, #cookie, .fc-decoration'

/** The rules of the service whose API we speak: remove what 42 selectors find, keep the rest. */
async function selectorRules(load: Load): Promise<Extract> {
  const parse = await linkedom(load)
  const service = await turndown(load)
  return (html) => {
    const { document } = parse(html)
    if (!document.documentElement) return ''
    for (const part of document.querySelectorAll('head, meta, noscript, style, script')) part.remove()
    for (const part of [...document.querySelectorAll(furniture)]) {
      if (!part.matches('#main') && !part.querySelector('#main')) part.remove()
    }
    return service.turndown(bodyOf(document))
  }
}

/** Ten lines that any program can afford: the main element, without HTML's own furniture. */
async function mainTag(load: Load): Promise<Extract> {
  const parse = await linkedom(load)
  const text = wordsOf(parse)
  return (html) => {
    const { document } = parse(html)
    if (!document.documentElement) return ''
    const root = document.querySelector('main, [role=main]') ?? document.body
    for (const part of [
      ...document.querySelectorAll('nav, header, footer, aside, form, script, style, noscript, dialog'),
    ]) {
      if (part !== root) part.remove()
    }
    return text(root.innerHTML)
  }
}

async function mdream(load: Load, name: string): Promise<Extract> {
  const convert = ((await load(name)) as unknown as { htmlToMarkdown: (html: string, options: object) => string })
    .htmlToMarkdown
  return (html, url) => convert(html, { minimal: true, frontmatter: false, origin: url })
}

async function htmlToMarkdown(load: Load): Promise<Extract> {
  const { convert } = (await load('@kreuzberg/html-to-markdown-node'))['default'] as unknown as {
    convert: (html: string, options: object) => { content?: string | null }
  }
  const preprocessing = { enabled: true, preset: 'Aggressive', removeNavigation: true, removeForms: true }
  return (html) => convert(html, { extractMetadata: false, preprocessing }).content ?? ''
}

async function semantic(load: Load): Promise<Extract> {
  const { convertHtmlToMarkdown } = (await load('dom-to-semantic-markdown')) as unknown as {
    convertHtmlToMarkdown: (html: string, options: object) => string
  }
  const parse = await linkedom(load)
  const overrideDOMParser = { parseFromString: (html: string) => parse(html).document }
  return (html) => convertHtmlToMarkdown(html, { extractMainContent: true, overrideDOMParser })
}

async function mizchi(load: Load): Promise<Extract> {
  const { extract, toMarkdown } = (await load('@mizchi/readability')) as unknown as {
    extract: (html: string, options: object) => { root: unknown }
    toMarkdown: (root: unknown) => string
  }
  return (html) => toMarkdown(extract(html, { charThreshold: 100 }).root)
}

async function mercury(load: Load): Promise<Extract> {
  const Parser = (await load('@jocmp/mercury-parser'))['default'] as unknown as {
    parse: (url: string, options: object) => Promise<{ content?: string | null }>
  }
  const text = wordsOf(await linkedom(load))
  return async (html, url) => text((await Parser.parse(url, { html, contentType: 'html' })).content ?? '')
}

async function webforai(load: Load): Promise<Extract> {
  const convert = ((await load('webforai')) as unknown as { htmlToMarkdown: (html: string, options: object) => string })
    .htmlToMarkdown
  return (html, url) => convert(html, { baseUrl: url })
}

async function extractus(load: Load): Promise<Extract> {
  const { extractFromHtml } = (await load('@extractus/article-extractor')) as unknown as {
    extractFromHtml: (html: string, url: string) => Promise<{ content?: string } | null>
  }
  const text = wordsOf(await linkedom(load))
  return async (html, url) => text((await extractFromHtml(html, url))?.content ?? '')
}

async function allWords(load: Load): Promise<Extract> {
  const text = wordsOf(await linkedom(load))
  return (html) => text(html.replace(/<head[\s>][^]*?<\/head>/i, ''))
}
