import type { Element } from '../tree/tree.ts'
import { addCode } from './backticks.ts'
import { writeChildren } from './descend.ts'
import { findMatching, shownText } from './look.ts'
import type { ElementWriter } from './sheet.ts'

/**
 * Writes inline code as shown. Code with links in it is written as ordinary text, because code cannot contain links.
 */
export const writeCode: ElementWriter = (sheet, element) => {
  const outer = sheet.inCode
  sheet.inCode = true
  if (holdsLink(element)) writeChildren(sheet, element)
  else addCode(sheet.run, shownText(element, sheet.leftOut), sheet.room === 'cell')
  sheet.inCode = outer
}

// Markdown code cannot contain links, so such code is split into spans, and the link goes around one of them.
function holdsLink(element: Element): boolean {
  const { first } = element
  if (!first || (first === element.last && first.type === 'text')) return false
  return (
    findMatching(
      element,
      ({ name, attributes }) => name === 'img' || (name === 'a' && attributes.href !== undefined),
    ) !== undefined
  )
}
