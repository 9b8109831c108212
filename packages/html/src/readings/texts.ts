import { compileSelector, isProblem, selectAll } from '../select/select.ts'
import type { Element } from '../tree/tree.ts'
import { lineOf, nextNode, textOf } from '../tree/walk.ts'

const maxTexts = 2_000
const maxCharacters = 400_000

/**
 * Returns the distinct text content of all elements that match a selector and of all elements inside them. Stops at about 2,000
 * texts or 400,000 characters. Invalid selectors are skipped with a warning.
 */
export function findTexts(root: Element, selectors: readonly string[], warn: (problem: string) => void): string[] {
  const texts = new Set<string>()
  let characters = 0
  const add = (element: Element): void => {
    const text = lineOf(textOf(element))
    characters += text.length
    texts.add(text)
  }
  for (const source of selectors) {
    const compiled = compileSelector(source)
    const found = isProblem(compiled) ? compiled : selectAll(compiled, root)
    if (isProblem(found)) {
      warn(found.problem)
      continue
    }
    for (const element of found) {
      add(element)
      for (let node = nextNode(element, element); node; node = nextNode(node, element)) {
        if (texts.size >= maxTexts || characters > maxCharacters) return [...texts]
        if (node.type === 'element') add(node)
      }
    }
  }
  return [...texts]
}
