import type { Element } from '../tree/tree.ts'
import { languageOf } from './code-language.ts'
import { childNamed, findMatching, isBlankText } from './look.ts'
import type { ElementWriter } from './sheet.ts'

/** Longer words name no language. */
const longest = 20

/** Leaves out what says the language of the block of code after it: the fence of the block says the same. */
export const unlessCodeLabel =
  (write: ElementWriter): ElementWriter =>
  (sheet, element) => {
    if (!isCodeLabel(element)) write(sheet, element)
  }

function isCodeLabel(element: Element): boolean {
  const block = blockAfter(element)
  const word = block && onlyWord(element)
  if (!word) return false
  const code = findMatching(block, ({ name }) => name === 'code')
  return languageOf(block, code).toLowerCase() === word.toLowerCase()
}

/** The block of code that comes next, after a button to copy it or in a wrapper of its own. */
function blockAfter({ next }: Element): Element | undefined {
  for (let node = next; node; node = node.next) {
    if (isBlankText(node)) continue
    if (node.type === 'text') return undefined
    if (node.name === 'pre') return node
    if (node.name !== 'button') return node.name === 'div' ? childNamed(node, 'pre') : undefined
  }
  return undefined
}

/** The text of an element that is one word, beside buttons. */
function onlyWord(element: Element): string | undefined {
  let word: string | undefined
  for (let child = element.first; child; child = child.next) {
    if (isBlankText(child) || (child.type === 'element' && child.name === 'button')) continue
    if (word !== undefined) return undefined
    word = child.type === 'text' ? child.text.trim() : child.name === 'span' ? onlyWord(child) : undefined
    if (word === undefined || word.length > longest || /\s/.test(word)) return undefined
  }
  return word
}
