// Scripts without blanks between words take about a token a sign; others about a token for four letters.
const dense = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/g

/** About how many tokens a text is for a model. Rather too many than too few: nothing is lost when a text is split. */
export function estimateTokens(text: string): number {
  const signs = text.match(dense)?.length ?? 0
  return Math.ceil(signs + (text.length - signs) / 3.5)
}
