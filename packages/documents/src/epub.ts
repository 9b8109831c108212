// Reads books: the chapters in the order of the spine, as one page.
import { chapterHtml, type Chapter } from './epub-chapter.ts'
import type { Converting } from './converting.ts'
import { factsOf, type Converted, type Facts } from './facts.ts'
import { damaged, encrypted, quotedName } from './refuse.ts'
import { resolvePart } from './relations.ts'
import { partReader } from './xml/parts.ts'
import { at, childrenOf, elementsIn, findAll, textIn, type XmlElement } from './xml/tree.ts'
import { openZip } from './zip/zip.ts'

type Open = (name: string) => XmlElement | undefined

interface Item {
  readonly path: string
  readonly type: string
  readonly properties: string
}

/**
 * Reads an EPUB book in the order of its chapters. Throws `unsupported_file` if it is damaged or encrypted, and
 * `response_too_large` or `page_too_complex` if it exceeds the limits; chapters beyond `limits.entries` are omitted with a
 * warning.
 */
export function readEpub(bytes: Uint8Array, work: Converting): Converted {
  const { warn } = work
  const part: Open = partReader(openZip(bytes, work.limits), work)
  const path = packagePath(part)
  const book = part(path)
  if (!book) throw damaged('it contains no list of chapters')
  const items = itemsOf(book, path)
  const titles = titlesOf(book, items, part)
  const listed = spineOf(book, items)
  const all = eachOnce(listed)
  const chapters = all.slice(0, work.limits.entries)
  if (all.length < listed.length) warn(repeats(listed.length - all.length))
  if (chapters.length < all.length)
    warn(
      `The book lists ${all.length} chapters; those after ${chapters.length} are left out. Raise limits.entries to read them.`,
    )
  if (isLocked(part, chapters)) throw encrypted()
  const order = new Map(chapters.map(({ path: name }, index) => [name, index + 1]))
  const parts = chapters.map(({ path: name }, index) => {
    const root = part(name)
    if (!root) warn(`The chapter ${quotedName(name)} is missing from the file.`)
    const chapter: Chapter = { path: name, number: index + 1, order, title: titles.get(name) }
    return root ? chapterHtml(root, chapter) : ''
  })
  return { html: parts.join(''), facts: { ...factsOfBook(book), numChapters: chapters.length } }
}

/** Drops repeated chapters. No real book repeats one, but a small malicious one could do so very often. */
function eachOnce(chapters: readonly Item[]): readonly Item[] {
  return [...new Map(chapters.map((chapter) => [chapter.path, chapter])).values()]
}

function repeats(count: number): string {
  return `The book lists chapters again that it listed before; ${count} ${count === 1 ? 'repeat is' : 'repeats are'} left out.`
}

function packagePath(part: Open): string {
  const [root] = findAll(
    part('META-INF/container.xml') ?? { name: '', attributes: {}, children: [] },
    'container:rootfile',
  )
  return resolvePart('', root?.attributes['full-path'] ?? 'content.opf')
}

function itemsOf(book: XmlElement, from: string): ReadonlyMap<string, Item> {
  return new Map(
    childrenOf(at(book, 'opf:manifest'), 'opf:item').map(({ attributes }) => [
      attributes['id'] ?? '',
      {
        path: resolvePart(from, attributes['href'] ?? ''),
        type: attributes['media-type'] ?? '',
        properties: attributes['properties'] ?? '',
      },
    ]),
  )
}

/** Returns the chapters in reading order, without a table of contents, which would repeat the headings. */
function spineOf(book: XmlElement, items: ReadonlyMap<string, Item>): readonly Item[] {
  return childrenOf(at(book, 'opf:spine'), 'opf:itemref')
    .map(({ attributes }) => items.get(attributes['idref'] ?? ''))
    .filter((item) => item !== undefined)
    .filter(({ type, properties }) => /html|xml/.test(type) && !properties.split(' ').includes('nav'))
}

/**
 * Returns the titles of chapters from the table of contents of EPUB 3 or EPUB 2. If several entries link to a chapter, the
 * first counts.
 */
function titlesOf(book: XmlElement, items: ReadonlyMap<string, Item>, part: Open): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  const keep = (from: string, target: string | undefined, title: string): void => {
    const path = target === undefined ? '' : resolvePart(from, target)
    const text = title.replaceAll(/\s+/g, ' ').trim()
    if (path !== '' && text !== '' && !titles.has(path)) titles.set(path, text)
  }
  for (const { path, type, properties } of new Map([...items.values()].map((item) => [item.path, item])).values()) {
    const isNav = properties.split(' ').includes('nav')
    if (!isNav && type !== 'application/x-dtbncx+xml') continue
    const root = part(path)
    for (const element of root ? elementsIn(root) : []) {
      if (isNav && element.name === 'a') keep(path, element.attributes['href'], textIn(element))
      if (element.name === 'ncx:navPoint') {
        keep(path, at(element, 'ncx:content').attributes['src'], textIn(at(element, 'ncx:navLabel')))
      }
    }
  }
  return titles
}

/** Returns whether a chapter is encrypted. Encrypted fonts alone do not count: books without DRM may obfuscate them. */
function isLocked(part: Open, chapters: readonly Item[]): boolean {
  const list = part('META-INF/encryption.xml')
  if (!list) return false
  const locked = new Set(
    [...elementsIn(list)].map(({ attributes }) => attributes['URI']).filter((uri) => uri !== undefined),
  )
  return chapters.some(({ path }) => locked.has(path))
}

function factsOfBook(book: XmlElement): Facts {
  const metadata = at(book, 'opf:metadata')
  const allOf = (name: string): string => childrenOf(metadata, name).map(textIn).join(', ')
  const first = (name: string): string => textIn(at(metadata, name))
  const modified = childrenOf(metadata, 'opf:meta').find(
    ({ attributes }) => attributes['property'] === 'dcterms:modified',
  )
  return factsOf({
    title: first('dc:title'),
    author: allOf('dc:creator'),
    description: first('dc:description'),
    keywords: allOf('dc:subject'),
    language: first('dc:language'),
    publisher: first('dc:publisher'),
    publishedTime: first('dc:date'),
    modifiedTime: textIn(modified),
  })
}
