// Reads the surroundings of an element: adjacent text, its row, and the landmark that contains it.
import { clean, hostOf, roleOf, textOf } from './elements.ts'
import { frameOf, numberOf } from './frames.ts'

const silent = /^(?:script|style|template)$/

/** Returns the nearest visible text before or after an element in document order, or an empty string. */
export function textBeside(element: Element, side: 'before' | 'after'): string {
  const step = (node: Node): Node | null => (side === 'before' ? node.previousSibling : node.nextSibling)
  let node: Element | null = element
  for (let up = 0; node && up < 5; up += 1) {
    let next = step(node)
    for (let steps = 0; next && steps < 6; steps += 1) {
      const text = textOfNode(next)
      if (text) return text
      next = step(next)
    }
    if (node.localName === 'body') return ''
    node = node.parentElement
  }
  return ''
}

function textOfNode(node: Node): string {
  if (node.nodeType === 3) return clean(node.nodeValue)
  if (node.nodeType !== 1) return ''
  const element = node as Element
  return silent.test(element.localName) || !element.checkVisibility?.() ? '' : textOf(element)
}

const rowTags = /^(?:tr|li|article|dd)$/
const rowRoles = /^(?:row|listitem|article)$/

/**
 * Returns up to 8 strings from the repeated block around an element, such as a table row, list item or card. Empty if
 * there is no such block.
 */
export function rowOf(element: Element): string[] {
  let node: Element | null = element
  for (let up = 0; node?.parentElement && up < 8; up += 1) {
    if (node.localName === 'body') return []
    const texts = isRepeated(node, node.parentElement) ? leavesOf(node, element) : []
    if (texts.length > 0) return texts
    node = node.parentElement
  }
  return []
}

function isRepeated(node: Element, parent: Element): boolean {
  if (rowTags.test(node.localName) || rowRoles.test(node.getAttribute('role') ?? '')) return true
  const { localName, className } = node
  const isAlike = (other: Element): boolean =>
    other !== node && other.localName === localName && className !== '' && other.className === className
  return [...parent.children].slice(0, 200).some(isAlike)
}

function leavesOf(node: Element, except: Element): string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(node, 4)
  for (let steps = 0; steps < 100 && texts.length < 8 && walker.nextNode(); steps += 1) {
    const text = clean(walker.currentNode.nodeValue)
    if (text && !except.contains(walker.currentNode)) texts.push(text)
  }
  return texts
}

const parts =
  'form, dialog, main, nav, header, footer, aside, [role=form], [role=dialog], [role=alertdialog], [role=main], [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]'

/** Returns the role and label of the form, dialog or landmark around an element, or else its frame, or `page`. */
export function partOf(element: Element): string {
  let node: Element | undefined = element
  for (let steps = 0; node && steps < 20; steps += 1) {
    const part: Element | null = node.closest(parts)
    if (part) {
      const label = part.getAttribute('aria-label') ?? ''
      return clean(`${part.getAttribute('role') || part.localName} ${label}`)
    }
    node = hostOf(node)
  }
  const frame = frameOf(element)
  return frame ? clean(`frame ${frame.title || frame.name}`) : 'page'
}

/** Returns a key that is equal for elements of the same role in the same part of the same document. */
export const kindOf = (element: Element, part: string): string =>
  `${roleOf(element)} ${part} ${numberOf(element.ownerDocument)}`
