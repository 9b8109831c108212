import { _compileUnsafe, type Options } from 'css-select'
import { isInlinedFrame } from './iframes.ts'
import { nth, readFormula, type Positions } from './positions.ts'
import type { Element, Node } from './tree.ts'
import { nextNode } from './walk.ts'

// Selectors come from callers, so they are data of unknown cost: long ones are refused, and a run ends at a number of
// steps, because a chain of descendant combinators over deep pages grows with the power of its length.

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

export function compileSelector(text: string): Selector | SelectorProblem {
  const size = sizeProblem(text)
  if (size) return { problem: size }
  const run: Run = { steps: 0, positions: new Map(), children: new Map() }
  try {
    const test = _compileUnsafe<Node, Element>(text, optionsFor(run, text))
    const begin = (): void => {
      run.steps = 0
      run.positions.clear()
      run.children.clear()
    }
    return { text, test, begin }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: `The selector ${show(text)} is not valid: ${reason}` }
  }
}

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

/** What one look through a page remembers. The page may change between two. */
interface Run {
  steps: number
  readonly positions: Positions
  readonly children: Map<Element, Node[]>
}

function optionsFor(run: Run, text: string): Options<Node, Element> {
  const step = (): void => {
    if (++run.steps > mostSteps) throw tooCostly
  }
  return {
    relativeSelector: false,
    // css-select keeps results beyond one look through the page.
    cacheResults: false,
    pseudos: placePseudos(run, step, text),
    adapter: {
      isTag: (node): node is Element => {
        step()
        return node.type === 'element'
      },
      equals: (a, b) => {
        step()
        return a === b
      },
      getName: (element) => (isInlinedFrame(element) ? 'iframe' : element.name),
      getParent: ({ parent }) => {
        step()
        return parent?.name === '#document' ? null : parent
      },
      getAttributeValue: ({ attributes }, name) => attributes[name],
      hasAttrib: ({ attributes }, name) => name in attributes,
      getChildren: (node) => (node.type === 'element' ? childrenOf(run, node, step) : []),
      getSiblings: (node) => (node.parent ? childrenOf(run, node.parent, step) : [node]),
      prevElementSibling: (node) => {
        let at = node.previous
        while (at && at.type !== 'element') at = at.previous
        return at
      },
      getText: (node) => readText(node, step),
      removeSubsets: (nodes) => nodes,
    },
  }
}

type PlacePseudos = Record<string, (element: Element, formula?: string | null) => boolean>

// css-select counts through all siblings for each element; these look the place up. It keeps `:nth-child(2 of p)`.
function placePseudos(run: Run, step: () => void, text: string): PlacePseudos {
  const place = (ofType: boolean, fromEnd: boolean, formula: string) => (element: Element) => {
    step()
    return nth(run.positions, element, formula, ofType, fromEnd)
  }
  const both = (ofType: boolean) => (element: Element) =>
    place(ofType, false, '1')(element) && place(ofType, true, '1')(element)
  const counted = (ofType: boolean, fromEnd: boolean) => (element: Element, formula?: string | null) =>
    place(ofType, fromEnd, formula ?? '')(element)
  return {
    'first-child': place(false, false, '1'),
    'last-child': place(false, true, '1'),
    'first-of-type': place(true, false, '1'),
    'last-of-type': place(true, true, '1'),
    'only-child': both(false),
    'only-of-type': both(true),
    ...(!hasPlainFormulas(text)
      ? {}
      : {
          'nth-child': counted(false, false),
          'nth-last-child': counted(false, true),
          'nth-of-type': counted(true, false),
          'nth-last-of-type': counted(true, true),
        }),
  }
}

function hasPlainFormulas(text: string): boolean {
  const formulas = text.matchAll(/:nth-(?:last-)?(?:child|of-type)\(([^)]*)/gi)
  return [...formulas].every(([, formula]) => readFormula(formula!) !== undefined)
}

function childrenOf(run: Run, parent: Element, step: () => void): Node[] {
  const known = run.children.get(parent)
  if (known) return known
  const list: Node[] = []
  for (let at = parent.first; at; at = at.next) {
    step()
    list.push(at)
  }
  run.children.set(parent, list)
  return list
}

function readText(node: Node, step: () => void): string {
  if (node.type === 'text') return node.text
  const texts: string[] = []
  for (let at = nextNode(node, node); at; at = nextNode(at, node)) {
    step()
    if (at.type === 'text') texts.push(at.text)
  }
  return texts.join('')
}
