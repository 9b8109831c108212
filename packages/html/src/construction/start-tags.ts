import {
  clearFormatting,
  closeParagraph,
  current,
  currentFlags,
  currentIs,
  inScope,
  insert,
  isOpen,
  mergeAttributes,
  open,
  pop,
  popImplied,
  popUntil,
  remember,
  removeFromOpen,
  resetMode,
  type Attributes,
  type Builder,
} from './builder.ts'
import { closeFormatting, findFormatting, forgetFormatting, openFormatting, reconstruct } from './formatting.ts'
import { foreignFlags, HEADING, kinds, RAW, SPECIAL, tagOf, type Kind, type Tag } from './tag-table.ts'

export interface StartTag {
  readonly tag: Tag
  readonly attributes: Attributes | undefined
  readonly selfClosing: boolean
}

type StartRule = (b: Builder, start: StartTag) => void

/** Opens an element after reopening the formatting elements that misnested tags closed. */
const openInline: StartRule = (b, { tag, attributes }) => {
  reconstruct(b)
  open(b, tag, attributes)
}

const insertInline: StartRule = (b, { tag, attributes }) => {
  reconstruct(b)
  insert(b, tag, attributes)
}

const openBlock: StartRule = (b, { tag, attributes }) => {
  closeParagraph(b)
  open(b, tag, attributes)
}

const openPlain: StartRule = (b, { tag, attributes }) => {
  open(b, tag, attributes)
}

/** Inserts `<meta>`, `<script>` and similar elements. The same in head, body and tables. */
export const insertMetadata: StartRule = (b, { tag, attributes }) => {
  if (tag.flags & RAW) open(b, tag, attributes)
  else insert(b, tag, attributes)
}

/** Opens a `template`, in which the rules of the `in template` mode apply. */
export const openTemplate: StartRule = (b, { tag, attributes }) => {
  open(b, tag, attributes)
  remember(b, null)
  b.mode = 'template'
  b.templateModes.push('template')
}

const openListItem: StartRule = (b, { tag, attributes }) => {
  for (let index = b.open.length - 1; index > 0; index--) {
    const { name } = b.open[index]!
    if (name === tag.name || (tag.kind === 'definition' && (name === 'dd' || name === 'dt'))) {
      popImplied(b, name)
      popUntil(b, name)
      break
    }
    if (b.openFlags[index]! & SPECIAL && name !== 'address' && name !== 'div' && name !== 'p') break
  }
  closeParagraph(b)
  open(b, tag, attributes)
}

const openAnchor: StartRule = (b, { tag, attributes }) => {
  const earlier = findFormatting(b, 'a')
  if (earlier) {
    closeFormatting(b, tag, () => undefined)
    forgetFormatting(b, earlier)
    removeFromOpen(b, earlier.element)
  }
  reconstruct(b)
  openFormatting(b, tag, attributes)
}

const openForeign: StartRule = (b, { tag, attributes, selfClosing }) => {
  reconstruct(b)
  const flags = foreignFlags(tag.name, tag.name === 'math', attributes ?? {})
  const foreign: Tag = { ...tag, flags }
  if (selfClosing) insert(b, foreign, attributes)
  else open(b, foreign, attributes)
}

const openMarked: StartRule = (b, start) => {
  openInline(b, start)
  remember(b, null)
}

const ignore: StartRule = () => undefined

export const startRules: Readonly<Record<Kind, StartRule>> = {
  ordinary: openInline,
  html: (b, { attributes }) => mergeAttributes(b, b.html, attributes),
  head: ignore,
  body: (b, { attributes }) => mergeAttributes(b, b.body, attributes),
  metadata: insertMetadata,
  template: openTemplate,
  block: openBlock,
  heading: (b, start) => {
    closeParagraph(b)
    if (currentFlags(b) & HEADING) pop(b)
    open(b, start.tag, start.attributes)
  },
  pre: (b, start) => {
    openBlock(b, start)
    b.skipNewline = true
  },
  form: (b, start) => {
    const inTemplate = b.templateModes.length > 0
    if (b.form && !inTemplate) return
    openBlock(b, start)
    if (!inTemplate) b.form = current(b)
  },
  'list item': openListItem,
  definition: openListItem,
  paragraph: openBlock,
  plaintext: openBlock,
  button: (b, start) => {
    if (inScope(b, 'button')) {
      popImplied(b)
      popUntil(b, 'button')
    }
    openInline(b, start)
  },
  anchor: openAnchor,
  formatting: (b, { tag, attributes }) => {
    reconstruct(b)
    openFormatting(b, tag, attributes)
  },
  nobr: (b, { tag, attributes }) => {
    reconstruct(b)
    if (inScope(b, 'nobr')) {
      closeFormatting(b, tag, () => undefined)
      reconstruct(b)
    }
    openFormatting(b, tag, attributes)
  },
  object: openMarked,
  noscript: openMarked,
  table: (b, start) => {
    if (!b.quirks) closeParagraph(b)
    open(b, start.tag, start.attributes)
    b.mode = 'table'
  },
  'table part': ignore,
  void: insertInline,
  input: (b, start) => {
    if (inScope(b, 'select')) popUntil(b, 'select')
    insertInline(b, start)
  },
  image: (b, start) => insertInline(b, { ...start, tag: tagOf('img') }),
  'bare void': (b, { tag, attributes }) => {
    insert(b, tag, attributes)
  },
  rule: (b, { tag, attributes }) => {
    closeParagraph(b)
    if (inScope(b, 'select')) popImplied(b)
    insert(b, tag, attributes)
  },
  'text area': (b, start) => {
    openPlain(b, start)
    b.skipNewline = true
  },
  'raw block': (b, start) => {
    closeParagraph(b)
    openInline(b, start)
  },
  'raw inline': openPlain,
  select: (b, start) => {
    if (inScope(b, 'select')) popUntil(b, 'select')
    else openInline(b, start)
  },
  option: (b, start) => {
    if (inScope(b, 'select')) popImplied(b, start.tag.name === 'option' ? 'optgroup' : undefined)
    else if (currentIs(b, 'option')) pop(b)
    openInline(b, start)
  },
  'ruby base': (b, start) => {
    if (inScope(b, 'ruby')) popImplied(b)
    openPlain(b, start)
  },
  'ruby text': (b, start) => {
    if (inScope(b, 'ruby')) popImplied(b, 'rtc')
    openPlain(b, start)
  },
  break: insertInline,
  'foreign root': openForeign,
}

/** Closes the innermost template and everything in it. Does nothing if none is open. */
export function closeTemplate(b: Builder): void {
  if (!isOpen(b, 'template')) return
  popUntil(b, 'template')
  clearFormatting(b)
  b.templateModes.pop()
  resetMode(b)
}

const inOrder = kinds.map((kind) => startRules[kind])

/** Handles a start tag by the rules of the `in body` mode. */
export function applyStart(b: Builder, start: StartTag): void {
  inOrder[start.tag.rule]!(b, start)
}
