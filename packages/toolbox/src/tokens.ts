// Scripts without spaces between words take about one token per character; others one token per four characters.
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/g

/**
 * Estimates the number of tokens of a string: one for each character of Chinese, Japanese, Korean and Thai, and one for every
 * 3.5 others. Overestimates rather than underestimates, because splitting a string loses nothing.
 */
export function estimateTokens(text: string): number {
  const signs = text.match(dense)?.length ?? 0
  return Math.ceil(signs + (text.length - signs) / 3.5)
}
