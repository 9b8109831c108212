/** The header that asks why a document is as it is: bodies are the public API's, and know no such word. */
export const explainHeader = 'x-harvestman-explain'

export const explainReads = { [explainHeader]: '`true` adds `explain`: what was decided on the way, and why.' }

export function wantsExplanation(headers: Headers): boolean {
  const value = headers.get(explainHeader)
  return value === 'true' || value === '1'
}
