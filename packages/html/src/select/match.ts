import { isInlinedFrame } from '../tree/frame-mark.ts'
import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { isNth, nth, type Positions } from './positions.ts'
import { plainPseudos, pseudosWithText } from './pseudos.ts'
import type { AttributeTest, Complex, Compound, NthTest, SelectorList, Simple } from './syntax.ts'

/** The state of one search. Cleared between searches, as the page may change. */
export interface Look {
  readonly positions: Positions
  /** Called for each tested element, and for each 4,096 characters of a long attribute. Throws if there were too many. */
  readonly step: () => void
  /** The element on which `:has()` is evaluated. */
  scope: Element | undefined
}

/**
 * Returns whether the element matches one of the selectors. Throws what `step` of `look` throws, which limits the steps.
 */
export function matchesList(look: Look, list: SelectorList, element: Element): boolean {
  // Not `for of`, whose iterators V8 allocates here.
  for (let i = 0; i < list.length; i++) {
    const complex = list[i]!
    if (matchFrom(look, complex, complex.length - 1, element) === found) return true
  }
  return false
}

// Results of matching leftwards. `noSibling` and `noAncestor` mean that further siblings or ancestors cannot match
// either. Stopping there avoids backtracking whose cost grows exponentially with the number of combinators.
const found = 0
const notHere = 1
const noSibling = 2
const noAncestor = 3
type Outcome = typeof found | typeof notHere | typeof noSibling | typeof noAncestor

/**
 * Returns whether the element matches the compound at `place`, and its surroundings match the compounds to the left.
 */
function matchFrom(look: Look, complex: Complex, place: number, element: Element): Outcome {
  look.step()
  const compound = complex[place]!
  if (!fits(look, compound, element)) return notHere
  if (place === 0) return found
  switch (compound.combinator) {
    case '>': {
      const parent = parentOf(element)
      return parent ? afterUp(matchFrom(look, complex, place - 1, parent)) : noAncestor
    }
    case ' ':
      return matchAncestor(look, complex, place - 1, element)
    case '+': {
      const before = elementBefore(element)
      return before ? matchFrom(look, complex, place - 1, before) : noSibling
    }
    case '~':
      return matchSibling(look, complex, place - 1, element)
  }
}

/** Converts the outcome of an ancestor: if its siblings are exhausted, those of the descendant may still match. */
function afterUp(outcome: Outcome): Outcome {
  return outcome === noSibling ? notHere : outcome
}

function matchAncestor(look: Look, complex: Complex, place: number, element: Element): Outcome {
  for (let at = parentOf(element); at; at = parentOf(at)) {
    const outcome = matchFrom(look, complex, place, at)
    if (outcome === found || outcome === noAncestor) return outcome
  }
  return noAncestor
}

function matchSibling(look: Look, complex: Complex, place: number, element: Element): Outcome {
  for (let at = elementBefore(element); at; at = elementBefore(at)) {
    const outcome = matchFrom(look, complex, place, at)
    if (outcome !== notHere) return outcome
  }
  return noSibling
}

function parentOf({ parent }: Element): Element | null {
  return parent?.name === '#document' ? null : parent
}

function elementBefore(element: Element): Element | null {
  let at = element.previous
  while (at && at.type !== 'element') at = at.previous
  return at
}

function fits(look: Look, { simples }: Compound, element: Element): boolean {
  for (let i = 0; i < simples.length; i++) if (!fitsSimple(look, simples[i]!, element)) return false
  return true
}

function fitsSimple(look: Look, simple: Simple, element: Element): boolean {
  switch (simple.kind) {
    case 'name':
      if (element.name === simple.name) return !isInlinedFrame(element)
      return simple.name === 'iframe' && isInlinedFrame(element)
    case 'id':
      return element.attributes['id'] === simple.value
    case 'class':
      return hasWord(readCounted(look, element, 'class'), simple.value)
    case 'attribute':
      return fitsAttribute(simple, readCounted(look, element, simple.name))
    case 'list':
      if (simple.name === 'has') return simple.list.some((complex) => has(look, complex, element))
      return matchesList(look, simple.list, element) === (simple.name === 'is')
    case 'nth':
      return fitsNth(look, simple, element)
    case 'pseudo': {
      const test = plainPseudos[simple.name] ?? pseudosWithText[simple.name]!
      return test(element, simple.argument, look)
    }
  }
}

const charsPerStep = 4_096

/** Returns the value of an attribute. The steps of a long one are counted, as all of it is searched. */
function readCounted({ step }: Look, { attributes }: Element, name: string): string | undefined {
  const value = attributes[name]
  if (value !== undefined) for (let at = charsPerStep; at < value.length; at += charsPerStep) step()
  return value
}

function hasWord(text: string | undefined, word: string): boolean {
  if (text === undefined || word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isBlank(text, at - 1) && isBlank(text, at + word.length)) return true
  }
  return false
}

/** Returns whether there is white space, or the start or end of the string. */
function isBlank(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13 && code !== 11)
}

function fitsAttribute({ operator, value, ignoreCase }: AttributeTest, written: string | undefined): boolean {
  if (operator === '!=')
    return written === undefined || !fitsValue('=', fold(written, ignoreCase), fold(value, ignoreCase))
  if (written === undefined) return false
  return operator === '' || fitsValue(operator, fold(written, ignoreCase), fold(value, ignoreCase))
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text
}

function fitsValue(operator: Exclude<AttributeTest['operator'], '' | '!='>, written: string, value: string): boolean {
  switch (operator) {
    case '=':
      return written === value
    case '~=':
      return hasWord(written, value) && !/[\t\n\f\r ]/.test(value)
    case '|=':
      return written === value || written.startsWith(`${value}-`)
    // By the standard, these never match an empty value.
    case '^=':
      return value !== '' && written.startsWith(value)
    case '$=':
      return value !== '' && written.endsWith(value)
    case '*=':
      return value !== '' && written.includes(value)
  }
}

function fitsNth(look: Look, { formula, ofType, fromEnd, of }: NthTest, element: Element): boolean {
  look.step()
  if (!of) return nth(look.positions, element, formula, ofType, fromEnd)
  if (!matchesList(look, of, element)) return false
  let place = 1
  for (let at = fromEnd ? element.next : element.previous; at; at = fromEnd ? at.next : at.previous) {
    if (at.type === 'element' && matchesList(look, of, at)) place += 1
  }
  return isNth(place, formula)
}

/** Tests `:has(> a b)` on each element that may be `b`, with the left end of the chain fixed to `scope`. */
function has(look: Look, complex: Complex, scope: Element): boolean {
  const [first] = complex
  const anchored: Complex = [held, ...complex]
  const outer = look.scope
  look.scope = scope
  try {
    if (first!.combinator === ' ' || first!.combinator === '>') return isBelow(look, anchored, scope)
    for (let at = scope.next; at; at = at.next) {
      if (at.type !== 'element') continue
      if (matchFrom(look, anchored, anchored.length - 1, at) === found) return true
      if (complex.length > 1 && isBelow(look, anchored, at)) return true
      if (complex.length === 1 && first!.combinator === '+') return false
    }
    return false
  } finally {
    look.scope = outer
  }
}

const held: Compound = { combinator: ' ', simples: [{ kind: 'pseudo', name: 'scope', argument: '' }] }

function isBelow(look: Look, complex: Complex, root: Element): boolean {
  let node = nextNode(root, root)
  while (node) {
    if (node.type === 'element' && matchFrom(look, complex, complex.length - 1, node) === found) return true
    node = nextNode(node, root, node.type === 'element' && node.name === 'template')
  }
  return false
}
