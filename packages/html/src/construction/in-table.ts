// Repairs tables: adds missing tbody, tr and colgroup elements, closes cells and rows by implication, and moves content
// that is not allowed between cells to before the table. A rule returns true if the tag must be processed again in the
// new mode.

import {
  clearFormatting,
  currentIs,
  inTableScope,
  insert,
  open,
  pop,
  popImplied,
  popTo,
  popUntil,
  remember,
  resetMode,
  type Builder,
} from './builder.ts'
import { applyEnd } from './end-tags.ts'
import { applyStart, closeTemplate, insertMetadata, openTemplate, type StartTag } from './start-tags.ts'
import { BODY_CONTEXT, ROW_CONTEXT, TABLE_SCOPE, tagOf, type Tag } from './tag-table.ts'

const cells = new Set(['td', 'th'])
const sections = new Set(['tbody', 'thead', 'tfoot'])
const parts = new Set(['caption', 'col', 'colgroup', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'])

function openMarked(b: Builder, { tag, attributes }: StartTag): void {
  open(b, tag, attributes)
  remember(b, null)
}

function fostered(b: Builder, act: () => void): false {
  b.fostering = true
  act()
  b.fostering = false
  return false
}

function openImplied(b: Builder, name: string): void {
  open(b, tagOf(name), undefined)
}

/** Handles a start tag in the `in table` mode. Returns whether the new mode must handle the tag again. */
export function startInTable(b: Builder, start: StartTag): boolean {
  const { tag, attributes } = start
  if (parts.has(tag.name)) return startTablePart(b, start)
  if (tag.name === 'table') {
    if (!inTableScope(b, 'table')) return false
    closeTable(b)
    return true
  }
  if (tag.name === 'style' || tag.name === 'script') insertMetadata(b, start)
  else if (tag.name === 'template') openTemplate(b, start)
  else if (tag.name === 'input' && attributes?.['type']?.toLowerCase() === 'hidden') insert(b, tag, attributes)
  else if (tag.name === 'form') {
    if (!b.form && b.templateModes.length === 0) b.form = insert(b, tag, attributes)
  } else return fostered(b, () => applyStart(b, start))
  return false
}

function startTablePart(b: Builder, start: StartTag): boolean {
  const { name } = start.tag
  popTo(b, TABLE_SCOPE)
  if (name === 'caption') {
    openMarked(b, start)
    b.mode = 'caption'
    return false
  }
  if (name === 'colgroup' || name === 'col') {
    b.mode = 'column group'
    if (name === 'colgroup') open(b, start.tag, start.attributes)
    else openImplied(b, 'colgroup')
    return name === 'col'
  }
  b.mode = 'table body'
  if (sections.has(name)) open(b, start.tag, start.attributes)
  else openImplied(b, 'tbody')
  return !sections.has(name)
}

function closeTable(b: Builder): void {
  popUntil(b, 'table')
  resetMode(b)
}

/** Handles an end tag in the `in table` mode. Returns false, as no other mode must handle the tag again. */
export function endInTable(b: Builder, tag: Tag): boolean {
  if (tag.name === 'table') {
    if (inTableScope(b, 'table')) closeTable(b)
  } else if (tag.name === 'template') closeTemplate(b)
  else if (tag.kind !== 'table part') fostered(b, () => applyEnd(b, tag))
  return false
}

function leaveSection(b: Builder): boolean {
  if (!inTableScope(b, 'tbody') && !inTableScope(b, 'thead') && !inTableScope(b, 'tfoot')) return false
  popTo(b, BODY_CONTEXT)
  pop(b)
  b.mode = 'table'
  return true
}

/** Handles a start tag in the `in table body` mode. Returns whether the new mode must handle the tag again. */
export function startInTableBody(b: Builder, start: StartTag): boolean {
  const { name } = start.tag
  if (name === 'tr' || cells.has(name)) {
    popTo(b, BODY_CONTEXT)
    if (name === 'tr') open(b, start.tag, start.attributes)
    else openImplied(b, 'tr')
    b.mode = 'row'
    return name !== 'tr'
  }
  return parts.has(name) ? leaveSection(b) : startInTable(b, start)
}

/** Handles an end tag in the `in table body` mode. Returns whether the new mode must handle the tag again. */
export function endInTableBody(b: Builder, tag: Tag): boolean {
  if (sections.has(tag.name)) {
    if (inTableScope(b, tag.name)) leaveSection(b)
    return false
  }
  return tag.name === 'table' ? leaveSection(b) : endInTable(b, tag)
}

function leaveRow(b: Builder): boolean {
  if (!inTableScope(b, 'tr')) return false
  popTo(b, ROW_CONTEXT)
  pop(b)
  b.mode = 'table body'
  return true
}

/** Handles a start tag in the `in row` mode. Returns whether the new mode must handle the tag again. */
export function startInRow(b: Builder, start: StartTag): boolean {
  if (cells.has(start.tag.name)) {
    popTo(b, ROW_CONTEXT)
    openMarked(b, start)
    b.mode = 'cell'
    return false
  }
  return parts.has(start.tag.name) ? leaveRow(b) : startInTable(b, start)
}

/** Handles an end tag in the `in row` mode. Returns whether the new mode must handle the tag again. */
export function endInRow(b: Builder, tag: Tag): boolean {
  if (tag.name === 'tr') {
    leaveRow(b)
    return false
  }
  if (tag.name === 'table') return leaveRow(b)
  if (sections.has(tag.name)) return inTableScope(b, tag.name) && leaveRow(b)
  return endInTable(b, tag)
}

function closeCell(b: Builder, name: string): void {
  popImplied(b)
  popUntil(b, name)
  clearFormatting(b)
  b.mode = 'row'
}

function leaveCell(b: Builder): boolean {
  const name = inTableScope(b, 'td') ? 'td' : 'th'
  if (name === 'th' && !inTableScope(b, 'th')) return false
  closeCell(b, name)
  return true
}

/** Handles a start tag in the `in cell` mode. Returns whether the new mode must handle the tag again. */
export function startInCell(b: Builder, start: StartTag): boolean {
  if (parts.has(start.tag.name)) return leaveCell(b)
  applyStart(b, start)
  return false
}

/** Handles an end tag in the `in cell` mode. Returns whether the new mode must handle the tag again. */
export function endInCell(b: Builder, tag: Tag): boolean {
  if (cells.has(tag.name)) {
    if (inTableScope(b, tag.name)) closeCell(b, tag.name)
    return false
  }
  if (tag.name === 'table' || tag.name === 'tr' || sections.has(tag.name)) {
    return inTableScope(b, tag.name) && leaveCell(b)
  }
  applyEnd(b, tag)
  return false
}

function leaveCaption(b: Builder): boolean {
  if (!inTableScope(b, 'caption')) return false
  popImplied(b)
  popUntil(b, 'caption')
  clearFormatting(b)
  b.mode = 'table'
  return true
}

/** Handles a start tag in the `in caption` mode. Returns whether the new mode must handle the tag again. */
export function startInCaption(b: Builder, start: StartTag): boolean {
  if (parts.has(start.tag.name)) return leaveCaption(b)
  applyStart(b, start)
  return false
}

/** Handles an end tag in the `in caption` mode. Returns whether the new mode must handle the tag again. */
export function endInCaption(b: Builder, tag: Tag): boolean {
  if (tag.name === 'caption') leaveCaption(b)
  else if (tag.name === 'table') return leaveCaption(b)
  else applyEnd(b, tag)
  return false
}

/**
 * Closes the current `colgroup` and returns to the `in table` mode. Returns false if the current element is another
 * one.
 */
export function leaveColumnGroup(b: Builder): boolean {
  if (!currentIs(b, 'colgroup')) return false
  pop(b)
  b.mode = 'table'
  return true
}

/** Handles a start tag in the `in column group` mode. Returns whether the new mode must handle the tag again. */
export function startInColumnGroup(b: Builder, start: StartTag): boolean {
  if (start.tag.name === 'col') insert(b, start.tag, start.attributes)
  else if (start.tag.name === 'template') openTemplate(b, start)
  else return leaveColumnGroup(b)
  return false
}

/** Handles an end tag in the `in column group` mode. Returns whether the new mode must handle the tag again. */
export function endInColumnGroup(b: Builder, tag: Tag): boolean {
  if (tag.name === 'col') return false
  if (tag.name === 'template') {
    closeTemplate(b)
    return false
  }
  return leaveColumnGroup(b) && tag.name !== 'colgroup'
}
