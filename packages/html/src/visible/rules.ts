// The rules of style sheets, with an index of their selectors. They do not depend on a page.
import { declaredColors, type DeclaredColors } from './colors.ts'
import { cssLimits, readRules, type Rule } from './css.ts'
import { addEntry, Entry, isReadable, newIndex, splitList, type Index } from './entries.ts'
import { allWidths } from './media.ts'
import { fillStates, isPointerRule, hasState } from './states.ts'

/** A style sheet. */
export interface Css {
  readonly css: string
  readonly widths: number
}

/** The rules of style sheets. Pages of a site have the same sheets, so that their rules are read once. */
export class Rules {
  readonly all: readonly Rule[]
  /** Whether screens have different rules. */
  readonly differs: boolean
  readonly variables = new Map<string, string>()
  #index: Index | undefined
  #states: Index | undefined
  #mayHide: boolean | undefined
  #colors: DeclaredColors | undefined

  constructor(sheets: readonly Css[]) {
    const rules: Rule[] = []
    for (const { css, widths } of sheets) {
      for (const rule of readRules(css, cssLimits.rules - rules.length, widths)) rules.push(rule)
    }
    this.all = rules
    this.differs = rules.some(({ widths }) => widths !== allWidths)
    for (const { declarations } of rules.filter(mayDeclareVariables)) {
      for (const { name, value } of declarations) if (name.startsWith('--')) this.variables.set(name, value)
    }
  }

  /** Whether any rule has declarations that can hide, other than by colours. */
  get mayHide(): boolean {
    return (this.#mayHide ??= this.all.some(({ mayHide }) => mayHide))
  }

  /** The colours of all rules. */
  get colors(): DeclaredColors {
    return (this.#colors ??= declaredColors(this.all.map(({ block }) => block)))
  }

  /** The rules that apply to a page as it is loaded. */
  get index(): Index {
    return (this.#index ??= this.#indexed(
      () => true,
      (selector, rule, order) => (isPointerRule(selector) ? undefined : new Entry(selector, rule, order)),
    ))
  }

  /** The rules for states in which a visitor can put the page. */
  get states(): Index {
    return (this.#states ??= this.#indexed(hasState, (selector, rule, order) => {
      const filled = fillStates(selector)
      return filled && new Entry(filled.selector, rule, order, filled.state)
    }))
  }

  #indexed(
    isListed: (list: string) => boolean,
    make: (selector: string, rule: Rule, order: number) => Entry | undefined,
  ): Index {
    const index = newIndex()
    this.all.forEach((rule, order) => {
      if (!isListed(rule.selector)) return
      for (const selector of splitList(rule.selector)) {
        const entry = isReadable(selector) ? make(selector, rule, order) : undefined
        if (entry) addEntry(index, entry)
      }
    })
    return index
  }
}

const mayDeclareVariables = ({ selector, block }: Rule): boolean =>
  block.includes('--') && /(?:^|,)\s*(?::root|html|body|\*)\s*(?:,|$)/i.test(selector)

/** The rules that were read last, by the source of their sheets. */
const recent = new Map<string, Rules>()
const maxRecent = 16
/** Characters of the sheets that are kept at the same time. */
const maxRecentChars = 1_000_000
let recentChars = 0

/**
 * Returns the indexed rules of style sheets. The results of up to 16 recent calls, for at most 1,000,000 characters of CSS, are
 * cached, as the pages of a site share them.
 */
export function rulesOf(sheets: readonly Css[]): Rules {
  const text = sheets.map((sheet) => prefixOf(sheet) + sheet.css).join('')
  let rules = recent.get(text)
  if (rules) recent.delete(text)
  else {
    rules = new Rules(partsOf(text, sheets))
    recentChars += text.length
  }
  recent.set(text, rules)
  for (const [oldest] of recent) {
    if (recent.size <= maxRecent && recentChars <= maxRecentChars) break
    recent.delete(oldest)
    recentChars -= oldest.length
  }
  return rules
}

/** The length separates one sheet from two others with the same characters. */
const prefixOf = ({ css, widths }: Css): string => `${widths} ${css.length} `

/** Returns the sheets as parts of their joined text, so that their rules do not keep the page in memory. */
function partsOf(text: string, sheets: readonly Css[]): readonly Css[] {
  let at = 0
  return sheets.map((sheet) => {
    const from = at + prefixOf(sheet).length
    at = from + sheet.css.length
    return { css: text.slice(from, at), widths: sheet.widths }
  })
}
