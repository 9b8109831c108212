import type { Drawing } from './rules.ts'
import type { PlacedText } from './turned.ts'

// Letters that a font has only for itself, or that are no letters: what stands for them says nothing.
const unknown = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu
const symbols = 2
const fewest = 20
const share = 0.1

/**
 * Takes out what a font does not say the letters of. Single symbols stay: bullets have letters of their own, and the
 * layout knows them.
 */
export function withoutUndecoded(items: readonly PlacedText[]): {
  readonly items: readonly PlacedText[]
  readonly isUndecoded: boolean
} {
  let [lost, all] = [0, 0]
  const kept = items.filter(({ text }) => {
    const letters = text.trim().length
    const bad = text.trim().match(unknown)?.join('').length ?? 0
    all += letters
    if (letters <= symbols || bad < letters / 2) return true
    lost += letters
    return false
  })
  const isUndecoded = lost >= fewest && lost >= all * share
  return isUndecoded ? { items: kept, isUndecoded } : { items, isUndecoded }
}

/** Whether text is set in a font that the reading library could not make sense of; it leaves such text out. */
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
