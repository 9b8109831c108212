// The insertion modes of the standard. Modes that make no visible difference are omitted.

import {
  current,
  currentFlags,
  endsFlattened,
  insertText,
  mergeAttributes,
  pop,
  removeFromOpen,
  type Builder,
  type Mode,
} from './builder.ts'
import { applyEnd } from './end-tags.ts'
import { endInForeign, isForeignContent, startInForeign } from './foreign.ts'
import { reconstruct } from './formatting.ts'
import {
  endInCaption,
  endInCell,
  endInColumnGroup,
  endInRow,
  endInTable,
  endInTableBody,
  leaveColumnGroup,
  startInCaption,
  startInCell,
  startInColumnGroup,
  startInRow,
  startInTable,
  startInTableBody,
} from './in-table.ts'
import { applyStart, closeTemplate, insertMetadata, openTemplate, startRules, type StartTag } from './start-tags.ts'
import { FOREIGN, FOSTERS, RAW, tagOf, type Tag } from './tag-table.ts'

/** How a mode handles a tag. Returns true if the mode has changed and the tag must be processed again. */
interface ModeRules {
  readonly start: (b: Builder, start: StartTag) => boolean
  readonly end: (b: Builder, tag: Tag) => boolean
}

function enterBody(b: Builder): true {
  while (b.open.length > 1) pop(b)
  b.open.push(b.body)
  b.openFlags.push(tagOf('body').flags)
  b.mode = 'body'
  return true
}

function leaveHead(b: Builder): true {
  while (b.open.length > 1) pop(b)
  b.mode = 'after head'
  return true
}

function startInHead(b: Builder, start: StartTag): boolean {
  const { tag } = start
  if (tag.kind === 'metadata') insertMetadata(b, start)
  else if (tag.kind === 'template') openTemplate(b, start)
  else if (tag.name === 'noscript') {
    startRules.object(b, start)
    b.mode = 'head noscript'
  } else if (tag.kind === 'html') startRules.html(b, start)
  else if (tag.kind === 'head') mergeAttributes(b, b.head, start.attributes)
  else return leaveHead(b)
  return false
}

function endInHead(b: Builder, tag: Tag): boolean {
  if (tag.name === 'head') leaveHead(b)
  else if (tag.kind === 'template') closeTemplate(b)
  else if (tag.kind === 'body' || tag.kind === 'html' || tag.kind === 'break') return leaveHead(b)
  return false
}

// Browsers with scripts skip noscript; in others, an image in it would end the head. We keep both the head and the
// image.
function startInHeadNoscript(b: Builder, start: StartTag): boolean {
  if (start.tag.kind === 'body' || start.tag.kind === 'head') return leaveHead(b)
  applyStart(b, start)
  return false
}

function endInHeadNoscript(b: Builder, tag: Tag): boolean {
  if (tag.kind === 'head' || tag.kind === 'body') return leaveHead(b)
  applyEnd(b, tag)
  return false
}

function startAfterHead(b: Builder, start: StartTag): boolean {
  const { tag } = start
  if (tag.kind === 'metadata' || tag.kind === 'template') {
    b.open.push(b.head)
    b.openFlags.push(tagOf('head').flags)
    startInHead(b, start)
    removeFromOpen(b, b.head)
    return false
  }
  if (tag.kind === 'html') startRules.html(b, start)
  else if (tag.kind !== 'head') {
    enterBody(b)
    return tag.kind !== 'body' || (startRules.body(b, start), false)
  }
  return false
}

function endAfterHead(b: Builder, tag: Tag): boolean {
  if (tag.kind === 'template') closeTemplate(b)
  else if (tag.kind === 'body' || tag.kind === 'html' || tag.kind === 'break') return enterBody(b)
  return false
}

function startInBody(b: Builder, start: StartTag): boolean {
  applyStart(b, start)
  return false
}

function endInBody(b: Builder, tag: Tag): boolean {
  applyEnd(b, tag)
  return false
}

const templateModes: ReadonlyMap<string, Mode> = new Map([
  ['caption', 'table'],
  ['colgroup', 'table'],
  ['tbody', 'table'],
  ['tfoot', 'table'],
  ['thead', 'table'],
  ['col', 'column group'],
  ['tr', 'table body'],
  ['td', 'row'],
  ['th', 'row'],
])

function startInTemplate(b: Builder, start: StartTag): boolean {
  if (start.tag.kind === 'metadata') insertMetadata(b, start)
  else if (start.tag.kind === 'template') openTemplate(b, start)
  else {
    b.mode = templateModes.get(start.tag.name) ?? 'body'
    b.templateModes[b.templateModes.length - 1] = b.mode
    return true
  }
  return false
}

function endInTemplate(b: Builder, tag: Tag): boolean {
  if (tag.kind === 'template') closeTemplate(b)
  return false
}

const modes: Readonly<Record<Mode, ModeRules>> = {
  head: { start: startInHead, end: endInHead },
  'head noscript': { start: startInHeadNoscript, end: endInHeadNoscript },
  'after head': { start: startAfterHead, end: endAfterHead },
  body: { start: startInBody, end: endInBody },
  table: { start: startInTable, end: endInTable },
  caption: { start: startInCaption, end: endInCaption },
  'column group': { start: startInColumnGroup, end: endInColumnGroup },
  'table body': { start: startInTableBody, end: endInTableBody },
  row: { start: startInRow, end: endInRow },
  cell: { start: startInCell, end: endInCell },
  template: { start: startInTemplate, end: endInTemplate },
}

/** Handles a start tag in the current insertion mode of the HTML standard, again in each mode that it leads to. */
export function startTag(b: Builder, start: StartTag): void {
  if (currentFlags(b) & FOREIGN && startInForeign(b, start)) return
  if (b.mode === 'body') applyStart(b, start)
  else while (modes[b.mode].start(b, start));
}

/**
 * Handles an end tag in the current insertion mode. In elements with raw text, such as `script`, other end tags are
 * ignored.
 */
export function endTag(b: Builder, tag: Tag): void {
  const flags = currentFlags(b)
  if (flags & RAW) {
    if (current(b).name === tag.name) pop(b)
    return
  }
  if (b.flattened.size > 0 && endsFlattened(b, tag.name)) return
  if (flags & FOREIGN && endInForeign(b, tag)) return
  if (b.mode === 'body') applyEnd(b, tag)
  else while (modes[b.mode].end(b, tag));
}

const leadingSpace = /^[\t\n\f\r ]+/
const onlySpace = /^[\t\n\f\r ]*$/

const textInBody = (b: Builder, found: string): void => {
  reconstruct(b)
  insertText(b, found)
}

// Drops white space before the body.
const textBeforeBody = (b: Builder, found: string): void => {
  const rest = found.replace(leadingSpace, '')
  if (rest === '') return
  enterBody(b)
  textInBody(b, rest)
}

const textInTable = (b: Builder, found: string): void => {
  if (currentFlags(b) & FOSTERS && onlySpace.test(found)) {
    insertText(b, found)
    return
  }
  b.fostering = true
  textInBody(b, found)
  b.fostering = false
}

const textInColumnGroup = (b: Builder, found: string): void => {
  const space = leadingSpace.exec(found)?.[0] ?? ''
  if (space) insertText(b, space)
  if (space.length === found.length || !leaveColumnGroup(b)) return
  textInTable(b, found.slice(space.length))
}

const textRules: Readonly<Record<Mode, (b: Builder, found: string) => void>> = {
  head: textBeforeBody,
  'head noscript': textInBody,
  'after head': textBeforeBody,
  body: textInBody,
  table: textInTable,
  caption: textInBody,
  'column group': textInColumnGroup,
  'table body': textInTable,
  row: textInTable,
  cell: textInBody,
  template: textInBody,
}

/** Handles text in the current insertion mode. */
export function text(b: Builder, found: string): void {
  const flags = currentFlags(b)
  if (flags & RAW || isForeignContent(flags)) insertText(b, found)
  else if (b.mode === 'body') textInBody(b, found)
  else textRules[b.mode](b, found)
}
