import { hasAttributes, type Element } from '../tree/tree.ts'
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
    const inline = stylesOf(elements)
    this.inline = inline
    this.sheets = new Sheets(elements)
    this.screens = this.sheets.rules.differs ? screens.length : 1
    this.colors = new Colors(this.sheets, inline)
  }
}

function stylesOf(elements: readonly Element[]): ReadonlySet<string> {
  const styles = new Set<string>()
  for (const element of elements) {
    const style = hasAttributes(element) ? element.attributes['style'] : undefined
    if (style !== undefined) styles.add(style)
  }
  return styles
}
