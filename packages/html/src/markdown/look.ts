import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

// Helpers that inspect the tree.

/** Returns the first child element of this name, or `undefined` if there is none. */
export function childNamed(element: Element, name: string): Element | undefined {
  for (let child = element.first; child; child = child.next) {
    if (child.type === 'element' && child.name === name) return child
  }
  return undefined
}

/** Returns whether the node is text with only white space. */
export function isBlankText(node: Node): boolean {
  return node.type === 'text' && !/[^ \t\n\f\r]/.test(node.text)
}

/**
 * Returns whether the element has no children, or only blank text. An element whose content was removed still has children, so
 * it is not empty.
 */
export function isEmpty(element: Element): boolean {
  return !element.first || (element.first === element.last && isBlankText(element.first))
}

/** Returns the only child that is not white space, or `undefined` if there are none or several. */
export function onlyChild(element: Element): Node | undefined {
  let found: Node | undefined
  for (let child = element.first; child; child = child.next) {
    if (isBlankText(child)) continue
    if (found) return undefined
    found = child
  }
  return found
}

/** Returns the first matching element below `root`, in document order, or `undefined` if there is none. */
export function findMatching(root: Element, accept: (element: Element) => boolean): Element | undefined {
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'element' && accept(node)) return node
  }
  return undefined
}

/** Nodes that the writer skips, with all their descendants. */
export type LeftOut = Pick<ReadonlySet<Node>, 'has'>

/** Elements hidden by their markup alone. A dialog is visible while it is open. */
const hidden: LeftOut = {
  has: (node) => {
    if (node.type === 'text') return false
    const { attributes } = node
    if (attributes.hidden !== undefined) return attributes.hidden !== 'until-found'
    return node.name === 'dialog' && attributes.open === undefined
  },
}

/**
 * Returns the nodes to skip. With `readsHidden`, nodes that the markup hides are skipped only if they are in `removed`,
 * because the caller has already decided on them.
 */
export function leftOutOf(removed: ReadonlySet<Node> | undefined, readsHidden: boolean): LeftOut {
  if (readsHidden) return removed ?? new Set()
  return removed?.size ? { has: (node) => removed.has(node) || hidden.has(node) } : hidden
}

const wordless: ReadonlySet<string> = new Set(['script', 'style', 'template', 'head', 'noscript', 'svg'])

/**
 * Returns the text below a node with the source's white space, and a line break for each `br`, without scripts, styles and the
 * like, and without the nodes in `leftOut`; by default those that the markup hides. Iterative, so that deep trees cannot
 * exhaust the stack.
 */
export function shownText(root: Element, leftOut: LeftOut = hidden): string {
  let text = ''
  let node: Node | null = root
  while (node) {
    const isLeft = leftOut.has(node) || (node.type === 'element' && wordless.has(node.name))
    if (node.type === 'text') text += isLeft ? '' : node.text
    else if (node.name === 'br') text += '\n'
    node = nextNode(node, root, isLeft)
  }
  return text
}

const lines: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'center',
  'div',
  'footer',
  'form',
  'header',
  'hgroup',
  'main',
  'nav',
  'p',
  'section',
])
const rich: ReadonlySet<string> = new Set(
  `h1 h2 h3 h4 h5 h6 blockquote details dl figure hr ol pre table ul menu`.split(' '),
)

/** Returns the most complex content below: inline only, plain blocks, or blocks with their own Markdown syntax. */
export function shapeOf(root: Element): 'inline' | 'lines' | 'rich' {
  let shape: 'inline' | 'lines' = 'inline'
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type !== 'element') continue
    if (rich.has(node.name)) return 'rich'
    if (lines.has(node.name)) shape = 'lines'
  }
  return shape
}
