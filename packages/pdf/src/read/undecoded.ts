import type { Drawing } from './rules.ts'
import type { PlacedText } from './rotate-text.ts'

// Private-use, unassigned and control characters: the font does not define their meaning.
const unknown = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu
const symbols = 2
const fewest = 20
const share = 0.1

/**
 * Removes text whose font does not map it to Unicode, if that is at least 20 characters and a tenth of the page; otherwise
 * returns all items. Keeps single symbols: bullets are often private-use characters, and the layout recognizes them.
 */
export function withoutUndecoded(items: readonly PlacedText[]): {
  readonly items: readonly PlacedText[]
  readonly isUndecoded: boolean
} {
  let [lost, all] = [0, 0]
  const decoded = items.filter(({ text }) => {
    const characters = text.trim().length
    const bad = text.trim().match(unknown)?.join('').length ?? 0
    all += characters
    if (characters <= symbols || bad < characters / 2) return true
    lost += characters
    return false
  })
  const isUndecoded = lost >= fewest && lost >= all * share
  return isUndecoded ? { items: decoded, isUndecoded } : { items, isUndecoded }
}

/** Returns whether text uses a font that the library could not load, and therefore omits. */
export function usesFailedFont(
  { steps, inputs }: Drawing,
  { setFont }: { readonly setFont: number },
  isFailed: (font: string) => boolean,
): boolean {
  const fonts = new Set<unknown>()
  for (const [index, step] of steps.entries()) {
    if (step === setFont) fonts.add((inputs[index] as readonly unknown[] | null)?.[0])
  }
  return [...fonts].some((font) => typeof font === 'string' && isFailed(font))
}
