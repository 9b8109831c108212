// Converts a chapter of a book to HTML. Chapters are XHTML, with their own empty elements and links between files.
import { link, picture } from './html/blocks.ts'
import { resolvePart } from './relations.ts'
import { escapeText, escapeValue } from './xml/entities.ts'
import { childOf, elementsIn, textIn, type XmlElement } from './xml/tree.ts'

export interface Chapter {
  readonly path: string
  readonly number: number
  /** Index of each chapter by its path. */
  readonly order: ReadonlyMap<string, number>
  /** Title in the table of contents. */
  readonly title: string | undefined
}

/**
 * Converts a chapter to HTML. Its title in the table of contents becomes a heading if the chapter has none. Pictures become
 * their descriptions, and links inside the book become text unless they are as short as those of notes.
 */
export function chapterHtml(root: XmlElement, chapter: Chapter): string {
  const body = childOf(root, 'body') ?? root
  const html = body.children
    .map((child) => (typeof child === 'string' ? escapeText(child) : write(child, chapter)))
    .join('')
  const isTitled = [...elementsIn(body)].some(({ name }) => /^h[1-6]$/.test(name))
  const title = isTitled || chapter.title === undefined ? '' : `<h2>${escapeText(chapter.title)}</h2>`
  // Links of other chapters may refer to the id of the `body` element.
  return `<div${idOf(body, chapter)}>${title}${html}</div>`
}

const dropped: ReadonlySet<string> = new Set([
  'head',
  'script',
  'style',
  'link',
  'meta',
  'iframe',
  'object',
  'audio',
  'video',
  'template',
])
const empty: ReadonlySet<string> = new Set(['br', 'hr', 'wbr', 'col'])
// Attributes that the Markdown writer uses.
const usedAttributes: ReadonlySet<string> = new Set([
  'class',
  'colspan',
  'rowspan',
  'start',
  'value',
  'reversed',
  'lang',
  'title',
  'type',
  'role',
  'display',
  'encoding',
  'alttext',
  'hidden',
  'dir',
])

function write(element: XmlElement, chapter: Chapter): string {
  const name = element.name.replace(/^math:/, '')
  if (dropped.has(name)) return ''
  if (name === 'img' || name === 'image') return picture(element.attributes['alt'])
  if (name === 'svg' || name.startsWith('svg:'))
    return picture(textIn(childOf(element, element.name.replace('svg', 'title'))))
  if (!/^[a-z][a-z\d]*$/.test(name)) return inside(element, chapter)
  if (empty.has(name)) return `<${name}>`
  if (name === 'a') return anchor(element, chapter)
  return `<${name}${attributesOf(element)}${idOf(element, chapter)}>${inside(element, chapter)}</${name}>`
}

function inside(element: XmlElement, chapter: Chapter): string {
  return element.children
    .map((child) => (typeof child === 'string' ? escapeText(child) : write(child, chapter)))
    .join('')
}

function attributesOf({ attributes }: XmlElement): string {
  return Object.entries(attributes)
    .filter(([name]) => usedAttributes.has(name))
    .map(([name, value]) => ` ${name}="${escapeValue(value)}"`)
    .join('')
}

function idOf({ attributes }: XmlElement, { number }: Chapter): string {
  const id = attributes['id']
  return id === undefined ? '' : ` id="${escapeValue(nameOf(number, id))}"`
}

/** Makes an id unique, because two chapters may use the same one. */
function nameOf(chapter: number, id: string): string {
  return `c${chapter}-${id}`
}

const maxMark = 8

/** Converts links inside the book to plain text, except note links, which the Markdown writer handles. */
function anchor(element: XmlElement, chapter: Chapter): string {
  const { href } = element.attributes
  const html = inside(element, chapter)
  const id = idOf(element, chapter)
  const inBook = href === undefined ? undefined : placeIn(href, chapter)
  if (inBook === undefined) {
    const linked = link(href, html)
    return id === '' ? linked : `<span${id}>${linked}</span>`
  }
  if (textIn(element).trim().length > maxMark) return id === '' ? html : `<span${id}>${html}</span>`
  return `<a href="#${escapeValue(inBook)}"${id}>${html}</a>`
}

function placeIn(href: string, { path, number, order }: Chapter): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) return undefined
  const [file = '', id] = href.split('#', 2)
  const target = file === '' ? number : order.get(resolvePart(path, file))
  return target === undefined || id === undefined ? undefined : nameOf(target, id)
}
