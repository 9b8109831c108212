/**
 * Header that requests an explanation of the result. It is a header because bodies follow the public API, which has no such
 * option.
 */
export const explainHeader = 'x-harvestman-explain'

export const explainReads = { [explainHeader]: '`true` adds `explain`: the decisions during the scrape, with reasons.' }

/** Returns whether the caller requests an explanation of its result by header, with the value `true` or `1`. */
export function wantsExplanation(headers: Headers): boolean {
  const value = headers.get(explainHeader)
  return value === 'true' || value === '1'
}
