import type { ExplainedBlock } from '../main-content/explain.ts'
import type { Element, Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'

/** The part of a page that was asked for. The tree stays as it is; readers step over what is removed. */
export interface Content {
  readonly root: Element
  /** Left out with all that they hold. */
  readonly removed: ReadonlySet<Node>
  /** The words of the page stand in its `<noscript>`, so that one is read. */
  readonly noscript: boolean
  /** What a browser hides has been judged with the rest: what is not removed is wanted. */
  readonly readsHidden: boolean
  /** Markdown of what the page says only in its data, to stand after the rest. */
  readonly extraText?: string
  /** Why each block was kept or left out; absent when no main part was looked for. Costs something only when called. */
  readonly explain?: () => readonly ExplainedBlock[]
}

// What a browser does not show.
const silent = new Set(['head', 'meta', 'style', 'script', 'template'])

/** Is the node, with all that it holds, no part of the content? */
export function isLeftOut(content: Content, node: Node): boolean {
  if (content.removed.has(node)) return true
  if (node.type === 'text') return false
  return silent.has(node.name) || (node.name === 'noscript' && !content.noscript)
}

/** The next node of the content in document order. */
function nextInContent(content: Content, node: Node): Node | null {
  let next = nextNode(node, content.root)
  while (next && isLeftOut(content, next)) next = nextNode(next, content.root, true)
  return next
}

/** The elements of the content with this name, in document order. */
export function elementsInContent(content: Content, names: ReadonlySet<string>): Element[] {
  const found: Element[] = []
  for (let node = nextInContent(content, content.root); node; node = nextInContent(content, node)) {
    if (node.type === 'element' && names.has(node.name)) found.push(node)
  }
  return found
}

const blocks = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section ' +
    'summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** The words of the content as plain text: one line for each block. */
export function textInContent(content: Content): string {
  const parts: string[] = []
  for (let node = nextInContent(content, content.root); node; node = nextInContent(content, node)) {
    if (node.type === 'element') {
      if (blocks.has(node.name)) parts.push('\n')
      continue
    }
    // The text that follows a closed block starts a line of its own.
    if (node.previous?.type === 'element' && blocks.has(node.previous.name)) parts.push('\n')
    parts.push(node.text)
  }
  return tidyLines(parts.join(''))
}

function tidyLines(text: string): string {
  return text
    .split('\n')
    .map(lineOf)
    .filter((line) => line !== '')
    .join('\n')
}
