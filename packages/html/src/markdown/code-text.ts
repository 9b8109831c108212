import type { Element, Node, Text } from '../tree/tree.ts'
import { nextNode, textOf } from '../tree/walk.ts'
import { isBlankText, shownText, type LeftOut } from './look.ts'

const lineElements: ReadonlySet<string> = new Set(['div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'tbody', 'pre'])
const silent: ReadonlySet<string> = new Set(['script', 'style', 'template', 'button', 'svg', 'textarea', 'select'])

/** Returns the code as displayed, without line numbers and the nodes in `leftOut`. */
export function codeText(block: Element, leftOut: LeftOut): string {
  const pieces: string[] = []
  const numbers = lineNumbers(block)
  let atStart = true
  const add = (text: string): void => {
    if (text === '') return
    pieces.push(text)
    atStart = text.endsWith('\n')
  }
  const visit = (node: Node): boolean => {
    if (node !== block && leftOut.has(node)) return false
    if (node.type === 'text') add(isBetween(node) ? '' : node.text)
    else if (node.name === 'br') add('\n')
    else if (node !== block && (silent.has(node.name) || numbers?.has(node) || isGutter(node))) return false
    else if (lineElements.has(node.name) ? !atStart : followsLine(node)) add('\n')
    return true
  }
  let node: Node | null = block
  while (node) {
    const goesIn = visit(node)
    node = nextNode(node, block, !goesIn)
    if (node && !atStart && endsLine(node)) add('\n')
  }
  return pieces.join('')
}

const lineNames: ReadonlySet<string> = new Set(
  'line code-line code_line codeline token-line view-line source-line hljs-line ec-line react-code-line'.split(' '),
)

function isLine({ attributes }: Element): boolean {
  if (attributes['data-line'] !== undefined || attributes['data-line-number'] !== undefined) return true
  return attributes['class']?.split(/\s+/).some((name) => lineNames.has(name)) ?? false
}

/** Returns whether a line break is missing before this line: some highlighters separate lines by style sheet only. */
function followsLine(element: Element): boolean {
  const { previous } = element
  if (previous?.type !== 'element' || !isLine(element) || !isLine(previous)) return false
  return !textOf(previous).endsWith('\n')
}

/** Finds elements with consecutive numbers (1, 2, 3, …) at the start of each line, regardless of their class. */
function lineNumbers(block: Element): ReadonlySet<Node> | undefined {
  const found = new Set<Node>()
  let next: number | undefined
  for (let node = nextNode(block, block); node; node = nextNode(node, block)) {
    if (node.type !== 'element' || !isFirstOfLine(node)) continue
    const text = node.first?.type === 'text' && !node.first.next ? node.first.text.trim() : ''
    if (!/^\d{1,6}$/.test(text)) continue
    if (next !== undefined && Number(text) !== next) return undefined
    next = Number(text) + 1
    found.add(node)
  }
  return found.size > 1 ? found : undefined
}

function isFirstOfLine({ previous, parent }: Element): boolean {
  return previous === null && parent !== null && lineElements.has(parent.name) && parent.name !== 'pre'
}

const betweens: ReadonlySet<string> = new Set(['table', 'tbody', 'tr', 'ol', 'ul'])

/** Returns whether a text node is white space between rows or cells, which is not part of the code. */
function isBetween(text: Text): boolean {
  return text.parent !== null && betweens.has(text.parent.name) && isBlankText(text)
}

function endsLine(next: Node): boolean {
  const { previous } = next
  return previous?.type === 'element' && lineElements.has(previous.name)
}

const gutters: ReadonlySet<string> = new Set([
  'gutter',
  'lineno',
  'linenos',
  'linenumber',
  'linenumbers',
  'line-number',
  'line-numbers',
  'line-numbers-rows',
  'linenodiv',
  'rouge-gutter',
  'blob-num',
  'hljs-ln-numbers',
  'hljs-ln-n',
  'crayon-nums',
  'crayon-num',
  'lnt',
  'ln',
  'react-syntax-highlighter-line-number',
  'code-line-number',
  'lnum',
  'line_numbers',
])

/** Returns whether an element contains only line numbers, by its class and its characters. */
function isGutter(element: Element): boolean {
  const { class: classes } = element.attributes
  if (classes === undefined || !classes.split(/\s+/).some((name) => gutters.has(name))) return false
  return /^[\d\s.:|]*$/.test(shownText(element))
}

/** Returns whether a highlighter uses this table to show line numbers next to code. */
export function isCodeTable(table: Element): boolean {
  let seen = 0
  let hasGutter = false
  let node = nextNode(table, table)
  while (node && seen++ < 60) {
    const isNumbers = node.type === 'element' && isGutter(node)
    if (isNumbers) hasGutter = true
    else if (node.type === 'element') {
      if (node.name === 'th') return false
      if (hasGutter && (node.name === 'pre' || node.name === 'code' || isCodeCell(node))) return true
    }
    node = nextNode(node, table, isNumbers)
  }
  return false
}

function isCodeCell({ name, attributes }: Element): boolean {
  return name === 'td' && /(?:^|[\s-])code(?:$|[\s-])/.test(attributes.class ?? '')
}
