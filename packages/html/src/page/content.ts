import type { ExplainedBlock } from '../main-content/explain.ts'
import type { Element, Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'

/** The requested part of a page. The tree is not changed; removed nodes are skipped. */
export interface Content {
  readonly root: Element
  /** Nodes to skip, with all their descendants. */
  readonly removed: ReadonlySet<Node>
  /** Whether to include `<noscript>`, as the page has its content there. */
  readonly noscript: boolean
  /** Whether to include hidden elements that are not in `removed`, because the search for hidden text accepted them. */
  readonly readsHidden: boolean
  /** Markdown to append: text that the page has only in its structured data. */
  readonly extraText?: string
  /** Explains for each block why it was included or removed. Absent without a search for main content. Not cached. */
  readonly explain?: () => readonly ExplainedBlock[]
}

// Elements that browsers do not show.
const silent = new Set(['head', 'meta', 'style', 'script', 'template'])

/** Returns whether the node, with all its descendants, is not part of the content. */
export function isLeftOut(content: Content, node: Node): boolean {
  if (content.removed.has(node)) return true
  if (node.type === 'text') return false
  return silent.has(node.name) || (node.name === 'noscript' && !content.noscript)
}

/** Returns the next node of the content, in document order. */
function nextInContent(content: Content, node: Node): Node | null {
  let next = nextNode(node, content.root)
  while (next && isLeftOut(content, next)) next = nextNode(next, content.root, true)
  return next
}

/** Returns the elements of the content with one of these names, in document order. */
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

/** Returns the content as plain text, one line per block. */
export function textInContent(content: Content): string {
  const parts: string[] = []
  for (let node = nextInContent(content, content.root); node; node = nextInContent(content, node)) {
    if (node.type === 'element') {
      if (blocks.has(node.name)) parts.push('\n')
      continue
    }
    // Text after a block starts a new line.
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
