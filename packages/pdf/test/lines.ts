import type { Text } from './make-pdf.ts'

/** Lines of text below each other. */
export function lines(x: number, y: number, texts: readonly string[], options: Partial<Text> = {}): Text[] {
  const leading = (options.size ?? 10) * 1.2
  return texts.map((text, index) => ({ ...options, text, x, y: y + index * leading }))
}

export const prose = [
  'The harvestman walks on long legs over the leaves of the forest and looks',
  'for what it may eat. It is no spider, although it is often taken for one: it',
  'spins no web, has one body and two eyes, and its legs are its finest sense.',
]
