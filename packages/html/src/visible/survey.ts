import { hasAttributes, type Element } from '../tree/tree.ts'

/** The elements and attributes of a page on which hiding depends. Elements are in document order. */
export interface Survey {
  /** The `style` attributes. */
  readonly styles: ReadonlySet<string>
  /** The elements with a `class` attribute. */
  readonly withClass: readonly Element[]
  readonly withId: readonly Element[]
  /** The `<style>` and `<link>` elements. */
  readonly sheets: readonly Element[]
  readonly scripts: readonly Element[]
  /** Whether an element is hidden without a style: a `hidden` attribute or a `<dialog>`. */
  readonly hasHidden: boolean
}

/** Collects the survey in one pass over all elements of a page. */
class Surveyor implements Survey {
  readonly styles = new Set<string>()
  readonly withClass: Element[] = []
  readonly withId: Element[] = []
  readonly sheets: Element[] = []
  readonly scripts: Element[] = []
  hasHidden = false

  add(element: Element): void {
    const { name } = element
    if (name === 'style' || name === 'link') this.sheets.push(element)
    else if (name === 'script') this.scripts.push(element)
    else if (name === 'dialog') this.hasHidden = true
    if (hasAttributes(element)) this.#addAttributes(element)
  }

  // A loop is several times faster than to read each of these attributes, as most elements have none of them.
  #addAttributes(element: Element): void {
    const { attributes } = element
    for (const key in attributes) {
      if (key === 'class') this.withClass.push(element)
      else if (key === 'id') this.withId.push(element)
      else if (key === 'style') this.styles.add(attributes[key]!)
      else if (key === 'hidden') this.hasHidden = true
    }
  }
}

/** Collects the survey of a page. `elements` are all its elements. */
export function surveyOf(elements: readonly Element[]): Survey {
  const survey = new Surveyor()
  for (const element of elements) survey.add(element)
  return survey
}
