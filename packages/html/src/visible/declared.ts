import type { Element } from '../tree/tree.ts'
import type { Accepts } from './candidates.ts'
import { Sheets } from './cascade.ts'
import { mayHide } from './declarations.ts'
import { screens } from './media.ts'
import { Colors } from './page-colors.ts'
import type { Survey } from './survey.ts'

/** The declared styles of a page. */
export class Declared {
  readonly sheets: Sheets
  readonly colors: Colors
  /** Number of screens to evaluate: 1 if no rule depends on the screen. */
  readonly screens: number
  readonly #survey: Survey
  readonly #accepts: Accepts

  constructor(survey: Survey) {
    this.#survey = survey
    this.sheets = new Sheets(survey)
    this.screens = this.sheets.rules.differs ? screens.length : 1
    this.colors = new Colors(this.sheets, survey.styles)
    const { ofRule } = this.colors
    this.#accepts = (rule) => rule.mayHide || ofRule(rule)
  }

  /** Whether anything on the page can hide. */
  get mayHide(): boolean {
    const { styles, hasHidden } = this.#survey
    if (hasHidden || this.sheets.rules.mayHide || this.colors.mayHideByRule) return true
    for (const style of styles) if (mayHide(style) || this.colors.mayHideBy(style)) return true
    return false
  }

  /** Returns whether any declaration that may apply to the element can hide. Most elements have none. */
  mayApply(element: Element): boolean {
    return element.attributes['style'] !== undefined || this.sheets.mayApply(this.#accepts, element)
  }
}
