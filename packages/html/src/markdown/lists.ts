import type { Element, Node } from '../tree/tree.ts'
import { deepest, writeChildren, writeNode } from './descend.ts'
import { isBlankText, isEmpty } from './look.ts'
import { enter, flush, gapBefore, leave, type ElementWriter, type Sheet } from './sheet.ts'

/** A list that is being written. */
interface List {
  readonly kind: 'bullets' | 'numbers'
  /** The bullet, or the character after the number. */
  readonly marker: string
  /** Whether an item contains paragraphs, so that empty lines separate all items. */
  readonly loose: boolean
  number: number
  readonly step: number
  written: number
  /** Indentation of the last item's content. */
  indent: string
}

/** Writes a bulleted or numbered list, with nested lists indented. */
export const writeList: ElementWriter = (sheet, element) => {
  flush(sheet)
  const list = makeList(sheet, element)
  writeItems(sheet, element, list)
  flush(sheet)
  finishList(sheet, list)
}

function makeList(sheet: Sheet, element: Element): List {
  const isOrdered = element.name === 'ol'
  const kind = isOrdered ? 'numbers' : 'bullets'
  const isReversed = element.attributes.reversed !== undefined
  const first = Number.parseInt(element.attributes.start ?? '', 10)
  return {
    kind,
    marker: markerBeside(sheet, kind),
    loose: isLoose(element),
    number: Number.isNaN(first) ? (isReversed ? countItems(element) : 1) : first,
    step: isReversed ? -1 : 1,
    written: 0,
    indent: '',
  }
}

/** Returns the list's marker. Adjacent lists need different ones, or Markdown would merge them. */
function markerBeside(sheet: Sheet, kind: List['kind']): string {
  const isBeside = sheet.lastBlock === kind
  if (kind === 'numbers') return isBeside && sheet.lastMarker === '.' ? ')' : '.'
  return isBeside && sheet.lastMarker === '-' ? '*' : '-'
}

function finishList(sheet: Sheet, list: List): void {
  if (list.written === 0) return
  sheet.lastBlock = list.kind
  sheet.lastMarker = list.marker
}

function writeItems(sheet: Sheet, parent: Element, list: List): void {
  for (let child = parent.first; child; child = child.next) writeMember(sheet, child, list)
}

function writeMember(sheet: Sheet, node: Node, list: List): void {
  if (sheet.leftOut.has(node) || isBlankText(node)) return
  if (sheet.footnotes?.labels.has(node)) writeNode(sheet, node)
  else if (node.type === 'element' && node.name === 'li') writeItem(sheet, node, list)
  else if (node.type === 'element' && isList(node)) writeBeside(sheet, list, () => writeNode(sheet, node))
  else if (node.type === 'element' && holdsItems(node) && sheet.depth < deepest) writeWrapped(sheet, node, list)
  else if (!isSilent(node)) writeBeside(sheet, list, () => writeNode(sheet, node))
}

/** Writes items in a wrapper element inside the list. */
function writeWrapped(sheet: Sheet, box: Element, list: List): void {
  sheet.depth++
  writeItems(sheet, box, list)
  sheet.depth--
}

const silent: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'link', 'meta'])

function isSilent(node: Node): boolean {
  return node.type === 'element' && silent.has(node.name)
}

function isList(element: Element): boolean {
  return element.name === 'ul' || element.name === 'ol' || element.name === 'menu' || element.name === 'dir'
}

function holdsItems(element: Element): boolean {
  for (let child = element.first; child; child = child.next) {
    if (child.type === 'element') return child.name === 'li'
  }
  return false
}

function writeItem(sheet: Sheet, node: Element, list: List): void {
  flush(sheet)
  const marker = nextMarker(node, list)
  const gap = gapOf(sheet, list)
  const { lead } = sheet
  const indent = ' '.repeat(marker.length)
  const outer = enter(sheet, gap, marker + taskMark(node), indent)
  sheet.tight = !list.loose
  writeChildren(sheet, node)
  flush(sheet)
  list.number += list.step
  if (!leave(sheet, outer, 'item')) {
    // Keeps empty items between others, but not those whose content was removed.
    if (list.written === 0 || !isEmpty(node)) return
    sheet.out.push(gap + lead + marker.trimEnd())
    sheet.lead = sheet.prefix
  }
  list.written++
  list.indent = indent
}

function nextMarker(node: Element, list: List): string {
  if (list.kind === 'bullets') return `${list.marker} `
  const value = Number.parseInt(node.attributes.value ?? '', 10)
  if (!Number.isNaN(value)) list.number = value
  return `${Math.min(Math.max(list.number, 0), 999_999_999)}${list.marker} `
}

function gapOf(sheet: Sheet, list: List): string {
  if (list.written > 0) return list.loose ? `\n${sheet.blank}\n` : '\n'
  // Only a list that starts with 1 may directly follow a paragraph.
  const mayFollow = list.kind === 'numbers' && list.number === 1 && sheet.lastBlock === 'paragraph'
  return mayFollow && sheet.tight ? '\n' : gapBefore(sheet, list.kind)
}

// Content between the items belongs to the item before it.
function writeBeside(sheet: Sheet, list: List, write: () => void): void {
  if (list.written === 0) return write()
  flush(sheet)
  const outer = enter(sheet, '', '', list.indent)
  Object.assign(sheet, { lead: sheet.prefix, fresh: false, lastBlock: 'item', tight: !list.loose })
  write()
  flush(sheet)
  leave(sheet, outer, 'item')
}

/** Writes an item outside a list as a list. */
export const writeOrphanItem: ElementWriter = (sheet, element) => {
  flush(sheet)
  const isNext = sheet.lastBlock === 'bullets' && hasItemBefore(element)
  const list: List = {
    kind: 'bullets',
    marker: isNext ? sheet.lastMarker : markerBeside(sheet, 'bullets'),
    loose: false,
    number: 1,
    step: 1,
    written: isNext ? 1 : 0,
    indent: '',
  }
  writeItem(sheet, element, list)
  finishList(sheet, list)
}

function hasItemBefore(element: Element): boolean {
  let before = element.previous
  while (before && isBlankText(before)) before = before.previous
  return before?.type === 'element' && before.name === 'li'
}

function isLoose(list: Element): boolean {
  for (let item = list.first; item; item = item.next) {
    if (item.type !== 'element' || item.name !== 'li') continue
    for (let child = item.first; child; child = child.next) {
      if (child.type === 'element' && child.name === 'p') return true
    }
  }
  return false
}

function countItems(list: Element): number {
  let count = 0
  for (let item = list.first; item; item = item.next) if (item.type === 'element' && item.name === 'li') count++
  return count
}

const aroundBoxes: ReadonlySet<string> = new Set(['label', 'p', 'span', 'div'])

/** Returns `[x] ` or `[ ] ` for an item that starts with a checkbox. */
function taskMark(item: Element): string {
  let node: Node | null = item.first
  while (node) {
    if (isBlankText(node)) node = node.next
    else if (node.type !== 'element') return ''
    else if (node.name === 'input') return boxMark(node)
    else if (aroundBoxes.has(node.name)) node = node.first
    else return ''
  }
  return ''
}

function boxMark({ attributes }: Element): string {
  if (attributes.type?.toLowerCase() !== 'checkbox') return ''
  return attributes.checked === undefined ? '[ ] ' : '[x] '
}
