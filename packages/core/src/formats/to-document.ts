import { parseHTML } from 'linkedom'
import { type Element, nextNode, type Node } from '@harvestman/html/internal'

// Own types instead of `lib.dom`, which this project does not load. Plugin authors may load it.

/** The supported subset of a DOM document. With `lib.dom` in your project, you can cast it to `Document`. */
export interface DomDocument {
  readonly documentElement: DomNode
  readonly head: DomNode
  readonly body: DomNode
  readonly title: string
  querySelector(selector: string): DomNode | null
  querySelectorAll(selector: string): Iterable<DomNode>
  createElement(name: string): DomNode
  createElementNS(namespace: string, name: string): DomNode
  createTextNode(text: string): DomNode
}

/** The supported subset of a DOM element or text node. */
export interface DomNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly outerHTML: string
  readonly parentNode: DomNode | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  appendChild(node: DomNode): DomNode
  querySelector(selector: string): DomNode | null
  querySelectorAll(selector: string): Iterable<DomNode>
}

const svg = 'http://www.w3.org/2000/svg'

/** Builds a linkedom document from our own tree, without parsing again. It is a copy, so changing it is safe. */
export function toDocument(root: Element): DomDocument {
  // Cast: linkedom declares types of `lib.dom`; only the supported subset is used.
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>') as {
    document: DomDocument
  }
  const skeleton = new Map<string, DomNode>([
    ['html', document.documentElement],
    ['head', document.head],
    ['body', document.body],
  ])
  const made = new Map<Node, DomNode>()
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    const parent = node.parent && node.parent !== root ? made.get(node.parent)! : document.body
    if (node.type === 'text') {
      parent.appendChild(document.createTextNode(node.text))
      continue
    }
    const part = skeleton.get(node.name)
    const copy = part ?? createElement(document, node, parent)
    for (const name in node.attributes) copy.setAttribute(name, node.attributes[name]!)
    if (!part) parent.appendChild(copy)
    if (node.first) made.set(node, copy)
  }
  return document
}

function createElement(document: DomDocument, { name }: Element, parent: DomNode): DomNode {
  const isDrawing = name === 'svg' || 'ownerSVGElement' in parent
  return isDrawing ? document.createElementNS(svg, name) : document.createElement(name)
}
