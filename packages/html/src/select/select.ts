import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { matchesList, type Look } from './match.ts'
import { parseSelector } from './parse-selector.ts'
import { SyntaxProblem } from './scanner.ts'

// Selectors come from callers, so they are data of unknown cost: long ones are refused, and a run ends at a number of
// steps, because some grow with the square of a page.

/** A compiled CSS selector. */
export interface Selector {
  readonly text: string
  /** May throw what only `selectAll` and `matches` understand. Do not call it yourself. */
  readonly test: (element: Element) => boolean
  readonly begin: () => void
}

/** Why a selector cannot be used, as a sentence for the caller. */
export interface SelectorProblem {
  readonly problem: string
}

const longest = 2_000
const mostParentheses = 40
const deepestParentheses = 8
const mostHas = 4
const mostSteps = 3_000_000

const tooCostly = Symbol('too costly')

/** Compiles a CSS selector, or says what is wrong with it. */
export function compileSelector(text: string): Selector | SelectorProblem {
  const size = sizeProblem(text)
  if (size) return { problem: size }
  try {
    const list = parseSelector(text)
    let steps = 0
    const look: Look = {
      positions: new Map(),
      step: () => {
        if (++steps > mostSteps) throw tooCostly
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

/** Whether a selector could not be compiled. */
export function isProblem(result: object): result is SelectorProblem {
  return 'problem' in result
}

/** All elements below root that match, in document order. */
export function selectAll(selector: Selector, root: Element): Element[] | SelectorProblem {
  const found: Element[] = []
  return guarded(selector, () => {
    let node = nextNode(root, root)
    while (node) {
      if (node.type === 'element' && selector.test(node)) found.push(node)
      // As in a browser, what a template holds is not part of the page.
      node = nextNode(node, root, node.type === 'element' && node.name === 'template')
    }
    return found
  })
}

/** Does the element match? A selector that is too costly for the page matches nothing. */
export function matches(selector: Selector, element: Element): boolean {
  const answer = guarded(selector, () => selector.test(element))
  return answer === true
}

/** Those of some elements that match; none when the selector is too costly for the page. */
export function matchesAmong(selector: Selector, elements: readonly Element[]): readonly Element[] {
  const found = guarded(selector, () => elements.filter((element) => selector.test(element)))
  // What it remembers of a page would keep the tree.
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
  if (text.length > longest) return `A selector may have ${longest} characters; this one has ${text.length}.`
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
  if (count > mostParentheses || deepest > deepestParentheses || has > mostHas) {
    return `The selector ${show(text)} has too many or too deeply nested conditions.`
  }
  return undefined
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
