import type { IndexedPage } from './rows.ts'

/** Divides pages into parts with a maximum number of pages and of characters. A longer page is a part of its own. */
export function partsOf(
  pages: readonly IndexedPage[],
  most: { readonly pages: number; readonly characters: number },
): readonly (readonly IndexedPage[])[] {
  const parts: IndexedPage[][] = []
  let characters = 0
  for (const page of pages) {
    const { length } = page.markdown
    const last = parts.at(-1)
    if (last && last.length < most.pages && characters + length <= most.characters) {
      last.push(page)
      characters += length
    } else {
      parts.push([page])
      characters = length
    }
  }
  return parts
}
