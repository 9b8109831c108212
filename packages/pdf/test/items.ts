import type { Face, PageItems, TextItem } from '../src/types.ts'

export const plain: Face = { name: 'Any', bold: false, italic: false, mono: false }
export const bold: Face = { ...plain, name: 'Any-Bold', bold: true }

/** A run of letters, each half as wide as it is high. */
export function item(text: string, x: number, y: number, more: Partial<TextItem> = {}): TextItem {
  const size = more.size ?? 10
  return { text, x, y, width: (text.length * size) / 2, size, face: plain, isSpaced: false, angle: 0, ...more }
}

export function page(number: number, items: readonly TextItem[]): PageItems {
  return { number, width: 612, height: 792, items, rules: [], links: [], isCut: false, isUndecoded: false }
}
