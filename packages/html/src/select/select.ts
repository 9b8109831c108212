import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { matchesList, type Look } from './match.ts'
import { parseSelector } from './parse-selector.ts'
import { SyntaxProblem } from './scanner.ts'

// Selectors come from callers, so their cost is unknown. Long ones are rejected, and a search ends after a number of
// steps, as some take quadratic time.

/** A compiled CSS selector. */
export interface Selector {
  readonly text: string
  /** Only for `selectAll` and `matches`: may throw a value that only they handle. */
  readonly test: (element: Element) => boolean
  readonly begin: () => void
}

/** Why a selector cannot be used, as a sentence for the caller. */
export interface SelectorProblem {
  readonly problem: string
}

const maxLength = 2_000
const maxParentheses = 40
const maxNesting = 8
const maxHas = 4
const maxSteps = 3_000_000

const tooCostly = Symbol('too costly')

/**
 * Compiles a CSS selector, or returns a problem if it is empty, invalid, longer than 2,000 characters, or has too many or too
 * deeply nested conditions. Does not throw.
 */
export function compileSelector(text: string): Selector | SelectorProblem {
  const size = sizeProblem(text)
  if (size) return { problem: size }
  try {
    const list = parseSelector(text)
    let steps = 0
    const look: Look = {
      positions: new Map(),
      step: () => {
        if (++steps > maxSteps) throw tooCostly
      },
      scope: undefined,
    }
    const begin = (): void => {
      steps = 0
      look.positions.clear()
      look.scope = undefined
    }
    return { text, test: (element) => matchesList(look, list, element), begin }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return { problem: `The selector ${show(text)} is not valid: ${error.message}` }
  }
}

/** Returns whether the result is a problem. */
export function isProblem(result: object): result is SelectorProblem {
  return 'problem' in result
}

/**
 * Returns all matching elements below root in document order, except those inside templates, or a problem if the selector takes
 * more than 3 million steps.
 */
export function selectAll(selector: Selector, root: Element): Element[] | SelectorProblem {
  const found: Element[] = []
  return guarded(selector, () => {
    let node = nextNode(root, root)
    while (node) {
      if (node.type === 'element' && selector.test(node)) found.push(node)
      // As in browsers, the content of templates is not part of the page.
      node = nextNode(node, root, node.type === 'element' && node.name === 'template')
    }
    return found
  })
}

/** Returns whether the element matches. Also false if the selector takes more than 3 million steps. */
export function matches(selector: Selector, element: Element): boolean {
  const answer = guarded(selector, () => selector.test(element))
  return answer === true
}

/** Returns the matching elements. Empty if none match, or if the selector takes more than 3 million steps. */
export function matchesAmong(selector: Selector, elements: readonly Element[]): readonly Element[] {
  const found = guarded(selector, () => elements.filter((element) => selector.test(element)))
  // Clears cached positions, which would keep the tree in memory.
  selector.begin()
  return isProblem(found) ? [] : found
}

function guarded<T>(selector: Selector, act: () => T): T | SelectorProblem {
  selector.begin()
  try {
    return act()
  } catch (error) {
    if (error !== tooCostly) throw error
    return { problem: `The selector ${show(selector.text)} takes too long on this page. Make it simpler.` }
  }
}

function sizeProblem(text: string): string | undefined {
  if (text.trim() === '') return 'A selector must not be empty.'
  if (text.length > maxLength) return `A selector may have ${maxLength} characters; this one has ${text.length}.`
  let depth = 0
  let deepest = 0
  let count = 0
  for (const character of text) {
    if (character === '(') {
      count++
      deepest = Math.max(deepest, ++depth)
    } else if (character === ')') depth--
  }
  const has = text.split(/:has\(/i).length - 1
  if (count > maxParentheses || deepest > maxNesting || has > maxHas) {
    return `The selector ${show(text)} has too many or too deeply nested conditions.`
  }
  return undefined
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
