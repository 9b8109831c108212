import type { Element } from '../tree/tree.ts'
import { destination, resolve } from './address.ts'
import { writeChildren } from './descend.ts'
import { footnotesOf, mayRefer } from './footnotes.ts'
import { writtenTitle } from './images.ts'
import { findMatching, isBlankText, shapeOf, shownText, type LeftOut } from './look.ts'
import { addMark, endMark, pushRaw } from './run.ts'
import { setRoom, type ElementWriter, type Sheet } from './sheet.ts'
import { isSkipLink } from './skip-links.ts'
import { pushText } from './text.ts'

/**
 * Writes a link. Skip links and permalinks are omitted; links without a target, in other links or to scripts are
 * written as text.
 */
export const writeLink: ElementWriter = (sheet, element) => {
  const { href } = element.attributes
  const { run } = sheet
  if (href === undefined || run.inLink) return writeChildren(sheet, element)
  const url = resolve(sheet.base, href)
  if (isScript(url)) return writeChildren(sheet, element)
  sheet.links++
  if (isSkipLink(element, href, sheet.links) || isPermalink(sheet, element, href)) return
  if (mayRefer(element, href) && writeReference(sheet, element)) return
  if (writeAutolink(sheet, element, href, url)) return
  const isText = element.first?.type === 'text' && !element.first.next && !isBlankText(element.first)
  if (!isText && writeUnseen(sheet, element, url)) return
  run.inLink = true
  if (isText) writeText(sheet, element, url)
  else if (sheet.room === 'flow' && shapeOf(element) === 'rich') writeRich(sheet, element, url)
  else writeLines(sheet, element, url)
  run.inLink = false
}

function writeReference(sheet: Sheet, link: Element): boolean {
  const label = footnotesOf(sheet).references.get(link)
  if (label === undefined) return false
  pushRaw(sheet.run, `[^${label}]`)
  return true
}

/** Returns whether a resolved URL (`resolve`), in which nothing hides the scheme, runs code or contains data. */
export function isScript(url: string): boolean {
  const first = url.charCodeAt(0)
  // Fast path: nearly all URLs start with `/`, `#` or `h`.
  return first !== 47 && first !== 35 && first !== 104 && /^[\s\u0000-\u001f]*(?:javascript|data|vbscript):/i.test(url)
}

function closing(sheet: Sheet, element: Element, url: string): string {
  const { title } = element.attributes
  const titled = title === undefined ? '' : writtenTitle(sheet, title, shownText(element).trim())
  return `](${destination(url)}${titled})`
}

function writeText(sheet: Sheet, element: Element, url: string): void {
  addMark(sheet.run, 0, '[', closing(sheet, element, url))
  writeChildren(sheet, element)
  endMark(sheet.run)
}

/** Escapes line breaks inside, so that the link stays in one piece. */
function writeLines(sheet: Sheet, element: Element, url: string): void {
  const { room } = sheet
  if (room === 'flow') setRoom(sheet, 'link')
  writeText(sheet, element, url)
  setRoom(sheet, room)
}

// Markdown has no links around headings, lists or figures. The heading inside becomes the link, or else the first line;
// the rest is written without a link.
function writeRich(sheet: Sheet, element: Element, url: string): void {
  const end = closing(sheet, element, url)
  const { carried } = sheet
  if (hasHeading(element, sheet.leftOut)) {
    sheet.carried = { opening: '[', closing: end }
    writeChildren(sheet, element)
    sheet.carried = carried
    return
  }
  addMark(sheet.run, 0, '[', end, true)
  writeChildren(sheet, element)
  endMark(sheet.run)
}

/** Writes `<https://…>` if the link's text equals its URL or e-mail. */
function writeAutolink(sheet: Sheet, element: Element, href: string, url: string): boolean {
  const text = linkTextIn(element)
  if (text === '' || (element.attributes.title !== undefined && element.attributes.title !== text)) return false
  const isUrl =
    (isSameUrl(text, href) || isSameUrl(text, url)) && /^[a-z][a-z0-9+.-]{1,31}:[^\s<>|`\u0000-\u001f]+$/i.test(text)
  const isMail =
    href.startsWith('mailto:') && href.slice(7) === text && /^[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text)
  if (!isUrl && !isMail) return false
  pushRaw(sheet.run, `<${text}>`)
  return true
}

/** Returns the only text node in a link, at any depth, if it may be a URL or an e-mail. */
function linkTextIn(element: Element): string {
  let node = element.first
  while (node?.type === 'element' && !node.next && transparent.has(node.name)) node = node.first
  if (!node || node.next || node.type !== 'text') return ''
  const text = node.text.trim()
  return /[:@]/.test(text) ? text : ''
}

const transparent: ReadonlySet<string> = new Set(['span', 'font', 'bdi', 'u'])

/** Returns whether two URLs are equal except for a trailing slash. */
function isSameUrl(one: string, other: string): boolean {
  return one === other || `${one}/` === other || one === `${other}/`
}

/**
 * Handles links without text or image, and returns false for others. Uses the ARIA label; without one, links that
 * contain only an icon are dropped. Fragment links are always dropped.
 */
function writeUnseen(sheet: Sheet, element: Element, url: string): boolean {
  if (element.first && !isWordless(element)) return false
  const name = element.attributes['aria-label']?.trim() ?? ''
  if (url.startsWith('#') || (name === '' && element.first)) return true
  if (name === '') pushRaw(sheet.run, `[](${destination(url)})`)
  else writeNamed(sheet, name, url)
  return true
}

function writeNamed({ run }: Sheet, name: string, url: string): void {
  addMark(run, 0, '[', `](${destination(url)})`)
  run.inLink = true
  pushText(run, name)
  run.inLink = false
  endMark(run)
}

const pictures: ReadonlySet<string> = new Set(['img', 'math', 'mjx-container', 'script', 'input'])

function isWordless(link: Element): boolean {
  if (findMatching(link, ({ name }) => pictures.has(name))) return false
  return !/[^\s\u200b\ufeff]/.test(shownText(link))
}

const signsOfPermalinks = /^(?:[¶#§🔗⚓\s]|\uFE0E|\uFE0F|\u200B)*$/u

/** Returns whether this is the permalink icon of a heading. */
function isPermalink(sheet: Sheet, element: Element, href: string): boolean {
  if (sheet.room !== 'heading' || !href.startsWith('#') || href === '#') return false
  const text = shownText(element)
  return text.length < 8 && signsOfPermalinks.test(text)
}

const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

function hasHeading(link: Element, leftOut: LeftOut): boolean {
  const counts = (element: Element): boolean => headings.has(element.name) && element.first !== null
  return findMatching(link, (element) => counts(element) && !leftOut.has(element)) !== undefined
}
