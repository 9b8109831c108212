import {
  clearFormatting,
  currentIs,
  inListScope,
  inScope,
  insert,
  isOpen,
  open,
  paragraphInScope,
  pop,
  popImplied,
  popUntil,
  removeFromOpen,
  resetMode,
  type Builder,
} from './builder.ts'
import { closeFormatting, reconstruct } from './formatting.ts'
import { closeTemplate } from './start-tags.ts'
import { FOREIGN, HEADING, kinds, SCOPE, SPECIAL, tagOf, type Kind, type Tag } from './tag-table.ts'

type EndRule = (b: Builder, tag: Tag) => void

/** Default for end tags: closes the element, unless a special element is open inside it. */
const closeOrdinary: EndRule = (b, { name }) => {
  for (let index = b.open.length - 1; index > 1; index--) {
    const flags = b.openFlags[index]!
    if (b.open[index]!.name === name && (flags & FOREIGN) === 0) {
      while (b.open.length > index) pop(b)
      return
    }
    if (flags & SPECIAL) return
  }
}

const closeBlock: EndRule = (b, { name }) => {
  if (!inScope(b, name)) return
  popImplied(b)
  popUntil(b, name)
}

const closeParagraphTag: EndRule = (b, tag) => {
  if (!paragraphInScope(b)) open(b, tag, undefined)
  popUntil(b, 'p')
}

const closeHeading: EndRule = (b) => {
  for (let index = b.openFlags.length - 1; index > 1; index--) {
    const flags = b.openFlags[index]!
    if (flags & HEADING) {
      while (b.open.length > index) pop(b)
      return
    }
    if (flags & SCOPE) return
  }
}

const closeForm: EndRule = (b, tag) => {
  if (b.templateModes.length > 0) {
    closeBlock(b, tag)
    return
  }
  const { form } = b
  b.form = null
  if (!form || !inScope(b, 'form')) return
  popImplied(b)
  removeFromOpen(b, form)
}

const closeFormattingTag: EndRule = (b, tag) => closeFormatting(b, tag, () => closeOrdinary(b, tag))

const closeObject: EndRule = (b, { name }) => {
  if (!inScope(b, name)) return
  popUntil(b, name)
  clearFormatting(b)
}

const marked = new Set(['applet', 'marquee', 'object', 'noscript', 'td', 'th', 'caption', 'template'])

// Browsers with scripts on read noscript as raw text, so its end tag closes everything still open inside.
const closeNoscript: EndRule = (b) => {
  if (!isOpen(b, 'noscript')) return
  for (let found = false; !found;) {
    found = currentIs(b, 'noscript')
    const { name } = pop(b)
    if (marked.has(name)) clearFormatting(b)
    if (name === 'template') b.templateModes.pop()
  }
  resetMode(b)
}

const ignore: EndRule = () => undefined

const endRules: Readonly<Record<Kind, EndRule>> = {
  ordinary: closeOrdinary,
  // Content after </body> belongs to the body. The standard leaves the elements open, so nothing to do.
  html: ignore,
  head: ignore,
  body: ignore,
  metadata: closeOrdinary,
  template: closeTemplate,
  block: closeBlock,
  heading: closeHeading,
  pre: closeBlock,
  form: closeForm,
  'list item': (b, { name }) => {
    if (!inListScope(b, name)) return
    popImplied(b, name)
    popUntil(b, name)
  },
  definition: (b, { name }) => {
    if (!inScope(b, name)) return
    popImplied(b, name)
    popUntil(b, name)
  },
  paragraph: closeParagraphTag,
  plaintext: closeOrdinary,
  button: closeBlock,
  anchor: closeFormattingTag,
  formatting: closeFormattingTag,
  nobr: closeFormattingTag,
  object: closeObject,
  noscript: closeNoscript,
  table: ignore,
  'table part': ignore,
  void: ignore,
  input: ignore,
  image: ignore,
  'bare void': ignore,
  rule: ignore,
  'text area': closeOrdinary,
  'raw block': closeOrdinary,
  'raw inline': closeOrdinary,
  select: closeBlock,
  option: closeOrdinary,
  'ruby base': closeOrdinary,
  'ruby text': closeOrdinary,
  break: (b) => {
    reconstruct(b)
    insert(b, tagOf('br'), undefined)
  },
  'foreign root': closeOrdinary,
}

const inOrder = kinds.map((kind) => endRules[kind])

/** Handles an end tag by the rules of the `in body` mode. */
export function applyEnd(b: Builder, tag: Tag): void {
  inOrder[tag.rule]!(b, tag)
}
