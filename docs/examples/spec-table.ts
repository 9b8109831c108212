import type { PageTree } from '@harvestman/core/plugin'

/** A property of a product. */
export interface Spec {
  readonly name: string
  readonly value: string
  /** URL of the first link in the value. */
  readonly url?: string
}

/** Reads the rows of tables that have a heading and a value. */
export function read(page: PageTree, options: { readonly within: string }): Spec[] {
  const specs: Spec[] = []
  for (const row of page.select(`${options.within} tr`)) {
    const [heading] = page.select('th', row)
    const [cell] = page.select('td', row)
    if (!heading || !cell) continue
    const [link] = page.select('a[href]', cell)
    const url = link && page.resolve(link.attributes['href'] ?? '')
    specs.push({ name: page.textOf(heading), value: page.textOf(cell), ...(url !== undefined && { url }) })
  }
  if (specs.length === 0) page.warn(`No table row with a heading and a value is within ${options.within}.`)
  return specs
}
