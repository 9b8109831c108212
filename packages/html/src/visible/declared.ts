import type { Element } from '../tree/tree.ts'
import { Sheets } from './cascade.ts'
import { screens } from './css.ts'
import { Colors } from './page-colors.ts'

/** The declared styles of a page. */
export class Declared {
  readonly sheets: Sheets
  /** The `style` attributes. */
  readonly inline: ReadonlySet<string>
  readonly colors: Colors
  /** Number of screens to evaluate: 1 if no rule depends on the screen. */
  readonly screens: number

  constructor(elements: readonly Element[]) {
    const inline = new Set<string>()
    for (const { attributes } of elements) if (attributes['style'] !== undefined) inline.add(attributes['style'])
    this.inline = inline
    this.sheets = new Sheets(elements)
    this.screens = this.sheets.rules.differs ? screens.length : 1
    this.colors = new Colors(this.sheets, inline)
  }
}
