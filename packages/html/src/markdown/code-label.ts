import type { Element } from '../tree/tree.ts'
import { languageOf } from './code-language.ts'
import { childNamed, findMatching, isBlankText } from './look.ts'
import type { ElementWriter } from './sheet.ts'

/** Longer words are not a language name. */
const maxLength = 20

/** Skips labels that name the language of the code block after them, as the fence names it too. */
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

/** Returns the code block that follows, possibly after a copy button or in its own wrapper. */
function blockAfter({ next }: Element): Element | undefined {
  for (let node = next; node; node = node.next) {
    if (isBlankText(node)) continue
    if (node.type === 'text') return undefined
    if (node.name === 'pre') return node
    if (node.name !== 'button') return node.name === 'div' ? childNamed(node, 'pre') : undefined
  }
  return undefined
}

/** Returns an element's text if it is one word, ignoring buttons. */
function onlyWord(element: Element): string | undefined {
  let word: string | undefined
  for (let child = element.first; child; child = child.next) {
    if (isBlankText(child) || (child.type === 'element' && child.name === 'button')) continue
    if (word !== undefined) return undefined
    word = child.type === 'text' ? child.text.trim() : child.name === 'span' ? onlyWord(child) : undefined
    if (word === undefined || word.length > maxLength || /\s/.test(word)) return undefined
  }
  return word
}
