import { fillStates, hasState, reveals, shownBy, type HiddenReason, type Mark } from '@harvestman/html/internal'
import { isMatch } from './nodes.ts'

const maxRules = 20_000
const maxStates = 1_000
/** Maximum number of comparisons of an element with a rule. */
const maxSteps = 100_000
const maxSelector = 200
const maxSelectors = 20
const maxDepth = 6

interface StateRule {
  readonly selector: string
  readonly state: 'pointer' | 'script'
  readonly style: CSSStyleDeclaration
}

export interface StateRules {
  /** Returns by which rules a visitor can show an element that is hidden like this. Sheets that cannot be read may have some. */
  stateFor(element: Element, reason: Mark['reason']): Mark['state']
}

/** The style sheets of the document: rules that apply in states such as `:hover` and `.is-open`, read when they are first needed. */
export function stateRules(): StateRules {
  let sheets: ReadSheets | undefined
  let left = maxSteps
  const stateFor = (element: Element, reason: Mark['reason']): Mark['state'] => {
    const property = shownBy[reason as HiddenReason]
    if (property === undefined) return undefined
    sheets ??= readSheets()
    let found: Mark['state']
    for (const { selector, state, style } of sheets.rules) {
      if (--left < 0) return found ?? 'script'
      if (!declares(style, property) || !matches(element, selector)) continue
      if (state === 'pointer') return state
      found = state
    }
    return found ?? (sheets.isComplete ? undefined : 'script')
  }
  return { stateFor }
}

interface ReadSheets {
  readonly rules: readonly StateRule[]
  readonly isComplete: boolean
}

function readSheets(): ReadSheets {
  const rules: StateRule[] = []
  const budget = { rules: maxRules }
  let isComplete = true
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    try {
      isComplete = collect(sheet.cssRules, rules, budget, 0) && isComplete
    } catch {
      // A sheet of another origin.
      isComplete = false
    }
  }
  return { rules, isComplete }
}

/** Returns whether all rules were read. */
function collect(list: CSSRuleList, found: StateRule[], budget: { rules: number }, depth: number): boolean {
  if (depth > maxDepth) return false
  for (const rule of list) {
    if (--budget.rules < 0 || found.length >= maxStates) return false
    if (rule instanceof CSSStyleRule) add(rule, found)
    else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet && !collect(rule.styleSheet.cssRules, found, budget, depth + 1)) return false
    } else if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue
    else if (rule instanceof CSSGroupingRule && !collect(rule.cssRules, found, budget, depth + 1)) return false
  }
  return true
}

const revealing = Object.values(shownBy)

function add({ selectorText, style }: CSSStyleRule, found: StateRule[]): void {
  // Most rules have no state. Reading their declarations would take longer than the rest of the search.
  if (!hasState(selectorText) || !revealing.some((property) => declares(style, property))) return
  for (const selector of firstSelectors(selectorText)) {
    // A selector with `:has` may search the whole page for each element.
    const isCheap = selector.length <= maxSelector && !selector.includes('::') && !selector.includes(':has(')
    const filled = isCheap ? fillStates(selector.trim()) : undefined
    if (filled) found.push({ ...filled, style })
  }
}

/** Returns the first selectors of a list. Reads no more of it than necessary: a list may be very long. */
function firstSelectors(list: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < list.length && found.length < maxSelectors; at++) {
    const sign = list[at]
    if (sign === '\\') at++
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === ',' && depth === 0) {
      found.push(list.slice(from, at))
      from = at + 1
    }
  }
  if (found.length < maxSelectors) found.push(list.slice(from))
  return found
}

function declares(style: CSSStyleDeclaration, property: string): boolean {
  const names = property === 'height' ? ['height', 'max-height'] : [property]
  return names.some((name) => {
    const value = style.getPropertyValue(name)
    return value !== '' && reveals({ name, value }, property)
  })
}

function matches(element: Element, selector: string): boolean {
  try {
    return isMatch(element, selector)
  } catch {
    return false
  }
}
