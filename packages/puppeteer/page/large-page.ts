// Reads a page that is too large for the browser's accessibility tree, in the form of that tree.
import { inputRoles, type AnyElement } from '../../ports/page/elements.ts'
import type { AxNode, LargePageLimits } from '../src/live/ax-node.ts'

const tagRoles: Readonly<Record<string, string>> = {
  button: 'button',
  textarea: 'textbox',
  summary: 'button',
  ul: 'list',
  ol: 'list',
  li: 'listitem',
  table: 'table',
  tr: 'row',
  td: 'cell',
  th: 'columnheader',
  form: 'form',
  dialog: 'dialog',
  nav: 'navigation',
  main: 'main',
  article: 'article',
  img: 'image',
}
const actable = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem'.split(
    ' ',
  ),
)
const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'IFRAME', 'SVG', 'svg'])
const withoutValue = new Set(['checkbox', 'radio', 'submit', 'button', 'reset', 'image', 'file'])
const fields = new Set(['input', 'textarea', 'select'])

const clean = (text: unknown): string =>
  (typeof text === 'string' ? text : '').slice(0, 2000).replace(/\s+/g, ' ').trim().slice(0, 300)

function roleOf(element: AnyElement): string {
  const explicit = element.getAttribute('role')
  if (explicit) return explicit.split(' ')[0] ?? ''
  const tag = element.localName
  if (tag === 'a') return element.hasAttribute('href') ? 'link' : 'generic'
  if (tag === 'input') return inputRoles[element.type ?? ''] ?? 'textbox'
  if (tag === 'select') return element.multiple || (element.size ?? 0) > 1 ? 'listbox' : 'combobox'
  if (/^h[1-6]$/.test(tag)) return 'heading'
  return tagRoles[tag] ?? 'generic'
}

function textOf(element: Element): string {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ''
  for (let count = 0; count < 50 && text.length < 600 && texts.nextNode(); count += 1)
    text += ` ${(texts.currentNode.nodeValue ?? '').slice(0, 600)}`
  return clean(text)
}

const isNamedByText = (element: Element, role: string): boolean =>
  role === 'heading' || role === 'link' || (actable.has(role) && !fields.has(element.localName))

function nameOf(element: AnyElement, role: string): string {
  const ariaLabel = clean(element.getAttribute('aria-label'))
  if (ariaLabel) return ariaLabel
  const label = element.labels?.[0]
  const own = clean(element.getAttribute('alt') || element.getAttribute('placeholder') || element.getAttribute('title'))
  if (label) return textOf(label) || own
  if (element.localName === 'input' && role === 'button') return clean(element.value) || own
  return (isNamedByText(element, role) && textOf(element)) || own
}

function valueOf(element: AnyElement): string {
  const tag = element.localName
  if (tag === 'select') return clean(element.selectedOptions?.[0]?.label)
  if (tag === 'textarea') return clean(element.value)
  if (tag !== 'input' || withoutValue.has(element.type ?? '')) return ''
  return element.type === 'password' ? '•'.repeat(Math.min((element.value ?? '').length, 100)) : clean(element.value)
}

type Properties = NonNullable<AxNode['properties']>

function statesOf(element: AnyElement, role: string): Properties {
  const isTrue = (name: string): boolean => element.getAttribute(`aria-${name}`) === 'true'
  const level = Number(element.localName[1]) || Number(element.getAttribute('aria-level')) || 2
  const states: Readonly<Record<string, number | boolean>> = {
    ...(role === 'heading' && { level }),
    checked: element.checked === true || isTrue('checked'),
    disabled: element.disabled === true || isTrue('disabled'),
    required: element.required === true,
    expanded: isTrue('expanded'),
    pressed: isTrue('pressed'),
    selected: isTrue('selected'),
  }
  return Object.entries(states).flatMap(([name, value]) => (value === false ? [] : { name, value: { value } }))
}

/** A node under construction. */
type Made = { -readonly [K in keyof AxNode]: AxNode[K] } & { readonly childIds: string[] }

/** The first nodes of a page. Their `backendDOMNodeId` is an index of `elements`. */
export interface LargePage {
  readonly nodes: readonly AxNode[]
  readonly elements: readonly Element[]
  readonly isCut: boolean
}

/** Reads the first nodes of a page. */
export function readNodes(limits: LargePageLimits): LargePage {
  const elements: Element[] = []
  const nodes: Made[] = []
  const add = (parent: Made | undefined, node: Pick<AxNode, 'role' | 'name' | 'value' | 'properties'>): Made => {
    const made: Made = { nodeId: String(nodes.length), ignored: false, childIds: [], ...node }
    if (parent) {
      made.parentId = parent.nodeId
      parent.childIds.push(made.nodeId)
    }
    nodes.push(made)
    return made
  }
  const addElement = (element: AnyElement, parent: Made): Made | undefined => {
    const role = roleOf(element)
    if (role === 'generic' || role === 'none' || role === 'presentation') return parent
    const [name, value] = [nameOf(element, role), valueOf(element)]
    const properties = statesOf(element, role)
    const made = add(parent, { role: { value: role }, name: { value: name }, value: { value }, properties })
    if (actable.has(role)) made.backendDOMNodeId = elements.push(element) - 1
    return element.localName === 'select' ? undefined : made
  }
  /** Returns the parent for the node's children, or `undefined` to skip them. */
  const enter = (node: Node, parent: Made): Made | undefined => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = clean(node.nodeValue)
      if (text) add(parent, { role: { value: 'StaticText' }, name: { value: text } })
    }
    if (node.nodeType !== Node.ELEMENT_NODE || skipped.has(node.nodeName)) return undefined
    const element = node as Element
    return element.checkVisibility({ visibilityProperty: true }) ? addElement(element, parent) : undefined
  }
  const root = add(undefined, { role: { value: 'RootWebArea' }, name: { value: clean(document.title) } })
  const isCut = !walk(root, enter, (count) => count <= limits.nodes && nodes.length <= limits.lines)
  return { nodes, elements, isCut }
}

/** Walks the nodes of the page in document order. Returns `false` if `mayGoOn` stopped it. */
function walk(
  root: Made,
  enter: (node: Node, parent: Made) => Made | undefined,
  mayGoOn: (count: number) => boolean,
): boolean {
  const body: Element | null = document.body
  const open: Position[] = []
  let at: Position | undefined = { node: body ?? document.documentElement, parent: root }
  for (let count = 1; at; count += 1) {
    if (!mayGoOn(count)) return false
    const inner = enter(at.node, at.parent)
    const first: Node | null | undefined = inner && firstOf(at.node)
    if (first) open.push(at)
    at = inner && first ? { node: first, parent: inner } : nextOf(at, open)
  }
  return true
}

interface Position {
  readonly node: Node
  readonly parent: Made
}

function firstOf(node: Node): Node | null {
  const shadow = 'shadowRoot' in node ? (node as Element).shadowRoot : null
  return shadow?.firstChild ?? node.firstChild
}

function nextOf(from: Position, open: Position[]): Position | undefined {
  let at = from
  for (let outer = open.at(-1); outer && !at.node.nextSibling; outer = open.at(-1)) at = open.pop() ?? outer
  const next = open.length > 0 ? at.node.nextSibling : null
  return next ? { node: next, parent: at.parent } : undefined
}
