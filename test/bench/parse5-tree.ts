import { html as names, parse, type Token, type TreeAdapter } from 'parse5'
import {
  append,
  detach,
  insertBefore,
  makeAttributes,
  makeElement,
  makeText,
  type Element,
  type Node,
} from '../../packages/html/src/tree/tree.ts'

// The other candidate for our parser: parse5's algorithm building the same light tree.

interface Foreign extends Element {
  namespace?: names.NS
  content?: Element
  mode?: names.DOCUMENT_MODE
}

interface LightTypes {
  node: Node
  parentNode: Element
  childNode: Node
  document: Element
  documentFragment: Element
  element: Foreign
  commentNode: Node
  textNode: Node
  template: Foreign
  documentType: Node
}

const html = names.NS.HTML
const comment = makeText('')

function insertText(parent: Element, text: string, before?: Node): void {
  const neighbour = before ? before.previous : parent.last
  if (neighbour?.type === 'text') neighbour.text += text
  else if (before) insertBefore(before, makeText(text))
  else append(parent, makeText(text))
}

const adapter = {
  createDocument: () => makeElement('#document'),
  createDocumentFragment: () => makeElement('#fragment'),
  createElement(name: string, namespace: names.NS, list: Token.Attribute[]): Foreign {
    let attributes: Record<string, string> | undefined
    if (list.length > 0) {
      attributes = makeAttributes()
      for (const { name, value, prefix } of list) attributes[prefix ? `${prefix}:${name}` : name] = value
    }
    if (namespace === html) return makeElement(name, attributes)
    return { ...makeElement(name.toLowerCase(), attributes), namespace }
  },
  createCommentNode: () => comment,
  createTextNode: (text: string) => makeText(text),
  appendChild(parent: Element, child: Node) {
    if (child !== comment) append(parent, child)
  },
  insertBefore(_: Element, child: Node, reference: Node) {
    if (child !== comment) insertBefore(reference, child)
  },
  setTemplateContent(element: Foreign, content: Element) {
    element.content = content
    append(element, content)
  },
  getTemplateContent: (element: Foreign) => element.content!,
  setDocumentType() {},
  setDocumentMode(document: Foreign, mode: names.DOCUMENT_MODE) {
    document.mode = mode
  },
  getDocumentMode: (document: Foreign) => document.mode ?? names.DOCUMENT_MODE.NO_QUIRKS,
  detachNode: detach,
  insertText,
  insertTextBefore: (parent: Element, text: string, reference: Node) => insertText(parent, text, reference),
  adoptAttributes(element: Element, list: Token.Attribute[]) {
    const own: Record<string, string> = Object.assign(makeAttributes(), element.attributes)
    for (const { name, value } of list) own[name] ??= value
    Object.assign(element, { attributes: own })
  },
  getFirstChild: (node: Element) => node.first,
  getChildNodes: (node: Element) => {
    const all: Node[] = []
    for (let child = node.first; child; child = child.next) all.push(child)
    return all
  },
  getParentNode: (node: Node) => node.parent,
  getAttrList: (element: Element) => Object.entries(element.attributes).map(([name, value]) => ({ name, value })),
  getTagName: (element: Element) => element.name,
  getNamespaceURI: (element: Foreign) => element.namespace ?? html,
  getTextNodeContent: (node: Node) => (node.type === 'text' ? node.text : ''),
  getCommentNodeContent: () => '',
  getDocumentTypeNodeName: () => '',
  getDocumentTypeNodePublicId: () => '',
  getDocumentTypeNodeSystemId: () => '',
  isTextNode: (node: Node): node is Node => node.type === 'text',
  isCommentNode: (node: Node): node is Node => node === comment,
  isDocumentTypeNode: () => false,
  isElementNode: (node: Node): node is Element => node.type === 'element' && !node.name.startsWith('#'),
  setNodeSourceCodeLocation() {},
  getNodeSourceCodeLocation: () => null,
  updateNodeSourceCodeLocation() {},
}

export function parseLight(page: string): Element {
  return parse(page, { treeAdapter: adapter as unknown as TreeAdapter<LightTypes>, scriptingEnabled: false })
}
