import type { Element } from '../tree/tree.ts'
import { bounds, shorten, type DataBuilder } from './builder.ts'
import { wordsOf } from './annotations.ts'
import type { DataMethod, DataTable, LabelledValue } from './types.ts'

// Collects labels and their values: two-cell table rows, definition lists, `<b>Label:</b> value`, and tables with a
// header row.

const maxLabelLength = 60
const maxValueLength = 500

export interface Labels {
  readonly labelled: readonly LabelledValue[]
  readonly tables: readonly DataTable[]
}

/**
 * Returns values with a visible label, from definition lists, tables and similar markup, and tables with a header row. Labels
 * of more than 60 characters and values of more than 500 are skipped, as well as tables of more than 1,000 rows.
 */
export function collectLabels(elements: readonly Element[], builder: DataBuilder): Labels {
  const labelled: LabelledValue[] = []
  const tables: DataTable[] = []
  const add = (label: string, value: Element | string, element: Element, method: DataMethod): void => {
    const words = typeof value === 'string' ? value.trim() : wordsOf(value)
    const name = tidyLabel(label)
    if (name === '' || words === '' || name.length > maxLabelLength || words.length > maxValueLength) return
    if (labelled.length >= bounds.labelled) return
    const source = builder.sourceOf(element, method)
    if (source !== undefined) labelled.push({ label: name, value: shorten(words), source })
  }
  for (const element of elements) {
    if (element.name === 'dl') readDefinitions(element, add)
    else if (element.name === 'table') readTable(element, builder, tables, add)
    else if (mayHoldPair.has(element.name)) readPair(element, add)
  }
  return { labelled, tables }
}

type Add = (label: string, value: Element | string, element: Element, method: DataMethod) => void

function tidyLabel(label: string): string {
  return label.replace(/[\s:：]+$/, '').replace(/^[\s•·–-]+/, '')
}

function readDefinitions(list: Element, add: Add): void {
  let term = ''
  for (const child of childrenOf(list)) {
    // Groups of terms may be wrapped in a `<div>`.
    const group = child.name === 'div' ? childrenOf(child) : [child]
    for (const part of group) {
      if (part.name === 'dt') term = wordsOf(part)
      else if (part.name === 'dd' && term !== '') {
        add(term, part, part, 'definition-list')
      }
    }
  }
}

function readTable(table: Element, builder: DataBuilder, tables: DataTable[], add: Add): void {
  const rows = rowsOf(table)
  if (rows.length === 0 || rows.length > bounds.rows) return
  const cells = rows.map(childrenOf)
  const isHead = (row: readonly Element[]): boolean => row.length > 1 && row.every(({ name }) => name === 'th')
  if (isHead(cells[0]!)) {
    const source = tables.length < bounds.tables ? builder.sourceOf(table, 'table') : undefined
    const columns = cells[0]!.map(wordsOf)
    const data = cells.slice(1).filter((row) => row.length === columns.length)
    if (source !== undefined && columns.length <= bounds.columns && data.length > 0) {
      const caption = childrenOf(table).find(({ name }) => name === 'caption')
      tables.push({
        source,
        caption: caption ? wordsOf(caption) : '',
        columns,
        rows: data.map((row) => row.map(wordsOf)),
      })
    }
    if (columns.length > 2) return
  }
  const pairs = cells.filter((row) => row.length === 2)
  const hasLabels = pairs.length === cells.length && pairs.every(([label]) => wordsOf(label!).length <= maxLabelLength)
  for (const [label, value] of pairs) {
    if (label!.name === 'th' ? value!.name === 'td' : hasLabels) add(wordsOf(label!), value!, value!, 'table')
  }
}

function rowsOf(table: Element): Element[] {
  return childrenOf(table).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot'
      ? childrenOf(child).filter(({ name }) => name === 'tr')
      : []
  })
}

const mayHoldPair = new Set(['li', 'p', 'div', 'span', 'td'])
const labelTags = new Set(['b', 'strong', 'span', 'label', 'em', 'div', 'h3', 'h4', 'h5', 'h6', 'p'])
const maxParts = 6

/**
 * Reads `<b>Label:</b> value`, `<span>Label</span><span>value</span>` if the class names match, or plain `Label:
 * value`.
 */
function readPair(element: Element, add: Add): void {
  const { first } = element
  if (!first || !isShort(element)) return
  const parts = childrenOf(element)
  const [label, value, ...more] = parts
  if (!label) {
    const found =
      first.type === 'text' && first === element.last ? /^\s*([^:]{2,40}):\s+(\S.*)$/s.exec(first.text) : null
    if (found && !/[.!?]\s/.test(found[1]!)) add(found[1]!, found[2]!.replaceAll(/\s+/g, ' '), element, 'label')
    return
  }
  if (!labelTags.has(label.name) || firstWords(element) !== label) return
  const words = wordsOf(label)
  if (words.length > maxLabelLength) return
  const isMarked = words.endsWith(':') || isColon(label.next)
  const isPair = value !== undefined && more.length === 0 && isLabelClass(label) && isValueClass(value)
  if (!isMarked && !isPair) return
  const rest = wordsOf(element)
    .slice(words.length)
    .replace(/^[\s:：]+/, '')
  // Two labels in one element mean prose, or a list written as prose.
  if (rest.includes(':') && parts.length > 2 && /:\s*$/.test(wordsOf(value ?? label))) return
  add(words, rest, element, 'label')
}

function isColon(node: Element['next']): boolean {
  return node?.type === 'text' && /^\s*[:：]/.test(node.text)
}

function isLabelClass({ attributes }: Element): boolean {
  return /label|name|title|key|term|heading/i.test(attributes['class'] ?? '')
}

function isValueClass({ attributes }: Element): boolean {
  return /value|data|content|text|desc|info/i.test(attributes['class'] ?? '')
}

/** Returns the first child element, unless text precedes it. */
function firstWords(element: Element): Element | undefined {
  for (let child = element.first; child; child = child.next) {
    if (child.type === 'element') return child
    if (/\S/.test(child.text)) return undefined
  }
  return undefined
}

/** Returns whether an element has few and short parts. The check itself is cheap for elements of any size. */
function isShort(element: Element): boolean {
  let parts = 0
  let length = 0
  for (let child = element.first; child; child = child.next) {
    if (++parts > maxParts) return false
    if (child.type === 'text') length += child.text.length
    else {
      if (child.name === 'table' || child.name === 'ul' || child.name === 'dl') return false
      for (let inner = child.first; inner; inner = inner.next) {
        if (++parts > maxParts * 3) return false
        if (inner.type === 'text') length += inner.text.length
      }
    }
    if (length > maxValueLength * 2) return false
  }
  return true
}

function childrenOf(element: Element): Element[] {
  const found: Element[] = []
  for (let child = element.first; child; child = child.next) if (child.type === 'element') found.push(child)
  return found
}
